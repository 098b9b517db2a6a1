//! Operations on each element of an array, alone or with the element of another array at the same index.
//!
//! Operations in place copy a block of up to 64 KiB at a time, on each thread.
use super::blocks::{add_to, add_to_all};
use super::{Array, ArrayError};
use crate::field::operations::Field;
use crate::field::{BinaryField, Element, FieldWords};
use alloc::vec::Vec;
use ctutils::Choice;

impl<F: BinaryField> Array<F> {
    /// The sums of the elements of both arrays, index by index.
    ///
    /// # Errors
    /// [`ArrayError::Length`] if the arrays differ in length.
    pub fn add(&self, other: &Self) -> Result<Self, ArrayError> {
        let mut sums = self.clone();
        sums.add_in_place(other)?;
        Ok(sums)
    }

    /// Adds the elements of `other`, as [`add`](Array::add) but in place.
    ///
    /// # Errors
    /// [`ArrayError::Length`] if the arrays differ in length; then nothing was changed.
    pub fn add_in_place(&mut self, other: &Self) -> Result<(), ArrayError> {
        other.expect_len(self.len())?;
        add_to::<F>(&mut self.words, &other.words);
        Ok(())
    }

    /// The products of the elements of both arrays, index by index.
    ///
    /// # Errors
    /// [`ArrayError::Length`] if the arrays differ in length.
    pub fn mul(&self, other: &Self) -> Result<Self, ArrayError> {
        other.expect_len(self.len())?;
        let field = Field::<F>::new();
        Ok(self.map(|at, a, out| field.mul_slices(a, &other.words[at], out)))
    }

    /// Multiplies by the elements of `other`, as [`mul`](Array::mul) but in place.
    ///
    /// # Errors
    /// [`ArrayError::Length`] if the arrays differ in length; then nothing was changed.
    pub fn mul_in_place(&mut self, other: &Self) -> Result<(), ArrayError> {
        other.expect_len(self.len())?;
        let field = Field::<F>::new();
        self.map_in_place(|at, a, out| field.mul_slices(a, &other.words[at], out));
        Ok(())
    }

    /// The sums of each element and `scalar`.
    #[must_use]
    pub fn add_scalar(&self, scalar: &Element<F>) -> Self {
        let mut sums = self.clone();
        sums.add_scalar_in_place(scalar);
        sums
    }

    /// Adds `scalar` to each element, as [`add_scalar`](Array::add_scalar) but in place.
    pub fn add_scalar_in_place(&mut self, scalar: &Element<F>) {
        add_to_all::<F>(&mut self.words, &scalar.to_words());
    }

    /// The products of each element and `scalar`.
    #[must_use]
    pub fn mul_scalar(&self, scalar: &Element<F>) -> Self {
        let field = Field::<F>::new();
        self.map(|_, a, out| field.scale_slice(a, scalar, out))
    }

    /// Multiplies each element by `scalar`, as [`mul_scalar`](Array::mul_scalar) but in place.
    pub fn mul_scalar_in_place(&mut self, scalar: &Element<F>) {
        let field = Field::<F>::new();
        self.map_in_place(|_, a, out| field.scale_slice(a, scalar, out));
    }

    /// The squares of all elements, in order.
    #[must_use]
    pub fn square(&self) -> Self {
        let field = Field::<F>::new();
        self.map(|_, a, out| field.square_slice(a, out))
    }

    /// Squares each element, as [`square`](Array::square) but in place.
    pub fn square_in_place(&mut self) {
        let field = Field::<F>::new();
        self.map_in_place(|_, a, out| field.square_slice(a, out));
    }

    /// The square roots of all elements, in order. Every element has exactly one.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        let field = Field::<F>::new();
        self.map(|_, a, out| field.sqrt_slice(a, out))
    }

    /// Replaces each element by its square root, as [`sqrt`](Array::sqrt) but in place.
    pub fn sqrt_in_place(&mut self) {
        let field = Field::<F>::new();
        self.map_in_place(|_, a, out| field.sqrt_slice(a, out));
    }

    /// The powers a^n of all elements a, in order; 0^0 is 1. n is public: the time depends on it.
    #[must_use]
    pub fn pow(&self, n: u64) -> Self {
        let field = Field::<F>::new();
        self.map(|_, a, out| power(&field, a, n, out))
    }

    /// Raises each element to the power n, as [`pow`](Array::pow) but in place.
    pub fn pow_in_place(&mut self, n: u64) {
        let field = Field::<F>::new();
        self.map_in_place(|_, a, out| power(&field, a, n, out));
    }

    /// The inverses of all elements, in order, by [`Field::batch_invert`].
    ///
    /// # Errors
    /// [`ArrayError::Zero`] with the index of the first zero, if there is one. The index becomes public.
    pub fn invert(&self) -> Result<Self, ArrayError> {
        self.expect_no_zero()?;
        Ok(self.invert_or_zero())
    }

    /// Inverts each element, as [`invert`](Array::invert) but in place.
    ///
    /// # Errors
    /// [`ArrayError::Zero`] with the index of the first zero; then nothing was changed.
    pub fn invert_in_place(&mut self) -> Result<(), ArrayError> {
        self.expect_no_zero()?;
        self.invert_or_zero_in_place();
        Ok(())
    }

    /// The inverses of all elements, and 0 for 0, in constant time.
    #[must_use]
    pub fn invert_or_zero(&self) -> Self {
        let field = Field::<F>::new();
        self.map(|_, a, out| field.batch_invert(a, out))
    }

    /// Inverts each element, as [`invert_or_zero`](Array::invert_or_zero) but in place.
    pub fn invert_or_zero_in_place(&mut self) {
        let field = Field::<F>::new();
        self.map_in_place(|_, a, out| field.batch_invert(a, out));
    }

    /// [`ArrayError::Zero`] with the index of the first zero, if there is one.
    fn expect_no_zero(&self) -> Result<(), ArrayError> {
        self.first(|a| a.is_zero()).map_or(Ok(()), |index| Err(ArrayError::Zero { index }))
    }

    /// The index of the first element with this property.
    ///
    /// The first pass reads all elements in constant time. Only if one has the property does a
    /// second pass reveal its index.
    pub(super) fn first(&self, property: impl Fn(Element<F>) -> Choice) -> Option<usize> {
        // No early exit: how many elements come before the first one stays secret unless there is one.
        let any = self.iter().fold(Choice::FALSE, |any, a| any | property(a));
        if any.to_bool() { self.iter().position(|a| property(a).to_bool()) } else { None }
    }

    /// The traces of all elements, in order, each 0 or 1.
    #[must_use]
    pub fn traces(&self) -> Vec<Choice> {
        self.iter().map(|a| a.trace()).collect()
    }
}

/// Sets `out[i]` to `a[i]^n`, by squarings and products along the bits of n from the second highest down.
fn power<F: BinaryField>(field: &Field<F>, a: &[FieldWords<F>], n: u64, out: &mut [FieldWords<F>]) {
    let Some(top) = n.checked_ilog2() else {
        return out.fill(Element::<F>::one().to_words());
    };
    // Invariant: power[i] = a[i]^(n >> (bit + 1)) before each bit. Two arrays take turns, because slices are
    // not squared in place.
    let (mut power, mut next) = (Array::<F> { words: a.to_vec() }, Array::zeros(a.len()));
    for bit in (0..top).rev() {
        field.square_slice(&power.words, &mut next.words);
        if n >> bit & 1 == 1 {
            field.mul_slices(&next.words, a, &mut power.words);
        } else {
            core::mem::swap(&mut power, &mut next);
        }
    }
    out.copy_from_slice(&power.words);
}
