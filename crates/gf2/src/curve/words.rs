//! Integers modulo the order of a curve, as 64-bit words on every target.
use crypto_bigint::{Limb, Unsigned};

/// The number of words of the longest scalar, of 571 bits.
pub(super) const SCALAR_WORDS: usize = 9;

/// The words of an integer, least significant first, padded with zeros.
#[allow(clippy::useless_conversion, reason = "limbs have 32 bits on some targets")]
pub(super) fn words_of(integer: &impl Unsigned) -> [u64; SCALAR_WORDS] {
    let mut words = [0; SCALAR_WORDS];
    for (i, limb) in integer.as_limbs().iter().enumerate() {
        let bit = i * Limb::BITS as usize;
        words[bit / 64] |= u64::from(limb.0) << (bit % 64);
    }
    words
}
