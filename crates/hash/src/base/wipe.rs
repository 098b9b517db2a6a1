//! Wiping of keys and of all values computed from them.
use zeroize::optimization_barrier;

/// Overwrites `words` with `zero` in one fill and hides them from the optimiser, which therefore keeps the writes.
/// `Zeroize` for arrays goes word by word, which takes longer than hashing a short message.
pub(crate) fn wipe<T: Copy>(words: &mut [T], zero: T) {
    words.fill(zero);
    // Without the barrier the fill before a drop is a dead store, which LLVM may remove.
    optimization_barrier(words);
}

/// Implements [`Zeroize`](zeroize::Zeroize) for a struct. Parameters: its generics, the fields to wipe, and after a
/// semicolon the fields to keep. A field that is missing in both lists is a compile-time error.
macro_rules! wiped {
    ([$($G:tt)*] $Type:ty { $($wiped:ident),* $(; $($kept:ident),*)? }) => {
        impl<$($G)*> zeroize::Zeroize for $Type {
            fn zeroize(&mut self) {
                // Destructuring without `..` makes the compiler reject a forgotten field.
                let Self { $($wiped,)* $($($kept: _,)*)? } = self;
                $(zeroize::Zeroize::zeroize($wiped);)*
            }
        }
    };
}

/// Like [`wiped`], and also wipes the value when it is dropped.
macro_rules! wiped_on_drop {
    ([$($G:tt)*] $Type:ty { $($fields:tt)* }) => {
        $crate::base::wipe::wiped!([$($G)*] $Type { $($fields)* });

        impl<$($G)*> Drop for $Type {
            #[inline]
            fn drop(&mut self) {
                zeroize::Zeroize::zeroize(self);
            }
        }

        impl<$($G)*> zeroize::ZeroizeOnDrop for $Type {}
    };
}

/// Like [`wiped_on_drop`], for a public type: adds a `Debug` that shows no secret.
macro_rules! keyed {
    ([$($G:tt)*] $Type:ty, $name:literal, { $($fields:tt)* }) => {
        $crate::base::wipe::wiped_on_drop!([$($G)*] $Type { $($fields)* });

        /// Shows the name of the type only: nothing of the key or of values computed from it.
        impl<$($G)*> core::fmt::Debug for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use {keyed, wiped, wiped_on_drop};
