//! What the unit tests of the kernels share.
use super::element::Element;
use carryless_lanes::{Backend, Cpu, IfmaKernel, Kernel, Portable};
use core::ops::Range;
use std::vec::Vec;

/// The generator SplitMix64, for reproducible test inputs.
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

    /// Any 128-bit key; now and then an extreme one.
    pub(crate) fn key(&mut self) -> [u8; 16] {
        match self.next() % 8 {
            0 => [0xff; 16],
            1 => u128::from(self.next() % 6).to_le_bytes(),
            _ => core::array::from_fn(|_| self.next() as u8),
        }
    }
}

/// All of these numbers; some on an emulator (`CARRYLESS_QUICK=1`), two under Miri.
pub(crate) fn sample(all: Range<usize>) -> impl Iterator<Item = usize> {
    let quick = std::env::var_os("CARRYLESS_QUICK").is_some_and(|value| value == "1");
    let step = if cfg!(miri) {
        all.len() / 2
    } else if quick {
        61
    } else {
        1
    };
    all.step_by(step)
}

/// Runs the kernel on the portable backends of all widths and on every backend of this CPU; `check` gets the
/// backend's name and the outcome.
pub(crate) fn everywhere<K: Kernel + Copy>(kernel: K, mut check: impl FnMut(&str, K::Out)) {
    check("portable, 2 lanes", Portable::<2>.call(kernel));
    check("portable, 4 lanes", Portable::<4>.call(kernel));
    check("portable, 8 lanes", Portable::<8>.call(kernel));
    for cpu in Cpu::available() {
        check(cpu.name(), cpu.call(kernel));
    }
}

/// [`everywhere`] for a kernel that needs 52-bit multiply-add.
pub(crate) fn everywhere_ifma<K: IfmaKernel + Copy>(kernel: K, mut check: impl FnMut(&str, K::Out)) {
    check("portable, 2 lanes, 52 bits", Portable::<2>.call_ifma(kernel));
    check("portable, 4 lanes, 52 bits", Portable::<4>.call_ifma(kernel));
    check("portable, 8 lanes, 52 bits", Portable::<8>.call_ifma(kernel));
    let vectors = Cpu::available().filter(|cpu| cpu.has_ifma() && !matches!(cpu, Cpu::Portable(_)));
    for cpu in vectors {
        check(cpu.name(), cpu.ifma().call(kernel, || unreachable!("it has multiply-add")));
    }
}

/// Any value that kernels may start from, also one above p.
pub(crate) fn weird_element(rng: &mut Rng) -> Element {
    match rng.next() % 4 {
        0 => Element::ZERO,
        1 => Element([u64::MAX, u64::MAX, 7]),
        _ => Element([rng.next(), rng.next(), rng.next() % 8]),
    }
}

/// h tau^l + C_1 tau^l + ... + C_l tau below p, by the reference.
pub(crate) fn value(tau: &[u8; 16], h: Element, msg: &[u8]) -> [u64; 3] {
    use carryless_reference::{BigUint, P1305, combine, polyhash_residue};
    let h = h.0.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64u32) + word);
    let own = polyhash_residue(&P1305, tau, msg.into()).expect("every key is below 2^128");
    let blocks = msg.len().div_ceil(16) as u64;
    let sum = combine(&P1305, tau, &h, &own, blocks).expect("every key is below 2^128");
    let mut digits = sum.iter_u64_digits();
    core::array::from_fn(|_| digits.next().unwrap_or(0))
}
