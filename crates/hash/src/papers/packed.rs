//! The layout of papers 000 and 003 (Goll and Gueron): N elements of five limbs in three vectors, for researchers
//! who want to reproduce them. The other kernels are faster.
//!
//! ```text
//! lane i of t0, t1, t2:   t_i0 + t_i2 2^32     t_i1 + t_i3 2^32     t_i4
//! halves of g0, g1:       r0 r1 r2 r3 r4 5r2 5r3 5r4                5r1 in every lane
//! ```
//!
//! `packed_rows` evaluates messages with it, `packed_first` has the first products of the papers. Bounds, proved by
//! `proofs::packed` for any number of rows: limbs of T are below 2^26 + 2^7 with up to three rows for a reduction,
//! and below 2^26 + 2^8 with four.
use crate::field::p1305::lanes26::{Fe, Limbs, times5};
use carryless_lanes::{Lanes, Shuffle32};

/// N elements in three vectors: limbs 0 and 2, limbs 1 and 3, limb 4. Limbs are below 2^32.
pub(crate) type Three<S> = [<S as Lanes>::V; 3];

/// One multiplier for all lanes, in two vectors.
#[derive(Clone, Copy)]
pub(crate) struct PackedKey<S: Lanes> {
    /// r0 r1 r2 r3 r4 5r2 5r3 5r4, from the first half on; on eight lanes then 5r1.
    pub(crate) g0: S::V,
    /// 5r1 in the low half of every lane (in the papers in both; the high ones are not read).
    pub(crate) g1: S::V,
    /// 5r1 .. 5r4, r0 .. r4 as words: the sequence K of `packed_first`.
    pub(crate) words: [u64; 9],
}

impl<S: Shuffle32> PackedKey<S> {
    /// The multiplier from the element in lane 0, with limbs below 2^29 so that 5 r fits 32 bits.
    #[inline(always)]
    pub(crate) fn of_lane0(s: S, [r0, r1, r2, r3, r4]: Fe<S>) -> Self {
        let words = [
            lane0(s, times5(s, r1)),
            lane0(s, times5(s, r2)),
            lane0(s, times5(s, r3)),
            lane0(s, times5(s, r4)),
            lane0(s, r0),
            lane0(s, r1),
            lane0(s, r2),
            lane0(s, r3),
            lane0(s, r4),
        ];
        let [s1, s2, s3, s4, r0, r1, r2, r3, r4] = words;
        // The even halves of g0, 5r1 of eight lanes at their end, and then the odd ones.
        let even = s.load_words(&[r0, r2, r4, s3, s1, 0, 0, 0]);
        let odd = s.load_words(&[r1, r3, s2, s4, 0, 0, 0, 0]);
        PackedKey { g0: s.blend32(even, s.shl(odd, 32)), g1: s.splat(s1), words }
    }
}

/// The word in lane 0, read through memory.
#[inline(always)]
fn lane0<S: Lanes>(s: S, v: S::V) -> u64 {
    let mut words = [0; 8];
    s.store(v, &mut words);
    words[0]
}

/// Packs limbs below 2^32 two to a lane: two shifts and two blends.
#[inline(always)]
pub(crate) fn pack<S: Shuffle32>(s: S, [t0, t1, t2, t3, t4]: Fe<S>) -> Three<S> {
    // The blend cuts each limb to 32 bits: one that was not carried would lose its top without an error.
    [s.blend32(t0, s.shl(t2, 32)), s.blend32(t1, s.shl(t3, 32)), t4]
}

/// Unpacks the limbs to multiplicands, one vector each.
#[inline(always)]
pub(crate) fn unpack<S: Lanes>(s: S, [t02, t13, t4]: Three<S>) -> Limbs<S> {
    [s.low32(t02), s.low32(t13), s.high32(t02), s.high32(t13), s.limb(t4)]
}

/// Copies halves 2i and 2i + 1 to every lane (`vpermq`).
#[inline(always)]
fn pair<S: Shuffle32>(s: S, g: S::V, i: u32) -> S::V {
    let (a, b) = (2 * i, 2 * i + 1);
    s.permute32(g, &[a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b])
}

/// Swaps the two halves of each lane.
#[inline(always)]
fn swap<S: Shuffle32>(s: S, v: S::V) -> S::V {
    s.permute32(v, &[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14])
}

/// vecMult in the order of paper 000, section 3.4: 25 products, 20 sums, 9 swaps of halves and 4
/// moves of pairs. Not carried.
///
/// ```text
/// d0 = t0 r0 + t1 5r4 + t2 5r3 + t3 5r2 + t4 5r1
/// d1 = t0 r1 + t1 r0  + t2 5r4 + t3 5r3 + t4 5r2
/// d2 = t0 r2 + t1 r1  + t2 r0  + t3 5r4 + t4 5r3
/// d3 = t0 r3 + t1 r2  + t2 r1  + t3 r0  + t4 5r4
/// d4 = t0 r4 + t1 r3  + t2 r2  + t3 r1  + t4 r0
/// ```
///
/// The multiplier reads low halves. A vector is named by the limbs in its halves, low one first. Three of the swaps
/// undo an earlier one: with sixteen registers, keeping both would cost more.
#[inline(always)]
pub(crate) fn mul<S: Shuffle32>(s: S, [t02, t13, t4]: Three<S>, k: &PackedKey<S>) -> Fe<S> {
    // Steps 1 to 5 of section 3.4: products by r0 and r2.
    let (t0, t1, t4) = (s.low32(t02), s.low32(t13), s.limb(t4));
    let (r01, r23) = (pair(s, k.g0, 0), pair(s, k.g0, 1));
    let (r0, r2) = (s.low32(r01), s.low32(r23));
    let (d0, d1, d4) = (s.mul32(t0, r0), s.mul32(t1, r0), s.mul32(t4, r0));
    let (d2, d3) = (s.mul32(t0, r2), s.mul32(t1, r2));
    // Steps 6 to 9: products by r1 and r3.
    let (r10, r32) = (swap(s, r01), swap(s, r23));
    let (r1, r3) = (s.low32(r10), s.low32(r32));
    let (d1, d2) = (s.add(d1, s.mul32(t0, r1)), s.add(d2, s.mul32(t1, r1)));
    let (d3, d4) = (s.add(d3, s.mul32(t0, r3)), s.add(d4, s.mul32(t1, r3)));
    // Step 10: the product by r4.
    let r4s2 = pair(s, k.g0, 2);
    let d4 = s.add(d4, s.mul32(t0, s.low32(r4s2)));
    // Steps 11 and 12: products by 5r2.
    let (t31, s2) = (swap(s, t13), s.low32(swap(s, r4s2)));
    let (t2, t3) = (s.low32(swap(s, t02)), s.low32(t31));
    let (d0, d1) = (s.add(d0, s.mul32(t3, s2)), s.add(d1, s.mul32(t4, s2)));
    // Steps 13 to 17: r1, r0 and r2 again, now with the upper halves t2 and t3.
    let (d3, d4) = (s.add(d3, s.mul32(t2, r1)), s.add(d4, s.mul32(t3, r1)));
    let (r0, r2) = (s.low32(swap(s, r10)), s.low32(swap(s, r32)));
    let (d2, d3) = (s.add(d2, s.mul32(t2, r0)), s.add(d3, s.mul32(t3, r0)));
    let d4 = s.add(d4, s.mul32(t2, r2));
    // Steps 18 to 20: products by 5r3.
    let s34 = pair(s, k.g0, 3);
    let s3 = s.low32(s34);
    let (d0, d1, d2) = (s.add(d0, s.mul32(t2, s3)), s.add(d1, s.mul32(t3, s3)), s.add(d2, s.mul32(t4, s3)));
    // Steps 21 to 24: products by 5r4.
    let (s4, t1) = (s.low32(swap(s, s34)), s.low32(swap(s, t31)));
    let (d3, d1) = (s.add(d3, s.mul32(t4, s4)), s.add(d1, s.mul32(t2, s4)));
    let (d2, d0) = (s.add(d2, s.mul32(t3, s4)), s.add(d0, s.mul32(t1, s4)));
    // Step 25: the product by 5r1.
    [s.add(d0, s.mul32(t4, s.low32(k.g1))), d1, d2, d3, d4]
}

/// vecReduce (paper 000, section 3.5): the chains 0 -> 1 -> 2 -> 3 -> 4 and 3 -> 4 -> 0 -> 1, then two blends. The
/// carry out of limb 4 must be below 2^32, because it is multiplied as a 32-bit half.
#[inline(always)]
pub(crate) fn reduce<S: Shuffle32>(s: S, [d0, d1, d2, d3, d4]: Fe<S>) -> Three<S> {
    let (d1, d0) = (s.add(d1, s.shr(d0, 26)), s.low_bits(d0, 26));
    let (d4, d3) = (s.add(d4, s.shr(d3, 26)), s.low_bits(d3, 26));
    let (d2, d1) = (s.add(d2, s.shr(d1, 26)), s.low_bits(d1, 26));
    // 2^130 = 5 (mod p), here by a multiplication, as in the paper.
    let over = s.mul32(s.limb(s.shr(d4, 26)), s.limb(s.splat(5)));
    let (d0, d4) = (s.add(d0, over), s.low_bits(d4, 26));
    let (d3, d2) = (s.add(d3, s.shr(d2, 26)), s.low_bits(d2, 26));
    let (d1, d0) = (s.add(d1, s.shr(d0, 26)), s.low_bits(d0, 26));
    let (d4, d3) = (s.add(d4, s.shr(d3, 26)), s.low_bits(d3, 26));
    pack(s, [d0, d1, d2, d3, d4])
}
