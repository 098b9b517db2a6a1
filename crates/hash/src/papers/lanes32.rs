//! Four limbs of radix 2^32 modulo 2^127 - 1, one element per lane (paper 001, section 4.2, equation 11): for
//! researchers.
//!
//! 2^128 = 2 (mod p). A product takes 16 multiplications instead of 25. But sums of 64-bit products do not fit a
//! lane, so each product is split in two halves, which are summed by weight:
//!
//! ```text
//! f_i e_j = u + 2^32 v      S_(i+j) += u,  S_(i+j+1) += v      h_c = S_c + 2 S_(c+4)
//! ```
//!
//! That is 16 masks, 16 shifts and 32 sums a product (the paper counts 40), and 4 shifts and 4 sums once for all
//! products that share a carry. Multiplicands have 32 bits and none to spare, so a sum of two elements has to be
//! carried, too. As the paper found, it is slower than limbs of 26 bits.
use crate::base::block_rows::{but_last_block, from_block, lane_of_block, word_in_lane};
use crate::base::loads15 as loads;
use crate::field::lane_sums::{store_pairs, sum};
use crate::field::one_lane::SCALAR;
use crate::field::p1271::element::{self, Element};
use crate::field::{Field, LaneField};
use carryless_lanes::{Lanes, Words};

/// Arithmetic in radix 2^32 on backend `S`.
#[derive(Clone, Copy)]
pub(crate) struct Radix32<S>(pub(crate) S);

/// The bit of the pad in the top limb: 2^120 = 2^24 2^96.
const PAD: u32 = 24;

impl<S: Lanes> Radix32<S> {
    /// Cuts the blocks of two vectors into limbs and sets `pads`, bits of the top limb.
    #[inline(always)]
    fn padded(self, [a, b]: [S::V; 2], pads: S::V) -> Fe<S> {
        let [m0, m1, m2, m3] = cut(self.0, a, b);
        [m0, m1, m2, self.0.concat(m3, pads)]
    }
}

impl<S: Lanes> LaneField for Radix32<S> {
    const N: usize = S::N;
    const COMPACT: bool = S::COMPACT;
    type Element = Element;
    type Limbs = [u64; 4];
    type Fe = Fe<S>;
    type Sums = Sums<S>;
    type Key = [S::L; 4];

    #[inline(always)]
    fn limbs(element: Element) -> [u64; 4] {
        limbs32(SCALAR, element.0)
    }
    #[inline(always)]
    fn small_multiple(element: Element, by: u64) -> [u64; 4] {
        Self::limbs(element).map(|limb| limb * by)
    }
    #[inline(always)]
    fn from_loose(element: [u64; 2]) -> [u64; 4] {
        limbs32(SCALAR, element)
    }
    #[inline(always)]
    fn in_lane(self, limbs: [u64; 4], lane: usize) -> Fe<S> {
        let s = self.0;
        [
            word_in_lane(s, limbs[0], lane),
            word_in_lane(s, limbs[1], lane),
            word_in_lane(s, limbs[2], lane),
            word_in_lane(s, limbs[3], lane),
        ]
    }
    #[inline(always)]
    fn everywhere(self, r: [u64; 4]) -> Fe<S> {
        let s = self.0;
        [s.splat(r[0]), s.splat(r[1]), s.splat(r[2]), s.splat(r[3])]
    }
    #[inline(always)]
    fn in_lanes(self, elements: &[Element; 8]) -> Fe<S> {
        row_in_lanes(self.0, &element::row(elements, S::N))
    }
    #[inline(always)]
    fn arrange(self, limbs: &[[u64; 4]]) -> Fe<S> {
        let mut t: Lanes4 = [[0; 8]; 4];
        let mut b = 0;
        while b < S::N {
            let lane = lane_of_block(S::N, b);
            t[0][lane] = limbs[b][0];
            t[1][lane] = limbs[b][1];
            t[2][lane] = limbs[b][2];
            t[3][lane] = limbs[b][3];
            b += 1;
        }
        load(self.0, &t)
    }
    #[inline(always)]
    fn scatter(self, h: Fe<S>) -> [[u64; 2]; 8] {
        let (t, mut out) = (store(self.0, h), [[0; 2]; 8]);
        let mut b = 0;
        while b < S::N {
            let i = lane_of_block(S::N, b);
            out[b] = pack32(SCALAR, [t[0][i], t[1][i], t[2][i], t[3][i]]);
            b += 1;
        }
        out
    }
    #[inline(always)]
    fn alternate(self, [a0, a1, a2, a3]: Fe<S>, [b0, b1, b2, b3]: Fe<S>) -> Fe<S> {
        let s = self.0;
        [s.unpack_lo(a0, b0), s.unpack_lo(a1, b1), s.unpack_lo(a2, b2), s.unpack_lo(a3, b3)]
    }
    #[inline(always)]
    fn odds(self, [a0, a1, a2, a3]: Fe<S>) -> Fe<S> {
        let s = self.0;
        [s.unpack_hi(a0, a0), s.unpack_hi(a1, a1), s.unpack_hi(a2, a2), s.unpack_hi(a3, a3)]
    }
    #[inline(always)]
    fn mixed(self, a: Fe<S>, kept: &[u64; 8], others: &[u64; 8]) -> Fe<S> {
        // `settle` hides the mask: LLVM would keep the lowest lane by a move between registers that Valgrind
        // does not know.
        let (s, mask) = (self.0, self.0.settle(self.0.load_words(kept)));
        let a0 = s.concat(s.select(a[0], mask), s.load_words(others));
        [a0, s.select(a[1], mask), s.select(a[2], mask), s.select(a[3], mask)]
    }
    #[inline(always)]
    fn close(self, d: Sums<S>, more: [u64; 4]) -> Element {
        Element(fold(SCALAR, &store_pairs(self.0, self.for_fold(d)), S::N, Some(more)))
    }
    #[inline(always)]
    fn for_fold(self, d: Sums<S>) -> Fe<S> {
        carry(self.0, d)
    }
    #[inline(always)]
    fn fold(self, h: Fe<S>) -> Element {
        Element(fold(SCALAR, &store_pairs(self.0, h), S::N, None))
    }
    #[inline(always)]
    fn key(self, r: Fe<S>) -> [S::L; 4] {
        limbs(self.0, r)
    }
    #[inline(always)]
    fn lane0(self, r: Fe<S>) -> Fe<S> {
        let t = store(self.0, r);
        self.everywhere([t[0][0], t[1][0], t[2][0], t[3][0]])
    }
    #[inline(always)]
    fn mul(self, h: Fe<S>, r: &[S::L; 4]) -> Sums<S> {
        // The halves are added to eight sums in any case, so a product starts from zeros.
        mul_add(self.0, [self.0.splat(0); 8], limbs(self.0, h), r)
    }
    #[inline(always)]
    fn mul_add(self, d: Sums<S>, h: Fe<S>, r: &[S::L; 4]) -> Sums<S> {
        mul_add(self.0, d, limbs(self.0, h), r)
    }
    #[inline(always)]
    fn add_sums(self, a: Sums<S>, b: Sums<S>) -> Sums<S> {
        let s = self.0;
        [
            s.add(a[0], b[0]),
            s.add(a[1], b[1]),
            s.add(a[2], b[2]),
            s.add(a[3], b[3]),
            s.add(a[4], b[4]),
            s.add(a[5], b[5]),
            s.add(a[6], b[6]),
            s.add(a[7], b[7]),
        ]
    }
    #[inline(always)]
    fn as_sums(self, a: Fe<S>) -> Sums<S> {
        let zero = self.0.splat(0);
        [a[0], a[1], a[2], a[3], zero, zero, zero, zero]
    }
    #[inline(always)]
    fn carry(self, d: Sums<S>) -> Fe<S> {
        carry(self.0, d)
    }
    #[inline(always)]
    fn add(self, a: Fe<S>, b: Fe<S>) -> Fe<S> {
        add(self.0, a, b)
    }
    #[inline(always)]
    fn row(self, bytes: &[u8], odd_offset: usize) -> Fe<S> {
        let [a, b] = loads::halves(self.0, bytes, odd_offset);
        cut(self.0, a, b)
    }
    #[inline(always)]
    fn short_row(self, rest: &[u8], odd_offset: usize) -> Fe<S> {
        let [a, b] = loads::short(self.0, rest, odd_offset);
        cut(self.0, a, b)
    }
    #[inline(always)]
    fn whole_row(self, row: &[u8]) -> Fe<S> {
        let blocks = loads::halves(self.0, row, Element::BLOCK * S::N / 2);
        self.padded(blocks, self.0.splat(1 << PAD))
    }
    #[inline(always)]
    fn first_row(self, head: &[u8]) -> Fe<S> {
        // Zero blocks in front get no pad: the field's zero is 0.
        let empty = S::N - head.len() / Element::BLOCK;
        self.padded(loads::first(self.0, head), from_block(self.0, 1 << PAD, empty))
    }
    #[inline(always)]
    fn last_row(self, last: &[u8]) -> Fe<S> {
        // The pad of the short block is in its words already.
        self.padded(loads::last(self.0, last), but_last_block(self.0, 1 << PAD))
    }
}

/// Four limbs per lane, lowest first: below 2^32, the last at most 2^31 after a carry.
pub(crate) type Fe<S> = [<S as Lanes>::V; 4];

/// Sums of halves of products by weight, 2^0, 2^32 .. 2^224, not carried.
pub(crate) type Sums<S> = [<S as Lanes>::V; 8];

/// Converts limbs below 2^32 to multiplicands.
#[inline(always)]
fn limbs<S: Lanes>(s: S, [h0, h1, h2, h3]: Fe<S>) -> [S::L; 4] {
    [s.limb(h0), s.limb(h1), s.limb(h2), s.limb(h3)]
}

/// Adds the products of one multiplicand by the four limbs of r, split in halves, to five neighbouring sums.
macro_rules! row_of_products {
    ($s:ident, $h:ident, $r:ident, $d0:ident $d1:ident $d2:ident $d3:ident $d4:ident) => {
        let (p0, p1) = ($s.mul32($h, $r[0]), $s.mul32($h, $r[1]));
        let (p2, p3) = ($s.mul32($h, $r[2]), $s.mul32($h, $r[3]));
        let $d0 = $s.add($d0, $s.low_bits(p0, 32));
        let $d1 = $s.add($s.add($d1, $s.shr(p0, 32)), $s.low_bits(p1, 32));
        let $d2 = $s.add($s.add($d2, $s.shr(p1, 32)), $s.low_bits(p2, 32));
        let $d3 = $s.add($s.add($d3, $s.shr(p2, 32)), $s.low_bits(p3, 32));
        let $d4 = $s.add($d4, $s.shr(p3, 32));
    };
}

/// d + h r, not carried: 16 multiplications, each split in two halves of 32 bits.
#[inline(always)]
pub(crate) fn mul_add<S: Lanes>(s: S, d: Sums<S>, h: [S::L; 4], r: &[S::L; 4]) -> Sums<S> {
    // Sum k collects low halves of products of weight 2^(32 k) and high halves of weight 2^(32 (k - 1)). All
    // summands are below 2^32, so over 2^28 products fit before a carry; the wrap 2^128 = 2 waits until then.
    let ([d0, d1, d2, d3, d4, d5, d6, d7], [h0, h1, h2, h3]) = (d, h);
    row_of_products!(s, h0, r, d0 d1 d2 d3 d4);
    row_of_products!(s, h1, r, d1 d2 d3 d4 d5);
    row_of_products!(s, h2, r, d2 d3 d4 d5 d6);
    row_of_products!(s, h3, r, d3 d4 d5 d6 d7);
    [d0, d1, d2, d3, d4, d5, d6, d7]
}

/// Folds the upper sums, then carries 0 -> 1 -> 2 -> 3 -> 0 -> 1 -> 2 -> 3: the seven steps of the paper.
#[inline(always)]
pub(crate) fn carry<S: Lanes>(s: S, [d0, d1, d2, d3, d4, d5, d6, d7]: Sums<S>) -> Fe<S> {
    // 2^128 = 2 (mod p): the sums of weight 2^128 and more are doubled and added.
    let (h0, h1) = (s.add(d0, s.shl(d4, 1)), s.add(d1, s.shl(d5, 1)));
    let (h2, h3) = (s.add(d2, s.shl(d6, 1)), s.add(d3, s.shl(d7, 1)));
    let [h0, h1, h2, h3] = up(s, [h0, h1, h2, h3]);
    // 2^127 = 1 (mod p): limb 3 keeps 31 bits. The first pass leaves limbs 0 .. 2 below 2^32; the wrap can make
    // limb 0 overflow again, hence the second pass.
    let h0 = s.add(h0, s.shr(h3, 31));
    up(s, [h0, h1, h2, s.low_bits(h3, 31)])
}

/// Carries 0 -> 1 -> 2 -> 3. The last limb keeps what it receives.
#[inline(always)]
fn up<S: Lanes>(s: S, [h0, h1, h2, h3]: Fe<S>) -> Fe<S> {
    let h1 = s.add(h1, s.shr(h0, 32));
    let h2 = s.add(h2, s.shr(h1, 32));
    let h3 = s.add(h3, s.shr(h2, 32));
    [s.low_bits(h0, 32), s.low_bits(h1, 32), s.low_bits(h2, 32), h3]
}

/// a + b, carried so that the limbs fit 32 bits; the last limb keeps what it receives.
#[inline(always)]
pub(crate) fn add<S: Lanes>(s: S, a: Fe<S>, b: Fe<S>) -> Fe<S> {
    // Unlike in radix 2^26, a sum of two full limbs has 33 bits and could not be a factor.
    up(s, [s.add(a[0], b[0]), s.add(a[1], b[1]), s.add(a[2], b[2]), s.add(a[3], b[3])])
}

/// Cuts N numbers of 128 bits, in memory order in two vectors, into four limbs of 32 bits.
#[inline(always)]
fn cut<S: Lanes>(s: S, a: S::V, b: S::V) -> Fe<S> {
    let (low, high) = (s.unpack_lo(a, b), s.unpack_hi(a, b));
    [s.low_bits(low, 32), s.shr(low, 32), s.low_bits(high, 32), s.shr(high, 32)]
}

/// Cuts N elements, two words each in memory order, into limbs per lane.
#[inline(always)]
pub(crate) fn row_in_lanes<S: Lanes>(s: S, words: &[u64; 16]) -> Fe<S> {
    cut(s, s.load_words(words), s.load_words(&words[S::N..]))
}

/// The elements of all lanes in memory: limb j of lane i is `[j][i]`. Lanes from N on are zero.
pub(crate) type Lanes4 = [[u64; 8]; 4];

/// Writes the limbs of all lanes to memory.
#[inline(always)]
pub(crate) fn store<S: Lanes>(s: S, h: Fe<S>) -> Lanes4 {
    let mut out = [[0; 8]; 4];
    s.store(h[0], &mut out[0]);
    s.store(h[1], &mut out[1]);
    s.store(h[2], &mut out[2]);
    s.store(h[3], &mut out[3]);
    out
}

/// Loads the limbs that [`store`] wrote.
#[inline(always)]
pub(crate) fn load<S: Lanes>(s: S, t: &Lanes4) -> Fe<S> {
    [s.load_words(&t[0]), s.load_words(&t[1]), s.load_words(&t[2]), s.load_words(&t[3])]
}

/// The sum of the first `n` lanes of carried limbs that [`store_pairs`] wrote, and of `more`, as two words below 2p.
#[inline(always)]
pub(crate) fn fold<W: Words>(s: W, pairs: &[[u64; 8]; 2], n: usize, more: Option<[u64; 4]>) -> [W::W; 2] {
    pack32(s, sum(s, pairs, n, more))
}

/// Radix 2^64 to radix 2^32: the halves of the words.
#[inline(always)]
pub(crate) fn limbs32<S: Words>(s: S, [w0, w1]: [S::W; 2]) -> [S::W; 4] {
    // The last limb may have bit 31 set, since w1 may reach 2^63: still a factor of 32 bits.
    [s.low_bits(w0, 32), s.shr(w0, 32), s.low_bits(w1, 32), s.shr(w1, 32)]
}

/// Radix 2^32 to radix 2^64 for limbs below 2^60. The result has w1 below 2^63 + 2^40.
#[inline(always)]
pub(crate) fn pack32<S: Words>(s: S, h: [S::W; 4]) -> [S::W; 2] {
    // Two passes, as in `carry`: what wraps at 2^127 may carry through all limbs once more.
    let [h0, h1, h2, h3] = up32(s, h);
    // 2^127 = 1
    let h0 = s.add_word(h0, s.shr(h3, 31));
    let [h0, h1, h2, h3] = up32(s, [h0, h1, h2, s.low_bits(h3, 31)]);
    [s.concat(h0, s.shl(h1, 32)), s.concat(h2, s.shl(h3, 32))]
}

/// Carries 0 -> 1 -> 2 -> 3 in radix 2^32. The last limb keeps what it receives.
#[inline(always)]
fn up32<S: Words>(s: S, [h0, h1, h2, h3]: [S::W; 4]) -> [S::W; 4] {
    let h1 = s.add_word(h1, s.shr(h0, 32));
    let h2 = s.add_word(h2, s.shr(h1, 32));
    let h3 = s.add_word(h3, s.shr(h2, 32));
    [s.low_bits(h0, 32), s.low_bits(h1, 32), s.low_bits(h2, 32), h3]
}
