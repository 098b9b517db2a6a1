//! BRWHash and c-decBRWHash (paper 001, Constructions 2 and 3) over either prime: keys with precomputed powers,
//! messages in pieces, and segments that join.
//!
//! The types are generic over the [key](HashKey), which determines the prime. [`decbrwhash1305`] and
//! [`decbrwhash1271`] name them for one prime each, have the functions for a whole message, and say what the hashes
//! guarantee.
//!
//! [`decbrwhash1305`]: crate::decbrwhash1305
//! [`decbrwhash1271`]: crate::decbrwhash1271
use crate::api::key::HashKey;
use crate::base::wipe::keyed;
use crate::eval::bits::{self, WrongBitLength};
use crate::eval::brw::{self, DecBrw, Part, Prepared, Stream, best};
use crate::eval::evaluate::Evaluate;
use crate::eval::join::JoinError;
use crate::field::Field;
use carryless_lanes::Cpu;

pub use crate::eval::brw::{Layout, Params, Streams, UnknownStreams};

#[cfg(test)]
mod tests;

/// The digest of `msg` by the fastest evaluation on `cpu`.
pub(crate) fn digest_on<K: HashKey>(cpu: Cpu, streams: Streams, key: &K, msg: &[u8]) -> [u8; 16] {
    let (cpu, params) = best::<K::Element>(cpu, streams, msg.len());
    digest_with(cpu, params, streams, key, msg)
}

/// The digest of `msg` by the evaluation `params`.
pub(crate) fn digest_with<K: HashKey>(
    cpu: Cpu,
    params: Params,
    streams: Streams,
    key: &K,
    msg: &[u8],
) -> [u8; 16] {
    evaluate(cpu, params, streams, key, msg, 8 * msg.len() as u64)
}

/// The digest of the first `bits` bits of `msg`, or [`WrongBitLength`] if it has more or fewer.
pub(crate) fn digest_bits_on<K: HashKey>(
    cpu: Cpu,
    streams: Streams,
    key: &K,
    msg: &[u8],
    bits: u64,
) -> Result<[u8; 16], WrongBitLength> {
    bits::check(msg, bits)?;
    let (cpu, params) = best::<K::Element>(cpu, streams, msg.len());
    Ok(evaluate(cpu, params, streams, key, msg, bits))
}

fn evaluate<K: HashKey>(
    cpu: Cpu,
    params: Params,
    streams: Streams,
    key: &K,
    msg: &[u8],
    bits: u64,
) -> [u8; 16] {
    // Other t have no code. Clamping keeps the function total: every t gives the same digest.
    let (tau, c, t) = (key.tau(), streams as usize, params.t.clamp(2, 5));
    let kernel = DecBrw { tau, ready: None, msg, bits, c, t, saved: None };
    brw::value(cpu, params.layout, kernel).low_bits().to_le_bytes()
}

/// A key with precomputed powers, for many messages.
///
/// It keeps tau^(2^j), and for up to four streams their last multipliers, for messages up to a length of the
/// caller's choice. Longer messages compute what is missing. 2.6 KiB over 2^130 - 5 and 1.7 KiB over 2^127 - 1;
/// wiped by `zeroize` and on drop.
#[derive(Clone)]
pub struct PreparedKey<K: HashKey> {
    prepared: Prepared<K::Element>,
}

keyed!([K: HashKey] PreparedKey<K>, "PreparedKey", { prepared });

impl<K: HashKey> PreparedKey<K> {
    /// The message length for which [`new`](PreparedKey::new) and [`on`](PreparedKey::on) prepare: 64 KiB.
    pub const DEFAULT_LEN: usize = 1 << 16;

    /// Prepares a key on the best backend of this CPU.
    #[must_use]
    pub fn new(streams: Streams, key: &K) -> Self {
        Self::on(Cpu::detect(), streams, key)
    }

    /// Prepares a key on a backend of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, streams: Streams, key: &K) -> Self {
        Self::for_len(cpu, streams, key, Self::DEFAULT_LEN)
    }

    /// Prepares all powers for messages of up to `len` bytes, or 2^20 blocks of a stream if that is less. Costs
    /// about five products for each bit of the number of blocks.
    #[must_use]
    pub fn for_len(cpu: Cpu, streams: Streams, key: &K, len: usize) -> Self {
        PreparedKey { prepared: K::Element::prepare(cpu, streams, key.tau(), len) }
    }

    /// The digest of `msg`, of any length: 16 bytes, little-endian. Equal to that of the
    /// function [`digest`](crate::decbrwhash1305::digest()) of the prime.
    #[must_use]
    pub fn digest(&self, msg: &[u8]) -> [u8; 16] {
        K::Element::brwhash(&self.prepared, None, msg)
    }

    /// [`digest`](PreparedKey::digest) with an evaluation of the caller's choice. Words are used where the streams
    /// do not fill the lanes of vectors.
    #[must_use]
    pub fn digest_with(&self, params: Params, msg: &[u8]) -> [u8; 16] {
        K::Element::brwhash(&self.prepared, Some(params), msg)
    }
}

/// c-decBRWHash of a message that comes in pieces, for C of 1, 2, 3, 4, 8 and 16.
///
/// About 0.3 KiB with one stream, 1.1 KiB with four, 4.1 KiB with sixteen. With the default feature `alloc` of
/// `carryless-hash` (`stream-powers` of `carryless`), a message of more than 16 rows of C blocks keeps O(log n)
/// elements for each stream on the heap. Without it, room for 2^64 bits is in the value. Wiped by `zeroize` and on
/// drop. The aliases
/// [`decbrwhash1305::Hasher`](crate::decbrwhash1305::Hasher) and
/// [`decbrwhash1271::Hasher`](crate::decbrwhash1271::Hasher) state the bytes for each prime.
#[derive(Clone)]
pub struct Hasher<K: HashKey, const C: usize> {
    stream: Stream<K::Element, C>,
}

keyed!([K: HashKey, const C: usize] Hasher<K, C>, "Hasher", { stream });

impl<K: HashKey, const C: usize> Hasher<K, C> {
    /// Starts on the best backend of this CPU.
    #[must_use]
    pub fn new(key: &K) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Starts on a backend of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &K) -> Self {
        Hasher { stream: Stream::new(cpu, key.tau()) }
    }

    /// Appends bytes. The digest does not depend on how the message is cut into pieces. A message must
    /// have fewer than 2^64 bits.
    pub fn update(&mut self, msg: &[u8]) {
        self.stream.update(msg);
    }

    /// The digest of all bytes so far. More may follow. Works on a copy of the state, unless the message
    /// has at most 16 rows.
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
    pub fn into_segment(mut self) -> Segment<K, C> {
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
#[derive(Clone)]
pub struct Segment<K: HashKey, const C: usize> {
    part: Part<K::Element, C>,
}

keyed!([K: HashKey, const C: usize] Segment<K, C>, "Segment", { part });

impl<K: HashKey, const C: usize> Segment<K, C> {
    /// Joins this segment and the one that follows it.
    ///
    /// # Errors
    /// [`JoinError`] if they were hashed under different keys, if the rules above do not let them join, or if both
    /// together have 2^64 bits or more.
    pub fn join(&self, next: &Segment<K, C>) -> Result<Segment<K, C>, JoinError> {
        Ok(Segment { part: self.part.join(&next.part)? })
    }

    /// Joins all segments of a message in order. Each has 2^m rows, m >= 2, and the last may be shorter.
    ///
    /// # Errors
    /// [`JoinError`] if their lengths are others, if there is no segment, if keys differ, or if all together
    /// have 2^64 bits or more.
    pub fn join_all(parts: impl IntoIterator<Item = Segment<K, C>>) -> Result<Segment<K, C>, JoinError> {
        // A segment wipes itself on drop, so its part cannot be moved out and is cloned.
        Ok(Segment { part: Part::join_all(parts.into_iter().map(|segment| segment.part.clone()))? })
    }

    /// The digest, if this segment is the whole message: 16 bytes, little-endian.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        self.part.value().low_bits().to_le_bytes()
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
