//! Products of two blocks of 128 bits: the only place with carry-less products of halves.
use carryless_lanes::Clmul;

/// A block as an operand, with the sum of its halves for Karatsuba's method. Made once, used in several products.
#[derive(Clone, Copy)]
pub(crate) struct Operand<X> {
    x: X,
    /// Low half + high half, in both halves (Karatsuba). A copy of `x` (schoolbook), which no product reads.
    t: X,
}

/// The product l + m X^64 + h X^128 of two blocks. The middle term m is not yet added to its neighbours: it
/// straddles both blocks of the product. Each of l, m and h has degree at most 126, also in sums.
#[derive(Clone, Copy)]
pub(crate) struct Part<X> {
    pub(super) l: X,
    pub(super) m: X,
    pub(super) h: X,
}

/// Makes an operand of a block. Karatsuba costs a move and a sum, schoolbook nothing.
#[inline(always)]
pub(super) fn operand<S: Clmul, const KARATSUBA: bool>(s: S, x: S::X) -> Operand<S::X> {
    if KARATSUBA { Operand { x, t: s.xor(x, s.swap(x)) } } else { Operand { x, t: x } }
}

/// The sum of two operands. For Karatsuba, t is linear in x, so the sums of the t are added and no halves move.
#[inline(always)]
pub(super) fn sum<S: Clmul, const KARATSUBA: bool>(
    s: S,
    a: Operand<S::X>,
    b: Operand<S::X>,
) -> Operand<S::X> {
    let x = s.xor(a.x, b.x);
    if KARATSUBA { Operand { x, t: s.xor(a.t, b.t) } } else { Operand { x, t: x } }
}

/// The product of a = a0 + a1 X^64 and b = b0 + b1 X^64 with its middle term apart: 3 products
/// of words (Karatsuba) or 4.
///
/// l = a0 b0, h = a1 b1; schoolbook: m = a0 b1 + a1 b0; Karatsuba: m = (a0 + a1)(b0 + b1) + l + h.
#[inline(always)]
pub(super) fn product<S: Clmul, const KARATSUBA: bool>(
    s: S,
    a: Operand<S::X>,
    b: Operand<S::X>,
) -> Part<S::X> {
    // h apart, so that callers that know it save this product. l and h have degree 126 at most, and so has m:
    // its terms are products of words, or sums of them.
    product_below::<S, KARATSUBA>(s, a, b, s.mul_hh(a.x, b.x))
}

/// The product of two blocks whose product h = a1 b1 is known: 2 products of words (Karatsuba) or 3.
#[inline(always)]
pub(super) fn product_below<S: Clmul, const KARATSUBA: bool>(
    s: S,
    a: Operand<S::X>,
    b: Operand<S::X>,
    h: S::X,
) -> Part<S::X> {
    let l = s.mul_ll(a.x, b.x);
    let m = if KARATSUBA {
        // (a0 + a1)(b0 + b1) = l + m + h over F2.
        s.xor(s.xor(s.mul_ll(a.t, b.t), l), h)
    } else {
        s.xor(s.mul_lh(a.x, b.x), s.mul_hl(a.x, b.x))
    };
    Part { l, m, h }
}

/// The product of two blocks whose upper halves are zero: 1 product of words. Upper halves are not read.
#[inline(always)]
pub(super) fn product_of_words<S: Clmul>(s: S, a: Operand<S::X>, b: Operand<S::X>) -> Part<S::X> {
    Part { l: s.mul_ll(a.x, b.x), m: s.zero(), h: s.zero() }
}

/// The product a1 b1 of the upper halves: the h that [`product_below`] takes.
#[inline(always)]
pub(super) fn upper<S: Clmul>(s: S, a: Operand<S::X>, b: Operand<S::X>) -> S::X {
    s.mul_hh(a.x, b.x)
}
