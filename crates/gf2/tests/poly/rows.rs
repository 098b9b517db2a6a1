//! A short operand times one of any length, against the reference, on every backend of this CPU.
use crate::common::{mul, pick};
use crate::random::Random;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Plan, Short};
use carryless_reference::gf2;

/// Operands at odd places, short ones first and second in turn, all in exactly the scratch asked for.
#[test]
fn all_short_sizes() {
    let (mut random, longest) = (Random(20), pick(200, 60, 6));
    for short in 1..=pick(10, 10, 3) {
        for long in 1..=longest {
            let (a, b) = (random.words(short + 1), random.words(long + 1));
            let (a, b) = (&a[1..], &b[1..]);
            let wanted = gf2::mul(a, b);
            let (a, b) = if long % 2 == 0 { (a, b) } else { (b, a) };
            for cpu in ClmulCpu::available() {
                let plan = Plan::on(cpu, a.len(), b.len());
                assert_eq!(plan.scratch_words(), 0);
                assert!(mul(&plan, a, b) == wanted, "{}", plan.describe());
            }
        }
    }
}

/// Everything else that a plan does.
#[test]
fn rows_are_added_cut_and_prepared() {
    let mut random = Random(21);
    for (a_words, b_words) in [(1, 2), (1, 9), (17, 2), (3, 33), (64, 4), (5, 40), (8, 7), (61, 9), (10, 71)]
    {
        if a_words + b_words > pick(100, 100, 12) {
            continue;
        }
        for cpu in ClmulCpu::available() {
            let plan = Plan::on(cpu, a_words, b_words);
            let (a, b, n) = (random.words(a_words), random.words(b_words), a_words + b_words);
            let wanted = gf2::mul(&a, &b);
            let mut prepared = vec![!0; plan.prepared_words()];
            plan.prepare(&b, &mut prepared, &mut []);
            let mut out = vec![!0; n];
            plan.mul_prepared(&a, &prepared, &mut out, &mut []);
            assert!(out == wanted, "{}", plan.describe());

            let mut scratch = vec![!0; plan.part_scratch_words()];
            plan.mul_add(&a, &b, &mut out, &mut scratch);
            // Added to the product that was there, it gives 0.
            assert!(out.iter().all(|&word| word == 0), "{}", plan.describe());
            for part in [0, 1, n / 2, n] {
                plan.mul_low(&a, &b, &mut out[..part], &mut scratch);
                assert!(out[..part] == wanted[..part], "{}", plan.describe());
                plan.mul_high(&a, &b, &mut out[..part], &mut scratch);
                assert!(out[..part] == wanted[n - part..], "{}", plan.describe());
            }
        }
    }
}

/// The number of products is that of the kernel: 100 words by one take 100 products, and 900 before there were rows.
#[test]
fn rows_take_few_products() {
    for cpu in ClmulCpu::available() {
        for (short, clmuls) in [(1, 100), (2, 150), (4, 225), (6, 306), (8, 351), (10, 420)] {
            let plan = Plan::on(cpu, short, 100);
            assert_eq!(plan.clmuls(), clmuls, "{}", plan.describe());
            let levels: Vec<_> = plan.levels().map(|level| level.count * level.words).collect();
            assert_eq!(levels, [100_usize.next_multiple_of(short.max(2))]);
        }
    }
}

/// What a plan is not needed for.
#[test]
fn short_products_without_a_plan() {
    let mut random = Random(22);
    for cpu in ClmulCpu::available() {
        let short = Short::on(cpu);
        for a_words in 0..pick(14, 14, 4) {
            for b_words in 0..pick(14, 14, 4) {
                let takes = Short::takes(a_words, b_words);
                assert_eq!(takes, (1..=10).contains(&a_words.min(b_words)));
                if takes {
                    let (a, b) = (random.words(a_words), random.words(b_words));
                    let mut out = vec![!0; a_words + b_words];
                    short.mul(&a, &b, &mut out);
                    assert_eq!(out, gf2::mul(&a, &b), "{a_words} x {b_words} words on {}", cpu.name());
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "one operand of 1 to 10 words")]
fn long_products_need_a_plan() {
    Short::new().mul(&[1; 11], &[1; 11], &mut [0; 22]);
}

#[test]
#[should_panic(expected = "a product as long as both operands")]
fn short_products_have_all_words() {
    Short::new().mul(&[1; 2], &[1; 11], &mut [0; 12]);
}
