//! Machines with AVX-512, and builds without them.
//!
//! Under `--cfg carryless_no_avx512` their tokens cannot be made, so that none of their kernels is compiled: a program with
//! Poly1305 is half as large.

/// What the token of such a machine holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512Proof(
    #[cfg(not(carryless_no_avx512))] (),
    #[cfg(carryless_no_avx512)] core::convert::Infallible,
);

/// Whether tokens can be made.
pub(crate) const COMPILED: bool = cfg!(not(carryless_no_avx512));

/// The proof, without looking at the CPU.
///
/// # Panics
/// In a build without these machines.
pub(crate) const fn assume_avx512() -> Avx512Proof {
    #[cfg(carryless_no_avx512)]
    panic!("built without AVX-512");
    #[cfg(not(carryless_no_avx512))]
    Avx512Proof(())
}
