//! Words for tests, the same in every run.

/// The generator splitmix64 with its state: fast and repeatable, for tests only.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    #[allow(dead_code, reason = "not all tests that share this file want many")]
    pub(crate) fn words(&mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.word()).collect()
    }
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
