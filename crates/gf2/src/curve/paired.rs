//! The ladder for one k with the two points of a step in two lanes. A step takes three products of vectors
//! instead of six of elements.
use super::ladder::{Job, Ladder, word_mask};
use crate::field::{KernelField, MAX_WORDS};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::marker::PhantomData;
use zeroize::Zeroize;

/// The words of two elements, or of four elements of up to ten words, and one more that a store of lanes may touch.
pub(super) const ROW: usize = 2 * MAX_WORDS + 1;

/// Runs the ladder for one k and P: in two lanes if the backend has them, as the two points of a step are
/// independent. Otherwise it runs on one lane, where b = 1 saves a product: `KOBLITZ` is for curves with b = 1.
#[inline]
pub(super) fn run<F: KernelField, const KOBLITZ: bool>(cpu: ClmulCpu, job: Job<'_>) {
    if let Err(PairedLadder(job, of)) = cpu.two_lanes().call(PairedLadder::<F>(job, PhantomData)) {
        cpu.one_lane().call(Ladder::<F, KOBLITZ>(job, of));
    }
}

/// The kernel of [`ladder`](super::ladder::ladder) for one k and P, on a backend with two lanes.
struct PairedLadder<'a, F>(Job<'a>, PhantomData<F>);

impl<F: KernelField> ClmulKernel for PairedLadder<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Job { b, x, k, bits, out: [x1, z1, x2, z2] } = self.0;
        // b^(1/4), as in `ladder`. For b = 1 the product by it runs in a lane that would otherwise be idle, so
        // it costs nothing.
        let root = F::sqrt(s, F::sqrt(s, F::constant(s, b)));
        let (x, one) = (F::constant(s, x), F::bit(s, 1));
        // `lanes_from(s, 1, a, b)` has lane 1 of a in lane 0 and lane 0 of b in lane 1; for a = b it
        // exchanges the lanes. So lane 0 starts with X and Z of infinity, 1 and 0, and lane 1 with those of
        // P, x and 1.
        let mut xs = F::lanes_from(s, 1, one, x);
        let mut zs = F::lanes_from(s, 1, F::bit(s, 0), one);
        let (mut i, mut swapped) = (bits, s.zero());
        while i > 0 {
            i -= 1;
            // Invariant, as in `ladder`: the lanes have k' P and (k' + 1) P for the bits k' of k above i, in
            // reverse order where `swapped` has ones. The step needs Z in both orders, so the exchange costs
            // selections only: both orders of the vectors are computed whether or not they are exchanged.
            let bit = s.splat([word_mask(k, i); 2]);
            let exchange = s.xor(bit, swapped);
            swapped = bit;
            let (xs_exchanged, zs_exchanged) = (exchanged::<F, S>(s, xs), exchanged::<F, S>(s, zs));
            let first = F::select(s, exchange, xs, xs_exchanged);
            let second = [F::select(s, exchange, zs, zs_exchanged), F::select(s, exchange, zs_exchanged, zs)];
            [xs, zs] = step::<F, S>(s, root, x, first, second);
        }
        xs = F::select(s, swapped, xs, exchanged::<F, S>(s, xs));
        zs = F::select(s, swapped, zs, exchanged::<F, S>(s, zs));
        store::<F, S>(s, xs, x1, x2);
        store::<F, S>(s, zs, z1, z2);
    }
}

/// One step of the ladder: `xs` has X of both points in its lanes, `zs` has Z. Z comes in both
/// orders, because both are needed.
#[inline(always)]
fn step<F: KernelField, S: Clmul>(
    s: S,
    root: F::Vectors<S>,
    x: F::Vectors<S>,
    xs: F::Vectors<S>,
    [zs, zs_exchanged]: [F::Vectors<S>; 2],
) -> [F::Vectors<S>; 2] {
    // X1 Z2 in lane 0, X2 Z1 in lane 1. Three products of vectors: the first two are independent, the third
    // waits for the first. With three squares of vectors this is the whole step; the formulas are those of
    // `ladder`.
    let cross = F::mul(s, xs, zs_exchanged);
    // b^(1/4) Z1 in lane 0, X1 Z1 in lane 1.
    let double = F::mul(s, F::lanes_from(s, 1, root, xs), F::lanes_from(s, 1, zs_exchanged, zs));
    let cross_exchanged = exchanged::<F, S>(s, cross);
    let sum = F::add(s, cross, cross_exchanged);
    // (X1 Z1)^2 in lane 0, (X1 Z2 + X2 Z1)^2 in lane 1: the new Z.
    let zs_out = F::square(s, F::lanes_from(s, 1, double, sum));
    // x Z(P1 + P2) in lane 0, X2 Z1 X1 Z2 in lane 1.
    let terms = F::mul(s, F::lanes_from(s, 1, x, cross_exchanged), F::lanes_from(s, 1, zs_out, cross));
    let x_sum = F::add(s, terms, exchanged::<F, S>(s, terms));
    // (X1 + b^(1/4) Z1)^4 in lane 0; lane 1 is not used.
    let x_double = F::square(s, F::square(s, F::add(s, xs, double)));
    [F::lanes_from(s, 1, exchanged::<F, S>(s, x_double), x_sum), zs_out]
}

/// The lanes in reverse order.
#[inline(always)]
fn exchanged<F: KernelField, S: Clmul>(s: S, x: F::Vectors<S>) -> F::Vectors<S> {
    F::lanes_from(s, 1, x, x)
}

/// Writes the elements of both lanes, canonical, to different places.
#[inline(always)]
fn store<F: KernelField, S: Clmul>(s: S, x: F::Vectors<S>, first: &mut [u64], second: &mut [u64]) {
    const { assert!(F::WORDS <= MAX_WORDS) };
    let mut words = [0; ROW];
    F::store(s, x, &mut words);
    first.copy_from_slice(&words[..F::WORDS]);
    second.copy_from_slice(&words[F::WORDS..2 * F::WORDS]);
    words.zeroize();
}
