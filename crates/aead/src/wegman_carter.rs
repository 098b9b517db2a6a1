//! The MAC of Wegman and Carter: the digest of the message plus a mask, which is a pseudorandom function of the
//! nonce.
//!
//! ```text
//! tag = H_k1(message) + HChaCha20(k2, nonce)[..16]  mod 2^128
//!
//! k1 = HChaCha20(K, "carryless wegm-1")[..16]       k2 = HChaCha20(K, "carryless wegm-2")
//! ```
//!
//! H is 4-decBRWHash1305 (paper 001, Construction 3). Digests, masks and tags are integers of 16 bytes,
//! little-endian. K is the key of 32 bytes.
//!
//! **A nonce serves one message.** The difference of two tags under one nonce is the difference of two digests: a
//! polynomial equation in k1 that is easily solved. Its solution forges tags for every message under every nonce
//! seen. Where uniqueness is not certain, use [`file_mac`](crate::file_mac), which needs no nonce.
//!
//! **Which nonces.** Any 16 bytes that never repeat under the key: a counter, a message number that both sides
//! know, or random bytes. Among q random nonces two are equal with probability q^2 2^-129: 2^-65 for 2^32 messages.
//!
//! **Bound.** Suppose that no nonce serves two messages. An adversary who makes v attempts at forgery with messages
//! of at most l blocks of 16 bytes, and sees q tags for messages of at most that length, succeeds with probability
//! at most
//!
//! ```text
//! v (2l + 9) 2^-125 + Adv_PRF(q + v) + Adv_PRF(2)
//! ```
//!
//! An attempt under a nonce that served X with the tag T is right if H(X') - H(X) = T' - T. At most (2l + 9) 2^-125
//! of the keys k1 satisfy that (paper 001, Theorem 4). The theorem requires X' other than X; for X' = X only T' = T
//! is right, which is no forgery. An attempt under a new nonce guesses a fresh mask and is right with probability
//! 2^-128. The last terms are the advantages against HChaCha20 as a pseudorandom function, under k2 and under K.
//! Unlike in the file MAC, the number q of tags does not enter otherwise.
//!
//! **Why HChaCha20 of the nonce**, rather than XChaCha20 with its nonce of 24 bytes? It is one call instead of two,
//! half of the time for a short message, and the file MAC rests on the same assumption. The 8 further bytes would
//! only make repetitions of random nonces rarer; a counter is better still.
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

/// A nonce of 16 bytes, which must serve one message under a key and no other. Not secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonce([u8; 16]);

impl Nonce {
    /// A nonce of these bytes. The caller must ensure that they were never used before under the key: a nonce that
    /// serves two messages gives the key away.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The 16 bytes of the nonce, as given.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

/// A key of the MAC with its precomputed powers, for many messages, each with its own [`Nonce`]. 2.6 KiB; wiped
/// by `zeroize` and when dropped.
#[derive(Clone)]
pub struct WegmanCarter {
    cpu: Cpu,
    /// k1, the key of the hash: kept for streams, which start from it.
    hash_key: Zeroizing<[u8; 16]>,
    /// k1 with its precomputed powers, for messages in memory.
    hash: PreparedKey,
    /// k2, the key of HChaCha20 that makes the masks.
    prf_key: Zeroizing<[u8; 32]>,
}

wiped!(WegmanCarter { hash_key, hash, prf_key; cpu });
redacted!(WegmanCarter, "WegmanCarter");

impl WegmanCarter {
    /// Derives k1 and k2 from a key of 32 bytes, on the best backend of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// [`WegmanCarter::new`] on a backend of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &[u8; 32]) -> Self {
        // Each label gives an independent key, so neither k1 nor k2 says anything about the other or about K.
        let hash_key = half(key, b"carryless wegm-1");
        let hash = PreparedKey::on(cpu, Streams::Four, &hash_key);
        let prf_key = hchacha20(key, b"carryless wegm-2");
        // Keys passed through the stack while they were derived and moved.
        clear_frames_of_keys();
        Self { cpu, hash_key, hash, prf_key }
    }

    /// The tag of a message. The nonce must never have been used for another message under this key.
    #[must_use]
    pub fn tag(&self, nonce: &Nonce, msg: &[u8]) -> Tag {
        // The digest alone would reveal k1, so it is wiped once the mask is added.
        mask(&Zeroizing::new(self.hash.digest(msg)), &half(&self.prf_key, &nonce.0))
    }

    /// Checks a tag. Compares in constant time.
    pub fn verify(&self, nonce: &Nonce, msg: &[u8], tag: &Tag) -> Result<(), TagMismatch> {
        check(&self.tag(nonce, msg), tag)
    }

    /// Starts a message that comes in pieces, under the nonce of the whole message.
    #[must_use]
    pub fn stream(&self, nonce: &Nonce) -> Stream {
        let hash = DecBrwHash1305::on(self.cpu, &self.hash_key);
        // The mask is computed now, so that the stream holds neither k2 nor the nonce.
        Stream { hash, mask: half(&self.prf_key, &nonce.0) }
    }
}

/// A message that comes in pieces of any length; the tag does not depend on how it is cut. It borrows nothing.
///
/// 1.1 KiB with the feature `alloc` of `carryless-hash`, where long messages use up to 6.7 KiB on the heap; 7.8 KiB
/// without. Wiped by `zeroize` and when dropped.
#[derive(Clone)]
pub struct Stream {
    hash: DecBrwHash1305,
    mask: Zeroizing<[u8; 16]>,
}

wiped!(Stream { hash, mask });
redacted!(Stream, "Stream");

impl Stream {
    /// Appends bytes to the message. Never fails.
    pub fn update(&mut self, msg: &[u8]) {
        self.hash.update(msg);
    }

    /// The tag of all bytes, and the end of the stream.
    #[must_use]
    pub fn finalize(self) -> Tag {
        // The digest lives in a temporary that wipes itself: only its sum with the mask leaves.
        mask(&Zeroizing::new(self.hash.finalize()), &self.mask)
    }

    /// Checks the tag of all bytes. Compares in constant time.
    ///
    /// # Errors
    /// [`TagMismatch`] if the tag is not that of the message.
    pub fn verify(self, tag: &Tag) -> Result<(), TagMismatch> {
        check(&self.finalize(), tag)
    }
}

/// The tag: digest + mask modulo 2^128, all three little-endian. The mask is used once, so the sum hides the digest.
fn mask(digest: &[u8; 16], mask: &[u8; 16]) -> Tag {
    // Modulo 2^128: the carry out of the top byte is dropped. XOR would not fit the bound, which is on differences.
    let sum = u128::from_le_bytes(*digest).wrapping_add(u128::from_le_bytes(*mask));
    Tag::from(sum.to_le_bytes())
}
