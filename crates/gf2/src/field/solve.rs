//! Solutions of x^2 + x = c, by half-traces for odd m and by a telescoping sum for even m.
use super::BinaryField;
use super::arithmetic::{mul, square};
use super::blocks::{Blocks, add, load_constant};
use super::inverse::BySquarings;
use super::shape::Shape;
use carryless_lanes::Clmul;

/// The half-trace H(c), the sum of c^(4^i) for i from 0 to (m - 1) / 2, for odd m.
///
/// H(c)^2 + H(c) = c + Tr(c), so H(c) solves x^2 + x = c if Tr(c) = 0. Costs m - 1 squarings, one after the other.
#[inline(always)]
fn half_trace<F: BinaryField, S: Clmul>(s: S, c: Blocks<F, S>) -> Blocks<F, S> {
    let (mut sum, mut power, mut i) = (c, c, 0);
    // Invariant: power = c^(4^i), and sum = the sum of c^(4^j) for j up to i. H(c)^2 has the other powers
    // c^(2 4^j), and c^(2^m) = c as its last term: so H(c)^2 + H(c) has each of the m conjugates once, and c
    // once more.
    while i < (F::DEGREE - 1) / 2 {
        power = square::<F, S>(s, square::<F, S>(s, power));
        sum = add::<F, S>(s, sum, power);
        i += 1;
    }
    sum
}

/// How half-traces are computed: by squarings, or by a precomputed bit matrix.
pub(super) trait HalfTrace<F: BinaryField, S: Clmul> {
    /// The half-trace H(c), for a c of up to 64 W bits.
    fn half_trace(&self, s: S, c: Blocks<F, S>) -> Blocks<F, S>;
}

impl<F: BinaryField, S: Clmul> HalfTrace<F, S> for BySquarings {
    #[inline(always)]
    fn half_trace(&self, s: S, c: Blocks<F, S>) -> Blocks<F, S> {
        half_trace::<F, S>(s, c)
    }
}

/// A solution x of x^2 + x = c if Tr(c) = 0; the other solution is x + 1. If Tr(c) = 1 there is none, and the
/// result is meaningless. Constant time: the trace is not tested.
///
/// For odd m it is the half-trace. For even m, take a d with Tr(d) = 1, and sum up (d + d^2 + ... +
/// d^(2^(i - 1))) c^(2^i) for i from 1 to m - 1. The square of this sum plus the sum itself telescopes to c
/// Tr(d) + d Tr(c) = c. For even m this costs 2 m - 2 squarings and m - 1 products.
#[inline(always)]
pub(super) fn solve<F: BinaryField, S: Clmul>(s: S, c: Blocks<F, S>) -> Blocks<F, S> {
    if F::DEGREE % 2 == 1 {
        return half_trace::<F, S>(s, c);
    }
    // Let s_i = d + d^2 + ... + d^(2^(i - 1)), so s_i^2 = s_(i + 1) + d and s_m = Tr(d) = 1. For x = the sum of
    // s_i c^(2^i), x^2 is the sum of (s_(i + 1) + d) c^(2^(i + 1)). In x^2 + x all terms with s_2 to s_(m - 1)
    // cancel. What is left is d (c + c^2 + ... + c^(2^(m - 1))) + s_m c = d Tr(c) + c.
    // d depends on f alone, and so does every `factor`. They are computed again, as a table would have m
    // elements. The two chains of squarings are independent, so their latencies can overlap.
    let mut conjugate = load_constant::<F, S>(s, F::TRACE_ONE.as_ref());
    let (mut factor, mut power) = (conjugate, c);
    let (mut sum, mut i) = (F::Shape::blocks(s.zero()), 1);
    // Invariant at the top: factor = d + d^2 + ... + d^(2^(i - 1)), conjugate = d^(2^(i - 1)),
    // power = c^(2^(i - 1)).
    while i < F::DEGREE {
        power = square::<F, S>(s, power);
        sum = add::<F, S>(s, sum, mul::<F, S>(s, factor, power));
        conjugate = square::<F, S>(s, conjugate);
        factor = add::<F, S>(s, factor, conjugate);
        i += 1;
    }
    sum
}
