//! Two words of radix 2^64 and a few bits, for any key: products of elements, and BRW without lanes.
//!
//! An element is w0 + 2^64 w1 + 2^128 w2 with w2 of a few bits. A product takes four wide multiplications and five
//! by upper words, and neither blocks nor elements are cut into limbs. 2^130 = 5 (mod p): the part q above 2^130
//! comes back as q + 4 q. 4 q needs no shift, because it is the upper words with their low two bits cleared.
use super::element::{Element, limbs44, reduce};
use super::word44::{self, Multiplier, pack};
use crate::base::blocks::{pad_partial, short_words, words};
use crate::field::one_lane::{SCALAR, one_lane};
use crate::field::{Field, LaneField, squares_in_words};
use carryless_lanes::{Portable, Words};

/// Arithmetic of one lane in radix 2^64 on the scalar backend.
#[derive(Clone, Copy)]
pub(crate) struct Words64<S = Portable<1>>(pub(crate) S);

one_lane!(
    Words64, Element, 3 words, loose pack, limbs44, fold reduce, block with_pad, short_block
);

impl Field for Element {
    const BLOCK: usize = 16;
    type Words = Words64;
    const WORDS: Words64 = Words64(SCALAR);
    type Loose = [u64; 3];
    const LOOSE_ZERO: [u64; 3] = [0; 3];

    #[inline(always)]
    fn from_word(x: u64) -> Element {
        Element([x, 0, 0])
    }
    #[inline(always)]
    fn product(self, other: Element) -> Element {
        multiply(self, other)
    }
    #[inline(always)]
    fn sum(self, other: Element) -> Element {
        plus(self, other)
    }
    #[inline(always)]
    fn low_bits(self) -> u128 {
        let [a, b, _] = self.freeze();
        u128::from(a) | u128::from(b) << 64
    }
    #[inline(always)]
    fn residue(self) -> [u64; 3] {
        self.freeze()
    }
    #[inline(always)]
    fn from_residue([w0, w1, w2]: [u64; 3]) -> Element {
        // Bits from 2^130 on are dropped without an error. Code that parses compares the residue with its input
        // afterwards.
        Element([w0, w1, w2 & 3])
    }
    #[inline(always)]
    fn copied(self) -> Element {
        Element(self.apart())
    }
    #[inline(always)]
    fn loose(self) -> [u64; 3] {
        limbs44(SCALAR, self.apart())
    }
    #[inline(always)]
    fn loose_product(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
        // Powers are products in sequence, so the shorter chain of `carry_twice` is worth its two more carries.
        word44::carry_twice(SCALAR, word44::mul_wide(SCALAR, a, &Multiplier::new(SCALAR, b)))
    }
    #[inline(always)]
    fn loose_square(a: [u64; 3]) -> [u64; 3] {
        word44::carry_twice(SCALAR, word44::square_wide(SCALAR, a))
    }
}

/// A block of 16 bytes as an element, with `pad` 2^128 added.
#[inline(always)]
fn with_pad<S: Words>(s: S, block: &[u8; 16], pad: u64) -> [S::W; 3] {
    let [m0, m1] = words(block);
    [s.word(m0), s.word(m1), s.word(pad)]
}

/// A block of 0 to 15 bytes as an element, zeros after them and no pad.
#[inline(always)]
fn short_block(bytes: &[u8]) -> [u64; 3] {
    let [m0, m1] = short_words(bytes);
    [m0, m1, 0]
}

/// A sum of products, not carried: low + 2^128 middle + 2^256 top. It holds up to 2^40 products.
#[derive(Clone, Copy)]
pub(crate) struct Sums<S: Words> {
    pub(crate) low: S::D,
    pub(crate) middle: S::D,
    pub(crate) top: S::W,
}

impl<S: Words> Sums<S> {
    /// Converts an element to a sum without changing its value.
    #[inline(always)]
    pub(crate) fn of(s: S, [a0, a1, a2]: [S::W; 3]) -> Self {
        Sums { low: s.wide(a0, a1), middle: s.widen(a2), top: s.word(0) }
    }
}

/// h r, not carried, for upper words h2, r2 up to 2^10. Nine multiplications, four of them of full words:
///
/// ```text
/// h0 r0 + 2^64 (h0 r1 + h1 r0) + 2^128 (h1 r1 + (h0 r2 + h2 r0) + 2^64 (h1 r2 + h2 r1) + 2^128 h2 r2)
/// ```
#[inline(always)]
pub(crate) fn mul_wide<S: Words>(s: S, [h0, h1, h2]: [S::W; 3], [r0, r1, r2]: [S::W; 3]) -> Sums<S> {
    // In: upper words up to 2^10. Products by them have 74 bits, so their sums of two need no care.
    let words = [s.mul(h0, r0), s.mul(h0, r1), s.mul(h1, r0), s.mul(h1, r1)];
    let halves = [s.add(s.mul(h0, r2), s.mul(h2, r0)), s.add(s.mul(h1, r2), s.mul(h2, r1))];
    sum(s, words, halves, s.low(s.mul(h2, r2)))
}

/// a^2, not carried, for upper words up to 2^10. Six multiplications, three of them of full words.
#[inline(always)]
pub(crate) fn square_wide<S: Words>(s: S, [a0, a1, a2]: [S::W; 3]) -> Sums<S> {
    // a0 a1 occurs twice and is added twice; doubling it first could overflow 128 bits.
    let (cross, twice) = (s.mul(a0, a1), s.add_word(a2, a2));
    let words = [s.mul(a0, a0), cross, cross, s.mul(a1, a1)];
    sum(s, words, [s.mul(a0, twice), s.mul(a1, twice)], s.low(s.mul(a2, a2)))
}

/// Adds the partial products by weight: a + 2^64 (b + c) + 2^128 (d + lower + 2^64 upper + 2^128 top).
#[inline(always)]
fn sum<S: Words>(s: S, [a, b, c, d]: [S::D; 4], [lower, upper]: [S::D; 2], top: S::W) -> Sums<S> {
    // A product of two words plus a word cannot overflow 128 bits: (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1.
    let b = s.add(b, s.widen(s.high(a)));
    let c = s.add(c, s.widen(s.low(b)));
    let d = s.add(s.add(d, s.widen(s.high(b))), s.widen(s.high(c)));
    let upper = s.add(upper, s.widen(s.high(lower)));
    // Products by upper words begin at 2^128. One sum adds them, and its carry has the weight 2^256.
    let (middle, carry) = s.add_carry(d, s.wide(s.low(lower), s.low(upper)));
    let low = s.wide(s.low(a), s.low(c));
    Sums { low, middle, top: s.add_word(s.add_word(top, s.high(upper)), carry) }
}

/// a + b, not carried. All carries between the words go to the top, which has room for 2^40 products.
#[inline(always)]
pub(crate) fn add_sums<S: Words>(s: S, a: Sums<S>, b: Sums<S>) -> Sums<S> {
    let (low, carry) = s.add_carry(a.low, b.low);
    // At most one of both carries out of the middle is 1: after the first, the sum is at most 2^128 - 2.
    let (middle, first) = s.add_carry(a.middle, b.middle);
    let (middle, second) = s.add_carry(middle, s.widen(carry));
    let top = s.add_word(a.top, b.top);
    Sums { low, middle, top: s.add_word(s.add_word(top, first), second) }
}

/// Reduces a sum of up to 2^40 products to three words, the upper one at most 6.
///
/// With low bits l below 2^130 and q above, the value is l + 4 q + q (mod p), of which the part above 2^128 is
///
/// ```text
/// t = (d2 mod 4) + d4 + floor(d4 / 4),    2^128 t = 2^128 (t mod 4) + 5 floor(t / 4)
/// ```
///
/// before the carries out of the lower words, three at most. So t is folded without waiting
/// for those carries. No branches.
#[inline(always)]
pub(crate) fn carry<S: Words>(s: S, d: Sums<S>) -> [S::W; 3] {
    let (d2, d3, d4) = (s.low(d.middle), s.high(d.middle), d.top);
    let t = s.add_word(s.low_bits(d2, 2), s.add_word(d4, s.shr(d4, 2)));
    let over = s.shr(t, 2);
    // 4 q needs no shift: it is d2, d3, d4 with the low two bits of d2 cleared, now at weight 1. The part in d4 is
    // in t.
    let four_q = s.wide(s.shl(s.shr(d2, 2), 2), d3);
    // q = the bits from 2^130 on, shifted down by two across the words d2, d3, d4.
    let q0 = s.add_word(s.shr(d2, 2), s.settle_word(s.shl(s.low_bits(d3, 2), 62)));
    let q1 = s.add_word(s.shr(d3, 2), s.settle_word(s.shl(s.low_bits(d4, 2), 62)));
    let (sum, first) = s.add_carry(d.low, four_q);
    let (q, second) = s.add_carry(s.wide(q0, q1), s.widen(s.add_word(over, s.shl(over, 2))));
    let (sum, third) = s.add_carry(sum, q);
    let h2 = s.add_word(s.low_bits(t, 2), first);
    [s.low(sum), s.high(sum), s.add_word(s.add_word(h2, second), third)]
}

/// a + b, not reduced: the upper word is the sum of both, plus a carry.
#[inline(always)]
pub(crate) fn add<S: Words>(s: S, a: [S::W; 3], b: [S::W; 3]) -> [S::W; 3] {
    // The upper word may exceed the two bits of a residue: factors take upper words up to 2^10.
    let (sum, carry) = s.add_carry(s.wide(a[0], a[1]), s.wide(b[0], b[1]));
    [s.low(sum), s.high(sum), s.add_word(s.add_word(a[2], b[2]), carry)]
}

/// The product of two elements, below 2p. Constant time.
#[inline(always)]
pub(crate) fn multiply(a: Element, b: Element) -> Element {
    Element(reduce(SCALAR, carry(SCALAR, mul_wide(SCALAR, a.0, b.0))))
}

/// The sum of two elements, below 2p. Constant time.
#[inline(always)]
pub(crate) fn plus(a: Element, b: Element) -> Element {
    Element(reduce(SCALAR, add(SCALAR, a.0, b.0)))
}
