//! Wiping of keys and of the stack below functions that used them, and `Debug` without secrets.

/// Overwrites `values` with `zero` in one fill and hides them from the optimiser, which therefore keeps the writes.
/// `Zeroize` would go byte by byte.
#[cfg(feature = "aead")]
pub(crate) fn wipe<T: Copy>(values: &mut [T], zero: T) {
    // A fill becomes one `memset`; without the barrier it is a dead store, which LLVM may remove.
    values.fill(zero);
    zeroize::optimization_barrier(values);
}

/// Clears 16 KiB of the stack below the caller, where a key was just derived: moves leave copies of keys
/// there, and registers are spilled.
#[inline(always)]
pub(crate) fn clear_frames_of_keys() {
    carryless_lanes::clear_stack::<2048>();
}

/// Clears 512 bytes of the stack below the caller, where one ChaCha20 block was just computed under a key.
#[inline(always)]
pub(crate) fn clear_frames_of_a_block() {
    carryless_lanes::clear_stack::<64>();
}

/// Words of the stack that a backend of ChaCha20 may spill, with a margin. At opt-level 2 and 3 on x86-64 that is
/// 1 KiB, since AVX2 and SSE2 hold the state in registers, and 6 KiB elsewhere.
///
/// At opt-level 1, `s` and `z` a backend spills up to 1.5, 2 and 3 KiB, with debug assertions more. NEON, which
/// computes four blocks, spills up to 4 KiB.
#[cfg(feature = "aead")]
const SPILLED: usize =
    if cfg!(all(target_arch = "x86_64", carryless_for_speed, not(debug_assertions))) { 128 } else { 768 };

/// Runs `work`, which computes keystream, and clears the stack below before any other code runs. Later code could
/// otherwise load the leftovers and spill them further down.
#[cfg(feature = "aead")]
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    carryless_lanes::cleared::<SPILLED, T>(work)
}

/// Implements `Zeroize` for a struct whose secret fields wipe themselves when dropped. Parameters: generics if
/// there are any, the fields to wipe, and after a semicolon the fields to keep. A field that is missing in both
/// lists is a compile-time error.
macro_rules! wiped {
    ([$($G:tt)*] $Type:ty { $($wiped:ident),* $(; $($kept:ident),*)? }) => {
        impl<$($G)*> zeroize::Zeroize for $Type {
            fn zeroize(&mut self) {
                // No `..` in the pattern: a field that is in neither list does not compile.
                let Self { $($wiped,)* $($($kept: _,)*)? } = self;
                $(zeroize::Zeroize::zeroize($wiped);)*
            }
        }

        // Every field listed first is of a type that wipes itself when dropped.
        impl<$($G)*> zeroize::ZeroizeOnDrop for $Type {}
    };
    ($Type:ty { $($fields:tt)* }) => {
        $crate::wipe::wiped!([] $Type { $($fields)* });
    };
}

/// Implements `Zeroize` for an enum whose variants hold one value each. A variant that is
/// missing is a compile-time error.
macro_rules! wiped_variants {
    ($Type:ty { $($Variant:ident),* }) => {
        impl zeroize::Zeroize for $Type {
            fn zeroize(&mut self) {
                match self {
                    $(Self::$Variant(value) => zeroize::Zeroize::zeroize(value),)*
                }
            }
        }
    };
}

/// Implements a `Debug` that shows no secret; generics as for [`wiped`].
macro_rules! redacted {
    ([$($G:tt)*] $Type:ty, $name:literal) => {
        /// Shows the name of the type only: nothing of the key or of values computed from it.
        impl<$($G)*> core::fmt::Debug for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }
    };
    ($Type:ty, $name:literal) => {
        $crate::wipe::redacted!([] $Type, $name);
    };
}

pub(crate) use {redacted, wiped, wiped_variants};
