//! Keys of the hashes over 2^130 - 5: any 16 bytes.
use crate::api::key::{HashKey, Sealed};
use crate::field::p1305::element::Element;

/// Any 16 bytes are a key over 2^130 - 5, as an integer below 2^128, little-endian. No bit is cleared.
impl HashKey for [u8; 16] {}

impl Sealed for [u8; 16] {
    type Element = Element;

    #[inline]
    fn tau(&self) -> Element {
        Element::from_bytes(self)
    }
}
