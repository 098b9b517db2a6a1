//! Arithmetic in F2\[X\]: products of polynomials by carry-less multiplication, on every backend of the CPU, in constant time.
//!
//! In [`poly`] a polynomial is a slice of words, least significant first: bit i of word j is the coefficient of
//! X^(64 j + i). What the words hold is secret to every function there; how many there are is public. It needs no
//! allocator.
//!
//! In `algebra` (feature `alloc`, on by default) a polynomial is a value of its own, for public data: division, greatest
//! common divisors, inverses, arithmetic modulo f, irreducibility, text.
//!
//! `linear` (feature `alloc`) has matrices over GF(2) and over fields GF(2^m), `univariate` polynomials over such fields, `codes` Reed-Solomon and BCH
//! codes, all for public data.
//!
//! ```
//! use carryless_gf2::poly;
//!
//! // (X^64 + X + 1)(X + 1) = X^65 + X^64 + X^2 + 1
//! let mut product = [0; 4];
//! poly::mul(&[3, 1], &[3, 0], &mut product, &mut []);
//! assert_eq!(product, [5, 3, 0, 0]);
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(feature = "alloc")]
pub mod algebra;
#[cfg(any(feature = "alloc", feature = "research-kernels"))]
mod bits;
#[cfg(feature = "alloc")]
pub mod codes;
#[cfg(feature = "curves")]
pub mod curve;
pub mod field;
#[cfg(feature = "alloc")]
pub mod linear;
#[cfg(feature = "research-kernels")]
pub mod papers;
pub mod poly;
#[cfg(any(feature = "alloc", test))]
mod random;
#[cfg(feature = "alloc")]
pub mod univariate;

pub use carryless_lanes::{ClmulCpu, CpuClass, UnknownBackend};

/// The examples of the package's front page.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;
