//! Cutting messages into blocks: of 16 bytes, or of 15 modulo 2^127 - 1.

/// Bytes of a block.
pub(crate) const BLOCK: usize = 16;

/// The two little-endian words of a whole block.
#[inline(always)]
pub(crate) fn words(block: &[u8; BLOCK]) -> [u64; 2] {
    let x = u128::from_le_bytes(*block);
    [x as u64, (x >> 64) as u64]
}

/// The little-endian words of a block of 15 bytes: the second load begins inside the first one and ends with the block.
#[inline(always)]
pub(crate) fn words15(block: &[u8; 15]) -> [u64; 2] {
    match (block.first_chunk(), block.last_chunk()) {
        (Some(first), Some(last)) => [u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> 8],
        _ => [0; 2],
    }
}

/// The words of a last block of 1 to 15 bytes, padded: a one, then zeros. Its pad bit stands inside the 128 bits.
///
/// Branches on the length only, and reads the tail in overlapping words rather than copy it.
#[inline(always)]
pub(crate) fn tail_words(tail: &[u8]) -> [u64; 2] {
    let n = tail.len();
    if let (Some((first, _)), Some((_, last))) = (tail.split_first_chunk(), tail.split_last_chunk()) {
        // Of the last eight bytes those that the first eight do not have: none if n is 8.
        let rest = if n > 8 { u64::from_le_bytes(*last) >> (8 * (16 - n)) } else { 0 };
        return [u64::from_le_bytes(*first), rest | 1 << (8 * (n - 8))];
    }
    let low = if let (Some((first, _)), Some((_, last))) = (tail.split_first_chunk(), tail.split_last_chunk())
    {
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (n - 4))
    } else {
        // One, two or three bytes: the first, the middle, the last.
        u64::from(tail[0]) | u64::from(tail[n / 2]) << (8 * (n / 2)) | u64::from(tail[n - 1]) << (8 * (n - 1))
    };
    [low | 1 << (8 * n), 0]
}

/// [`tail_words`] as bytes.
#[inline(always)]
pub(crate) fn pad_partial(tail: &[u8]) -> [u8; BLOCK] {
    let [low, high] = tail_words(tail);
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}
