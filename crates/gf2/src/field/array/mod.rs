//! Arrays of elements of one field, with operations on all elements at once.
mod blocks;
mod elementwise;
mod error;
mod maps;
mod polynomial;

pub use error::ArrayError;

use super::{BinaryField, Element, FieldWords, Shape};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use ctutils::{Choice, CtEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// An array of elements of one field, stored side by side as words. Operations work on as many elements at a
/// time as the backend has lanes.
///
/// Elements are secret; their number is public. Operations are constant time, except that some errors make an
/// index public. `zeroize` and drop wipe the elements; scratch memory is wiped too.
///
/// With the feature `rayon`, operations on large arrays run on the threads of its pool.
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
    /// An array of `len` elements 0.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Array { words: vec![Default::default(); len] }
    }

    /// The array of the elements with these words, each least significant word first.
    ///
    /// # Errors
    /// [`ArrayError::Element`] if an element has a coefficient of z^m or above. Whether one has is public.
    pub fn from_words(words: &[FieldWords<F>]) -> Result<Self, ArrayError> {
        for (index, words) in words.iter().enumerate() {
            Element::<F>::from_words(*words).map_err(|error| ArrayError::Element { index, error })?;
        }
        Ok(Array { words: words.to_vec() })
    }

    /// The array of the elements with these bytes, ceil(m / 8) for each: see [`Element::from_bytes`].
    ///
    /// # Errors
    /// [`ArrayError::Bytes`] if the last element is incomplete, [`ArrayError::Element`] if one has a
    /// coefficient of z^m or above.
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

    /// Writes ceil(m / 8) bytes for each element, in the order of [`from_bytes`](Array::from_bytes).
    ///
    /// # Errors
    /// [`ArrayError::Bytes`] if the length of `out` is not ceil(m / 8) bytes for each element.
    pub fn write_bytes(&self, out: &mut [u8]) -> Result<(), ArrayError> {
        if out.len() != self.len() * F::BYTES {
            return Err(ArrayError::Bytes { element: F::BYTES, found: out.len() });
        }
        for (element, out) in self.iter().zip(out.chunks_exact_mut(F::BYTES)) {
            element.write_bytes(out);
        }
        Ok(())
    }

    /// The bytes of all elements, in the order of [`from_bytes`](Array::from_bytes). The caller owns them
    /// and wipes them if needed.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len() * F::BYTES];
        for (element, out) in self.iter().zip(bytes.chunks_exact_mut(F::BYTES)) {
            element.write_bytes(out);
        }
        bytes
    }

    /// The words of all elements, in order. All are canonical.
    #[must_use]
    pub fn as_words(&self) -> &[FieldWords<F>] {
        &self.words
    }

    /// The number of elements, which is public.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether the array has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Element `index`, or `None` beyond the end. The index is public.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Element<F>> {
        self.words.get(index).map(|words| Element::from_canonical(*words))
    }

    /// Replaces element `index`, which is public.
    ///
    /// # Errors
    /// [`ArrayError::Length`] if the array has no such element.
    pub fn set(&mut self, index: usize, element: Element<F>) -> Result<(), ArrayError> {
        let found = self.len();
        let place = self.words.get_mut(index);
        *place.ok_or(ArrayError::Length { expected: index.saturating_add(1), found })? = element.to_words();
        Ok(())
    }

    /// An iterator over the elements in order of their indices. Elements are copied.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Element<F>> + DoubleEndedIterator {
        self.words.iter().map(|words| Element::from_canonical(*words))
    }

    /// An error unless the array has `expected` elements.
    fn expect_len(&self, expected: usize) -> Result<(), ArrayError> {
        let found = self.len();
        if found == expected { Ok(()) } else { Err(ArrayError::Length { expected, found }) }
    }

    /// Makes room for more elements by doubling. The old memory is wiped, which a growing `Vec` would not do.
    fn grow(&mut self) {
        // Assigning drops the old array, and its drop wipes the memory.
        let mut larger = Array { words: Vec::with_capacity(2 * self.len() + 8) };
        larger.words.extend_from_slice(&self.words);
        *self = larger;
    }
}

/// Collects elements. When memory grows, the old memory is wiped before it is freed.
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

/// Comparison in constant time for arrays of the same length. Lengths are public.
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

/// Sets all elements to 0; their number stays.
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
