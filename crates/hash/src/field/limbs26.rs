//! Five limbs of radix 2^26, one element per lane, modulo 2^130 - 5 or 2^127 - 1: what both primes share.
//!
//! 2^130 = 5 modulo 2^130 - 5, so a product of limbs above the top column comes back times 5; modulo 2^127 - 1 it is
//! times 8. A product takes 25 multiplications of 32 bits, a carry 23 cheap operations. `lanes26` of each prime has
//! the bounds of the limbs.
use crate::base::block_rows::{lane_of_block, word_in_lane};
use carryless_lanes::{Lanes, Words};

/// Bits of the top limb. They name the prime, a little below 2^(104 + top): 2^130 - 5 or 2^127 - 1.
pub(crate) const TOP_1305: u32 = 26;
pub(crate) const TOP_1271: u32 = 23;

/// 2^130 x modulo the prime of `TOP`. It folds the products above the top column.
#[inline(always)]
fn times_2_130<const TOP: u32, S: Lanes>(s: S, x: S::V) -> S::V {
    // `TOP` is a constant, so the compiler decides this branch.
    if TOP == TOP_1305 { times5(s, x) } else { s.shl(x, 3) }
}

/// 2^(104 + TOP) x modulo the prime of `TOP`. It folds the carry out of the top limb.
#[inline(always)]
fn times_2_top<const TOP: u32, S: Lanes>(s: S, x: S::V) -> S::V {
    // 2^(104 + 23) = 1 modulo 2^127 - 1: the carry wraps as it is.
    if TOP == TOP_1305 { times5(s, x) } else { x }
}

/// 5 x = 4 x + x, as a shift and an addition. x must be below 2^61.
#[inline(always)]
pub(crate) fn times5<S: Lanes>(s: S, x: S::V) -> S::V {
    // Not a product: lanes of 64 bits have no multiplication on most CPUs.
    s.add(x, s.shl(x, 2))
}

/// Five limbs or sums of 64 bits per lane, lowest first: carried, a row of blocks, or a sum of products.
pub(crate) type Fe<S> = [<S as Lanes>::V; 5];

/// Five multiplicands of 32 bits per lane, lowest first.
pub(crate) type Limbs<S> = [<S as Lanes>::L; 5];

/// Multiplicands of a stored [`Key`]: r0 .. r4, 5 r1 .. 5 r4. Each takes `LIMB_WORDS` words.
pub(crate) const KEY_LIMBS: usize = 9;

/// A multiplier in every lane: its limbs r0 .. r4, and r1 .. r4 times 2^130, that is times 5, or 8 modulo 2^127 - 1.
#[derive(Clone, Copy)]
pub(crate) struct Key<S: Lanes> {
    r: Limbs<S>,
    /// 5 r1, 5 r2, 5 r3, 5 r4; modulo 2^127 - 1 8 r1 to 8 r4.
    s: [S::L; 4],
}

impl<S: Lanes> Key<S> {
    /// A multiplier per lane modulo the prime of `TOP`. The limbs of `r` must be below 2^29, so that 5 r and
    /// 8 r fit 32 bits.
    #[inline(always)]
    pub(crate) fn modulo<const TOP: u32>(s: S, r @ [_, r1, r2, r3, r4]: Fe<S>) -> Self {
        // The multiples are computed once per key, so that a product needs no step for the reduction. r0 has none:
        // h_i r0 never passes the top column.
        let (s1, s2) = (times_2_130::<TOP, S>(s, r1), times_2_130::<TOP, S>(s, r2));
        let (s3, s4) = (times_2_130::<TOP, S>(s, r3), times_2_130::<TOP, S>(s, r4));
        Key { r: limbs(s, r), s: [s.limb(s1), s.limb(s2), s.limb(s3), s.limb(s4)] }
    }

    /// Writes the key to the first `KEY_LIMBS * LIMB_WORDS` words of `out`, in this backend's layout.
    /// Panics if `out` is shorter.
    #[inline(always)]
    pub(crate) fn store(&self, s: S, out: &mut [u64]) {
        let w = S::LIMB_WORDS;
        // One check for nine stores: `w` is a constant of the backend, so all offsets below are in bounds.
        let out = &mut out[..KEY_LIMBS * w];
        s.store_limb(self.r[0], &mut out[..w]);
        s.store_limb(self.r[1], &mut out[w..]);
        s.store_limb(self.r[2], &mut out[2 * w..]);
        s.store_limb(self.r[3], &mut out[3 * w..]);
        s.store_limb(self.r[4], &mut out[4 * w..]);
        s.store_limb(self.s[0], &mut out[5 * w..]);
        s.store_limb(self.s[1], &mut out[6 * w..]);
        s.store_limb(self.s[2], &mut out[7 * w..]);
        s.store_limb(self.s[3], &mut out[8 * w..]);
    }

    /// Reads a key that [`Key::store`] wrote on the same backend. Panics if `src` is shorter.
    #[inline(always)]
    pub(crate) fn load(s: S, src: &[u64]) -> Self {
        let w = S::LIMB_WORDS;
        // One check for nine loads, as in `store`.
        let src = &src[..KEY_LIMBS * w];
        Key {
            r: [
                s.load_limb(src),
                s.load_limb(&src[w..]),
                s.load_limb(&src[2 * w..]),
                s.load_limb(&src[3 * w..]),
                s.load_limb(&src[4 * w..]),
            ],
            s: [
                s.load_limb(&src[5 * w..]),
                s.load_limb(&src[6 * w..]),
                s.load_limb(&src[7 * w..]),
                s.load_limb(&src[8 * w..]),
            ],
        }
    }
}

/// One element in every lane.
#[inline(always)]
pub(crate) fn splat<S: Lanes>(s: S, r: [u64; 5]) -> Fe<S> {
    [s.splat(r[0]), s.splat(r[1]), s.splat(r[2]), s.splat(r[3]), s.splat(r[4])]
}

/// a + b limb by limb, not carried.
#[inline(always)]
pub(crate) fn add<S: Lanes>(s: S, a: Fe<S>, b: Fe<S>) -> Fe<S> {
    [s.add(a[0], b[0]), s.add(a[1], b[1]), s.add(a[2], b[2]), s.add(a[3], b[3]), s.add(a[4], b[4])]
}

/// One column of a product: adds the products of the given pairs to a sum.
macro_rules! column {
    ($s:ident; $d:expr; $($h:ident $k:expr),+) => {{
        let mut d = $d;
        $( d = $s.add(d, $s.mul32($h, $k)); )+
        d
    }};
}

/// d + h r, not carried: 25 multiplications, 25 sums. Modulo 2^127 - 1 the factor is 8 instead of 5.
///
/// ```text
/// d0 += h0 r0 + h1 5r4 + h2 5r3 + h3 5r2 + h4 5r1
/// d1 += h0 r1 + h1 r0  + h2 5r4 + h3 5r3 + h4 5r2
/// d2 += h0 r2 + h1 r1  + h2 r0  + h3 5r4 + h4 5r3
/// d3 += h0 r3 + h1 r2  + h2 r1  + h3 r0  + h4 5r4
/// d4 += h0 r4 + h1 r3  + h2 r2  + h3 r1  + h4 r0
/// ```
#[inline(always)]
pub(crate) fn mul_add<S: Lanes>(s: S, d: Fe<S>, [h0, h1, h2, h3, h4]: Limbs<S>, k: &Key<S>) -> Fe<S> {
    // In: limbs of h and of the key below 2^32. How many products a sum may hold is for the caller to bound: a
    // carry takes 2^63.25.
    let ([r0, r1, r2, r3, r4], [s1, s2, s3, s4]) = (k.r, k.s);
    [
        column!(s; d[0]; h0 r0, h1 s4, h2 s3, h3 s2, h4 s1),
        column!(s; d[1]; h0 r1, h1 r0, h2 s4, h3 s3, h4 s2),
        column!(s; d[2]; h0 r2, h1 r1, h2 r0, h3 s4, h4 s3),
        column!(s; d[3]; h0 r3, h1 r2, h2 r1, h3 r0, h4 s4),
        column!(s; d[4]; h0 r4, h1 r3, h2 r2, h3 r1, h4 r0),
    ]
}

/// h r, not carried: 25 multiplications, 20 sums.
#[inline(always)]
pub(crate) fn mul<S: Lanes>(s: S, [h0, h1, h2, h3, h4]: Limbs<S>, k: &Key<S>) -> Fe<S> {
    // In: limbs below 2^32, as in `mul_add`. The first product of a column starts its sum: five sums fewer.
    let ([r0, r1, r2, r3, r4], [s1, s2, s3, s4]) = (k.r, k.s);
    [
        column!(s; s.mul32(h0, r0); h1 s4, h2 s3, h3 s2, h4 s1),
        column!(s; s.mul32(h0, r1); h1 r0, h2 s4, h3 s3, h4 s2),
        column!(s; s.mul32(h0, r2); h1 r1, h2 r0, h3 s4, h4 s3),
        column!(s; s.mul32(h0, r3); h1 r2, h2 r1, h3 r0, h4 s4),
        column!(s; s.mul32(h0, r4); h1 r3, h2 r2, h3 r1, h4 r0),
    ]
}

/// a^2, not carried: 15 multiplications, 10 sums, since equal products are doubled. The limbs must be below 2^29, as
/// for a [`Key`]. Modulo 2^127 - 1 the factor is 8 instead of 5.
///
/// ```text
/// d0 = a0 a0  + 2a1 5a4 + 2a2 5a3
/// d1 = 2a0 a1 + 2a2 5a4 + a3 5a3
/// d2 = 2a0 a2 + a1 a1   + 2a3 5a4
/// d3 = 2a0 a3 + 2a1 a2  + a4 5a4
/// d4 = 2a0 a4 + 2a1 a3  + a2 a2
/// ```
#[inline(always)]
pub(crate) fn square_modulo<const TOP: u32, S: Lanes>(s: S, a: Fe<S>) -> Fe<S> {
    let [a0, a1, a2, a3, a4] = limbs(s, a);
    let (s3, s4) = (s.limb(times_2_130::<TOP, S>(s, a[3])), s.limb(times_2_130::<TOP, S>(s, a[4])));
    // Doubled before they are multiplied: four sums in place of ten.
    let (b0, b1) = (s.limb(s.add(a[0], a[0])), s.limb(s.add(a[1], a[1])));
    let (b2, b3) = (s.limb(s.add(a[2], a[2])), s.limb(s.add(a[3], a[3])));
    [
        column!(s; s.mul32(a0, a0); b1 s4, b2 s3),
        column!(s; s.mul32(b0, a1); b2 s4, a3 s3),
        column!(s; s.mul32(b0, a2); a1 a1, b3 s4),
        column!(s; s.mul32(b0, a3); b1 a2, a4 s4),
        column!(s; s.mul32(b0, a4); b1 a3, a2 a2),
    ]
}

/// Converts limbs below 2^32 to multiplicands. Larger ones would lose their upper half; the analyses reject them.
#[inline(always)]
pub(crate) fn limbs<S: Lanes>(s: S, [h0, h1, h2, h3, h4]: Fe<S>) -> Limbs<S> {
    [s.limb(h0), s.limb(h1), s.limb(h2), s.limb(h3), s.limb(h4)]
}

/// Reduces limbs modulo the prime of `TOP`, for sums below 2^63.25: two interleaved chains, 3 -> 4 -> 0 -> 1 and 0 -> 1 -> 2 -> 3 -> 4.
///
/// The chains are independent until limb 0 wraps, so both advance in each step and the latency is that of the longer
/// one. 7 shifts, 7 masks, 7 sums, and a multiplication by 5 as shift and sum. No branch, whatever the limbs are.
#[inline(always)]
pub(crate) fn carry_modulo<const TOP: u32, S: Lanes>(s: S, [d0, d1, d2, d3, d4]: Fe<S>) -> Fe<S> {
    // Step 1: carries 3 -> 4 and 0 -> 1. Each step advances both chains by one, then masks the limbs that passed a
    // carry on.
    let d4 = s.add(d4, s.shr(d3, 26));
    let d1 = s.add(d1, s.shr(d0, 26));
    let (d3, d0) = (s.low_bits(d3, 26), s.low_bits(d0, 26));
    // Step 2: 4 -> 0, 1 -> 2. Modulo 2^130 - 5 the wrap adds up to 2^39.6 to limb 0, which must therefore carry
    // once more.
    let d0 = s.add(d0, times_2_top::<TOP, S>(s, s.shr(d4, TOP)));
    let d2 = s.add(d2, s.shr(d1, 26));
    let (d4, d1) = (s.low_bits(d4, TOP), s.low_bits(d1, 26));
    // Step 3: 0 -> 1, 2 -> 3. The second carry into limb 1 is at most 2^15 and stays there.
    let d1 = s.add(d1, s.shr(d0, 26));
    let d3 = s.add(d3, s.shr(d2, 26));
    let (d0, d2) = (s.low_bits(d0, 26), s.low_bits(d2, 26));
    // Step 4: 3 -> 4, the end of the longer chain.
    let d4 = s.add(d4, s.shr(d3, 26));
    // Limbs 1 and 4 end with a carry added after their mask, so these two alone may exceed 26 bits.
    let d3 = s.low_bits(d3, 26);
    [d0, d1, d2, d3, d4]
}

/// Cuts N numbers of 128 bits, in memory order in two vectors, into limbs: 26 bits each, the last 24. Lane i
/// receives number `block_of_lane(N, i)`. 2 unpackings and 10 shifts, masks and ORs.
#[inline(always)]
pub(crate) fn cut<S: Lanes>(s: S, a: S::V, b: S::V) -> Fe<S> {
    let (lo, hi) = (s.unpack_lo(a, b), s.unpack_hi(a, b));
    // Limb 2 straddles the words: bits 52 .. 63 of the low one and 0 .. 13 of the high one.
    let middle = s.concat(s.shr(lo, 52), s.shl(s.low_bits(hi, 14), 12));
    [s.low_bits(lo, 26), s.low_bits(s.shr(lo, 26), 26), middle, s.low_bits(s.shr(hi, 14), 26), s.shr(hi, 40)]
}

/// The same numbers at the weights of limbs 0, 2 and 4 only, with up to 52 bits each. That suffices for a block
/// that is only added, and saves two cuts.
#[inline(always)]
pub(crate) fn halve<S: Lanes>(s: S, a: S::V, b: S::V) -> Fe<S> {
    let (lo, hi, none) = (s.unpack_lo(a, b), s.unpack_hi(a, b), s.splat(0));
    // Limb 2 takes 12 bits of the low word and 40 of the high one: too wide for a factor, but a valid summand.
    let middle = s.concat(s.shr(lo, 52), s.shl(s.low_bits(hi, 40), 12));
    [s.low_bits(lo, 52), none, middle, none, s.shr(hi, 40)]
}

/// The elements of all lanes in memory: limb j of lane i is `[j][i]`. Lanes from N on are zero.
pub(crate) type Lanes5 = [[u64; 8]; 5];

/// Writes the limbs of all lanes to memory, for the final fold or for broadcasting lane 0.
#[inline(always)]
pub(crate) fn store<S: Lanes>(s: S, h: Fe<S>) -> Lanes5 {
    let mut out = [[0; 8]; 5];
    s.store(h[0], &mut out[0]);
    s.store(h[1], &mut out[1]);
    s.store(h[2], &mut out[2]);
    s.store(h[3], &mut out[3]);
    s.store(h[4], &mut out[4]);
    out
}

/// Loads the limbs that [`store`] wrote.
#[inline(always)]
pub(crate) fn load<S: Lanes>(s: S, t: &Lanes5) -> Fe<S> {
    [s.load_words(&t[0]), s.load_words(&t[1]), s.load_words(&t[2]), s.load_words(&t[3]), s.load_words(&t[4])]
}

/// One element in lane `lane`, zero in the others. A mask selects the lane, so there is no branch on it.
#[inline(always)]
pub(crate) fn in_lane<S: Lanes>(s: S, [h0, h1, h2, h3, h4]: [u64; 5], lane: usize) -> Fe<S> {
    [
        word_in_lane(s, h0, lane),
        word_in_lane(s, h1, lane),
        word_in_lane(s, h2, lane),
        word_in_lane(s, h3, lane),
        word_in_lane(s, h4, lane),
    ]
}

/// The element with limbs `limbs[b]` in the lane of block b, for b < N.
#[inline(always)]
pub(crate) fn arrange<S: Lanes>(s: S, limbs: &[[u64; 5]]) -> Fe<S> {
    // Blocks are not in the order of lanes: `unpack` puts the halves of a row into alternate lanes.
    let mut t: Lanes5 = [[0; 8]; 5];
    let mut b = 0;
    while b < S::N {
        let lane = lane_of_block(S::N, b);
        t[0][lane] = limbs[b][0];
        t[1][lane] = limbs[b][1];
        t[2][lane] = limbs[b][2];
        t[3][lane] = limbs[b][3];
        t[4][lane] = limbs[b][4];
        b += 1;
    }
    load(s, &t)
}

/// Copies each even lane 2i of a to lane 2i, and that of b to lane 2i + 1.
#[inline(always)]
pub(crate) fn alternate<S: Lanes>(s: S, [a0, a1, a2, a3, a4]: Fe<S>, [b0, b1, b2, b3, b4]: Fe<S>) -> Fe<S> {
    [s.unpack_lo(a0, b0), s.unpack_lo(a1, b1), s.unpack_lo(a2, b2), s.unpack_lo(a3, b3), s.unpack_lo(a4, b4)]
}

/// Copies each odd lane 2i + 1 to lanes 2i and 2i + 1.
#[inline(always)]
pub(crate) fn odds<S: Lanes>(s: S, [a0, a1, a2, a3, a4]: Fe<S>) -> Fe<S> {
    [s.unpack_hi(a0, a0), s.unpack_hi(a1, a1), s.unpack_hi(a2, a2), s.unpack_hi(a3, a3), s.unpack_hi(a4, a4)]
}

/// Radix 2^26 to radix 2^64, not reduced, for limbs below 2^62: three words, the upper one below 2^40.
#[inline(always)]
pub(crate) fn to_words<W: Words>(s: W, [h0, h1, h2, h3, h4]: [W::W; 5]) -> [W::W; 3] {
    // h0 + 2^26 h1 + 2^52 h2 is below 2^115. The other two limbs begin at bits 78 = 64 + 14 and 104 = 64 + 40.
    let low = s.add(s.add(s.widen(h0), shifted(s, h1, 26)), shifted(s, h2, 52));
    let high = s.add(s.add(shifted(s, h3, 14), shifted(s, h4, 40)), s.widen(s.high(low)));
    [s.low(low), s.low(high), s.high(high)]
}

/// 2^k x in 128 bits, for k below 64.
#[inline(always)]
fn shifted<W: Words>(s: W, x: W::W, k: u32) -> W::D {
    // The mask keeps exactly the bits that stay in the low word.
    s.wide(s.shl(s.low_bits(x, 64 - k), k), s.shr(x, 64 - k))
}
