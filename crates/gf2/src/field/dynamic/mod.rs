//! Fields whose f is given at run time.
mod barrett;
mod group;
mod operations;
mod packed;
mod prepared;
mod sizes;
mod slices;
mod small;

use super::constants::{MAX_WORDS, is_polynomial, trace_mask};
use crate::algebra::Poly;
use crate::poly::Modulus;
use crate::poly::modular::Short;
use alloc::vec::Vec;
use barrett::Barrett;
use carryless_lanes::ClmulCpu;
use core::fmt;
use core::ops::RangeInclusive;
pub use group::{Group, Logarithms};
pub use prepared::DynInverse;
use small::Small;

/// The words of an element, padded with zeros.
type Words = [u64; MAX_WORDS];

/// GF(2^m) = F2\[z\]/f on one backend, for a public f given at run time, with any number of terms.
///
/// Elements are slices of [`words`](DynField::words) words, least significant first: bit i of word j is the
/// coefficient of z^(64 j + i). Operands may have bits from z^m on; results have none. All operations run in
/// constant time with respect to elements. For m = 1 both f, z and z + 1, give GF(2).
///
/// No kernel is compiled for a single f. An f of up to 640 bits with few terms, far below z^m, uses the
/// kernels of [`Plan::mul_mod`](crate::poly::Plan::mul_mod). Any other f of up to 128 bits uses kernels
/// for its number of words, and longer ones use products of polynomials in memory. Where f is known at
/// compile time, [`Field`](super::Field) is faster.
///
/// Operations on slices of many elements, such as [`mul_slices`](DynField::mul_slices), take
/// less time for each element.
///
/// ```
/// use carryless_gf2::field::DynField;
///
/// let field = DynField::from_exponents(&[233, 74, 0])?;
/// let (a, mut square, mut product) = ([7; 4], [0; 4], [0; 4]);
/// field.square(&a, &mut square);
/// field.mul(&a, &a, &mut product);
/// assert_eq!(square, product);
/// assert!(DynField::from_exponents(&[233, 75, 0]).is_err()); // reducible
/// # Ok::<(), carryless_gf2::field::DynFieldError>(())
/// ```
#[derive(Clone)]
pub struct DynField {
    cpu: ClmulCpu,
    /// The exponents of f, from m down to 0.
    exponents: Vec<usize>,
    words: usize,
    /// The constants for reduction by products with T, if the terms of f below z^m are far below.
    short: Option<Short>,
    barrett: Barrett,
    /// The constants for operations on slices, if m is at most 32.
    small: Option<Small>,
    sqrt_z: Words,
    trace_mask: Words,
}

/// The reason why a polynomial defines no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DynFieldError {
    /// The degree of f is not in [`DynField::DEGREES`].
    Degree {
        /// The degree of f, or `None` if f is 0.
        found: Option<usize>,
    },
    /// f is a product of polynomials of lower degree.
    Reducible,
}

impl fmt::Display for DynFieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (DynField::DEGREES.start(), DynField::DEGREES.end());
        match self {
            DynFieldError::Degree { found: None } => f.write_str("the polynomial of a field is not 0"),
            DynFieldError::Degree { found: Some(degree) } => {
                write!(
                    f,
                    "a polynomial of degree {degree}, where a field has one of degree {least} to {most}"
                )
            }
            DynFieldError::Reducible => f.write_str("the polynomial is reducible, so that it makes no field"),
        }
    }
}

impl core::error::Error for DynFieldError {}

impl DynField {
    /// The range of degrees that f may have.
    pub const DEGREES: RangeInclusive<usize> = 1..=1279;

    /// The field F2\[z\]/f on the best backend of this CPU. Rabin's test checks that f is irreducible, at
    /// the cost of m squarings.
    ///
    /// # Errors
    /// [`DynFieldError`] if f is reducible, or if its degree is out of range.
    pub fn new(f: &Poly) -> Result<DynField, DynFieldError> {
        DynField::on(ClmulCpu::detect(), f)
    }

    /// The field F2\[z\]/f on the given backend, as [`new`](DynField::new).
    ///
    /// # Errors
    /// [`DynFieldError`] if f is reducible, or if its degree is out of range.
    pub fn on(cpu: ClmulCpu, f: &Poly) -> Result<DynField, DynFieldError> {
        let degree = f.degree().filter(|degree| DynField::DEGREES.contains(degree));
        let degree = degree.ok_or(DynFieldError::Degree { found: f.degree() })?;
        if !f.is_irreducible_vartime() {
            return Err(DynFieldError::Reducible);
        }
        let exponents: Vec<usize> = f.exponents().collect();
        // z does not divide an irreducible f other than z itself.
        let tail = &exponents[1..];
        debug_assert!(degree == 1 || is_polynomial(degree, tail), "an irreducible polynomial has the term 1");
        let mut field = DynField {
            cpu,
            words: degree.div_ceil(64),
            short: Short::new(degree, tail),
            barrett: Barrett::new(cpu, degree, tail),
            small: Small::new(f),
            sqrt_z: [0; MAX_WORDS],
            trace_mask: trace_mask(degree, tail),
            exponents,
        };
        // sqrt(z) = z^(2^(m - 1)), computed by the field itself.
        let (mut z, mut root) = ([0; MAX_WORDS], [0; MAX_WORDS]);
        z[0] = 2;
        field.frobenius(&z[..field.words], degree - 1, &mut root[..field.words]);
        field.sqrt_z = root;
        Ok(field)
    }

    /// The field whose f is the sum of these powers of z. They may come in any order; powers that come twice cancel.
    ///
    /// # Errors
    /// As [`new`](DynField::new). Exponents that are too large are rejected before memory is allocated.
    pub fn from_exponents(exponents: &[usize]) -> Result<DynField, DynFieldError> {
        match exponents.iter().find(|e| *e > DynField::DEGREES.end()) {
            Some(&degree) => Err(DynFieldError::Degree { found: Some(degree) }),
            None => DynField::new(&Poly::from_exponents(exponents.iter().copied())),
        }
    }

    /// The field whose f is this modulus.
    ///
    /// # Errors
    /// [`DynFieldError`] if f is reducible, or if its degree is out of range.
    pub fn from_modulus(f: Modulus<'_>) -> Result<DynField, DynFieldError> {
        let exponents: Vec<usize> = f.exponents().collect();
        DynField::from_exponents(&exponents)
    }

    /// The degree m of f, which is the number of bits of a canonical element.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.exponents[0]
    }

    /// The number of 64-bit words of an element, ceil(m / 64).
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// The exponents of f in descending order, from m to 0.
    #[must_use]
    pub fn exponents(&self) -> &[usize] {
        &self.exponents
    }

    /// The backend on which this field computes.
    #[must_use]
    pub fn cpu(&self) -> ClmulCpu {
        self.cpu
    }

    /// The cost of a product: carry-less products of words for the product itself, those for its
    /// reduction, and shifts of vectors.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        let ([product, reduction], last) =
            (self.barrett.clmuls(), usize::from(!self.degree().is_multiple_of(64)));
        // A T of one word takes W products for what lies above z^(64 W), one for what is left there, and one for
        // the bits of the last word from z^m on. A T of two words takes twice as many, and four in the second step.
        match self.tail_words() {
            Some(1) => [product, self.words + 1 + last, last],
            Some(_) => [product, 2 * self.words + 4 + 2 * last, last],
            None => [product, reduction, 0],
        }
    }

    /// The number of words, 1 or 2, of T = (f - z^m) z^(64 W - m) if products are reduced by T: what lies above
    /// z^(64 W) is multiplied by T, twice.
    ///
    /// `None` for f with terms near z^m and for more than 640 bits. Then two products by constants
    /// give quotient and remainder (Barrett).
    #[must_use]
    pub fn tail_words(&self) -> Option<usize> {
        self.short.as_ref().map(Short::words)
    }
}

/// Fields with the same f are equal, also on different backends.
impl PartialEq for DynField {
    fn eq(&self, other: &DynField) -> bool {
        // The backend computes, but is no part of the field.
        self.exponents == other.exponents
    }
}

impl Eq for DynField {}

impl fmt::Debug for DynField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynField({:?})({})", self.exponents, self.cpu.name())
    }
}
