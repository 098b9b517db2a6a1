//! Any key, two words of radix 2^64: key powers, and messages without lanes.
//!
//! 2^128 = 2 (mod p). A product takes four 64-bit multiplications and no multiple of a key.
//! Sums of products have three words; more than 2^60 products may be added before one carry.
use super::element::Element;
use crate::blocks::{pad_partial, short_words, words15};
use crate::brw::powers::squares_in_words;
use crate::field::Field;
use crate::lane_field::LaneField;
use crate::one_lane::{SCALAR, Scalar, one_lane};
use carryless_lanes::{Portable, Words};

/// Arithmetic of one lane in radix 2^64 on the scalar machine.
#[derive(Clone, Copy)]
pub(crate) struct Words64<S = Portable<1>>(pub(crate) S);

one_lane!(
    Words64, Element, 2 words, loose same, same, fold same, block with_pad, short_words
);

/// Key powers are words, too.
#[inline(always)]
fn same<S: Words>(_: S, element: [S::W; 2]) -> [S::W; 2] {
    element
}

/// A whole block.
#[inline(always)]
fn with_pad<S: Words>(s: S, block: &[u8; 15], pad: u64) -> [S::W; 2] {
    let [low, high] = words15(block);
    [s.word(low), s.concat(s.word(high), s.word(pad << 56))]
}

/// A sum of products, not carried: low + 2^128 high.
#[derive(Clone, Copy)]
pub(crate) struct Sums<S: Words> {
    pub(crate) low: S::D,
    pub(crate) high: S::W,
}

impl<S: Words> Sums<S> {
    /// An element.
    #[inline(always)]
    pub(crate) fn of(s: S, [a0, a1]: [S::W; 2]) -> Self {
        Sums { low: s.wide(a0, a1), high: s.word(0) }
    }
}

/// h r before carries, for upper words up to 2^63 + 2^58. With h0 r0 + 2^64 (h0 r1 + h1 r0) + 2^128 h1 r1 in four words
/// c0 .. c3,
///
/// ```text
/// h r = c0 + 2^64 c1 + 2 (c2 + 2^64 c3)
/// ```
#[inline(always)]
pub(crate) fn mul_wide<S: Words>(s: S, [h0, h1]: [S::W; 2], [r0, r1]: [S::W; 2]) -> Sums<S> {
    let first = s.mul(h0, r0);
    let middle = s.add(s.mul(h0, r1), s.widen(s.high(first)));
    let second = s.add(s.mul(h1, r0), s.widen(s.low(middle)));
    let upper = s.add(s.add(s.mul(h1, r1), s.widen(s.high(middle))), s.widen(s.high(second)));
    // Added to a hidden copy, because the compiler's double shift takes six operations on AMD's processors; and hidden
    // itself, because the compiler would find the carry by comparing.
    let twice = s.settle(s.add(upper, s.settle(upper)));
    let (low, high) = s.add_carry(s.wide(s.low(first), s.low(second)), twice);
    Sums { low, high }
}

/// a a before carries, for such words.
#[inline(always)]
fn square_wide<S: Words>(s: S, a: [S::W; 2]) -> Sums<S> {
    mul_wide(s, a, a)
}

/// a + b, not carried.
#[inline(always)]
pub(crate) fn add_sums<S: Words>(s: S, a: Sums<S>, b: Sums<S>) -> Sums<S> {
    let (low, carry) = s.add_carry(a.low, b.low);
    Sums { low, high: s.add_word(s.add_word(a.high, b.high), carry) }
}

/// Two words, the upper one at most 2^63, of sums of up to 2^60 products.
#[inline(always)]
pub(crate) fn carry<S: Words>(s: S, d: Sums<S>) -> [S::W; 2] {
    let (d0, d1) = (s.low(d.low), s.high(d.low));
    // 2^127 = 1
    let over = s.add_word(s.shr(d1, 63), s.settle_word(s.shl(d.high, 1)));
    let t0 = s.add(s.widen(d0), s.widen(over));
    [s.low(t0), s.add_word(s.low_bits(d1, 63), s.high(t0))]
}

/// a + b for a sum below 2^128, where nothing is reduced.
#[inline(always)]
pub(crate) fn add<S: Words>(s: S, a: [S::W; 2], b: [S::W; 2]) -> [S::W; 2] {
    let sum = s.add(s.wide(a[0], a[1]), s.wide(b[0], b[1]));
    [s.low(sum), s.high(sum)]
}

/// The product of two elements.
#[inline(always)]
pub(crate) fn multiply(a: Element, b: Element) -> Element {
    Element(carry(SCALAR, mul_wide(SCALAR, a.0, b.0)))
}

/// The sum of two elements.
#[inline(always)]
pub(crate) fn sum(a: Element, b: Element) -> Element {
    Element(plus(SCALAR, a.0, b.0))
}

/// a + b, reduced.
#[inline(always)]
pub(crate) fn plus<S: Words>(s: S, a: [S::W; 2], b: [S::W; 2]) -> [S::W; 2] {
    carry(s, add_sums(s, Sums::of(s, a), Sums::of(s, b)))
}
