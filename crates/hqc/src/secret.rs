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

/// Where values keep what is secret: on the heap, so that a move copies a pointer. Without `alloc` in the value itself, and a move leaves a copy.
#[cfg(feature = "alloc")]
pub(crate) type Home<T> = alloc::boxed::Box<T>;
#[cfg(not(feature = "alloc"))]
pub(crate) type Home<T> = T;

/// A home with that in it, which is not secret yet.
#[inline]
pub(crate) fn home<T>(value: T) -> Home<T> {
    #[cfg(feature = "alloc")]
    return alloc::boxed::Box::new(value);
    #[cfg(not(feature = "alloc"))]
    value
}

/// Clears what the functions of an operation left below: words of Keccak states and of messages that kernels spilled. The last permutation of an operation is
/// followed by nothing that would write over its frame.
#[inline(always)]
pub(crate) fn clear_stack() {
    carryless_lanes::clear_stack::<512>();
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
