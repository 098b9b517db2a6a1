//! Runs kernels over slices of elements, on all lanes of the backend or on one lane.
//!
//! The last elements, which may not fill a vector, go through a zero-padded copy, so that one kernel serves all
//! elements.
use super::BinaryField;
use super::shape::Shape;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel, SliceKernel};
use core::marker::PhantomData;

/// Adapts a [`SliceKernel`] to the interface of kernels for backends with several lanes.
struct OnLanes<'a, P> {
    a: &'a [u64],
    b: &'a [u64],
    out: &'a mut [u64],
    of: PhantomData<P>,
}

impl<P: SliceKernel> ClmulKernel for OnLanes<'_, P> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        P::run(s, self.a, self.b, self.out);
    }
}

/// Runs the kernel on all lanes of the backend, or on its only lane. Operands and results are elements side by side.
#[inline]
pub(super) fn run<P: SliceKernel>(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
    // On a backend with one lane the kernel comes back unused, and a version for one lane runs instead.
    let kernel = OnLanes::<P> { a, b, out, of: PhantomData };
    if let Err(OnLanes { a, b, out, .. }) = cpu.several_lanes().call(kernel) {
        cpu.one_lane().compile::<P>().call(a, b, out);
    }
}

/// The number of lanes of the largest backend.
pub(crate) const MAX_LANES: usize = 4;

/// A zero-padded copy of the last elements: two for each lane, and one more because loads of the last lane may
/// read the word after it. The user wipes it.
pub(super) struct Rest<F: BinaryField>([<F::Shape as Shape>::Words; 2 * MAX_LANES + 1]);

impl<F: BinaryField> Rest<F> {
    /// Copies `words`, and pads them with zeros.
    #[inline(always)]
    pub(super) fn new(words: &[u64]) -> Rest<F> {
        let mut rest = Rest([Default::default(); 2 * MAX_LANES + 1]);
        rest.words()[..words.len()].copy_from_slice(words);
        rest
    }

    #[inline(always)]
    pub(super) fn words(&mut self) -> &mut [u64] {
        F::Shape::flat_mut(&mut self.0)
    }
}

/// The number of words, of `len`, that form whole groups of `group` words with at least one word after each group.
///
/// Loads and stores of a group may touch the word after it. The remaining 1 to `group` words (0 if `len`
/// is 0) are left for [`Rest`].
#[inline(always)]
pub(super) fn whole(len: usize, group: usize) -> usize {
    // For example 0 for len = group, because nothing comes after the group.
    len.saturating_sub(1) / group * group
}
