//! Elements of a field.
use super::operations::{Field, FieldWords};
use super::operators::operators;
use super::{BinaryField, Shape};
use core::fmt;
use ctutils::{Choice, CtOption};
use zeroize::Zeroize;

/// An element of GF(2^m): a polynomial of degree below m, by its words. All operations are constant time, comparison with `==` included;
/// `Debug` prints the field and no coefficient.
///
/// Operators look for the machine at each call; [`Field`] does it once.
#[derive(Clone, Copy)]
pub struct Element<F: BinaryField>(FieldWords<F>);

/// Why bytes or words are no element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElementError {
    /// Not ceil(m / 8) bytes.
    Length {
        /// ceil(m / 8).
        expected: usize,
        /// What there was.
        found: usize,
    },
    /// A coefficient of z^m or above is not zero.
    Degree {
        /// m.
        bits: usize,
    },
    /// Of an element of a [quadratic extension](super::tower): a coefficient is no element of the base field.
    Coefficient {
        /// m.
        bits: usize,
    },
}

impl fmt::Display for ElementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElementError::Length { expected, found } => {
                write!(f, "an element has {expected} bytes, not {found}")
            }
            ElementError::Degree { bits } => write!(f, "an element has at most {bits} bits"),
            ElementError::Coefficient { bits } => write!(f, "a coefficient has at most {bits} bits"),
        }
    }
}

impl core::error::Error for ElementError {}

impl<F: BinaryField> Element<F> {
    #[cfg(feature = "ff")]
    pub(super) const ZERO: Self = Element(F::Shape::ZERO);
    #[cfg(feature = "ff")]
    pub(super) const ONE: Self = Element(F::Shape::ONE);

    /// 0.
    #[must_use]
    #[inline]
    pub fn zero() -> Self {
        Element(Default::default())
    }

    /// 1.
    #[must_use]
    pub fn one() -> Self {
        let mut one = Self::zero();
        one.words_mut()[0] = 1;
        one
    }

    /// z.
    #[must_use]
    pub fn z() -> Self {
        let mut z = Self::zero();
        z.words_mut()[0] = 2;
        z
    }

    /// The element with these words, the first one with the coefficients of 1 to z^63.
    ///
    /// # Errors
    /// [`ElementError::Degree`] if it has a coefficient from z^m on. Whether it has is public.
    pub fn from_words(words: FieldWords<F>) -> Result<Self, ElementError> {
        let top = words.as_ref()[F::Shape::WORDS - 1];
        let (unused, mut above) = (64 * F::Shape::WORDS - F::DEGREE, 0);
        if unused > 0 {
            above = top >> (64 - unused);
        }
        if above == 0 { Ok(Element(words)) } else { Err(ElementError::Degree { bits: F::DEGREE }) }
    }

    /// The element with words that are known to be below z^m.
    #[inline]
    pub(crate) const fn from_canonical(words: FieldWords<F>) -> Self {
        Element(words)
    }

    /// The words.
    #[must_use]
    #[inline]
    pub fn to_words(&self) -> FieldWords<F> {
        self.0
    }

    /// The words.
    #[must_use]
    #[inline]
    pub fn as_words(&self) -> &[u64] {
        self.0.as_ref()
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.0.as_mut()
    }

    /// The element with these bytes, least significant first: bit i of byte j is the coefficient of z^(8 j + i).
    ///
    /// # Errors
    /// [`ElementError`] if there are not ceil(m / 8) of them, or a coefficient from z^m on is not zero.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ElementError> {
        if bytes.len() != F::BYTES {
            return Err(ElementError::Length { expected: F::BYTES, found: bytes.len() });
        }
        let mut words = FieldWords::<F>::default();
        for (word, bytes) in words.as_mut().iter_mut().zip(bytes.chunks(8)) {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(all);
        }
        Self::from_words(words)
    }

    /// Writes what [`from_bytes`](Element::from_bytes) reads.
    ///
    /// # Panics
    /// If `out` has not ceil(m / 8) bytes.
    #[track_caller]
    pub fn write_bytes(&self, out: &mut [u8]) {
        assert_eq!(out.len(), F::BYTES, "an element has ceil(m / 8) bytes");
        for (out, word) in out.chunks_mut(8).zip(self.as_words()) {
            out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
        }
    }

    /// The trace, a + a^2 + a^4 + ... + a^(2^(m - 1)): 0 or 1. One to three coefficients, for the f of this library.
    #[must_use]
    pub fn trace(&self) -> Choice {
        let mask = F::TRACE_MASK;
        let sum = self.as_words().iter().zip(mask.as_ref()).fold(0, |sum, (a, mask)| sum ^ a & mask);
        Choice::from_u64_lsb(u64::from(sum.count_ones()))
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(&self) -> Choice {
        !Choice::from_u64_nz(self.as_words().iter().fold(0, |all, word| all | word))
    }
}

operators! { Element, Field }

impl<F: BinaryField> Zeroize for Element<F> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
