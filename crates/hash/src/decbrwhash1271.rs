//! BRWHash1271 and c-decBRWHash1271 (paper 001, Constructions 2 and 3): hashes over 2^127 - 1 that take half a product
//! for a block of 15 bytes. Without vectors they are the fastest of the family.
//!
//! The message is dealt to c streams, block by block; [`Streams`] names c, and each c is a function of its own. With
//! one stream it is BRWHash. A key is an integer below 2^126 ([`Key1271`]), a digest the value modulo 2^127 - 1, fully
//! reduced, modulo 2^126, in 16 bytes, little-endian.
//!
//! Almost XOR universal: for two different messages of at most l blocks and any difference, the probability over the key
//! is at most (2l + 1) 2^-124 with one stream and (2l + 2c + 1) 2^-124 with more (paper 001, Theorems 3 and 4). NOT a MAC:
//! a digest that an adversary sees gives the key away.
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
use crate::brw::DecBrw;
use crate::field::Field;
use crate::key1271::Key1271;
use carryless_lanes::Cpu;

pub use crate::brw::{Params, Streams, UnknownStreams};

/// The digest of `msg` under `key`, on the best machine of this CPU: 16 bytes, little-endian.
#[must_use]
pub fn digest(streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), streams, key, msg)
}

/// [`digest()`] on a machine of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    digest_with(cpu, best(cpu, streams, msg.len()), streams, key, msg)
}

/// [`digest_on`] with an evaluation of the caller's choice. Where the streams do not fill the machine's lanes, words serve.
#[must_use]
pub fn digest_with(cpu: Cpu, params: Params, streams: Streams, key: &Key1271, msg: &[u8]) -> [u8; 16] {
    evaluate(cpu, params, streams, key, msg, 8 * msg.len() as u64)
}

/// [`digest_on`] of the first `bits` bits of `msg`.
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
    Ok(evaluate(cpu, best(cpu, streams, msg.len()), streams, key, msg, bits))
}

fn evaluate(cpu: Cpu, params: Params, streams: Streams, key: &Key1271, msg: &[u8], bits: u64) -> [u8; 16] {
    if msg.is_empty() {
        return [0; 16];
    }
    let c = streams as usize;
    let kernel = DecBrw { tau: key.tau(), msg, bits, c, t: params.t.clamp(2, 5) };
    let value = if params.lanes && c.is_multiple_of(cpu.lanes()) {
        cpu.call_ifma(kernel).unwrap_or_else(|| cpu.call(kernel))
    } else {
        kernel.in_words()
    };
    value.digest().to_le_bytes()
}

/// The fastest evaluation.
fn best(cpu: Cpu, streams: Streams, len: usize) -> Params {
    let c = streams as usize;
    let lanes = !matches!(cpu, Cpu::Portable(_)) && c.is_multiple_of(cpu.lanes()) && len >= 15 * c * 2;
    Params { t: if lanes { 2 } else { 3 }, lanes }
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
                for (t, lanes) in (2..=5).flat_map(|t| [(t, true), (t, false)]) {
                    let got = digest_with(cpu, Params { t, lanes }, streams, &key, msg);
                    let len = msg.len();
                    assert_eq!(got, want, "{len} bytes, {streams:?}, {t}, {}, lanes: {lanes}", cpu.name());
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
}
