//! x^2 + x = c.
use super::BinaryField;
use super::arithmetic::{mul, square};
use super::blocks::{Blocks, add, load_constant};
use super::inverse::BySquarings;
use super::shape::Shape;
use carryless_lanes::Clmul;

/// The half-trace H(c) = the sum of c^(4^i) for i up to (m - 1) / 2, m being odd. H(c)^2 + H(c) = c + Tr(c). Costs m - 1 squarings.
#[inline(always)]
fn half_trace<F: BinaryField, S: Clmul>(s: S, c: Blocks<F, S>) -> Blocks<F, S> {
    let (mut sum, mut power, mut i) = (c, c, 0);
    while i < (F::DEGREE - 1) / 2 {
        power = square::<F, S>(s, square::<F, S>(s, power));
        sum = add::<F, S>(s, sum, power);
        i += 1;
    }
    sum
}

/// How half-traces are computed.
pub(super) trait HalfTrace<F: BinaryField, S: Clmul> {
    /// H(c) for c of 64 W bits.
    fn half_trace(&self, s: S, c: Blocks<F, S>) -> Blocks<F, S>;
}

impl<F: BinaryField, S: Clmul> HalfTrace<F, S> for BySquarings {
    #[inline(always)]
    fn half_trace(&self, s: S, c: Blocks<F, S>) -> Blocks<F, S> {
        half_trace::<F, S>(s, c)
    }
}

/// A solution x of x^2 + x = c, if Tr(c) = 0; the other one is x + 1.
///
/// For odd m the half-trace. For even m, with Tr(d) = 1: the sum of (d + d^2 + ... + d^(2^(i - 1))) c^(2^i) for i from 1 to m - 1. Its square
/// plus itself telescopes to c Tr(d) + d Tr(c).
#[inline(always)]
pub(super) fn solve<F: BinaryField, S: Clmul>(s: S, c: Blocks<F, S>) -> Blocks<F, S> {
    if F::DEGREE % 2 == 1 {
        return half_trace::<F, S>(s, c);
    }
    let mut conjugate = load_constant::<F, S>(s, F::TRACE_ONE.as_ref());
    let (mut factor, mut power) = (conjugate, c);
    let (mut sum, mut i) = (F::Shape::blocks(s.zero()), 1);
    while i < F::DEGREE {
        power = square::<F, S>(s, power);
        sum = add::<F, S>(s, sum, mul::<F, S>(s, factor, power));
        conjugate = square::<F, S>(s, conjugate);
        factor = add::<F, S>(s, factor, conjugate);
        i += 1;
    }
    sum
}
