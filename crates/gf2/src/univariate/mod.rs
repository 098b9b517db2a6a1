//! Polynomials over any field GF(2^m), of public values.
//!
//! | task | item |
//! |---|---|
//! | sums, products | the operators |
//! | quotient and remainder | [`FieldPoly::div_rem`] |
//! | greatest common divisors | [`FieldPoly::gcd_vartime`] |
//! | powers modulo another | [`FieldPoly::pow_mod_vartime`] |
//! | values at points | [`FieldPoly::values`] |
//! | values on all elements, or on a subspace | [`FieldPoly::values_on_subspace`] |
//! | a polynomial with given values | [`FieldPoly::interpolate_vartime`] |
//! | irreducible factors, roots | [`FieldPoly::factor_vartime`], [`FieldPoly::roots_vartime`] |
//!
//! A product of n coefficients is one product in F2\[X\] of n (2 m - 1) bits (Kronecker's substitution). Long divisions take some four products (Newton). The
//! others take about n^2 products in the field, but values on a subspace some n log n.
//!
//! ```
//! use carryless_gf2::field::DynField;
//! use carryless_gf2::univariate::FieldPoly;
//!
//! let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
//! let a = FieldPoly::from_words(&field, vec![1, 2, 3]);
//! let b = FieldPoly::from_words(&field, vec![5, 1]);
//! let product = &a * &b;
//! assert_eq!(product.div_rem(&b), Some((a, FieldPoly::from_words(&field, vec![]))));
//! // b has the root 5.
//! assert_eq!(product.values(&[5, 0]), [0, 5]);
//! # Ok::<(), carryless_gf2::field::DynFieldError>(())
//! ```
mod division;
mod factor;
mod product;
mod subspace;
mod values;

use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Add;

/// A polynomial over a field that is chosen when the program runs.
///
/// A coefficient has [`words`](DynField::words) words, that of X^0 comes first, and the last one is not 0. So degrees are public. Operands of one
/// operation have the same field, otherwise it panics.
#[derive(Clone)]
pub struct FieldPoly<'f> {
    field: &'f DynField,
    words: Vec<u64>,
}

impl<'f> FieldPoly<'f> {
    /// The polynomial of these coefficients, which may have zeros at the end.
    ///
    /// # Panics
    /// If there is a part of a coefficient, or one has a bit from z^m on.
    #[must_use]
    #[track_caller]
    pub fn from_words(field: &'f DynField, words: Vec<u64>) -> Self {
        assert!(words.len().is_multiple_of(field.words()), "coefficients have {} words", field.words());
        assert!(are_reduced(field, &words), "a coefficient is not reduced");
        FieldPoly::trimmed(field, words)
    }

    /// The polynomial of reduced coefficients, without the zeros at their end.
    fn trimmed(field: &'f DynField, mut words: Vec<u64>) -> Self {
        let used = words.iter().rposition(|&word| word != 0).map_or(0, |last| last / field.words() + 1);
        words.truncate(used * field.words());
        FieldPoly { field, words }
    }

    fn one(field: &'f DynField) -> Self {
        let mut words = vec![0; field.words()];
        words[0] = 1;
        FieldPoly { field, words }
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &'f DynField {
        self.field
    }

    /// All coefficients, that of X^0 first.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The degree; `None` for 0.
    #[must_use]
    pub fn degree(&self) -> Option<usize> {
        self.len().checked_sub(1)
    }

    /// The number of coefficients, one more than the degree.
    fn len(&self) -> usize {
        self.words.len() / self.field.words()
    }

    /// The highest coefficient, which is not 0; no words for 0.
    fn lead(&self) -> &[u64] {
        self.words.chunks_exact(self.field.words()).next_back().unwrap_or_default()
    }

    /// This times an element.
    fn scaled(&self, by: &[u64]) -> Self {
        let mut words = vec![0; self.words.len()];
        self.field.scale_slice(&self.words, by, &mut words);
        FieldPoly::trimmed(self.field, words)
    }

    /// The remainder modulo X^n.
    fn low(&self, n: usize) -> Self {
        let n = n.min(self.len()) * self.field.words();
        FieldPoly::trimmed(self.field, self.words[..n].to_vec())
    }

    /// X^(n - 1) times this at 1 / X, for n coefficients at most.
    fn reversed(&self, n: usize) -> Self {
        let mut words = vec![0; (n - self.len()) * self.field.words()];
        self.words.rchunks_exact(self.field.words()).for_each(|element| words.extend(element));
        FieldPoly::trimmed(self.field, words)
    }

    #[track_caller]
    fn check_field(&self, other: &Self) {
        assert_eq!(self.field.exponents(), other.field.exponents(), "polynomials over the same field");
    }
}

/// Whether no element has a bit from z^m on.
fn are_reduced(field: &DynField, elements: &[u64]) -> bool {
    let unused = 64 * field.words() - field.degree();
    let reduced = |element: &[u64]| element.last().is_none_or(|top| top.leading_zeros() as usize >= unused);
    elements.chunks_exact(field.words()).all(reduced)
}

impl<'f> Add for &FieldPoly<'f> {
    type Output = FieldPoly<'f>;

    /// # Panics
    /// If the fields differ.
    #[allow(clippy::suspicious_arithmetic_impl, reason = "1 + 1 = 0")]
    #[track_caller]
    fn add(self, other: Self) -> FieldPoly<'f> {
        self.check_field(other);
        let (long, short) = if self.words.len() < other.words.len() { (other, self) } else { (self, other) };
        let mut words = long.words.clone();
        words.iter_mut().zip(&short.words).for_each(|(word, add)| *word ^= add);
        FieldPoly::trimmed(self.field, words)
    }
}

impl PartialEq for FieldPoly<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.field == other.field && self.words == other.words
    }
}

impl Eq for FieldPoly<'_> {}

impl fmt::Debug for FieldPoly<'_> {
    /// The words in hexadecimal, that of X^0 first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FieldPoly(GF(2^{}), {:x?})", self.field.degree(), self.words)
    }
}
