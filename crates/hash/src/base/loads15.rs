//! Loads of rows of 15-byte blocks as two vectors in memory order, before `unpack` distributes them
//! ([`block_rows`](crate::base::block_rows)). Branches and addresses depend on lengths only.
//!
//! `load15` spreads blocks to two words each and reads nothing beyond them. A row that the message does not fill goes
//! through a buffer.
use crate::base::blocks::pad_partial;
use carryless_lanes::Lanes;

/// Bytes of a block modulo 2^127 - 1.
pub(crate) const BLOCK: usize = 15;

/// Bytes of a buffer for the longest row, 8 blocks: whole vectors, which clear it.
const BUFFER: usize = 16 * 8;

/// N / 2 whole blocks from the front of `bytes`, and N / 2 from byte `odd_offset` on. Panics if `bytes` is shorter.
#[inline(always)]
pub(crate) fn halves<S: Lanes>(s: S, bytes: &[u8], odd_offset: usize) -> [S::V; 2] {
    [s.load15(bytes), s.load15(&bytes[odd_offset..])]
}

/// A row that ends with the whole blocks of `head`, fewer than N; the blocks before them are zero.
#[inline(always)]
pub(crate) fn first<S: Lanes>(s: S, head: &[u8]) -> [S::V; 2] {
    let mut buffer = [0; BUFFER];
    let row = &mut buffer[..BLOCK * S::N];
    // Zero blocks in front are the field's zero and leave the value unchanged.
    let empty = row.len() - head.len();
    row[empty..].copy_from_slice(head);
    halves(s, row, BLOCK * S::N / 2)
}

/// A row of N blocks, of which the last has 1 to BLOCK - 1 bytes and is padded with a one bit and zeros.
#[inline(always)]
pub(crate) fn last<S: Lanes>(s: S, last: &[u8]) -> [S::V; 2] {
    let (whole, tail) = last.split_at(BLOCK * (S::N - 1));
    let mut buffer = [0; BUFFER];
    buffer[..whole.len()].copy_from_slice(whole);
    // The tail has at most 14 bytes, so its pad is in byte 14 at most, and byte 15 of `pad_partial` is zero.
    buffer[whole.len()..whole.len() + BLOCK].copy_from_slice(&pad_partial(tail)[..BLOCK]);
    halves(s, &buffer, BLOCK * S::N / 2)
}

/// [`halves`] at the end of a message: bytes past the end of `rest` are zero.
#[inline(always)]
pub(crate) fn short<S: Lanes>(s: S, rest: &[u8], odd_offset: usize) -> [S::V; 2] {
    let mut buffer = [0; BUFFER];
    let len = rest.len().min(buffer.len());
    buffer[..len].copy_from_slice(&rest[..len]);
    halves(s, &buffer, odd_offset)
}
