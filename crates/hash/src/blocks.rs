//! Cutting messages into blocks of 16 bytes.

/// Bytes of a block.
pub(crate) const BLOCK: usize = 16;

/// The two little-endian words of a whole block.
#[inline(always)]
pub(crate) fn words(block: &[u8; BLOCK]) -> [u64; 2] {
    let x = u128::from_le_bytes(*block);
    [x as u64, (x >> 64) as u64]
}

/// The words of a last block of 1 to 15 bytes, padded: a one, then zeros. Its pad bit stands inside the 128 bits.
#[inline(always)]
pub(crate) fn tail_words(tail: &[u8]) -> [u64; 2] {
    let n = tail.len();
    let [low, high] = short_words(tail);
    if n < 8 { [low | 1 << (8 * n), high] } else { [low, high | 1 << (8 * (n - 8))] }
}

/// The words of up to 15 bytes, zeros after them.
///
/// Branches on the length only, and reads in overlapping words rather than copy.
#[inline(always)]
pub(crate) fn short_words(tail: &[u8]) -> [u64; 2] {
    let n = tail.len();
    if let (Some((first, _)), Some((_, last))) = (tail.split_first_chunk(), tail.split_last_chunk()) {
        // Of the last eight bytes those that the first eight do not have: none if n is 8.
        let rest = if n > 8 { u64::from_le_bytes(*last) >> (8 * (16 - n)) } else { 0 };
        return [u64::from_le_bytes(*first), rest];
    }
    if let (Some((first, _)), Some((_, last))) = (tail.split_first_chunk(), tail.split_last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (n - 4));
        return [u64::from(u32::from_le_bytes(*first)) | last, 0];
    }
    if n == 0 {
        return [0; 2];
    }
    // One, two or three bytes: the first, the middle, the last.
    let (middle, last) = (u64::from(tail[n / 2]), u64::from(tail[n - 1]));
    [u64::from(tail[0]) | middle << (8 * (n / 2)) | last << (8 * (n - 1)), 0]
}

/// [`tail_words`] as bytes.
#[inline(always)]
pub(crate) fn pad_partial(tail: &[u8]) -> [u8; BLOCK] {
    let [low, high] = tail_words(tail);
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}
