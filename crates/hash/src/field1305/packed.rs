//! The layout of papers 000 and 003 (Goll and Gueron): N elements of five limbs in three vectors, for researchers who
//! want to reproduce them. The other kernels are faster.
//!
//! ```text
//! lane i of t0, t1, t2:   t_i0 + t_i2 2^32     t_i1 + t_i3 2^32     t_i4
//! halves of g0, g1:       r0 r1 r2 r3 r4 5r2 5r3 5r4                5r1 in every lane
//! ```
//!
//! With gamma = tau^N, rows D_0, D_1, .. of N blocks (zero blocks in front of D_0) and groups of lambda rows,
//!
//! ```text
//! T <- vecReduce(vecMult(gamma^lambda, T) + vecMult(gamma^(lambda-1), D_1) + .. + D_lambda)
//! ```
//!
//! and at the end lane i meets its own power (003, Algorithm 2 and section 3.2). The first vecMult is cheaper where
//! D_0 has few blocks: `packed_first`. Unlike the published code, the end carries completely and subtracts p.
//!
//! Bounds, proved by `proofs::packed`: limbs of T are below 2^26 + 2^7, for any number of rows.
use super::element::{Element, SCALAR};
use super::horner::{first_row, last_row};
use super::lanes26::{self, Fe, Key, Lanes5, Limbs, Radix26, times5};
use super::packed_first;
use super::powers::Base;
use crate::blocks::BLOCK;
use crate::lane_field::LaneField;
use carryless_lanes::{Lanes, Shuffle32, ShuffleKernel};

/// Rows that may share a reduction, as in the papers.
pub(crate) const MAX_LAMBDA: usize = 3;

/// h tau^l + C_1 tau^l + ... + C_l tau, for a message of more than `N` blocks on a machine of 4 or 8 lanes.
#[derive(Clone, Copy)]
pub(crate) struct Packed<'a> {
    /// Where to evaluate.
    pub(crate) point: &'a Base,
    /// The value so far.
    pub(crate) h: Element,
    /// The message; a short last block is padded here.
    pub(crate) msg: &'a [u8],
    /// Rows per reduction, 1 to [`MAX_LAMBDA`].
    pub(crate) lambda: usize,
}

impl ShuffleKernel for Packed<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Shuffle32>(self, s: S) -> Element {
        let (low, h) = (self.point.lane_powers(Radix26(s)), self.h.limbs26());
        let lanes = match self.lambda {
            1 => evaluate(s, &Keys::<S, 1>::new(s, low), h, self.msg),
            2 => evaluate(s, &Keys::<S, 2>::new(s, low), h, self.msg),
            _ => evaluate(s, &Keys::<S, MAX_LAMBDA>::new(s, low), h, self.msg),
        };
        Element(lanes26::fold(SCALAR, &lanes, S::N, [0; 5]))
    }
}

/// The powers of tau that an evaluation with LAMBDA rows per reduction needs.
pub(crate) struct Keys<S: Lanes, const LAMBDA: usize> {
    /// gamma^1 .. gamma^LAMBDA.
    pub(crate) gamma: [PackedKey<S>; LAMBDA],
    /// Lane powers `[tau^N .. tau]`.
    pub(crate) last: Key<S>,
}

impl<S: Shuffle32, const LAMBDA: usize> Keys<S, LAMBDA> {
    /// From the lane powers, of which lane 0 has gamma.
    #[inline(always)]
    pub(crate) fn new(s: S, low: Fe<S>) -> Self {
        let mut gamma = [PackedKey::of_lane0(s, low); LAMBDA];
        if LAMBDA > 1 {
            let first = Radix26(s).key_of_lane0(low);
            let second = lanes26::mul_carry(s, low, &first);
            gamma[1] = PackedKey::of_lane0(s, second);
            if LAMBDA > 2 {
                gamma[2] = PackedKey::of_lane0(s, lanes26::mul_carry(s, second, &first));
            }
        }
        Keys { gamma, last: Key::new(s, low) }
    }
}

/// All rows; the lanes of the result are still to be summed.
#[inline(always)]
pub(crate) fn evaluate<S: Shuffle32, const LAMBDA: usize>(
    s: S,
    keys: &Keys<S, LAMBDA>,
    h: [u64; 5],
    msg: &[u8],
) -> Lanes5 {
    // D_0 takes rho = 1 to N blocks, so that whole rows follow.
    let rho = (msg.len().div_ceil(BLOCK) - 1) % S::N + 1;
    let (head, rest) = msg.split_at(rho * BLOCK);
    let mut groups = rest.chunks(LAMBDA * S::N * BLOCK);

    let rows = groups.next().unwrap_or_default();
    let (d0, gamma) = (first_row(Radix26(s), h, head, rho), &keys.gamma[row_count(s, rows) - 1]);
    let first = if packed_first::pays(S::N, rho) {
        packed_first::mul(s, d0, rho, gamma)
    } else {
        mul(s, pack(s, d0), gamma)
    };
    let mut t = add_rows(s, first, rows, &keys.gamma);
    for rows in groups {
        let product = mul(s, t, &keys.gamma[row_count(s, rows) - 1]);
        t = add_rows(s, product, rows, &keys.gamma);
    }
    lanes26::store(s, lanes26::carry(s, lanes26::mul(s, unpack(s, t), &keys.last)))
}

/// How many rows these bytes are; the last block may be short.
#[inline(always)]
fn row_count<S: Lanes>(_: S, rows: &[u8]) -> usize {
    rows.len().div_ceil(S::N * BLOCK)
}

/// vecReduce(d + D_1 gamma^(n-1) + .. + D_(n-1) gamma + D_n) for n rows.
#[inline(always)]
pub(crate) fn add_rows<S: Shuffle32, const LAMBDA: usize>(
    s: S,
    mut d: Fe<S>,
    rows: &[u8],
    gamma: &[PackedKey<S>; LAMBDA],
) -> Three<S> {
    let mut after = row_count(s, rows) - 1;
    let (between, last) = rows.split_at(after * S::N * BLOCK);
    for row in between.chunks_exact(S::N * BLOCK) {
        d = lanes26::add(s, d, mul(s, pack(s, Radix26(s).whole_row(row)), &gamma[after - 1]));
        after -= 1;
    }
    reduce(s, lanes26::add(s, d, last_row(Radix26(s), last)))
}

/// N elements in three vectors.
pub(crate) type Three<S> = [<S as Lanes>::V; 3];

/// The same multiplier for all lanes, in two vectors.
#[derive(Clone, Copy)]
pub(crate) struct PackedKey<S: Lanes> {
    /// r0 r1 r2 r3 r4 5r2 5r3 5r4, from the first half on.
    pub(crate) g0: S::V,
    /// 5r1 in the low half of every lane (in the papers in both; the high ones are not read).
    pub(crate) g1: S::V,
    /// 5r1 .. 5r4, r0 .. r4, one by one.
    pub(crate) words: [u64; 9],
}

impl<S: Shuffle32> PackedKey<S> {
    /// From the element in lane 0.
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
        let even = s.load_words(&[r0, r2, r4, s3, 0, 0, 0, 0]);
        let odd = s.load_words(&[r1, r3, s2, s4, 0, 0, 0, 0]);
        PackedKey { g0: s.blend32(even, s.shl(odd, 32)), g1: s.splat(s1), words }
    }
}

#[inline(always)]
fn lane0<S: Lanes>(s: S, v: S::V) -> u64 {
    let mut words = [0; 8];
    s.store(v, &mut words);
    words[0]
}

/// Limbs below 2^32 side by side.
#[inline(always)]
pub(crate) fn pack<S: Shuffle32>(s: S, [t0, t1, t2, t3, t4]: Fe<S>) -> Three<S> {
    [s.blend32(t0, s.shl(t2, 32)), s.blend32(t1, s.shl(t3, 32)), t4]
}

/// The limbs one by one.
#[inline(always)]
pub(crate) fn unpack<S: Lanes>(s: S, [t02, t13, t4]: Three<S>) -> Limbs<S> {
    [s.low32(t02), s.low32(t13), s.high32(t02), s.high32(t13), s.limb(t4)]
}

/// Halves 2i and 2i + 1 in every lane (`vpermq`).
#[inline(always)]
fn pair<S: Shuffle32>(s: S, g: S::V, i: u32) -> S::V {
    let (a, b) = (2 * i, 2 * i + 1);
    s.permute32(g, &[a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b])
}

/// The halves of each lane change places.
#[inline(always)]
fn swap<S: Shuffle32>(s: S, v: S::V) -> S::V {
    s.permute32(v, &[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14])
}

/// vecMult in the order of 000 section 3.4: 25 products, 20 sums, 9 swaps of halves and 4 moves of pairs.
///
/// ```text
/// d0 = t0 r0 + t1 5r4 + t2 5r3 + t3 5r2 + t4 5r1
/// d1 = t0 r1 + t1 r0  + t2 5r4 + t3 5r3 + t4 5r2
/// d2 = t0 r2 + t1 r1  + t2 r0  + t3 5r4 + t4 5r3
/// d3 = t0 r3 + t1 r2  + t2 r1  + t3 r0  + t4 5r4
/// d4 = t0 r4 + t1 r3  + t2 r2  + t3 r1  + t4 r0
/// ```
///
/// The multiplier reads low halves; a vector is called by the limbs in its halves, low one first. Three of the swaps
/// bring back what was there: with sixteen registers, to keep it would cost more.
#[inline(always)]
pub(crate) fn mul<S: Shuffle32>(s: S, [t02, t13, t4]: Three<S>, k: &PackedKey<S>) -> Fe<S> {
    // Steps 1 to 5: r0, r2.
    let (t0, t1, t4) = (s.low32(t02), s.low32(t13), s.limb(t4));
    let (r01, r23) = (pair(s, k.g0, 0), pair(s, k.g0, 1));
    let (r0, r2) = (s.low32(r01), s.low32(r23));
    let (d0, d1, d4) = (s.mul32(t0, r0), s.mul32(t1, r0), s.mul32(t4, r0));
    let (d2, d3) = (s.mul32(t0, r2), s.mul32(t1, r2));
    // 6 to 9: r1, r3.
    let (r10, r32) = (swap(s, r01), swap(s, r23));
    let (r1, r3) = (s.low32(r10), s.low32(r32));
    let (d1, d2) = (s.add(d1, s.mul32(t0, r1)), s.add(d2, s.mul32(t1, r1)));
    let (d3, d4) = (s.add(d3, s.mul32(t0, r3)), s.add(d4, s.mul32(t1, r3)));
    // 10: r4.
    let r4s2 = pair(s, k.g0, 2);
    let d4 = s.add(d4, s.mul32(t0, s.low32(r4s2)));
    // 11 and 12: 5r2.
    let (t31, s2) = (swap(s, t13), s.low32(swap(s, r4s2)));
    let (t2, t3) = (s.low32(swap(s, t02)), s.low32(t31));
    let (d0, d1) = (s.add(d0, s.mul32(t3, s2)), s.add(d1, s.mul32(t4, s2)));
    // 13 to 17: r1, r0, r2.
    let (d3, d4) = (s.add(d3, s.mul32(t2, r1)), s.add(d4, s.mul32(t3, r1)));
    let (r0, r2) = (s.low32(swap(s, r10)), s.low32(swap(s, r32)));
    let (d2, d3) = (s.add(d2, s.mul32(t2, r0)), s.add(d3, s.mul32(t3, r0)));
    let d4 = s.add(d4, s.mul32(t2, r2));
    // 18 to 20: 5r3.
    let s34 = pair(s, k.g0, 3);
    let s3 = s.low32(s34);
    let (d0, d1, d2) = (s.add(d0, s.mul32(t2, s3)), s.add(d1, s.mul32(t3, s3)), s.add(d2, s.mul32(t4, s3)));
    // 21 to 24: 5r4.
    let (s4, t1) = (s.low32(swap(s, s34)), s.low32(swap(s, t31)));
    let (d3, d1) = (s.add(d3, s.mul32(t4, s4)), s.add(d1, s.mul32(t2, s4)));
    let (d2, d0) = (s.add(d2, s.mul32(t3, s4)), s.add(d0, s.mul32(t1, s4)));
    // 25: 5r1.
    [s.add(d0, s.mul32(t4, s.low32(k.g1))), d1, d2, d3, d4]
}

/// vecReduce (000 section 3.5): the chains 0 -> 1 -> 2 -> 3 -> 4 and 3 -> 4 -> 0 -> 1, then two blends.
#[inline(always)]
pub(crate) fn reduce<S: Shuffle32>(s: S, [d0, d1, d2, d3, d4]: Fe<S>) -> Three<S> {
    let (d1, d0) = (s.add(d1, s.shr(d0, 26)), s.low_bits(d0, 26));
    let (d4, d3) = (s.add(d4, s.shr(d3, 26)), s.low_bits(d3, 26));
    let (d2, d1) = (s.add(d2, s.shr(d1, 26)), s.low_bits(d1, 26));
    // 2^130 = 5
    let over = s.mul32(s.limb(s.shr(d4, 26)), s.limb(s.splat(5)));
    let (d0, d4) = (s.add(d0, over), s.low_bits(d4, 26));
    let (d3, d2) = (s.add(d3, s.shr(d2, 26)), s.low_bits(d2, 26));
    let (d1, d0) = (s.add(d1, s.shr(d0, 26)), s.low_bits(d0, 26));
    let (d4, d3) = (s.add(d4, s.shr(d3, 26)), s.low_bits(d3, 26));
    pack(s, [d0, d1, d2, d3, d4])
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Rng, value, weird_element};
    use super::*;
    use carryless_lanes::{Cpu, Portable};

    /// On the portable machines of 4 and 8 lanes, and on those of this CPU that move halves.
    fn check(rng: &mut Rng, len: usize, lambda: usize) {
        let (key, msg, h) = (rng.key(), rng.bytes(len), weird_element(rng));
        let point = Base { tau: Element::from_bytes(&key), clamped: false };
        let kernel = Packed { point: &point, h, msg: &msg, lambda };
        let want = value(&key, h, &msg);
        assert_eq!(
            Portable::<4>.call_shuffle(kernel).freeze(),
            want,
            "{len} bytes, lambda {lambda}, 4 lanes"
        );
        if len > 8 * BLOCK {
            let got = Portable::<8>.call_shuffle(kernel).freeze();
            assert_eq!(got, want, "{len} bytes, lambda {lambda}, 8 lanes");
        }
        for cpu in Cpu::available().filter(|cpu| len > cpu.lanes() * BLOCK) {
            if let Some(got) = cpu.call_shuffle(kernel) {
                assert_eq!(got.freeze(), want, "{len} bytes, lambda {lambda}, {}", cpu.name());
            }
        }
    }

    #[test]
    fn every_length() {
        let mut rng = Rng(20);
        for len in 4 * BLOCK + 1..1100 {
            for lambda in 1..=MAX_LAMBDA {
                check(&mut rng, len, lambda);
            }
        }
    }
}
