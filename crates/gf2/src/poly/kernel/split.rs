//! Products of 1 to 5 blocks in split form.
//!
//! With Y = X^128, a product of n blocks is E(Y) + X^64 O(Y). The coefficients of E are `even`: the l and h of
//! block products. Those of O are `odd`: the middle terms m. Sums of products add both parts. Only at the end do
//! the halves of O move to their places (`merge4`): 2n moves for n^(log2 3) or n^2 products. Published kernels move
//! halves after every product of 128 or 256 bits.
//!
//! `ODD` operands have a last block whose upper half is zero. The product of two last blocks is then one of words.
//! A sum with a last block has the upper half of the other summand, so that product h is known from it.
use super::block::{Operand, Part, operand, product, product_below, product_of_words, sum, upper};
use carryless_lanes::Clmul;

/// The method at one size, a const parameter `K512`, `K256` or `K128`: Karatsuba's.
pub(crate) const KARATSUBA: bool = true;
/// The method at one size: schoolbook, with one product more and fewer sums.
pub(crate) const SCHOOLBOOK: bool = false;

/// The last block of an operand, the const parameter `ODD`: its upper half is zero. An odd number of words.
pub(crate) const HALF_LAST: bool = true;
/// The last block of an operand is like the others: an even number of words.
pub(crate) const WHOLE_LAST: bool = false;

/// A product of two blocks by two blocks in split form: E has 4 blocks, O has 3.
#[derive(Clone, Copy)]
pub(super) struct Split2<X> {
    even: [X; 4],
    odd: [X; 3],
}

/// The sum a + b + c: two sums, or one instruction where the compiler finds VPTERNLOGQ.
#[inline(always)]
fn xor3<S: Clmul>(s: S, a: S::X, b: S::X, c: S::X) -> S::X {
    s.xor(s.xor(a, b), c)
}

/// Karatsuba's sums for two blocks: (r0, r1, r2) -> r0 + (r0 + r1 + r2) Y + r1 Y^2, for parts l + h Y.
#[inline(always)]
fn karatsuba2<S: Clmul>(s: S, r0: Part<S::X>, r1: Part<S::X>, r2: Part<S::X>) -> Split2<S::X> {
    // The coefficients of Y and Y^2 both contain r0.h + r1.l. That makes seven sums of blocks; with
    // r0 + r1 + r2 first they would be eight.
    let shared = s.xor(r0.h, r1.l);
    let low = xor3(s, shared, r0.l, r2.l);
    let high = xor3(s, shared, r1.h, r2.h);
    Split2 { even: [r0.l, low, high, r1.h], odd: [r0.m, xor3(s, r0.m, r1.m, r2.m), r1.m] }
}

/// The schoolbook sums for two blocks: a0 b0 + (a0 b1 + a1 b0) Y + a1 b1 Y^2.
#[inline(always)]
fn schoolbook2<S: Clmul>(s: S, p: [Part<S::X>; 4]) -> Split2<S::X> {
    let [p00, p01, p10, p11] = p;
    let low = xor3(s, p00.h, p01.l, p10.l);
    let high = xor3(s, p11.l, p01.h, p10.h);
    Split2 { even: [p00.l, low, high, p11.h], odd: [p00.m, s.xor(p01.m, p10.m), p11.m] }
}

/// The product of two blocks by two blocks in split form: 3 block products if `K256`, else 4.
#[inline(always)]
pub(super) fn product2<S: Clmul, const K256: bool, const K128: bool>(
    s: S,
    a: [Operand<S::X>; 2],
    b: [Operand<S::X>; 2],
) -> Split2<S::X> {
    product2_below::<S, K256, K128>(s, a, b, upper(s, a[1], b[1]))
}

/// The product of two blocks by two blocks whose last upper halves are zero: 6 products of words (Karatsuba).
#[inline(always)]
fn product2_odd<S: Clmul, const K128: bool>(
    s: S,
    a: [Operand<S::X>; 2],
    b: [Operand<S::X>; 2],
) -> Split2<S::X> {
    let ([a0, a1], [b0, b1]) = (a, b);
    let r0 = product::<S, K128>(s, a0, b0);
    let (sum_a, sum_b) = (sum::<S, K128>(s, a0, a1), sum::<S, K128>(s, b0, b1));
    // The upper halves of the sums are those of a0 and b0, whose product is r0.h.
    karatsuba2(s, r0, product_of_words(s, a1, b1), product_below::<S, K128>(s, sum_a, sum_b, r0.h))
}

/// The product of two blocks by two blocks, where h, the product of the upper halves of both last blocks, is known.
#[inline(always)]
fn product2_below<S: Clmul, const K256: bool, const K128: bool>(
    s: S,
    a: [Operand<S::X>; 2],
    b: [Operand<S::X>; 2],
    h: S::X,
) -> Split2<S::X> {
    let ([a0, a1], [b0, b1]) = (a, b);
    let (r0, r1) = (product::<S, K128>(s, a0, b0), product_below::<S, K128>(s, a1, b1, h));
    if K256 {
        let r2 = product::<S, K128>(s, sum::<S, K128>(s, a0, a1), sum::<S, K128>(s, b0, b1));
        karatsuba2(s, r0, r1, r2)
    } else {
        let (p01, p10) = (product::<S, K128>(s, a0, b1), product::<S, K128>(s, a1, b0));
        schoolbook2(s, [r0, p01, p10, r1])
    }
}

/// Karatsuba's sums for four blocks: (r0, r1, r2) -> r0 + (r0 + r1 + r2) Y^2 + r1 Y^4. Returns the 8 blocks of E,
/// then the 7 of O.
#[inline(always)]
fn karatsuba4<S: Clmul>(
    s: S,
    r0: Split2<S::X>,
    r1: Split2<S::X>,
    r2: Split2<S::X>,
) -> ([S::X; 8], [S::X; 7]) {
    let ([e0, e1, e2, e3], [f0, f1, f2, f3], [g0, g1, g2, g3]) = (r0.even, r1.even, r2.even);
    // As for two blocks, both halves of the middle term contain the upper half of r0 plus the lower half of
    // r1. With the odd part 17 sums of blocks, in place of 20.
    let (shared0, shared1) = (s.xor(e2, f0), s.xor(e3, f1));
    let even = [
        e0,
        e1,
        xor3(s, shared0, e0, g0),
        xor3(s, shared1, e1, g1),
        xor3(s, shared0, f2, g2),
        xor3(s, shared1, f3, g3),
        f2,
        f3,
    ];
    let ([o0, o1, o2], [p0, p1, p2], [q0, q1, q2]) = (r0.odd, r1.odd, r2.odd);
    // O has one block less than E: only its outer blocks overlap.
    let shared = s.xor(o2, p0);
    let odd = [o0, o1, xor3(s, shared, o0, q0), xor3(s, o1, p1, q1), xor3(s, shared, p2, q2), p1, p2];
    (even, odd)
}

/// The schoolbook sums for four blocks: p00 + (p01 + p10) Y^2 + p11 Y^4. Returns the blocks of E, then those of O.
#[inline(always)]
fn schoolbook4<S: Clmul>(s: S, p: [Split2<S::X>; 4]) -> ([S::X; 8], [S::X; 7]) {
    let [r0, g, h, r1] = p;
    let ([e0, e1, e2, e3], [f0, f1, f2, f3]) = (r0.even, r1.even);
    let even = [
        e0,
        e1,
        xor3(s, e2, g.even[0], h.even[0]),
        xor3(s, e3, g.even[1], h.even[1]),
        xor3(s, f0, g.even[2], h.even[2]),
        xor3(s, f1, g.even[3], h.even[3]),
        f2,
        f3,
    ];
    let ([o0, o1, o2], [p0, p1, p2]) = (r0.odd, r1.odd);
    let odd = [
        o0,
        o1,
        xor3(s, o2, g.odd[0], h.odd[0]),
        s.xor(g.odd[1], h.odd[1]),
        xor3(s, p0, g.odd[2], h.odd[2]),
        p1,
        p2,
    ];
    (even, odd)
}

/// The product of one block by one block, merged: two blocks.
#[inline(always)]
pub(super) fn mul1<S: Clmul, const K128: bool>(s: S, a: [S::X; 1], b: [S::X; 1]) -> [S::X; 2] {
    let [a, b] = [operand::<S, K128>(s, a[0]), operand::<S, K128>(s, b[0])];
    let Part { l, m, h } = product::<S, K128>(s, a, b);
    [s.xor(l, s.straddle(s.zero(), m)), s.xor(h, s.straddle(m, s.zero()))]
}

/// The product of two blocks by two blocks, merged: four blocks.
#[inline(always)]
pub(super) fn mul2<S: Clmul, const K256: bool, const K128: bool, const ODD: bool>(
    s: S,
    a: [S::X; 2],
    b: [S::X; 2],
) -> [S::X; 4] {
    let a = [operand::<S, K128>(s, a[0]), operand::<S, K128>(s, a[1])];
    let b = [operand::<S, K128>(s, b[0]), operand::<S, K128>(s, b[1])];
    // Four moves of halves (`straddle`) merge E and O, whatever the number of products.
    let Split2 { even, odd } =
        if ODD { product2_odd::<S, K128>(s, a, b) } else { product2::<S, K256, K128>(s, a, b) };
    [
        s.xor(even[0], s.straddle(s.zero(), odd[0])),
        s.xor(even[1], s.straddle(odd[0], odd[1])),
        s.xor(even[2], s.straddle(odd[1], odd[2])),
        s.xor(even[3], s.straddle(odd[2], s.zero())),
    ]
}

/// The product of three blocks by three blocks, merged, by Karatsuba's method for three parts (six block products).
/// With r_i = a_i b_i and r_ij = (a_i + a_j)(b_i + b_j) it is the sum of c_k Y^k:
///
/// c0 = r0, c1 = r01 + r0 + r1, c2 = r02 + r0 + r1 + r2, c3 = r12 + r1 + r2, c4 = r2.
#[inline(always)]
pub(super) fn mul3<S: Clmul, const K128: bool, const ODD: bool>(
    s: S,
    a: [S::X; 3],
    b: [S::X; 3],
) -> [S::X; 6] {
    // This product is apart because `mul5` passes one that it knows.
    mul3_below::<S, K128, ODD>(s, a, b, s.mul_hh(a[1], b[1]))
}

/// The product of three blocks as in [`mul3`], where h, the product of the upper halves of
/// both middle blocks, is known.
#[inline(always)]
fn mul3_below<S: Clmul, const K128: bool, const ODD: bool>(
    s: S,
    a: [S::X; 3],
    b: [S::X; 3],
    h: S::X,
) -> [S::X; 6] {
    // Products of words: six block products of 3 (Karatsuba) make 18. If `ODD`, r2 takes 1 and r02 and r12
    // take 2 each: 14. Operands keep their t, so that sums of them move no halves.
    let [a0, a1, a2] =
        [operand::<S, K128>(s, a[0]), operand::<S, K128>(s, a[1]), operand::<S, K128>(s, a[2])];
    let [b0, b1, b2] =
        [operand::<S, K128>(s, b[0]), operand::<S, K128>(s, b[1]), operand::<S, K128>(s, b[2])];
    let r0 = product::<S, K128>(s, a0, b0);
    let r1 = product_below::<S, K128>(s, a1, b1, h);
    let r2 = if ODD { product_of_words(s, a2, b2) } else { product::<S, K128>(s, a2, b2) };
    // Products of sums with a last block. If that has no upper half, the other summand's h is that of the sum.
    macro_rules! with_last {
        ($a:ident, $b:ident, $h:expr) => {{
            let (a, b) = (sum::<S, K128>(s, $a, a2), sum::<S, K128>(s, $b, b2));
            if ODD { product_below::<S, K128>(s, a, b, $h) } else { product::<S, K128>(s, a, b) }
        }};
    }
    let r01 = product::<S, K128>(s, sum::<S, K128>(s, a0, a1), sum::<S, K128>(s, b0, b1));
    let (r02, r12) = (with_last!(a0, b0, r0.h), with_last!(a1, b1, r1.h));
    // c1, c2 and c3 of one part (l, m or h), which share r0 + r1 and r1 + r2.
    macro_rules! middle {
        ($part:ident) => {{
            let (first, last) = (s.xor(r0.$part, r1.$part), s.xor(r1.$part, r2.$part));
            let c2 = xor3(s, first, r2.$part, r02.$part);
            (s.xor(first, r01.$part), c2, s.xor(last, r12.$part))
        }};
    }
    // The product is the sum of c_k Y^k: each block has a low part, the high part below, and halves of two middle
    // terms.
    let (l1, l2, l3) = middle!(l);
    let (h1, h2, h3) = middle!(h);
    let (m1, m2, m3) = middle!(m);
    [
        s.xor(r0.l, s.straddle(s.zero(), r0.m)),
        xor3(s, l1, r0.h, s.straddle(r0.m, m1)),
        xor3(s, l2, h1, s.straddle(m1, m2)),
        xor3(s, l3, h2, s.straddle(m2, m3)),
        xor3(s, r2.l, h3, s.straddle(m3, r2.m)),
        s.xor(r2.h, s.straddle(r2.m, s.zero())),
    ]
}

/// The product of four blocks by four blocks, merged: 3 products of two blocks if `K512`, else 4.
#[inline(always)]
pub(super) fn mul4<S: Clmul, const K512: bool, const K256: bool, const K128: bool, const ODD: bool>(
    s: S,
    a: [S::X; 4],
    b: [S::X; 4],
) -> [S::X; 8] {
    let [a0, a1] = [operand::<S, K128>(s, a[0]), operand::<S, K128>(s, a[1])];
    let [a2, a3] = [operand::<S, K128>(s, a[2]), operand::<S, K128>(s, a[3])];
    let [b0, b1] = [operand::<S, K128>(s, b[0]), operand::<S, K128>(s, b[1])];
    let [b2, b3] = [operand::<S, K128>(s, b[2]), operand::<S, K128>(s, b[3])];
    // Operands were made once, with their t: sums of them cost no move of halves.
    // Products of words by Karatsuba's method at all levels: 9 for each of r0, r1 and r2, 27. If `ODD`, r1
    // takes 6 and r2 takes 8, as the product of its upper halves is known: 23.
    let r0 = product2::<S, K256, K128>(s, [a0, a1], [b0, b1]);
    let (high_a, high_b) = ([a2, a3], [b2, b3]);
    let r1 = if ODD {
        product2_odd::<S, K128>(s, high_a, high_b)
    } else {
        product2::<S, K256, K128>(s, high_a, high_b)
    };
    let (even, odd) = if K512 {
        let a = [sum::<S, K128>(s, a0, a2), sum::<S, K128>(s, a1, a3)];
        let b = [sum::<S, K128>(s, b0, b2), sum::<S, K128>(s, b1, b3)];
        // For `ODD`, the sums' last blocks have the upper halves of a1 and b1, whose product is the top block of
        // r0.
        let h = if ODD { r0.even[3] } else { upper(s, a[1], b[1]) };
        karatsuba4(s, r0, r1, product2_below::<S, K256, K128>(s, a, b, h))
    } else {
        let p01 = product2::<S, K256, K128>(s, [a0, a1], [b2, b3]);
        let p10 = product2::<S, K256, K128>(s, [a2, a3], [b0, b1]);
        schoolbook4(s, [r0, p01, p10, r1])
    };
    merge4(s, even, odd)
}

/// Merges E(Y) + X^64 O(Y): block i is E_i + high half of O_(i - 1) + X^64 low half of O_i.
#[inline(always)]
fn merge4<S: Clmul>(s: S, e: [S::X; 8], o: [S::X; 7]) -> [S::X; 8] {
    [
        s.xor(e[0], s.straddle(s.zero(), o[0])),
        s.xor(e[1], s.straddle(o[0], o[1])),
        s.xor(e[2], s.straddle(o[1], o[2])),
        s.xor(e[3], s.straddle(o[2], o[3])),
        s.xor(e[4], s.straddle(o[3], o[4])),
        s.xor(e[5], s.straddle(o[4], o[5])),
        s.xor(e[6], s.straddle(o[5], o[6])),
        s.xor(e[7], s.straddle(o[6], s.zero())),
    ]
}

/// The product of five blocks by five blocks, merged. Karatsuba's method splits them into three low ones and two
/// high ones: R0 + (R0 + R1 + R2) Y^3 + R1 Y^6, where R0 = A0 B0, R1 = A1 B1 and R2 = (A0 + A1)(B0 + B1). R0 and R2
/// share the product of the third blocks, 3 of 45 products of words: the compiler merges the two, as it sees both.
#[inline(always)]
pub(super) fn mul5<S: Clmul, const K256: bool, const K128: bool, const ODD: bool>(
    s: S,
    a: [S::X; 5],
    b: [S::X; 5],
) -> [S::X; 10] {
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (a, b);
    // Products of words by Karatsuba's method at all levels: 18 + 9 + 18, of which 3 are in R0 and R2 alike:
    // 42. If `ODD`, R1 takes 6, and R2 one less as h is known: 38.
    // Not `ODD`: of five blocks only the last may be half, and the low three are whole.
    let r0 = mul3::<S, K128, WHOLE_LAST>(s, [a0, a1, a2], [b0, b1, b2]);
    let r1 = mul2::<S, K256, K128, ODD>(s, [a3, a4], [b3, b4]);
    let (sum_a, sum_b) = ([s.xor(a0, a3), s.xor(a1, a4), a2], [s.xor(b0, b3), s.xor(b1, b4), b2]);
    // a4 and b4 have no upper half if `ODD`; R0 has this product already.
    let h = if ODD { s.mul_hh(a1, b1) } else { s.mul_hh(sum_a[1], sum_b[1]) };
    let r2 = mul3_below::<S, K128, WHOLE_LAST>(s, sum_a, sum_b, h);
    // R0 + R1 where they overlap the middle term; R1 has four blocks, so the last two sums have one summand less.
    let [s3, s4, s5] = [s.xor(r0[3], r1[0]), s.xor(r0[4], r1[1]), s.xor(r0[5], r1[2])];
    [
        r0[0],
        r0[1],
        r0[2],
        xor3(s, s3, r0[0], r2[0]),
        xor3(s, s4, r0[1], r2[1]),
        xor3(s, s5, r0[2], r2[2]),
        xor3(s, s3, r1[3], r2[3]),
        s.xor(s4, r2[4]),
        s.xor(s5, r2[5]),
        r1[3],
    ]
}
