//! Tests of both algorithms on every backend, against bits that are set one by one.
use super::*;
use std::vec;
use std::vec::Vec;

/// The kernel of one algorithm, whether or not it is the backend's own.
struct By<'a> {
    matrices: bool,
    exponents: &'a [u32],
    out: &'a mut [u64],
}

impl ClmulKernel for By<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        if self.matrices {
            matrices::sum(s, self.exponents, self.out);
        } else {
            compare::sum(s, self.exponents, self.out);
        }
    }
}

/// The expected words: the sum of X^e, bit by bit.
fn wanted(exponents: &[u32], words: usize) -> Vec<u64> {
    let mut out = vec![0; words];
    for &e in exponents {
        if let Some(word) = out.get_mut(e as usize / 64) {
            *word ^= 1 << (e % 64);
        }
    }
    out
}

#[track_caller]
fn check(cpu: ClmulCpu, exponents: &[u32], words: usize) {
    let wanted = wanted(exponents, words);
    let (exponents_were, mut out) = (exponents, vec![!0; words]);
    from_exponents(cpu, exponents, &mut out);
    assert!(out == wanted, "{}: {exponents_were:?} in {words} words", cpu.name());
    for matrices in [false, true] {
        out.fill(!0);
        cpu.affine().call(By { matrices, exponents, out: &mut out });
        assert!(out == wanted, "{}, matrices {matrices}: {exponents_were:?} in {words} words", cpu.name());
    }
}

/// Three sizes of HQC in bits, and the exponents of one operand.
const SIZES: [(usize, usize); 3] = [(17669, 75), (35851, 114), (57637, 149)];

/// A number of tests for a full run, a quick run, and one on Miri.
fn pick(full: usize, quick: usize, miri: usize) -> usize {
    match std::env::var("CARRYLESS_QUICK") {
        _ if cfg!(miri) => miri,
        Ok(one) if one == "1" => quick,
        _ => full,
    }
}

/// Random exponents for tests, by splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// Every exponent alone, in builds without proofs every seventh: the others are beyond `out`. It stands in another
/// place each time, and so in every place of a batch with every value of every field.
#[test]
fn single_exponents() {
    for (bits, count) in SIZES {
        for cpu in ClmulCpu::available() {
            // Without vectors, every one of them takes a hundred times as long.
            let slow = matches!(cpu.name(), "soft" | "soft2" | "soft4");
            let every = if cfg!(carryless_without_proofs) { 7 } else { 1 };
            let step = if slow { pick(101, 997, 9973) } else { pick(every, 37, 9973) };
            let (mut exponents, mut out) = (vec![u32::MAX; count], vec![!0; bits.div_ceil(64)]);
            for e in (0..bits).step_by(step) {
                let place = e % count;
                exponents[place] = e as u32;
                for matrices in [false, true] {
                    if matrices != cpu.has_affine() && (!slow || !matrices) {
                        continue;
                    }
                    cpu.affine().call(By { matrices, exponents: &exponents, out: &mut out });
                    out[e / 64] ^= 1 << (e % 64);
                    assert!(out.iter().all(|&word| word == 0), "{}, {e} of {bits} bits", cpu.name());
                }
                exponents[place] = u32::MAX;
            }
        }
    }
}

/// Two exponents alone, in all pairs of places of a batch: a product of bits of one by bits of the other would be
/// a coefficient of its own.
#[test]
fn pairs_of_exponents() {
    let (mut random, words) = (Random(3), 1 << 11);
    let step = pick(1, 7, 997);
    let mut out = vec![0; words];
    for (i, j) in (0..64).flat_map(|i| (0..i).map(move |j| (i, j))).step_by(step) {
        let mut exponents = [u32::MAX; 64];
        (exponents[i], exponents[j]) = (random.below(64 * words as u32), random.below(64 * words as u32));
        let wanted = wanted(&exponents, words);
        for cpu in ClmulCpu::available() {
            cpu.affine().call(By { matrices: true, exponents: &exponents, out: &mut out });
            assert!(
                out == wanted,
                "{}: {} and {} in places {i} and {j}",
                cpu.name(),
                exponents[i],
                exponents[j]
            );
        }
    }
}

#[test]
fn random_supports() {
    let mut random = Random(1);
    for (bits, count) in SIZES {
        for _ in 0..pick(50, 5, 1) {
            let exponents: Vec<u32> = (0..count).map(|_| random.below(bits as u32)).collect();
            ClmulCpu::available().for_each(|cpu| check(cpu, &exponents, bits.div_ceil(64)));
        }
    }
}

/// Any number of exponents into any number of words: at both ends, twice, and above.
#[test]
fn lengths_and_edges() {
    let mut random = Random(2);
    let words = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 2047, 2049, 4200];
    let counts = [0, 1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 72, 130, 257];
    for words in words.into_iter().take(pick(30, 30, 17)) {
        let end = 64 * words as u32;
        for count in counts.into_iter().take(pick(20, 13, 6)) {
            let mut exponents: Vec<u32> = (0..count).map(|_| random.below(end + end / 8 + 1)).collect();
            let edges =
                [0, end.saturating_sub(1), end, u32::MAX, end.saturating_sub(1), end.saturating_sub(1)];
            for (e, edge) in exponents.iter_mut().step_by(3).zip(edges) {
                *e = edge;
            }
            ClmulCpu::available().for_each(|cpu| check(cpu, &exponents, words));
        }
    }
}
