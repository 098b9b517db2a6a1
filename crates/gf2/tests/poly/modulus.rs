//! Remainders modulo sparse polynomials, and products by sparse ones, against the reference.
use crate::common::pick;
use crate::random::Random;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{self, Modulus, Plan};
use carryless_reference::gf2;

/// The sum of X^e, in this many words.
fn sum_of(exponents: impl IntoIterator<Item = usize>, words: usize) -> Vec<u64> {
    let mut sum = vec![0; words];
    for e in exponents {
        sum[e / 64] ^= 1 << (e % 64);
    }
    sum
}

/// X^(n + i) becomes the sum of the other X^(k + i), from the highest bit down.
fn remainder(mut c: Vec<u64>, exponents: &[usize]) -> Vec<u64> {
    let n = exponents[0];
    for i in (n..64 * c.len()).rev() {
        if c[i / 64] >> (i % 64) & 1 == 1 {
            for j in exponents.iter().map(|k| i - n + k) {
                c[j / 64] ^= 1 << (j % 64);
            }
        }
    }
    c
}

/// Whatever `reduce` makes of a random polynomial of this many words, on all backends.
fn reduces(exponents: &[usize], words: usize, random: &mut Random) {
    let modulus = Modulus::new(exponents).expect("exponents that descend");
    let c = random.words(words);
    let wanted = remainder(c.clone(), exponents);
    for cpu in ClmulCpu::available() {
        let mut c = c.clone();
        modulus.reduce(cpu, &mut c);
        assert!(c == wanted, "{words} words modulo {exponents:?} on {}", cpu.name());
    }
}

/// Every place of n and of the gap below it within a word, gaps of 1 bit to several words.
#[test]
fn binomials_and_trinomials() {
    let mut random = Random(21);
    for n in 1..pick(200, 130, 3) {
        for gap in [1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 190, n] {
            let Some(k) = n.checked_sub(gap) else { continue };
            for words in [0, n / 64, n.div_ceil(64), 2 * n.div_ceil(64), 5 + n / 64] {
                reduces(&[n, k], words, &mut random);
                // k / 2 must be above 0 and below k.
                if k > 1 {
                    reduces(&[n, k, 0], words, &mut random);
                    reduces(&[n, k, k / 2, 0], words, &mut random);
                }
            }
        }
    }
}

/// Moduli that are reduced in vectors, one word and two words above X^n at a time: every number of words, even and odd, with and without unused bits in
/// the last word; and neighbours that are not, because n - k1 is too small.
fn in_vectors() -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for words in 1..=10 {
        for n in [64 * words - 63, 64 * words - 31, 64 * words - 1, 64 * words] {
            let top = (127 - (64 * words - n)).min(n / 2).min(32 * words - (64 * words - n).min(32 * words));
            for k in [top + 1, top, top / 2, 31, 0] {
                let mut tail = vec![n, k, k * 3 / 4, k / 2, k / 3, k / 7, 0];
                tail.dedup();
                all.extend(Modulus::new(&tail).map(|_| tail.clone()));
            }
            all.push(vec![n]);
        }
    }
    all
}

/// Reduction is linear (sums, shifts, products by constants, parts by masks), so it is right if it is right on all monomials.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn every_monomial_is_reduced() {
    let step = pick(1, 23, 61);
    for exponents in in_vectors() {
        let modulus = Modulus::new(&exponents).expect("exponents that descend");
        let words = modulus.words();
        for len in [2 * words, words + 1] {
            for i in (0..64 * len).step_by(step) {
                let c = sum_of([i], len);
                let wanted = remainder(c.clone(), &exponents);
                for cpu in ClmulCpu::available() {
                    let mut c = c.clone();
                    modulus.reduce(cpu, &mut c);
                    assert!(c == wanted, "X^{i} modulo {exponents:?} on {}", cpu.name());
                }
            }
        }
    }
}

/// Products of monomials, at places a word and a bit apart, and of all ones, bits from X^n on included.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn products_of_monomials() {
    let step = pick(13, 61, 97);
    for exponents in in_vectors() {
        let modulus = Modulus::new(&exponents).expect("exponents that descend");
        let words = modulus.words();
        let places = (0..64 * words).step_by(step).chain([64 * words - 1]);
        let mut operands: Vec<_> = places.map(|i| sum_of([i], words)).collect();
        operands.push(vec![!0; words]);
        for cpu in ClmulCpu::available() {
            let plan = Plan::on(cpu, words, words);
            let (mut out, mut scratch) = (vec![0; words], vec![0; plan.part_scratch_words()]);
            for (i, a) in operands.iter().enumerate() {
                let b = &operands[(i * 7 + 3) % operands.len()];
                let mut wanted = remainder(gf2::mul(a, b), &exponents);
                wanted.truncate(words);
                plan.mul_mod(modulus, a, b, &mut out, &mut scratch);
                assert!(out == wanted, "{a:?} {b:?} modulo {exponents:?} on {}", cpu.name());
                out.fill(!0);
                plan.mul_mod_prepared(modulus, a, b, &mut out, &mut scratch);
                assert!(out == wanted, "prepared, modulo {exponents:?} on {}", cpu.name());
            }
        }
    }
}

/// X^n, and the polynomials of binary curves, of GHASH's field and of HQC.
#[test]
fn well_known_moduli() {
    let mut random = Random(22);
    let all: &[&[usize]] = &[
        &[100],
        &[128],
        &[128, 7, 2, 1, 0],
        &[163, 7, 6, 3, 0],
        &[233, 74, 0],
        &[283, 12, 7, 5, 0],
        &[409, 87, 0],
        &[571, 10, 5, 2, 0],
        &[17669, 0],
    ];
    for exponents in all.iter().filter(|exponents| exponents[0] < pick(20_000, 20_000, 130)) {
        reduces(exponents, 2 * exponents[0].div_ceil(64), &mut random);
    }
    let (c, exponents) = (random.words(6), [163, 7, 6, 3, 0]);
    let by_division = gf2::div_rem(&c, &sum_of(exponents, 3)).1;
    assert_eq!(remainder(c, &exponents)[..3], by_division[..3], "the definition of this file");
}

#[test]
fn what_is_no_modulus() {
    for exponents in [&[] as &[usize], &[0], &[5, 5], &[5, 3, 4], &[3, 5]] {
        assert_eq!(Modulus::new(exponents), None, "{exponents:?}");
    }
}

#[test]
fn products_in_the_field_of_a_curve() {
    let (mut random, modulus) = (Random(23), Modulus::new(&[233, 74, 0]).expect("a trinomial"));
    let (a, b) = (random.words(4), random.words(4));
    let mut wanted = gf2::div_rem(&gf2::mul(&a, &b), &sum_of([233, 74, 0], 4)).1;
    wanted.resize(4, 0);
    for cpu in ClmulCpu::available() {
        let (plan, mut out) = (Plan::on(cpu, 4, 4), vec![!0; 4]);
        plan.mul_mod(modulus, &a, &b, &mut out, &mut vec![!0; plan.part_scratch_words()]);
        assert_eq!(out, wanted, "on {}", cpu.name());
    }
}

/// Exponents at both ends, twice, and above the operand.
#[test]
fn sparse_operands() {
    let (mut random, top) = (Random(24), pick(20, 12, 3));
    for words in 1..top {
        let last = 64 * words as u32 - 1;
        let inner: Vec<u32> = (0..9).map(|_| random.word() as u32 % (last + 1)).collect();
        let exponents = [&[0, 63, last, last, last + 1, u32::MAX, last][..], &inner].concat();
        let inside = exponents.iter().filter(|&&e| e <= last).map(|&e| e as usize);
        let (a, b) = (sum_of(inside, words), random.words(3));
        for cpu in ClmulCpu::available() {
            let mut dense = vec![!0; words];
            poly::from_exponents(cpu, &exponents, &mut dense);
            assert_eq!(dense, a, "on {}", cpu.name());
            let (plan, mut out) = (Plan::on(cpu, words, 3), vec![!0; words + 3]);
            plan.mul_sparse(&exponents, &b, &mut out, &mut vec![!0; plan.sparse_scratch_words()]);
            assert_eq!(out, gf2::mul(&a, &b), "on {}", cpu.name());
        }
    }
}
