//! Makes secrets, and makes results public.
use crate::valgrind::{declassify, poison};
use std::cell::RefCell;
use std::hint::black_box;

/// The most bytes of the pool.
pub const POOL: usize = 8192;

/// The bytes that a test of times or steps hands out as secrets, one after the other.
struct Pool {
    bytes: [u8; POOL],
    /// Number of bytes in use; 0 under valgrind, where fixed bytes are marked as undefined instead.
    len: usize,
    /// Index of the next byte to hand out.
    at: usize,
    /// Bytes handed out since [`draw_from`], which may exceed `len`.
    read: usize,
}

thread_local! {
    static SECRETS: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; POOL], len: 0, at: 0, read: 0 }) };
}

/// Fills the pool of this thread with a copy of these bytes, at most [`POOL`]. Secrets are taken
/// from it, over and over.
pub fn draw_from(bytes: &[u8]) {
    SECRETS.with_borrow_mut(|pool| {
        // One buffer for all secrets: their addresses must not differ between the classes.
        pool.bytes[..bytes.len()].copy_from_slice(bytes);
        (pool.len, pool.at, pool.read) = (bytes.len(), 0, 0);
    });
}

/// Bytes of the pool that were handed out since [`draw_from`], at most its length.
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

/// Overwrites the bytes from the pool, if there is one, and marks them as secret for valgrind.
#[inline(never)]
fn fill(bytes: &mut [u8]) {
    SECRETS.with_borrow_mut(|pool| pool.read(bytes));
    poison(bytes);
}

/// A secret array, such as a key or half of one.
pub fn array<const N: usize>() -> [u8; N] {
    // `black_box` hides the constant, from which the compiler could compute results in advance.
    let mut bytes = black_box([0x5a; N]);
    fill(&mut bytes);
    bytes
}

/// A secret word of 64 bits, all of them secret.
pub fn word() -> u64 {
    u64::from_le_bytes(array())
}

/// A secret message of `len` bytes. The length is public.
pub fn message(len: usize) -> Vec<u8> {
    let mut bytes = black_box(vec![0xa5; len]);
    fill(&mut bytes);
    bytes
}

/// Makes a result public, and uses it, so that the compiler keeps its computation.
pub fn publish<T>(mut result: T) {
    declassify(&mut result);
    black_box(result);
}
