//! Any key, three limbs of radix 2^44 in 64-bit words: key powers, and messages two blocks at a time.
//!
//! 2^132 = 20 (mod p), so limbs that pass the top come back times 20. Sums of products have 128 bits and stay
//! far below: several products may be added before one carry.
use super::element::{Element, SCALAR, limbs44};
use crate::blocks::{short_words, words};
use crate::lane_field::LaneField;
use carryless_lanes::{Portable, Words};

/// A multiplier and 20 times its upper limbs. Limbs of r below 2^44 + 2^8.
#[derive(Clone, Copy)]
pub(crate) struct Multiplier<S: Words> {
    pub(crate) r: [S::W; 3],
    pub(crate) s1: S::W,
    pub(crate) s2: S::W,
}

impl<S: Words> Multiplier<S> {
    /// From limbs of radix 2^44.
    #[inline(always)]
    pub(crate) fn new(s: S, r: [S::W; 3]) -> Self {
        // 20 x = 16 x + 4 x
        let s1 = s.add_word(s.shl(r[1], 4), s.shl(r[1], 2));
        let s2 = s.add_word(s.shl(r[2], 4), s.shl(r[2], 2));
        Multiplier { r, s1, s2 }
    }
}

/// Arithmetic of one lane in radix 2^44 on the scalar machine.
#[derive(Clone, Copy)]
pub(crate) struct Words44;

type Scalar = Portable<1>;

impl LaneField for Words44 {
    const N: usize = 1;
    const COMPACT: bool = false;
    type Element = Element;
    type Limbs = [u64; 3];
    type Fe = [u64; 3];
    type Sums = [u128; 3];
    type Key = Multiplier<Scalar>;

    #[inline(always)]
    fn limbs(element: Element) -> [u64; 3] {
        element.limbs44()
    }
    #[inline(always)]
    fn from_loose(element: [u64; 3]) -> [u64; 3] {
        element
    }
    #[inline(always)]
    fn in_lane(self, limbs: [u64; 3], _: usize) -> [u64; 3] {
        limbs
    }
    #[inline(always)]
    fn everywhere(self, limbs: [u64; 3]) -> [u64; 3] {
        limbs
    }
    #[inline(always)]
    fn in_lanes(self, elements: &[Element; 8]) -> [u64; 3] {
        elements[0].limbs44()
    }
    #[inline(always)]
    fn arrange(self, limbs: &[[u64; 3]]) -> [u64; 3] {
        limbs[0]
    }
    #[inline(always)]
    fn scatter(self, h: [u64; 3]) -> [[u64; 3]; 8] {
        [h; 8]
    }
    #[inline(always)]
    fn fold(self, h: [u64; 3]) -> Element {
        Element(pack(SCALAR, h))
    }
    #[inline(always)]
    fn close(self, d: [u128; 3], more: [u64; 3]) -> Element {
        self.fold(self.carry(self.add_sums(d, self.as_sums(more))))
    }
    #[inline(always)]
    fn key(self, r: [u64; 3]) -> Multiplier<Scalar> {
        Multiplier::new(SCALAR, r)
    }
    #[inline(always)]
    fn key_of_lane0(self, r: [u64; 3]) -> Multiplier<Scalar> {
        Multiplier::new(SCALAR, r)
    }
    #[inline(always)]
    fn mul(self, h: [u64; 3], r: &Multiplier<Scalar>) -> [u128; 3] {
        mul_wide(SCALAR, h, r)
    }
    #[inline(always)]
    fn square(self, a: [u64; 3]) -> [u128; 3] {
        square_wide(SCALAR, a)
    }
    #[inline(always)]
    fn mul_add(self, d: [u128; 3], h: [u64; 3], r: &Multiplier<Scalar>) -> [u128; 3] {
        self.add_sums(d, mul_wide(SCALAR, h, r))
    }
    #[inline(always)]
    fn add_sums(self, [a0, a1, a2]: [u128; 3], [b0, b1, b2]: [u128; 3]) -> [u128; 3] {
        [SCALAR.add(a0, b0), SCALAR.add(a1, b1), SCALAR.add(a2, b2)]
    }
    #[inline(always)]
    fn as_sums(self, [a0, a1, a2]: [u64; 3]) -> [u128; 3] {
        [a0.into(), a1.into(), a2.into()]
    }
    #[inline(always)]
    fn carry(self, d: [u128; 3]) -> [u64; 3] {
        carry_twice(SCALAR, d)
    }
    #[inline(always)]
    fn add(self, a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
        add(SCALAR, a, b)
    }
    #[inline(always)]
    fn evens(self, a: [u64; 3]) -> [u64; 3] {
        a
    }
    #[inline(always)]
    fn odds(self, a: [u64; 3]) -> [u64; 3] {
        a
    }
    #[inline(always)]
    fn row(self, bytes: &[u8], _: usize) -> [u64; 3] {
        match bytes.first_chunk() {
            Some(block) => split(SCALAR, words(block), 0),
            None => [0; 3],
        }
    }
    #[inline(always)]
    fn short_row(self, rest: &[u8], _: usize) -> [u64; 3] {
        match rest.first_chunk() {
            Some(block) => split(SCALAR, words(block), 0),
            None => split(SCALAR, short_words(rest), 0),
        }
    }
    #[inline(always)]
    fn whole_row(self, row: &[u8]) -> [u64; 3] {
        self.padded_row(row, 0, 1)
    }
    #[inline(always)]
    fn padded_row(self, row: &[u8], from: usize, count: usize) -> [u64; 3] {
        match row.first_chunk() {
            Some(block) => split(SCALAR, words(block), u64::from(from == 0 && count > 0)),
            None => [0; 3],
        }
    }
}

/// h r before carries:
///
/// ```text
/// d0 = h0 r0 + h1 s2 + h2 s1
/// d1 = h0 r1 + h1 r0 + h2 s2
/// d2 = h0 r2 + h1 r1 + h2 r0
/// ```
#[inline(always)]
pub(crate) fn mul_wide<S: Words>(s: S, [h0, h1, h2]: [S::W; 3], k: &Multiplier<S>) -> [S::D; 3] {
    let [r0, r1, r2] = k.r;
    [
        s.add(s.add(s.mul(h0, r0), s.mul(h1, k.s2)), s.mul(h2, k.s1)),
        s.add(s.add(s.mul(h0, r1), s.mul(h1, r0)), s.mul(h2, k.s2)),
        s.add(s.add(s.mul(h0, r2), s.mul(h1, r1)), s.mul(h2, r0)),
    ]
}

/// a a before carries, with six products:
///
/// ```text
/// d0 = a0 a0 + 40 a1 a2
/// d1 = 2 a0 a1 + 20 a2 a2
/// d2 = 2 a0 a2 + a1 a1
/// ```
#[inline(always)]
pub(crate) fn square_wide<S: Words>(s: S, [a0, a1, a2]: [S::W; 3]) -> [S::D; 3] {
    let twice = s.shl(a0, 1);
    let s2 = s.add_word(s.shl(a2, 4), s.shl(a2, 2));
    [
        s.add(s.mul(a0, a0), s.mul(a1, s.shl(s2, 1))),
        s.add(s.mul(twice, a1), s.mul(a2, s2)),
        s.add(s.mul(twice, a2), s.mul(a1, a1)),
    ]
}

/// Limbs below 2^44, 2^44 + 2^8, 2^42 again, over any number of blocks.
#[inline(always)]
pub(crate) fn carry<S: Words>(s: S, [d0, d1, d2]: [S::D; 3]) -> [S::W; 3] {
    let d1 = s.add(d1, s.widen(s.shr_wide(d0, 44)));
    let d2 = s.add(d2, s.widen(s.shr_wide(d1, 44)));
    let over = s.shr_wide(d2, 42);
    let h0 = s.add_word(s.low_bits(s.low(d0), 44), s.add_word(over, s.shl(over, 2)));
    let h1 = s.add_word(s.low_bits(s.low(d1), 44), s.shr(h0, 44));
    [s.low_bits(h0, 44), h1, s.low_bits(s.low(d2), 42)]
}

/// Two words and a pad bit as limbs: m0 + 2^64 m1 + 2^128 pad.
#[inline(always)]
pub(crate) fn split<S: Words>(s: S, m: [S::W; 2], pad: S::W) -> [S::W; 3] {
    let middle = s.concat(s.shr(m[0], 44), s.shl(s.low_bits(m[1], 24), 20));
    [s.low_bits(m[0], 44), middle, s.concat(s.shr(m[1], 24), s.shl(pad, 40))]
}

/// Limb by limb.
#[inline(always)]
pub(crate) fn add<S: Words>(s: S, a: [S::W; 3], b: [S::W; 3]) -> [S::W; 3] {
    [s.add_word(a[0], b[0]), s.add_word(a[1], b[1]), s.add_word(a[2], b[2])]
}

/// Radix 2^44 (limbs below 2^45, 2^45, 2^44) to radix 2^64.
#[inline(always)]
pub(crate) fn pack<S: Words>(s: S, [h0, h1, h2]: [S::W; 3]) -> [S::W; 3] {
    let h1 = s.add_word(h1, s.shr(h0, 44));
    let h2 = s.add_word(h2, s.shr(h1, 44));
    let (h0, h1) = (s.low_bits(h0, 44), s.low_bits(h1, 44));
    [
        s.concat(h0, s.shl(s.low_bits(h1, 20), 44)),
        s.concat(s.shr(h1, 20), s.shl(s.low_bits(h2, 40), 24)),
        s.shr(h2, 40),
    ]
}

/// (h + m) r, one block.
#[inline(always)]
pub(crate) fn step<S: Words>(s: S, h: [S::W; 3], m: [S::W; 3], k: &Multiplier<S>) -> [S::W; 3] {
    carry(s, mul_wide(s, add(s, h, m), k))
}

/// (h + a) r^2 + b r, two blocks with one reduction; b r does not wait for h.
#[inline(always)]
pub(crate) fn step_two<S: Words>(
    s: S,
    h: [S::W; 3],
    a: [S::W; 3],
    b: [S::W; 3],
    r1: &Multiplier<S>,
    r2: &Multiplier<S>,
) -> [S::W; 3] {
    let x = mul_wide(s, b, r1);
    let y = mul_wide(s, add(s, h, a), r2);
    carry_twice(s, [s.add(x[0], y[0]), s.add(x[1], y[1]), s.add(x[2], y[2])])
}

/// Limbs below 2^44 + 2^8, 2^44 + 2^8, 2^42 + 2^8 again: all three carry at once, twice. Shorter than the chain of
/// [`carry`].
#[inline(always)]
pub(crate) fn carry_twice<S: Words>(s: S, [d0, d1, d2]: [S::D; 3]) -> [S::W; 3] {
    let (c0, c1, c2) = (s.shr_wide(d0, 44), s.shr_wide(d1, 44), s.shr_wide(d2, 42));
    let h0 = s.add_word(s.low_bits(s.low(d0), 44), times5(s, c2));
    let h1 = s.add_word(s.low_bits(s.low(d1), 44), c0);
    let h2 = s.add_word(s.low_bits(s.low(d2), 42), c1);
    let (c0, c1, c2) = (s.shr(h0, 44), s.shr(h1, 44), s.shr(h2, 42));
    [
        s.add_word(s.low_bits(h0, 44), times5(s, c2)),
        s.add_word(s.low_bits(h1, 44), c0),
        s.add_word(s.low_bits(h2, 42), c1),
    ]
}

#[inline(always)]
fn times5<S: Words>(s: S, x: S::W) -> S::W {
    s.add_word(x, s.shl(x, 2))
}

/// The product of two elements.
#[inline(always)]
pub(crate) fn multiply(a: Element, b: Element) -> Element {
    Element(product(SCALAR, a.0, b.0))
}

/// a b in radix 2^64, for upper words up to 7; that of the product is at most 4.
#[inline(always)]
pub(crate) fn product<S: Words>(s: S, a: [S::W; 3], b: [S::W; 3]) -> [S::W; 3] {
    let k = Multiplier::new(s, limbs44(s, b));
    pack(s, carry(s, mul_wide(s, limbs44(s, a), &k)))
}

/// The sum of two elements.
pub(crate) fn sum(a: Element, b: Element) -> Element {
    Element(plus(SCALAR, a.0, b.0))
}

/// a + b in radix 2^64, bounded as [`product`].
#[inline(always)]
pub(crate) fn plus<S: Words>(s: S, a: [S::W; 3], b: [S::W; 3]) -> [S::W; 3] {
    let [d0, d1, d2] = add(s, limbs44(s, a), limbs44(s, b));
    pack(s, carry(s, [s.widen(d0), s.widen(d1), s.widen(d2)]))
}
