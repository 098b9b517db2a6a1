//! Moves of the bits of a word.

/// The 32 bits at even places of a word, packed: bit 2 i becomes bit i.
#[inline]
pub(crate) fn gather(word: u64) -> u64 {
    // Each line halves the gaps between groups of 1, 2, 4, 8 and 16 bits.
    let word = word & 0x5555_5555_5555_5555;
    let word = (word | word >> 1) & 0x3333_3333_3333_3333;
    let word = (word | word >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    let word = (word | word >> 4) & 0x00ff_00ff_00ff_00ff;
    let word = (word | word >> 8) & 0x0000_ffff_0000_ffff;
    (word | word >> 16) & 0xffff_ffff
}
