//! What the unit tests of the kernels share.
use carryless_lanes::{Cpu, Kernel, Machine, Portable};
use std::vec::Vec;

/// SplitMix64.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Random bytes; now and then all ones or all zeros, where carries are longest.
    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        match self.next() % 8 {
            0 => std::vec![0xff; len],
            1 => std::vec![0; len],
            _ => (0..len).map(|_| self.next() as u8).collect(),
        }
    }
}

/// Runs the kernel on the portable machines of all widths and on every machine of this CPU; `check` gets the
/// machine's name and the outcome.
pub(crate) fn everywhere<K: Kernel + Copy>(kernel: K, mut check: impl FnMut(&str, K::Out)) {
    check("portable, 2 lanes", Portable::<2>.call(kernel));
    check("portable, 4 lanes", Portable::<4>.call(kernel));
    check("portable, 8 lanes", Portable::<8>.call(kernel));
    for cpu in Cpu::available() {
        check(cpu.name(), cpu.call(kernel));
    }
}
