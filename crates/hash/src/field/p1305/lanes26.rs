//! Five limbs of radix 2^26 modulo 2^130 - 5, one element per lane. The arithmetic is that of
//! [`limbs26`](crate::field::limbs26), with 2^130 = 5 and a top limb of 26 bits.
//!
//! Bounds, proved by the `Interval` tests (proofs/bounds.md): after [`carry`] limbs 0, 2 and 3 are below 2^26. Limbs
//! 1 and 4 are at most 2^26 + 2^7 in key powers and in the decimated Horner with g up to 4, and 2^26 + 2^8 with
//! g = 8. For any sums below 2^63.25 they are at most 2^26 + 2^14 and 2^26 + 2^12.
use super::element::{Element, Row, loose26, pack26, recut};
use crate::base::block_rows::{but_last_block, from_block};
use crate::base::loads16 as loads;
use crate::field::five_limbs::five_limbs;
use crate::field::lane_sums;
pub(crate) use crate::field::limbs26::*;
use crate::field::one_lane::SCALAR;
use crate::field::{Field, LaneField};
use carryless_lanes::{Lanes, Words};

/// Arithmetic in radix 2^26 on backend `S`.
#[derive(Clone, Copy)]
pub(crate) struct Radix26<S>(pub(crate) S);

five_limbs!(Radix26, Element, loads, TOP_1305, pad 24, in_lanes, fold, loose recut, loose26);

/// Element b in the lane of block b, for b < N.
#[inline(always)]
pub(crate) fn in_lanes<S: Lanes>(s: S, elements: &[Element; 8]) -> Fe<S> {
    row_in_lanes(s, &Row::new(elements, S::N))
}

/// Cuts the elements of a row into limbs. The third word starts at 2^128, which is bit 24 of limb 4.
#[inline(always)]
pub(crate) fn row_in_lanes<S: Lanes>(s: S, row: &Row) -> Fe<S> {
    // `cut` leaves 24 bits in limb 4, so the third word goes above them without a carry.
    let [m0, m1, m2, m3, m4] = cut(s, s.load_words(&row.words), s.load_words(&row.words[S::N..]));
    [m0, m1, m2, m3, s.concat(m4, s.shl(s.load_words(&row.tops), 24))]
}

impl<S: Lanes> Key<S> {
    /// A multiplier per lane modulo 2^130 - 5. The limbs of `r` must be below 2^29.
    #[inline(always)]
    pub(crate) fn new(s: S, r: Fe<S>) -> Self {
        Key::modulo::<TOP_1305>(s, r)
    }

    /// One multiplier in every lane, from limbs below 2^29.
    #[inline(always)]
    pub(crate) fn splat(s: S, r: [u64; 5]) -> Self {
        Key::new(s, splat(s, r))
    }
}

/// h r, carried: 25 multiplications and one carry chain. Limbs of h must be below 2^32.
#[inline(always)]
pub(crate) fn mul_carry<S: Lanes>(s: S, h: Fe<S>, k: &Key<S>) -> Fe<S> {
    carry(s, mul(s, limbs(s, h), k))
}

/// Reduces limbs modulo 2^130 - 5, for sums below 2^63.25: see [`carry_modulo`]. The module comment has
/// the bounds of the result.
#[inline(always)]
pub(crate) fn carry<S: Lanes>(s: S, d: Fe<S>) -> Fe<S> {
    carry_modulo::<TOP_1305, S>(s, d)
}

/// The sum of the first `n` lanes that [`store_pairs`](lane_sums::store_pairs) wrote, and of `more`, as words of radix
/// 2^64 with w2 at most 4.
#[inline(always)]
pub(crate) fn fold<W: Words>(s: W, pairs: &[[u64; 8]; 3], n: usize, more: Option<[u64; 5]>) -> [W::W; 3] {
    pack26(s, lane_sums::sum(s, pairs, n, more))
}
