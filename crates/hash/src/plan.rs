//! Kernels by name, for measurements, tests and reproducing papers. All other calls dispatch by length.
#[cfg(any(feature = "plans", test))]
use crate::blocks::BLOCK;
use crate::choose::{ALL_KERNELS, ROWS_1305, ROWS_1305_IFMA, rows_on};
use crate::evaluate::{Point, words_only};
#[cfg(any(feature = "plans", test))]
use crate::field::Field;
use crate::field::Powers;
use crate::field1305::element::Element;
#[cfg(any(feature = "plans", test))]
use crate::field1305::packed_rows::{GollGueron, Packed, Work};
use crate::field1305::window::{Prepare, Table, Window};
use crate::horner::{GROUPS, Horner, WORD_GROUPS};
#[cfg(any(feature = "plans", test))]
use crate::horner::{OneRow, grouped};
#[cfg(any(feature = "plans", test))]
use carryless_lanes::Machine as _;
use carryless_lanes::{Cpu, IfmaKernel, Kernel};

/// The most rows that may share a reduction in the layout of papers 000 and 003. The papers themselves use up to
/// three.
pub(crate) const MAX_LAMBDA: usize = 4;

/// A kernel for the polynomial, by name. All kernels give the same digest.
///
/// Without the feature `plans` only the kernels that the library selects itself are compiled, and the others
/// [serve](Plan::serves) no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Plan {
    /// 64-bit words, one block at a time (any length).
    Words,
    /// 64-bit words with one carry for `g` blocks, 1, 4, 8, 16 or 32 (paper 001's `maax` code; any length).
    GroupedWords {
        /// Blocks that share one carry: 1, 4, 8, 16 or 32.
        g: usize,
    },
    /// One row in radix 2^26, zero blocks in front. For messages of 1 to as many blocks as the machine has lanes.
    Row,
    /// [`Row`](Plan::Row) in radix 2^44 with 52-bit multiply-add, on machines that have it ([`Cpu::has_ifma`]).
    RowIfma,
    /// Decimated Horner in radix 2^26, a block per lane, with one carry chain for `g` rows (papers 000, 001, 003).
    /// For `g` of 1, 2, 3, 4 or 8 and messages of more blocks than the machine has lanes.
    Horner {
        /// Rows per carry chain, the papers' delayed reduction.
        g: usize,
    },
    /// [`Horner`](Plan::Horner) in radix 2^44 with 52-bit multiply-add, on machines that have it
    /// ([`Cpu::has_ifma`]).
    HornerIfma {
        /// Rows of N blocks that share one carry chain: 1, 2, 3, 4 or 8.
        g: usize,
    },
    /// [`Horner`](Plan::Horner) for whole rows and then, without zero blocks in front, [`Words`](Plan::Words) for what is
    /// left (paper 001, section 5.1). For messages of at least two whole rows.
    HornerTail {
        /// Rows of N blocks that share one carry chain: 1, 2, 3, 4 or 8.
        g: usize,
    },
    /// The layout of papers 000 and 003, two limbs in a lane, and their algorithm: zero blocks in front of the message, so
    /// that every row is whole (003, Algorithm 2). For `lambda` of 1 to 4, machines that move 32-bit halves across lanes,
    /// and messages that are not empty.
    Packed {
        /// Rows per reduction, the papers' lazy reduction ([`lambda_of_papers`]).
        lambda: usize,
        /// How the first row is multiplied.
        first: FirstProduct,
    },
    /// The layout of [`Packed`](Plan::Packed) with Goll and Gueron's algorithm: whole rows and then a tail (003,
    /// Algorithm 1). For the same machines and messages.
    GollGueron {
        /// Rows that share one reduction, 1 to 4: the lambda of paper 003.
        lambda: usize,
        /// How the bytes after the last whole row are absorbed.
        tail: Tail,
    },
    /// A table of powers in radix 2^26 against the message in radix 2^32. For messages of at least as many blocks as
    /// the machine has lanes.
    Window,
}

/// How [`Plan::Packed`] multiplies the first row, where rho of its N blocks are not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FirstProduct {
    /// As every other row: 25 multiplications of vectors.
    Usual,
    /// Without most of the multiplications by zero, where at most half of the row is in use: 7 and 13 of them for
    /// rho = 1 and 2 on four lanes (000, section 4.4; 003, section 4.1), 4, 7, 13 and 13 for rho = 1 to 4 on eight.
    /// For any other rho it is [`Usual`](FirstProduct::Usual), as in the papers.
    InRegisters,
    /// With the fewest multiplications, ceil(25 rho / N), for any rho. Where rho is not a power of two the moves go
    /// through memory, which makes it slower than the usual product.
    Fewest,
}

impl FirstProduct {
    /// All three choices of the first product.
    pub const ALL: [FirstProduct; 3] = [FirstProduct::Usual, FirstProduct::InRegisters, FirstProduct::Fewest];
}

/// How [`Plan::GollGueron`] absorbs the bytes after the last whole row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tail {
    /// In lanes, in parts of N/2, N/4, .. 1 blocks and the short one, each packed anew (000, section 3.3). Four
    /// lanes take up to 3 parts, eight up to 4.
    Lanes,
    /// In 64-bit words, block by block, as 003 (section 5) describes its reference \[7\].
    Words,
}

impl Tail {
    /// Both choices of the tail.
    pub const ALL: [Tail; 2] = [Tail::Lanes, Tail::Words];
}

/// The number of rows per reduction in the papers, for a message of `len` bytes: 1, and from 832 bytes on 3. The
/// last group has 1 or 2 where 3 does not divide the number of rows after the first (003, sections 3.2 and 4.2).
#[must_use]
pub const fn lambda_of_papers(len: usize) -> usize {
    if len < 832 { 1 } else { 3 }
}

impl core::fmt::Display for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Plan::Words => f.write_str("64-bit words, block by block"),
            Plan::GroupedWords { g } => write!(f, "64-bit words, a carry for {g} blocks"),
            Plan::Row => f.write_str("one row, radix 2^26"),
            Plan::RowIfma => f.write_str("one row, radix 2^44"),
            Plan::Horner { g } => write!(f, "decimated Horner, radix 2^26, g = {g}"),
            Plan::HornerIfma { g } => write!(f, "decimated Horner, radix 2^44, g = {g}"),
            Plan::HornerTail { g } => write!(f, "decimated Horner, radix 2^26, g = {g}, a tail in words"),
            Plan::Packed { lambda, first } => {
                let first = match first {
                    FirstProduct::Usual => "the usual first product",
                    FirstProduct::InRegisters => "a first product in registers",
                    FirstProduct::Fewest => "the first product with the fewest multiplications",
                };
                write!(f, "two limbs in a lane, lambda = {lambda}, {first}")
            }
            Plan::GollGueron { lambda, tail } => {
                let tail = if tail == Tail::Lanes { "lanes" } else { "words" };
                write!(f, "two limbs in a lane, lambda = {lambda}, a tail in {tail}")
            }
            Plan::Window => f.write_str("window of two radices, table of key powers"),
        }
    }
}

/// The error of a plan that does not fit the length of the message or the machine.
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
        let words = WORD_GROUPS.into_iter().map(|g| Plan::GroupedWords { g });
        let rows = GROUPS
            .into_iter()
            .flat_map(|g| [Plan::Horner { g }, Plan::HornerIfma { g }, Plan::HornerTail { g }]);
        let packed = (1..=MAX_LAMBDA).flat_map(|lambda| {
            let balanced = FirstProduct::ALL.map(|first| Plan::Packed { lambda, first });
            balanced.into_iter().chain(Tail::ALL.map(|tail| Plan::GollGueron { lambda, tail }))
        });
        let known = [Plan::Words, Plan::Row, Plan::RowIfma, Plan::Window]
            .into_iter()
            .chain(words)
            .chain(rows)
            .chain(packed);
        known.filter(move |plan| plan.serves(cpu, len))
    }

    /// True if this plan serves messages of `len` bytes on `cpu`.
    #[must_use]
    pub fn serves(self, cpu: Cpu, len: usize) -> bool {
        // Everything here depends on the plan, the length and the CPU, so a mismatch says nothing about key or
        // message.
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
            Plan::HornerTail { .. } | Plan::Packed { .. } | Plan::GollGueron { .. } => false,
            #[cfg(any(feature = "plans", test))]
            Plan::HornerTail { g } => has(rows_on(lanes, ROWS_1305), g) && len >= 2 * lanes * BLOCK,
            #[cfg(any(feature = "plans", test))]
            Plan::Packed { lambda, .. } | Plan::GollGueron { lambda, .. } => {
                (1..=MAX_LAMBDA).contains(&lambda) && len > 0 && cpu.has_shuffle32()
            }
            Plan::Window => blocks >= lanes,
        }
    }

    /// Evaluates `msg` by this plan. The result is below 2p.
    pub(crate) fn evaluate(self, point: &Point, cpu: Cpu, msg: &[u8]) -> Result<Element, PlanMismatch> {
        if !self.serves(cpu, msg.len()) {
            return Err(PlanMismatch);
        }
        self.evaluate_at(point, point.base(), cpu, msg)
    }

    /// Evaluates `msg`, which the plan must serve, with the powers of the point taken from `powers`.
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
        #[cfg(any(feature = "plans", test))]
        let work = |lambda| Work { point: point.base(), h: Element::ZERO, msg, lambda };
        Ok(match self {
            Plan::Words => point.words(Element::ZERO, msg),
            Plan::Horner { g } => call(cpu, horner(g)),
            Plan::HornerIfma { g } => call_ifma(cpu, horner(g)),
            #[cfg(any(feature = "plans", test))]
            Plan::HornerTail { g } => {
                let (rows, tail) = whole_rows(cpu, msg);
                point.words(call(cpu, Horner { msg: rows, ..horner(g) }), tail)
            }
            #[cfg(any(feature = "plans", test))]
            Plan::Packed { lambda, first } => {
                cpu.call_shuffle(Packed(work(lambda), first)).ok_or(PlanMismatch)?
            }
            #[cfg(any(feature = "plans", test))]
            Plan::GollGueron { lambda, tail: Tail::Lanes } => {
                cpu.call_shuffle(GollGueron(work(lambda))).ok_or(PlanMismatch)?
            }
            #[cfg(any(feature = "plans", test))]
            Plan::GollGueron { lambda, tail: Tail::Words } => {
                let (rows, tail) = whole_rows(cpu, msg);
                let kernel = GollGueron(Work { msg: rows, ..work(lambda) });
                point.words(cpu.call_shuffle(kernel).ok_or(PlanMismatch)?, tail)
            }
            Plan::Window => {
                // A plan is measured with its precomputation, as a single message pays for it; `PlannedKey`
                // measures without.
                let mut table = Table::EMPTY;
                call(cpu, Prepare { point: point.base(), table: &mut table });
                call(cpu, Window { table: &table, h: None, msg })
            }
            #[cfg(not(any(feature = "plans", test)))]
            Plan::GroupedWords { .. }
            | Plan::Row
            | Plan::RowIfma
            | Plan::HornerTail { .. }
            | Plan::Packed { .. }
            | Plan::GollGueron { .. } => return Err(PlanMismatch),
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

/// Splits a message into whole rows and the rest.
#[cfg(any(feature = "plans", test))]
fn whole_rows(cpu: Cpu, msg: &[u8]) -> (&[u8], &[u8]) {
    msg.split_at(msg.len() - msg.len() % (cpu.lanes() * BLOCK))
}

/// True if kernels in lanes are compiled for this machine.
pub(crate) fn compiled_for(cpu: Cpu) -> bool {
    ALL_KERNELS || !matches!(cpu, Cpu::Portable(_))
}

/// True if bit g of `rows` is set for a known g.
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

/// Runs a kernel that needs 52-bit multiply-add, on a machine that has it.
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
