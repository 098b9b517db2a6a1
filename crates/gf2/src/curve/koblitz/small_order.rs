//! The points of order 1, 2 or 4 on a Koblitz curve: infinity, (0, 1), and for a = 0 also (1, 0) and (1, 1).
use super::super::{AffinePoint, BinaryCurve, ElementOf, FieldElement};
use ctutils::{Choice, CtEq, CtSelect};

/// Whether P has order 1, 2 or 4. Constant time.
pub(in crate::curve) fn is_small<C: BinaryCurve>(p: &AffinePoint<C>) -> Choice {
    // Infinity is stored with x = 0, and (0, 1) has it too. The points with x = 1 are those of order 4:
    // doubling gives x^2 + b / x^2 = 1 + 1 = 0. For a = 1 there are none, as y^2 + y = 1 has no solution for
    // odd m.
    p.x().is_zero() | p.x().ct_eq(&ElementOf::<C>::one())
}

/// The product k P for such a P. It depends only on the two lowest bits of k. Constant time.
pub(super) fn mul<C: BinaryCurve>(k: u64, p: &AffinePoint<C>) -> AffinePoint<C> {
    let (zero, one) = (ElementOf::<C>::default(), ElementOf::<C>::one());
    // k mod 4 = 0: infinity; 1: P; 2: 2 P; 3: -P. For a P of order 4, 2 P is (0, 1); otherwise it is infinity.
    let (odd, second) = (Choice::from_u64_lsb(k), Choice::from_u64_lsb(k >> 1));
    let of_order_two = AffinePoint::from_coordinates_unchecked(zero, one);
    let double = of_order_two.ct_select(&AffinePoint::infinity(), p.x().is_zero());
    let even = AffinePoint::infinity().ct_select(&double, second);
    even.ct_select(&p.ct_select(&-*p, second), odd)
}
