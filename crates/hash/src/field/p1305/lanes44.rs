//! Three limbs of radix 2^44 modulo 2^130 - 5, one element per lane, for backends that multiply 52-bit limbs.
//!
//! The multiply-adds are those of [`limbs52`](crate::field::limbs52). With columns L_k and H_k of the low and the high halves
//! of products of weight 2^(44 k),
//!
//! ```text
//! value = sum of 2^(44 k) L_k + 2^(44 (k + 1)) 2^8 H_k,    2^132 = 20 (mod p)
//! ```
//!
//! Limbs of carried elements are below 2^44 + 2^27, 2^44 + 2^17 and 2^42 + 2^17; with a message block added, below 2^46.
use super::element::{Element, Row};
use super::word44;
use crate::base::block_rows::{but_last_block, from_block};
use crate::base::loads16 as loads;
use crate::field::groups::{LongGroups, OneRow};
use crate::field::lane_sums;
use crate::field::limbs52::karatsuba::{self, long_groups};
pub(crate) use crate::field::limbs52::*;
use crate::field::one_lane::SCALAR;
use crate::field::{Field, LaneField};
use carryless_lanes::{Ifma, Words};

/// Arithmetic in radix 2^44 on backend `S`.
#[derive(Clone, Copy)]
pub(crate) struct Radix44<S>(pub(crate) S);

three_limbs!(
    Radix44, Element, loads, pad 40, limbs44, Key44::new, carry, join, cut, in_lanes, fold, loose same, loose44
);

impl<S: Ifma> OneRow for Radix44<S> {
    #[inline(always)]
    fn only_row(self, msg: &[u8]) -> Fe44<S> {
        let (s, empty) = (self.0, S::N - msg.len().div_ceil(Element::BLOCK));
        let pads = from_block(s, 1 << 40, empty);
        if msg.len().is_multiple_of(Element::BLOCK) {
            self.padded(loads::first(s, msg), pads)
        } else {
            self.padded(loads::short_end(s, msg), s.select(pads, but_last_block(s, u64::MAX)))
        }
    }
}

long_groups!(Radix44, BIASES, carry_differences);

/// Key powers computed in words already have limbs of 44 bits: nothing to convert.
#[inline(always)]
fn same<S: Words>(_: S, element: [S::W; 3]) -> [S::W; 3] {
    element
}

/// Carries limbs of [`carry`] once more, to the bounds that products in words need.
#[inline(always)]
fn loose44<S: Words>(s: S, [h0, h1, h2]: [S::W; 3]) -> [S::W; 3] {
    // Limb 0 may have 45 bits here, one more than products in words allow.
    word44::carry(s, [s.widen(h0), s.widen(h1), s.widen(h2)])
}

impl<S: Ifma> Key44<S> {
    /// A multiplier per lane. The limbs of `r` must be below 2^47, so that 20 r fits the 52 bits that are multiplied.
    #[inline(always)]
    pub(crate) fn new(s: S, r: Fe44<S>) -> Self {
        // 20 r0 is never needed: a product by r0 stays within the three columns.
        Key44 { r, s: [times20(s, r[1]), times20(s, r[2])] }
    }
}

/// Joins both halves to columns of 64 bits, then carries out of all three at once. 6 shifts, 6 sums, 3
/// masks, a multiply-add, no branch.
#[inline(always)]
pub(crate) fn carry<S: Ifma>(s: S, d: Sums<S>) -> Fe44<S> {
    carry_columns(s, join(s, d))
}

/// Carries out of all three columns at once. One round suffices: columns stay below 2^63, so that a limb
/// grows by less than 2^22.
#[inline(always)]
fn carry_columns<S: Ifma>(s: S, [d0, d1, d2]: Fe44<S>) -> Fe44<S> {
    let (c0, c1, c2) = (s.shr(d0, 44), s.shr(d1, 44), s.shr(d2, 42));
    // Limb 2 keeps 42 bits; bits above are multiples of 2^130 = 5.
    [
        s.madd52lo(s.low_bits(d0, 44), c2, s.splat(5)),
        s.add(s.low_bits(d1, 44), c0),
        s.add(s.low_bits(d2, 42), c1),
    ]
}

/// Joins the low and the high halves of each column, not carried.
#[inline(always)]
pub(crate) fn join<S: Ifma>(s: S, d: Sums<S>) -> Fe44<S> {
    let (low, high) = (d.low, d.high);
    // The high halves of column 2 wrap: 2^132 2^8 = 20 2^8 = 2^12 + 2^10. Two shifts take two cycles fewer than a
    // multiply-add. `settle` keeps LLVM from making one multiplication of them.
    let d0 = s.settle(s.add(low[0], s.shl(high[2], 12)));
    [s.add(d0, s.shl(high[2], 10)), s.add(low[1], s.shl(high[0], 8)), s.add(low[2], s.shl(high[1], 8))]
}

/// The biases of the low halves in [`karatsuba`]. Sum of 2^(44 i) (BIASES_i + 2^52 HIGH_BIAS), i = 1 to 3, is 0 (mod p).
pub(crate) const BIASES: [u64; 3] = [0x0200_0fff_fffd_57fb, 0x0200_0fff_ffff_b7ff, 0x0200_03ff_ffff_ddff];

/// [`carry`] of sums by [`karatsuba`]: the upper three columns wrap times 20.
#[inline(always)]
fn carry_differences<S: Ifma>(s: S, d: karatsuba::Sums<S>) -> Fe44<S> {
    let ([d0, d1, d2, d3, d4, d5], plus) = (karatsuba::columns(s, &d, 8), d.plus);
    // Columns 3 to 5 have the weights 2^132, 2^176 and 2^220; 2^132 = 20 moves each down by three.
    let wrapped = [add_times20(s, d0, d3), add_times20(s, d1, d4), add_times20(s, d2, d5)];
    carry_columns(s, add(s, wrapped, plus))
}

/// a + 20 x as a + 16 x + 4 x. `settle` keeps LLVM from making one multiplication of both shifts.
#[inline(always)]
fn add_times20<S: Ifma>(s: S, a: S::V, x: S::V) -> S::V {
    s.add(s.settle(s.add(a, s.shl(x, 4))), s.shl(x, 2))
}

/// 20 x, for x below 2^47.
#[inline(always)]
fn times20<S: Ifma>(s: S, x: S::V) -> S::V {
    s.mul52(x, s.splat(20))
}

/// Cuts N numbers of 128 bits, in memory order in two vectors, into limbs of 44, 44 and 40 bits.
#[inline(always)]
fn cut<S: Ifma>(s: S, a: S::V, b: S::V) -> Fe44<S> {
    // Words of 64 bits to limbs of 44, 44 and 40 bits: bits 44 .. 87 of the block straddle both words.
    let (low, high) = (s.unpack_lo(a, b), s.unpack_hi(a, b));
    let middle = s.straddle(low, high, 44, 44);
    [s.low_bits(low, 44), middle, s.shr(high, 24)]
}

/// Element b in the lane of block b, for b < N.
#[inline(always)]
pub(crate) fn in_lanes<S: Ifma>(s: S, elements: &[Element; 8]) -> Fe44<S> {
    row_in_lanes(s, &Row::new(elements, S::N))
}

/// Cuts the elements of a row into limbs, the top word at 2^128 included.
#[inline(always)]
pub(crate) fn row_in_lanes<S: Ifma>(s: S, row: &Row) -> Fe44<S> {
    let [r0, r1, r2] = cut(s, s.load_words(&row.words), s.load_words(&row.words[S::N..]));
    // Limb 2 begins at bit 88, so the word at 2^128 goes to its bit 40.
    [r0, r1, s.concat(r2, s.shl(s.load_words(&row.tops), 40))]
}

/// The sum of the first `n` lanes of joined columns that [`store_pairs`](lane_sums::store_pairs) wrote, and of `more`, in
/// three words of radix 2^64 with w2 at most 4.
#[inline(always)]
pub(crate) fn fold<W: Words>(s: W, pairs: &[[u64; 8]; 2], n: usize, more: Option<[u64; 3]>) -> [W::W; 3] {
    // Sums of 8 lanes stay below 2^64, so the carry needs no 128-bit words.
    let [d0, d1, d2] = lane_sums::sum(s, pairs, n, more);
    let d1 = s.add_word(d1, s.shr(d0, 44));
    let d2 = s.add_word(d2, s.shr(d1, 44));
    // Bits above 2^130 come back times 5. `pack` carries on from limb 0.
    let over = s.shr(d2, 42);
    let d0 = s.add_word(s.low_bits(d0, 44), s.add_word(over, s.shl(over, 2)));
    word44::pack(s, [d0, s.low_bits(d1, 44), s.low_bits(d2, 42)])
}
