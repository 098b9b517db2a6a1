//! Products, squares and square roots of K elements at once, one in each lane of a backend.
//!
//! Operands and results are polynomials of up to 64 W bits, not necessarily canonical (below z^m). Every
//! function accepts what the others return. So a chain of operations reduces each result only to whole words.
//! [`store`] alone makes elements canonical. All functions are straight-line code without branches or addresses
//! that depend on elements.
use super::BinaryField;
use super::blocks::{Blocks, Double, add, load_constant};
use super::reduce::{canonical, reduce, reduce_square, window};
use super::shape::{BlockArray as _, Shape};
use super::unroll::unroll;
use carryless_lanes::Clmul;

/// Loads K elements that lie side by side in memory, element i into lane i.
///
/// Each element has W words, least significant first, and may have bits from z^m on. With several lanes and odd
/// W, the word after the last element is read too, so it must exist. Panics if `src` is shorter.
#[inline(always)]
pub(crate) fn load<F: BinaryField, S: Clmul>(s: S, src: &[u64]) -> Blocks<F, S> {
    let words = F::Shape::WORDS;
    if const { S::K > 1 && F::Shape::WORDS.is_multiple_of(2) } {
        // Elements fill whole blocks, so nothing is masked, and a backend may load several blocks at once.
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

/// Makes the elements canonical and writes them side by side, as [`load`] reads them.
///
/// With several lanes and odd W, this also overwrites the word after the last element. Panics if `out` is shorter.
#[inline(always)]
pub(crate) fn store<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>, out: &mut [u64]) {
    write::<F, S>(s, canonical::<F, S>(s, x), out);
}

/// [`store`] without the final reduction, for elements that are canonical already.
#[inline(always)]
pub(crate) fn write<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>, out: &mut [u64]) {
    let words = F::Shape::WORDS;
    if const { S::K > 1 && F::Shape::WORDS.is_multiple_of(2) } {
        return F::Shape::store(s, x, out);
    }
    // An odd W leaves the upper half of the last block without a word of its own: it overlaps the first word of
    // the next element. Storing blocks from last to first lets the neighbour's first block overwrite it.
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

/// The product a b, of 64 W bits. Costs about W^(log2 3) carry-less products of words, and one reduction.
#[inline(always)]
pub(super) fn mul<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>, b: Blocks<F, S>) -> Blocks<F, S> {
    // Operands below z^(64 W) make a product below z^(128 W - 1), which is what `reduce` takes. So no operand
    // has to be canonical, and none is made so here.
    reduce::<F, S>(s, F::Shape::multiply(s, a, b))
}

/// The product a b for a b of a single word, which is in the lower half of every lane. Costs W carry-less
/// products of words and one reduction. The upper halves of `b` are ignored.
#[cfg(feature = "curves")]
#[inline(always)]
pub(super) fn mul_word<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>, b: S::X) -> Blocks<F, S> {
    let mut c = F::Shape::double(s.zero());
    // Words 2 i and 2 i + 1 of a contribute up to 127 bits each, the second 64 bits further up: it straddles
    // two blocks. Block i + 1 gets its first part here and is added to in the next round, so it may be
    // assigned.
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

/// The square a^2, of 64 W bits. Costs W carry-less squares of words and one reduction.
#[inline(always)]
pub(super) fn square<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
    reduce_square::<F, S>(s, spread::<F, S>(s, a))
}

/// The square a^2 before its reduction, of up to 128 W - 1 bits. Squaring in characteristic 2 only inserts a
/// zero above each bit, so each word is squared on its own and all odd bits of the result are 0.
#[inline(always)]
pub(super) fn spread<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Double<F, S> {
    let mut c = F::Shape::double(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        // Block i of a has 128 bits, so its square has 256: blocks 2 i and 2 i + 1. No sums are needed.
        c.as_mut()[2 * i] = s.square_l(a.as_ref()[i]);
        if 2 * i + 1 < F::Shape::WORDS {
            c.as_mut()[2 * i + 1] = s.square_h(a.as_ref()[i]);
        }
    });
    c
}

/// The square a^2 by table look-ups in registers instead of carry-less products: the split form of paper 004.
///
/// A byte shuffle maps each nibble (four bits) to its square of eight bits. Interleaving the squares of the lower and
/// of the upper nibbles restores their order. The table is a register, so the time does not depend on a.
#[inline(always)]
pub(super) fn square_by_shuffles<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
    // Nibble u3 u2 u1 u0 -> byte 0 u3 0 u2 0 u1 0 u0. Two look-ups and two interleavings for each block,
    // where carry-less squares take two products.
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

/// The lower and the upper four bits of every byte, each as a byte below 16.
#[inline(always)]
pub(crate) fn nibbles<S: Clmul>(s: S, x: S::X) -> [S::X; 2] {
    let mask = s.splat([0x0f0f_0f0f_0f0f_0f0f; 2]);
    [s.and(x, mask), s.and(s.shr(x, 4), mask)]
}

/// The square root of a, unique in characteristic 2: even(a) + sqrt(z) odd(a), where a = even(a)^2 + z odd(a)^2
/// (Fong and others; paper 004). The result has up to 64 W bits.
///
/// If all exponents of f but 0 are odd, sqrt(z) is the sum of z^((e + 1) / 2) over these exponents, and
/// multiplying by it takes a few shifts and no reduction. Otherwise it costs a product by the constant sqrt(z).
#[inline(always)]
pub(super) fn sqrt<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
    let (even, odd) = even_and_odd::<F, S>(s, a);
    if !F::SQRT_FRIENDLY {
        // One product, reduced by `mul`. The sum with even(a) needs no reduction.
        let root = load_constant::<F, S>(s, F::SQRT_Z.as_ref());
        return add::<F, S>(s, even, mul::<F, S>(s, odd, root));
    }
    // odd(a) has at most 32 W bits, and the largest shift is (m + 1) / 2 <= 32 W. So the sum stays below
    // z^(64 W) and needs no reduction. The exponent 0 of f, the last of `TAIL`, has no term.
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

/// Block i (bits 128 i to 128 i + 127) of x X^up.
#[inline(always)]
fn shifted<S: Clmul>(s: S, x: &[S::X], i: usize, up: usize) -> S::X {
    window(s, x, 128 * i as isize - up as isize)
}

/// The even and the odd coefficients of a, each packed into the lower half of a polynomial.
///
/// A nibble look-up separates two even and two odd coefficients into the halves of a byte. Then the halves
/// of neighbouring bytes are joined.
#[inline(always)]
fn even_and_odd<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> (Blocks<F, S>, Blocks<F, S>) {
    let (mut even, mut odd) = (F::Shape::blocks(s.zero()), F::Shape::blocks(s.zero()));
    unroll!(i < F::Shape::BLOCKS.div_ceil(2), {
        let low = by_parity(s, a.as_ref()[2 * i]);
        let high = if 2 * i + 1 < F::Shape::BLOCKS { by_parity(s, a.as_ref()[2 * i + 1]) } else { s.zero() };
        // `first` has bytes 0, 2, 4, ... of 256 bits of a and `second` bytes 1, 3, 5, ..., so that joining them
        // needs one shift.
        let (first, second) = (s.straddle(s.swap(low), high), s.straddle(low, s.swap(high)));
        let mask = s.splat([0x0f0f_0f0f_0f0f_0f0f; 2]);
        even.as_mut()[i] = s.select(mask, s.shl(second, 4), first);
        odd.as_mut()[i] = s.select(mask, second, s.shr(first, 4));
    });
    (even, odd)
}

/// Gathers the four even coefficients of each byte into its lower nibble, and the odd ones into its upper nibble. Then
/// collects bytes 0, 2, 4, ... in the low half of the lane and bytes 1, 3, 5, ... in the high half.
#[inline(always)]
fn by_parity<S: Clmul>(s: S, x: S::X) -> S::X {
    // For byte u7 ... u0: the tables give 0 0 u3 u1 0 0 u2 u0 and u7 u5 0 0 u6 u4 0 0, whose sum has the odd
    // bits above the even ones. No bit meets another, so the sum is a union.
    let [low, high] = nibbles(s, x);
    let bytes = s.xor(s.shuffle(s.splat(LOW_PARITY), low), s.shuffle(s.splat(HIGH_PARITY), high));
    s.shuffle(bytes, s.splat([0x0e0c_0a08_0604_0200, 0x0f0d_0b09_0705_0301]))
}

/// Table for the lower nibble of a byte: entry u3 u2 u1 u0 is the byte 0 0 u3 u1 0 0 u2 u0.
const LOW_PARITY: [u64; 2] = parity_table(0);
/// Table for the upper nibble of a byte: the entries of [`LOW_PARITY`], two bits further up.
const HIGH_PARITY: [u64; 2] = parity_table(2);

/// The table of both nibbles: even bits of the index from place `up` on, odd bits four places above them.
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
