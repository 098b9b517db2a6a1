//! Arithmetic modulo p = 2^127 - 1: one file per representation.
//!
//! | file | representation | serves |
//! |---|---|---|
//! | `element` | two words of radix 2^64 | values that pass between kernels; the last reduction |
//! | `word64` | the same | products, and messages without lanes |
//! | `lanes26` | five limbs of radix 2^26 in lanes | the vector kernels |
//! | `lanes43` | three limbs of radix 2^43 in lanes | the vector kernels on backends with 52-bit multiply-add |
//!
//! Radix 2^26 and the multiply-adds of radix 2^43 are those of 2^130 - 5, in [`limbs26`](crate::field::limbs26) and
//! [`limbs52`](crate::field::limbs52). Only the fold of what exceeds the top limb differs.

pub(crate) mod element;
pub(crate) mod lanes26;
pub(crate) mod lanes43;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod word64;
