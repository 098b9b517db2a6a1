//! Products in F2\[X\] of any two sizes by the library's plan, with a prepared operand and by a transform, on every backend;
//! division and gcd.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::{Input, words};
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::poly::{Plan, Ring};
use carryless_reference::gf2;
use libfuzzer_sys::fuzz_target;

/// The most words of operands of a division: longer ones take the reference too long.
const DIVISION_WORDS: usize = 12;

/// The products of `a` and `b`, prepared or not.
fn products(plan: &Plan, a: &[u64], b: &[u64]) -> [Vec<u64>; 2] {
    let mut scratch = vec![!0; plan.scratch_words()];
    let mut prepared = vec![!0; plan.prepared_words()];
    let [mut once, mut again] = [vec![!0; a.len() + b.len()], vec![!0; a.len() + b.len()]];
    plan.mul(a, b, &mut once, &mut scratch);
    plan.prepare(b, &mut prepared, &mut scratch);
    plan.mul_prepared(a, &prepared, &mut again, &mut scratch);
    [once, again]
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let (cut, ring) = (usize::from(input.byte()), Ring::ALL[usize::from(input.byte()) % Ring::ALL.len()]);
    let all = words(input.rest());
    let (a, b) = all.split_at(all.len() * cut / 255);
    let expected = gf2::mul(a, b);
    for cpu in ClmulCpu::available() {
        let plan = Plan::on(cpu, a.len(), b.len());
        let transform = Plan::by_transform(cpu, a.len(), b.len(), ring).ok();
        for plan in [plan].into_iter().chain(transform) {
            for product in products(&plan, a, b) {
                assert_eq!(product, expected, "{} on {}", plan.describe(), cpu.name());
            }
        }
    }
    let [a, b] = [a, b].map(|words| &words[..words.len().min(DIVISION_WORDS)]);
    let [x, y] = [a, b].map(Poly::from_words);
    if gf2::degree(b).is_some() {
        let (quotient, remainder) = x.div_rem(&y).expect("a divisor");
        let (want_quotient, want_remainder) = gf2::div_rem(a, b);
        assert_eq!(quotient, Poly::from_words(&want_quotient));
        assert_eq!(remainder, Poly::from_words(&want_remainder));
    }
    assert_eq!(x.gcd_vartime(&y), Poly::from_words(&gf2::gcd(a, b)));
});
