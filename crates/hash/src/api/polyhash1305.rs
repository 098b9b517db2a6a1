//! polyHash1305 (paper 001, Construction 1): the polynomial hash of Poly1305 with an unclamped key and no mask.
//!
//! Almost XOR universal: for two different messages of at most l blocks and any difference, the probability over
//! the key is at most l 2^-125 ([`axu_bound`]). It is NOT a MAC: an adversary who sees a digest can compute the
//! key. Add a one-time mask (Poly1305), or apply a pseudorandom function to the digest (the file MAC).
use crate::api::key::Sealed as _;
use crate::api::polyhash;
use crate::base::bound::{AxuBound, Prime};
use crate::choose::plan::{Plan, PlanMismatch};
use crate::eval::bits::WrongBitLength;
use crate::eval::p1305::evaluate::Point;
use crate::field::Field;
use carryless_lanes::Cpu;

/// The digest of `msg` under `key`: the canonical residue modulo 2^128, 16 bytes, little-endian. Runs on the best
/// backend of this CPU, in constant time for a given length.
#[must_use]
pub fn digest(key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), key, msg)
}

/// [`digest()`] on a backend of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    Point::new(cpu, key.tau()).evaluate(None, msg).low_bits().to_le_bytes()
}

/// [`digest_on`] of the first `bits` bits of `msg`, least significant bit of each byte first.
///
/// # Errors
/// [`WrongBitLength`] if `msg` is not `bits` bits long, or an unused bit of its last byte is not zero.
pub fn digest_bits_on(cpu: Cpu, key: &[u8; 16], msg: &[u8], bits: u64) -> Result<[u8; 16], WrongBitLength> {
    Point::new(cpu, key.tau()).evaluate_bits(msg, bits).map(|h| h.low_bits().to_le_bytes())
}

/// [`digest_on`] with a kernel of the caller's choice.
///
/// # Errors
/// [`PlanMismatch`] if the plan does not serve this length on this backend.
pub fn digest_with(cpu: Cpu, plan: Plan, key: &[u8; 16], msg: &[u8]) -> Result<[u8; 16], PlanMismatch> {
    plan.evaluate(&Point::new(cpu, key.tau()), cpu, msg).map(|h| h.low_bits().to_le_bytes())
}

/// The bound on the probability that two different messages of at most `len` bytes have a given difference of
/// digests: l 2^-125 for l blocks of 16 bytes (paper 001, Theorem 3).
#[must_use]
pub fn axu_bound(len: u64) -> AxuBound {
    Prime::P1305.polyhash(len)
}

/// polyHash1305 of a message that comes in pieces, like [`Poly1305`](crate::poly1305::Poly1305):
/// [`polyhash::PolyHash`] with a key of 16 bytes.
///
/// 168 bytes, and on the heap for long messages 1.1 KiB with AVX-512 IFMA, else 6.3 KiB, and 1 KiB if pieces are small. 144
/// bytes without the feature `alloc` of `carryless-hash` (`stream-powers` of `carryless`).
/// Wiped by `zeroize` and on drop.
pub type PolyHash1305 = polyhash::PolyHash<[u8; 16]>;

/// A key of 16 bytes with precomputed powers, for many messages or for the segments of a large one:
/// [`polyhash::PreparedKey`] over 2^130 - 5. 6.3 KiB, aligned to 64 bytes; wiped by `zeroize` and on drop.
pub type PreparedKey = polyhash::PreparedKey<[u8; 16]>;

/// The hash of a segment of a message, to be joined with its neighbours: [`polyhash::Segment`] over 2^130 - 5, whose
/// blocks have 16 bytes. As secret as the key; wiped by `zeroize` and on drop.
pub type Segment = polyhash::Segment<[u8; 16]>;
