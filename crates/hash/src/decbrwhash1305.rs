//! BRWHash1305 and c-decBRWHash1305 (paper 001, Constructions 2 and 3): hashes over 2^130 - 5 that take half a
//! product for a block.
//!
//! The message is dealt to c streams, block by block; [`Streams`] names c, and each c is a function of its own. With
//! one stream it is BRWHash. Almost XOR universal, like polyHash1305, and like it NOT a MAC: a digest that an adversary
//! sees gives the key away.
//!
//! ```
//! use carryless_hash::decbrwhash1305::{Streams, digest};
//!
//! let key = [7; 16];
//! assert_ne!(digest(Streams::Four, &key, b"message"), digest(Streams::One, &key, b"message"));
//! ```
use crate::bits::{self, WrongBitLength};
use crate::bound::{AxuBound, Prime};
use crate::brw::DecBrw;
use crate::field::Field;
use crate::field1305::element::Element;
use carryless_lanes::Cpu;

pub use crate::brw::{Params, Streams, UnknownStreams};

/// The digest of `msg` under `key`, on the best machine of this CPU: 16 bytes, little-endian.
#[must_use]
pub fn digest(streams: Streams, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    digest_on(Cpu::detect(), streams, key, msg)
}

/// [`digest()`] on a machine of the caller's choice.
#[must_use]
pub fn digest_on(cpu: Cpu, streams: Streams, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    digest_with(cpu, best(cpu, streams, msg.len()), streams, key, msg)
}

/// [`digest_on`] with an evaluation of the caller's choice. Where the streams do not fill the machine's lanes, words serve.
#[must_use]
pub fn digest_with(cpu: Cpu, params: Params, streams: Streams, key: &[u8; 16], msg: &[u8]) -> [u8; 16] {
    evaluate(cpu, params, streams, key, msg, 8 * msg.len() as u64)
}

/// [`digest_on`] of the first `bits` bits of `msg`.
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
    bits::check(msg, bits)?;
    Ok(evaluate(cpu, best(cpu, streams, msg.len()), streams, key, msg, bits))
}

/// The probability that two different messages of at most `len` bytes have a given difference of digests is at most
/// (2l + 2c + 1) 2^-125, where l is the number of 16-byte blocks and c that of the streams; with one stream,
/// (2l + 1) 2^-125 (paper 001, Theorem 4).
#[must_use]
pub fn axu_bound(streams: Streams, len: u64) -> AxuBound {
    Prime::P1305.decbrwhash(streams as usize, len)
}

fn evaluate(cpu: Cpu, params: Params, streams: Streams, key: &[u8; 16], msg: &[u8], bits: u64) -> [u8; 16] {
    if msg.is_empty() {
        return [0; 16];
    }
    let c = streams as usize;
    let kernel = DecBrw { tau: Element::from_bytes(key), msg, bits, c, t: params.t.clamp(2, 5) };
    let value = if params.lanes && c.is_multiple_of(cpu.lanes()) {
        cpu.call_ifma(kernel).unwrap_or_else(|| cpu.call(kernel))
    } else {
        kernel.in_words()
    };
    value.digest().to_le_bytes()
}

/// The fastest evaluation.
fn best(cpu: Cpu, streams: Streams, len: usize) -> Params {
    let lanes = !matches!(cpu, Cpu::Portable(_)) && len >= 16 * streams as usize * 4;
    Params { t: if len < 4096 { 2 } else { 3 }, lanes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field1305::testing::{Rng, sample};
    use carryless_reference::{P1305, decbrwhash};

    const ALL: [Streams; 6] =
        [Streams::One, Streams::Two, Streams::Three, Streams::Four, Streams::Eight, Streams::Sixteen];

    /// Every length, every c, every t, lanes and words, on every machine.
    #[test]
    fn every_length() {
        let mut rng = Rng(30);
        for len in sample(0..1500) {
            let (key, msg) = (rng.key(), rng.bytes(len));
            for streams in ALL {
                let want =
                    decbrwhash(&P1305, streams as usize, &key, msg[..].into()).expect("all keys are good");
                for cpu in Cpu::available() {
                    for (t, lanes) in [(2, true), (3, true), (4, true), (5, true), (2, false), (4, false)] {
                        let got = digest_with(cpu, Params { t, lanes }, streams, &key, &msg);
                        assert_eq!(
                            got,
                            want,
                            "{len} bytes, {streams:?}, t = {t}, {}, lanes: {lanes}",
                            cpu.name()
                        );
                    }
                }
            }
        }
    }
}
