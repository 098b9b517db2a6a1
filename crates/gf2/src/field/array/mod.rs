//! Many elements of one field.
mod blocks;
mod elementwise;
mod error;
mod maps;
mod polynomial;

pub use error::ArrayError;

use super::operations::FieldWords;
use super::{BinaryField, Element, Shape};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use ctutils::{Choice, CtEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Elements of one field, side by side as their words. Operations work on as many at a time as the machine has lanes.
///
/// Elements are secret, how many there are is public: operations are constant time, but for the errors that say so. `zeroize` and drop wipe the
/// elements, and so is scratch memory.
///
/// With the feature `rayon` large arrays are worked on by the threads of its pool.
///
/// ```
/// use carryless_gf2::field::{Array, Element, Gf233};
///
/// let a: Array<Gf233> = (0..100).map(|i| Element::z().pow(i)).collect();
/// let inverses = a.invert()?;
/// assert_eq!(a.mul(&inverses)?.get(99), Some(Element::one()));
/// // 1 + z + ... + z^99 at z + 1: ((z + 1)^100 + 1) / z
/// let sum = Array::from_iter([Element::<Gf233>::one(); 100]).evaluate(&(Element::z() + Element::one()));
/// assert_eq!(sum * Element::z() + Element::one(), (Element::z() + Element::one()).pow(100));
/// # Ok::<(), carryless_gf2::field::ArrayError>(())
/// ```
#[derive(Clone)]
pub struct Array<F: BinaryField> {
    words: Vec<FieldWords<F>>,
}

impl<F: BinaryField> Array<F> {
    /// So many times 0.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Array { words: vec![Default::default(); len] }
    }

    /// The elements with these words.
    ///
    /// # Errors
    /// [`ArrayError::Element`] if one has a coefficient from z^m on. Whether one has is public.
    pub fn from_words(words: &[FieldWords<F>]) -> Result<Self, ArrayError> {
        for (index, words) in words.iter().enumerate() {
            Element::<F>::from_words(*words).map_err(|error| ArrayError::Element { index, error })?;
        }
        Ok(Array { words: words.to_vec() })
    }

    /// The elements with these bytes, ceil(m / 8) for each: see [`Element::from_bytes`].
    ///
    /// # Errors
    /// [`ArrayError::Bytes`] if the last element is not whole, [`ArrayError::Element`] if one has a coefficient from z^m on.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ArrayError> {
        if !bytes.len().is_multiple_of(F::BYTES) {
            return Err(ArrayError::Bytes { element: F::BYTES, found: bytes.len() });
        }
        let mut array = Self::zeros(bytes.len() / F::BYTES);
        for (index, bytes) in bytes.chunks_exact(F::BYTES).enumerate() {
            let element = Element::<F>::from_bytes(bytes);
            array.words[index] = element.map_err(|error| ArrayError::Element { index, error })?.to_words();
        }
        Ok(array)
    }

    /// Writes what [`from_bytes`](Array::from_bytes) reads.
    ///
    /// # Errors
    /// [`ArrayError::Bytes`] if `out` has not ceil(m / 8) bytes for each element.
    pub fn write_bytes(&self, out: &mut [u8]) -> Result<(), ArrayError> {
        if out.len() != self.len() * F::BYTES {
            return Err(ArrayError::Bytes { element: F::BYTES, found: out.len() });
        }
        for (element, out) in self.iter().zip(out.chunks_exact_mut(F::BYTES)) {
            element.write_bytes(out);
        }
        Ok(())
    }

    /// The bytes that [`from_bytes`](Array::from_bytes) reads. They are the caller's, to be wiped if need be.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len() * F::BYTES];
        for (element, out) in self.iter().zip(bytes.chunks_exact_mut(F::BYTES)) {
            element.write_bytes(out);
        }
        bytes
    }

    /// The words of all elements.
    #[must_use]
    pub fn as_words(&self) -> &[FieldWords<F>] {
        &self.words
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Element i, if there is one. The index is public.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Element<F>> {
        self.words.get(index).map(|words| Element::from_canonical(*words))
    }

    /// Puts another element in the place of element i.
    ///
    /// # Errors
    /// [`ArrayError::Length`] if there is no element i.
    pub fn set(&mut self, index: usize, element: Element<F>) -> Result<(), ArrayError> {
        let found = self.len();
        let place = self.words.get_mut(index);
        *place.ok_or(ArrayError::Length { expected: index.saturating_add(1), found })? = element.to_words();
        Ok(())
    }

    /// The elements in turn.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Element<F>> + DoubleEndedIterator {
        self.words.iter().map(|words| Element::from_canonical(*words))
    }

    /// An error if another operand has not as many elements as this one.
    fn expect_len(&self, expected: usize) -> Result<(), ArrayError> {
        let found = self.len();
        if found == expected { Ok(()) } else { Err(ArrayError::Length { expected, found }) }
    }

    /// Room for one more, by doubling; what was there is wiped.
    fn grow(&mut self) {
        let mut larger = Array { words: Vec::with_capacity(2 * self.len() + 8) };
        larger.words.extend_from_slice(&self.words);
        *self = larger;
    }
}

/// Memory is wiped before it is given back, as it grows.
impl<F: BinaryField> FromIterator<Element<F>> for Array<F> {
    fn from_iter<I: IntoIterator<Item = Element<F>>>(elements: I) -> Self {
        let elements = elements.into_iter();
        let mut array = Array { words: Vec::with_capacity(elements.size_hint().0) };
        for element in elements {
            if array.words.len() == array.words.capacity() {
                array.grow();
            }
            array.words.push(element.to_words());
        }
        array
    }
}

/// In constant time for arrays of the same length.
impl<F: BinaryField> CtEq for Array<F> {
    fn ct_eq(&self, other: &Self) -> Choice {
        if self.len() != other.len() {
            return Choice::FALSE;
        }
        let words = F::Shape::flat(&self.words).iter().zip(F::Shape::flat(&other.words));
        !Choice::from_u64_nz(words.fold(0, |all, (a, b)| all | (a ^ b)))
    }
}

impl<F: BinaryField> PartialEq for Array<F> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl<F: BinaryField> Eq for Array<F> {}

impl<F: BinaryField> fmt::Debug for Array<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array<{}>({} elements)", F::NAME, self.len())
    }
}

/// The elements become 0.
impl<F: BinaryField> Zeroize for Array<F> {
    fn zeroize(&mut self) {
        F::Shape::flat_mut(&mut self.words).zeroize();
    }
}

impl<F: BinaryField> Drop for Array<F> {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<F: BinaryField> ZeroizeOnDrop for Array<F> {}
