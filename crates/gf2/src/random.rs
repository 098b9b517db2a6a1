//! Pseudorandom words.

/// A generator of words that look random, splitmix64, from any seed. The same seed gives the same words. Not for keys.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next word of the sequence.
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
