//! The sum of two points that a kernel has left side by side.
use super::lambda::add_complete;
use super::paired::ROW;
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// Their sum, X, L, Z; on a machine of one lane.
pub(super) struct Join<'a, F> {
    pub(super) a: &'a [u64],
    pub(super) parts: &'a [[u64; ROW]; 3],
    pub(super) out: [&'a mut [u64]; 3],
    pub(super) of: PhantomData<F>,
}

impl<F: KernelField> ClmulKernel for Join<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let [x, l, z] = self.parts;
        let part = |at: usize| at * F::WORDS..(at + 1) * F::WORDS;
        let p = [F::load(s, &x[part(0)]), F::load(s, &l[part(0)]), F::load(s, &z[part(0)])];
        let q = [F::load(s, &x[part(1)]), F::load(s, &l[part(1)]), F::load(s, &z[part(1)])];
        let sum = add_complete::<F, S>(s, F::constant(s, self.a), p, q);
        for (out, coordinate) in self.out.into_iter().zip(sum) {
            F::store(s, coordinate, out);
        }
    }
}
