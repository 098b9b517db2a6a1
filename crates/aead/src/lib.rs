//! Authenticated encryption and MACs under one long-lived key: a polynomial hash, and a cipher or a pseudo-random function on top.
//!
//! | want | take |
//! |---|---|
//! | messages encrypted and authenticated (feature `aead`) | `aead::XChaCha20Poly1305`, or `aead::ChaCha20Poly1305` with nonces of 12 bytes |
//! | a tag that is a function of key and message, nothing to get wrong | [`file_mac::FileMac`] |
//! | the same for large messages whose parts are hashed by several threads | [`file_mac::FileMac::part`] |
//! | a sharper bound that does not age with the number of messages, and a nonce to be kept unique | [`wegman_carter::WegmanCarter`] |
//!
//! All take keys of 32 bytes and give tags of 16. The MACs derive what they need from the key, each under labels of its own,
//! so that one key may serve both; a key of an AEAD serves that AEAD alone. All of it is constant time in keys, messages and tags; lengths, nonces and the
//! outcome of a verification are public. Keys and states are wiped by
//! `Zeroize::zeroize` and when dropped, and their `Debug` shows nothing of them. They hold their secrets in the value itself, and like any Rust value
//! they leave a copy where they were when they are moved: put a key where it stays (`Box`, a field) before you use it.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(feature = "aead")]
pub mod aead;
pub mod file_mac;
mod prf;
pub mod wegman_carter;
mod wipe;
#[cfg(feature = "std")]
mod write;

pub use prf::hchacha20;

use carryless_hash::{Tag, TagMismatch};

/// `Ok` if both tags are the same; they are compared in constant time. A function of its own in the binary: Memcheck knows by the name of its caller that the branch on
/// the result is public (`ctime/public.supp`), and inlined code of other crates has none.
#[inline(never)]
fn check(computed: &Tag, given: &Tag) -> Result<(), TagMismatch> {
    if computed == given { Ok(()) } else { Err(TagMismatch) }
}

/// The examples of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
