//! What all types with keys have in common.

/// Writes zeros in one go, which the optimiser may not drop. `Zeroize` writes arrays byte by byte.
#[cfg(feature = "aead")]
pub(crate) fn wipe<T: Copy>(values: &mut [T], zero: T) {
    values.fill(zero);
    zeroize::optimization_barrier(values);
}

/// Clears the 16 KiB of the stack where a key was derived: values with keys are moved there, and what derives them spills registers.
#[inline(always)]
pub(crate) fn clear_frames_of_keys() {
    carryless_lanes::clear_stack::<2048>();
}

/// Clears the stack where one block was computed under a key.
#[inline(always)]
pub(crate) fn clear_frames_of_a_block() {
    carryless_lanes::clear_stack::<64>();
}

/// Words of the stack that a backend of ChaCha20 spills, by a margin: 1 KiB on x86-64 at opt-level 2 and 3, where AVX2 and SSE2 hold the state in registers;
/// 6 KiB elsewhere. At opt-level 1, `s` and `z` it spills up to 1.5, 2 and 3 KiB, with debug assertions more, and NEON, which makes four blocks, up to 4 KiB.
#[cfg(feature = "aead")]
const SPILLED: usize =
    if cfg!(all(target_arch = "x86_64", carryless_for_speed, not(debug_assertions))) { 128 } else { 768 };

/// Runs `work`, which makes a keystream, and clears the stack below. At once, before other code runs: compilers load, and spill deeper down, what lies
/// in the place of a value that is not there.
#[cfg(feature = "aead")]
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    carryless_lanes::cleared::<SPILLED, T>(work)
}

/// `Zeroize` for a struct, after its generic parameters if it has any, of fields that wipe themselves when dropped: of those that are
/// named first, and not of those after the semicolon. A field that is not named is an error of the compiler.
macro_rules! wiped {
    ([$($G:tt)*] $Type:ty { $($wiped:ident),* $(; $($kept:ident),*)? }) => {
        impl<$($G)*> zeroize::Zeroize for $Type {
            fn zeroize(&mut self) {
                let Self { $($wiped,)* $($($kept: _,)*)? } = self;
                $(zeroize::Zeroize::zeroize($wiped);)*
            }
        }

        // Every field that is wiped is of a type that does so when dropped.
        impl<$($G)*> zeroize::ZeroizeOnDrop for $Type {}
    };
    ($Type:ty { $($fields:tt)* }) => {
        $crate::wipe::wiped!([] $Type { $($fields)* });
    };
}

/// `Zeroize` for an enum, of the one value that each variant holds. A variant that is not named is an error of the compiler.
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

/// `Debug` that shows nothing of the key, nor of what depends on it; generic parameters as above.
macro_rules! redacted {
    ([$($G:tt)*] $Type:ty, $name:literal) => {
        /// Shows nothing of the key, nor of what depends on it.
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
