//! BRWHash1305 and c-decBRWHash1305 (paper 001, Constructions 2 and 3): hashes over 2^130 - 5 with half a product
//! for a block.
//!
//! The message is dealt to c streams, block by block. [`Streams`] names c, and each c is a function of its own.
//! With one stream it is BRWHash. Almost XOR universal like polyHash1305, and like it NOT a MAC: an adversary who
//! sees a digest can compute the key.
//!
//! ```
//! use carryless_hash::decbrwhash1305::{Streams, digest};
//!
//! let key = [7; 16];
//! assert_ne!(digest(Streams::Four, &key, b"message"), digest(Streams::One, &key, b"message"));
//! ```
use crate::api::decbrwhash;
use crate::base::bound::{AxuBound, Prime};
use crate::eval::bits::WrongBitLength;
use carryless_lanes::Cpu;

pub use crate::eval::brw::{Layout, Params, Streams, UnknownStreams};

/// The digest of `msg` under `key`: the canonical residue modulo 2^128, 16 bytes, little-endian. The digest of the
/// empty message is zero. Runs on the best backend of this CPU, in constant time for a given length.
#[must_use]
pub fn digest(streams: Streams, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), streams, key, msg)
}

/// [`digest()`] on a backend of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, streams: Streams, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    decbrwhash::digest_on(cpu, streams, key, msg)
}

/// [`digest_on`] with an evaluation of the caller's choice. Words are used where the streams do not
/// fill the lanes of vectors.
#[must_use]
pub fn digest_with(cpu: Cpu, params: Params, streams: Streams, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    decbrwhash::digest_with(cpu, params, streams, key, msg)
}

/// The digest of any number c of streams, in 64-bit words. It equals [`digest()`] for those that [`Streams`] names.
///
/// Takes three products for each stream beside those of the blocks, even if there are fewer blocks than
/// streams. [`axu_bound`] has the bound.
#[cfg(feature = "research-kernels")]
#[must_use]
pub fn digest_of_streams(streams: core::num::NonZeroU16, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
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
    key: &[u8; 16],
    msg: &[u8],
    bits: u64,
) -> Result<[u8; 16], WrongBitLength> {
    decbrwhash::digest_bits_on(cpu, streams, key, msg, bits)
}

/// The bound on the probability that two different messages of at most `len` bytes have a given difference of
/// digests. It is (2l + 2c + 1) 2^-125 for l blocks of 16 bytes and c streams, and (2l + 1) 2^-125 for one
/// stream (paper 001, Theorem 4).
#[must_use]
pub fn axu_bound(streams: Streams, len: u64) -> AxuBound {
    Prime::P1305.decbrwhash(streams as usize, len)
}

/// A key of 16 bytes with precomputed powers, for many messages: [`decbrwhash::PreparedKey`] over 2^130 - 5.
/// 2.6 KiB; wiped by `zeroize` and on drop.
pub type PreparedKey = decbrwhash::PreparedKey<[u8; 16]>;

/// c-decBRWHash1305 of a message that comes in pieces, for C of 1, 2, 3, 4, 8 and 16: [`decbrwhash::Hasher`] with
/// a key of 16 bytes.
///
/// 328 bytes with one stream, 1.1 KiB with four, 4.1 KiB with sixteen. With the default feature `alloc` of
/// `carryless-hash` (`stream-powers` of `carryless`), a message of more than 16 rows of C blocks keeps O(log n)
/// elements for each stream on the heap. With four streams that is 1.4 KiB, and 6.7 KiB from 2^12 rows on. Without
/// the feature, room for 2^64 bits is in the value: 3.1 KiB with one stream, 7.8 KiB with four, 26.5 KiB with
/// sixteen. Wiped by `zeroize` and on drop.
///
/// ```
/// use carryless_hash::decbrwhash1305::{DecBrwHash1305, Streams, digest};
///
/// let mut hash = DecBrwHash1305::new(&[7; 16]);
/// hash.update(b"mess");
/// hash.update(b"age");
/// assert_eq!(hash.finalize(), digest(Streams::Four, &[7; 16], b"message"));
/// ```
pub type Hasher<const C: usize> = decbrwhash::Hasher<[u8; 16], C>;

/// A stream of 4-decBRWHash1305: four streams, the usual choice on backends with vectors.
pub type DecBrwHash1305 = Hasher<4>;

/// A stream of BRWHash1305: one stream, for backends without vectors.
pub type BrwHash1305 = Hasher<1>;

/// The hash of a segment of a message, computed separately and then joined: [`decbrwhash::Segment`] over 2^130 - 5,
/// whose description has the rules. A block has 16 bytes. As secret as the key; wiped by `zeroize` and on drop.
///
/// ```
/// use carryless_hash::decbrwhash1305::{DecBrwHash1305, Segment, Streams, digest};
///
/// let message = [5; 10_000];
/// let parts = message.chunks(4 * 16 * 64).map(|part| {
///     let mut hash = DecBrwHash1305::new(&[7; 16]);
///     hash.update(part);
///     hash.into_segment()
/// });
/// assert_eq!(Segment::join_all(parts)?.digest(), digest(Streams::Four, &[7; 16], &message));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Segment<const C: usize> = decbrwhash::Segment<[u8; 16], C>;
