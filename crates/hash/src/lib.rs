//! Polynomial hashing over 2^130 - 5 and 2^127 - 1: Poly1305 (RFC 8439), polyHash and c-decBRWHash, with kernels
//! for every vector unit that the CPU has.
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

mod batch;
mod bits;
mod block_rows;
mod blocks;
mod bound;
mod brw;
mod choose;
pub mod decbrwhash;
pub mod decbrwhash1271;
pub mod decbrwhash1305;
mod dispatch;
mod evaluate;
mod field;
mod field1271;
mod field1305;
mod five_limbs;
mod horner;
mod join;
mod key;
mod key1271;
mod limbs26;
mod limbs52;
mod one_lane;
#[cfg(feature = "research-kernels")]
mod papers;
#[cfg(not(feature = "research-kernels"))]
#[path = "papers/none.rs"]
mod papers;
mod plan;
pub mod poly1305;
pub mod polyhash;
pub mod polyhash1271;
pub mod polyhash1305;
mod powers;
// Of all kernels, those that no threshold chooses included.
#[cfg(all(test, feature = "research-kernels", not(carryless_without_proofs)))]
mod proofs;
pub mod research;
mod tag;
mod traits;
mod wipe;

pub use bits::WrongBitLength;
pub use bound::AxuBound;
pub use carryless_lanes::{Cpu, CpuClass, UnknownBackend};
pub use join::{InvalidSegment, JoinError};
pub use key::HashKey;
pub use key1271::{Key1271, KeyOutOfRange};
pub use tag::{ParseTagError, Tag, TagMismatch};

/// Compiles the examples of README.md as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
