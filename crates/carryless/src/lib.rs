//! Fast polynomial and finite-field arithmetic for cryptography, right on every input.
//!
//! This crate is the front door: it re-exports what the domain crates offer.
//!
//! Features: `gf2` (default) for polynomials over F2, the module `gf2`; `alloc` for those that own their words,
//! `gf2::algebra`; `serde` for those in data formats.
//!
//! ```
//! use carryless::poly1305;
//!
//! let key = [0x42; 32]; // one key, one message
//! let tag = poly1305::mac(&key, b"attack at dawn");
//! assert!(poly1305::verify(&key, b"attack at dawn", &tag).is_ok());
//! assert!(poly1305::verify(&key, b"attack at noon", &tag).is_err());
//! ```
#![no_std]
#![forbid(unsafe_code)]

pub use carryless_aead::{file_mac, wegman_carter};
#[cfg(feature = "gf2")]
pub use carryless_gf2 as gf2;
pub use carryless_hash::{
    AxuBound, Choice, Cpu, CpuClass, KERNEL_CHANGES, Key1271, KeyOutOfRange, Plan, PlanMismatch, Tag,
    TagMismatch, UnknownMachine, WrongBitLength, decbrwhash1271, decbrwhash1305, kernel_for, poly1305,
    polyhash1271, polyhash1305,
};

/// The examples of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
