//! polyHash1305 (paper 001, Construction 1): the polynomial hash of Poly1305 with an unclamped key and no mask.
//!
//! Almost XOR universal: for two different messages of at most l blocks and any difference, the probability over
//! the key is at most l 2^-125 ([`axu_bound`]). It is NOT a MAC: an adversary who sees a digest can compute the
//! key. Add a one-time mask (Poly1305), or apply a pseudorandom function to the digest (the file MAC).
use crate::bits::WrongBitLength;
use crate::bound::{AxuBound, Prime};
use crate::field::Field;
use crate::field1305::element::Element;
use crate::field1305::evaluate::Point;
use crate::field1305::prepared::{Prepared, Streamed};
use crate::join::{InvalidSegment, JoinError, Run, SEGMENT_BYTES};
use crate::plan::{Plan, PlanMismatch};
use crate::stream::Stream;
use crate::wipe::keyed;
use carryless_lanes::Cpu;
use zeroize::Zeroizing;

/// The digest of `msg` under `key`: the canonical residue modulo 2^128, 16 bytes, little-endian. Runs on the best
/// machine of this CPU, in constant time for a given length.
#[must_use]
pub fn digest(key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), key, msg)
}

/// [`digest()`] on a machine of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    Point::new(cpu, key).evaluate(None, msg).digest().to_le_bytes()
}

/// [`digest_on`] of the first `bits` bits of `msg`, least significant bit of each byte first.
///
/// # Errors
/// [`WrongBitLength`] if `msg` is not `bits` bits long, or an unused bit of its last byte is not zero.
pub fn digest_bits_on(cpu: Cpu, key: &[u8; 16], msg: &[u8], bits: u64) -> Result<[u8; 16], WrongBitLength> {
    Point::new(cpu, key).evaluate_bits(msg, bits).map(|h| h.digest().to_le_bytes())
}

/// [`digest_on`] with a kernel of the caller's choice.
///
/// # Errors
/// [`PlanMismatch`] if the plan does not serve this length on this machine.
pub fn digest_with(cpu: Cpu, plan: Plan, key: &[u8; 16], msg: &[u8]) -> Result<[u8; 16], PlanMismatch> {
    plan.evaluate(&Point::new(cpu, key), cpu, msg).map(|h| h.digest().to_le_bytes())
}

/// The bound on the probability that two different messages of at most `len` bytes have a given difference of
/// digests: l 2^-125 for l blocks of 16 bytes (paper 001, Theorem 3).
#[must_use]
pub fn axu_bound(len: u64) -> AxuBound {
    Prime::P1305.polyhash(len)
}

/// polyHash1305 of a message that comes in pieces, like [`Poly1305`](crate::poly1305::Poly1305).
///
/// 152 bytes, and 6.3 KiB on the heap for long messages; 144 bytes without `alloc`. Wiped by `zeroize` and on drop.
#[derive(Clone)]
pub struct PolyHash1305 {
    stream: Stream<Streamed>,
}

keyed!([] PolyHash1305, "PolyHash1305", { stream });

impl PolyHash1305 {
    /// Starts on the best machine of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Starts on a machine of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &[u8; 16]) -> Self {
        PolyHash1305 { stream: Stream::new(Streamed::new(Point::new(cpu, key))) }
    }

    /// Appends bytes. The digest does not depend on how the message is cut into pieces. Never fails.
    pub fn update(&mut self, msg: &[u8]) {
        self.stream.update(msg);
    }

    /// Returns to the empty message under the same key. Wipes the state of the previous message; precomputed powers
    /// stay.
    pub fn reset(&mut self) {
        self.stream.reset();
    }

    /// The digest of all bytes so far: 16 bytes, little-endian. More may follow.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        self.stream.finish().digest().to_le_bytes()
    }

    /// The digest of all bytes, and the end of the stream.
    #[must_use]
    #[inline(always)]
    pub fn finalize(self) -> [u8; 16] {
        self.digest()
    }
}

/// A key with precomputed powers, for many messages or for the segments of a large one. 6.3 KiB, aligned to 64
/// bytes; wiped by `zeroize` and on drop.
#[derive(Clone)]
pub struct PreparedKey {
    prepared: Prepared,
}

keyed!([] PreparedKey, "PreparedKey", { prepared });

/// The hash of a segment, a run of bytes of a larger message, to be joined with its neighbours. It holds a copy of
/// the key and is as secret as the key.
#[derive(Clone)]
pub struct Segment {
    run: Run<Element>,
}

keyed!([] Segment, "Segment", { run });

impl PreparedKey {
    /// Prepares a key on the best machine of this CPU.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Prepares a key on a machine of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, key: &[u8; 16]) -> Self {
        PreparedKey { prepared: Prepared::new(Point::new(cpu, key)) }
    }

    /// The digest of `msg` under this key: 16 bytes, little-endian. Equal to
    /// [`digest()`](crate::polyhash1305::digest()).
    #[must_use]
    pub fn digest(&self, msg: &[u8]) -> [u8; 16] {
        self.value(msg).digest().to_le_bytes()
    }

    fn value(&self, msg: &[u8]) -> Element {
        self.prepared.evaluate(msg)
    }

    /// Hashes a segment of a larger message. All segments but the last must be multiples of 16 bytes long, or they
    /// will not join.
    #[must_use]
    pub fn segment(&self, msg: &[u8]) -> Segment {
        Segment { run: Run::new(self.prepared.point().tau(), self.value(msg), msg.len()) }
    }
}

impl Segment {
    /// Joins this segment and the one that follows it: V(A || B) = V(A) tau^(blocks of B) + V(B).
    ///
    /// # Errors
    /// [`JoinError`] if they were hashed under different keys, if this one is not a multiple of 16 bytes long, or
    /// if both together have 2^64 bytes or more.
    pub fn join(&self, next: &Segment) -> Result<Segment, JoinError> {
        Ok(Segment { run: self.run.join(&next.run)? })
    }

    /// Length in bytes of a serialized segment, as [`to_secret_bytes`](Segment::to_secret_bytes) returns it.
    pub const SECRET_BYTES: usize = SEGMENT_BYTES;

    /// The first 8 bytes of a serialized segment: the name of the hash.
    const NAME: &[u8; 8] = b"clph1305";

    /// Serializes the segment, so that it can leave the process: the ASCII text `clph1305`, the length in 8 bytes,
    /// the key in 16 and the value in 24, little-endian. The bytes contain the key and are as secret as it.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; Segment::SECRET_BYTES]> {
        self.run.to_secret_bytes(Self::NAME)
    }

    /// Parses the bytes of [`to_secret_bytes`](Segment::to_secret_bytes). They are not authenticated: anyone who
    /// can change them decides what the digest is. The caller must know that they belong to the right message.
    ///
    /// # Errors
    /// [`InvalidSegment`] if they are not a segment of this hash.
    pub fn from_secret_bytes(bytes: &[u8]) -> Result<Segment, InvalidSegment> {
        Ok(Segment { run: Run::from_secret_bytes(Self::NAME, bytes)? })
    }

    /// The digest, if the segment is the whole message: 16 bytes, little-endian.
    #[must_use]
    pub fn digest(&self) -> [u8; 16] {
        self.run.digest()
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
