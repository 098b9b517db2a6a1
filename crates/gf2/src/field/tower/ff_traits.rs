//! `ff::Field` for elements of quadratic extensions (feature `ff`).
use super::super::ff_traits::ff_traits;
use super::super::{BinaryField, Element};
use super::element::QuadraticElement;

ff_traits! {
    /// Every element has exactly one square root, as for [`Element`]. Random elements have random coefficients.
    QuadraticElement, |rng: &mut R| {
        let mut draw = || <Element<F> as ff::Field>::try_random(rng);
        Ok(Self::from_coefficients([draw()?, draw()?]))
    }
}
