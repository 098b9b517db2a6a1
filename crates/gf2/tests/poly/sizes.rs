//! Wrong sizes, empty operands, and what is asked of scratch.
use crate::common::pick;
use crate::random::Random;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{self, Modulus, Plan, SizeError};
use carryless_reference::gf2;

/// One backend for each number of lanes, which plans depend on.
fn of_every_width() -> impl Iterator<Item = ClmulCpu> {
    [1, 2, 4].into_iter().filter_map(|lanes| ClmulCpu::available().find(|cpu| cpu.lanes() == lanes))
}

/// No size is too large to be told so.
#[test]
fn sizes_that_are_too_large() {
    let most = Plan::MAX_WORDS;
    for (a, b) in [
        (usize::MAX, usize::MAX),
        (usize::MAX, 1),
        (1, usize::MAX),
        (usize::MAX / 2 + 1, 2),
        (most + 1, 1),
        (most + 1, most + 1),
        (1 << (usize::BITS - 24), 1 << (usize::BITS - 24)),
    ] {
        let error = SizeError::TooLong { words: a.max(b) };
        assert_eq!(Plan::try_new(a, b), Err(error), "{a} times {b} words");
        assert_eq!(poly::try_scratch_words(a, b), Err(error));
        let all = ClmulCpu::available().chain(of_every_width());
        for cpu in all {
            assert_eq!(Plan::try_on(cpu, a, b), Err(error));
        }
    }
    let panics = std::panic::catch_unwind(|| Plan::new(usize::MAX, usize::MAX)).expect_err("too long");
    let message = panics.downcast_ref::<String>().expect("a message");
    assert_eq!(*message, format!("operands of {} words are too long", usize::MAX));
}

/// Up to the limit nothing overflows: sizes and counts of every plan are numbers.
#[test]
fn the_largest_plans() {
    for cpu in of_every_width() {
        for shift in 0..usize::BITS {
            let Some(long) = Plan::MAX_WORDS.checked_shr(shift).filter(|&n| n > 0) else { break };
            for short in
                [1, 2, 3, 40, 1000, long / 3, long / 2, long - long / 7, long].map(|n| n.clamp(1, long))
            {
                let Ok(plan) = Plan::try_on(cpu, long, short) else {
                    assert!(long.min(2 * short) > Plan::MAX_WORDS / 4, "{long} times {short} is not long");
                    continue;
                };
                assert!(plan.scratch_words() <= Plan::scratch_bound(long, short), "{}", plan.describe());
                assert!(plan.clmuls() >= long.max(short) / 2 && plan.part_scratch_words() >= long + short);
                assert!(plan.levels().all(|level| level.count > 0) && plan.prepared_words() > 0);
            }
        }
    }
}

/// A buffer of the bound is enough on backends of every width, whatever this CPU is.
#[test]
fn scratch_is_bounded() {
    let top = pick(3000, 200, 20);
    for cpu in of_every_width() {
        for long in (0..top).chain((3000..pick(1 << 20, 0, 0)).step_by(1117)) {
            for short in [long, long / 2, long / 3 + 1, long / 10 + 1, 1, 0] {
                let (needed, bound) =
                    (Plan::on(cpu, long, short).scratch_words(), Plan::scratch_bound(long, short));
                assert!(needed <= bound, "{long} times {short} words: {needed}, not {bound}");
                assert_eq!(needed, Plan::on(cpu, short, long).scratch_words());
                assert_eq!(bound, Plan::scratch_bound(short, long));
            }
        }
    }
    const BOUND: usize = Plan::scratch_bound(277, 277);
    assert_eq!(BOUND, 15 * 554 + 64);
}

/// An operand of no words is zero, and needs no scratch.
#[test]
fn empty_operands() {
    let mut random = Random(51);
    for (a, b) in [(0, 0), (0, 1), (1, 0), (0, 300), (300, 0)] {
        let (a, b) = (random.words(a), random.words(b));
        let mut out = vec![!0; a.len() + b.len()];
        assert_eq!(poly::scratch_words(a.len(), b.len()), 0);
        poly::mul(&a, &b, &mut out, &mut []);
        assert!(out.iter().all(|&word| word == 0));
        for cpu in ClmulCpu::available() {
            let plan = Plan::on(cpu, a.len(), b.len());
            assert_eq!((plan.scratch_words(), plan.prepared_words(), plan.clmuls()), (0, 0, 0));
            out.fill(!0);
            plan.prepare(&b, &mut [], &mut []);
            plan.mul_prepared(&a, &[], &mut out, &mut []);
            assert!(out.iter().all(|&word| word == 0));
            assert!(plan.try_mul(&a, &b, &mut vec![0; out.len() + 1], &mut []).is_err());
            let mut three = vec![!0; 3 * out.len()];
            plan.mul_batch(&a.repeat(3), &b.repeat(3), &mut three, &mut []);
            assert!(three.iter().all(|&word| word == 0));
        }
    }
    poly::square(&[], &mut []);
    assert_eq!(poly::try_square(&[1], &mut [0; 3]), Err(SizeError::Length { expected: 2, found: 3 }));
}

/// Kernels of fixed size need no scratch, so the plan asks for none.
#[test]
fn short_products_need_no_scratch() {
    let mut random = Random(52);
    for n in 1..=10 {
        for cpu in ClmulCpu::available() {
            let (plan, a, b) = (Plan::on(cpu, n, n), random.words(n), random.words(n));
            assert_eq!(plan.scratch_words(), 0);
            let (mut out, mut prepared) = (vec![!0; 2 * n], vec![!0; plan.prepared_words()]);
            plan.mul(&a, &b, &mut out, &mut []);
            assert_eq!(out, gf2::mul(&a, &b));
            out.fill(!0);
            plan.prepare(&b, &mut prepared, &mut []);
            plan.mul_prepared(&a, &prepared, &mut out, &mut []);
            assert_eq!(out, gf2::mul(&a, &b));
        }
    }
}

/// Every slice one word too short or too long, in every function: the error says which length, and nothing is written.
#[test]
fn wrong_lengths_are_errors() {
    for n in [4, 10, 11, pick(300, 40, 12)] {
        let plan = Plan::new(n, n);
        let (scratch, parts) = (plan.scratch_words(), plan.part_scratch_words());
        let exponents = [64 * n - 3, 0];
        let m = Modulus::new(&exponents).expect("X^n - 1");
        let words = |n: usize| vec![1_u64; n];
        // Lengths of the operands, the output and scratch; which of them is wrong.
        type Call<'a> = &'a dyn Fn(&[u64], &[u64], &mut [u64], &mut [u64]) -> Result<(), SizeError>;
        let calls: [(&str, Call<'_>, [usize; 4]); 9] = [
            ("mul", &|a, b, out, s| plan.try_mul(a, b, out, s), [n, n, 2 * n, scratch]),
            ("poly::mul", &|a, b, out, s| poly::try_mul(a, b, out, s), [n, n, 2 * n, scratch]),
            ("prepare", &|_, b, out, s| plan.try_prepare(b, out, s), [n, n, plan.prepared_words(), scratch]),
            (
                "mul_prepared",
                &|a, b, out, s| plan.try_mul_prepared(a, b, out, s),
                [n, plan.prepared_words(), 2 * n, scratch],
            ),
            ("mul_add", &|a, b, out, s| plan.try_mul_add(a, b, out, s), [n, n, 2 * n, parts]),
            ("mul_mod", &|a, b, out, s| plan.try_mul_mod(m, a, b, out, s), [n, n, n, parts]),
            (
                "mul_mod_prepared",
                &|a, b, out, s| plan.try_mul_mod_prepared(m, a, b, out, s),
                [n, plan.prepared_words(), n, parts],
            ),
            ("xn_1", &|a, b, out, s| plan.try_mul_mod_xn_1(64 * n, a, b, out, s), [n, n, n, parts]),
            ("batch", &|a, b, out, s| plan.try_mul_batch(a, b, out, s), {
                [n, n, 2 * n, plan.batch_scratch_words()]
            }),
        ];
        for (name, call, lengths) in calls {
            let try_with = |lengths: [usize; 4]| {
                let [a, b, out, scratch] = lengths;
                let mut out = vec![7; out];
                let result = call(&words(a), &words(b), &mut out, &mut vec![!0; scratch]);
                assert!(result.is_ok() || out.iter().all(|&word| word == 7), "{name}: written, and an error");
                result
            };
            assert_eq!(try_with(lengths), Ok(()), "{name}, {n} words");
            for which in 0..4 {
                let unused = name == "prepare" && which == 0;
                let mut longer = lengths;
                longer[which] += 1;
                let mut shorter = lengths;
                let too_short = shorter[which] > 0;
                shorter[which] = shorter[which].saturating_sub(1);
                // More scratch is no error.
                if !unused && which < 3 {
                    assert!(try_with(longer).is_err(), "{name}: {longer:?} is not {lengths:?}");
                }
                if !unused && too_short && which < 3 {
                    assert!(try_with(shorter).is_err(), "{name}: {shorter:?} is not {lengths:?}");
                }
                if which == 3 && too_short {
                    let (needed, found) = (lengths[3], shorter[3]);
                    assert_eq!(try_with(shorter), Err(SizeError::Scratch { needed, found }), "{name}");
                }
            }
        }
        for (which, error) in [
            plan.try_mul_low(&words(n), &words(n), &mut words(2 * n + 1), &mut words(parts)),
            plan.try_mul_high(&words(n), &words(n), &mut words(2 * n + 1), &mut words(parts)),
            plan.try_mul_low(&words(n + 1), &words(n), &mut words(1), &mut words(parts + 1)),
            plan.try_mul_sparse(&[1], &words(n + 1), &mut words(2 * n), &mut words(parts)),
            plan.try_mul_mod_xn_1(0, &words(n), &words(n), &mut words(n), &mut words(parts)),
        ]
        .into_iter()
        .enumerate()
        {
            assert!(error.is_err(), "{which}");
        }
    }
}

#[test]
#[should_panic(expected = "scratch of 0 words where ")]
fn scratch_that_is_missing() {
    let plan = Plan::new(100, 100);
    plan.mul(&[1; 100], &[1; 100], &mut [0; 200], &mut []);
}

/// Prepared operands in products modulo X^n - 1 and a pentanomial.
#[test]
fn prepared_products_modulo_sparse_polynomials() {
    let mut random = Random(53);
    let moduli: &[&[usize]] = &[&[163, 7, 6, 3, 0], &[640, 0], &[701, 0], &[2203, 0], &[17669, 0]];
    for exponents in moduli.iter().filter(|m| m[0] < pick(20_000, 3000, 200)) {
        let m = Modulus::new(exponents).expect("a modulus");
        let n = m.words();
        let (a, b) = (random.words(n), random.words(n));
        for cpu in ClmulCpu::available() {
            let plan = Plan::on(cpu, n, n);
            let (mut wanted, mut out) = (vec![!0; n], vec![!0; n]);
            let (mut prepared, mut scratch) =
                (vec![!0; plan.prepared_words()], vec![!0; plan.part_scratch_words()]);
            plan.mul_mod(m, &a, &b, &mut wanted, &mut scratch);
            plan.prepare(&b, &mut prepared, &mut scratch);
            // So that nothing that is left there of the first product can help the second.
            scratch.fill(!0);
            plan.mul_mod_prepared(m, &a, &prepared, &mut out, &mut scratch);
            assert!(out == wanted, "{}", plan.describe());
            let mut reduced = gf2::mul(&a, &b);
            m.reduce(cpu, &mut reduced);
            assert!(out == reduced[..n], "{}", plan.describe());
        }
    }
}
