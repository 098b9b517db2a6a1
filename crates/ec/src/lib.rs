//! ECDH and ECDSA on the binary curves of NIST, SECG and X9.62, with keys in the formats of OpenSSL; signatures of DSTU 4145.
//!
//! | task | item |
//! |---|---|
//! | share a secret with another party | [`SecretKey::diffie_hellman`] |
//! | sign and verify | [`ecdsa::SigningKey`], [`ecdsa::VerifyingKey`] |
//! | sign and verify as in Ukraine | [`dstu4145::SigningKey`], [`dstu4145::VerifyingKey`] |
//! | read and write key files: PKCS #8, SEC 1, X.509 (DER and PEM) | methods of [`SecretKey`], [`PublicKey`] |
//! | choose a curve by name or object identifier, at run time | [`CurveId`] |
//! | compute with points and scalars | [`curve`] |
//!
//! ```
//! use carryless_ec::curve::NistB163;
//! use carryless_ec::{PublicKey, SecretKey};
//!
//! let alice = SecretKey::<NistB163>::from_bytes(&[1; 21])?;
//! let bob = SecretKey::<NistB163>::from_bytes(&[2; 21])?;
//! let sent = alice.public_key().to_sec1();
//! let received = PublicKey::<NistB163>::from_sec1(sent.as_ref())?;
//! let secret = bob.diffie_hellman(&received)?;
//! assert_eq!(secret.as_bytes(), alice.diffie_hellman(&bob.public_key())?.as_bytes());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! NIST SP 800-186 deprecates its binary curves for new designs. This crate is for systems that use them
//! already, and for research.
//!
//! # Features
//!
//! Types of curves need no feature. [`CurveId::dispatch_built`] compiles the curves of the features `all-curves`,
//! `nist-curves`, `curve-163`, `curve-233`, `curve-283`, `curve-409`, `curve-571`, `dstu-curves`, and `dstu-163` to
//! `dstu-431`. Their kernels are compiled once, in `carryless-gf2`; those of other curves are compiled in the crate that names the curve.
//!
//! # Validation
//!
//! All curves here have a cofactor h > 1: of their h n points only n are multiples of the generator. A
//! [`PublicKey`] is validated fully when it is made: it is a point of the curve, not infinity, and n times it
//! is infinity.
//!
//! So points of low order cannot probe a secret key, and products need no multiplication by h. This is SEC
//! 1's "elliptic curve Diffie-Hellman primitive", not the one "with cofactor".
//!
//! # Secrets
//!
//! All functions of secret keys run in constant time; see [`curve`]. Secret keys, nonces and shared secrets
//! are wiped when dropped, and `Debug` shows nothing of them. Hash functions wipe their states only on
//! request: `sha2` does with its feature `zeroize`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod curve_id;
pub mod dstu4145;
mod ecdh;
pub mod ecdsa;
mod keys;
mod public;
mod secret;

pub use carryless_gf2::curve;
pub use curve_id::{CurveId, CurveVisitor};
pub use ecdh::SharedSecret;
pub use keys::{KeyError, PointForm};
pub use public::PublicKey;
pub use secret::{SecretKey, SecretKeyError};

/// The examples of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
