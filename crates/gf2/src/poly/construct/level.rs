//! A level of Karat2 over interleaved operands, and a kernel of that level with its leaves.
use super::passes::{Fold, Sums};
use crate::poly::kernel::layout::{Interleaved, Job};
use crate::poly::kernel::leaf::{Lanes, Products};
use carryless_lanes::{Clmul, ClmulKernel};

/// A level of Karat2, R0 + (R0 + R1 + R2) X^h + R1 X^(2h). Each half of all interleaved operands is one contiguous
/// slice, so the passes see one long operand.
pub(super) struct Level<'a> {
    job: Job<'a, Interleaved>,
    /// The words of one half of all `K` operands together.
    half: usize,
    sum_a: &'a mut [u64],
    sum_b: &'a mut [u64],
    middle: &'a mut [u64],
}

impl<'a> Level<'a> {
    /// The level for a job; it takes `4 half` words of scratch and returns the rest.
    #[inline(always)]
    pub(super) fn new(
        job: Job<'a, Interleaved>,
        half: usize,
        scratch: &'a mut [u64],
    ) -> (Level<'a>, &'a mut [u64]) {
        let (sum_a, scratch) = scratch.split_at_mut(half);
        let (sum_b, scratch) = scratch.split_at_mut(half);
        let (middle, scratch) = scratch.split_at_mut(2 * half);
        (Level { job, half, sum_a, sum_b, middle }, scratch)
    }

    /// The first pass: the sums A0 + A1 and B0 + B1 of all lanes.
    #[inline(always)]
    pub(super) fn sums(&mut self) -> Sums<'_> {
        let Level { job: Job { a, b, .. }, half, sum_a, sum_b, .. } = self;
        Sums { a, b, strides: [0; 2], count: 1, half: *half, sum_a, sum_b }
    }

    /// The three jobs of the level: R0 and R1 into the halves of `out`, R2 into `middle`. They need the sums.
    #[inline(always)]
    pub(super) fn products(&mut self) -> [Job<'_, Interleaved>; 3] {
        let layout = [Interleaved; 3];
        // `half` counts the words of all lanes. So the lower half of `out` is R0 of every lane, and no lane is cut.
        let (low, high) = self.job.out[..4 * self.half].split_at_mut(2 * self.half);
        [
            Job { a: self.job.a, b: self.job.b, out: low, layout },
            Job { a: &self.job.a[self.half..], b: &self.job.b[self.half..], out: high, layout },
            Job { a: self.sum_a, b: self.sum_b, out: self.middle, layout },
        ]
    }

    /// The last pass, after all products: adds R0 + R1 + R2 to the middle of `out`.
    #[inline(always)]
    pub(super) fn fold(self) -> Fold<'a> {
        Fold { out: self.job.out, stride: 0, count: 1, half: self.half, middle: self.middle }
    }
}

/// A level of Karat2 above `K` products of N blocks, `M = 2 N`, in one kernel.
pub(super) struct Above<'a, W, const N: usize, const M: usize> {
    pub(super) method: W,
    pub(super) job: Job<'a, Interleaved>,
    /// At least `8 N` words for each lane: twice an operand of the level.
    pub(super) scratch: &'a mut [u64],
}

impl<W: Lanes<N, M>, const N: usize, const M: usize> ClmulKernel for Above<'_, W, N, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Above { method, job, scratch } = self;
        // A half of an operand has N blocks, 2 N = M words, in each of the K lanes.
        let (mut level, _) = Level::new(job, S::K * M, scratch);
        level.sums().run(s);
        let [low, high, middle] = level.products();
        // Called, not inlined: one copy of the leaf's code serves all three products.
        s.call_outlined(Products(method, low));
        s.call_outlined(Products(method, high));
        s.call_outlined(Products(method, middle));
        level.fold().run(s);
    }
}
