//! Kernels by name, for measurements, tests and reproducing papers. [`dispatch`](crate::eval::dispatch) runs them. All
//! other calls choose a kernel by length.
#[cfg(doc)]
use carryless_lanes::Cpu;

/// The most rows that may share a reduction in the layout of papers 000 and 003. The papers themselves use up to three.
pub(crate) const MAX_LAMBDA: usize = 4;

/// The numbers of blocks that may share one carry in 64-bit words, as in paper 001.
pub(crate) const WORD_GROUPS: [usize; 5] = [1, 4, 8, 16, WORD_GROUPS_MOST];

/// The largest entry of [`WORD_GROUPS`], in blocks per carry.
pub(crate) const WORD_GROUPS_MOST: usize = 32;

/// A kernel for the polynomial, by name. All kernels give the same digest.
///
/// Without the feature `research-kernels` only the kernels that the library selects itself are compiled, and
/// the others [serve](Plan::serves) no message.
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
    /// One row in radix 2^26, zero blocks in front. For messages of 1 to as many blocks as the backend has lanes.
    Row,
    /// [`Row`](Plan::Row) in radix 2^44 with 52-bit multiply-add, on backends that have it ([`Cpu::has_ifma`]).
    RowIfma,
    /// Decimated Horner in radix 2^26, a block per lane, with one carry chain for `g` rows (papers 000, 001, 003).
    /// For `g` of 1, 2, 3, 4 or 8 and messages of more blocks than the backend has lanes.
    Horner {
        /// Rows per carry chain, the papers' delayed reduction.
        g: usize,
    },
    /// [`Horner`](Plan::Horner) in radix 2^44 with 52-bit multiply-add, on backends that have it ([`Cpu::has_ifma`]).
    HornerIfma {
        /// Rows of N blocks that share one carry chain: 1, 2, 3, 4, 8 or 16. Products of groups
        /// of 16 rows are Karatsuba's.
        g: usize,
    },
    /// [`Horner`](Plan::Horner) for whole rows and then, without zero blocks in front, [`Words`](Plan::Words) for what is
    /// left (paper 001, section 5.1). For messages of at least two whole rows.
    HornerTail {
        /// Rows of N blocks that share one carry chain: 1, 2, 3, 4 or 8.
        g: usize,
    },
    /// The layout of papers 000 and 003, two limbs in a lane, and their algorithm: zero blocks in front of the message, so
    /// that every row is whole (003, Algorithm 2). For `lambda` of 1 to 4, backends that move 32-bit halves across lanes,
    /// and messages that are not empty.
    Packed {
        /// Rows per reduction, the papers' lazy reduction ([`lambda_of_papers`]).
        lambda: usize,
        /// How the first row is multiplied.
        first: FirstProduct,
    },
    /// The layout of [`Packed`](Plan::Packed) with Goll and Gueron's algorithm: whole rows and then a tail (003,
    /// Algorithm 1). For the same backends and messages.
    GollGueron {
        /// Rows that share one reduction, 1 to 4: the lambda of paper 003.
        lambda: usize,
        /// How the bytes after the last whole row are absorbed.
        tail: Tail,
    },
    /// A table of powers in radix 2^26 against the message in radix 2^32. For messages of at least as many blocks
    /// as the backend has lanes.
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

/// The error of a plan that does not fit the length of the message or the backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanMismatch;

impl core::fmt::Display for PlanMismatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("this plan does not serve a message of this length on this backend")
    }
}

impl core::error::Error for PlanMismatch {}
