//! Our products in F2\[X\] on every backend.
use super::Ours;
use crate::f2x::{Operation, Products, backends, by_plan};
use crate::subject::{Subject, Work};
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Plan, square_on};

/// Products or squares in F2\[X\] as subjects, with plan and scratch made ready outside the timing.
pub fn f2x(operation: Operation) -> Ours {
    Ours::one_shot(match operation {
        Operation::Mul | Operation::MulShort(_) => on_backends(|cpu| {
            Products(operation, move |bits: usize| {
                // A plan is for two numbers of words. Programs keep their plans, so making one is not timed.
                by_plan(Plan::on(cpu, bits.div_ceil(64), operation.second_words(bits)))
            })
        }),
        Operation::Square => on_backends(|cpu| {
            Products(operation, move |_| move |a: &[u64], _: &[u64], out: &mut [u64]| square_on(cpu, a, out))
        }),
        Operation::MulModXn1(_) => on_backends(|cpu| {
            Products(operation, move |bits: usize| {
                let words = bits.div_ceil(64);
                let plan = Plan::on(cpu, words, words);
                let mut scratch = vec![0; plan.part_scratch_words()];
                move |a: &[u64], b: &[u64], out: &mut [u64]| plan.mul_mod_xn_1(bits, a, b, out, &mut scratch)
            })
        }),
    })
}

/// The subjects `carryless/best` and, for each backend that is measured, `carryless/BACKEND`.
fn on_backends<W: Work + 'static>(on: impl Fn(ClmulCpu) -> W) -> Vec<Subject> {
    let subject = |name: &str, cpu: ClmulCpu| Subject::new(format!("carryless/{name}"), cpu.name(), on(cpu));
    // Unless it has GFNI, the best backend is measured twice. The difference is the noise of the run.
    let best = ClmulCpu::detect();
    std::iter::once(subject("best", best)).chain(backends().map(|cpu| subject(cpu.name(), cpu))).collect()
}
