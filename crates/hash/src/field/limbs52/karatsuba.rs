//! Products of three limbs by Karatsuba's method, for long groups of rows: 12 multiply-adds and 3 sums instead of 18
//! multiply-adds.
//!
//! With P_i = a_i r_i, P_ij = (a_i + a_j)(r_i + r_j) and limbs of k bits,
//!
//! ```text
//! a r = P_0 + 2^k (P_01 - P_0 - P_1) + 2^2k (P_02 - P_0 - P_2 + P_1) + 2^3k (P_12 - P_1 - P_2) + 2^4k P_2
//! ```
//!
//! The six products are summed over all rows of a group. The differences are taken once, at its end.
//!
//! P_01 - P_0 - P_1 is never negative, but one of its halves may be. So the sums of P_01, P_02 and P_12 start at a bias,
//! which keeps both halves positive. With their weights the biases add up to a multiple of the prime.
use super::Fe44;
use crate::field::groups::LONG_G;
use carryless_lanes::{Ifma, Lanes};

/// Implements [`LongGroups`](crate::field::groups::LongGroups) for a radix with these biases of the low halves and this carry.
macro_rules! long_groups {
    ($Radix:ident, $biases:path, $carry:path) => {
        impl<S: Ifma> LongGroups for $Radix<S> {
            type Long = karatsuba::Sums<S>;
            type LongKeys = karatsuba::Keys;
            type Stored = $crate::field::limbs52::Lanes3;
            const NO_KEYS: karatsuba::Keys = karatsuba::NO_KEYS;

            #[inline(always)]
            fn long_keys(self, powers: &[Self::Fe], keys: &mut karatsuba::Keys) {
                karatsuba::keys(self.0, powers, keys);
            }
            #[inline(always)]
            fn as_long(self, a: Self::Fe) -> Self::Long {
                karatsuba::Sums::of(self.0, &$biases, a)
            }
            #[inline(always)]
            fn long_add(
                self,
                d: Self::Long,
                h: Self::Fe,
                keys: &karatsuba::Keys,
                power: usize,
            ) -> Self::Long {
                karatsuba::mul_add(self.0, d, h, keys, power)
            }
            #[inline(always)]
            fn long_carry(self, d: Self::Long) -> Self::Fe {
                $carry(self.0, d)
            }
            #[inline(always)]
            fn stored(self, a: Self::Fe) -> Self::Stored {
                $crate::field::limbs52::store(self.0, a)
            }
            #[inline(always)]
            fn load(self, stored: &Self::Stored) -> Self::Fe {
                $crate::field::limbs52::load(self.0, stored)
            }
        }
    };
}
pub(crate) use long_groups;

/// Six vectors: those of P_0, P_1, P_2, P_01, P_02 and P_12.
type Six<S> = [<S as Lanes>::V; 6];

/// Sums of the six products, low halves and high halves apart.
#[derive(Clone, Copy)]
pub(crate) struct Sums<S: Ifma> {
    low: Six<S>,
    high: Six<S>,
    /// The addend that is no product. It joins the columns in the carry.
    pub(crate) plus: Fe44<S>,
}

/// The bias of the high halves of P_01, P_02 and P_12. Products are below 2^92, so the high halves of 16 products add up
/// to less than 2^44, and two such sums are subtracted.
const HIGH_BIAS: u64 = 1 << 45;

impl<S: Ifma> Sums<S> {
    /// Converts limbs to a sum without products. `biases` are those of the low halves of P_01, P_02 and P_12, at least
    /// 2^57: twice what the low halves of 16 products add up to.
    #[inline(always)]
    pub(crate) fn of(s: S, biases: &[u64; 3], a: Fe44<S>) -> Self {
        let (zero, high) = (s.splat(0), s.splat(HIGH_BIAS));
        let [b01, b02, b12] = *biases;
        Sums {
            // Nothing is subtracted from P_0, P_1 and P_2, so they need no bias.
            low: [zero, zero, zero, s.splat(b01), s.splat(b02), s.splat(b12)],
            high: [zero, zero, zero, high, high, high],
            plus: a,
        }
    }
}

/// The multipliers gamma, gamma^2, .. in words: `[j][i]` is limb j of gamma^(i + 1) for j < 3, and then r0 + r1, r0 + r2
/// and r1 + r2 of its limbs. A product loads six words into every lane.
pub(crate) type Keys = [[u64; LONG_G]; 6];

/// Multipliers that are zero, to be filled by [`keys`].
pub(crate) const NO_KEYS: Keys = [[0; LONG_G]; 6];

/// Writes the multipliers of [`LONG_G`] powers, which fill the lanes of `powers`. Limbs must be below 2^51, so that
/// sums of two fit the 52 bits that are multiplied.
#[inline(always)]
pub(crate) fn keys<S: Ifma>(s: S, powers: &[Fe44<S>], keys: &mut Keys) {
    let mut at = 0;
    while at < LONG_G {
        let [r0, r1, r2, r01, r02, r12] = with_sums(s, powers[at / S::N]);
        s.store(r0, &mut keys[0][at..]);
        s.store(r1, &mut keys[1][at..]);
        s.store(r2, &mut keys[2][at..]);
        s.store(r01, &mut keys[3][at..]);
        s.store(r02, &mut keys[4][at..]);
        s.store(r12, &mut keys[5][at..]);
        at += S::N;
    }
}

/// The three limbs and their three sums of two.
#[inline(always)]
fn with_sums<S: Ifma>(s: S, [a0, a1, a2]: Fe44<S>) -> Six<S> {
    [a0, a1, a2, s.add(a0, a1), s.add(a0, a2), s.add(a1, a2)]
}

/// d + h gamma^power, not carried, for powers of 1 to [`LONG_G`]: 12 multiply-adds, one for either half of the six
/// products. At most 16 products may share a carry.
#[inline(always)]
pub(crate) fn mul_add<S: Ifma>(s: S, d: Sums<S>, h: Fe44<S>, keys: &Keys, power: usize) -> Sums<S> {
    // The mask spares the check of the index.
    let (at, [k0, k1, k2, k01, k02, k12]) = (power.wrapping_sub(1) % LONG_G, keys);
    // In: limbs of h below 2^51, so that sums of two are factors of 52 bits.
    let (a, low, high) = (with_sums(s, h), d.low, d.high);
    let r = [
        s.splat(k0[at]),
        s.splat(k1[at]),
        s.splat(k2[at]),
        s.splat(k01[at]),
        s.splat(k02[at]),
        s.splat(k12[at]),
    ];
    Sums {
        low: [
            s.madd52lo(low[0], a[0], r[0]),
            s.madd52lo(low[1], a[1], r[1]),
            s.madd52lo(low[2], a[2], r[2]),
            s.madd52lo(low[3], a[3], r[3]),
            s.madd52lo(low[4], a[4], r[4]),
            s.madd52lo(low[5], a[5], r[5]),
        ],
        high: [
            s.madd52hi(high[0], a[0], r[0]),
            s.madd52hi(high[1], a[1], r[1]),
            s.madd52hi(high[2], a[2], r[2]),
            s.madd52hi(high[3], a[3], r[3]),
            s.madd52hi(high[4], a[4], r[4]),
            s.madd52hi(high[5], a[5], r[5]),
        ],
        plus: d.plus,
    }
}

/// The columns of weight 2^(i k), i = 0 to 5, without `plus`: the differences, and the high halves of the column
/// before, shifted by `shift` = 52 - k bits. 12 differences, 5 shifts, 7 sums.
#[inline(always)]
pub(crate) fn columns<S: Ifma>(s: S, d: &Sums<S>, shift: u32) -> Six<S> {
    // 2^52 = 2^k 2^(52 - k): a high half belongs to the next column, shifted.
    let ([p0, p1, p2, ..], [q0, q1, q2, ..]) = (d.low, d.high);
    let ([p01, p02, p12], [q01, q02, q12]) = (middle(s, d.low), middle(s, d.high));
    [
        p0,
        s.add(p01, s.shl(q0, shift)),
        s.add(s.add(p02, p1), s.shl(q01, shift)),
        s.add(p12, s.shl(s.add(q02, q1), shift)),
        s.add(p2, s.shl(q12, shift)),
        s.shl(q2, shift),
    ]
}

/// P_01 - P_0 - P_1, P_02 - P_0 - P_2 and P_12 - P_1 - P_2.
#[inline(always)]
fn middle<S: Ifma>(s: S, [p0, p1, p2, p01, p02, p12]: Six<S>) -> Fe44<S> {
    // No lane becomes negative: each bias is at least the greatest sum of both subtrahends.
    [s.sub(s.sub(p01, p0), p1), s.sub(s.sub(p02, p0), p2), s.sub(s.sub(p12, p1), p2)]
}
