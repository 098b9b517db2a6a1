//! BRWHash1271 and c-decBRWHash1271 (paper 001, Constructions 2 and 3): hashes over 2^127 - 1 with half a product
//! for a block of 15 bytes. Without vectors they are the fastest of the family.
//!
//! The message is dealt to c streams, block by block. [`Streams`] names c, and each c is a function of its own.
//! With one stream it is BRWHash. A key is an integer below 2^126 ([`Key1271`]). A digest is the canonical residue
//! modulo 2^127 - 1, then modulo 2^126, in 16 bytes, little-endian.
//!
//! Almost XOR universal: take two different messages of at most l blocks and any difference. The probability over
//! the key is at most (2l + 1) 2^-124 with one stream and (2l + 2c + 1) 2^-124 with more (paper 001, Theorems 3 and
//! 4). NOT a MAC: an adversary who sees a digest can compute the key.
//!
//! ```
//! use carryless_hash::Key1271;
//! use carryless_hash::decbrwhash1271::{Streams, digest};
//!
//! let key = Key1271::new(&[7; 16])?;
//! assert_ne!(digest(Streams::Four, &key, b"message"), digest(Streams::One, &key, b"message"));
//! # Ok::<(), carryless_hash::KeyOutOfRange>(())
//! ```
use crate::api::decbrwhash;
use crate::api::key1271::Key1271;
use crate::base::bound::{AxuBound, Prime};
use crate::eval::bits::WrongBitLength;
use carryless_lanes::Cpu;

pub use crate::eval::brw::{Layout, Params, Streams, UnknownStreams};

/// The digest of `msg` under `key`: the canonical residue modulo 2^126, 16 bytes, little-endian. The digest of the
/// empty message is zero. Runs on the best backend of this CPU, in constant time for a given length.
#[must_use]
pub fn digest(streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), streams, key, msg)
}

/// [`digest()`] on a backend of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    decbrwhash::digest_on(cpu, streams, key, msg)
}

/// [`digest_on`] with an evaluation of the caller's choice. Words are used where the streams do not
/// fill the lanes of vectors.
#[must_use]
pub fn digest_with(cpu: Cpu, params: Params, streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    decbrwhash::digest_with(cpu, params, streams, key, msg)
}

/// The digest of any number c of streams, in 64-bit words. It equals [`digest()`] for those that [`Streams`] names.
///
/// Takes three products for each stream beside those of the blocks, even if there are fewer blocks than
/// streams. [`axu_bound`] has the bound.
#[cfg(feature = "research-kernels")]
#[must_use]
pub fn digest_of_streams(streams: core::num::NonZeroU16, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    crate::papers::digest_of_streams(streams, key, msg)
}

/// [`digest_on`] of the first `bits` bits of `msg`, least significant bit of each byte first. The length in bits
/// is part of the hash.
///
/// # Errors
/// [`WrongBitLength`] if `msg` is not `bits` bits long, or an unused bit of its last byte is not zero.
pub fn digest_bits_on(
    cpu: Cpu,
    streams: Streams,
    key: &Key1271,
    msg: &[u8],
    bits: u64,
) -> Result<[u8; 16], WrongBitLength> {
    decbrwhash::digest_bits_on(cpu, streams, key, msg, bits)
}

/// The bound on the probability that two different messages of at most `len` bytes have a given difference of
/// digests. It is (2l + 2c + 1) 2^-124 for l blocks of 15 bytes and c streams, and (2l + 1) 2^-124 for one
/// stream (paper 001, Theorem 4).
#[must_use]
pub fn axu_bound(streams: Streams, len: u64) -> AxuBound {
    Prime::P1271.decbrwhash(streams as usize, len)
}

/// A [`Key1271`] with precomputed powers, for many messages: [`decbrwhash::PreparedKey`] over 2^127 - 1. 1.7 KiB;
/// wiped by `zeroize` and on drop.
pub type PreparedKey = decbrwhash::PreparedKey<Key1271>;

/// c-decBRWHash1271 of a message that comes in pieces, for C of 1, 2, 3, 4, 8 and
/// 16: [`decbrwhash::Hasher`] with a [`Key1271`].
///
/// 320 bytes with one stream, 1.1 KiB with four, 4.1 KiB with sixteen. With the default feature `alloc` of
/// `carryless-hash` (`stream-powers` of `carryless`), a message of more than 16 rows of C blocks keeps O(log n)
/// elements for each stream on the heap. With four streams that is 0.9 KiB, and 4.5 KiB from 2^12 rows on. Without
/// the feature their room is in the value: 2.2 KiB with one stream, 5.6 KiB with four, 19 KiB with sixteen. Wiped by
/// `zeroize` and on drop.
pub type Hasher<const C: usize> = decbrwhash::Hasher<Key1271, C>;

/// A stream of 4-decBRWHash1271: four streams, the usual choice on backends with vectors.
pub type DecBrwHash1271 = Hasher<4>;

/// A stream of BRWHash1271: one stream, for backends without vectors.
pub type BrwHash1271 = Hasher<1>;

/// The hash of a segment of a message, computed separately and then joined: [`decbrwhash::Segment`] over 2^127 - 1,
/// whose description has the rules. A block has 15 bytes. As secret as the key; wiped by `zeroize` and on drop.
///
/// ```
/// use carryless_hash::Key1271;
/// use carryless_hash::decbrwhash1271::{DecBrwHash1271, Segment, Streams, digest};
///
/// let key = Key1271::new(&[7; 16])?;
/// let message = [5; 10_000];
/// let parts = message.chunks(4 * 15 * 64).map(|part| {
///     let mut hash = DecBrwHash1271::new(&key);
///     hash.update(part);
///     hash.into_segment()
/// });
/// assert_eq!(Segment::join_all(parts)?.digest(), digest(Streams::Four, &key, &message));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Segment<const C: usize> = decbrwhash::Segment<Key1271, C>;
