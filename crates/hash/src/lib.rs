//! Polynomial hashing over 2^130 - 5 and 2^127 - 1: Poly1305 (RFC 8439), polyHash and c-decBRWHash, with kernels
//! for every vector unit that the CPU has.
//!
//! ```
//! use carryless_hash::poly1305;
//!
//! let key = [0x42; 32]; // one key, one message
//! let tag = poly1305::mac(&key, b"attack at dawn");
//! assert!(poly1305::verify(&key, b"attack at dawn", &tag).is_ok());
//! ```
//!
//! | purpose | item |
//! |---|---|
//! | a one-time MAC, as in ChaCha20-Poly1305 | [`poly1305::mac`], [`poly1305::Poly1305`] |
//! | many short messages under different keys | [`poly1305::mac_batch`] |
//! | one `r` for many messages, its powers precomputed | [`poly1305::PreparedKey`] |
//! | a hash whose parts are computed separately and joined | [`polyhash1305::PreparedKey`] |
//! | the BRW hashes of paper 001 | [`decbrwhash1305::digest()`] |
//! | the same hashes over 2^127 - 1, the fastest without vectors | [`polyhash1271::digest()`], [`decbrwhash1271::digest()`] |
//!
//! A Poly1305 key serves ONE message: two tags under one key give the key away. To authenticate files or packets
//! under a long-lived key, use a construction on top, such as the file MAC of the `carryless` command or an AEAD.
//!
//! Hashing is constant time in keys and messages: branches and addresses depend on lengths and on the CPU only.
//! Keys and states are wiped by `Zeroize::zeroize` and when dropped. They hold their secrets in the value itself,
//! and a move leaves a copy at the old place, as for any Rust value. Put a key where it stays (`Box`, a field)
//! before you use it.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

// Layers: `api`, `eval`, `choose`, `field`, `base`. Each imports only from those after it; `papers` and `proofs` from all.
mod api;
mod base;
mod choose;
mod eval;
mod field;
#[cfg(feature = "research-kernels")]
mod papers;
#[cfg(not(feature = "research-kernels"))]
#[path = "papers/none.rs"]
mod papers;
// Of all kernels, those that no threshold chooses included.
#[cfg(all(test, feature = "research-kernels", not(carryless_without_proofs)))]
mod proofs;

pub use api::key::HashKey;
pub use api::key1271::{Key1271, KeyOutOfRange};
pub use api::{decbrwhash, decbrwhash1271, decbrwhash1305};
pub use api::{poly1305, polyhash, polyhash1271, polyhash1305, research};
pub use base::bound::AxuBound;
pub use base::tag::{ParseTagError, Tag, TagMismatch};
pub use carryless_lanes::{Cpu, CpuClass, CpuId, UnknownBackend};
pub use eval::bits::WrongBitLength;
pub use eval::join::{InvalidSegment, JoinError};

/// Compiles the examples of README.md as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
