//! Kernels by name, for those who measure, reproduce or test. Everyone else gets the best one by length.
use crate::choose::{ALL_KERNELS, ROWS_1305, ROWS_1305_IFMA, rows_on};
use crate::evaluate::{Point, words_only};
#[cfg(any(feature = "plans", test))]
use crate::field::Field;
use crate::field::Powers;
use crate::field1305::element::Element;
#[cfg(any(feature = "plans", test))]
use crate::field1305::packed::{MAX_LAMBDA, Packed};
use crate::field1305::window::{Prepare, Table, Window};
use crate::horner::{GROUPS, Horner, WORD_GROUPS};
#[cfg(any(feature = "plans", test))]
use crate::horner::{OneRow, grouped};
#[cfg(any(feature = "plans", test))]
use carryless_lanes::Machine as _;
use carryless_lanes::{Cpu, IfmaKernel, Kernel};

/// A way to evaluate the polynomial. All give the same digest.
///
/// Without the feature `plans` only the kernels that the library chooses itself are compiled, and the others
/// [serve](Plan::serves) no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Plan {
    /// 64-bit words, one block at a time (any length).
    Words,
    /// The same with one carry for `g` blocks, 1, 4, 8, 16 or 32 (paper 001's `maax` code; any length).
    GroupedWords {
        /// Blocks per carry.
        g: usize,
    },
    /// One row in radix 2^26, zero blocks in front. For messages of 1 to as many blocks as the machine has lanes.
    Row,
    /// The same in radix 2^44 with 52-bit multiply-add, on machines that have it ([`Cpu::has_ifma`]).
    RowIfma,
    /// Decimated Horner in radix 2^26, a block per lane, with one carry chain for `g` rows (papers 000, 001, 003).
    /// For `g` of 1, 2, 3, 4 or 8 and messages of more blocks than the machine has lanes.
    Horner {
        /// Rows per carry chain, the papers' delayed reduction.
        g: usize,
    },
    /// The same in radix 2^44 with 52-bit multiply-add, on machines that have it ([`Cpu::has_ifma`]).
    HornerIfma {
        /// Rows per carry chain.
        g: usize,
    },
    /// The layout of papers 000 and 003: two limbs in a lane, `lambda` rows per reduction, and a first product without
    /// zeros where the first row has few blocks. For `lambda` of 1 to 3, machines that move 32-bit halves across lanes,
    /// and messages of more blocks than the machine has lanes.
    Packed {
        /// Rows per reduction.
        lambda: usize,
    },
    /// A table of powers in radix 2^26 against the message in radix 2^32. For messages of at least as many blocks as
    /// the machine has lanes.
    Window,
}

impl core::fmt::Display for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Plan::Words => f.write_str("64-bit words, block by block"),
            Plan::GroupedWords { g } => write!(f, "64-bit words, a carry for {g} blocks"),
            Plan::Row => f.write_str("one row, radix 2^26"),
            Plan::RowIfma => f.write_str("one row, radix 2^44"),
            Plan::Horner { g } => write!(f, "decimated Horner, radix 2^26, g = {g}"),
            Plan::HornerIfma { g } => write!(f, "decimated Horner, radix 2^44, g = {g}"),
            Plan::Packed { lambda } => write!(f, "two limbs in a lane, lambda = {lambda}"),
            Plan::Window => f.write_str("window of two radices, table of key powers"),
        }
    }
}

/// The error of a plan that does not fit the message or the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanMismatch;

impl core::fmt::Display for PlanMismatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("this plan does not serve a message of this length on this machine")
    }
}

impl core::error::Error for PlanMismatch {}

impl Plan {
    /// Every plan that serves messages of `len` bytes on `cpu`.
    pub fn all(cpu: Cpu, len: usize) -> impl Iterator<Item = Plan> {
        let known = [
            Plan::Words,
            Plan::GroupedWords { g: 1 },
            Plan::GroupedWords { g: 4 },
            Plan::GroupedWords { g: 8 },
            Plan::GroupedWords { g: 16 },
            Plan::GroupedWords { g: 32 },
            Plan::Row,
            Plan::RowIfma,
            Plan::Horner { g: 1 },
            Plan::Horner { g: 2 },
            Plan::Horner { g: 3 },
            Plan::Horner { g: 4 },
            Plan::Horner { g: 8 },
            Plan::HornerIfma { g: 1 },
            Plan::HornerIfma { g: 2 },
            Plan::HornerIfma { g: 3 },
            Plan::HornerIfma { g: 4 },
            Plan::HornerIfma { g: 8 },
            Plan::Packed { lambda: 1 },
            Plan::Packed { lambda: 2 },
            Plan::Packed { lambda: 3 },
            Plan::Window,
        ];
        known.into_iter().filter(move |plan| plan.serves(cpu, len))
    }

    /// Whether this plan serves messages of `len` bytes on `cpu`.
    #[must_use]
    pub fn serves(self, cpu: Cpu, len: usize) -> bool {
        let (blocks, lanes) = (len.div_ceil(16), cpu.lanes());
        if !matches!(self, Plan::Words | Plan::GroupedWords { .. }) && !compiled_for(cpu) {
            return false;
        }
        match self {
            Plan::Words => true,
            Plan::GroupedWords { g } => ALL_KERNELS && WORD_GROUPS.contains(&g),
            Plan::Row => ALL_KERNELS && (1..=lanes).contains(&blocks),
            Plan::RowIfma => ALL_KERNELS && (1..=lanes).contains(&blocks) && cpu.has_ifma(),
            Plan::Horner { g } => has(rows_on(lanes, ROWS_1305), g) && blocks > lanes,
            Plan::HornerIfma { g } => {
                has(rows_on(lanes, ROWS_1305_IFMA), g) && blocks > lanes && cpu.has_ifma()
            }
            #[cfg(not(any(feature = "plans", test)))]
            Plan::Packed { .. } => false,
            #[cfg(any(feature = "plans", test))]
            Plan::Packed { lambda } => {
                (1..=MAX_LAMBDA).contains(&lambda) && blocks > lanes && cpu.has_shuffle32()
            }
            Plan::Window => blocks >= lanes,
        }
    }

    /// The value of `msg` by this plan.
    pub(crate) fn evaluate(self, point: &Point, cpu: Cpu, msg: &[u8]) -> Result<Element, PlanMismatch> {
        if !self.serves(cpu, msg.len()) {
            return Err(PlanMismatch);
        }
        self.evaluate_at(point, point.base(), cpu, msg)
    }

    /// The same with the powers of the point as `powers` has them, for a message that the plan serves.
    pub(crate) fn evaluate_at<P: Powers<Element = Element>>(
        self,
        point: &Point,
        powers: &P,
        cpu: Cpu,
        msg: &[u8],
    ) -> Result<Element, PlanMismatch>
    where
        for<'a> Horner<'a, P>: Kernel<Out = Element> + IfmaKernel<Out = Element>,
    {
        let horner = |g| Horner { point: powers, h: Element::ZERO, msg, g };
        Ok(match self {
            Plan::Words => point.words(Element::ZERO, msg),
            Plan::Horner { g } => call(cpu, horner(g)),
            Plan::HornerIfma { g } => call_ifma(cpu, horner(g)),
            Plan::Window => {
                let mut table = Table::EMPTY;
                call(cpu, Prepare { point: point.base(), table: &mut table });
                call(cpu, Window { table: &table, h: None, msg })
            }
            #[cfg(not(any(feature = "plans", test)))]
            Plan::Packed { .. } | Plan::GroupedWords { .. } | Plan::Row | Plan::RowIfma => {
                return Err(PlanMismatch);
            }
            #[cfg(any(feature = "plans", test))]
            Plan::Packed { lambda } => {
                let kernel = Packed { point: point.base(), h: Element::ZERO, msg, lambda };
                cpu.call_shuffle(kernel).ok_or(PlanMismatch)?
            }
            #[cfg(any(feature = "plans", test))]
            Plan::GroupedWords { g } => {
                grouped(Element::WORDS, (point.tau(), powers.ready()), Element::ZERO, msg, g)
            }
            #[cfg(any(feature = "plans", test))]
            Plan::Row => call(cpu, OneRow { point: powers, msg }),
            #[cfg(any(feature = "plans", test))]
            Plan::RowIfma => call_ifma(cpu, OneRow { point: powers, msg }),
        })
    }
}

/// Whether kernels in lanes are compiled for this machine.
pub(crate) fn compiled_for(cpu: Cpu) -> bool {
    ALL_KERNELS || !matches!(cpu, Cpu::Portable(_))
}

/// Whether a set of rows per carry chain has g.
pub(crate) fn has(rows: u32, g: usize) -> bool {
    GROUPS.contains(&g) && rows >> g & 1 == 1
}

/// Runs a kernel in lanes; on the portable machine only where all kernels are compiled.
#[inline]
pub(crate) fn call<K: Kernel>(cpu: Cpu, kernel: K) -> K::Out {
    #[cfg(any(feature = "plans", test))]
    if let Cpu::Portable(machine) = cpu {
        return machine.call(kernel);
    }
    cpu.call_without_ifma(kernel, words_only)
}

/// The same for a kernel that needs 52-bit multiply-add, on a machine that has it.
#[inline]
pub(crate) fn call_ifma<O, K>(cpu: Cpu, kernel: K) -> O
where
    K: Kernel<Out = O> + IfmaKernel<Out = O>,
{
    #[cfg(any(feature = "plans", test))]
    if let Cpu::Portable(machine) = cpu {
        return machine.call_ifma(kernel);
    }
    cpu.call_vectors(kernel, words_only)
}
