//! polyHash1271 (paper 001, Construction 1): the polynomial hash over 2^127 - 1, with blocks of 15 bytes.
//!
//! A key is an integer below 2^126 ([`Key1271`]). A digest is the canonical residue modulo 2^127 - 1, then modulo
//! 2^126, in 16 bytes, little-endian. It is the fastest of the polynomial hashes without vectors: a product of two
//! residues takes four 64-bit multiplications.
//!
//! Almost XOR universal: for two different messages of at most l blocks and any difference, the probability over
//! the key is at most l 2^-124 ([`axu_bound`]). It is NOT a MAC: an adversary who sees a digest can compute the
//! key. Sums of a digest and a mask are modulo 2^126.
//!
//! ```
//! use carryless_hash::Key1271;
//! use carryless_hash::polyhash1271::{PolyHash1271, digest};
//!
//! let key = Key1271::new(&[7; 16])?;
//! let mut stream = PolyHash1271::new(&key);
//! stream.update(b"mess");
//! stream.update(b"age");
//! assert_eq!(stream.finalize(), digest(&key, b"message"));
//! # Ok::<(), carryless_hash::KeyOutOfRange>(())
//! ```
use crate::api::key::Sealed as _;
use crate::api::key1271::Key1271;
use crate::api::polyhash;
use crate::base::bound::{AxuBound, Prime};
use crate::choose::plan::PlanMismatch;
use crate::eval::bits::WrongBitLength;
use crate::eval::p1271::evaluate::Point;
use crate::field::Field;
use crate::field::p1271::element::Element;
use carryless_lanes::Cpu;

pub use crate::eval::p1271::dispatch::Plan;

/// The digest of `msg` under `key`: the canonical residue modulo 2^126, 16 bytes, little-endian. Runs on the best
/// backend of this CPU, in constant time for a given length.
#[must_use]
pub fn digest(key: &Key1271, msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), key, msg)
}

/// [`digest()`] on a backend of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    Point::new(cpu, key.tau()).evaluate(Element::ZERO, msg).low_bits().to_le_bytes()
}

/// [`digest_on`] of the first `bits` bits of `msg`, least significant bit of each byte first.
///
/// # Errors
/// [`WrongBitLength`] if `msg` is not `bits` bits long, or an unused bit of its last byte is not zero.
pub fn digest_bits_on(cpu: Cpu, key: &Key1271, msg: &[u8], bits: u64) -> Result<[u8; 16], WrongBitLength> {
    Point::new(cpu, key.tau()).evaluate_bits(msg, bits).map(|h| h.low_bits().to_le_bytes())
}

/// [`digest_on`] with a kernel of the caller's choice.
///
/// # Errors
/// [`PlanMismatch`] if the plan does not serve this length on this backend.
pub fn digest_with(cpu: Cpu, plan: Plan, key: &Key1271, msg: &[u8]) -> Result<[u8; 16], PlanMismatch> {
    plan.evaluate(cpu, key.tau(), msg).map(|h| h.low_bits().to_le_bytes())
}

/// The bound on the probability that two different messages of at most `len` bytes have a given difference of
/// digests: l 2^-124 for l blocks of 15 bytes (paper 001, Theorem 3).
#[must_use]
pub fn axu_bound(len: u64) -> AxuBound {
    Prime::P1271.polyhash(len)
}

/// polyHash1271 of a message that comes in pieces of any length: [`polyhash::PolyHash`] with a [`Key1271`]. 0.7 KiB,
/// and 1 KiB on the heap for long messages in small pieces with the feature `alloc` of `carryless-hash`; wiped by `zeroize` and on drop.
pub type PolyHash1271 = polyhash::PolyHash<Key1271>;

/// A [`Key1271`] with precomputed powers, for many messages or for the segments of a large one:
/// [`polyhash::PreparedKey`] over 2^127 - 1. 0.5 KiB; wiped by `zeroize` and on drop.
pub type PreparedKey = polyhash::PreparedKey<Key1271>;

/// The hash of a segment of a message, to be joined with its neighbours: [`polyhash::Segment`] over 2^127 - 1, whose
/// blocks have 15 bytes. As secret as the key; wiped by `zeroize` and on drop.
pub type Segment = polyhash::Segment<Key1271>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::p1271::testing::{key, special_messages};
    use crate::field::p1305::testing::{Rng, sample};
    use carryless_reference::{P1271, polyhash};

    fn want(key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
        polyhash(&P1271, key, msg.into()).expect("below 2^126")
    }

    /// Every length, every plan, with and without powers ready, on every backend.
    #[test]
    fn every_length() {
        let mut rng = Rng(40);
        for len in sample(0..900) {
            let (bytes, msg) = (key(&mut rng), rng.bytes(len));
            let (key, want) = (Key1271::new(&bytes).expect("below 2^126"), want(&bytes, &msg));
            for cpu in Cpu::available() {
                assert_eq!(digest_on(cpu, &key, &msg), want, "{len} bytes, {}", cpu.name());
                let prepared = PreparedKey::on(cpu, &key);
                assert_eq!(prepared.digest(&msg), want, "{len} bytes, prepared, {}", cpu.name());
                for plan in Plan::all(cpu, len) {
                    let got = digest_with(cpu, plan, &key, &msg);
                    assert_eq!(got, Ok(want), "{len} bytes, {plan:?}, {}", cpu.name());
                }
            }
        }
    }

    /// Lengths around those where another kernel serves, in pieces and as joined segments too.
    #[test]
    fn longer_messages_streams_and_segments() {
        let mut rng = Rng(41);
        for len in [500, 501, 601, 2999, 3000, 3001, 10_000] {
            let (bytes, msg) = (key(&mut rng), rng.bytes(len));
            let (key, want) = (Key1271::new(&bytes).expect("below 2^126"), want(&bytes, &msg));
            for cpu in Cpu::available() {
                let prepared = PreparedKey::on(cpu, &key);
                assert_eq!(digest_on(cpu, &key, &msg), want, "{len} bytes, {}", cpu.name());
                assert_eq!(prepared.digest(&msg), want, "{len} bytes, prepared, {}", cpu.name());
                for piece in [1, 7, 15, 16, 100, 1000] {
                    let mut stream = PolyHash1271::on(cpu, &key);
                    msg.chunks(piece).for_each(|piece| stream.update(piece));
                    assert_eq!(stream.finalize(), want, "{len} bytes by {piece}, {}", cpu.name());
                }
                for cut in [0, 15, 300, len / 15 * 15] {
                    let (a, b) = msg.split_at(cut);
                    let joined = prepared.segment(a).join(&prepared.segment(b));
                    let joined = joined.map(|joined| (joined.digest(), joined.len()));
                    assert_eq!(joined, Ok((want, len as u64)), "{len} bytes cut at {cut}, {}", cpu.name());
                }
            }
        }
    }

    /// Messages whose residues are next to 0 and to p, which random ones never meet.
    #[test]
    fn residues_at_the_border() {
        for (bytes, msg) in special_messages() {
            let (key, want) = (Key1271::new(&bytes).expect("below 2^126"), want(&bytes, &msg));
            for cpu in Cpu::available() {
                assert_eq!(digest_on(cpu, &key, &msg), want, "{}", cpu.name());
                assert_eq!(PreparedKey::on(cpu, &key).digest(&msg), want, "prepared, {}", cpu.name());
                for plan in Plan::all(cpu, msg.len()) {
                    assert_eq!(digest_with(cpu, plan, &key, &msg), Ok(want), "{plan:?}, {}", cpu.name());
                }
            }
        }
    }

    #[test]
    fn refuses() {
        let key = Key1271::new(&[1; 16]).expect("below 2^126");
        let cpu = Cpu::detect();
        assert_eq!(digest_with(cpu, Plan::Words { g: 5 }, &key, &[]), Err(PlanMismatch));
        assert_eq!(digest_with(cpu, Plan::Lanes { g: 1 }, &key, &[0; 30]), Err(PlanMismatch));
        let prepared = PreparedKey::on(cpu, &key);
        assert!(prepared.segment(&[0; 16]).join(&prepared.segment(&[])).is_err());
        for bytes in [(1u128 << 126).to_le_bytes(), (1u128 << 127).to_le_bytes(), [0xff; 16]] {
            assert!(Key1271::new(&bytes).is_err());
        }
        assert!(Key1271::new(&((1u128 << 126) - 1).to_le_bytes()).is_ok());
    }

    #[test]
    fn bits_are_padded_after_the_last_one() {
        let mut rng = Rng(42);
        for bits in 0..500u64 {
            let (bytes, mut msg) = (key(&mut rng), rng.bytes(bits as usize / 8 + 1));
            msg.truncate(bits.div_ceil(8) as usize);
            if let Some(last) = msg.last_mut().filter(|_| bits % 8 > 0) {
                *last &= (1 << (bits % 8)) - 1;
            }
            let of_bits = carryless_reference::Message::of_bits(&msg, bits as usize).expect("cut to length");
            let want = polyhash(&P1271, &bytes, of_bits).expect("below 2^126");
            let key = Key1271::new(&bytes).expect("below 2^126");
            assert_eq!(digest_bits_on(Cpu::detect(), &key, &msg, bits), Ok(want), "{bits} bits");
        }
    }
}
