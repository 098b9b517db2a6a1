//! The table for the decoder of HQC: the search for the peaks among 16 vectors, in one loop over blocks.
use super::rules::{Exactly, Rule};
use super::{AARCH64, X86_64};

const fn decoder(
    target: &'static str,
    name: &'static [&'static str],
    exactly: &'static [Exactly],
    stack: usize,
) -> Rule {
    Rule { target, name, exactly, stack, copies: 0, panics: 3 }
}

/// The first vector needs no comparison, the three last maxima are of the words of one vector.
const PEAKS: &[Exactly] = &[
    Exactly { mnemonics: "pmaxsw|vpmaxsw", whole: 18, loops: &[18] },
    Exactly { mnemonics: "pminsw|vpminsw", whole: 15, loops: &[15] },
];

pub(crate) const RULES: &[Rule] = &[
    decoder(X86_64, &["::Pclmul ", "reed_muller::Decode<"], PEAKS, 20),
    decoder(X86_64, &["::PclmulAvx2 ", "reed_muller::Decode<"], PEAKS, 26),
    decoder(X86_64, &["::PclmulAvx512Vl ", "reed_muller::Decode<"], PEAKS, 2),
    decoder(X86_64, &["::VpclmulYmm", "reed_muller::Decode<"], PEAKS, 24),
    // On vectors of 512 bits the compiler keeps some steps as loops over vectors in memory.
    decoder(X86_64, &["::VpclmulZmm", "reed_muller::Decode<"], &[], 75),
    decoder(AARCH64, &["::Pmull ", "reed_muller::Decode<"], &[], 50),
];
