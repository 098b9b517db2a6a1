//! Two levels of KaratRec (paper 002, Algorithm 1) in every lane, in one kernel.
use super::passes::{Fold, Sums};
use crate::poly::kernel::leaf::{Lanes, Strided};
use carryless_lanes::{Clmul, ClmulKernel};

/// `K` products of 2N blocks by a method for N blocks, `M = 2 N`: R0 + (R0 + R1 + R2) X^h + R1 X^(2h), h = 128 N.
pub(super) struct Deep<'a, W, const N: usize, const M: usize> {
    pub(super) method: W,
    pub(super) job: Strided<'a>,
    /// Sums and R2: 8N words a lane.
    pub(super) scratch: &'a mut [u64],
}

impl<W: Lanes<N, M>, const N: usize, const M: usize> ClmulKernel for Deep<'_, W, N, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Deep { method, job: Strided { a, b, out, stride }, scratch } = self;
        let (sum_a, scratch) = scratch.split_at_mut(S::K * M);
        let (sum_b, scratch) = scratch.split_at_mut(S::K * M);
        let middle = &mut scratch[..2 * S::K * M];
        Sums { a, b, strides: [stride[0], stride[1]], count: S::K, half: M, sum_a, sum_b }.run(s);
        method.products(s, Strided { a, b, out, stride });
        method.products(s, Strided { a: &a[M..], b: &b[M..], out: &mut out[2 * M..], stride });
        method.products(s, Strided { a: sum_a, b: sum_b, out: middle, stride: [M, M, 2 * M] });
        Fold { out, stride: stride[2], count: S::K, half: M, middle }.run(s);
    }
}
