//! The points of a Koblitz curve whose order is 1, 2 or 4: infinity, (0, 1), and (1, 0) and (1, 1) where a = 0.
use super::super::{AffinePoint, BinaryCurve, ElementOf, FieldElement};
use ctutils::{Choice, CtEq, CtSelect};

/// Whether P is one of them.
pub(in crate::curve) fn is_small<C: BinaryCurve>(p: &AffinePoint<C>) -> Choice {
    // At infinity x is 0.
    p.x().is_zero() | p.x().ct_eq(&ElementOf::<C>::one())
}

/// k P for such a P, from the lowest bits of k.
pub(super) fn mul<C: BinaryCurve>(k: u64, p: &AffinePoint<C>) -> AffinePoint<C> {
    let (zero, one) = (ElementOf::<C>::default(), ElementOf::<C>::one());
    let (odd, second) = (Choice::from_u64_lsb(k), Choice::from_u64_lsb(k >> 1));
    let of_order_two = AffinePoint::from_coordinates_unchecked(zero, one);
    let double = of_order_two.ct_select(&AffinePoint::infinity(), p.x().is_zero());
    let even = AffinePoint::infinity().ct_select(&double, second);
    even.ct_select(&p.ct_select(&-*p, second), odd)
}
