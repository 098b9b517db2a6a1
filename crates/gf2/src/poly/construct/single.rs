//! One product by the lanes of a machine: KaratRec (paper 002, Algorithm 1) in one kernel.
use super::passes::{fold, xor};
use crate::poly::kernel::leaf::{Lanes, Leaf, Products, Strided};
use carryless_lanes::{Clmul, ClmulKernel};

/// A product of N blocks of 128 bits, `M = 2 N`.
pub(crate) trait Single<const N: usize, const M: usize>: Copy {
    /// `out = a b`, for operands of 2N words.
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]);
}

/// On one lane.
#[derive(Clone, Copy)]
pub(crate) struct OneLane<L>(pub(crate) L);

impl<L: Leaf<N, M>, const N: usize, const M: usize> Single<N, M> for OneLane<L> {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        self.0.products(s.one(), Strided { a, b, out, stride: [0; 3] });
    }
}

/// On two lanes: A0 B0 and A1 B1 side by side, then (A0 + A1)(B0 + B1) by what multiplies halves, H blocks.
#[derive(Clone, Copy)]
pub(crate) struct Halves<W, T, const H: usize>(pub(crate) W, pub(crate) T);

impl<W, T, const H: usize, const N: usize, const M: usize> Single<N, M> for Halves<W, T, H>
where
    W: Lanes<H, N>,
    T: Single<H, N>,
{
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let Halves(lanes, third) = self;
        let ((a0, a1), (b0, b1)) = (a[..2 * N].split_at(N), b[..2 * N].split_at(N));
        let (mut sum_a, mut sum_b, mut middle) = ([0; N], [0; N], [0; M]);
        xor(s, &mut sum_a, a0, a1);
        xor(s, &mut sum_b, b0, b1);
        lanes.products(s, Strided { a, b, out, stride: [N, N, M] });
        third.product(s, &sum_a, &sum_b, &mut middle);
        let (low, high) = out[..2 * M].split_at_mut(M);
        let ((l0, l1), (h0, h1)) = (low.split_at_mut(N), high.split_at_mut(N));
        let (m0, m1) = middle.split_at(N);
        fold(s, l0, l1, h0, h1, m0, m1);
    }
}

/// What is large enough to be called.
#[derive(Clone, Copy)]
pub(super) struct Apart<T>(pub(super) T);

impl<W: Lanes<N, M>, const N: usize, const M: usize> Lanes<N, M> for Apart<W> {
    #[inline(always)]
    fn products<S: Clmul>(self, s: S, job: Strided<'_>) {
        s.apart(Products::<W, N, M>(self.0, job));
    }
}

/// Such a product as a kernel.
pub(super) struct Alone<'a, T, const N: usize, const M: usize> {
    pub(super) method: T,
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
    pub(super) out: &'a mut [u64],
}

impl<T: Single<N, M>, const N: usize, const M: usize> ClmulKernel for Alone<'_, T, N, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // On other machines nobody asks for it: their code need not be made.
        if S::K == 2 {
            self.method.product(s, self.a, self.b, self.out);
        }
    }
}
