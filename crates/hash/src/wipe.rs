//! Wiping of keys and of what depends on them.
use zeroize::optimization_barrier;

/// Writes zeros in one go, which the optimiser may not drop. Word by word, as `Zeroize` for arrays does it, takes longer
/// than hashing a short message.
pub(crate) fn wipe<T: Copy>(words: &mut [T], zero: T) {
    words.fill(zero);
    optimization_barrier(words);
}

/// [`Zeroize`](zeroize::Zeroize) for a struct, after its generic parameters: of the fields that are named first, and not
/// of those after the semicolon. A field that is not named is an error of the compiler.
macro_rules! wiped {
    ([$($G:tt)*] $Type:ty { $($wiped:ident),* $(; $($kept:ident),*)? }) => {
        impl<$($G)*> zeroize::Zeroize for $Type {
            fn zeroize(&mut self) {
                let Self { $($wiped,)* $($($kept: _,)*)? } = self;
                $(zeroize::Zeroize::zeroize($wiped);)*
            }
        }
    };
}

/// [`wiped`], on drop too.
macro_rules! wiped_on_drop {
    ([$($G:tt)*] $Type:ty { $($fields:tt)* }) => {
        $crate::wipe::wiped!([$($G)*] $Type { $($fields)* });

        impl<$($G)*> Drop for $Type {
            #[inline]
            fn drop(&mut self) {
                zeroize::Zeroize::zeroize(self);
            }
        }

        impl<$($G)*> zeroize::ZeroizeOnDrop for $Type {}
    };
}

/// [`wiped_on_drop`] for a public type, with a `Debug` that shows nothing of the key.
macro_rules! keyed {
    ([$($G:tt)*] $Type:ty, $name:literal, { $($fields:tt)* }) => {
        $crate::wipe::wiped_on_drop!([$($G)*] $Type { $($fields)* });

        /// Shows nothing of the key, nor of what depends on it.
        impl<$($G)*> core::fmt::Debug for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use {keyed, wiped, wiped_on_drop};
