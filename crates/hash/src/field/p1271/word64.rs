//! Two words of radix 2^64, for any key: key powers, and messages without lanes.
//!
//! 2^128 = 2 (mod p). A product takes four 64-bit multiplications and no precomputed multiple of the key. Sums of
//! products have three words, and more than 2^60 products may be added before one carry.
use super::element::{Element, freeze};
use crate::base::blocks::{pad_partial, short_words, words15};
use crate::field::one_lane::{SCALAR, one_lane};
use crate::field::{Field, LaneField, squares_in_words};
use carryless_lanes::{Portable, Words};

/// Arithmetic of one lane in radix 2^64 on the scalar backend.
#[derive(Clone, Copy)]
pub(crate) struct Words64<S = Portable<1>>(pub(crate) S);

one_lane!(
    Words64, Element, 2 words, loose same, same, fold same, block with_pad, short_words
);

impl Field for Element {
    const BLOCK: usize = 15;
    type Words = Words64;
    const WORDS: Words64 = Words64(SCALAR);
    type Loose = [u64; 2];
    const LOOSE_ZERO: [u64; 2] = [0; 2];

    #[inline(always)]
    fn from_word(x: u64) -> Element {
        Element([x, 0])
    }
    #[inline(always)]
    fn product(self, other: Element) -> Element {
        multiply(self, other)
    }
    #[inline(always)]
    fn sum(self, other: Element) -> Element {
        sum(self, other)
    }
    /// The canonical residue modulo 2^126: digests have mu = 126 bits (paper 001, Table 1).
    #[inline(always)]
    fn low_bits(self) -> u128 {
        let [a, b] = freeze(SCALAR, self.0);
        (u128::from(a) | u128::from(b) << 64) & ((1 << 126) - 1)
    }
    #[inline(always)]
    fn residue(self) -> [u64; 3] {
        let [a, b] = freeze(SCALAR, self.0);
        [a, b, 0]
    }
    #[inline(always)]
    fn from_residue([w0, w1, _]: [u64; 3]) -> Element {
        // Bit 127 is dropped without an error. Code that parses compares the residue with its input afterwards.
        Element([w0, w1 & u64::MAX >> 1])
    }
    #[inline(always)]
    fn copied(self) -> Element {
        Element(self.0.map(|word| SCALAR.settle_word(word)))
    }
    #[inline(always)]
    fn loose(self) -> [u64; 2] {
        self.0
    }
    #[inline(always)]
    fn loose_product(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        carry(SCALAR, mul_wide(SCALAR, a, b))
    }
    #[inline(always)]
    fn loose_square(a: [u64; 2]) -> [u64; 2] {
        Element::loose_product(a, a)
    }
}

/// Key powers have the same two words: nothing to convert.
#[inline(always)]
fn same<S: Words>(_: S, element: [S::W; 2]) -> [S::W; 2] {
    element
}

/// A block of 15 bytes as an element, with `pad` 2^120 added.
#[inline(always)]
fn with_pad<S: Words>(s: S, block: &[u8; 15], pad: u64) -> [S::W; 2] {
    let [low, high] = words15(block);
    // `words15` leaves the top byte of the upper word zero, so the pad shares no bit with the block.
    [s.word(low), s.concat(s.word(high), s.word(pad << 56))]
}

/// A sum of products, not carried: low + 2^128 high.
#[derive(Clone, Copy)]
pub(crate) struct Sums<S: Words> {
    pub(crate) low: S::D,
    pub(crate) high: S::W,
}

impl<S: Words> Sums<S> {
    /// Converts an element to a sum without changing its value.
    #[inline(always)]
    pub(crate) fn of(s: S, [a0, a1]: [S::W; 2]) -> Self {
        Sums { low: s.wide(a0, a1), high: s.word(0) }
    }
}

/// h r, not carried, for upper words up to 2^63 + 2^58: four wide multiplications. With h0 r0 + 2^64 (h0 r1 + h1
/// r0) + 2^128 h1 r1 in four words c0 .. c3,
///
/// ```text
/// h r = c0 + 2^64 c1 + 2 (c2 + 2^64 c3)
/// ```
#[inline(always)]
pub(crate) fn mul_wide<S: Words>(s: S, [h0, h1]: [S::W; 2], [r0, r1]: [S::W; 2]) -> Sums<S> {
    // Schoolbook rows: a product of two words plus two words cannot overflow 128 bits.
    let first = s.mul(h0, r0);
    let middle = s.add(s.mul(h0, r1), s.widen(s.high(first)));
    let second = s.add(s.mul(h1, r0), s.widen(s.low(middle)));
    let upper = s.add(s.add(s.mul(h1, r1), s.widen(s.high(middle))), s.widen(s.high(second)));
    // The doubling is an addition of a hidden copy: LLVM would use a double shift, six operations on AMD's
    // processors. The sum is hidden as well, or LLVM would recover the carry below by a comparison.
    let twice = s.settle(s.add(upper, s.settle(upper)));
    let (low, high) = s.add_carry(s.wide(s.low(first), s.low(second)), twice);
    Sums { low, high }
}

/// a^2, not carried, for upper words up to 2^63 + 2^58: a product, four wide multiplications.
#[inline(always)]
fn square_wide<S: Words>(s: S, a: [S::W; 2]) -> Sums<S> {
    mul_wide(s, a, a)
}

/// a + b, not carried; the upper word counts the carries out of 128 bits.
#[inline(always)]
pub(crate) fn add_sums<S: Words>(s: S, a: Sums<S>, b: Sums<S>) -> Sums<S> {
    let (low, carry) = s.add_carry(a.low, b.low);
    Sums { low, high: s.add_word(s.add_word(a.high, b.high), carry) }
}

/// Reduces a sum of up to 2^60 products to two words, the upper one at most 2^63. No branches.
#[inline(always)]
pub(crate) fn carry<S: Words>(s: S, d: Sums<S>) -> [S::W; 2] {
    let (d0, d1) = (s.low(d.low), s.high(d.low));
    // Bits from 2^127 on come back with weight 1: bit 63 of d1, and d.high, which has weight 2^128 = 2. d.high is
    // below 2^61, so doubling it cannot overflow, and the sum of two words carries at most 1 into w1.
    let over = s.add_word(s.shr(d1, 63), s.settle_word(s.shl(d.high, 1)));
    let t0 = s.add(s.widen(d0), s.widen(over));
    [s.low(t0), s.add_word(s.low_bits(d1, 63), s.high(t0))]
}

/// a + b, not reduced. The sum must be below 2^128.
#[inline(always)]
pub(crate) fn add<S: Words>(s: S, a: [S::W; 2], b: [S::W; 2]) -> [S::W; 2] {
    let sum = s.add(s.wide(a[0], a[1]), s.wide(b[0], b[1]));
    [s.low(sum), s.high(sum)]
}

/// The product of two elements, below 2p. Constant time.
#[inline(always)]
pub(crate) fn multiply(a: Element, b: Element) -> Element {
    Element(carry(SCALAR, mul_wide(SCALAR, a.0, b.0)))
}

/// The sum of two elements, below 2p. Constant time.
#[inline(always)]
pub(crate) fn sum(a: Element, b: Element) -> Element {
    Element(plus(SCALAR, a.0, b.0))
}

/// a + b, carried: the upper word is at most 2^63.
#[inline(always)]
pub(crate) fn plus<S: Words>(s: S, a: [S::W; 2], b: [S::W; 2]) -> [S::W; 2] {
    // Both may be close to 2p, so their sum can pass 2^128: it is taken in three words.
    carry(s, add_sums(s, Sums::of(s, a), Sums::of(s, b)))
}
