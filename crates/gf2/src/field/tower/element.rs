//! The type of elements of a quadratic extension, with conversions from and to words and bytes.
use super::super::shape::Shape;
use super::super::{Element, ElementError};
use super::{BinaryField, QuadraticWords, assert_irreducible, flat, flat_mut};
use ctutils::Choice;
use zeroize::Zeroize;

/// An element a0 + a1 u of GF(2^m)\[u\]/(u^2 + u + 1), stored as the words of a0 and a1. Both are always canonical.
///
/// All operations are constant time, including comparison with `==`. `Debug` prints the field but no
/// coefficients. Operators detect the backend at each call; [`QuadraticField`](super::QuadraticField) does so once.
#[derive(Clone, Copy)]
pub struct QuadraticElement<F: BinaryField>(QuadraticWords<F>);

impl<F: BinaryField> QuadraticElement<F> {
    /// The number of bytes of an element: 2 ceil(m / 8).
    pub const BYTES: usize = 2 * F::BYTES;

    pub(super) const ZERO: Self = Self::new([F::Shape::ZERO; 2]);
    pub(super) const ONE: Self = Self::new([F::Shape::ONE, F::Shape::ZERO]);

    #[inline]
    pub(crate) const fn new(words: QuadraticWords<F>) -> Self {
        // u^2 + u + 1 has no root in GF(2^m) only if m is odd. For even m this would be no field, so it does not
        // compile.
        const { assert_irreducible::<F>() };
        QuadraticElement(words)
    }

    /// The element 0, the identity of addition.
    #[must_use]
    #[inline]
    pub fn zero() -> Self {
        Self::ZERO
    }

    /// The element 1, the identity of multiplication.
    #[must_use]
    pub fn one() -> Self {
        Self::ONE
    }

    /// The element u, a root of u^2 + u + 1 and so a cube root of 1.
    #[must_use]
    pub fn u() -> Self {
        Self::new([F::Shape::ZERO, F::Shape::ONE])
    }

    /// The element a0 + a1 u with these coefficients.
    #[must_use]
    pub fn from_coefficients([a0, a1]: [Element<F>; 2]) -> Self {
        Self::new([a0.to_words(), a1.to_words()])
    }

    /// The coefficients a0 and a1, in this order.
    #[must_use]
    pub fn coefficients(&self) -> [Element<F>; 2] {
        self.0.map(Element::from_canonical)
    }

    /// The element with these words: W words of a0, then W words of a1, each least significant first.
    ///
    /// # Errors
    /// [`ElementError::Coefficient`] if a0 or a1 has a coefficient of z^m or above. Whether it has is public.
    pub fn from_words(words: QuadraticWords<F>) -> Result<Self, ElementError> {
        for half in words {
            Element::<F>::from_words(half).map_err(|_| ElementError::Coefficient { bits: F::DEGREE })?;
        }
        Ok(Self::new(words))
    }

    /// The words of a0 and of a1, each least significant first, canonical.
    #[must_use]
    #[inline]
    pub fn to_words(&self) -> QuadraticWords<F> {
        self.0
    }

    /// The 2 W words of the element as one slice: those of a0, then those of a1.
    #[must_use]
    #[inline]
    pub fn as_words(&self) -> &[u64] {
        flat::<F>(core::slice::from_ref(&self.0))
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        flat_mut::<F>(core::slice::from_mut(&mut self.0))
    }

    /// The element with these bytes: ceil(m / 8) bytes of a0, then as many of a1, each
    /// in the order of [`Element::from_bytes`].
    ///
    /// # Errors
    /// [`ElementError::Length`] if the number of bytes is not [`BYTES`](Self::BYTES),
    /// [`ElementError::Coefficient`] if a coefficient of z^m or above is set.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ElementError> {
        if bytes.len() != Self::BYTES {
            return Err(ElementError::Length { expected: Self::BYTES, found: bytes.len() });
        }
        let half =
            |bytes| Element::from_bytes(bytes).map_err(|_| ElementError::Coefficient { bits: F::DEGREE });
        let (low, high) = bytes.split_at(F::BYTES);
        Ok(Self::from_coefficients([half(low)?, half(high)?]))
    }

    /// Writes the element as [`BYTES`](Self::BYTES) bytes, in the order of [`from_bytes`](Self::from_bytes).
    ///
    /// # Panics
    /// If `out` has not [`BYTES`](Self::BYTES) bytes.
    #[track_caller]
    pub fn write_bytes(&self, out: &mut [u8]) {
        assert_eq!(out.len(), Self::BYTES, "an element has 2 ceil(m / 8) bytes");
        for (half, out) in self.coefficients().iter().zip(out.chunks_exact_mut(F::BYTES)) {
            half.write_bytes(out);
        }
    }

    /// The conjugate over the base field: a^(2^m) = (a0 + a1) + a1 u.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        let [a0, a1] = self.coefficients();
        // The conjugate of u is the other root, u + 1.
        Self::from_coefficients([a0 + a1, a1])
    }

    /// a u = a1 + (a0 + a1) u.
    #[must_use]
    pub fn mul_u(&self) -> Self {
        let [a0, a1] = self.coefficients();
        // u^2 = u + 1.
        Self::from_coefficients([a1, a0 + a1])
    }

    /// The trace to the base field, the sum of a and its conjugate: a1.
    #[must_use]
    pub fn trace_to_base(&self) -> Element<F> {
        // u and its conjugate u + 1 have the sum 1, so a0 + a1 u and its conjugate have the sum a1.
        let [_, a1] = self.coefficients();
        a1
    }

    /// The trace to F2, a + a^2 + a^4 + ... + a^(2^(2 m - 1)), which is 0 or 1: the trace of a1 in the base field.
    #[must_use]
    pub fn trace(&self) -> Choice {
        self.trace_to_base().trace()
    }

    /// Whether the element is zero, in constant time.
    #[must_use]
    pub fn is_zero(&self) -> Choice {
        let [a0, a1] = self.coefficients();
        // Not `&&`, which would branch on a0.
        a0.is_zero() & a1.is_zero()
    }
}

impl<F: BinaryField> From<Element<F>> for QuadraticElement<F> {
    fn from(a: Element<F>) -> Self {
        Self::from_coefficients([a, Element::zero()])
    }
}

impl<F: BinaryField> Zeroize for QuadraticElement<F> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
