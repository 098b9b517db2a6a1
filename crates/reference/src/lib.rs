//! Everything that carryless computes, written like the definitions: with big integers, one operation at a
//! time.
//!
//! Nothing here is fast or constant time, and nothing is shared with the library, so that both can only be
//! wrong in different ways. Tests, fuzz targets, `carryless-lab vectors --reference` and the measuring
//! harness (before it times anything) use it; the library never does.
//!
//! Sources: RFC 8439 section 2.5 for Poly1305. Paper 001, Nath and Sarkar, "Vectorised hashing based on
//! Bernstein-Rabin-Winograd polynomials over prime order fields" (2025), sections 2 and 3, for polyHash,
//! BRWHash and c-decBRWHash. Where the paper leaves the order of bits and bytes open, integers are
//! little-endian. Bit i of a message is bit i mod 8, least significant first, of byte i / 8.
//!
//! | function | takes | definition |
//! |---|---|---|
//! | [`poly1305`] | bytes, a key of 32 bytes | RFC 8439 |
//! | [`polyhash`] | bits, a prime, a key of k bits | Construction 1 |
//! | [`brwhash`] | the same | Construction 2 |
//! | [`decbrwhash`] | the same, and the number c of streams | Construction 3 |
//! | [`hchacha20`] | a key of 32 bytes, 16 bytes | draft-irtf-cfrg-xchacha-03, section 2.2 |
//! | [`polyhash_file_mac`], [`decbrw_file_mac`] | a key of 32 bytes, a subject, bytes | book/src/formats.md |
//! | [`wegman_carter`] | a key of 32 bytes, a nonce of 16, bytes | 4-decBRWHash1305 + HChaCha20 of the nonce |
//! | [`Aead`] | a key of 32 bytes, a nonce, associated data, a message | RFC 8439, draft-irtf-cfrg-xchacha-03, `XChaCha20DecBrw1305` |
//! | [`gf2::mul`], `square`, `mod_xn_1` | words | polynomials over F2, bit by bit |
//! | [`curve::Curve`], [`curve::Domain`] | points, scalars | binary elliptic curves, ECDH and ECDSA: SEC 1 |
//! | [`Gf2m`] | exponents of f, words | GF(2^m) = F2\[z\]/(f) |
//! | [`hqc::code`] | symbols, bits | the Reed-Solomon and Reed-Muller codes of HQC |
//!
//! [`axu_bound`] gives the collision bounds of the hashes, and [`Streams::join`] shows where a message may be
//! cut. The functions whose names end in `cost` give the costs of the papers' algorithms.
//!
//! ```
//! let key = *b"a 16-byte secret";
//! let digest = carryless_reference::polyhash1305(&key, b"message");
//! let residue = carryless_reference::polyhash1305_residue(&key, b"message");
//! assert_eq!(digest, residue[..16]); // the digest is the residue mod 2^128
//! ```
#![forbid(unsafe_code)]

mod aead;
mod bound;
mod brw;
mod chacha;
mod cost;
pub mod curve;
mod decbrw;
pub mod gf2;
mod gf2m;
pub mod hqc;
mod join;
mod mac;
mod params;
mod poly;

pub use aead::Aead;
pub use bound::{AxuBound, Family, axu_bound};
pub use brw::{brw, brwhash, brwhash_residue};
pub use chacha::hchacha20;
pub use cost::{
    Cost, brw_cost, brwhash_cost, decbrwhash_cost, decbrwhash_key_bytes, decbrwhash_vector_cost,
    polyhash_cost, polyhash_key_bytes, polyhash_vector_cost, stack_depth,
};
pub use decbrw::{Streams, decbrwhash, decbrwhash_residue, outer_exponent};
pub use gf2m::Gf2m;
pub use join::{WrongCut, brw_adds};
pub use mac::{decbrw_file_mac, polyhash_file_mac, wegman_carter};
// Part of this interface, so that callers need no dependency on the right version of num-bigint.
pub use num_bigint::BigUint;
pub use params::{KeyOutOfRange, Message, P1271, P1305, Params, WrongBitLength};
pub use poly::{
    combine, last_block, poly1305, poly1305_residue, polyhash, polyhash_residue, polyhash1305,
    polyhash1305_residue, roots_of_power_of_two,
};
