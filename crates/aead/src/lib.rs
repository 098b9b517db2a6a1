//! Authenticated encryption and MACs under one long-lived key: a polynomial hash with a cipher or a pseudorandom
//! function on top.
//!
//! ```
//! use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
//!
//! let mac = FileMac::new(Algorithm::default(), Subject::File, &[7; 32]);
//! let tag = mac.tag(b"message");
//! assert!(mac.verify(b"message", &tag).is_ok());
//! ```
//!
//! | purpose | item |
//! |---|---|
//! | messages encrypted and authenticated (feature `aead`) | `aead::XChaCha20Poly1305`, or `aead::ChaCha20Poly1305` with nonces of 12 bytes |
//! | a tag that is a function of key and message, without a nonce | [`file_mac::FileMac`] |
//! | the same for large messages whose parts are hashed by several threads | [`file_mac::FileMac::part`] |
//! | a sharper bound for any number of messages, with unique nonces | [`wegman_carter::WegmanCarter`] |
//!
//! All keys have 32 bytes and all tags 16. The MACs derive their keys from the given one under labels of their own,
//! so one key may serve both MACs. A key of an AEAD must serve that AEAD alone.
//!
//! Everything is constant time in keys, messages and tags. Lengths, nonces and the outcome of a verification are
//! public.
//!
//! Keys and states are wiped by `Zeroize::zeroize` and when dropped, and their `Debug` shows no secret. They hold
//! their secrets in the value itself, and a move leaves a copy at the old place, as for any Rust value. Put a key
//! where it stays (`Box`, a field) before you use it.
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

/// `Ok` if both tags are equal. Compares in constant time; the outcome is public.
///
/// Never inlined: Memcheck knows by the name of the calling function that the branch on the result is public
/// (`ctime/public.supp`), and code inlined from other crates has no such name.
#[inline(never)]
fn check(computed: &Tag, given: &Tag) -> Result<(), TagMismatch> {
    // `==` of tags looks at all bytes, and only its outcome reaches the branch.
    if computed == given { Ok(()) } else { Err(TagMismatch) }
}

/// Compiles the examples of README.md as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
