//! Secrets, and how to let a result go.
use crate::valgrind::{declassify, poison};
use std::hint::black_box;

/// A secret array: a key, half a key.
pub fn array<const N: usize>() -> [u8; N] {
    let mut bytes = black_box([0x5a; N]);
    poison(&mut bytes);
    bytes
}

/// A secret word.
pub fn word() -> u64 {
    u64::from_le_bytes(array())
}

/// A secret message.
pub fn message(len: usize) -> Vec<u8> {
    let mut bytes = black_box(vec![0xa5; len]);
    poison(bytes.as_mut_slice());
    bytes
}

/// Makes a result public and uses it.
pub fn publish<T>(mut result: T) {
    declassify(&mut result);
    black_box(result);
}
