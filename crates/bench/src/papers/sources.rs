//! The papers, and the commands that measure their parts.
use super::Arguments;
#[cfg(feature = "curves")]
use crate::curves;
use crate::output::Forms;
#[cfg(feature = "fields")]
use crate::paper004;
use crate::papers000_003::{self, figures::Paper};
use crate::{hqc, paper001, paper002};
use anyhow::Result;

/// One of the papers that the report covers.
pub(super) struct Source {
    /// The number of the paper in this project, such as `001`.
    pub(super) number: &'static str,
    /// Authors, title, kind and year, as text.
    pub(super) citation: &'static str,
    /// The main claim of the paper, in a sentence.
    pub(super) claim: &'static str,
    /// The commands that measure its results, in the order of the page.
    pub(super) parts: &'static [Part],
}

/// Verifies all subjects of a part, then measures them. An error means that nothing is to be reported.
type Measure = fn(&Arguments) -> Result<Forms>;

/// A part of a paper, which one command measures.
pub(super) struct Part {
    /// The name of the command and of the part's files.
    pub(super) name: &'static str,
    /// The heading of the part: which tables or section of the paper it repeats.
    pub(super) title: &'static str,
    /// The function that measures it; `None` if this build leaves it out.
    pub(super) measure: Option<Measure>,
    /// The feature of `carryless-bench` that the part needs; empty if it needs none.
    pub(super) feature: &'static str,
}

#[cfg(feature = "fields")]
// By default all fields are measured and no file is written: the report writes its own.
const FIELDS: Option<Measure> =
    Some(|of| paper004::forms(&paper004::Arguments { effort: of.effort(), ..Default::default() }));
#[cfg(not(feature = "fields"))]
const FIELDS: Option<Measure> = None;

#[cfg(feature = "curves")]
const CURVES: Option<Measure> =
    Some(|of| curves::forms(&curves::Arguments { effort: of.effort(), ..Default::default() }));
#[cfg(not(feature = "curves"))]
const CURVES: Option<Measure> = None;

/// The papers in the order of the page.
pub(super) const SOURCES: &[Source] = &[
    Source {
        number: "000",
        citation: "S. Bhattacharyya, Improved SIMD Implementation of Poly1305, M.Tech. dissertation, Indian Statistical Institute, 2018.",
        claim: "Poly1305 in four lanes takes less time with zero blocks in front of the message than with a tail, up to 4 KB.",
        parts: &[Part {
            name: "paper000",
            title: "Tables 1 and 2",
            measure: Some(|of| papers000_003::forms(&Paper::of_000(), of.effort())),
            feature: "",
        }],
    },
    Source {
        number: "001",
        citation: "K. Nath and P. Sarkar, Vectorised Hashing Based on Bernstein-Rabin-Winograd Polynomials over Prime Order Fields, 2025.",
        claim: "4-decBRWHash1305, with half of the multiplications, takes less time than the polynomial hash under Poly1305 from 256 bytes on.",
        parts: &[Part {
            name: "paper001",
            title: "Tables 5 to 10",
            measure: Some(|of| {
                paper001::forms(&paper001::Arguments { effort: of.effort(), ..Default::default() })
            }),
            feature: "",
        }],
    },
    Source {
        number: "002",
        citation: "J.-M. Robert and P. Véron, Faster multiplication over F2[X] using AVX512 instruction set and VPCLMULQDQ instruction, Journal of Cryptographic Engineering, 2022.",
        claim: "Karatsuba's and Toom and Cook's methods on carry-less products of 512 bits are a third faster than on AVX2, and faster than gf2x.",
        parts: &[
            Part {
                name: "paper002",
                title: "Products",
                measure: Some(|of| {
                    // The report has the options of these libraries itself, and hands them on.
                    let (effort, gf2x) = (of.effort(), of.gf2x.clone());
                    paper002::forms(&paper002::Arguments { effort, gf2x, ..Default::default() })
                }),
                feature: "",
            },
            Part {
                name: "hqc",
                title: "Section 4: the KEM HQC",
                measure: Some(|of| {
                    let (effort, libraries) = (of.effort(), of.kem.clone());
                    hqc::forms(&hqc::Arguments { effort, libraries, ..Default::default() })
                }),
                feature: "",
            },
        ],
    },
    Source {
        number: "003",
        citation: "S. Bhattacharyya and P. Sarkar, Improved SIMD implementation of Poly1305, IET Information Security, 2020.",
        claim: "So balanced, Poly1305 in lanes is faster than Goll and Gueron's, by some 10 to 15 % for short messages.",
        parts: &[Part {
            name: "paper003",
            title: "Tables 2 to 6",
            measure: Some(|of| papers000_003::forms(&Paper::of_003(), of.effort())),
            feature: "",
        }],
    },
    Source {
        number: "004",
        citation: "D. F. Aranha, joint work with J. López, D. Hankerson and F. Rodríguez-Henríquez, Efficient Software Implementation of Binary Field Arithmetic Using Vector Instruction Sets, slides.",
        claim: "One formulation of the arithmetic of GF(2^m) in vector instructions serves all fields, and curves over them.",
        parts: &[
            Part { name: "paper004", title: "Fields", measure: FIELDS, feature: "fields" },
            Part { name: "paper004-curves", title: "Curves", measure: CURVES, feature: "curves" },
        ],
    },
];
