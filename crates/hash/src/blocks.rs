//! Cutting messages into blocks of 16 bytes.

/// Bytes of a block.
pub(crate) const BLOCK: usize = 16;

/// The two little-endian words of a whole block.
#[inline(always)]
pub(crate) fn words(block: &[u8; BLOCK]) -> [u64; 2] {
    let x = u128::from_le_bytes(*block);
    [x as u64, (x >> 64) as u64]
}

/// A last block of 1 to 15 bytes, padded: a one, then zeros. Its pad bit stands inside the 128 bits.
#[inline(always)]
pub(crate) fn pad_partial(tail: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[..tail.len()].copy_from_slice(tail);
    block[tail.len()] = 1;
    block
}
