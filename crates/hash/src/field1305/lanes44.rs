//! Three limbs of radix 2^44, one element per lane, for machines that multiply 52-bit limbs.
//!
//! A multiply-add gives one half of a product: a b = lo + 2^52 hi. The halves are summed separately, because their
//! weights differ by 2^52, which is no power of the radix. They meet in [`carry`]: with columns L_k and H_k of the
//! low and the high halves of products of weight 2^(44 k),
//!
//! ```text
//! value = sum of 2^(44 k) L_k + 2^(44 (k + 1)) 2^8 H_k,    2^132 = 20 (mod p)
//! ```
//!
//! Limbs of carried elements are below 2^45, 2^44 and 2^42; with a message block added, below 2^46. A column grows
//! by less than 3 2^52 a product, so hundreds of products may be added before one carry.
use super::element::{Element, Row};
use super::lanes26::{self, sum_words, times5};
use super::lanes44;
use super::word44;
use crate::block_rows::{BlockRows, but_last_block, from_block, lane_of_block, word_in_lane};
use crate::field::{Field, LaneField};
use crate::one_lane::SCALAR;
use carryless_lanes::{Ifma, Lanes, Words};

/// Arithmetic in radix 2^44 on machine `S`.
#[derive(Clone, Copy)]
pub(crate) struct Radix44<S>(pub(crate) S);

/// Implements `LaneField` in three limbs for a prime. Parameters: the bit of the pad in the top limb, and the
/// functions that depend on the size of blocks and elements.
macro_rules! three_limbs {
    (
        $Radix:ident, $Element:ty, pad $pad:literal, $limbs:ident, $key:path, $carry:path,
        $cut:path, $in_lanes:path, $fold:path, loose $from_loose:path, $loose:path
    ) => {
        impl<S: Ifma> $Radix<S> {
            /// Cuts the blocks of two vectors into limbs and sets `pads`, bits of the top limb.
            #[inline(always)]
            fn padded(self, [a, b]: [S::V; 2], pads: S::V) -> Fe44<S> {
                let [m0, m1, m2] = $cut(self.0, a, b);
                [m0, m1, self.0.concat(m2, pads)]
            }
        }

        impl<S: Ifma> LaneField for $Radix<S> {
            const N: usize = S::N;
            const COMPACT: bool = S::COMPACT;
            type Element = $Element;
            type Limbs = [u64; 3];
            type Fe = lanes44::Fe44<S>;
            type Sums = lanes44::Sums<S>;
            type Key = lanes44::Key44<S>;

            #[inline(always)]
            fn limbs(element: $Element) -> [u64; 3] {
                element.$limbs()
            }
            #[inline(always)]
            fn from_loose(element: <$Element as Field>::Loose) -> [u64; 3] {
                $from_loose(SCALAR, element)
            }
            #[inline(always)]
            fn in_lane(self, limbs: [u64; 3], lane: usize) -> Self::Fe {
                lanes44::in_lane(self.0, limbs, lane)
            }
            #[inline(always)]
            fn everywhere(self, limbs: [u64; 3]) -> Self::Fe {
                let s = self.0;
                [s.splat(limbs[0]), s.splat(limbs[1]), s.splat(limbs[2])]
            }
            #[inline(always)]
            fn in_lanes(self, elements: &[$Element; 8]) -> Self::Fe {
                $in_lanes(self.0, elements)
            }
            #[inline(always)]
            fn arrange(self, limbs: &[[u64; 3]]) -> Self::Fe {
                lanes44::arrange(self.0, limbs)
            }
            #[inline(always)]
            fn scatter(self, h: Self::Fe) -> [<$Element as Field>::Loose; 8] {
                // Through memory, once per message or piece; the loop restores the order of blocks.
                let (t, zero) = (lanes44::store(self.0, h), $loose(SCALAR, [0; 3]));
                let mut out = [zero; 8];
                let mut b = 0;
                while b < S::N {
                    let i = crate::block_rows::lane_of_block(S::N, b);
                    out[b] = $loose(SCALAR, [t[0][i], t[1][i], t[2][i]]);
                    b += 1;
                }
                out
            }
            #[inline(always)]
            fn evens(self, a: Self::Fe) -> Self::Fe {
                let s = self.0;
                [s.unpack_lo(a[0], a[0]), s.unpack_lo(a[1], a[1]), s.unpack_lo(a[2], a[2])]
            }
            #[inline(always)]
            fn odds(self, a: Self::Fe) -> Self::Fe {
                let s = self.0;
                [s.unpack_hi(a[0], a[0]), s.unpack_hi(a[1], a[1]), s.unpack_hi(a[2], a[2])]
            }
            #[inline(always)]
            fn close(self, d: Self::Sums, more: [u64; 3]) -> $Element {
                let mut lanes = lanes44::store(self.0, self.carry(d));
                // `more` joins in limbs before the fold, so that one reduction serves all lanes and the extra
                // element.
                lanes26::add_to_lane0(SCALAR, &mut lanes, &more);
                <$Element>::of_words($fold(SCALAR, &lanes, S::N))
            }
            #[inline(always)]
            fn fold(self, h: Self::Fe) -> $Element {
                let lanes = lanes44::store(self.0, h);
                <$Element>::of_words($fold(SCALAR, &lanes, S::N))
            }
            #[inline(always)]
            fn key(self, r: Self::Fe) -> Self::Key {
                $key(self.0, r)
            }
            #[inline(always)]
            fn key_of_lane0(self, r: Self::Fe) -> Self::Key {
                let t = lanes44::store(self.0, r);
                self.key(self.everywhere([t[0][0], t[1][0], t[2][0]]))
            }
            #[inline(always)]
            fn mul(self, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                // The instruction always accumulates, so a product without an addend starts from zero.
                lanes44::mul_add(self.0, lanes44::Sums::zero(self.0), h, r)
            }
            #[inline(always)]
            fn mul_add(self, d: Self::Sums, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                lanes44::mul_add(self.0, d, h, r)
            }
            #[inline(always)]
            fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums {
                lanes44::add_sums(self.0, a, b)
            }
            #[inline(always)]
            fn as_sums(self, a: Self::Fe) -> Self::Sums {
                lanes44::Sums::of(self.0, a)
            }
            #[inline(always)]
            fn carry(self, d: Self::Sums) -> Self::Fe {
                $carry(self.0, d)
            }
            #[inline(always)]
            fn add(self, a: Self::Fe, b: Self::Fe) -> Self::Fe {
                lanes44::add(self.0, a, b)
            }
            #[inline(always)]
            fn row(self, bytes: &[u8], odd_offset: usize) -> Self::Fe {
                let [a, b] = <$Element>::halves(self.0, bytes, odd_offset);
                $cut(self.0, a, b)
            }
            #[inline(always)]
            fn short_row(self, rest: &[u8], odd_offset: usize) -> Self::Fe {
                let [a, b] = <$Element>::short(self.0, rest, odd_offset);
                $cut(self.0, a, b)
            }
            #[inline(always)]
            fn whole_row(self, row: &[u8]) -> Self::Fe {
                let blocks = <$Element>::halves(self.0, row, <$Element>::BLOCK * S::N / 2);
                self.padded(blocks, self.0.splat(1 << $pad))
            }
            #[inline(always)]
            fn first_row(self, head: &[u8]) -> Self::Fe {
                // Zero blocks must not get a pad: the field's zero is 0, not 2^(8 BLOCK).
                let empty = S::N - head.len() / <$Element>::BLOCK;
                self.padded(<$Element>::first(self.0, head), from_block(self.0, 1 << $pad, empty))
            }
            #[inline(always)]
            fn last_row(self, last: &[u8]) -> Self::Fe {
                // The short block already has its pad in its words, so its lane gets none in the top limb.
                self.padded(<$Element>::last(self.0, last), but_last_block(self.0, 1 << $pad))
            }
        }
    };
}
pub(crate) use three_limbs;

three_limbs!(
    Radix44, Element, pad 40, limbs44, Key44::new, carry, cut, in_lanes, fold, loose same, loose44
);

/// Key powers computed in words already have limbs of 44 bits: nothing to convert.
#[inline(always)]
fn same<S: Words>(_: S, element: [S::W; 3]) -> [S::W; 3] {
    element
}

/// Carries limbs of [`carry`] once more, to the bounds that products in words need.
#[inline(always)]
fn loose44<S: Words>(s: S, [h0, h1, h2]: [S::W; 3]) -> [S::W; 3] {
    // Limb 0 may have 45 bits here, one more than products in words allow.
    word44::carry(s, [s.widen(h0), s.widen(h1), s.widen(h2)])
}

/// Three limbs per lane, lowest first: carried, a row of blocks, or a sum of both.
pub(crate) type Fe44<S> = [<S as Lanes>::V; 3];

/// Columns of a sum of products, not carried: low halves and high halves apart, each below 2^64.
#[derive(Clone, Copy)]
pub(crate) struct Sums<S: Ifma> {
    pub(crate) low: Fe44<S>,
    pub(crate) high: Fe44<S>,
}

impl<S: Ifma> Sums<S> {
    /// The empty sum: zero in both halves of every column.
    #[inline(always)]
    pub(crate) fn zero(s: S) -> Self {
        Sums::of(s, [s.splat(0); 3])
    }

    /// Converts small limbs to a sum: they are the low halves, and the high halves are zero.
    #[inline(always)]
    pub(crate) fn of(s: S, a: Fe44<S>) -> Self {
        Sums { low: a, high: [s.splat(0); 3] }
    }
}

/// A multiplier in every lane: its limbs, and the upper two times what wraps past the third limb, 20 or 4 in radix
/// 2^43.
#[derive(Clone, Copy)]
pub(crate) struct Key44<S: Ifma> {
    pub(crate) r: Fe44<S>,
    /// 20 r1 and 20 r2, below 2^52; in radix 2^43 4 r1 and 4 r2.
    pub(crate) s: [S::V; 2],
}

impl<S: Ifma> Key44<S> {
    /// A multiplier per lane. The limbs of `r` must be below 2^47, so that 20 r fits the 52 bits that are
    /// multiplied.
    #[inline(always)]
    pub(crate) fn new(s: S, r: Fe44<S>) -> Self {
        // 20 r0 is never needed: a product by r0 stays within the three columns.
        Key44 { r, s: [times20(s, r[1]), times20(s, r[2])] }
    }
}

/// One column of a product: adds one half of the products of the given pairs to a sum.
macro_rules! column {
    ($s:ident . $madd:ident; $d:expr; $($h:ident $r:ident),+) => {{
        let mut d = $d;
        $( d = $s.$madd(d, $h, $r); )+
        d
    }};
}

/// d + h r, not carried: 18 multiply-adds, nine for either half. The columns are
///
/// ```text
/// d0 += h0 r0 + h1 20r2 + h2 20r1
/// d1 += h0 r1 + h1 r0   + h2 20r2
/// d2 += h0 r2 + h1 r1   + h2 r0
/// ```
///
/// All factors must be below 2^52: the instruction ignores higher bits.
#[inline(always)]
pub(crate) fn mul_add<S: Ifma>(s: S, d: Sums<S>, [h0, h1, h2]: Fe44<S>, k: &Key44<S>) -> Sums<S> {
    let ([r0, r1, r2], [s1, s2]) = (k.r, k.s);
    // Both halves use the same factors. The six columns are independent chains of three multiply-adds, which hides
    // the latency of the instruction.
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

/// Joins both halves, then carries 0 -> 1 -> 2 -> 0. 3 multiply-adds, 5 shifts, 4 sums, 3 masks, no branch.
#[inline(always)]
pub(crate) fn carry<S: Ifma>(s: S, d: Sums<S>) -> Fe44<S> {
    let (low, high) = (d.low, d.high);
    // The high halves of column 2 wrap: 2^132 2^8 = 20 2^8. That product may exceed 52 bits, and its high half has
    // the weight of the high halves of column 0, so it is added to those.
    let wrap = s.splat(20 << 8);
    let d0 = s.madd52lo(low[0], high[2], wrap);
    let d1 = s.add(low[1], s.shl(s.madd52hi(high[0], high[2], wrap), 8));
    let d2 = s.add(low[2], s.shl(high[1], 8));
    let d1 = s.add(d1, s.shr(d0, 44));
    let d2 = s.add(d2, s.shr(d1, 44));
    // Limb 2 keeps 42 bits; bits above are multiples of 2^130 = 5. Limb 0 takes them without another carry and so
    // stays below 2^45.
    let d0 = s.madd52lo(s.low_bits(d0, 44), s.shr(d2, 42), s.splat(5));
    [d0, s.low_bits(d1, 44), s.low_bits(d2, 42)]
}

/// 20 x as 5 x and a shift. LLVM would turn both at once into a 64-bit multiplication, seven times as long, so
/// `settle` separates them. A 52-bit product would hide an overflow.
#[inline(always)]
fn times20<S: Ifma>(s: S, x: S::V) -> S::V {
    s.shl(s.settle(times5(s, x)), 2)
}

/// a + b column by column, not carried.
#[inline(always)]
pub(crate) fn add_sums<S: Ifma>(s: S, a: Sums<S>, b: Sums<S>) -> Sums<S> {
    Sums { low: add(s, a.low, b.low), high: add(s, a.high, b.high) }
}

/// a + b limb by limb, not carried.
#[inline(always)]
pub(crate) fn add<S: Ifma>(s: S, a: Fe44<S>, b: Fe44<S>) -> Fe44<S> {
    [s.add(a[0], b[0]), s.add(a[1], b[1]), s.add(a[2], b[2])]
}

/// Cuts N numbers of 128 bits, in memory order in two vectors, into limbs of 44, 44 and 40 bits.
#[inline(always)]
fn cut<S: Ifma>(s: S, a: S::V, b: S::V) -> Fe44<S> {
    // Words of 64 bits to limbs of 44, 44 and 40 bits: bits 44 .. 87 of the block straddle both words.
    let (low, high) = (s.unpack_lo(a, b), s.unpack_hi(a, b));
    let middle = s.concat(s.shr(low, 44), s.shl(s.low_bits(high, 24), 20));
    [s.low_bits(low, 44), middle, s.shr(high, 24)]
}

/// Element b in the lane of block b, for b < N.
#[inline(always)]
pub(crate) fn in_lanes<S: Ifma>(s: S, elements: &[Element; 8]) -> Fe44<S> {
    row_in_lanes(s, &Row::new(elements, S::N))
}

/// Cuts the elements of a row into limbs, the top word at 2^128 included.
#[inline(always)]
pub(crate) fn row_in_lanes<S: Ifma>(s: S, row: &Row) -> Fe44<S> {
    let [r0, r1, r2] = cut(s, s.load_words(&row.words), s.load_words(&row.words[S::N..]));
    [r0, r1, s.concat(r2, s.shl(s.load_words(&row.tops), 40))]
}

/// The elements of all lanes in memory: limb j of lane i is `[j][i]`. Lanes from N on are zero.
pub(crate) type Lanes3 = [[u64; 8]; 3];

/// Writes the limbs of all lanes to memory.
#[inline(always)]
pub(crate) fn store<S: Ifma>(s: S, h: Fe44<S>) -> Lanes3 {
    let mut out = [[0; 8]; 3];
    s.store(h[0], &mut out[0]);
    s.store(h[1], &mut out[1]);
    s.store(h[2], &mut out[2]);
    out
}

/// Loads the limbs that [`store`] wrote.
#[inline(always)]
pub(crate) fn load<S: Ifma>(s: S, t: &Lanes3) -> Fe44<S> {
    [s.load_words(&t[0]), s.load_words(&t[1]), s.load_words(&t[2])]
}

/// One element in lane `lane`, zero in the others.
#[inline(always)]
pub(crate) fn in_lane<S: Ifma>(s: S, [h0, h1, h2]: [u64; 3], lane: usize) -> Fe44<S> {
    [word_in_lane(s, h0, lane), word_in_lane(s, h1, lane), word_in_lane(s, h2, lane)]
}

/// The element with limbs `limbs[b]` in the lane of block b, for b < N.
#[inline(always)]
pub(crate) fn arrange<S: Ifma>(s: S, limbs: &[[u64; 3]]) -> Fe44<S> {
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

/// The sum of the first `n` lanes of carried limbs, in three words of radix 2^64 with w2 at most 4.
#[inline(always)]
pub(crate) fn fold<W: Words>(s: W, lanes: &Lanes3, n: usize) -> [W::W; 3] {
    // Sums of 8 carried lanes are below 2^48, so one more carry brings them to the bounds of `pack`.
    let [d0, d1, d2] = sum(s, lanes, n);
    word44::pack(s, word44::carry(s, [s.widen(d0), s.widen(d1), s.widen(d2)]))
}

/// The sum of the first `n` lanes in limbs, not carried: below 2^48 for up to 8 lanes.
#[inline(always)]
pub(crate) fn sum<W: Words>(s: W, lanes: &Lanes3, n: usize) -> [W::W; 3] {
    [sum_words(s, &lanes[0], n), sum_words(s, &lanes[1], n), sum_words(s, &lanes[2], n)]
}
