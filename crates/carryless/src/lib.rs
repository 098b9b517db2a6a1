//! Fast polynomial and finite-field arithmetic for cryptography, right on every input.
//!
//! This crate re-exports what the domain crates offer.
//!
//! ```
//! use carryless::poly1305;
//!
//! let key = [0x42; 32]; // one key, one message
//! let tag = poly1305::mac(&key, b"attack at dawn");
//! assert!(poly1305::verify(&key, b"attack at dawn", &tag).is_ok());
//! assert!(poly1305::verify(&key, b"attack at noon", &tag).is_err());
//! ```
//!
//! # Unoptimised builds
//!
//! Without optimisation the kernels are 130 to 190 times slower, because every vector operation becomes a call, and debug assertions
//! of pointers inside of the vector operations cost up to five times more. A profile for dependencies repairs both and leaves your own
//! code as it is:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 3
//! debug-assertions = false
//! ```
//!
//! For fields GF(2^m) and binary curves, choose their features too, such as `field-233` or `curve-233`. Without them, kernels are compiled
//! in the crate that names a field or a curve, where they are 170 to 380 times slower. Then optimise that crate as well, a package of your
//! workspace by `[profile.dev.package.NAME]` with the same two lines, or all by `[profile.dev]`.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `gf2` | yes | polynomials over F2 and fields GF(2^m): the module `gf2` |
//! | `stream-powers` | yes | key powers on the heap for long streams in pieces |
//! | `alloc` | no | polynomials that own their words, `gf2::algebra`; arrays of field elements; AEADs that return vectors |
//! | `rayon` | no | operations on large arrays run on several threads |
//! | `ff` | no | `ff::Field` for elements of GF(2^m) |
//! | `aead` | no | ChaCha20-Poly1305, XChaCha20-Poly1305 and XChaCha20-decBRW1305: the module `aead` |
//! | `field-8` to `field-571`, `all-fields` | no | kernels of fields, compiled once, in `carryless-gf2` |
//! | `curves` | no | binary curves: the module `gf2::curve` |
//! | `ec` | no | ECDH and ECDSA on them: the module `ec` |
//! | `curve-163` to `curve-571`, `nist-curves`, `dstu-163` to `dstu-431`, `dstu-curves`, `all-curves` | no | the curves that `ec::CurveId::dispatch_built` compiles |
//! | `hqc` | no | the KEM HQC: the module `hqc` |
//! | `serde` | no | polynomials in data formats |
//! | `std` | no | `std::io::Write` for streams |
//! | `research-kernels` | no | kernels that the library never chooses itself: every [`research::Plan`] and `gf2::papers`, to measure and to reproduce papers |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "aead")]
pub use carryless_aead::aead;
pub use carryless_aead::{file_mac, wegman_carter};
#[cfg(feature = "ec")]
pub use carryless_ec as ec;
#[cfg(feature = "gf2")]
pub use carryless_gf2 as gf2;
pub use carryless_hash::{
    AxuBound, Cpu, CpuClass, HashKey, InvalidSegment, JoinError, Key1271, KeyOutOfRange, ParseTagError, Tag,
    TagMismatch, UnknownBackend, WrongBitLength, decbrwhash, decbrwhash1271, decbrwhash1305, poly1305,
    polyhash, polyhash1271, polyhash1305, research,
};
#[cfg(feature = "hqc")]
pub use carryless_hqc as hqc;

/// The examples of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
