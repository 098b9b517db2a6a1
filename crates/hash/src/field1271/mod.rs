//! Arithmetic modulo p = 2^127 - 1: one file per representation. Blocks have 15 bytes.
//!
//! | file | representation | serves |
//! |---|---|---|
//! | `element` | two words of radix 2^64 | values that pass between kernels; the last reduction |
//! | `powers` | the same | key powers |
//! | `word64` | the same | products, and messages without lanes |
//! | `lanes26` | five limbs of radix 2^26 in lanes | the vector kernels |
//! | `lanes43` | three limbs of radix 2^43 in lanes | the vector kernels on backends with 52-bit multiply-add |
//! | `loads` | | rows of 15-byte blocks, before they are cut into limbs |
//! | `horner`, `dec`, `hashes` | | the generic kernels and hashes over this prime |
//! | `evaluate`, `dispatch` | | the choice of a kernel by length and backend, or by [`Plan`](crate::polyhash1271::Plan) |
//!
//! Radix 2^26 and the multiply-adds of radix 2^43 are those of 2^130 - 5, in [`limbs26`](crate::limbs26) and
//! [`limbs52`](crate::limbs52). Only the fold of what exceeds the top limb differs.

mod dec;
pub(crate) mod dispatch;
pub(crate) mod element;
pub(crate) mod evaluate;
mod hashes;
mod horner;
pub(crate) mod lanes26;
pub(crate) mod lanes43;
pub(crate) mod loads;
pub(crate) mod powers;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod word64;
