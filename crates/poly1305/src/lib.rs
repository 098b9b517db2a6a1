//! The interfaces of RustCrypto's `poly1305` 0.9 and, with the feature `v0_8`, 0.8, with the arithmetic of `carryless-hash`.
//!
//! ```
//! use carryless_poly1305::{Poly1305, universal_hash::{KeyInit, UniversalHash}};
//!
//! let mut mac = Poly1305::new(&[7; 32].into());
//! mac.update_padded(b"one message");
//! assert_eq!(mac.finalize().len(), 16);
//! ```
//!
//! [`Poly1305`] is a universal hash in blocks of 16 bytes, as AEADs use it. New code should prefer
//! `carryless_hash::poly1305`, which takes bytes. A key serves ONE message.
#![no_std]
#![forbid(unsafe_code)]

mod interface;
#[cfg(feature = "v0_8")]
pub mod v0_8;
mod v0_9;

pub use v0_9::*;

/// The examples of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
