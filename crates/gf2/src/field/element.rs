//! The type of field elements, with conversions from and to words and bytes.
use super::{BinaryField, FieldWords, Shape};
use core::fmt;
use ctutils::Choice;
use zeroize::Zeroize;

/// An element of GF(2^m): a polynomial of degree below m, stored as words. It is always canonical.
///
/// All operations are constant time, including comparison with `==`. `Debug` prints the field but no
/// coefficients. Operators detect the backend at each call; [`Field`](super::Field) does so once.
#[derive(Clone, Copy)]
pub struct Element<F: BinaryField>(FieldWords<F>);

/// The reason why bytes or words do not encode an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElementError {
    /// The number of bytes is not that of an element.
    Length {
        /// The number of bytes of an element, ceil(m / 8), or twice that for a quadratic extension.
        expected: usize,
        /// The number of bytes given.
        found: usize,
    },
    /// A coefficient of z^m or above is not zero.
    Degree {
        /// The degree m of the field: canonical elements have at most m bits.
        bits: usize,
    },
    /// Of an element of a [quadratic extension](super::tower): a coefficient is no element of the base field.
    Coefficient {
        /// The degree m of the base field: canonical coefficients have at most m bits.
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

    /// The element 0, the identity of addition.
    #[must_use]
    #[inline]
    pub fn zero() -> Self {
        Element(Default::default())
    }

    /// The element 1, the identity of multiplication.
    #[must_use]
    pub fn one() -> Self {
        let mut one = Self::zero();
        one.words_mut()[0] = 1;
        one
    }

    /// The element z, the class of the polynomial variable modulo f.
    #[must_use]
    pub fn z() -> Self {
        let mut z = Self::zero();
        z.words_mut()[0] = 2;
        z
    }

    /// The element with these words, least significant first: bit i of word j is the coefficient of z^(64 j + i).
    ///
    /// # Errors
    /// [`ElementError::Degree`] if a coefficient of z^m or above is set. Whether one is set is public.
    pub fn from_words(words: FieldWords<F>) -> Result<Self, ElementError> {
        // W = ceil(m / 64), so only the last word has bits from z^m on.
        let top = words.as_ref()[F::Shape::WORDS - 1];
        // Apart for unused = 0, because a shift by 64 is not allowed.
        let (unused, mut above) = (64 * F::Shape::WORDS - F::DEGREE, 0);
        if unused > 0 {
            above = top >> (64 - unused);
        }
        if above == 0 { Ok(Element(words)) } else { Err(ElementError::Degree { bits: F::DEGREE }) }
    }

    /// The element with words that are known to be canonical. Not checked.
    #[inline]
    pub(crate) const fn from_canonical(words: FieldWords<F>) -> Self {
        Element(words)
    }

    /// The words of the element, least significant first, canonical.
    #[must_use]
    #[inline]
    pub fn to_words(&self) -> FieldWords<F> {
        self.0
    }

    /// The words of the element as a slice, least significant first, canonical.
    #[must_use]
    #[inline]
    pub fn as_words(&self) -> &[u64] {
        self.0.as_ref()
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.0.as_mut()
    }

    /// The element with these bytes, least significant first (little endian): bit i of byte j is the
    /// coefficient of z^(8 j + i).
    ///
    /// # Errors
    /// [`ElementError`] if the number of bytes is not ceil(m / 8), or if a coefficient of z^m or above is set.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ElementError> {
        if bytes.len() != F::BYTES {
            return Err(ElementError::Length { expected: F::BYTES, found: bytes.len() });
        }
        let mut words = FieldWords::<F>::default();
        for (word, bytes) in words.as_mut().iter_mut().zip(bytes.chunks(8)) {
            // The last word may have fewer than eight bytes; the missing ones are 0.
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(all);
        }
        Self::from_words(words)
    }

    /// Writes the element as ceil(m / 8) bytes in the order of [`from_bytes`](Element::from_bytes).
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

    /// The trace a + a^2 + a^4 + ... + a^(2^(m - 1)), which is 0 or 1. It is linear: the parity of one to three
    /// coefficients for the f of this library. Constant time.
    #[must_use]
    pub fn trace(&self) -> Choice {
        let mask = F::TRACE_MASK;
        let sum = self.as_words().iter().zip(mask.as_ref()).fold(0, |sum, (a, mask)| sum ^ a & mask);
        // The parity of all words together is the parity of their sum.
        Choice::from_u64_lsb(u64::from(sum.count_ones()))
    }

    /// Whether the element is zero, in constant time.
    #[must_use]
    pub fn is_zero(&self) -> Choice {
        // All words are read, without an early exit.
        !Choice::from_u64_nz(self.as_words().iter().fold(0, |all, word| all | word))
    }
}

impl<F: BinaryField> Zeroize for Element<F> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
