//! Inverses.
use super::BinaryField;
use super::arithmetic::{mul, square};
use super::blocks::Blocks;
use carryless_lanes::Clmul;

/// a^(2^k), by k squarings.
#[inline(always)]
pub(super) fn frobenius<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>, k: usize) -> Blocks<F, S> {
    let (mut power, mut i) = (a, 0);
    while i < k {
        power = square::<F, S>(s, power);
        i += 1;
    }
    power
}

/// How a run of squarings is done.
pub(super) trait Raise<F: BinaryField, S: Clmul> {
    /// a^(2^k).
    fn raise(&mut self, s: S, a: Blocks<F, S>, k: usize) -> Blocks<F, S>;
}

/// One squaring after the other.
pub(super) struct BySquarings;

impl<F: BinaryField, S: Clmul> Raise<F, S> for BySquarings {
    #[inline(always)]
    fn raise(&mut self, s: S, a: Blocks<F, S>, k: usize) -> Blocks<F, S> {
        frobenius::<F, S>(s, a, k)
    }
}

/// 1 / a; 0 for a = 0 (Itoh and Tsujii).
///
/// a^-1 = a^(2^m - 2) = b_(m - 1)^2 where b_k = a^(2^k - 1), b_(j + k) = b_j^(2^k) b_k: from k = 1 along the bits of m - 1, the chain of
/// doublings and additions of 1. m - 1 squarings, and log2 m products and as many again as m - 1 has ones.
#[inline(always)]
pub(super) fn invert<F: BinaryField, S: Clmul>(
    s: S,
    a: Blocks<F, S>,
    mut runs: impl Raise<F, S>,
) -> Blocks<F, S> {
    let last = F::DEGREE - 1;
    let (mut power, mut k, mut bit) = (a, 1, last.ilog2());
    while bit > 0 {
        bit -= 1;
        power = mul::<F, S>(s, runs.raise(s, power, k), power);
        k *= 2;
        if last >> bit & 1 == 1 {
            power = mul::<F, S>(s, square::<F, S>(s, power), a);
            k += 1;
        }
    }
    square::<F, S>(s, power)
}
