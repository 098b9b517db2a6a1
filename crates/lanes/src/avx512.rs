//! The AVX-512 backends, and builds that leave them out.
//!
//! Under `--cfg carryless_no_avx512` their tokens cannot be made, so none of their kernels is compiled. A program
//! with Poly1305 is then half as large.

/// The private field of every AVX-512 token. Builds without AVX-512 make it an uninhabited type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512Proof(
    #[cfg(not(carryless_no_avx512))] (),
    #[cfg(carryless_no_avx512)] core::convert::Infallible,
);

/// Whether this build has AVX-512 backends. Detection tests it before it makes a token.
pub(crate) const COMPILED: bool = cfg!(not(carryless_no_avx512));

/// Makes the field of a token without checking the CPU. The callers are `unsafe` constructors, and code
/// that a token let in.
///
/// # Panics
/// In a build without these backends.
pub(crate) const fn assume_avx512() -> Avx512Proof {
    #[cfg(carryless_no_avx512)]
    // Unreachable: detection tests `COMPILED` first, and a token cannot exist.
    panic!("built without AVX-512");
    #[cfg(not(carryless_no_avx512))]
    Avx512Proof(())
}
