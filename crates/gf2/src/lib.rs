//! Arithmetic in F2\[X\]: products of polynomials by carry-less multiplication, on every machine of the CPU, in constant time.
//!
//! A polynomial is a slice of words, least significant first: bit i of word j is the coefficient of X^(64 j + i). What
//! the words hold is secret to every function of this crate; how many there are is public.
//!
//! ```
//! use carryless_gf2::{ClmulCpu, poly::Kernel};
//!
//! // (X^64 + X + 1)(X + 1) = X^65 + X^64 + X^2 + 1
//! let mut product = [0; 4];
//! Kernel::Karat128.mul(ClmulCpu::detect(), &[3, 1], &[3, 0], &mut product);
//! assert_eq!(product, [5, 3, 0, 0]);
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod poly;

pub use carryless_lanes::{ClmulCpu, UnknownMachine};
