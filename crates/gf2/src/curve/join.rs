//! The sum of two points in lambda coordinates, from memory to memory.
use super::lambda::add_complete;
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// The kernel of P + Q for all P and Q, with X, L and Z of each. It runs on a backend of one lane.
pub struct Join<'a, F> {
    /// The words of the curve's coefficient a.
    pub(super) a: &'a [u64],
    pub(super) p: [&'a [u64]; 3],
    pub(super) q: [&'a [u64]; 3],
    pub(super) out: [&'a mut [u64]; 3],
    pub(super) of: PhantomData<F>,
}

impl<F: KernelField> ClmulKernel for Join<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // One sum for each product of points: for long elements compact code costs hardly any time, and is
        // much shorter. All cases of P + Q run through the same 16 products and six squares.
        if const { F::LONG } { self.run_on(s.compact()) } else { self.run_on(s) }
    }
}

impl<F: KernelField> Join<'_, F> {
    #[inline(always)]
    fn run_on<S: Clmul>(self, s: S) {
        let ([x1, l1, z1], [x2, l2, z2]) = (self.p, self.q);
        let p = [F::load(s, x1), F::load(s, l1), F::load(s, z1)];
        let q = [F::load(s, x2), F::load(s, l2), F::load(s, z2)];
        let sum = add_complete::<F, S>(s, F::constant(s, self.a), p, q);
        for (out, coordinate) in self.out.into_iter().zip(sum) {
            F::store(s, coordinate, out);
        }
    }
}
