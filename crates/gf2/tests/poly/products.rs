//! Products of all sizes against the reference, on every backend of this CPU.
use crate::common::{mul, pick};
use crate::random::Random;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{self, Plan, Step, ToomWord};
use carryless_reference::gf2;

/// CI names the backends it came to exercise; a run on a CPU without them is a failure, not a pass.
#[test]
fn required_backends_are_present() {
    let required = std::env::var("CARRYLESS_REQUIRE_BACKEND");
    let required = required.unwrap_or_default();
    for name in required.split(',').filter(|name| ClmulCpu::NAMES.contains(name)) {
        assert!(ClmulCpu::named(name).is_ok(), "CARRYLESS_REQUIRE_BACKEND: this CPU has no {name}");
    }
}

fn agrees(a_words: usize, b_words: usize, random: &mut Random) {
    let (a, b) = (random.words(a_words), random.words(b_words));
    let wanted = gf2::mul(&a, &b);
    for cpu in ClmulCpu::available() {
        let plan = Plan::on(cpu, a_words, b_words);
        assert!(mul(&plan, &a, &b) == wanted, "{}", plan.describe());
    }
}

#[test]
fn all_sizes() {
    let (mut random, top) = (Random(1), pick(130, 70, 5));
    for n in 1..top {
        agrees(n, n, &mut random);
    }
}

#[test]
fn all_pairs_of_small_sizes_and_empty_operands() {
    let (mut random, top) = (Random(2), pick(40, 12, 4));
    for a in 0..top {
        for b in 0..top {
            agrees(a, b, &mut random);
        }
    }
}

#[test]
fn unequal_sizes() {
    let mut random = Random(3);
    for (a, b) in [(100, 3), (7, 301), (128, 129), (65, 64), (200, 110), (277, 90), (1, 500), (400, 399)] {
        if a + b < pick(1000, 400, 110) {
            agrees(a, b, &mut random);
        }
    }
}

/// Sizes of the measures, and their neighbours.
#[test]
fn long_products() {
    let mut random = Random(4);
    for bits in [17669, 24192, 35851, 57637, 65536] {
        for n in [bits / 64, bits / 64 + 1] {
            if n < pick(2000, 300, 0) {
                agrees(n, n, &mut random);
            }
        }
    }
}

/// Too long for the bits of the reference: (a + b) c = a c + b c, a^2 by the product, and one plan against another.
#[test]
fn very_long_products() {
    let mut random = Random(5);
    for n in [2048, 3001, 16384] {
        if n > pick(1 << 20, 2048, 0) {
            break;
        }
        let (a, b, c) = (random.words(n), random.words(n), random.words(n));
        let plan = Plan::new(n, n);
        let sum: Vec<u64> = a.iter().zip(&b).map(|(a, b)| a ^ b).collect();
        let products = [mul(&plan, &a, &c), mul(&plan, &b, &c), mul(&plan, &sum, &c)];
        let [first, second, both] = &products;
        assert!(first.iter().zip(second).zip(both).all(|((a, b), both)| a ^ b == *both), "{n} words");
        let mut square = vec![0; 2 * n];
        poly::square(&a, &mut square);
        assert!(mul(&plan, &a, &a) == square && square == gf2::square(&a), "{n} words");
        let steps = [Step::Toom3(ToomWord::W256), Step::Karat5, Step::Toom3(ToomWord::W64), Step::Karat3];
        let mut long = steps.to_vec();
        // Karatsuba's method halves the rest until leaves of 6 words suffice.
        let forced = loop {
            if let Ok(plan) = Plan::forced(ClmulCpu::detect(), n, &long, 6) {
                break plan;
            }
            long.push(Step::Karat2);
        };
        assert!(mul(&forced, &a, &b) == mul(&plan, &b, &a), "{}", forced.describe());
    }
}

#[test]
fn squares_of_all_sizes() {
    let mut random = Random(6);
    for n in 0..pick(70, 70, 6) {
        let a = random.words(n);
        for cpu in ClmulCpu::available() {
            let mut out = vec![!0; 2 * n];
            poly::square_on(cpu, &a, &mut out);
            assert_eq!(out, gf2::square(&a), "{n} words on {}", cpu.name());
        }
    }
}

#[test]
fn products_modulo_x_n_1() {
    let mut random = Random(7);
    for n in (1..pick(300, 150, 3)).chain([1021, 3557, 12323]) {
        if n > pick(1 << 20, 4000, 3) {
            break;
        }
        let size = usize::div_ceil(n, 64);
        let mut operand = || {
            let mut a = random.words(size);
            a[size - 1] &= !0 >> ((64 - n % 64) % 64);
            a
        };
        let (a, b) = (operand(), operand());
        for cpu in ClmulCpu::available() {
            let plan = Plan::on(cpu, size, size);
            let mut out = vec![!0; size];
            plan.mul_mod_xn_1(n, &a, &b, &mut out, &mut vec![!0; plan.part_scratch_words()]);
            assert_eq!(out, gf2::mod_xn_1(&gf2::mul(&a, &b), n), "n = {n} on {}", cpu.name());
        }
    }
}

#[test]
fn plans_that_are_none() {
    let cpu = ClmulCpu::detect();
    assert!(Plan::forced(cpu, 17, &[Step::Karat2], 8).is_err());
    assert!(Plan::forced(cpu, 15, &[Step::Karat2], 8).is_ok());
    assert!(Plan::forced(cpu, 4, &[], 5).is_err());
}

/// Parts of products, sums of them, and many at once, in exactly the scratch asked for.
#[test]
fn parts_and_batches() {
    let mut random = Random(9);
    for (a_words, b_words) in [(1, 1), (8, 8), (5, 7), (32, 32), (48, 48), (33, 4)] {
        for cpu in ClmulCpu::available() {
            let plan = Plan::on(cpu, a_words, b_words);
            let (a, b) = (random.words(5 * a_words), random.words(5 * b_words));
            let pairs = a.chunks_exact(a_words).zip(b.chunks_exact(b_words));
            let wanted: Vec<u64> = pairs.flat_map(|(a, b)| gf2::mul(a, b)).collect();
            let mut out = vec![!0; wanted.len()];
            plan.mul_batch(&a, &b, &mut out, &mut vec![!0; plan.batch_scratch_words()]);
            assert!(out == wanted, "{}", plan.describe());

            let (a, b, n) = (&a[..a_words], &b[..b_words], a_words + b_words);
            let mut scratch = vec![!0; plan.part_scratch_words()];
            // The second product of the batch is there already: this one is added to it.
            plan.mul_add(a, b, &mut out[n..2 * n], &mut scratch);
            let sum: Vec<u64> = wanted[..n].iter().zip(&wanted[n..]).map(|(a, b)| a ^ b).collect();
            assert!(out[n..2 * n] == sum);
            for part in [0, 1, n / 2, n] {
                plan.mul_low(a, b, &mut out[..part], &mut scratch);
                assert!(out[..part] == wanted[..part]);
                plan.mul_high(a, b, &mut out[..part], &mut scratch);
                assert!(out[..part] == wanted[n - part..n]);
            }
        }
    }
    let empty = Plan::new(0, 3);
    empty.mul_batch(&[], &[], &mut [], &mut vec![0; empty.batch_scratch_words()]);
}

/// Prepared operands, of chains with and without padding, of pieces and of transforms, in exactly the scratch asked for.
#[test]
fn prepared_operands() {
    let mut random = Random(10);
    let most = pick(5000, 400, 50);
    for (a_words, b_words) in [
        (1, 1),
        (5, 4),
        (36, 36),
        (48, 47),
        (277, 277),
        (300, 70),
        (901, 900),
        (1300, 1300),
        (70, 300),
        (4500, 4500),
    ] {
        for cpu in ClmulCpu::available().filter(|_| a_words < most) {
            let plan = Plan::on(cpu, a_words, b_words);
            let (a, b) = (random.words(a_words), random.words(b_words));
            let (mut prepared, mut scratch) =
                (vec![!0; plan.prepared_words()], vec![!0; plan.scratch_words()]);
            plan.prepare(&b, &mut prepared, &mut scratch);
            let mut out = vec![!0; a_words + b_words];
            // The second turn shows that the first left the prepared operand as it was.
            for a in [&a, &b[..a_words.min(b_words)].repeat(a_words)[..a_words].to_vec()] {
                scratch.fill(!0);
                plan.mul_prepared(a, &prepared, &mut out, &mut scratch);
                assert!(out == mul(&plan, a, &b), "{}", plan.describe());
            }
        }
    }
}

/// The product now and then, and nothing of it left in the scratch.
#[test]
fn scratch_is_wiped() {
    let mut random = Random(11);
    for (a_words, b_words) in [(1, 1), (8, 8), (40, 33), (300, 20), (64, 64)] {
        let (a, b) = (random.words(a_words), random.words(b_words));
        let mut out = vec![!0; a_words + b_words];
        let mut scratch = vec![!0; poly::scratch_words(a_words, b_words) + 1];
        poly::mul(&a, &b, &mut out, &mut scratch);
        assert!(out == gf2::mul(&a, &b));
        assert_eq!(scratch.pop(), Some(!0), "no more than it asked for");
        assert!(scratch.iter().all(|&word| word == 0), "{a_words} times {b_words} words");
    }
}
