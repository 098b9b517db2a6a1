//! What all types with keys have in common.

/// `Zeroize` for a struct of fields that wipe themselves when dropped: of those that are named first, and not of those after
/// the semicolon. A field that is not named is an error of the compiler.
macro_rules! wiped {
    ($Type:ty { $($wiped:ident),* $(; $($kept:ident),*)? }) => {
        impl zeroize::Zeroize for $Type {
            fn zeroize(&mut self) {
                let Self { $($wiped,)* $($($kept: _,)*)? } = self;
                $(zeroize::Zeroize::zeroize($wiped);)*
            }
        }

        // Every field that is wiped is of a type that does so when dropped.
        impl zeroize::ZeroizeOnDrop for $Type {}
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

/// `Debug` that shows nothing of the key, nor of what depends on it.
macro_rules! redacted {
    ($Type:ty, $name:literal) => {
        /// Shows nothing of the key, nor of what depends on it.
        impl core::fmt::Debug for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use {redacted, wiped, wiped_variants};
