//! Three limbs of radix 2^43 modulo 2^127 - 1, one element per lane, for backends that multiply 52-bit limbs.
//!
//! The multiply-adds are those of [`limbs52`](crate::field::limbs52). With columns L_k and H_k of
//! the low and the high halves of products of weight 2^(43 k),
//!
//! ```text
//! value = sum of 2^(43 k) L_k + 2^(43 (k + 1)) 2^9 H_k,    2^129 = 4 (mod p)
//! ```
//!
//! Limbs of carried elements are below 2^43 + 2^21, 2^43 + 2^18 and 2^41 + 2^19; with a block added, below 2^45.
use super::element::{self, Element, limbs43, pack43};
use crate::base::block_rows::{but_last_block, from_block};
use crate::base::loads15 as loads;
use crate::field::groups::LongGroups;
use crate::field::lane_sums;
use crate::field::limbs52::karatsuba::{self, long_groups};
use crate::field::limbs52::{Fe44, Key44, Sums, add, three_limbs};
use crate::field::one_lane::SCALAR;
use crate::field::{Field, LaneField};
use carryless_lanes::{Ifma, Words};

/// Arithmetic in radix 2^43 on backend `S`.
#[derive(Clone, Copy)]
pub(crate) struct Radix43<S>(pub(crate) S);

three_limbs!(
    Radix43, Element, loads, pad 34, limbs43, key, carry, join, cut, in_lanes, fold, loose limbs43, pack43
);

long_groups!(Radix43, BIASES, carry_differences);

/// A multiplier per lane. The limbs of `r` must be below 2^50, so that 4 r fits the 52 bits that are multiplied.
#[inline(always)]
fn key<S: Ifma>(s: S, r: Fe44<S>) -> Key44<S> {
    // 2^129 = 4: one shift for a limb, where radix 2^44 needs 20 r.
    Key44 { r, s: [s.shl(r[1], 2), s.shl(r[2], 2)] }
}

/// The biases of the low halves in [`karatsuba`]. Sum of 2^(43 i) (BIASES_i + 2^52 HIGH_BIAS), i = 1 to 3, is 0 (mod p).
pub(crate) const BIASES: [u64; 3] = [0x0200_07ff_fffe_dfff, 0x0200_07ff_ffff_9fff, 0x0200_01ff_ffff_b7ff];

/// [`carry`] of sums by [`karatsuba`]: the upper three columns wrap times 4.
#[inline(always)]
fn carry_differences<S: Ifma>(s: S, d: karatsuba::Sums<S>) -> Fe44<S> {
    let ([d0, d1, d2, d3, d4, d5], plus) = (karatsuba::columns(s, &d, 9), d.plus);
    // Columns 3 to 5 have the weights 2^129, 2^172 and 2^215; 2^129 = 4 moves each down by three.
    let wrapped = [s.add(d0, s.shl(d3, 2)), s.add(d1, s.shl(d4, 2)), s.add(d2, s.shl(d5, 2))];
    carry_columns(s, add(s, wrapped, plus))
}

/// Joins both halves to columns of 64 bits, then carries out of all three at once. 6 shifts, 6 sums, 3 masks: no
/// multiplication, because 2^129 = 4 is a power of two.
#[inline(always)]
pub(crate) fn carry<S: Ifma>(s: S, d: Sums<S>) -> Fe44<S> {
    carry_columns(s, join(s, d))
}

/// Carries out of all three columns at once.
#[inline(always)]
fn carry_columns<S: Ifma>(s: S, [d0, d1, d2]: Fe44<S>) -> Fe44<S> {
    // Limb 2 keeps 41 bits, since 43 + 43 + 41 = 127. One round suffices: columns stay below 2^63, so that a limb
    // grows by less than 2^22.
    let (c0, c1, c2) = (s.shr(d0, 43), s.shr(d1, 43), s.shr(d2, 41));
    [s.add(s.low_bits(d0, 43), c2), s.add(s.low_bits(d1, 43), c0), s.add(s.low_bits(d2, 41), c1)]
}

/// Joins the low and the high halves of each column, not carried.
#[inline(always)]
fn join<S: Ifma>(s: S, d: Sums<S>) -> Fe44<S> {
    let (low, high) = (d.low, d.high);
    // The high halves of column 2 wrap: 2^129 2^9 = 4 2^9 = 2^11 (mod p).
    [s.add(low[0], s.shl(high[2], 11)), s.add(low[1], s.shl(high[0], 9)), s.add(low[2], s.shl(high[1], 9))]
}

/// Cuts N numbers of 128 bits, in memory order in two vectors, into limbs of 43, 43 and 42 bits.
#[inline(always)]
fn cut<S: Ifma>(s: S, a: S::V, b: S::V) -> Fe44<S> {
    let (low, high) = (s.unpack_lo(a, b), s.unpack_hi(a, b));
    // All 42 upper bits are kept: an element below 2p may have bit 127 set.
    let middle = s.straddle(low, high, 43, 43);
    [s.low_bits(low, 43), middle, s.shr(high, 22)]
}

/// Element b in the lane of block b, for b < N.
#[inline(always)]
pub(crate) fn in_lanes<S: Ifma>(s: S, elements: &[Element; 8]) -> Fe44<S> {
    row_in_lanes(s, &element::row(elements, S::N))
}

/// Cuts N elements, two words each in memory order, into limbs per lane.
#[inline(always)]
pub(crate) fn row_in_lanes<S: Ifma>(s: S, words: &[u64; 16]) -> Fe44<S> {
    cut(s, s.load_words(words), s.load_words(&words[S::N..]))
}

/// The sum, as two words below 2p, of the first `n` lanes of joined columns that
/// [`store_pairs`](lane_sums::store_pairs) wrote, and of `more`. Limbs of that sum must be below 2^62.
#[inline(always)]
pub(crate) fn fold<W: Words>(s: W, pairs: &[[u64; 8]; 2], n: usize, more: Option<[u64; 3]>) -> [W::W; 2] {
    pack43(s, lane_sums::sum(s, pairs, n, more))
}
