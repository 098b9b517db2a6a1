//! Formulas for points in lambda coordinates inside kernels (Oliveira, Lopez, Aranha and Rodriguez-Henriquez,
//! 2013).
//!
//! With lambda = x + y / x, a point (X, L, Z) has x = X / Z and lambda = L / Z; infinity has Z = 0. The negative of
//! (X, L, Z) is (X, L + Z, Z).
//!
//! The point of order two has x = 0 and so no lambda. Neither operands nor results may be that point: a result that should
//! be has Z = 0 and reads as infinity. No group of odd order has it.
//!
//! Coordinates have up to 64 W bits, on the way in and out, and are not canonical. All functions are straight-line code,
//! in constant time.
//!
//! Infinity must have L != 0 on the way in, and has it on the way out. As a sum P - P of finite points it is X : X : 0 with
//! X != 0, on which the conversion in `gls` relies.
use crate::field::KernelField;
use carryless_lanes::Clmul;

/// The projective coordinates X, L, Z.
pub(super) type Lambda<V> = [V; 3];

/// The affine coordinates x and lambda, where Z = 1.
pub(super) type LambdaAffine<V> = [V; 2];

/// The double 2 P; infinity for infinity. P may not have order 4, as 2 P has order two then. Costs five products (one by
/// a) and four squares.
///
/// ```text
/// T = L^2 + L Z + a Z^2    X' = T^2    Z' = T Z^2    L' = (X Z)^2 + X' + T L Z + Z'
/// ```
#[inline(always)]
pub(super) fn double<F: KernelField, S: Clmul>(
    s: S,
    a: F::Vectors<S>,
    [x, l, z]: Lambda<F::Vectors<S>>,
) -> Lambda<F::Vectors<S>> {
    // x(2 P) = lambda^2 + lambda + a = T / Z^2 = X' / Z', and
    // lambda(2 P) = x^2 / x(2 P) + x(2 P) + lambda + 1.
    // For Z = 0, T = L^2, so the result is L^4 : L^4 : 0, infinity again. T = 0 means that 2 P has order two:
    // the result reads as infinity and is wrong. Points of odd order never get there.
    // The longest chain is a square and two products: Z^2, a Z^2, and a product by T.
    let (lz, zz) = (F::mul(s, l, z), F::square(s, z));
    let t = F::add(s, F::add(s, F::square(s, l), lz), F::mul(s, a, zz));
    let (x_out, z_out) = (F::square(s, t), F::mul(s, t, zz));
    let sum = F::add(s, F::square(s, F::mul(s, x, z)), F::mul(s, t, lz));
    [x_out, F::add(s, sum, F::add(s, x_out, z_out)), z_out]
}

/// The sum P + Q for an affine Q, where P is neither Q nor infinity. Costs eight products and two squares.
///
/// ```text
/// A = L1 + lambda2 Z1      B = (X1 + x2 Z1)^2
/// X' = (A X1)(A x2 Z1)     Z' = A B Z1    L' = (A x2 Z1 + B)^2 + A B (L1 + Z1)
/// ```
///
/// For P = -Q the result has Z' = 0, which is infinity. For P = Q, for P = infinity and for a sum of order two it is wrong:
/// callers must exclude these.
#[inline(always)]
pub(super) fn add<F: KernelField, S: Clmul>(
    s: S,
    p: Lambda<F::Vectors<S>>,
    q: LambdaAffine<F::Vectors<S>>,
) -> Lambda<F::Vectors<S>> {
    let ([x1, l1, z1], [x2, l2]) = (p, q);
    // A / Z1 = lambda1 + lambda2 and B / Z1^2 = (x1 + x2)^2: the differences over the common denominator. So
    // x(P + Q) = X' / Z' = A X1 x2 / B.
    // B = 0 only if P = Q or P = -Q. For P = -Q, A = Z1 and the result is X' : X' : 0. For P = Q, A = 0 too
    // and the result is 0 : 0 : 0, no point at all. A = 0 with B != 0 means a sum of order two: the result reads
    // as infinity. For P = infinity, Z' = 0, so the sum reads as infinity instead of Q.
    let xz = F::mul(s, x2, z1);
    let a = F::add(s, l1, F::mul(s, l2, z1));
    let b = F::square(s, F::add(s, x1, xz));
    let (ab, axz) = (F::mul(s, a, b), F::mul(s, a, xz));
    let x_out = F::mul(s, F::mul(s, a, x1), axz);
    let l_out = F::add(s, F::square(s, F::add(s, axz, b)), F::mul(s, ab, F::add(s, l1, z1)));
    [x_out, l_out, F::mul(s, ab, z1)]
}

/// The sum P + Q, where P is not Q, neither is infinity, and the sum has not order two: [`add`] with the coordinates of Q
/// over Z2. Costs eleven products and two squares.
///
/// For P = -Q the result has Z' = 0, which is infinity.
#[inline(always)]
pub(super) fn add_projective<F: KernelField, S: Clmul>(
    s: S,
    p: Lambda<F::Vectors<S>>,
    q: Lambda<F::Vectors<S>>,
) -> Lambda<F::Vectors<S>> {
    add_with_differences::<F, S>(s, p, q).sum
}

/// A sum with intermediate values: x1 + x2 and lambda1 + lambda2, both times Z1 Z2.
struct Addition<V> {
    sum: Lambda<V>,
    dx: V,
    dl: V,
}

/// [`add_projective`], which also returns the differences that tell whether P = Q.
#[inline(always)]
fn add_with_differences<F: KernelField, S: Clmul>(
    s: S,
    [x1, l1, z1]: Lambda<F::Vectors<S>>,
    [x2, l2, z2]: Lambda<F::Vectors<S>>,
) -> Addition<F::Vectors<S>> {
    // `add` with X1 Z2, L1 Z2 and Z1 Z2 for X1, L1 and Z1, and X2, L2, Z2 for x2 and lambda2. `dx` and `a`
    // are the differences of x and lambda, times Z1 Z2. L' needs A B (L1 + Z1) Z2 only: so the factor Z2 goes
    // into `abz`, once for L' and Z'.
    let (xz1, xz2) = (F::mul(s, x1, z2), F::mul(s, x2, z1));
    let a = F::add(s, F::mul(s, l1, z2), F::mul(s, l2, z1));
    let dx = F::add(s, xz1, xz2);
    let b = F::square(s, dx);
    let (abz, axz) = (F::mul(s, F::mul(s, a, b), z2), F::mul(s, a, xz2));
    let x_out = F::mul(s, F::mul(s, a, xz1), axz);
    let l_out = F::add(s, F::square(s, F::add(s, axz, b)), F::mul(s, abz, F::add(s, l1, z1)));
    Addition { sum: [x_out, l_out, F::mul(s, abz, z1)], dx, dl: a }
}

/// The sum P + Q, on a backend of one lane: P may be Q, -Q or infinity, and Q may be infinity. Only a P + Q of order two
/// is excluded. `coefficient` is a. Costs 16 products and six squares.
///
/// The sum and the double are both computed, and masks select: 2 P if P = Q, and the other point if one is infinity.
#[inline(always)]
pub(super) fn add_complete<F: KernelField, S: Clmul>(
    s: S,
    coefficient: F::Vectors<S>,
    p: Lambda<F::Vectors<S>>,
    q: Lambda<F::Vectors<S>>,
) -> Lambda<F::Vectors<S>> {
    let ([_, _, z1], [_, _, z2]) = (p, q);
    let Addition { sum, dx, dl } = add_with_differences::<F, S>(s, p, q);
    // Equal x and lambda mean P = Q, and P = -Q has equal x only: there `sum` is infinity already. With a Z
    // of 0 the differences say nothing, but then the last two lines decide. If both are infinity, the last
    // line returns P.
    // The double is computed in every case, so that its time does not tell which points are equal. The tests
    // for zero make elements canonical, because multiples of f are zeros too.
    let equal = s.and(F::is_zero(s, dx), F::is_zero(s, dl));
    let sum = select::<F, S>(s, equal, sum, double::<F, S>(s, coefficient, p));
    let sum = select::<F, S>(s, F::is_zero(s, z1), sum, q);
    select::<F, S>(s, F::is_zero(s, z2), sum, p)
}

/// The point (x^2, y^2), which is on the same curve if a and b are 0 or 1, as on Koblitz curves. Its lambda is the square
/// of that of P. Costs three squares.
#[inline(always)]
pub(super) fn frobenius<F: KernelField, S: Clmul>(
    s: S,
    [x, l, z]: Lambda<F::Vectors<S>>,
) -> Lambda<F::Vectors<S>> {
    [F::square(s, x), F::square(s, l), F::square(s, z)]
}

/// Selects a point without branches: q where the mask has ones, p where it has zeros.
#[inline(always)]
fn select<F: KernelField, S: Clmul>(
    s: S,
    mask: S::X,
    p: Lambda<F::Vectors<S>>,
    q: Lambda<F::Vectors<S>>,
) -> Lambda<F::Vectors<S>> {
    [F::select(s, mask, p[0], q[0]), F::select(s, mask, p[1], q[1]), F::select(s, mask, p[2], q[2])]
}
