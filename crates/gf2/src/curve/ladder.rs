//! k P by López and Dahab's ladder: x-only, the same steps for all k and P, with no exception.
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// x = X / Z, or infinity where Z = 0.
type Projective<V> = [V; 2];

/// The bits of k, one k in each lane.
pub(super) trait Bits {
    /// Ones in the lanes where bit i is set.
    fn mask<S: Clmul>(&self, s: S, i: u32) -> S::X;
}

/// Ones if bit i of these words is set.
#[inline(always)]
pub(super) fn word_mask(k: &[u64], i: u32) -> u64 {
    (k[i as usize / 64] >> (i % 64) & 1).wrapping_neg()
}

/// The words of k.
struct Single<'a>(&'a [u64]);

impl Bits for Single<'_> {
    #[inline(always)]
    fn mask<S: Clmul>(&self, s: S, i: u32) -> S::X {
        s.splat([word_mask(self.0, i); 2])
    }
}

/// k P and (k + 1) P, from the coordinate x of P and the bits of k. No k and no P is an exception: with Z = 0 for infinity the formulas hold for equal and for opposite
/// points and for the point of order two.
///
/// A step takes (P1, P2) with P2 - P1 = P to (2 P1, P1 + P2):
///
/// ```text
/// Z(P1 + P2) = (X1 Z2 + X2 Z1)^2      X(P1 + P2) = x Z(P1 + P2) + X1 Z2 X2 Z1
/// Z(2 P1) = (X1 Z1)^2                 X(2 P1) = (X1 + b^(1/4) Z1)^4
/// ```
///
/// Six products, five if b = 1, and four squares; the chain through a step is two products and a square.
#[inline(always)]
pub(super) fn ladder<F: KernelField, const KOBLITZ: bool, S: Clmul>(
    s: S,
    b: F::Vectors<S>,
    x: F::Vectors<S>,
    bits: u32,
    k: &impl Bits,
) -> [Projective<F::Vectors<S>>; 2] {
    let root = if KOBLITZ { b } else { F::sqrt(s, F::sqrt(s, b)) };
    let (zero, one) = (F::bit(s, 0), F::bit(s, 1));
    let (mut r, mut swapped) = ([[one, zero], [x, one]], s.zero());
    let mut i = bits;
    while i > 0 {
        i -= 1;
        let bit = k.mask(s, i);
        r = swap::<F, S>(s, s.xor(bit, swapped), r);
        swapped = bit;
        r = step::<F, KOBLITZ, S>(s, root, x, r);
    }
    swap::<F, S>(s, swapped, r)
}

#[inline(always)]
fn step<F: KernelField, const KOBLITZ: bool, S: Clmul>(
    s: S,
    root: F::Vectors<S>,
    x: F::Vectors<S>,
    [[x1, z1], [x2, z2]]: [Projective<F::Vectors<S>>; 2],
) -> [Projective<F::Vectors<S>>; 2] {
    let (left, right) = (F::mul(s, x1, z2), F::mul(s, x2, z1));
    let z_sum = F::square(s, F::add(s, left, right));
    let x_sum = F::mul_add_mul(s, x, z_sum, left, right);
    let z_double = F::square(s, F::mul(s, x1, z1));
    let scaled = if KOBLITZ { z1 } else { F::mul(s, root, z1) };
    let x_double = F::square(s, F::square(s, F::add(s, x1, scaled)));
    [[x_double, z_double], [x_sum, z_sum]]
}

/// The points in the other order where the mask has ones.
#[inline(always)]
fn swap<F: KernelField, S: Clmul>(
    s: S,
    mask: S::X,
    [p, q]: [Projective<F::Vectors<S>>; 2],
) -> [Projective<F::Vectors<S>>; 2] {
    [
        [F::select(s, mask, p[0], q[0]), F::select(s, mask, p[1], q[1])],
        [F::select(s, mask, q[0], p[0]), F::select(s, mask, q[1], p[1])],
    ]
}

/// Operands and results of a ladder for one k and P.
pub(super) struct Job<'a> {
    pub(super) b: &'a [u64],
    pub(super) x: &'a [u64],
    /// k, by its words.
    pub(super) k: &'a [u64],
    pub(super) bits: u32,
    /// X and Z of k P, then those of (k + 1) P.
    pub(super) out: [&'a mut [u64]; 4],
}

/// The ladder for one k and P. `KOBLITZ` is for curves with b = 1.
pub(super) struct Ladder<'a, F, const KOBLITZ: bool>(pub(super) Job<'a>, pub(super) PhantomData<F>);

impl<F: KernelField, const KOBLITZ: bool> ClmulKernel for Ladder<'_, F, KOBLITZ> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Job { b, x, k, bits, out } = self.0;
        let points = ladder::<F, KOBLITZ, S>(s, F::constant(s, b), F::load(s, x), bits, &Single(k));
        for (out, coordinate) in out.into_iter().zip(points.into_iter().flatten()) {
            F::store(s, coordinate, out);
        }
    }
}
