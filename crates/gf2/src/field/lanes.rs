//! Kernels over all elements of a slice: on the lanes of the machine, or on its one lane.
//!
//! They take the last elements, which may be fewer than lanes, from a copy with zeros behind it. So nothing is left for another kernel.
use super::BinaryField;
use super::shape::Shape;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel, ClmulProduct};
use core::marker::PhantomData;

/// A [`ClmulProduct`] as a kernel for machines with several lanes.
struct OnLanes<'a, P> {
    a: &'a [u64],
    b: &'a [u64],
    out: &'a mut [u64],
    of: PhantomData<P>,
}

impl<P: ClmulProduct> ClmulKernel for OnLanes<'_, P> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        P::product(s, self.a, self.b, self.out);
    }
}

/// Runs it on the machine.
pub(super) fn run<P: ClmulProduct>(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
    let kernel = OnLanes::<P> { a, b, out, of: PhantomData };
    if let Err(OnLanes { a, b, out, .. }) = cpu.call_on_lanes(kernel) {
        cpu.compile_on_one_lane::<P>().product(a, b, out);
    }
}

/// The lanes of the largest machine.
pub(super) const MOST: usize = 4;

/// Two elements for each lane, and one more, because a load of the last lane may read the word behind it.
pub(super) struct Rest<F: BinaryField>([<F::Shape as Shape>::Words; 2 * MOST + 1]);

impl<F: BinaryField> Rest<F> {
    /// These words, and zeros.
    #[inline(always)]
    pub(super) fn new(words: &[u64]) -> Rest<F> {
        let mut rest = Rest([Default::default(); 2 * MOST + 1]);
        rest.words()[..words.len()].copy_from_slice(words);
        rest
    }

    #[inline(always)]
    pub(super) fn words(&mut self) -> &mut [u64] {
        F::Shape::flat_mut(&mut self.0)
    }
}

/// How many of `len` words are in whole groups of `group` words that have a word behind them. At least one word is left, if there is one.
#[inline(always)]
pub(super) fn whole(len: usize, group: usize) -> usize {
    len.saturating_sub(1) / group * group
}
