//! The interface of the crate `pqcrypto-hqc` 0.2, which is unmaintained (RUSTSEC-2026-0168), computed by `carryless-hqc`.
//!
//! ```
//! use carryless_pqcrypto_hqc::hqc256;
//!
//! let (public_key, secret_key) = hqc256::keypair();
//! let (secret, ciphertext) = hqc256::encapsulate(&public_key);
//! assert!(hqc256::decapsulate(&ciphertext, &secret_key) == secret);
//! ```
//!
//! Names, types, features, sizes and bytes are those of the original: [`hqc128`], [`hqc192`] and [`hqc256`] of
//! the submission of 2023-04-30. Two things differ.
//!
//! - [`hqc128::decapsulate`] never panics. The original does for every ciphertext that was not made for the key
//!   ([rustpq/pqcrypto#102](https://github.com/rustpq/pqcrypto/issues/102)). Here such a ciphertext gives
//!   another secret, which only the key's holder can compute (implicit rejection).
//! - Everything is Rust, in constant time and without a C compiler. So `ffi` has the sizes, but no functions.
//!
//! As there, `from_bytes` checks nothing but the length. A secret key is a plain array that can be copied, and
//! nothing wipes it. New programs should use `carryless-hqc`, whose keys are checked and wiped.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

#[macro_use]
mod set;

pub mod ffi;
#[cfg(test)]
mod kat;
mod kem;

set!(hqc128, Hqc128, "hqc-128");
set!(hqc192, Hqc192, "hqc-192");
set!(hqc256, Hqc256, "hqc-256");

pub use hqc128::{
    ciphertext_bytes as hqc128_ciphertext_bytes, decapsulate as hqc128_decapsulate,
    encapsulate as hqc128_encapsulate, keypair as hqc128_keypair,
    public_key_bytes as hqc128_public_key_bytes, secret_key_bytes as hqc128_secret_key_bytes,
    shared_secret_bytes as hqc128_shared_secret_bytes,
};
pub use hqc192::{
    ciphertext_bytes as hqc192_ciphertext_bytes, decapsulate as hqc192_decapsulate,
    encapsulate as hqc192_encapsulate, keypair as hqc192_keypair,
    public_key_bytes as hqc192_public_key_bytes, secret_key_bytes as hqc192_secret_key_bytes,
    shared_secret_bytes as hqc192_shared_secret_bytes,
};
pub use hqc256::{
    ciphertext_bytes as hqc256_ciphertext_bytes, decapsulate as hqc256_decapsulate,
    encapsulate as hqc256_encapsulate, keypair as hqc256_keypair,
    public_key_bytes as hqc256_public_key_bytes, secret_key_bytes as hqc256_secret_key_bytes,
    shared_secret_bytes as hqc256_shared_secret_bytes,
};

/// The examples of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
