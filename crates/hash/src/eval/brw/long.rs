//! Tests of lengths of 2^32 bits and more without messages of that size: kernels take the length as a number.
use super::choice::Layout;
use super::dec::DecBrw;
use super::evaluate::value;
use super::ready::Ready;
use super::segment::Part;
use super::stream::State;
use crate::eval::evaluate::Evaluate;
use crate::field::p1305::testing::Rng;
use crate::field::{p1271, p1305};
use carryless_lanes::{Backend, Cpu, Portable};
use carryless_reference::{BigUint, P1271, P1305, Params, Streams as Reference, brw};
use std::vec::Vec;

/// Lengths in bits that change if they are truncated to 32 or 33 bits or read as signed.
const LENGTHS: [u64; 5] = [1 << 32, (1 << 32) + 8, (1 << 35) + 1000, 1 << 63, u64::MAX - 7];

struct Case<E: Evaluate> {
    prime: &'static Params,
    tau: E,
    /// tau as an integer, for the reference.
    key: BigUint,
    /// Kernels on portable backends of 4 and 8 lanes, which this CPU may lack.
    portable: [fn(DecBrw<'_, E>) -> E; 2],
}

impl<E: Evaluate> Case<E> {
    fn blocks(&self, msg: &[u8]) -> Vec<BigUint> {
        msg.chunks(E::BLOCK).map(BigUint::from_bytes_le).collect()
    }

    fn digest(residue: &BigUint) -> u128 {
        let bits = if E::BLOCK == 16 { 128 } else { 126 };
        let low: BigUint = residue % (BigUint::from(1u32) << bits);
        low.try_into().expect("at most 128 bits")
    }

    #[track_caller]
    fn same(got: E, want: &BigUint, what: &str, bits: u64) {
        assert_eq!(got.low_bits(), Self::digest(want), "{what}: {bits} bits");
    }

    /// Kernels in words, in lanes and for short messages, with and without precomputed powers.
    fn kernels(&self) {
        let mut rng = Rng(60);
        for (c, rows, bits) in [1, 2, 3, 4, 8, 16]
            .into_iter()
            .flat_map(|c| [1, 3, 7, 20, 70].map(|rows| (c, rows)))
            .flat_map(|(c, rows)| LENGTHS.map(|bits| (c, rows, bits)))
        {
            // The last block is short, so that its padding takes part.
            let msg = rng.bytes(E::BLOCK * c * rows - 3);
            let want = Reference::new(self.prime, c, &self.key, self.blocks(&msg));
            let want = want.residue(self.prime, &self.key, bits);
            let ready = Ready::new(self.tau, 4);
            for ready in [None, Some(&ready)] {
                let kernel = || DecBrw { tau: self.tau, ready, msg: &msg, bits, c, t: 2, saved: None };
                for cpu in Cpu::available() {
                    for layout in [Layout::Words, Layout::Lanes, Layout::FourLimbs] {
                        Self::same(value(cpu, layout, kernel()), &want, cpu.name(), bits);
                    }
                }
                for (run, lanes) in self.portable.iter().zip([4, 8]) {
                    if super::dec::serves(lanes, c) {
                        Self::same(run(kernel()), &want, "portable lanes", bits);
                    }
                }
            }
        }
    }

    /// A stream and a segment after 2^28 and more rows whose stack is all zeros: one zero entry for each bit of
    /// their number. So the value is that of the last blocks with the right powers.
    fn streams_and_segments<const C: usize>(&self) {
        let msg = Rng(61).bytes(3 * E::BLOCK * C - 1);
        for rows in [1_u64 << 28, (1 << 30) + 4, (1 << 40) + 8] {
            let run = |kernel: DecBrw<'_, E>| {
                kernel.in_words();
            };
            let mut state = State::<E, C>::after_zeros(self.tau, rows);
            state.update(&msg, run);
            let bits = 8 * (rows * (E::BLOCK * C) as u64 + msg.len() as u64);
            let want = self.after_zeros(C, rows, &msg, bits);
            for cpu in Cpu::available() {
                for layout in [Layout::Words, Layout::Lanes] {
                    let got = state.value(|kernel| value(cpu, layout, kernel));
                    Self::same(got, &want, cpu.name(), bits);
                }
            }
            Self::same(Part::of(&mut state, run).value(), &want, "segment", bits);
        }
    }

    /// The expected value tau (tau (Q_1 tau^((c-1) d) + ... + Q_c) + L), where each stream has the value
    /// of its last rows alone.
    fn after_zeros(&self, c: usize, rows: u64, msg: &[u8], bits: u64) -> BigUint {
        let (p, blocks) = (&self.prime.p(), self.blocks(msg));
        // For l rows of a stream, 3 of them not zero, BRW has degree 2^(floor(lg l) + 1) - 1 in tau. So tau^d keeps
        // the streams apart.
        let d = BigUint::from(2 * (1_u64 << (rows + 3).ilog2()));
        let power = self.key.modpow(&d, p);
        let q = (0..c).fold(BigUint::ZERO, |sum, stream| {
            let own: Vec<_> = blocks[stream..].iter().step_by(c).cloned().collect();
            (sum * &power + brw(self.prime, &self.key, &own)) % p
        });
        (&self.key * (&self.key * q + bits)) % p
    }

    fn all(&self) {
        self.kernels();
        self.streams_and_segments::<1>();
        self.streams_and_segments::<4>();
        self.streams_and_segments::<16>();
    }
}

#[test]
#[cfg_attr(miri, ignore = "big integers take Miri minutes")]
fn long_lengths_over_2_130_5() {
    let key = Rng(62).key();
    let portable: [fn(DecBrw<'_, p1305::element::Element>) -> _; 2] =
        [|kernel| Portable::<4>.call(kernel), |kernel| Portable::<8>.call_ifma(kernel)];
    let tau = p1305::element::Element::from_bytes(&key);
    Case { prime: &P1305, tau, key: BigUint::from_bytes_le(&key), portable }.all();
}

#[test]
#[cfg_attr(miri, ignore = "big integers take Miri minutes")]
fn long_lengths_over_2_127_1() {
    let mut key = Rng(63).key();
    key[15] &= 0x3f;
    let portable: [fn(DecBrw<'_, p1271::element::Element>) -> _; 2] =
        [|kernel| Portable::<4>.call(kernel), |kernel| Portable::<8>.call_ifma(kernel)];
    let tau = p1271::element::Element::from_bytes(&key);
    Case { prime: &P1271, tau, key: BigUint::from_bytes_le(&key), portable }.all();
}
