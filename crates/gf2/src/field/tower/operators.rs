//! Operators on elements of a quadratic extension, and the methods that need its arithmetic.
use super::super::Element;
use super::super::operators::operators;
use super::BinaryField;
use super::element::QuadraticElement;
use super::operations::{Inverse, Product, QuadraticField, Solution, Square, SquareRoot};
use core::ops::{Mul, MulAssign};
use ctutils::CtOption;

operators! { QuadraticElement, QuadraticField }

impl<F: BinaryField> MulAssign<Element<F>> for QuadraticElement<F> {
    fn mul_assign(&mut self, other: Element<F>) {
        *self = QuadraticField::new().mul_base(self, &other);
    }
}

impl<F: BinaryField> Mul<Element<F>> for QuadraticElement<F> {
    type Output = Self;
    fn mul(mut self, other: Element<F>) -> Self {
        self *= other;
        self
    }
}

impl<F: BinaryField> QuadraticElement<F> {
    /// The power a^(2^k), by k mod m squarings of both coefficients. k is public.
    #[must_use]
    pub fn frobenius(&self, k: usize) -> Self {
        QuadraticField::new().frobenius(self, k)
    }

    /// The norm to the base field, the product of a and its conjugate: a0^2 + a0 a1 + a1^2.
    #[must_use]
    pub fn norm(&self) -> Element<F> {
        QuadraticField::new().norm(self)
    }
}
