//! Secrets, and how to let a result go.
use crate::valgrind::{declassify, poison};
use std::cell::RefCell;
use std::hint::black_box;

/// Bytes that secrets of a statistical test are made of, at most.
pub const POOL: usize = 8192;

/// What secrets are made of in a statistical test.
struct Pool {
    bytes: [u8; POOL],
    /// How many of them there are; none under valgrind.
    len: usize,
    /// Where the next secret begins.
    at: usize,
    /// How many were read since they were drawn.
    read: usize,
}

thread_local! {
    static SECRETS: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; POOL], len: 0, at: 0, read: 0 }) };
}

/// Secrets are made of a copy of these bytes from here on, over and over.
pub fn draw_from(bytes: &[u8]) {
    SECRETS.with_borrow_mut(|pool| {
        pool.bytes[..bytes.len()].copy_from_slice(bytes);
        (pool.len, pool.at, pool.read) = (bytes.len(), 0, 0);
    });
}

/// How many of the bytes were read since.
pub fn drawn() -> usize {
    SECRETS.with_borrow(|pool| pool.read.min(pool.len))
}

impl Pool {
    fn read(&mut self, mut out: &mut [u8]) {
        while self.len > 0 && !out.is_empty() {
            let count = out.len().min(self.len - self.at);
            let (piece, rest) = out.split_at_mut(count);
            piece.copy_from_slice(&self.bytes[self.at..][..count]);
            (self.at, self.read, out) = ((self.at + count) % self.len, self.read + count, rest);
        }
    }
}

/// Makes the bytes secret: those of the pool, if there is one.
#[inline(never)]
fn fill(bytes: &mut [u8]) {
    SECRETS.with_borrow_mut(|pool| pool.read(bytes));
    poison(bytes);
}

/// A secret array: a key, half a key.
pub fn array<const N: usize>() -> [u8; N] {
    let mut bytes = black_box([0x5a; N]);
    fill(&mut bytes);
    bytes
}

/// A secret word.
pub fn word() -> u64 {
    u64::from_le_bytes(array())
}

/// A secret message.
pub fn message(len: usize) -> Vec<u8> {
    let mut bytes = black_box(vec![0xa5; len]);
    fill(&mut bytes);
    bytes
}

/// Makes a result public and uses it.
pub fn publish<T>(mut result: T) {
    declassify(&mut result);
    black_box(result);
}
