//! Three limbs of radix 2^44 or 2^43, one element per lane, for backends that multiply 52-bit limbs: what both primes
//! share.
//!
//! A multiply-add gives one half of a product: a b = lo + 2^52 hi. The halves are summed separately, because their
//! weights differ by 2^52, which is no power of the radix. They meet in the carry of each prime. A column grows by
//! less than 3 2^52 a product, so hundreds of products may be added before one carry.
pub(crate) mod karatsuba;

use crate::base::block_rows::{lane_of_block, word_in_lane};
use carryless_lanes::{Ifma, Lanes};

/// Implements `LaneField` in three limbs for a prime. Parameters: the bit of the pad in the top limb, and the
/// functions that depend on the size of blocks and elements.
macro_rules! three_limbs {
    (
        $Radix:ident, $Element:ty, $loads:ident, pad $pad:literal, $limbs:ident, $key:path, $carry:path,
        $for_fold:path, $cut:path, $in_lanes:path, $fold:path, loose $from_loose:path, $loose:path
    ) => {
        impl<S: Ifma> $Radix<S> {
            /// Cuts the blocks of two vectors into limbs and sets `pads`, bits of the top limb.
            #[inline(always)]
            fn padded(self, [a, b]: [S::V; 2], pads: S::V) -> $crate::field::limbs52::Fe44<S> {
                let [m0, m1, m2] = $cut(self.0, a, b);
                [m0, m1, self.0.concat(m2, pads)]
            }
        }

        impl<S: Ifma> LaneField for $Radix<S> {
            const N: usize = S::N;
            const COMPACT: bool = S::COMPACT;
            const MADD52: bool = true;
            type Element = $Element;
            type Limbs = [u64; 3];
            type Fe = $crate::field::limbs52::Fe44<S>;
            type Sums = $crate::field::limbs52::Sums<S>;
            type Key = $crate::field::limbs52::Key44<S>;

            #[inline(always)]
            fn limbs(element: $Element) -> [u64; 3] {
                element.$limbs()
            }
            #[inline(always)]
            fn small_multiple(element: $Element, by: u64) -> [u64; 3] {
                Self::limbs(element).map(|limb| limb * by)
            }
            #[inline(always)]
            fn from_loose(element: <$Element as Field>::Loose) -> [u64; 3] {
                $from_loose(SCALAR, element)
            }
            #[inline(always)]
            fn in_lane(self, limbs: [u64; 3], lane: usize) -> Self::Fe {
                $crate::field::limbs52::in_lane(self.0, limbs, lane)
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
                $crate::field::limbs52::arrange(self.0, limbs)
            }
            #[inline(always)]
            fn scatter(self, h: Self::Fe) -> [<$Element as Field>::Loose; 8] {
                // Through memory, once per message or piece; the loop restores the order of blocks.
                let (t, zero) = ($crate::field::limbs52::store(self.0, h), $loose(SCALAR, [0; 3]));
                let mut out = [zero; 8];
                let mut b = 0;
                while b < S::N {
                    let i = crate::base::block_rows::lane_of_block(S::N, b);
                    out[b] = $loose(SCALAR, [t[0][i], t[1][i], t[2][i]]);
                    b += 1;
                }
                out
            }
            #[inline(always)]
            fn alternate(self, a: Self::Fe, b: Self::Fe) -> Self::Fe {
                let s = self.0;
                [s.unpack_lo(a[0], b[0]), s.unpack_lo(a[1], b[1]), s.unpack_lo(a[2], b[2])]
            }
            #[inline(always)]
            fn odds(self, a: Self::Fe) -> Self::Fe {
                let s = self.0;
                [s.unpack_hi(a[0], a[0]), s.unpack_hi(a[1], a[1]), s.unpack_hi(a[2], a[2])]
            }
            #[inline(always)]
            fn mixed(self, a: Self::Fe, kept: &[u64; 8], others: &[u64; 8]) -> Self::Fe {
                // `settle` hides the mask: LLVM would keep the lowest lane by a move between registers that Valgrind
                // does not know.
                let (s, mask) = (self.0, self.0.settle(self.0.load_words(kept)));
                let a0 = s.concat(s.select(a[0], mask), s.load_words(others));
                [a0, s.select(a[1], mask), s.select(a[2], mask)]
            }
            #[inline(always)]
            fn close(self, d: Self::Sums, more: [u64; 3]) -> $Element {
                // `more` joins in limbs, so that one reduction serves all lanes and the extra element.
                let pairs = $crate::field::lane_sums::store_pairs(self.0, self.for_fold(d));
                <$Element>::of_words($fold(SCALAR, &pairs, S::N, Some(more)))
            }
            #[inline(always)]
            fn fold(self, h: Self::Fe) -> $Element {
                let pairs = $crate::field::lane_sums::store_pairs(self.0, h);
                <$Element>::of_words($fold(SCALAR, &pairs, S::N, None))
            }
            #[inline(always)]
            fn key(self, r: Self::Fe) -> Self::Key {
                $key(self.0, r)
            }
            #[inline(always)]
            fn lane0(self, r: Self::Fe) -> Self::Fe {
                // Through memory, once per key: `Lanes` has no broadcast of one lane.
                let t = $crate::field::limbs52::store(self.0, r);
                self.everywhere([t[0][0], t[1][0], t[2][0]])
            }
            #[inline(always)]
            fn mul(self, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                // The instruction always accumulates, so a product without an addend starts from zero.
                $crate::field::limbs52::mul_add(self.0, $crate::field::limbs52::Sums::zero(self.0), h, r)
            }
            #[inline(always)]
            fn mul_soon(self, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                $crate::field::limbs52::mul_soon(self.0, h, r)
            }
            #[inline(always)]
            fn square(self, a: Self::Fe) -> Self::Sums {
                let s = self.0;
                // The multiples of limb 2 are those that a key has.
                let wrapped = $key(s, a).s[1];
                $crate::field::limbs52::square(s, a, wrapped)
            }
            #[inline(always)]
            fn mul_add(self, d: Self::Sums, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                $crate::field::limbs52::mul_add(self.0, d, h, r)
            }
            #[inline(always)]
            fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums {
                $crate::field::limbs52::add_sums(self.0, a, b)
            }
            #[inline(always)]
            fn as_sums(self, a: Self::Fe) -> Self::Sums {
                $crate::field::limbs52::Sums::of(self.0, a)
            }
            #[inline(always)]
            fn carry(self, d: Self::Sums) -> Self::Fe {
                $carry(self.0, d)
            }
            #[inline(always)]
            fn for_fold(self, d: Self::Sums) -> Self::Fe {
                $for_fold(self.0, d)
            }
            #[inline(always)]
            fn add(self, a: Self::Fe, b: Self::Fe) -> Self::Fe {
                $crate::field::limbs52::add(self.0, a, b)
            }
            #[inline(always)]
            fn row(self, bytes: &[u8], odd_offset: usize) -> Self::Fe {
                let [a, b] = $loads::halves(self.0, bytes, odd_offset);
                $cut(self.0, a, b)
            }
            #[inline(always)]
            fn short_row(self, rest: &[u8], odd_offset: usize) -> Self::Fe {
                let [a, b] = $loads::short(self.0, rest, odd_offset);
                $cut(self.0, a, b)
            }
            #[inline(always)]
            fn whole_row(self, row: &[u8]) -> Self::Fe {
                let blocks = $loads::halves(self.0, row, <$Element>::BLOCK * S::N / 2);
                self.padded(blocks, self.0.splat(1 << $pad))
            }
            #[inline(always)]
            fn first_row(self, head: &[u8]) -> Self::Fe {
                // Zero blocks must not get a pad: the field's zero is 0, not 2^(8 BLOCK).
                let empty = S::N - head.len() / <$Element>::BLOCK;
                self.padded($loads::first(self.0, head), from_block(self.0, 1 << $pad, empty))
            }
            #[inline(always)]
            fn last_row(self, last: &[u8]) -> Self::Fe {
                // The short block already has its pad in its words, so its lane gets none in the top limb.
                self.padded($loads::last(self.0, last), but_last_block(self.0, 1 << $pad))
            }
        }
    };
}
pub(crate) use three_limbs;

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

/// A multiplier in every lane: its limbs, and the upper two times what wraps past the third limb, 20
/// or 4 in radix 2^43.
#[derive(Clone, Copy)]
pub(crate) struct Key44<S: Ifma> {
    pub(crate) r: Fe44<S>,
    /// 20 r1 and 20 r2, below 2^52; in radix 2^43 4 r1 and 4 r2.
    pub(crate) s: [S::V; 2],
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

/// h r, not carried: the products of [`mul_add`] as two sums for each column, whose chains take three multiply-adds less
/// one, and 6 sums.
#[inline(always)]
pub(crate) fn mul_soon<S: Ifma>(s: S, [h0, h1, h2]: Fe44<S>, k: &Key44<S>) -> Sums<S> {
    let ([r0, r1, r2], [s1, s2], zero) = (k.r, k.s, s.splat(0));
    let first = Sums {
        low: [
            column!(s.madd52lo; zero; h0 r0, h1 s2),
            column!(s.madd52lo; zero; h0 r1, h1 r0),
            column!(s.madd52lo; zero; h0 r2, h1 r1),
        ],
        high: [
            column!(s.madd52hi; zero; h0 r0, h1 s2),
            column!(s.madd52hi; zero; h0 r1, h1 r0),
            column!(s.madd52hi; zero; h0 r2, h1 r1),
        ],
    };
    let second = Sums {
        low: [s.madd52lo(zero, h2, s1), s.madd52lo(zero, h2, s2), s.madd52lo(zero, h2, r0)],
        high: [s.madd52hi(zero, h2, s1), s.madd52hi(zero, h2, s2), s.madd52hi(zero, h2, r0)],
    };
    add_sums(s, first, second)
}

/// a^2, not carried: 12 multiply-adds, since equal products are doubled. `wrapped` is limb 2 times what wraps past the
/// third limb, 20 or 4.
///
/// ```text
/// d0 = a0 a0 + 2 a1 20a2
/// d1 = 2 a0 a1 + a2 20a2
/// d2 = 2 a0 a2 + a1 a1
/// ```
#[inline(always)]
pub(crate) fn square<S: Ifma>(s: S, [a0, a1, a2]: Fe44<S>, wrapped: S::V) -> Sums<S> {
    // In: limbs below 2^51, so that doubled ones are still factors of 52 bits.
    let (zero, b0, b1) = (s.splat(0), s.add(a0, a0), s.add(a1, a1));
    Sums {
        low: [
            // A doubled factor stands for two equal products: six multiply-adds fewer than in `mul_add`.
            column!(s.madd52lo; zero; a0 a0, b1 wrapped),
            column!(s.madd52lo; zero; b0 a1, a2 wrapped),
            column!(s.madd52lo; zero; b0 a2, a1 a1),
        ],
        high: [
            column!(s.madd52hi; zero; a0 a0, b1 wrapped),
            column!(s.madd52hi; zero; b0 a1, a2 wrapped),
            column!(s.madd52hi; zero; b0 a2, a1 a1),
        ],
    }
}

/// a + b column by column, not carried.
#[inline(always)]
pub(crate) fn add_sums<S: Ifma>(s: S, a: Sums<S>, b: Sums<S>) -> Sums<S> {
    // The halves stay apart: their weights differ by 2^52, and only the carry of the prime joins them.
    Sums { low: add(s, a.low, b.low), high: add(s, a.high, b.high) }
}

/// a + b limb by limb, not carried.
#[inline(always)]
pub(crate) fn add<S: Ifma>(s: S, a: Fe44<S>, b: Fe44<S>) -> Fe44<S> {
    [s.add(a[0], b[0]), s.add(a[1], b[1]), s.add(a[2], b[2])]
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
