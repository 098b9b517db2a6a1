//! polyHash (paper 001, Construction 1) over either prime: messages in pieces, keys with precomputed powers, and
//! segments that join.
//!
//! The types are generic over the [key](HashKey), which determines the prime. [`polyhash1305`] and [`polyhash1271`]
//! name them for one prime each, have the functions for a whole message, and say what the hashes guarantee.
//!
//! [`polyhash1305`]: crate::polyhash1305
//! [`polyhash1271`]: crate::polyhash1271
use crate::api::key::HashKey;
use crate::base::wipe::keyed;
use crate::eval::evaluate::Evaluate;
use crate::eval::evaluate::Stream;
use crate::eval::join::{InvalidSegment, JoinError, Run, SEGMENT_BYTES};
use carryless_lanes::Cpu;
use zeroize::Zeroizing;

/// polyHash of a message that comes in pieces of any length. Wiped by `zeroize` and on drop.
///
/// The aliases [`PolyHash1305`](crate::polyhash1305::PolyHash1305) and
/// [`PolyHash1271`](crate::polyhash1271::PolyHash1271) state the size for each prime.
#[derive(Clone)]
pub struct PolyHash<K: HashKey> {
    stream: Stream<K::Element>,
}

keyed!([K: HashKey] PolyHash<K>, "PolyHash", { stream });

impl<K: HashKey> PolyHash<K> {
    /// Starts on the best backend of this CPU.
    #[must_use]
    pub fn new(key: &K) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Starts on a backend of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &K) -> Self {
        PolyHash { stream: K::Element::stream(cpu, key.tau()) }
    }

    /// Appends bytes. The digest does not depend on how the message is cut into pieces. Never fails.
    pub fn update(&mut self, msg: &[u8]) {
        K::Element::update(&mut self.stream, msg);
    }

    /// Returns to the empty message under the same key. Wipes the state of the
    /// previous message; precomputed powers stay.
    pub fn reset(&mut self) {
        self.stream.reset();
    }

    /// The digest of all bytes so far: 16 bytes, little-endian. More may follow.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        K::Element::finish(&self.stream)
    }

    /// The digest of all bytes, and the end of the stream.
    #[must_use]
    #[inline(always)]
    pub fn finalize(self) -> [u8; 16] {
        self.digest()
    }
}

/// A key with precomputed powers, for many messages or for the segments of a large one. 6.3 KiB, aligned to 64
/// bytes, over 2^130 - 5 and 0.5 KiB over 2^127 - 1; wiped by `zeroize` and on drop.
#[derive(Clone)]
pub struct PreparedKey<K: HashKey> {
    powers: <K::Element as Evaluate>::Powers,
}

keyed!([K: HashKey] PreparedKey<K>, "PreparedKey", { powers });

/// The hash of a segment, a run of bytes of a larger message, to be joined with its neighbours. It holds a copy of
/// the key and is as secret as the key.
#[derive(Clone)]
pub struct Segment<K: HashKey> {
    run: Run<K::Element>,
}

keyed!([K: HashKey] Segment<K>, "Segment", { run });

impl<K: HashKey> PreparedKey<K> {
    /// Prepares a key on the best backend of this CPU.
    #[must_use]
    pub fn new(key: &K) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Prepares a key on a backend of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &K) -> Self {
        PreparedKey { powers: K::Element::powers(cpu, key.tau()) }
    }

    /// The digest of `msg` under this key: 16 bytes, little-endian. Equal to that of the
    /// function [`digest`](crate::polyhash1305::digest()) of the prime.
    #[must_use]
    pub fn digest(&self, msg: &[u8]) -> [u8; 16] {
        K::Element::polyhash(&self.powers, msg)
    }

    /// Hashes a segment of a larger message. All segments but the last must be whole blocks, of 16 bytes over
    /// 2^130 - 5 and 15 bytes over 2^127 - 1, or they will not join.
    #[must_use]
    pub fn segment(&self, msg: &[u8]) -> Segment<K> {
        Segment { run: K::Element::run(&self.powers, msg) }
    }
}

impl<K: HashKey> Segment<K> {
    /// Joins this segment and the one that follows it: V(A || B) = V(A) tau^(blocks of B) + V(B).
    ///
    /// # Errors
    /// [`JoinError`] if they were hashed under different keys, if this one is not whole blocks, or if both together
    /// have 2^64 bytes or more.
    pub fn join(&self, next: &Segment<K>) -> Result<Segment<K>, JoinError> {
        Ok(Segment { run: K::Element::join(&self.run, &next.run)? })
    }

    /// Length in bytes of a serialized segment, as [`to_secret_bytes`](Segment::to_secret_bytes) returns it.
    pub const SECRET_BYTES: usize = SEGMENT_BYTES;

    /// Serializes the segment, so that it can leave the process: the ASCII text `clph1305` or
    /// `clph1271`, the length in 8 bytes, the key in 16 and the value in 24, little-endian. The bytes contain the key and are as secret as it.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; 56]> {
        K::Element::run_to_bytes(&self.run)
    }

    /// Parses the bytes of [`to_secret_bytes`](Segment::to_secret_bytes). They are not authenticated: anyone who
    /// can change them decides what the digest is. The caller must know that they belong to the right message.
    ///
    /// # Errors
    /// [`InvalidSegment`] if they are not a segment of this hash.
    pub fn from_secret_bytes(bytes: &[u8]) -> Result<Segment<K>, InvalidSegment> {
        Ok(Segment { run: K::Element::run_from_bytes(bytes)? })
    }

    /// The digest, if the segment is the whole message: 16 bytes, little-endian.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        K::Element::run_digest(&self.run)
    }

    /// The number of bytes of the message that the segment covers.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.run.len()
    }

    /// True if the segment covers no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
