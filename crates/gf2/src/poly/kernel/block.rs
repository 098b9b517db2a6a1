//! Products of blocks of 128 bits: where the carry-less products are.
use carryless_lanes::Clmul;

/// A block as an operand, and for Karatsuba's method the sum of its halves.
#[derive(Clone, Copy)]
pub(crate) struct Operand<X> {
    x: X,
    /// Low half + high half, in both halves (Karatsuba); a copy of `x` (schoolbook).
    t: X,
}

/// Two neighbouring blocks of a product at even places, and what lies 64 bits above the first: l + m X^64 + h X^128.
#[derive(Clone, Copy)]
pub(crate) struct Part<X> {
    pub(super) l: X,
    pub(super) m: X,
    pub(super) h: X,
}

/// A block, ready for products.
#[inline(always)]
pub(super) fn operand<S: Clmul, const KARATSUBA: bool>(s: S, x: S::X) -> Operand<S::X> {
    if KARATSUBA { Operand { x, t: s.xor(x, s.swap(x)) } } else { Operand { x, t: x } }
}

/// The sum of two operands: no halves move.
#[inline(always)]
pub(super) fn sum<S: Clmul, const KARATSUBA: bool>(
    s: S,
    a: Operand<S::X>,
    b: Operand<S::X>,
) -> Operand<S::X> {
    let x = s.xor(a.x, b.x);
    if KARATSUBA { Operand { x, t: s.xor(a.t, b.t) } } else { Operand { x, t: x } }
}

/// The product of a = a0 + a1 X^64 and b = b0 + b1 X^64.
///
/// l = a0 b0, h = a1 b1; schoolbook: m = a0 b1 + a1 b0; Karatsuba: m = (a0 + a1)(b0 + b1) + l + h.
#[inline(always)]
pub(super) fn product<S: Clmul, const KARATSUBA: bool>(
    s: S,
    a: Operand<S::X>,
    b: Operand<S::X>,
) -> Part<S::X> {
    product_below::<S, KARATSUBA>(s, a, b, s.mul_hh(a.x, b.x))
}

/// The same for upper halves whose product h is known.
#[inline(always)]
pub(super) fn product_below<S: Clmul, const KARATSUBA: bool>(
    s: S,
    a: Operand<S::X>,
    b: Operand<S::X>,
    h: S::X,
) -> Part<S::X> {
    let l = s.mul_ll(a.x, b.x);
    let m = if KARATSUBA {
        s.xor(s.xor(s.mul_ll(a.t, b.t), l), h)
    } else {
        s.xor(s.mul_lh(a.x, b.x), s.mul_hl(a.x, b.x))
    };
    Part { l, m, h }
}

/// The same for upper halves that are zero.
#[inline(always)]
pub(super) fn product_of_words<S: Clmul>(s: S, a: Operand<S::X>, b: Operand<S::X>) -> Part<S::X> {
    Part { l: s.mul_ll(a.x, b.x), m: s.zero(), h: s.zero() }
}

/// The product of the upper halves.
#[inline(always)]
pub(super) fn upper<S: Clmul>(s: S, a: Operand<S::X>, b: Operand<S::X>) -> S::X {
    s.mul_hh(a.x, b.x)
}
