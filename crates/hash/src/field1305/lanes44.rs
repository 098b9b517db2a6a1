//! Three limbs of radix 2^44, one element per lane, for machines that multiply 52-bit limbs.
//!
//! A multiply-add gives one half of a product: a b = lo + 2^52 hi. The halves are summed apart, because their weights
//! are no power of the radix from each other, and meet in [`carry`]: with columns L_k and H_k of the low and the
//! high halves of products of weight 2^(44 k),
//!
//! ```text
//! value = sum of 2^(44 k) L_k + 2^(44 (k + 1)) 2^8 H_k,    2^132 = 20 (mod p)
//! ```
//!
//! Limbs of carried elements are below 2^45, 2^44 and 2^42; with a message block added, below 2^46. A column grows
//! by less than 3 2^52 a product, so that hundreds of products may be added before one carry.
use super::element::{Element, SCALAR};
use super::lanes26::{block_of_lane, lane_of_block, times5};
use super::powers::Row;
use super::word44;
use crate::lane_field::LaneField;
use carryless_lanes::{Ifma, Lanes, Words};

/// Arithmetic in radix 2^44 on machine `S`.
#[derive(Clone, Copy)]
pub(crate) struct Radix44<S>(pub(crate) S);

impl<S: Ifma> LaneField for Radix44<S> {
    const N: usize = S::N;
    type Element = Element;
    type Limbs = [u64; 3];
    type Fe = Fe44<S>;
    type Sums = Sums<S>;
    type Key = Key44<S>;

    #[inline(always)]
    fn limbs(element: Element) -> [u64; 3] {
        element.limbs44()
    }
    #[inline(always)]
    fn from_loose(element: [u64; 3]) -> [u64; 3] {
        element
    }
    #[inline(always)]
    fn in_lane(self, limbs: [u64; 3], lane: usize) -> Fe44<S> {
        in_lane(self.0, limbs, lane)
    }
    #[inline(always)]
    fn everywhere(self, limbs: [u64; 3]) -> Fe44<S> {
        let s = self.0;
        [s.splat(limbs[0]), s.splat(limbs[1]), s.splat(limbs[2])]
    }
    #[inline(always)]
    fn in_lanes(self, elements: &[Element; 8]) -> Fe44<S> {
        in_lanes(self.0, &Row::new(elements, S::N))
    }
    #[inline(always)]
    fn arrange(self, limbs: &[[u64; 3]]) -> Fe44<S> {
        arrange(self.0, limbs)
    }
    #[inline(always)]
    fn scatter(self, h: Fe44<S>) -> [[u64; 3]; 8] {
        scatter(SCALAR, &store(self.0, h), S::N)
    }
    #[inline(always)]
    fn fold(self, h: Fe44<S>) -> Element {
        Element(fold(SCALAR, &store(self.0, h), S::N, [0; 3]))
    }
    #[inline(always)]
    fn close(self, d: Sums<S>, more: [u64; 3]) -> Element {
        Element(fold(SCALAR, &store(self.0, carry(self.0, d)), S::N, more))
    }
    #[inline(always)]
    fn key(self, r: Fe44<S>) -> Key44<S> {
        Key44::new(self.0, r)
    }
    #[inline(always)]
    fn key_of_lane0(self, r: Fe44<S>) -> Key44<S> {
        let (s, t) = (self.0, store(self.0, r));
        Key44::new(s, [s.splat(t[0][0]), s.splat(t[1][0]), s.splat(t[2][0])])
    }
    #[inline(always)]
    fn mul(self, h: Fe44<S>, r: &Key44<S>) -> Sums<S> {
        mul_add(self.0, Sums::zero(self.0), h, r)
    }
    #[inline(always)]
    fn mul_add(self, d: Sums<S>, h: Fe44<S>, r: &Key44<S>) -> Sums<S> {
        mul_add(self.0, d, h, r)
    }
    #[inline(always)]
    fn add_sums(self, a: Sums<S>, b: Sums<S>) -> Sums<S> {
        Sums { low: add(self.0, a.low, b.low), high: add(self.0, a.high, b.high) }
    }
    #[inline(always)]
    fn as_sums(self, a: Fe44<S>) -> Sums<S> {
        Sums { low: a, ..Sums::zero(self.0) }
    }
    #[inline(always)]
    fn carry(self, d: Sums<S>) -> Fe44<S> {
        carry(self.0, d)
    }
    #[inline(always)]
    fn add(self, a: Fe44<S>, b: Fe44<S>) -> Fe44<S> {
        add(self.0, a, b)
    }
    #[inline(always)]
    fn evens(self, a: Fe44<S>) -> Fe44<S> {
        let s = self.0;
        [s.unpack_lo(a[0], a[0]), s.unpack_lo(a[1], a[1]), s.unpack_lo(a[2], a[2])]
    }
    #[inline(always)]
    fn odds(self, a: Fe44<S>) -> Fe44<S> {
        let s = self.0;
        [s.unpack_hi(a[0], a[0]), s.unpack_hi(a[1], a[1]), s.unpack_hi(a[2], a[2])]
    }
    #[inline(always)]
    fn row(self, bytes: &[u8], apart: usize) -> Fe44<S> {
        cut(self.0, self.0.load(bytes), self.0.load(&bytes[apart..]))
    }
    #[inline(always)]
    fn whole_row(self, row: &[u8]) -> Fe44<S> {
        let [m0, m1, m2] = blocks(self.0, row);
        [m0, m1, self.0.concat(m2, self.0.splat(1 << 40))]
    }
    #[inline(always)]
    fn padded_row(self, row: &[u8], from: usize, count: usize) -> Fe44<S> {
        let [m0, m1, m2] = blocks(self.0, row);
        [m0, m1, self.0.concat(m2, pads(self.0, from, count))]
    }
}

/// Three limbs per lane.
pub(crate) type Fe44<S> = [<S as Lanes>::V; 3];

/// Columns of a sum of products: the low halves, the high halves.
#[derive(Clone, Copy)]
pub(crate) struct Sums<S: Ifma> {
    low: Fe44<S>,
    high: Fe44<S>,
}

impl<S: Ifma> Sums<S> {
    /// No products yet.
    #[inline(always)]
    pub(crate) fn zero(s: S) -> Self {
        Sums { low: [s.splat(0); 3], high: [s.splat(0); 3] }
    }
}

/// A multiplier in every lane: its limbs, and 20 times the upper two.
#[derive(Clone, Copy)]
pub(crate) struct Key44<S: Ifma> {
    r: Fe44<S>,
    /// 20 r1, 20 r2
    s: [S::V; 2],
}

impl<S: Ifma> Key44<S> {
    /// Lane i holds element i of `r` (limbs below 2^47, so that 20 r fits 52 bits).
    #[inline(always)]
    pub(crate) fn new(s: S, r: Fe44<S>) -> Self {
        Key44 { r, s: [times5_shl(s, r[1], 2), times5_shl(s, r[2], 2)] }
    }
}

/// One column of a product, added to what is there.
macro_rules! column {
    ($s:ident . $madd:ident; $d:expr; $($h:ident $r:ident),+) => {{
        let mut d = $d;
        $( d = $s.$madd(d, $h, $r); )+
        d
    }};
}

/// d + h r, without carries; 18 multiply-adds. In both halves,
///
/// ```text
/// d0 += h0 r0 + h1 20r2 + h2 20r1
/// d1 += h0 r1 + h1 r0   + h2 20r2
/// d2 += h0 r2 + h1 r1   + h2 r0
/// ```
#[inline(always)]
pub(crate) fn mul_add<S: Ifma>(s: S, d: Sums<S>, [h0, h1, h2]: Fe44<S>, k: &Key44<S>) -> Sums<S> {
    let ([r0, r1, r2], [s1, s2]) = (k.r, k.s);
    let Sums { low, high } = d;
    Sums {
        low: [
            column!(s.madd52lo; low[0]; h0 r0, h1 s2, h2 s1),
            column!(s.madd52lo; low[1]; h0 r1, h1 r0, h2 s2),
            column!(s.madd52lo; low[2]; h0 r2, h1 r1, h2 r0),
        ],
        high: [
            column!(s.madd52hi; high[0]; h0 r0, h1 s2, h2 s1),
            column!(s.madd52hi; high[1]; h0 r1, h1 r0, h2 s2),
            column!(s.madd52hi; high[2]; h0 r2, h1 r1, h2 r0),
        ],
    }
}

/// Both halves together, then 0 -> 1 -> 2 -> 0.
#[inline(always)]
pub(crate) fn carry<S: Ifma>(s: S, d: Sums<S>) -> Fe44<S> {
    let (low, high) = (d.low, d.high);
    // 2^132 2^8 = 20 2^8 = 5 2^10
    let d0 = s.add(low[0], times5_shl(s, high[2], 10));
    let d1 = s.add(low[1], s.shl(high[0], 8));
    let d2 = s.add(low[2], s.shl(high[1], 8));
    let d1 = s.add(d1, s.shr(d0, 44));
    let d2 = s.add(d2, s.shr(d1, 44));
    // 2^130 = 5
    let d0 = s.add(s.low_bits(d0, 44), times5(s, s.shr(d2, 42)));
    [d0, s.low_bits(d1, 44), s.low_bits(d2, 42)]
}

/// 5 2^k x. In one piece, LLVM would write a 64-bit product for it, seven times as long.
#[inline(always)]
fn times5_shl<S: Ifma>(s: S, x: S::V, k: u32) -> S::V {
    s.shl(s.settle(times5(s, x)), k)
}

/// Limb by limb.
#[inline(always)]
pub(crate) fn add<S: Ifma>(s: S, a: Fe44<S>, b: Fe44<S>) -> Fe44<S> {
    [s.add(a[0], b[0]), s.add(a[1], b[1]), s.add(a[2], b[2])]
}

/// `N` blocks of 16 bytes as limbs without the pad bit; lane i holds block `block_of_lane(N, i)`.
#[inline(always)]
pub(crate) fn blocks<S: Ifma>(s: S, msg: &[u8]) -> Fe44<S> {
    let msg = &msg[..16 * S::N];
    cut(s, s.load(msg), s.load(&msg[8 * S::N..]))
}

#[inline(always)]
fn cut<S: Ifma>(s: S, a: S::V, b: S::V) -> Fe44<S> {
    let (low, high) = (s.unpack_lo(a, b), s.unpack_hi(a, b));
    let middle = s.concat(s.shr(low, 44), s.shl(s.low_bits(high, 24), 20));
    [s.low_bits(low, 44), middle, s.shr(high, 24)]
}

/// The powers of a row as limbs.
#[inline(always)]
pub(crate) fn in_lanes<S: Ifma>(s: S, row: &Row) -> Fe44<S> {
    let [r0, r1, r2] = cut(s, s.load_words(&row.words), s.load_words(&row.words[S::N..]));
    [r0, r1, s.concat(r2, s.shl(s.load_words(&row.tops), 40))]
}

/// The pad bit 2^128 of `count` blocks: 2^40 in the top limb of the lanes that hold blocks `from .. from + count`.
#[inline(always)]
pub(crate) fn pads<S: Ifma>(s: S, from: usize, count: usize) -> S::V {
    let mut w = [0; 8];
    let mut i = 0;
    while i < S::N {
        let block = block_of_lane(S::N, i);
        w[i] = if block >= from && block < from + count { 1 << 40 } else { 0 };
        i += 1;
    }
    s.load_words(&w)
}

/// The elements of the lanes, in memory: limb j of lane i is `[j][i]`.
pub(crate) type Lanes3 = [[u64; 8]; 3];

/// Writes carried limbs out of the vectors.
#[inline(always)]
pub(crate) fn store<S: Ifma>(s: S, h: Fe44<S>) -> Lanes3 {
    let mut out = [[0; 8]; 3];
    s.store(h[0], &mut out[0]);
    s.store(h[1], &mut out[1]);
    s.store(h[2], &mut out[2]);
    out
}

/// Reads what [`store`] wrote.
#[inline(always)]
pub(crate) fn load<S: Ifma>(s: S, t: &Lanes3) -> Fe44<S> {
    [s.load_words(&t[0]), s.load_words(&t[1]), s.load_words(&t[2])]
}

/// One element in one lane, zero in the others.
#[inline(always)]
pub(crate) fn in_lane<S: Ifma>(s: S, limbs: [u64; 3], lane: usize) -> Fe44<S> {
    let mut t: Lanes3 = [[0; 8]; 3];
    t[0][lane] = limbs[0];
    t[1][lane] = limbs[1];
    t[2][lane] = limbs[2];
    load(s, &t)
}

/// Limbs b in the lane of block b.
#[inline(always)]
fn arrange<S: Ifma>(s: S, limbs: &[[u64; 3]]) -> Fe44<S> {
    let mut t: Lanes3 = [[0; 8]; 3];
    let mut b = 0;
    while b < S::N {
        let lane = lane_of_block(S::N, b);
        t[0][lane] = limbs[b][0];
        t[1][lane] = limbs[b][1];
        t[2][lane] = limbs[b][2];
        b += 1;
    }
    load(s, &t)
}

/// Element b of the first `n` blocks, from its lane.
#[inline(always)]
fn scatter<W: Words>(s: W, t: &Lanes3, n: usize) -> [[W::W; 3]; 8] {
    let mut out = [[s.word(0); 3]; 8];
    let mut b = 0;
    while b < n {
        let i = lane_of_block(n, b);
        let [d0, d1, d2] = [s.widen(s.word(t[0][i])), s.widen(s.word(t[1][i])), s.widen(s.word(t[2][i]))];
        out[b] = word44::carry(s, [d0, d1, d2]);
        b += 1;
    }
    out
}

/// The sum of the first `n` lanes of carried limbs and of the limbs of `more`, in three words of radix 2^64.
#[inline(always)]
pub(crate) fn fold<W: Words>(s: W, lanes: &Lanes3, n: usize, more: [u64; 3]) -> [W::W; 3] {
    let sums = [
        sum_words(s, &lanes[0], n, more[0]),
        sum_words(s, &lanes[1], n, more[1]),
        sum_words(s, &lanes[2], n, more[2]),
    ];
    word44::pack(s, word44::carry(s, sums))
}

#[inline(always)]
fn sum_words<W: Words>(s: W, words: &[u64; 8], n: usize, more: u64) -> W::D {
    let mut sum = s.widen(s.word(more));
    let mut i = 0;
    while i < n {
        sum = s.add(sum, s.widen(s.word(words[i])));
        i += 1;
    }
    sum
}
