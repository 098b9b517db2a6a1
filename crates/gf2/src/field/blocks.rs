//! Elements and products in registers: blocks of 128 bits, each with its part of one element in every lane.
use super::BinaryField;
use super::shape::{BlockArray as _, Shape};
use super::unroll::unroll;
use carryless_lanes::Clmul;

/// K elements of F, one in every lane, of up to 64 W bits each.
pub(crate) type Blocks<F, S> = <<F as BinaryField>::Shape as Shape>::Blocks<<S as Clmul>::X>;
/// K unreduced products of two elements, of up to 128 W - 1 bits each.
pub(crate) type Double<F, S> = <<F as BinaryField>::Shape as Shape>::Double<<S as Clmul>::X>;

/// Loads the same element of W words into every lane.
#[inline(always)]
pub(super) fn load_constant<F: BinaryField, S: Clmul>(s: S, words: &[u64]) -> Blocks<F, S> {
    let mut out = F::Shape::blocks(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        // For odd W the upper half of the last block must be 0: products of `Odd` kernels rely on it.
        let high = if 2 * i + 1 < F::Shape::WORDS { words[2 * i + 1] } else { 0 };
        out.as_mut()[i] = s.splat([words[2 * i], high]);
    });
    out
}

/// The sum a + b: one xor for each block. Canonical if both operands are.
#[inline(always)]
pub(crate) fn add<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>, b: Blocks<F, S>) -> Blocks<F, S> {
    // Addition never carries, so the sum has no more bits than its operands and needs no reduction.
    let mut sum = a;
    unroll!(i < F::Shape::BLOCKS, {
        sum.as_mut()[i] = s.xor(a.as_ref()[i], b.as_ref()[i]);
    });
    sum
}

/// The sum of two unreduced products. It needs one reduction instead of two, because reduction is linear.
#[inline(always)]
pub(crate) fn add_double<F: BinaryField, S: Clmul>(s: S, a: Double<F, S>, b: Double<F, S>) -> Double<F, S> {
    let mut sum = a;
    unroll!(i < F::Shape::BLOCKS, {
        sum.as_mut()[2 * i] = s.xor(a.as_ref()[2 * i], b.as_ref()[2 * i]);
        sum.as_mut()[2 * i + 1] = s.xor(a.as_ref()[2 * i + 1], b.as_ref()[2 * i + 1]);
    });
    sum
}
