//! What several test programs need.
#![allow(dead_code, reason = "not every program needs all")]

use carryless_hqc::{Array, ClmulCpu};
use serde_json::Value;
use sha2::Digest;

/// The machines of this CPU: all of them, or the best if tests are to be quick.
pub(crate) fn machines() -> impl Iterator<Item = ClmulCpu> {
    ClmulCpu::available()
}

/// The bytes of a hexadecimal string.
pub(crate) fn bytes(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("a string");
    let byte = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

/// The same, of known length.
pub(crate) fn array<A: Array<u8>>(text: &Value) -> A {
    let mut array = A::zeroed();
    array.as_mut().copy_from_slice(&bytes(text));
    array
}

/// SHA-256.
pub(crate) fn sha256(bytes: &[u8]) -> Vec<u8> {
    sha2::Sha256::digest(bytes).to_vec()
}
