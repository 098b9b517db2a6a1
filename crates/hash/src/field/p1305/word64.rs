//! Poly1305 one block at a time in radix 2^64, for clamped keys only.
//!
//! RFC 8439, section 2.5 clears the top four bits of each 32-bit word of r and the low two bits of the upper three
//! words. So r < 2^124, and 4 divides its upper 64-bit word r1. With s1 = 5 r1 / 4 the part of a product above
//! 2^130 comes back as an integer: h1 r1 2^128 = h1 s1 (mod p). A block takes four 64-bit multiplications, and two
//! more by the few bits of h2.
use super::element::add_small;
use carryless_lanes::Words;

/// A clamped r as two words r0 and r1, with s1 = 5 r1 / 4.
#[derive(Clone, Copy)]
pub(crate) struct Clamped<S: Words> {
    pub(crate) r0: S::W,
    pub(crate) r1: S::W,
    pub(crate) s1: S::W,
}

impl<S: Words> Clamped<S> {
    /// Computes s1 for a clamped r. For any other r the low bits of r1 / 4 would be lost.
    #[inline(always)]
    pub(crate) fn new(s: S, [r0, r1]: [S::W; 2]) -> Self {
        // The shift is exact, because clamping clears the low two bits of r1. s1 stays below 2^61.
        Clamped { r0, r1, s1: s.add_word(r1, s.shr(r1, 2)) }
    }
}

/// h + m + pad 2^128, not reduced. Requires h2 <= 4 and pad <= 1; then h2 <= 6 after it.
#[inline(always)]
pub(crate) fn absorb<S: Words>(s: S, h: [S::W; 3], m: [S::W; 2], pad: S::W) -> [S::W; 3] {
    // The pad joins h2 before the carry of the lower words is known. `settle_word` keeps that order.
    let h2 = s.settle_word(s.add_word(h[2], pad));
    let t0 = s.add(s.widen(h[0]), s.widen(m[0]));
    let t1 = s.add(s.add(s.widen(h[1]), s.widen(m[1])), s.widen(s.high(t0)));
    [s.low(t0), s.low(t1), s.add_word(h2, s.high(t1))]
}

/// h r + m + pad 2^128, partially reduced. Requires h2 <= 6 and pad <= 1. The result has h2 <= 6 again, and h2 <= 4
/// if m and pad are zero.
///
/// ```text
/// d0 = h0 r0 + h1 s1
/// d1 = h0 r1 + h1 r0 + h2 s1
/// d2 = h2 r0
/// ```
///
/// The next block is added before the fold of the bits above 2^130, which are known last. This makes the dependency
/// chain from one product to the next two operations shorter than a call of [`absorb`] between them. Nothing
/// branches on h, r or m.
#[inline(always)]
pub(crate) fn step<S: Words>(s: S, h: [S::W; 3], k: &Clamped<S>, m: [S::W; 2], pad: S::W) -> [S::W; 3] {
    let [d0, d1, d2] = product(s, h, k);
    // d2 has weight 2^128, so d2 >> 2 counts multiples of 2^130 = 5 (mod p).
    let over = s.shr(d2, 2);
    // Two bits of d2 stay, so h2 <= 3 before the block and at most 5 after it; the fold may carry once more.
    let h = absorb(s, [d0, d1, s.low_bits(d2, 2)], m, pad);
    add_small(s, h, s.add_word(over, s.shl(over, 2)))
}

/// h r, not reduced: three words, the upper one below 2^63. Requires h2 <= 6.
#[inline(always)]
pub(crate) fn product<S: Words>(s: S, [h0, h1, h2]: [S::W; 3], k: &Clamped<S>) -> [S::W; 3] {
    // r0, r1 < 2^60 and s1 < 2^61, so every sum of products stays below 2^128.
    let d0 = s.add(s.mul(h0, k.r0), s.mul(h1, k.s1));
    // h2 and the carry of d0 are known last, so they are added last; `settle` keeps LLVM from reordering the sums.
    let d1 = s.settle(s.add(s.mul(h0, k.r1), s.mul(h1, k.r0)));
    let d1 = s.settle(s.add(d1, s.widen(s.low(s.mul(h2, k.s1)))));
    let d1 = s.add(d1, s.widen(s.high(d0)));
    // h2 r0 and h2 s1 have fewer than 64 bits, because h2 <= 6.
    let d2 = s.add_word(s.low(s.mul(h2, k.r0)), s.high(d1));
    [s.low(d0), s.low(d1), d2]
}
