//! Five limbs of radix 2^26 modulo 2^127 - 1, one element per lane. The arithmetic is that of
//! [`limbs26`](crate::field::limbs26), with 2^130 = 8 and a top limb of 23 bits.
//!
//! Bounds, proved by the `Interval` tests (proofs/bounds.md): after a carry limbs 0, 2 and 3 are below 2^26; limb 1
//! is at most 2^26 + 2^15, limb 4 at most 2^23 + 2^12. A block has 16 bits in limb 4, and its pad is 2^16 there.
use super::element::{self, Element, limbs26, pack26};
use crate::base::block_rows::{but_last_block, from_block};
use crate::base::loads15 as loads;
use crate::field::five_limbs::five_limbs;
use crate::field::lane_sums;
use crate::field::limbs26::{Fe, TOP_1271, cut};
use crate::field::one_lane::SCALAR;
use crate::field::{Field, LaneField};
use carryless_lanes::{Lanes, Words};

/// Arithmetic in radix 2^26 on backend `S`.
#[derive(Clone, Copy)]
pub(crate) struct Radix26<S>(pub(crate) S);

five_limbs!(Radix26, Element, loads, TOP_1271, pad 16, in_lanes, fold, loose limbs26, pack26);

/// Element b in the lane of block b, for b < N.
#[inline(always)]
pub(crate) fn in_lanes<S: Lanes>(s: S, elements: &[Element; 8]) -> Fe<S> {
    row_in_lanes(s, &element::row(elements, S::N))
}

/// Cuts N elements, two words each in memory order, into limbs per lane.
#[inline(always)]
pub(crate) fn row_in_lanes<S: Lanes>(s: S, words: &[u64; 16]) -> Fe<S> {
    cut(s, s.load_words(words), s.load_words(&words[S::N..]))
}

/// The sum, as two words below 2p, of the first `n` lanes that [`store_pairs`](lane_sums::store_pairs) wrote, and of
/// `more`. Limbs of that sum must be below 2^62.
#[inline(always)]
pub(crate) fn fold<W: Words>(s: W, pairs: &[[u64; 8]; 3], n: usize, more: Option<[u64; 5]>) -> [W::W; 2] {
    pack26(s, lane_sums::sum(s, pairs, n, more))
}
