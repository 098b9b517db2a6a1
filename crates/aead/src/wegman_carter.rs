//! The MAC of Wegman and Carter with a nonce: the digest of the message, masked by a pseudo-random function of the nonce.
//!
//! ```text
//! tag = H_k1(message) + HChaCha20(k2, nonce)[..16]  mod 2^128
//!
//! k1 = HChaCha20(K, "carryless wegm-1")[..16]       k2 = HChaCha20(K, "carryless wegm-2")
//! ```
//!
//! H is 4-decBRWHash1305 (paper 001, Construction 3); digests, masks and tags are integers of 16 bytes, little-endian; K is
//! the key of 32 bytes.
//!
//! **A nonce serves one message.** The difference of two tags under one nonce is the difference of two digests: a
//! polynomial equation in k1, solved in moments. Whoever solves it forges tags for every message and every nonce seen.
//! Where uniqueness cannot be had for certain, take [`file_mac`](crate::file_mac), which needs no nonce.
//!
//! **Which nonces.** Any 16 bytes that do not come again under the key: a counter, a message number that both sides know,
//! or random bytes. Of q random nonces some two are equal with probability q^2 2^-129: 2^-65 for 2^32 messages.
//!
//! **Bound.** If no nonce serves two messages, an adversary who makes v attempts at forgery with messages of at most l blocks of
//! 16 bytes, and sees q tags for messages of at most that length, succeeds with probability at most
//!
//! ```text
//! v (2l + 9) 2^-125 + Adv_PRF(q + v) + Adv_PRF(2)
//! ```
//!
//! An attempt under a nonce that served X with the tag T is right if H(X') - H(X) = T' - T, which (2l + 9) 2^-125 of the keys
//! k1 give (paper 001, Theorem 4; the theorem asks for X' other than X, and for X' = X only T' = T is right, which
//! is no forgery); one under a new nonce is a guess of a fresh mask, right with 2^-128. The last terms: what HChaCha20
//! lacks of a random function, under k2 and under K. The number q of tags does not enter otherwise, unlike the file MAC's.
//!
//! **Why HChaCha20 of the nonce**, rather than XChaCha20 with its nonce of 24 bytes: one call instead of two, which is half of
//! the time for a short message, on the assumption that the file MAC makes as well. What 8 bytes more would buy is
//! rarer repetition of random nonces; a counter is better still.
//!
//! ```
//! use carryless_aead::wegman_carter::{Nonce, WegmanCarter};
//!
//! let mac = WegmanCarter::new(&[0x42; 32]);
//! let nonce = Nonce::from_bytes(1u128.to_le_bytes()); // message number 1
//! let tag = mac.tag(&nonce, b"attack at dawn");
//! assert!(mac.verify(&nonce, b"attack at dawn", &tag).is_ok());
//! assert!(mac.verify(&nonce, b"attack at noon", &tag).is_err());
//! assert!(mac.verify(&Nonce::from_bytes([2; 16]), b"attack at dawn", &tag).is_err());
//! ```
use carryless_hash::decbrwhash1305::{DecBrwHash1305, PreparedKey, Streams};
use carryless_hash::{Cpu, Tag, TagMismatch};
use zeroize::Zeroizing;

use crate::check;
use crate::prf::{half, hchacha20};
use crate::wipe::{clear_frames_of_keys, redacted, wiped};

/// Sixteen bytes that serve one message under a key, and no other. Not secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonce([u8; 16]);

impl Nonce {
    /// A nonce of these bytes. That they were never used before under the key is the caller's duty: a nonce that serves
    /// two messages gives the key away.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

/// A key of the MAC, ready for many messages, each with its own [`Nonce`]. 2.6 KiB; wiped by `zeroize` and when
/// dropped.
#[derive(Clone)]
pub struct WegmanCarter {
    cpu: Cpu,
    /// k1.
    hash_key: Zeroizing<[u8; 16]>,
    /// The same, ready.
    hash: PreparedKey,
    /// k2.
    prf_key: Zeroizing<[u8; 32]>,
}

wiped!(WegmanCarter { hash_key, hash, prf_key; cpu });
redacted!(WegmanCarter, "WegmanCarter");

impl WegmanCarter {
    /// Derives k1 and k2 from a key, on the best machine of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// [`WegmanCarter::new`] on a machine of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &[u8; 32]) -> Self {
        let hash_key = half(key, b"carryless wegm-1");
        let hash = PreparedKey::on(cpu, Streams::Four, &hash_key);
        let prf_key = hchacha20(key, b"carryless wegm-2");
        clear_frames_of_keys();
        Self { cpu, hash_key, hash, prf_key }
    }

    /// The tag of a message. The nonce must never have been used under this key.
    #[must_use]
    pub fn tag(&self, nonce: &Nonce, msg: &[u8]) -> Tag {
        mask(&Zeroizing::new(self.hash.digest(msg)), &half(&self.prf_key, &nonce.0))
    }

    /// Checks a tag, in constant time.
    ///
    /// # Errors
    /// [`TagMismatch`] if the tag is not that of the message with this nonce under this key.
    pub fn verify(&self, nonce: &Nonce, msg: &[u8], tag: &Tag) -> Result<(), TagMismatch> {
        check(&self.tag(nonce, msg), tag)
    }

    /// A message that comes in pieces. The nonce is that of the whole message.
    #[must_use]
    pub fn stream(&self, nonce: &Nonce) -> Stream {
        let hash = DecBrwHash1305::on(self.cpu, &self.hash_key);
        Stream { hash, mask: half(&self.prf_key, &nonce.0) }
    }
}

/// A message that comes in pieces. How it is cut does not matter. It borrows nothing. 1.1 KiB with the feature `alloc` of
/// `carryless-hash`, where long messages take up to 6.7 KiB on the heap, 7.8 KiB without; wiped by `zeroize` and when dropped.
#[derive(Clone)]
pub struct Stream {
    hash: DecBrwHash1305,
    mask: Zeroizing<[u8; 16]>,
}

wiped!(Stream { hash, mask });
redacted!(Stream, "Stream");

impl Stream {
    /// Appends bytes.
    pub fn update(&mut self, msg: &[u8]) {
        self.hash.update(msg);
    }

    /// The tag of all bytes so far.
    #[must_use]
    pub fn finalize(self) -> Tag {
        mask(&Zeroizing::new(self.hash.finalize()), &self.mask)
    }

    /// Checks the tag of all bytes so far, in constant time.
    ///
    /// # Errors
    /// [`TagMismatch`] if it is another.
    pub fn verify(self, tag: &Tag) -> Result<(), TagMismatch> {
        check(&self.finalize(), tag)
    }
}

/// digest + mask mod 2^128.
fn mask(digest: &[u8; 16], mask: &[u8; 16]) -> Tag {
    let sum = u128::from_le_bytes(*digest).wrapping_add(u128::from_le_bytes(*mask));
    Tag::from(sum.to_le_bytes())
}
