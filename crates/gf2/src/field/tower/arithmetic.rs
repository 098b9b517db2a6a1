//! Arithmetic on a0 + a1 u, K elements at once, one in every lane of a machine.
//!
//! As in the base field, coefficients come with 64 W bits and leave with as many; only [`store`] makes them canonical. The products of one
//! element stay on one lane: as lanes of a vector they took longer on Zen 3, with the moves between lanes.
use super::super::arithmetic::{self as base, spread};
use super::super::blocks::{Blocks, Double, add, add_double};
use super::super::inverse::{self, BySquarings};
use super::super::reduce::{canonical, reduce, window};
use super::super::shape::Shape;
use super::super::solve::HalfTrace;
use super::super::unroll::unroll;
use super::BinaryField;
use carryless_lanes::Clmul;

/// a0 and a1.
pub(super) type Pair<F, S> = [Blocks<F, S>; 2];

/// One element in each lane, side by side in memory: 2 W words, which are W whole blocks. Panics if `src` has fewer.
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

/// Elements whose words stand in rows of `row` words, each with two words of every lane's element: all in whole rows.
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

/// a0 and a1 from the blocks of both side by side.
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

/// What [`load`] reads, canonical.
#[inline(always)]
pub(super) fn store<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, out: &mut [u64]) {
    let words = F::Shape::WORDS;
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

/// a b = (a0 b0 + a1 b1) + (a0 b0 + (a0 + a1)(b0 + b1)) u, because u^2 = u + 1: Karatsuba's method with three products of the base field and
/// two reductions.
#[inline(always)]
pub(super) fn mul<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, b: Pair<F, S>) -> Pair<F, S> {
    let [low, high] = multiply::<F, S>(s, a, b);
    [reduce::<F, S>(s, low), reduce::<F, S>(s, high)]
}

/// a b + c d: six products of the base field and two reductions.
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

/// a b before its reductions.
#[inline(always)]
fn multiply<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, b: Pair<F, S>) -> [Double<F, S>; 2] {
    let low = F::Shape::multiply(s, a[0], b[0]);
    let high = F::Shape::multiply(s, a[1], b[1]);
    let sums = F::Shape::multiply(s, add::<F, S>(s, a[0], a[1]), add::<F, S>(s, b[0], b[1]));
    [add_double::<F, S>(s, low, high), add_double::<F, S>(s, low, sums)]
}

/// a b for b of the base field.
#[inline(always)]
pub(super) fn mul_base<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, b: Blocks<F, S>) -> Pair<F, S> {
    [base::mul::<F, S>(s, a[0], b), base::mul::<F, S>(s, a[1], b)]
}

/// The conjugate over the base field, a^(2^m) = (a0 + a1) + a1 u.
#[inline(always)]
pub(super) fn conjugate<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
    [add::<F, S>(s, a[0], a[1]), a[1]]
}

/// a^2 = (a0 + a1)^2 + a1^2 u.
#[inline(always)]
pub(super) fn square<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
    let [sum, high] = conjugate::<F, S>(s, a);
    [base::square::<F, S>(s, sum), base::square::<F, S>(s, high)]
}

/// sqrt(a) = sqrt(a0 + a1) + sqrt(a1) u.
#[inline(always)]
pub(super) fn sqrt<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
    let [sum, high] = conjugate::<F, S>(s, a);
    [base::sqrt::<F, S>(s, sum), base::sqrt::<F, S>(s, high)]
}

/// a^(2^k) for a public k: coefficient by coefficient, and u^(2^k) is u for even k, u + 1 for odd k. The order of the map is 2m; k mod m squarings in the base field.
#[inline(always)]
pub(super) fn frobenius<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>, k: usize) -> Pair<F, S> {
    let power = a.map(|x| inverse::frobenius::<F, S>(s, x, k % F::DEGREE));
    if k.is_multiple_of(2) { power } else { conjugate::<F, S>(s, power) }
}

/// The norm to the base field, a0 (a0 + a1) + a1^2: the product of a and its conjugate.
#[inline(always)]
pub(super) fn norm<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Blocks<F, S> {
    let product = F::Shape::multiply(s, a[0], add::<F, S>(s, a[0], a[1]));
    reduce::<F, S>(s, add_double::<F, S>(s, product, spread::<F, S>(s, a[1])))
}

/// 1 / a, and 0 for a = 0: the conjugate over the norm. An inversion in the base field.
#[inline(always)]
pub(super) fn invert<F: BinaryField, S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
    let inverse = inverse::invert::<F, S>(s, norm::<F, S>(s, a), BySquarings);
    mul_base::<F, S>(s, conjugate::<F, S>(s, a), inverse)
}

/// A solution x of x^2 + x = c, if the trace of c is 0, which is that of c1; the other one is x + 1.
///
/// The coefficients of x^2 + x are x0^2 + x0 + x1^2 and x1^2 + x1. So x1 is H(c1) or H(c1) + 1, by the half-trace H: the one for which
/// d = c0 + x1^2 has trace 0. H(d)^2 + H(d) + d is the trace t of d, 0 or 1, for the first of them. The right x1 is H(c1) + t, and x0 is
/// H(d + t) = H(d) + t H(1). Two half-traces, one after the other.
#[inline(always)]
pub(super) fn solve<F: BinaryField, S: Clmul>(s: S, c: Pair<F, S>, by: &impl HalfTrace<F, S>) -> Pair<F, S> {
    let high = by.half_trace(s, c[1]);
    let d = add::<F, S>(s, c[0], base::square::<F, S>(s, high));
    let low = by.half_trace(s, d);
    let trace = add::<F, S>(s, d, add::<F, S>(s, low, base::square::<F, S>(s, low)));
    // H(1) is a sum of (m + 1) / 2 ones.
    let odd = const { F::DEGREE.div_ceil(2) % 2 == 1 };
    [if odd { add::<F, S>(s, low, trace) } else { low }, add::<F, S>(s, high, trace)]
}
