//! Arithmetic on a0 + a1 u with u^2 = u + 1: K elements at once, one in each lane of a backend.
//!
//! As in the base field, coefficients have up to 64 W bits in operands and results; only [`store`] makes them
//! canonical. Both coefficients of an element share a lane. In lanes of their own they took longer on Zen 3,
//! because of the moves between lanes.
use super::super::arithmetic::{self as base, spread};
use super::super::blocks::{Blocks, Double, add, add_double};
use super::super::inverse::{self, BySquarings};
use super::super::reduce::{canonical, reduce, window};
use super::super::shape::{BlockArray as _, Shape};
use super::super::solve::HalfTrace;
use super::super::unroll::unroll;
use super::BinaryField;
use carryless_lanes::Clmul;

/// The coefficients a0 and a1 of an element, in this order.
pub(super) type Pair<F, S> = [Blocks<F, S>; 2];

/// Loads K elements that lie side by side in memory, element i into lane i: W words of a0, then W words of a1.
/// Panics if `src` is shorter.
#[inline(always)]
pub(super) fn load<F: BinaryField, S: Clmul>(s: S, src: &[u64]) -> Pair<F, S> {
    let words = F::Shape::WORDS;
    let mut memory = F::Shape::double(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        memory.as_mut()[2 * i] = s.load_lanes(&src[4 * i..], 2 * words);
        if 2 * i + 1 < words {
            memory.as_mut()[2 * i + 1] = s.load_lanes(&src[4 * i + 2..], 2 * words);
        }
    });
    halves::<F, S>(s, memory)
}

/// Loads elements that are stored in rows of `row` words: row i has words 2 i and 2 i + 1 of every lane's
/// element. An element has 2 W words, so all rows are whole.
#[cfg(feature = "curves")]
#[inline(always)]
pub(super) fn load_rows<F: BinaryField, S: Clmul>(s: S, src: &[u64], row: usize) -> Pair<F, S> {
    let mut memory = F::Shape::double(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        memory.as_mut()[2 * i] = s.load(&src[2 * i * row..]);
        if 2 * i + 1 < F::Shape::WORDS {
            memory.as_mut()[2 * i + 1] = s.load(&src[(2 * i + 1) * row..]);
        }
    });
    halves::<F, S>(s, memory)
}

/// Splits the 2 W words of an element in consecutive blocks into a0 and a1. For odd W, a1 begins in
/// the middle of a block.
#[inline(always)]
fn halves<F: BinaryField, S: Clmul>(s: S, memory: Double<F, S>) -> Pair<F, S> {
    let words = F::Shape::WORDS;
    let mut a = [F::Shape::blocks(s.zero()); 2];
    unroll!(i < F::Shape::BLOCKS, {
        let block = memory.as_ref()[i];
        a[0].as_mut()[i] = if 2 * i + 1 == words { s.and(block, s.splat([!0, 0])) } else { block };
        a[1].as_mut()[i] = window(s, memory.as_ref(), (64 * words + 128 * i) as isize);
    });
    a
}

/// Makes the coefficients canonical and writes the elements side by side, as [`load`] reads them.
#[inline(always)]
pub(super) fn store<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, out: &mut [u64]) {
    let words = F::Shape::WORDS;
    // For odd W, a1 begins in the middle of a block: it is shifted up by 64 bits and added to the last block of
    // a0.
    let (low, high) = (canonical::<F, S>(s, a[0]), canonical::<F, S>(s, a[1]));
    let block = |i: usize| {
        let high = window(s, high.as_ref(), 128 * i as isize - 64 * words as isize);
        if i < F::Shape::BLOCKS { s.xor(low.as_ref()[i], high) } else { high }
    };
    unroll!(i < F::Shape::BLOCKS, {
        s.store_lanes(block(2 * i), &mut out[4 * i..], 2 * words);
        if 2 * i + 1 < words {
            s.store_lanes(block(2 * i + 1), &mut out[4 * i + 2..], 2 * words);
        }
    });
}

/// The product a b = (a0 b0 + a1 b1) + (a0 b0 + (a0 + a1)(b0 + b1)) u, because u^2 = u + 1.
///
/// Karatsuba's formula takes three products of the base field. Unreduced products are added,
/// so there are two reductions.
#[inline(always)]
pub(super) fn mul<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, b: Pair<F, S>) -> Pair<F, S> {
    let [low, high] = multiply::<F, S>(s, a, b);
    [reduce::<F, S>(s, low), reduce::<F, S>(s, high)]
}

/// The sum of products a b + c d: six products of the base field and two reductions.
#[cfg(feature = "curves")]
#[inline(always)]
pub(super) fn mul_add_mul<F: BinaryField, S: Clmul>(
    s: S,
    a: Pair<F, S>,
    b: Pair<F, S>,
    c: Pair<F, S>,
    d: Pair<F, S>,
) -> Pair<F, S> {
    let ([low, high], others) = (multiply::<F, S>(s, a, b), multiply::<F, S>(s, c, d));
    [
        reduce::<F, S>(s, add_double::<F, S>(s, low, others[0])),
        reduce::<F, S>(s, add_double::<F, S>(s, high, others[1])),
    ]
}

/// The product a b before its two reductions.
#[inline(always)]
fn multiply<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, b: Pair<F, S>) -> [Double<F, S>; 2] {
    // u^2 = u + 1 makes a1 b1 contribute to both coefficients. In the second one it cancels with that of
    // Karatsuba's formula: (a0 + a1)(b0 + b1) + a0 b0 + a1 b1 + a1 b1.
    // Three products as wide as a coefficient, and sums of operands and of unreduced products: reduction is
    // linear and comes once for each coefficient of the result.
    let low = F::Shape::multiply(s, a[0], b[0]);
    let high = F::Shape::multiply(s, a[1], b[1]);
    let sums = F::Shape::multiply(s, add::<F, S>(s, a[0], a[1]), add::<F, S>(s, b[0], b[1]));
    [add_double::<F, S>(s, low, high), add_double::<F, S>(s, low, sums)]
}

/// The product a b for a b of the base field: two products there.
#[inline(always)]
pub(super) fn mul_base<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, b: Blocks<F, S>) -> Pair<F, S> {
    [base::mul::<F, S>(s, a[0], b), base::mul::<F, S>(s, a[1], b)]
}

/// The conjugate over the base field: a^(2^m) = (a0 + a1) + a1 u. One sum.
#[inline(always)]
pub(super) fn conjugate<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
    [add::<F, S>(s, a[0], a[1]), a[1]]
}

/// The square a^2 = (a0 + a1)^2 + a1^2 u, because u^2 = u + 1: two squares of the base field.
#[inline(always)]
pub(super) fn square<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
    let [sum, high] = conjugate::<F, S>(s, a);
    [base::square::<F, S>(s, sum), base::square::<F, S>(s, high)]
}

/// The square root sqrt(a0 + a1) + sqrt(a1) u: two square roots of the base field.
#[inline(always)]
pub(super) fn sqrt<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
    let [sum, high] = conjugate::<F, S>(s, a);
    [base::sqrt::<F, S>(s, sum), base::sqrt::<F, S>(s, high)]
}

/// The power a^(2^k), coefficient by coefficient, where u^(2^k) is u for even k and u + 1 for odd k. k is public.
///
/// In the base field a^(2^m) = a, so this takes k mod m squarings of each coefficient; the map itself has order 2 m.
#[inline(always)]
pub(super) fn frobenius<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, k: usize) -> Pair<F, S> {
    // (a0 + a1 u)^(2^k) = a0^(2^k) + a1^(2^k) u^(2^k), and u^2 = u + 1, u^4 = u.
    let power = a.map(|x| inverse::frobenius::<F, S>(s, x, k % F::DEGREE));
    if k.is_multiple_of(2) { power } else { conjugate::<F, S>(s, power) }
}

/// The norm to the base field, a0 (a0 + a1) + a1^2: the product of a and its conjugate. A product,
/// a square and one reduction.
#[inline(always)]
pub(super) fn norm<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Blocks<F, S> {
    // a1^2 joins the product before the reduction: a square unreduced is only its bits spread out.
    let product = F::Shape::multiply(s, a[0], add::<F, S>(s, a[0], a[1]));
    reduce::<F, S>(s, add_double::<F, S>(s, product, spread::<F, S>(s, a[1])))
}

/// The inverse 1 / a, and 0 for a = 0: the conjugate over the norm. An inversion, three products and a
/// square of the base field.
#[inline(always)]
pub(super) fn invert<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
    // The norm is 0 only for a = 0, as u^2 + u + 1 is irreducible. Then the inverse and both products are 0.
    let inverse = inverse::invert::<F, S>(s, norm::<F, S>(s, a), BySquarings);
    mul_base::<F, S>(s, conjugate::<F, S>(s, a), inverse)
}

/// A solution x of x^2 + x = c, if the trace of c (which is that of c1) is 0; the other solution is x + 1.
///
/// The coefficients of x^2 + x are x0^2 + x0 + x1^2 and x1^2 + x1. So x1 is H(c1) or H(c1) + 1, where H is the
/// half-trace. The right one makes d = c0 + x1^2 an element of trace 0. For x1 = H(c1), let t be the trace of
/// d, which is H(d)^2 + H(d) + d. Then x1 = H(c1) + t, and x0 = H(d + t) = H(d) + t H(1).
///
/// Costs two half-traces, one after the other. The trace is used as an element, not tested, so this is constant time.
#[inline(always)]
pub(super) fn solve<F: BinaryField, S: Clmul>(s: S, c: Pair<F, S>, by: &impl HalfTrace<F, S>) -> Pair<F, S> {
    // H(c1) solves x1^2 + x1 = c1, because the trace of c1 is 0. It is right up to 1. The second half-trace
    // waits for the first, through d.
    let high = by.half_trace(s, c[1]);
    let d = add::<F, S>(s, c[0], base::square::<F, S>(s, high));
    let low = by.half_trace(s, d);
    // 0 or 1 as an element, up to multiples of f: it corrects x1 and x0 where H(c1) was the wrong choice. No
    // branch, and no test of a bit that is not canonical.
    let trace = add::<F, S>(s, d, add::<F, S>(s, low, base::square::<F, S>(s, low)));
    // H(1) is a sum of (m + 1) / 2 ones.
    let odd = const { F::DEGREE.div_ceil(2) % 2 == 1 };
    [if odd { add::<F, S>(s, low, trace) } else { low }, add::<F, S>(s, high, trace)]
}
