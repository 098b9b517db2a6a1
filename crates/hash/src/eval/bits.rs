//! Messages that are strings of bits: message bit i is bit i mod 8, least significant first, of byte i / 8.
use crate::base::blocks::{BLOCK, words};
use crate::field::Field;

/// The error of a slice that does not hold a message of the given number of bits. It has too few or too many bytes,
/// or an unused bit of its last byte is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongBitLength;

impl core::fmt::Display for WrongBitLength {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the bytes do not hold a message of this many bits")
    }
}

impl core::error::Error for WrongBitLength {}

/// `Ok` if `msg` has exactly `bits` bits: ceil(bits / 8) bytes, with zeros in the unused high bits of the last one.
/// Reads the last byte only; its outcome is public.
pub(crate) fn check(msg: &[u8], bits: u64) -> Result<(), WrongBitLength> {
    let last = msg.last().copied().unwrap_or(0);
    let unused_are_zero = bits.is_multiple_of(8) || last >> (bits % 8) == 0;
    // Unused bits must be zero, or several strings of bytes would stand for one message.
    if msg.len() as u64 == bits.div_ceil(8) && unused_are_zero { Ok(()) } else { Err(WrongBitLength) }
}

/// The value of the first `bits` bits of `msg` at tau, where `evaluate` has that of whole bytes. As in paper 003, a
/// one bit follows the last bit and zeros fill its block.
pub(crate) fn evaluate<E: Field>(
    tau: E,
    msg: &[u8],
    bits: u64,
    evaluate: impl FnOnce(&[u8]) -> E,
) -> Result<E, WrongBitLength> {
    check(msg, bits)?;
    if bits.is_multiple_of(8) {
        return Ok(evaluate(msg));
    }
    // The last byte has an unused bit, so the pad follows the last bit within the same byte.
    // 8 does not divide `bits`, so there is at least one byte and the subtraction cannot wrap.
    let (whole, tail) = msg.split_at((msg.len() - 1) / E::BLOCK * E::BLOCK);
    let mut block = [0; BLOCK];
    block[..tail.len()].copy_from_slice(tail);
    block[tail.len() - 1] |= 1 << (bits % 8);
    let [low, high] = words(&block);
    // One step of Horner's rule by hand, for the block whose pad lies inside a byte.
    Ok(evaluate(whole).sum(E::from_residue([low, high, 0])).product(tau))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_bits_agree() {
        for (msg, bits) in [(&[][..], 0), (&[0xff], 8), (&[0x7f], 7), (&[0xff, 1], 9), (&[0, 0], 16)] {
            assert_eq!(check(msg, bits), Ok(()), "{msg:?}, {bits}");
        }
        for (msg, bits) in [(&[][..], 1), (&[0], 0), (&[0xff], 7), (&[0xff, 2], 9), (&[0], 9), (&[0, 0], 8)] {
            assert_eq!(check(msg, bits), Err(WrongBitLength), "{msg:?}, {bits}");
        }
    }
}
