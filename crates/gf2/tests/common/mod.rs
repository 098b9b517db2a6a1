//! What the tests of products share.
use carryless_gf2::poly::Plan;

/// splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
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

/// The product, in exactly the scratch that the plan asks for, with rubbish in it.
pub(crate) fn mul(plan: &Plan, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![!0; a.len() + b.len()];
    plan.mul(a, b, &mut out, &mut vec![!0; plan.scratch_words()]);
    out
}
