//! BRW polynomials in lanes, and c-decBRWHash on top (paper 001, sections 2.2, 3 and 4.5).
//!
//! ```text
//! BRW() = 0    BRW(M1) = M1    BRW(M1, M2) = M1 x + M2    BRW(M1, M2, M3) = (x + M1)(x^2 + M2) + M3
//! BRW(M1 .. Ml) = BRW(M1 .. M(2^r - 1)) (x^(2^r) + M(2^r)) + BRW(M(2^r + 1) .. Ml),    2^r <= l < 2^(r+1)
//! ```
//!
//! A block costs half a product instead of Horner's one: a factor x^(2^r) + M(2^r) absorbs a block by an addition,
//! where Horner's rule has only the key. Of these l / 2 products only l / 4 need a reduction of their own, because
//! sums of products are reduced as one. The price is that both factors depend on the message. So no multiples of a
//! factor can be prepared, and there is no window. Half the products are not half the operations, as cutting blocks
//! into limbs and adding powers stay. In radix 2^26 a byte of a long message takes 0.78 operations on four lanes and
//! 0.39 on eight; polyHash takes 1.07 by Horner's rule with g = 4 on four lanes, and 0.80 and 0.47 by the window.
//!
//! c-decBRWHash deals the blocks to c streams, n rows of c blocks. It joins the values Q_1 .. Q_c of the streams with
//! the length L in bits (blocks are padded with zeros only):
//!
//! ```text
//! tau (tau (Q_1 D^(c-1) + ... + Q_c) + L) = Q_1 tau^2 D^(c-1) + ... + Q_c tau^2 + L tau,    D = tau^(2^(floor(lg n) + 1))
//! ```
//!
//! So after the last block each stream is multiplied by its own power in its own lane, as in `horner`: one product,
//! instead of c + 1 in sequence. A backend of N lanes takes N streams at a time, 64-bit words take one. The sums of
//! the lanes are then digits to the base D^N, which Horner's rule joins.
//!
//! D = tau^d has a d above the degree of every Q_i, so no two streams share a power of tau. A nonzero difference of
//! two messages of l blocks therefore has a degree of at most 2l + 2c + 1, which is the numerator of `AxuBound`: the
//! degree of BRW, 2^(floor(lg n) + 1) - 1, moved up by the streams and by tau^2.
//!
//! | file | contents |
//! |---|---|
//! | `algorithm1`, `leaf` | the stack of Algorithm 1, and BRW values of 2^t - 1 rows |
//! | `pairs` | half as many streams as lanes |
//! | `rows`, `powers`, `ready` | where blocks lie, squares of tau, powers kept for many messages |
//! | `dec`, `few_rows`, `short` | the kernel of c-decBRWHash, and short messages in lanes and in words |
//! | `stream`, `before`, `levels`, `segment` | messages in pieces and in parts |
//! | `evaluate`, `choice` | dispatch |
pub(crate) mod algorithm1;
mod choice;
mod dec;
mod evaluate;
pub(crate) mod few_rows;
pub(crate) mod leaf;
mod levels;
#[cfg(test)]
mod long;
pub(crate) mod pairs;
pub(crate) mod powers;
pub(crate) mod ready;
pub(crate) mod rows;
mod saved_stack;
mod segment;
pub(crate) mod short;
pub(crate) mod stream;

pub use choice::{Layout, Params, Streams, UnknownStreams};
pub(crate) use dec::{DecBrw, Size};
pub(crate) use evaluate::{Prepared, Stream, absorb, best, value};
pub(crate) use few_rows::FewRows;
pub(crate) use segment::Part;
