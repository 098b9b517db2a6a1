//! Poly1305, the one-time authenticator of RFC 8439 section 2.5.
//!
//! The key is 32 bytes: r (clamped on entry) and s. The tag is ((C_1 r^l + ... + C_l r) mod 2^130 - 5) + s mod 2^128,
//! where C_i is block i of 16 bytes with a one bit after its last byte. A key serves ONE message.
use crate::base::tag::{Tag, TagMismatch};
use crate::base::wipe::keyed;
use crate::choose::WORDS_EVERYWHERE_TO;
use crate::choose::plan::{Plan, PlanMismatch};
use crate::eval::bits::WrongBitLength;
use crate::eval::evaluate::Stream;
use crate::eval::p1305::evaluate::{
    Point, add_mask, mac_detected, mac_in_words, mac_of_one, masked, split, tag_of,
};
use crate::eval::p1305::prepared::{Prepared, Streamed};
use crate::field::p1305::element::Element;
use carryless_lanes::Cpu;

/// Bytes of a one-time key: r, then s, 16 bytes each, little-endian.
pub const KEY_SIZE: usize = 32;
/// Bytes of a tag; tags are never truncated.
pub const TAG_SIZE: usize = 16;

/// The tag of `msg` under the one-time `key`, on the best backend of this CPU.
///
/// ```
/// let key = [7; 32]; // from a cipher or a random generator, for this message only
/// let tag = carryless_hash::poly1305::mac(&key, b"one message");
/// assert!(carryless_hash::poly1305::verify(&key, b"one message", &tag).is_ok());
/// ```
#[must_use]
#[inline]
pub fn mac(key: &[u8; 32], msg: &[u8]) -> Tag {
    // Up to this length words are fastest on every CPU, so none is detected.
    let short = msg.len() <= WORDS_EVERYWHERE_TO;
    tag_of(if short { mac_in_words(key, msg) } else { mac_detected(key, msg) })
}

/// [`mac`] on a backend of the caller's choice.
#[must_use]
#[inline]
pub fn mac_on(cpu: Cpu, key: &[u8; 32], msg: &[u8]) -> Tag {
    tag_of(mac_of_one(cpu, key, msg))
}

/// [`mac_on`] of the first `bits` bits of `msg`: Goll and Gueron's Poly1305 of bit strings (paper 003, section 2),
/// in which a one bit follows the last bit.
///
/// Bit i of the message is bit i mod 8 of byte i / 8, the least significant first. For whole bytes the tag
/// is that of RFC 8439.
///
/// # Errors
/// [`WrongBitLength`] if `msg` is not `bits` bits long, or an unused bit of its last byte is not zero.
pub fn mac_bits_on(cpu: Cpu, key: &[u8; 32], msg: &[u8], bits: u64) -> Result<Tag, WrongBitLength> {
    let (r, s) = split(key);
    Point::clamped(cpu, r).evaluate_bits(msg, bits).map(|h| add_mask(h, s))
}

/// [`mac_on`] with a kernel of the caller's choice.
///
/// # Errors
/// [`PlanMismatch`] if the plan does not serve this length on this backend.
pub fn mac_with(cpu: Cpu, plan: Plan, key: &[u8; 32], msg: &[u8]) -> Result<Tag, PlanMismatch> {
    let (r, s) = split(key);
    plan.evaluate(&Point::clamped(cpu, r), cpu, msg).map(|h| add_mask(h, s))
}

/// `Ok` if `tag` belongs to `msg` under `key`; compares in constant time.
///
/// # Errors
/// [`TagMismatch`] if not; it does not tell where they differ.
pub fn verify(key: &[u8; 32], msg: &[u8], tag: &Tag) -> Result<(), TagMismatch> {
    mac(key, msg).check(tag)
}

/// Writes the tags of many short messages, each under its own one-time key: one message per lane of the vectors.
/// Messages of similar length are grouped, so their order does not matter.
///
/// # Panics
/// If the three slices differ in length.
pub fn mac_batch(keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    mac_batch_on(Cpu::detect(), keys, msgs, tags);
}

/// [`mac_batch`] on a backend of the caller's choice.
///
/// # Panics
/// If the three slices differ in length.
pub fn mac_batch_on(cpu: Cpu, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    assert!(keys.len() == msgs.len() && msgs.len() == tags.len(), "as many keys, messages and tags");
    crate::eval::p1305::mac_batch::mac_batch(cpu, keys, msgs, tags);
}

/// Poly1305 of a message that comes in pieces of any length.
///
/// With the default feature `alloc` of `carryless-hash` (`stream-powers` of `carryless`), a message of more than 4 KiB
/// precomputes key powers for all later pieces where they pay, 1.1 KiB on the heap with AVX-512 IFMA, else 6.3 KiB, and
/// collects small pieces in 1 KiB. Without it each piece computes its own.
///
/// 192 bytes, 160 without the feature; wiped by `zeroize` and on drop.
///
/// ```
/// use carryless_hash::poly1305::{Poly1305, mac};
/// let mut stream = Poly1305::new(&[7; 32]);
/// stream.update(b"one ");
/// stream.update(b"message");
/// assert_eq!(stream.finalize(), mac(&[7; 32], b"one message"));
/// ```
#[derive(Clone)]
pub struct Poly1305 {
    stream: Stream<Element>,
    s: u128,
}

keyed!([] Poly1305, "Poly1305", { stream, s });

impl Poly1305 {
    /// Starts with a one-time key, on the best backend of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Starts on a backend of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &[u8; 32]) -> Self {
        let (r, s) = split(key);
        Poly1305 { stream: Stream::new(Streamed::new(Point::clamped(cpu, r))), s: u128::from_le_bytes(*s) }
    }

    /// Appends bytes. The tag does not depend on how the message is cut into pieces. Never fails.
    pub fn update(&mut self, msg: &[u8]) {
        self.stream.update(msg);
    }

    /// The tag of all bytes, and the end of the stream.
    #[must_use]
    #[inline(always)]
    pub fn finalize(self) -> Tag {
        // Inlined into the caller, so that the call does not copy the state: `tag` reads it in place.
        tag_of(self.tag())
    }

    /// The tag of all bytes. Wipes the stream where it is: do not use it again, its key is now zero.
    ///
    /// [`finalize`](Poly1305::finalize) moves the stream, and what a move leaves behind is not wiped. The copy also takes
    /// longer than hashing 64 bytes, because it waits until the value has reached the cache.
    ///
    /// ```
    /// use carryless_hash::poly1305::{Poly1305, mac};
    /// let mut stream = Poly1305::new(&[7; 32]);
    /// stream.update(b"message");
    /// assert_eq!(stream.finalize_in_place(), mac(&[7; 32], b"message"));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn finalize_in_place(&mut self) -> Tag {
        tag_of(self.tag_and_wipe())
    }

    /// [`tag`](Poly1305::tag), then [`zeroize`](zeroize::Zeroize::zeroize).
    fn tag_and_wipe(&mut self) -> u128 {
        let tag = self.tag();
        zeroize::Zeroize::zeroize(self);
        tag
    }

    /// [`finalize`](Poly1305::finalize) by reference: taking the stream by value would copy the state. The tag is a
    /// number, which is returned in registers.
    fn tag(&self) -> u128 {
        // Inlined words keep h in registers.
        let s = self.s.to_le_bytes();
        self.stream.finish_by(|h| masked(h, &s), |key, h, msg| key.tag(h, msg, &s))
    }

    /// `Ok` if `tag` belongs to the bytes so far; compares in constant time.
    ///
    /// # Errors
    /// [`TagMismatch`] if not; it does not tell where they differ.
    #[inline(always)]
    pub fn verify(self, tag: &Tag) -> Result<(), TagMismatch> {
        self.finalize().check(tag)
    }
}

/// One r with precomputed powers, for many messages that each bring their own s, as in Poly1305-AES.
///
/// The same s must never serve two messages. 6.3 KiB, aligned to 64 bytes; wiped by `zeroize` and on drop.
#[derive(Clone)]
pub struct PreparedKey {
    prepared: Prepared,
}

keyed!([] PreparedKey, "PreparedKey", { prepared });

impl PreparedKey {
    /// Prepares r on the best backend of this CPU.
    #[must_use]
    pub fn new(r: &[u8; 16]) -> Self {
        Self::on(Cpu::detect(), r)
    }

    /// Prepares r on a backend of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, r: &[u8; 16]) -> Self {
        PreparedKey { prepared: Prepared::new(Point::clamped(cpu, r)) }
    }

    /// The tag of `msg` under (r, s).
    #[must_use]
    #[inline]
    pub fn mac(&self, s: &[u8; 16], msg: &[u8]) -> Tag {
        tag_of(self.prepared.mac(s, msg))
    }

    /// `Ok` if `tag` belongs to `msg` under (r, s); compares in constant time.
    ///
    /// # Errors
    /// [`TagMismatch`] if not; it does not tell where they differ.
    pub fn verify(&self, s: &[u8; 16], msg: &[u8], tag: &Tag) -> Result<(), TagMismatch> {
        self.mac(s, msg).check(tag)
    }

    /// Starts a message under (r, s) that comes in pieces. The stream copies r but not its powers, and borrows nothing.
    #[must_use]
    pub fn stream(&self, s: &[u8; 16]) -> Poly1305 {
        Poly1305 {
            // The point without its table: a stream makes one on the heap if its message is long.
            stream: Stream::new(Streamed::new(self.prepared.point().clone())),
            s: u128::from_le_bytes(*s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 8439, section 2.5.2.
    #[test]
    fn rfc_8439_example() {
        let key = 0x85d6be78_57556d33_7f4452fe_42d506a8_u128.to_be_bytes();
        let s = 0x0103808a_fb0db2fd_4abff6af_4149f51b_u128.to_be_bytes();
        let mut both = [0; 32];
        both[..16].copy_from_slice(&key);
        both[16..].copy_from_slice(&s);
        let tag = mac(&both, b"Cryptographic Forum Research Group");
        assert_eq!(tag.to_bytes(), 0xa8061dc1_305136c6_c22b8baf_0c0127a9_u128.to_be_bytes());
    }
}
