//! Single products by Karatsuba's method for three parts, in one kernel: sizes between the powers of two.
use super::passes::{Lines, fold_thirds, padded};
use super::single::{Partial, Single, of_sums};
use carryless_lanes::Clmul;

/// A level of Karat3 (paper 002, Algorithm 2) whose six products are computed one after the other by `T`. A part has
/// H blocks, P = 2H words, and its products Q = 2P words. With R_i = A_i B_i, R_ij = (A_i + A_j)(B_i + B_j) and Y =
/// X^(128 H) the product is
///
/// R0 + (R01 + R0 + R1) Y + (R02 + R0 + R1 + R2) Y^2 + (R12 + R1 + R2) Y^3 + R2 Y^4.
#[derive(Clone, Copy, Default)]
pub(crate) struct Thirds<T, const H: usize, const P: usize, const Q: usize>(pub(crate) T);

impl<T, const H: usize, const P: usize, const Q: usize, const N: usize, const M: usize> Partial<N, M>
    for Thirds<T, H, P, Q>
where
    T: Single<H, P>,
{
    const LANES: usize = T::LANES;

    /// Panics if an operand has less than two parts.
    #[inline(always)]
    fn partial<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let ((a0, a1, a2), (b0, b1, b2)) = (parts::<P>(a), parts::<P>(&b[..a.len()]));
        let (a2, b2): (Lines<P>, Lines<P>) = (padded(s, a2), padded(s, b2));
        let (low, high) = out.split_at_mut(2 * Q);
        let mut r2 = Lines([0; Q]);
        self.0.product(s, a0, b0, low);
        self.0.product(s, a1, b1, &mut low[Q..]);
        self.0.product(s, &a2.0, &b2.0, &mut r2.0);
        let mixed = [
            of_sums::<S, T, H, P, Q>(s, self.0, [a0, a1], [b0, b1]),
            of_sums::<S, T, H, P, Q>(s, self.0, [a0, &a2.0], [b0, &b2.0]),
            of_sums::<S, T, H, P, Q>(s, self.0, [a1, &a2.0], [b1, &b2.0]),
        ];
        fold_thirds::<S, P, Q>(s, low, &r2, &mixed, high);
    }
}

/// The parts of an operand: two of P words, and the rest.
#[inline(always)]
fn parts<const P: usize>(words: &[u64]) -> (&[u64], &[u64], &[u64]) {
    let (low, high) = words.split_at(P);
    let (middle, high) = high.split_at(P);
    (low, middle, high)
}
