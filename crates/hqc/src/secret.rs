//! Arrays that hold secrets and are wiped when dropped.
use crate::array::Array;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use zeroize::optimization_barrier;

/// Overwrites `words` with zeros, which the optimiser may not remove. It fills all words at once: wiping word
/// by word, as `Zeroize` does for arrays, takes as long as hashing.
pub(crate) fn wipe<T: Copy + Default>(words: &mut [T]) {
    words.fill(T::default());
    // Without the barrier a fill before a drop is a dead store, which LLVM may remove.
    optimization_barrier(words);
}

/// The place of a value's secrets. With `alloc` it is the heap, so that a move copies a pointer only.
/// Without, it is the value itself, and a move leaves a copy.
#[cfg(feature = "alloc")]
pub(crate) type Home<T> = alloc::boxed::Box<T>;
#[cfg(not(feature = "alloc"))]
pub(crate) type Home<T> = T;

/// Places `value`, which must not be secret yet: moving it here may leave a copy.
#[inline]
pub(crate) fn home<T>(value: T) -> Home<T> {
    #[cfg(feature = "alloc")]
    return alloc::boxed::Box::new(value);
    #[cfg(not(feature = "alloc"))]
    value
}

/// Clears the stack below the caller, where functions of an operation left secrets: words of Keccak states,
/// and values that kernels spilled.
///
/// No later call would overwrite the frame of an operation's last permutation.
#[inline(always)]
pub(crate) fn clear_stack() {
    // 4 KB, which covers the frames of the last permutation. Tests search the memory of the process for what
    // is left.
    carryless_lanes::clear_stack::<512>();
}

/// An array that is wiped when it is dropped.
pub(crate) struct Secret<T: Copy + Default, A: Array<T>>(A, PhantomData<T>);

/// Words of a secret ring element or codeword, wiped when dropped.
pub(crate) type SecretWords<A> = Secret<u64, A>;
/// Secret bytes, such as a message or a stream. Wiped when dropped.
pub(crate) type SecretBytes<A> = Secret<u8, A>;
/// Secret positions of a support, wiped when dropped.
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
