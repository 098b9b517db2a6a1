//! Integers modulo the order of a curve, in words of 64 bits.
use crypto_bigint::{Limb, Unsigned};

/// Words of the longest scalar.
pub(super) const MOST_WORDS: usize = 9;

/// The words of an integer, least significant first.
#[allow(clippy::useless_conversion, reason = "limbs have 32 bits on some targets")]
pub(super) fn words_of(integer: &impl Unsigned) -> [u64; MOST_WORDS] {
    let mut words = [0; MOST_WORDS];
    for (i, limb) in integer.as_limbs().iter().enumerate() {
        let bit = i * Limb::BITS as usize;
        words[bit / 64] |= u64::from(limb.0) << (bit % 64);
    }
    words
}
