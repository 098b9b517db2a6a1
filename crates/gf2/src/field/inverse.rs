//! Inversion by Fermat's little theorem, with Itoh and Tsujii's addition chain.
use super::BinaryField;
use super::arithmetic::{mul, square};
use super::blocks::Blocks;
use carryless_lanes::Clmul;

/// The power a^(2^k), by k squarings. k is public. a and the result have up to 64 W bits.
#[inline(always)]
pub(super) fn frobenius<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>, k: usize) -> Blocks<F, S> {
    let (mut power, mut i) = (a, 0);
    while i < k {
        power = square::<F, S>(s, power);
        i += 1;
    }
    power
}

/// How to compute a long run of squarings: one by one, or by a precomputed linear map.
pub(super) trait Raise<F: BinaryField, S: Clmul> {
    /// The power a^(2^k), for an a of up to 64 W bits, as is the result. [`invert`] calls it once for each doubling of its
    /// chain, with the k before the doubling, in order: for m = 233 with 1, 3, 7, 14, 29, 58 and 116.
    fn raise(&mut self, s: S, a: Blocks<F, S>, k: usize) -> Blocks<F, S>;
}

/// The lengths k of the runs of squarings of [`Raise::raise`], in its order: the leading bits of m - 1, without m - 1 itself.
pub(super) fn runs(m: usize) -> impl Iterator<Item = usize> {
    let last = m - 1;
    (1..=last.checked_ilog2().unwrap_or(0)).rev().map(move |bit| last >> bit)
}

/// Runs of squarings, one squaring after the other.
pub(super) struct BySquarings;

impl<F: BinaryField, S: Clmul> Raise<F, S> for BySquarings {
    #[inline(always)]
    fn raise(&mut self, s: S, a: Blocks<F, S>, k: usize) -> Blocks<F, S> {
        frobenius::<F, S>(s, a, k)
    }
}

/// The inverse 1 / a, by the chain of Itoh and Tsujii; 0 modulo f for an a that is 0 modulo f. a and the result have up to
/// 64 W bits and need not be canonical.
///
/// By Fermat, a^-1 = a^(2^m - 2) = b_(m - 1)^2 for b_k = a^(2^k - 1). Since b_(j + k) = b_j^(2^k) b_k, the
/// chain goes from b_1 = a along the bits of m - 1: each bit doubles k, each one bit adds 1. Costs m - 1
/// squarings, and floor(log2(m - 1)) products plus one for each further one bit of m - 1. The chain depends on
/// m alone, so this is constant time.
#[inline(always)]
pub(super) fn invert<F: BinaryField, S: Clmul>(
    s: S,
    a: Blocks<F, S>,
    mut runs: impl Raise<F, S>,
) -> Blocks<F, S> {
    // For m = 233, m - 1 = 232 = 0b11101000, and k takes the values 1, 2, 3, 6, 7, 14, 28, 29, 58, 116, 232:
    // ten products.
    //
    // Long runs of squarings dominate the time. `runs` computes those of doublings, and may use precomputed
    // maps.
    let last = F::DEGREE - 1;
    let (mut power, mut k, mut bit) = (a, 1, last.ilog2());
    while bit > 0 {
        bit -= 1;
        // Invariant: power = b_k, where k is the number formed by the bits of m - 1 above `bit`.
        power = mul::<F, S>(s, runs.raise(s, power, k), power);
        k *= 2;
        if last >> bit & 1 == 1 {
            power = mul::<F, S>(s, square::<F, S>(s, power), a);
            k += 1;
        }
    }
    // b_(m - 1)^2 = a^(2^m - 2). For a = 0 modulo f all powers are 0 modulo f, so there is no special case: the store
    // makes the result canonical.
    square::<F, S>(s, power)
}
