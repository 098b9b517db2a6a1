//! Keys of the hashes over 2^127 - 1: integers of 126 bits.
use crate::api::key::{HashKey, Sealed};
use crate::base::wipe::keyed;
use crate::field::p1271::element::Element;

/// A key of the hashes over 2^127 - 1: an integer below 2^126. Wiped by `zeroize` and on drop.
///
/// ```
/// use carryless_hash::{Key1271, KeyOutOfRange};
///
/// assert!(Key1271::new(&[0x3f; 16]).is_ok());
/// assert_eq!(Key1271::new(&[0x40; 16]).err(), Some(KeyOutOfRange));
/// ```
#[derive(Clone)]
pub struct Key1271 {
    tau: Element,
}

keyed!([] Key1271, "Key1271", { tau });

/// The error of 16 bytes that are 2^126 or more as an integer. No bit is cleared to make a key of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyOutOfRange;

impl core::fmt::Display for KeyOutOfRange {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the upper two bits of a key of a hash over 2^127 - 1 must be zero")
    }
}

impl core::error::Error for KeyOutOfRange {}

impl Key1271 {
    /// Makes a key from 16 bytes, little-endian. The time depends only on whether the key is in range.
    ///
    /// # Errors
    /// [`KeyOutOfRange`] if one of the upper two bits, bits 6 and 7 of the last byte, is set.
    pub fn new(key: &[u8; 16]) -> Result<Key1271, KeyOutOfRange> {
        // A key out of range is refused, neither cleared nor reduced: two encodings would then give one key.
        if key[15] >> 6 == 0 { Ok(Key1271 { tau: Element::from_bytes(key) }) } else { Err(KeyOutOfRange) }
    }
}

impl HashKey for Key1271 {}

impl Sealed for Key1271 {
    type Element = Element;

    #[inline]
    fn tau(&self) -> Element {
        self.tau
    }
}
