//! k P by the ladder of López and Dahab on x alone: the same steps for all k and P, without exceptions.
use crate::field::KernelField;
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

/// The coordinates X and Z of a point with x = X / Z; Z = 0 at infinity.
type Projective<V> = [V; 2];

/// The coefficient b of a curve, the const parameter `KOBLITZ`: it is 1, which saves a product for each bit.
pub(super) const B_IS_ONE: bool = true;
/// The coefficient b of a curve may be anything but 0.
pub(super) const ANY_B: bool = false;

/// The bits of scalars, one scalar for each lane.
pub(super) trait Bits {
    /// A mask with all ones in the lanes where bit i of the scalar is set, and zeros in the others.
    fn mask<S: Clmul>(&self, s: S, i: u32) -> S::X;
}

/// All ones if bit i of `k` is set, else 0. `i` is public.
#[inline(always)]
pub(super) fn word_mask(k: &[u64], i: u32) -> u64 {
    (k[i as usize / 64] >> (i % 64) & 1).wrapping_neg()
}

/// The words of one k, the same in every lane.
struct Single<'a>(&'a [u64]);

impl Bits for Single<'_> {
    #[inline(always)]
    fn mask<S: Clmul>(&self, s: S, i: u32) -> S::X {
        s.splat([word_mask(self.0, i); 2])
    }
}

/// The coordinates of k P and (k + 1) P, from the coordinate x of P and the lowest `bits` bits of k.
///
/// The ladder keeps two points P1 and P2 with P2 - P1 = P. A step replaces them by 2 P1 and P1 + P2:
///
/// ```text
/// Z(P1 + P2) = (X1 Z2 + X2 Z1)^2      X(P1 + P2) = x Z(P1 + P2) + X1 Z2 X2 Z1
/// Z(2 P1) = (X1 Z1)^2                 X(2 P1) = (X1 + b^(1/4) Z1)^4
/// ```
///
/// With Z = 0 for infinity, these formulas also hold for equal and for opposite points and for the point of
/// order two. So there are no exceptional k or P, and the ladder can start at infinity with the highest bit.
///
/// A step costs six products (five if b = 1) and four squares; its longest chain is two products and a square.
/// Constant time: the number of steps is public, and bits of k only form masks.
#[inline(always)]
pub(super) fn ladder<F: KernelField, const KOBLITZ: bool, S: Clmul>(
    s: S,
    b: F::Vectors<S>,
    x: F::Vectors<S>,
    bits: u32,
    k: &impl Bits,
) -> [Projective<F::Vectors<S>>; 2] {
    // X1^4 + b Z1^4 = (X1 + b^(1/4) Z1)^4, so the product by a constant moves to the first level, beside the
    // others. The two square roots are taken once.
    // No point ever has X = Z = 0, so X : Z always names a point. For 2 P1, both are 0 only if X1 and Z1 are.
    // For the sum both are 0 only if X1 Z2 = X2 Z1 = 0: then P1 = P2, both infinity or both the point of
    // order two, but they differ by P. This also covers P = infinity, which is stored with x = 0: the ladder
    // takes it for the point of order two, and callers select the result.
    let root = if KOBLITZ { b } else { F::sqrt(s, F::sqrt(s, b)) };
    let (zero, one) = (F::bit(s, 0), F::bit(s, 1));
    // Infinity is 1 : 0, and P is x : 1. As long as the bits of k are 0, a step leaves both: infinity
    // doubled, and infinity plus P with another Z. So leading zeros need no care.
    let (mut r, mut swapped) = ([[one, zero], [x, one]], s.zero());
    let mut i = bits;
    while i > 0 {
        i -= 1;
        // Invariant: r is (k' P, (k' + 1) P) for the bits k' of k above i, in reverse order where `swapped` has
        // ones. Each step swaps only if its bit differs from the last one, so there is one swap for each bit
        // and not two.
        let bit = k.mask(s, i);
        r = swap::<F, S>(s, s.xor(bit, swapped), r);
        swapped = bit;
        r = step::<F, KOBLITZ, S>(s, root, x, r);
    }
    swap::<F, S>(s, swapped, r)
}

/// One step of the [`ladder`]: (P1, P2) becomes (2 P1, P1 + P2). `root` is b^(1/4), and unused if b = 1.
#[inline(always)]
fn step<F: KernelField, const KOBLITZ: bool, S: Clmul>(
    s: S,
    root: F::Vectors<S>,
    x: F::Vectors<S>,
    [[x1, z1], [x2, z2]]: [Projective<F::Vectors<S>>; 2],
) -> [Projective<F::Vectors<S>>; 2] {
    // First level: X1 Z2, X2 Z1, X1 Z1 and b^(1/4) Z1 are independent. Second level: the two products of
    // X(P1 + P2), reduced together. With the square of Z(P1 + P2) between them, this is the longest chain.
    // Coordinates stay below z^(64 W) and are not made canonical: no operation of a step needs it.
    let (left, right) = (F::mul(s, x1, z2), F::mul(s, x2, z1));
    let z_sum = F::square(s, F::add(s, left, right));
    let x_sum = F::mul_add_mul(s, x, z_sum, left, right);
    let z_double = F::square(s, F::mul(s, x1, z1));
    let scaled = if KOBLITZ { z1 } else { F::mul(s, root, z1) };
    let x_double = F::square(s, F::square(s, F::add(s, x1, scaled)));
    [[x_double, z_double], [x_sum, z_sum]]
}

/// Exchanges the points where the mask has ones, without branches.
#[inline(always)]
fn swap<F: KernelField, S: Clmul>(
    s: S,
    mask: S::X,
    [p, q]: [Projective<F::Vectors<S>>; 2],
) -> [Projective<F::Vectors<S>>; 2] {
    [
        // Four selections of a coordinate, the same for every mask.
        [F::select(s, mask, p[0], q[0]), F::select(s, mask, p[1], q[1])],
        [F::select(s, mask, q[0], p[0]), F::select(s, mask, q[1], p[1])],
    ]
}

/// The operands and the place for the results of a ladder for one k and P.
pub struct Job<'a> {
    pub(super) b: &'a [u64],
    pub(super) x: &'a [u64],
    /// The words of k, least significant first.
    pub(super) k: &'a [u64],
    pub(super) bits: u32,
    /// The words of X and Z of k P, then those of X and Z of (k + 1) P.
    pub(super) out: [&'a mut [u64]; 4],
}

/// The kernel of the ladder for one k and P. `KOBLITZ` is for curves with b = 1.
pub(super) struct Ladder<'a, F, const KOBLITZ: bool>(pub(super) Job<'a>, pub(super) PhantomData<F>);

impl<F: KernelField, const KOBLITZ: bool> ClmulKernel for Ladder<'_, F, KOBLITZ> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Job { b, x, k, bits, out } = self.0;
        let points = ladder::<F, KOBLITZ, S>(s, F::constant(s, b), F::load(s, x), bits, &Single(k));
        // `F::store` makes the results canonical, so that Z = 0 outside of the kernel means words that are
        // all 0.
        for (out, coordinate) in out.into_iter().zip(points.into_iter().flatten()) {
            F::store(s, coordinate, out);
        }
    }
}
