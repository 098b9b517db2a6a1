//! Products, squares, square roots: K elements at once, one in every lane of a machine.
//!
//! Elements come with 64 W bits and leave with as many (`reduce`); only [`store`] makes them canonical.
use super::BinaryField;
use super::blocks::{Blocks, Double, add, load_constant};
use super::reduce::{canonical, reduce, reduce_square, window};
use super::shape::Shape;
use super::unroll::unroll;
use carryless_lanes::Clmul;

/// One element in each lane, side by side in memory. Panics if `src` has fewer.
#[inline(always)]
pub(super) fn load<F: BinaryField, S: Clmul>(s: S, src: &[u64]) -> Blocks<F, S> {
    let words = F::Shape::WORDS;
    if const { S::K > 1 && F::Shape::WORDS.is_multiple_of(2) } {
        return F::Shape::load(s, src);
    }
    let mut out = F::Shape::blocks(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        out.as_mut()[i] = if 2 * i + 2 <= words {
            s.load_lanes(&src[2 * i..], words)
        } else if S::K == 1 {
            s.load_part(&src[2 * i..words])
        } else {
            // The upper half is a word of the next element.
            s.and(s.load_lanes(&src[2 * i..], words), s.splat([!0, 0]))
        };
    });
    out
}

/// What [`load`] reads, canonical. With several lanes and odd W the word behind the last element is written too.
#[inline(always)]
pub(super) fn store<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>, out: &mut [u64]) {
    write::<F, S>(s, canonical::<F, S>(s, x), out);
}

/// [`store`] of what is canonical.
#[inline(always)]
pub(super) fn write<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>, out: &mut [u64]) {
    let words = F::Shape::WORDS;
    if const { S::K > 1 && F::Shape::WORDS.is_multiple_of(2) } {
        return F::Shape::store(s, x, out);
    }
    // Blocks from the last one on, because the upper half of the last is in the place of a neighbour's first word.
    unroll!(j < F::Shape::BLOCKS, {
        let i = F::Shape::BLOCKS - 1 - j;
        let block = x.as_ref()[i];
        if 2 * i + 2 <= words || S::K > 1 {
            s.store_lanes(block, &mut out[2 * i..], words);
        } else {
            let mut last = [0; 2];
            s.store(block, &mut last);
            out[2 * i] = last[0];
        }
    });
}

/// a b. Cost: W^(log2 3) carry-less products and the reduction.
#[inline(always)]
pub(super) fn mul<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>, b: Blocks<F, S>) -> Blocks<F, S> {
    reduce::<F, S>(s, F::Shape::multiply(s, a, b))
}

/// a b for b of one word, which is the lower one of every lane.
#[cfg(feature = "curves")]
#[inline(always)]
pub(super) fn mul_word<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>, b: S::X) -> Blocks<F, S> {
    let mut c = F::Shape::double(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        let low = s.mul_ll(a.as_ref()[i], b);
        c.as_mut()[i] = s.xor(c.as_ref()[i], low);
        if 2 * i + 1 < F::Shape::WORDS {
            let high = s.mul_hl(a.as_ref()[i], b);
            c.as_mut()[i] = s.xor(c.as_ref()[i], s.straddle(s.zero(), high));
            c.as_mut()[i + 1] = s.straddle(high, s.zero());
        }
    });
    reduce::<F, S>(s, c)
}

/// a^2 by W carry-less squares of words.
#[inline(always)]
pub(super) fn square<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
    reduce_square::<F, S>(s, spread::<F, S>(s, a))
}

/// a^2 before its reduction.
#[inline(always)]
pub(super) fn spread<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Double<F, S> {
    let mut c = F::Shape::double(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        c.as_mut()[2 * i] = s.square_l(a.as_ref()[i]);
        if 2 * i + 1 < F::Shape::WORDS {
            c.as_mut()[2 * i + 1] = s.square_h(a.as_ref()[i]);
        }
    });
    c
}

/// a^2 by look-ups of four bits in a register, the split form of paper 004: a_L^2 and a_H^2, byte by byte in turn.
#[inline(always)]
pub(super) fn square_by_shuffles<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
    // u3 u2 u1 u0 -> 0 u3 0 u2 0 u1 0 u0.
    let table = s.splat([0x1514_1110_0504_0100, 0x5554_5150_4544_4140]);
    let mut c = F::Shape::double(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        let [low, high] = nibbles(s, a.as_ref()[i]);
        let (low, high) = (s.shuffle(table, low), s.shuffle(table, high));
        c.as_mut()[2 * i] = s.zip_low(low, high);
        if 2 * i + 1 < F::Shape::WORDS {
            c.as_mut()[2 * i + 1] = s.zip_high(low, high);
        }
    });
    reduce_square::<F, S>(s, c)
}

/// The lower and the upper four bits of every byte.
#[inline(always)]
pub(super) fn nibbles<S: Clmul>(s: S, x: S::X) -> [S::X; 2] {
    let mask = s.splat([0x0f0f_0f0f_0f0f_0f0f; 2]);
    [s.and(x, mask), s.and(s.shr(x, 4), mask)]
}

/// The square root of a: even(a) + sqrt(z) odd(a), where a = even(a)^2 + z odd(a)^2 (Fong and others; paper 004).
///
/// If all exponents of f are odd but 0, sqrt(z) odd(a) is a sum of shifts and needs no reduction. Otherwise it is a product by the constant
/// sqrt(z).
#[inline(always)]
pub(super) fn sqrt<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
    let (even, odd) = even_and_odd::<F, S>(s, a);
    if !F::SQRT_FRIENDLY {
        let root = load_constant::<F, S>(s, F::SQRT_Z.as_ref());
        return add::<F, S>(s, even, mul::<F, S>(s, odd, root));
    }
    let mut out = even;
    unroll!(i < F::Shape::BLOCKS, {
        let mut sum = s.xor(even.as_ref()[i], shifted(s, odd.as_ref(), i, F::DEGREE.div_ceil(2)));
        unroll!(e < F::TAIL.len() - 1, {
            sum = s.xor(sum, shifted(s, odd.as_ref(), i, F::TAIL[e].div_ceil(2)));
        });
        out.as_mut()[i] = sum;
    });
    out
}

/// Block i of x X^up.
#[inline(always)]
fn shifted<S: Clmul>(s: S, x: &[S::X], i: usize, up: usize) -> S::X {
    window(s, x, 128 * i as isize - up as isize)
}

/// The coefficients at even places and those at odd ones, side by side: polynomials of half the bits.
///
/// A look-up of four bits gives the two even ones and the two odd ones, in different halves of a byte; then the halves of neighbouring bytes
/// are joined.
#[inline(always)]
fn even_and_odd<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> (Blocks<F, S>, Blocks<F, S>) {
    let (mut even, mut odd) = (F::Shape::blocks(s.zero()), F::Shape::blocks(s.zero()));
    unroll!(i < F::Shape::BLOCKS.div_ceil(2), {
        let low = by_parity(s, a.as_ref()[2 * i]);
        let high = if 2 * i + 1 < F::Shape::BLOCKS { by_parity(s, a.as_ref()[2 * i + 1]) } else { s.zero() };
        // Bytes 0, 2, 4, ... of 256 bits, and bytes 1, 3, 5, ...
        let (first, second) = (s.straddle(s.swap(low), high), s.straddle(low, s.swap(high)));
        let mask = s.splat([0x0f0f_0f0f_0f0f_0f0f; 2]);
        even.as_mut()[i] = s.select(mask, s.shl(second, 4), first);
        odd.as_mut()[i] = s.select(mask, second, s.shr(first, 4));
    });
    (even, odd)
}

/// Every byte as its four even bits, then its four odd bits; then the even bytes in the low half, the odd ones in the high half.
#[inline(always)]
fn by_parity<S: Clmul>(s: S, x: S::X) -> S::X {
    let [low, high] = nibbles(s, x);
    let bytes = s.xor(s.shuffle(s.splat(LOW_PARITY), low), s.shuffle(s.splat(HIGH_PARITY), high));
    s.shuffle(bytes, s.splat([0x0e0c_0a08_0604_0200, 0x0f0d_0b09_0705_0301]))
}

/// u3 u2 u1 u0 -> 0 0 u3 u1 0 0 u2 u0 for all u, a byte each.
const LOW_PARITY: [u64; 2] = parity_table(0);
/// The same two places higher.
const HIGH_PARITY: [u64; 2] = parity_table(2);

const fn parity_table(up: u32) -> [u64; 2] {
    let (mut table, mut u) = ([0; 2], 0_u64);
    while u < 16 {
        let even = u & 1 | u >> 1 & 2;
        let odd = u >> 1 & 1 | u >> 2 & 2;
        table[u as usize / 8] |= (even | odd << 4) << up << (8 * (u % 8));
        u += 1;
    }
    table
}
