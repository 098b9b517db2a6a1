//! Splits messages into blocks: of 16 bytes modulo 2^130 - 5, of 15 bytes modulo 2^127 - 1.

/// Bytes of a block modulo 2^130 - 5.
pub(crate) const BLOCK: usize = 16;

/// The two words of a whole block, little-endian, lowest first. The pad bit 2^128 is not in them.
#[inline(always)]
pub(crate) fn words(block: &[u8; BLOCK]) -> [u64; 2] {
    let x = u128::from_le_bytes(*block);
    [x as u64, (x >> 64) as u64]
}

/// The two words of a block of 15 bytes, little-endian, below 2^120. The second load overlaps the first by one
/// byte, so nothing beyond the block is read.
#[inline(always)]
pub(crate) fn words15(block: &[u8; 15]) -> [u64; 2] {
    // 15 bytes always have both chunks. The pattern spares a panic that could not occur.
    match (block.first_chunk(), block.last_chunk()) {
        (Some(first), Some(last)) => [u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> 8],
        _ => [0; 2],
    }
}

/// The two words of a last block of 1 to 15 bytes with its pad: a one bit after the last byte, then zeros. The pad
/// lies within the 128 bits. Branches on the length only.
#[inline(always)]
pub(crate) fn tail_words(tail: &[u8]) -> [u64; 2] {
    let n = tail.len();
    let [low, high] = short_words(tail);
    // The pad bit 2^(8 n) goes to the word that holds byte n.
    if n < 8 { [low | 1 << (8 * n), high] } else { [low, high | 1 << (8 * (n - 8))] }
}

/// The two words of 0 to 15 bytes, little-endian, with zeros after them.
///
/// Branches on the length only, which is public. Overlapping loads replace a copy of variable length.
#[inline(always)]
pub(crate) fn short_words(tail: &[u8]) -> [u64; 2] {
    let n = tail.len();
    if let (Some((first, _)), Some((_, last))) = (tail.split_first_chunk(), tail.split_last_chunk()) {
        // Shift out the bytes of the last load that the first one already has. For n = 8 that is all of them, and a
        // shift by 64 would overflow.
        let rest = if n > 8 { u64::from_le_bytes(*last) >> (8 * (16 - n)) } else { 0 };
        return [u64::from_le_bytes(*first), rest];
    }
    if let (Some((first, _)), Some((_, last))) = (tail.split_first_chunk(), tail.split_last_chunk()) {
        // 4 to 7 bytes: the first four and the last four overlap in equal bits, so an OR joins them.
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (n - 4));
        return [u64::from(u32::from_le_bytes(*first)) | last, 0];
    }
    if n == 0 {
        return [0; 2];
    }
    // One, two or three bytes: the first, the middle and the last, which may coincide. Equal bytes at equal
    // positions OR to themselves.
    let (middle, last) = (u64::from(tail[n / 2]), u64::from(tail[n - 1]));
    [u64::from(tail[0]) | middle << (8 * (n / 2)) | last << (8 * (n - 1)), 0]
}

/// The padded last block of [`tail_words`] as 16 bytes, little-endian.
#[inline(always)]
pub(crate) fn pad_partial(tail: &[u8]) -> [u8; BLOCK] {
    let [low, high] = tail_words(tail);
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}
