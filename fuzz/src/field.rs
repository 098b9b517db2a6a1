//! Checks binary fields against the definitions of their operations.
use carryless_lab::fuzzing::Arithmetic;
use carryless_reference::{Gf2m, gf2};

/// `root` is the reduced square root of a.
///
/// # Panics
/// If it is not, or has bits from z^m on; the message ends in `by`.
pub fn check_sqrt(f: &Gf2m, a: &[u64], root: &[u64], by: &str) {
    assert_eq!(f.reduce(root), root, "a reduced root, {by}");
    assert_eq!(f.square(root), f.reduce(a), "square of the root, {by}");
}

/// `inverse` is the reduced inverse of a, or 0.
///
/// # Panics
/// If it is not, or has bits from z^m on; the message ends in `by`.
pub fn check_inverse(f: &Gf2m, a: &[u64], inverse: &[u64], by: &str) {
    assert_eq!(f.reduce(inverse), inverse, "a reduced inverse, {by}");
    match gf2::degree(&f.reduce(a)) {
        None => assert_eq!(gf2::degree(inverse), None, "inverse of 0, {by}"),
        Some(_) => assert_eq!(f.mul(a, inverse), f.reduce(&[1]), "a / a, {by}"),
    }
}

/// `x` is reduced and x^2 + x = c.
///
/// # Panics
/// If it is not, or has bits from z^m on; the message ends in `by`.
pub fn check_solution(f: &Gf2m, c: &[u64], x: &[u64], by: &str) {
    assert_eq!(f.reduce(x), x, "a reduced solution, {by}");
    assert_eq!(sum(&f.square(x), x), f.reduce(c), "x^2 + x, {by}");
}

/// The field computes by these definitions, on these operands and on what is made of them. `trace` is the trace of a, which takes long.
///
/// # Panics
/// If it does not; the message names the operation and ends in `by`.
pub fn check(f: &Gf2m, field: &impl Arithmetic, [a, b]: [&[u64]; 2], trace: bool, by: &str) {
    assert_eq!(field.mul(a, b), f.mul(a, b), "product, {by}");
    assert_eq!(field.square(a), f.square(a), "square, {by}");
    check_sqrt(f, a, &field.sqrt(a), by);
    check_inverse(f, a, &field.invert_or_zero(a), by);
    let solvable = sum(&f.square(b), &f.reduce(b));
    check_solution(f, &solvable, &field.solve_unchecked(&solvable), by);
    assert_eq!(field.trace(a), trace, "trace, {by}");
    if !trace {
        check_solution(f, a, &field.solve_unchecked(a), by);
    }
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}
