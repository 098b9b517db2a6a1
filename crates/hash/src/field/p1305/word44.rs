//! Three limbs of radix 2^44 in 64-bit words, for any key: key powers, and messages two blocks at a time.
//!
//! 2^132 = 20 (mod p), so a product of limbs above the top column comes back times 20. Sums of products have 128
//! bits and stay far below that, so several products are added before one carry.
use carryless_lanes::Words;

/// A multiplier r with 20 r1 and 20 r2. The limbs of r are below 2^44 + 2^8, so the multiples fit a word.
#[derive(Clone, Copy)]
pub(crate) struct Multiplier<S: Words> {
    pub(crate) r: [S::W; 3],
    pub(crate) s1: S::W,
    pub(crate) s2: S::W,
}

impl<S: Words> Multiplier<S> {
    /// Computes 20 r1 and 20 r2 from limbs at most 2^44 + 2^8.
    #[inline(always)]
    pub(crate) fn new(s: S, r: [S::W; 3]) -> Self {
        // 20 x = 16 x + 4 x
        // 20 r stays below 2^49, and its product with a limb of 46 bits below 2^95.
        let s1 = s.add_word(s.shl(r[1], 4), s.shl(r[1], 2));
        let s2 = s.add_word(s.shl(r[2], 4), s.shl(r[2], 2));
        Multiplier { r, s1, s2 }
    }
}

/// h r, not carried: nine wide multiplications. Limbs of h may be those of a carried element plus a block.
///
/// ```text
/// d0 = h0 r0 + h1 s2 + h2 s1
/// d1 = h0 r1 + h1 r0 + h2 s2
/// d2 = h0 r2 + h1 r1 + h2 r0
/// ```
#[inline(always)]
pub(crate) fn mul_wide<S: Words>(s: S, [h0, h1, h2]: [S::W; 3], k: &Multiplier<S>) -> [S::D; 3] {
    // In: limbs of h below 2^46. Three products below 2^95 each, so columns stay below 2^97.
    let [r0, r1, r2] = k.r;
    [
        s.add(s.add(s.mul(h0, r0), s.mul(h1, k.s2)), s.mul(h2, k.s1)),
        s.add(s.add(s.mul(h0, r1), s.mul(h1, r0)), s.mul(h2, k.s2)),
        s.add(s.add(s.mul(h0, r2), s.mul(h1, r1)), s.mul(h2, r0)),
    ]
}

/// a^2, not carried: six wide multiplications instead of nine, since equal products are doubled.
///
/// ```text
/// d0 = a0 a0 + 40 a1 a2
/// d1 = 2 a0 a1 + 20 a2 a2
/// d2 = 2 a0 a2 + a1 a1
/// ```
#[inline(always)]
pub(crate) fn square_wide<S: Words>(s: S, [a0, a1, a2]: [S::W; 3]) -> [S::D; 3] {
    // Each product of two different limbs occurs twice, so one factor is doubled. 40 a1 a2 = a1 (2 (20 a2)).
    let twice = s.shl(a0, 1);
    let s2 = s.add_word(s.shl(a2, 4), s.shl(a2, 2));
    [
        s.add(s.mul(a0, a0), s.mul(a1, s.shl(s2, 1))),
        s.add(s.mul(twice, a1), s.mul(a2, s2)),
        s.add(s.mul(twice, a2), s.mul(a1, a1)),
    ]
}

/// Carries 0 -> 1 -> 2 -> 0 -> 1. The limbs are below 2^44, 2^44 + 2^8, 2^42 after it, over any number of blocks.
#[inline(always)]
pub(crate) fn carry<S: Words>(s: S, [d0, d1, d2]: [S::D; 3]) -> [S::W; 3] {
    // In: columns below 2^106, since `shr_wide` returns a word. Three products of 95 bits are far below that.
    let d1 = s.add(d1, s.widen(s.shr_wide(d0, 44)));
    let d2 = s.add(d2, s.widen(s.shr_wide(d1, 44)));
    // Limb 2 keeps 42 bits, since 44 + 44 + 42 = 130. Bits above are multiples of 2^130 = 5 (mod p).
    let over = s.shr_wide(d2, 42);
    let h0 = s.add_word(s.low_bits(s.low(d0), 44), s.add_word(over, s.shl(over, 2)));
    // The second carry out of limb 0 stays in limb 1: one more step would lengthen the chain, and 2^8 does no harm.
    let h1 = s.add_word(s.low_bits(s.low(d1), 44), s.shr(h0, 44));
    [s.low_bits(h0, 44), h1, s.low_bits(s.low(d2), 42)]
}

/// Cuts a block into limbs: m0 + 2^64 m1 + 2^128 pad. Limbs at most 2^44 - 1, 2^44 - 1, 2^41 - 1.
#[inline(always)]
pub(crate) fn split<S: Words>(s: S, m: [S::W; 2], pad: S::W) -> [S::W; 3] {
    // Limb 2 begins at bit 88, so the pad 2^128 is its bit 40, just above the block.
    let middle = s.concat(s.shr(m[0], 44), s.shl(s.low_bits(m[1], 24), 20));
    [s.low_bits(m[0], 44), middle, s.concat(s.shr(m[1], 24), s.shl(pad, 40))]
}

/// a + b limb by limb, not carried.
#[inline(always)]
pub(crate) fn add<S: Words>(s: S, a: [S::W; 3], b: [S::W; 3]) -> [S::W; 3] {
    [s.add_word(a[0], b[0]), s.add_word(a[1], b[1]), s.add_word(a[2], b[2])]
}

/// Radix 2^44 to radix 2^64, for limbs below 2^45, 2^45, 2^44. The value is not reduced.
#[inline(always)]
pub(crate) fn pack<S: Words>(s: S, [h0, h1, h2]: [S::W; 3]) -> [S::W; 3] {
    // Limbs may exceed their width by a bit. They carry before `concat`, whose operands must be disjoint.
    let h1 = s.add_word(h1, s.shr(h0, 44));
    let h2 = s.add_word(h2, s.shr(h1, 44));
    let (h0, h1) = (s.low_bits(h0, 44), s.low_bits(h1, 44));
    [
        s.concat(h0, s.shl(s.low_bits(h1, 20), 44)),
        s.concat(s.shr(h1, 20), s.shl(s.low_bits(h2, 40), 24)),
        s.shr(h2, 40),
    ]
}

/// (h + m) r, carried: absorbs one block. `h` and the result have the bounds of [`carry`].
#[inline(always)]
pub(crate) fn step<S: Words>(s: S, h: [S::W; 3], m: [S::W; 3], k: &Multiplier<S>) -> [S::W; 3] {
    // h + m is not carried: limbs below 2^44 + 2^8 and 2^44 add to less than the 2^46 that a factor may have.
    carry(s, mul_wide(s, add(s, h, m), k))
}

/// (h + a) r^2 + b r, carried: absorbs two blocks with 18 multiplications and one reduction. b r does not wait for h.
#[inline(always)]
pub(crate) fn step_two<S: Words>(
    s: S,
    h: [S::W; 3],
    a: [S::W; 3],
    b: [S::W; 3],
    r1: &Multiplier<S>,
    r2: &Multiplier<S>,
) -> [S::W; 3] {
    // b r first: it needs no carry of the step before, so it runs while that carry is still in progress.
    let x = mul_wide(s, b, r1);
    let y = mul_wide(s, add(s, h, a), r2);
    // Six products a column, below 2^98. A carry takes columns below 2^106.
    carry_twice(s, [s.add(x[0], y[0]), s.add(x[1], y[1]), s.add(x[2], y[2])])
}

/// Carries out of all three limbs at once, twice. The limbs are below 2^44 + 2^8, 2^44 + 2^8, 2^42 + 2^8 after it.
/// The dependency chain is shorter than that of [`carry`], at the cost of two more carries.
#[inline(always)]
pub(crate) fn carry_twice<S: Words>(s: S, [d0, d1, d2]: [S::D; 3]) -> [S::W; 3] {
    // First round: independent carries of up to 64 bits out of 128-bit sums. Second round: the few bits that they
    // left.
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

/// 5 x = x + 4 x, for x below 2^61.
#[inline(always)]
fn times5<S: Words>(s: S, x: S::W) -> S::W {
    s.add_word(x, s.shl(x, 2))
}
