//! Formulas for points in Pornin's coordinates x and s inside kernels ("Efficient and Complete Formulas for
//! Binary Curves", 2022), with two coordinates in twins.
//!
//! The formulas are for the curve of the points (x^2, y^2) of a curve with psi. Its a is u + 1. The square root
//! of its constant is the b of the original curve, a word of the base field; this is the b of the formulas.
//!
//! Let s be y + x^2 + a x. A point has x = X / Z, s = S / Z^2 and T = X Z. So s / x = lambda + a = S / T.
//! Infinity is X : S : Z = 1 : 1 : 0, and N, the point of order two, is 0 : b : 1.
//!
//! A point is of odd order or, with N added to such a point, *shifted*. Shifted points have Z != 0; N is the
//! shifted infinity. P + N is b Z : b (S + T) : X.
use super::twins::{
    Twins, add, blend, conjugate, mul, mul_add_second, one, repeat, select, square, swap, times_u,
    times_word, zero,
};
use crate::field::BinaryField;
use carryless_lanes::Clmul;

#[derive(Clone, Copy)]
pub(in crate::curve) struct Point<T> {
    /// The coordinates X and Z.
    pub(in crate::curve) xz: T,
    /// The coordinates T and S.
    pub(in crate::curve) ts: T,
}

/// A chain of doublings, for every point. Each costs three products, six squares and a product by b; only
/// one product waits for another.
///
/// ```text
/// D = X^2 + b Z^2    X' = D^2    Z' = T^2    T' = (D T)^2    S' = (D (S + a T) + b Z^2 T)^2
/// ```
///
/// They follow from the formulas for lambda and the equation of the curve, T S = D^2 + S^2 + a^2 T^2. X' and Z'
/// are both 0 only if X and Z are. If P is shifted, 2 P is of odd order.
pub(in crate::curve) struct Doubling<F: BinaryField, S: Clmul> {
    /// The point 2^i P after i steps.
    pub(in crate::curve) point: Point<Twins<F, S>>,
    /// X^2 and b Z^2 of this point, computed ahead for the next step.
    pq: Twins<F, S>,
}

impl<F: BinaryField, S: Clmul> Doubling<F, S> {
    /// Begins a chain at any point, the neutral one included. Costs two squares and a product by b.
    #[inline(always)]
    pub(in crate::curve) fn new(s: S, b: S::X, point: Point<Twins<F, S>>) -> Self {
        Doubling { point, pq: squares_times_b::<F, S>(s, b, point.xz) }
    }

    /// Replaces the point by its double. Costs three products, six squares and a product by b.
    #[inline(always)]
    pub(in crate::curve) fn step(&mut self, s: S, b: S::X) {
        let (pq, ts) = (self.pq, self.point.ts);
        let (d, st) = (add::<F, S>(s, pq, swap::<F, S>(s, pq)), swap::<F, S>(s, ts));
        // The twins of `pq` are X^2 and b Z^2, those of `ts` T and S; `d` has D = X^2 + b Z^2 twice. `at` is
        // a S and a T for a = u + 1. First D T, and D (S + a T) + b Z^2 T: three products, none of which
        // waits for another. Then two squares of them, and two for X' and Z'.
        let at = add::<F, S>(s, st, times_u::<F, S>(s, st));
        let factor = blend::<F, S>(s, ts, add::<F, S>(s, ts, at));
        self.point.ts = square::<F, S>(s, mul_add_second::<F, S>(s, [d, factor], [pq, st]));
        self.point.xz = square::<F, S>(s, blend::<F, S>(s, d, st));
        self.pq = squares_times_b::<F, S>(s, b, self.point.xz);
    }
}

/// X^2 and b Z^2 from X and Z: two squares and a product by b.
#[inline(always)]
fn squares_times_b<F: BinaryField, S: Clmul>(s: S, b: S::X, xz: Twins<F, S>) -> Twins<F, S> {
    let squares = square::<F, S>(s, xz);
    blend::<F, S>(s, squares, times_word::<F, S>(s, squares, b))
}

/// The double 2 P, for every point.
#[inline(always)]
pub(in crate::curve) fn double<F: BinaryField, S: Clmul>(
    s: S,
    b: S::X,
    p: Point<Twins<F, S>>,
) -> Point<Twins<F, S>> {
    // The step also prepares the next one: two squares and a product by b that are not used here.
    let mut doubling = Doubling::<F, S>::new(s, b, p);
    doubling.step(s, b);
    doubling.point
}

/// The sum P + Q for every P of odd order and every shifted Q; it is shifted. Costs nine products and two squares.
///
/// ```text
/// F = (X2 Z1)^2    X' = S1 T2 + S2 T1    Z' = F + (X1 Z2)^2    T' = X' Z'    S' = Z' (S2 (S1 + T1) + a^2 T1 T2) + F X'
/// ```
///
/// Z' is not 0, because a point of odd order and a shifted one have different x. This is Pornin's P + Q + N
/// with P + N for P, divided by b^2.
#[inline(always)]
pub(in crate::curve) fn add_points<F: BinaryField, S: Clmul>(
    s: S,
    p: Point<Twins<F, S>>,
    q: Point<Twins<F, S>>,
) -> Point<Twins<F, S>> {
    // The twins are (X1 Z2)^2 and F, then T1 T2 and S1 S2, then T1 S2 and S1 T2. Four multiplications of
    // twins in two levels, in place of nine products of elements.
    // `first` has T1 S2 + u T1 T2 in its first place. a^2 = (u + 1)^2 = u, so adding S1 S2 makes the second
    // factor of S', which is S2 (S1 + T1) + a^2 T1 T2.
    let crosses = square::<F, S>(s, mul::<F, S>(s, p.xz, swap::<F, S>(s, q.xz)));
    let products = mul::<F, S>(s, p.ts, q.ts);
    let mixed = mul::<F, S>(s, p.ts, swap::<F, S>(s, q.ts));
    let z = add::<F, S>(s, crosses, swap::<F, S>(s, crosses));
    let x = add::<F, S>(s, mixed, swap::<F, S>(s, mixed));
    let first = add::<F, S>(s, mixed, times_u::<F, S>(s, products));
    let factor = add::<F, S>(s, products, swap::<F, S>(s, first));
    let ts = mul_add_second::<F, S>(s, [z, blend::<F, S>(s, x, factor)], [crosses, x]);
    Point { xz: blend::<F, S>(s, x, z), ts }
}

/// The sum P + Q + N, which is shifted, for shifted P and Q in affine coordinates x and s. Costs six products,
/// a square and three products by b.
///
/// ```text
/// F = (x1 x2)^2    X' / b = s1 x2 + s2 x1 + x1 x2    Z' = F + b^2
/// T' = X' Z'       S' / b = Z' (s1 s2 + a^2 x1 x2) + F X' / b
/// ```
///
/// Z' is not 0, because x1 x2 = b only if Q is P + N or -P + N.
///
/// [`affine_products`] is the first half.
#[inline(always)]
pub(in crate::curve) fn sum_of_products<F: BinaryField, S: Clmul>(
    s: S,
    b: S::X,
    [products, of_sums]: [Twins<F, S>; 2],
) -> Point<Twins<F, S>> {
    // (s1 + x1)(s2 + x2) + s1 s2 is s1 x2 + s2 x1 + x1 x2, which is X' / b. b^2 depends on the curve alone,
    // and is not counted. The last lines multiply X', T' and S' by b: three short products, as b is one word.
    // Z' stays, because x = X / Z, s = S / Z^2 and T = X Z.
    let x = add::<F, S>(s, of_sums, repeat::<F, S>(s, products, 1));
    let f = repeat::<F, S>(s, square::<F, S>(s, products), 0);
    let z = add::<F, S>(s, f, times_word::<F, S>(s, times_word::<F, S>(s, one::<F, S>(s), b), b));
    let first = times_u::<F, S>(s, products);
    let factor = add::<F, S>(s, products, swap::<F, S>(s, first));
    let ts = mul_add_second::<F, S>(s, [z, blend::<F, S>(s, x, factor)], [f, x]);
    let xz = blend::<F, S>(s, times_word::<F, S>(s, x, b), z);
    Point { xz, ts: times_word::<F, S>(s, ts, b) }
}

/// The products of [`sum_of_products`]: x1 x2 and s1 s2, then (s1 + x1)(s2 + x2) twice.
#[inline(always)]
pub(in crate::curve) fn affine_products<F: BinaryField, S: Clmul>(
    s: S,
    p: Twins<F, S>,
    q: Twins<F, S>,
) -> [Twins<F, S>; 2] {
    let (p_sums, q_sums) = (add::<F, S>(s, p, swap::<F, S>(s, p)), add::<F, S>(s, q, swap::<F, S>(s, q)));
    [mul::<F, S>(s, p, q), mul::<F, S>(s, p_sums, q_sums)]
}

/// The image psi(P) in coordinates x and s: both are conjugated, then u x^q or (u + 1) x^q is added to s.
#[inline(always)]
pub(in crate::curve) fn psi<F: BinaryField, S: Clmul>(s: S, p: Twins<F, S>, adds_one: bool) -> Twins<F, S> {
    // s = x (lambda + a) and psi adds a constant to lambda^q, so it maps s to s^q + c x^q with c = u or
    // c = u + 1. Both products by c are sums of the coefficients of x^q.
    let conjugates = conjugate::<F, S>(s, p);
    let x = swap::<F, S>(s, conjugates);
    let ux = times_u::<F, S>(s, x);
    let shift = if adds_one { add::<F, S>(s, ux, x) } else { ux };
    blend::<F, S>(s, conjugates, add::<F, S>(s, conjugates, shift))
}

/// The negative of a point in coordinates x and s, where the mask has ones: s + x.
#[inline(always)]
pub(in crate::curve) fn negate<F: BinaryField, S: Clmul>(s: S, mask: S::X, p: Twins<F, S>) -> Twins<F, S> {
    // The twins (0, x): adding them changes s only.
    let x = blend::<F, S>(s, zero::<F, S>(s), swap::<F, S>(s, p));
    add::<F, S>(s, p, select::<F, S>(s, mask, zero::<F, S>(s), x))
}
