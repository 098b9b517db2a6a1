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
use crate::bits::{self, WrongBitLength};
use crate::bound::{AxuBound, Prime};
use crate::brw::{DecBrw, Part, Prepared, Stream, best};
use crate::field::Field;
use crate::field1271::element::Element;
use crate::join::JoinError;
use crate::key1271::Key1271;
use crate::wipe::keyed;
use carryless_lanes::Cpu;
#[cfg(any(feature = "plans", test))]
use core::num::NonZeroU16;

pub use crate::brw::{Layout, Params, Streams, UnknownStreams};

/// The digest of `msg` under `key`: the canonical residue modulo 2^126, 16 bytes, little-endian. The digest of the
/// empty message is zero. Runs on the best machine of this CPU, in constant time for a given length.
#[must_use]
pub fn digest(streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), streams, key, msg)
}

/// [`digest()`] on a machine of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    let (cpu, params) = best::<Element>(cpu, streams, msg.len());
    digest_with(cpu, params, streams, key, msg)
}

/// [`digest_on`] with an evaluation of the caller's choice. Words are used where the streams do not fill the lanes
/// of vectors.
#[must_use]
pub fn digest_with(cpu: Cpu, params: Params, streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    evaluate(cpu, params, streams, key, msg, 8 * msg.len() as u64)
}

/// The digest of any number c of streams, in 64-bit words. It equals [`digest()`] for those that [`Streams`] names.
///
/// Takes three products for each stream beside those of the blocks, even if there are fewer blocks than streams.
/// [`axu_bound`] has the bound.
#[cfg(any(feature = "plans", test))]
#[must_use]
pub fn digest_of_streams(streams: NonZeroU16, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    if msg.is_empty() {
        return [0; 16];
    }
    let (c, bits) = (usize::from(streams.get()), 8 * msg.len() as u64);
    let kernel = DecBrw { tau: key.tau(), ready: None, msg, bits, c, t: 2, before: None };
    kernel.in_words().digest().to_le_bytes()
}

/// [`digest_on`] of the first `bits` bits of `msg`, least significant bit of each byte first. The length in bits is
/// part of the hash.
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
    bits::check(msg, bits)?;
    let (cpu, params) = best::<Element>(cpu, streams, msg.len());
    Ok(evaluate(cpu, params, streams, key, msg, bits))
}

/// The bound on the probability that two different messages of at most `len` bytes have a given difference of
/// digests. It is (2l + 2c + 1) 2^-124 for l blocks of 15 bytes and c streams, and (2l + 1) 2^-124 for one stream
/// (paper 001, Theorem 4).
#[must_use]
pub fn axu_bound(streams: Streams, len: u64) -> AxuBound {
    Prime::P1271.decbrwhash(streams as usize, len)
}

fn evaluate(cpu: Cpu, params: Params, streams: Streams, key: &Key1271, msg: &[u8], bits: u64) -> [u8; 16] {
    let (tau, c, t) = (key.tau(), streams as usize, params.t.clamp(2, 5));
    crate::brw::digest(cpu, params.layout, DecBrw { tau, ready: None, msg, bits, c, t, before: None })
}

/// A key with precomputed powers, for many messages: see
/// [`decbrwhash1305::PreparedKey`](crate::decbrwhash1305::PreparedKey). 1.7 KiB; wiped by `zeroize` and on drop.
#[derive(Clone)]
pub struct PreparedKey {
    prepared: Prepared<Element>,
}

keyed!([] PreparedKey, "PreparedKey", { prepared });

impl PreparedKey {
    /// The message length for which [`new`](PreparedKey::new) and [`on`](PreparedKey::on) prepare: 64 KiB.
    pub const DEFAULT_LEN: usize = 1 << 16;

    /// Prepares a key on the best machine of this CPU.
    #[must_use]
    pub fn new(streams: Streams, key: &Key1271) -> Self {
        Self::on(Cpu::detect(), streams, key)
    }

    /// Prepares a key on a machine of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, streams: Streams, key: &Key1271) -> Self {
        Self::for_len(cpu, streams, key, Self::DEFAULT_LEN)
    }

    /// Prepares all powers for messages of up to `len` bytes, or 2^20 blocks of a stream if that is less, on a
    /// machine of the caller's choice.
    #[must_use]
    pub fn for_len(cpu: Cpu, streams: Streams, key: &Key1271, len: usize) -> Self {
        PreparedKey { prepared: Prepared::new(cpu, streams, key.tau(), len) }
    }

    /// The digest of `msg`, of any length: 16 bytes, little-endian. Equal to [`digest()`].
    #[must_use]
    pub fn digest(&self, msg: &[u8]) -> [u8; 16] {
        self.prepared.digest(msg)
    }

    /// [`digest`](PreparedKey::digest) with an evaluation of the caller's choice, as in [`digest_with()`].
    #[must_use]
    pub fn digest_with(&self, params: Params, msg: &[u8]) -> [u8; 16] {
        self.prepared.digest_with(params, msg)
    }
}

/// c-decBRWHash1271 of a message that comes in pieces, for C of 1, 2, 3, 4, 8 and 16.
///
/// 320 bytes with one stream, 1.1 KiB with four, 4.1 KiB with sixteen. With the feature `alloc`, which is on by
/// default, a message of more than 16 rows of C blocks keeps O(log n) elements for each stream on the heap. With
/// four streams that is 0.9 KiB, and 4.5 KiB from 2^12 rows on. Without `alloc` their room is in the value: 2.2 KiB
/// with one stream, 5.6 KiB with four, 19 KiB with sixteen. Wiped by `zeroize` and on drop.
#[derive(Clone)]
pub struct Hasher<const C: usize> {
    stream: Stream<Element, C>,
}

keyed!([const C: usize] Hasher<C>, "Hasher", { stream });

/// A stream of 4-decBRWHash1271: four streams, the usual choice on machines with vectors.
pub type DecBrwHash1271 = Hasher<4>;

/// A stream of BRWHash1271: one stream, for machines without vectors.
pub type BrwHash1271 = Hasher<1>;

impl<const C: usize> Hasher<C> {
    /// Starts on the best machine of this CPU.
    #[must_use]
    pub fn new(key: &Key1271) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Starts on a machine of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &Key1271) -> Self {
        Hasher { stream: Stream::new(cpu, key.tau()) }
    }

    /// Appends bytes. The digest does not depend on how the message is cut into pieces. A message must have fewer
    /// than 2^64 bits.
    pub fn update(&mut self, msg: &[u8]) {
        self.stream.update(msg);
    }

    /// The digest of all bytes so far. More may follow. Works on a copy of the state, unless the message has at
    /// most 16 rows.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        self.stream.digest()
    }

    /// Returns to the empty message under the same key. Wipes the state of the previous message.
    pub fn reset(&mut self) {
        self.stream.reset();
    }

    /// The digest of all bytes, and the end of the stream.
    #[must_use]
    #[inline(always)]
    pub fn finalize(mut self) -> [u8; 16] {
        self.stream.finish()
    }

    /// All bytes so far as a segment of a larger message, to be joined with its neighbours.
    #[must_use]
    pub fn into_segment(mut self) -> Segment<C> {
        Segment { part: self.stream.part() }
    }
}

/// The hash of a segment of a message, computed separately: by another thread, or before the bytes in front of it
/// are known. It holds a copy of the key and is as secret as the key.
///
/// A row is C blocks. Segments A and B, in this order and under the same key, join where A is whole rows and either
///
/// - the rows of A are a multiple of 2^m, m >= 2, and B has fewer than 2^m; or
/// - B is 2^m rows, and both together are a power of two: B follows an equal segment, or 2^m rows follow 2^n - 2^m.
///
/// So cut a message into equal segments of 2^m rows, and join neighbours of equal size first, as
/// [`join_all`](Segment::join_all) does. A join costs C products and the computation of one power of the key.
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
#[derive(Clone)]
pub struct Segment<const C: usize> {
    part: Part<Element, C>,
}

keyed!([const C: usize] Segment<C>, "Segment", { part });

impl<const C: usize> Segment<C> {
    /// Joins this segment and the one that follows it.
    ///
    /// # Errors
    /// [`JoinError`] if they were hashed under different keys, if the rules above do not let them join, or if both
    /// together have 2^64 bits or more.
    pub fn join(&self, next: &Segment<C>) -> Result<Segment<C>, JoinError> {
        Ok(Segment { part: self.part.join(&next.part)? })
    }

    /// Joins all segments of a message in order. Each has 2^m rows, m >= 2, and the last may be shorter.
    ///
    /// # Errors
    /// [`JoinError`] if their lengths are others, if there is no segment, if keys differ, or if all together have
    /// 2^64 bits or more.
    pub fn join_all(parts: impl IntoIterator<Item = Segment<C>>) -> Result<Segment<C>, JoinError> {
        Ok(Segment { part: Part::join_all(parts.into_iter().map(|segment| segment.part.clone()))? })
    }

    /// The digest, if this segment is the whole message: 16 bytes, little-endian.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        self.part.value().digest().to_le_bytes()
    }

    /// The number of bytes of the message that the segment covers.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.part.len()
    }

    /// True if the segment covers no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field1271::testing::key;
    use crate::field1305::testing::{Rng, sample};
    use carryless_reference::{P1271, decbrwhash};

    const ALL: [Streams; 6] =
        [Streams::One, Streams::Two, Streams::Three, Streams::Four, Streams::Eight, Streams::Sixteen];

    fn check(bytes: &[u8; 16], msg: &[u8]) {
        let key = Key1271::new(bytes).expect("below 2^126");
        for streams in ALL {
            let want = decbrwhash(&P1271, streams as usize, bytes, msg.into()).expect("below 2^126");
            for cpu in Cpu::available() {
                assert_eq!(digest_on(cpu, streams, &key, msg), want, "{streams:?}, {}", cpu.name());
                for params in Params::all() {
                    let got = digest_with(cpu, params, streams, &key, msg);
                    let len = msg.len();
                    assert_eq!(got, want, "{len} bytes, {streams:?}, {params:?}, {}", cpu.name());
                }
            }
        }
    }

    /// Every length, every c, every t, lanes and words, on every machine.
    #[test]
    fn every_length() {
        let mut rng = Rng(44);
        for len in sample(0..720) {
            let (key, msg) = (key(&mut rng), rng.bytes(len));
            check(&key, &msg);
        }
    }

    /// More rows than the short evaluation has room for, and blocks of ones under the extreme keys.
    #[test]
    fn longer_messages_and_extreme_values() {
        let mut rng = Rng(45);
        for len in sample(0..4) {
            let (key, msg) = (key(&mut rng), rng.bytes(15 * 16 * 65 + 100 * len));
            check(&key, &msg);
        }
        for tau in [0u128, 1, (1 << 126) - 1, (1 << 126) - 2, 1 << 125] {
            for len in [15, 60, 240, 15 * 64, 15 * 128, 15 * 129 + 14] {
                check(&tau.to_le_bytes(), &std::vec![0xff; len]);
            }
        }
    }

    /// Pieces of all sizes, and prepared keys.
    #[test]
    fn streams_and_prepared_keys() {
        let mut rng = Rng(46);
        let (key, msg) = (Key1271::new(&key(&mut rng)).expect("below 2^126"), rng.bytes(20_000));
        let lengths = [60, 241, 0, 1, 15, 61, 239, 240, 20_000, 3600];
        for i in sample(0..lengths.len()) {
            let len = lengths[i];
            for cpu in Cpu::available() {
                let want = digest_on(cpu, Streams::Four, &key, &msg[..len]);
                for piece in [1, 15, 59, 1024, 7000] {
                    let mut hash = DecBrwHash1271::on(cpu, &key);
                    msg[..len].chunks(piece).for_each(|piece| hash.update(piece));
                    assert_eq!(hash.finalize(), want, "{len} bytes by {piece}, {}", cpu.name());
                }
                for prepared_for in [0, 1000, 1 << 16] {
                    let key = PreparedKey::for_len(cpu, Streams::Four, &key, prepared_for);
                    assert_eq!(key.digest(&msg[..len]), want, "{len} bytes, {}", cpu.name());
                    for params in Params::all() {
                        let got = key.digest_with(params, &msg[..len]);
                        assert_eq!(got, want, "{len} bytes, {params:?}, {}", cpu.name());
                    }
                }
            }
        }
    }

    /// Numbers of streams that have no name, and those that have.
    #[test]
    fn any_number_of_streams() {
        let mut rng = Rng(33);
        for c in sample(1..40).chain([100, 1000]) {
            let streams = core::num::NonZeroU16::new(c as u16).expect("not 0");
            for len in [0, 1, 16, 15 * c, 16 * c + 1, 2000] {
                let (key, msg) = (key(&mut rng), rng.bytes(len));
                let want = decbrwhash(&P1271, c, &key, msg[..].into()).expect("a key in range");
                assert_eq!(
                    digest_of_streams(streams, &Key1271::new(&key).expect("below 2^126"), &msg),
                    want,
                    "{len} bytes, {c} streams"
                );
            }
        }
    }
}
