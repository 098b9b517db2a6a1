//! Arrays that hold secrets.
use crate::array::Array;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use zeroize::optimization_barrier;

/// Writes zeros in one go, which the optimiser may not drop. Word by word, as `Zeroize` for arrays does it, takes as long as hashing.
pub(crate) fn wipe<T: Copy + Default>(words: &mut [T]) {
    words.fill(T::default());
    optimization_barrier(words);
}

/// An array that is wiped when it is dropped.
pub(crate) struct Secret<T: Copy + Default, A: Array<T>>(A, PhantomData<T>);

/// A ring element, a codeword.
pub(crate) type SecretWords<A> = Secret<u64, A>;
/// Bytes.
pub(crate) type SecretBytes<A> = Secret<u8, A>;
/// Positions.
pub(crate) type SecretSupport<A> = Secret<u32, A>;

impl<T: Copy + Default, A: Array<T>> Secret<T, A> {
    #[inline]
    pub(crate) fn zeroed() -> Self {
        Secret(A::zeroed(), PhantomData)
    }
}

impl<T: Copy + Default, A: Array<T>> Deref for Secret<T, A> {
    type Target = A;
    #[inline]
    fn deref(&self) -> &A {
        &self.0
    }
}

impl<T: Copy + Default, A: Array<T>> DerefMut for Secret<T, A> {
    #[inline]
    fn deref_mut(&mut self) -> &mut A {
        &mut self.0
    }
}

impl<T: Copy + Default, A: Array<T>> Drop for Secret<T, A> {
    #[inline]
    fn drop(&mut self) {
        wipe(self.0.as_mut());
    }
}

/// So many words as are wanted, in an array of one of two lengths: what is not wanted need not be cleared. Wiped when dropped.
pub(crate) struct Room<L: Array<u64>, A: Array<u64>> {
    array: Either<L, A>,
    words: usize,
}

enum Either<L, A> {
    Little(L),
    All(A),
}

impl<L: Array<u64>, A: Array<u64>> Room<L, A> {
    /// The most words.
    pub(crate) const MOST: usize = size_of::<A>() / 8;

    /// At most [`Self::MOST`] words.
    #[inline]
    pub(crate) fn zeroed(words: usize) -> Self {
        if words <= size_of::<L>() / 8 {
            Room { array: Either::Little(L::zeroed()), words }
        } else {
            Room { array: Either::All(A::zeroed()), words }
        }
    }
}

impl<L: Array<u64>, A: Array<u64>> Deref for Room<L, A> {
    type Target = [u64];
    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.array {
            Either::Little(array) => &array.as_ref()[..self.words],
            Either::All(array) => &array.as_ref()[..self.words],
        }
    }
}

impl<L: Array<u64>, A: Array<u64>> DerefMut for Room<L, A> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.array {
            Either::Little(array) => &mut array.as_mut()[..self.words],
            Either::All(array) => &mut array.as_mut()[..self.words],
        }
    }
}

impl<L: Array<u64>, A: Array<u64>> Drop for Room<L, A> {
    #[inline]
    fn drop(&mut self) {
        wipe(self);
    }
}
