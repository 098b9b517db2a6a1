//! Kernels over 2^127 - 1 by name: which messages a [`Plan`] serves on a backend, and the call of its kernel.
use super::evaluate::Point;
use crate::base::loads15::BLOCK;
use crate::choose::plan::PlanMismatch;
use crate::choose::{ALL_KERNELS, ROWS_1271, ROWS_1271_IFMA, WORD_BLOCKS_1271};
use crate::eval::dispatch::{call, call_ifma, compiled_for, has};
use crate::eval::horner::{GROUPS, Horner};
use crate::field::groups::LONG_G;
use crate::field::p1271::element::Element;
use crate::papers;
use carryless_lanes::Cpu;

/// A kernel for the polynomial, by name: for measurements and for reproducing papers. All kernels give the same digest.
///
/// Without the feature `research-kernels` only the kernels that the library selects itself are compiled, and
/// the others [serve](Plan::serves) no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Plan {
    /// 64-bit words, with one carry for `g` blocks, 1, 2, 3, 4 or 8 (any length).
    Words {
        /// Blocks that share one carry: 1, 2, 3, 4 or 8.
        g: usize,
    },
    /// Decimated Horner in radix 2^26, a block per lane, with one carry chain for `g` rows (paper 001, section 4.3).
    /// For `g` of 1, 2, 3, 4 or 8 and messages of more blocks than the backend has lanes.
    Lanes {
        /// Rows per carry chain, the papers' delayed reduction.
        g: usize,
    },
    /// Decimated Horner in radix 2^43 with 52-bit multiply-add, on backends that have it ([`Cpu::has_ifma`]).
    LanesIfma {
        /// Rows of blocks that share one carry chain: 1, 2, 3, 4, 8 or 16. Products of groups
        /// of 16 rows are Karatsuba's.
        g: usize,
    },
    /// `Lanes` in four limbs of radix 2^32 (paper 001, section 4.2): fewer multiplications and more of everything else,
    /// slower on every backend. To reproduce the paper's comparison.
    FourLimbs {
        /// Rows of blocks that share one carry chain: 1, 2, 3, 4 or 8.
        g: usize,
    },
}

impl Plan {
    /// Every plan that serves messages of `len` bytes on `cpu`.
    pub fn all(cpu: Cpu, len: usize) -> impl Iterator<Item = Plan> {
        let known = |g| [Plan::Words { g }, Plan::Lanes { g }, Plan::LanesIfma { g }, Plan::FourLimbs { g }];
        let long = Plan::LanesIfma { g: LONG_G };
        GROUPS.into_iter().flat_map(known).chain([long]).filter(move |plan| plan.serves(cpu, len))
    }

    /// True if this plan serves messages of `len` bytes on `cpu`.
    #[must_use]
    pub fn serves(self, cpu: Cpu, len: usize) -> bool {
        // Kernels in lanes set the last row aside, so one row is not enough.
        let fits = len.div_ceil(BLOCK) > cpu.lanes() && compiled_for(cpu);
        match self {
            Plan::Words { g } => has(WORD_BLOCKS_1271, g),
            Plan::Lanes { g } => has(ROWS_1271, g) && fits,
            Plan::FourLimbs { g } => ALL_KERNELS && GROUPS.contains(&g) && fits,
            Plan::LanesIfma { g } => has(ROWS_1271_IFMA, g) && fits && cpu.has_ifma(),
        }
    }

    /// Evaluates `msg` at tau by this plan. The result is below 2p.
    pub(crate) fn evaluate(self, cpu: Cpu, tau: Element, msg: &[u8]) -> Result<Element, PlanMismatch> {
        if !self.serves(cpu, msg.len()) {
            return Err(PlanMismatch);
        }
        let point = Point::new(cpu, tau);
        let horner = |g| Horner { point: point.base(), h: None, msg, g };
        Ok(match self {
            Plan::Words { g } => point.words(Element::ZERO, msg, g),
            Plan::Lanes { g } => call(cpu, horner(g)),
            Plan::LanesIfma { g } => call_ifma(cpu, horner(g)),
            Plan::FourLimbs { g } => papers::in_four_limbs(cpu, horner(g))?,
        })
    }
}
