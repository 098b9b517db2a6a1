//! Poly1305 of many short messages, each under its own clamped key: one lane per message, radix 2^32.
//!
//! RFC 8439, section 2.5 clears the top four bits of every word of r and the low two bits of all but the first. So
//! r has four limbs below 2^28, and 5 r_i / 4 is an integer for i > 0. With 2^130 = 5 a product takes 20 products
//! of limbs instead of the 25 of radix 2^26. The message needs no cutting, and the multiplier reads the low half of
//! a lane by itself, so most carries need no mask.
//!
//! Lane i evaluates message i by Horner's rule, one block a step. The lanes end together: a message with fewer
//! blocks than the longest starts with zero blocks, which are the field's zero and leave its value at zero. Two
//! groups of N messages alternate, because the latency of a step is longer than its work.
//!
//! Per step and group: 2 unpackings, 9 operations for the message, 20 products, 15 sums, 16 operations to carry.
//! Only the steps before every message has begun, and the last one, look at lengths, which are public.
use super::evaluate::split;
use super::steps::{OddBlocks, Plan, WIDEST};
use crate::base::block_rows::lane_of_block;
use crate::base::blocks::BLOCK;
use crate::base::tag::Tag;
use crate::field::p1305::lanes26::times5;
use carryless_lanes::{Kernel, Lanes};

/// Poly1305 tags of messages under one-time keys, `2N` at a time; a remainder of fewer is left unchanged.
///
/// Each `2N` take as long as the longest of them.
pub(crate) struct Batch<'a> {
    /// One-time keys r || s, 32 bytes each.
    pub(crate) keys: &'a [[u8; 32]],
    /// The messages, one for each key.
    pub(crate) msgs: &'a [&'a [u8]],
    /// The tags, one for each message; each is overwritten.
    pub(crate) tags: &'a mut [Tag],
}

impl Kernel for Batch<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) {
        // The slices have equal length, so all three leave out the same remainder.
        let keys = self.keys.chunks_exact(2 * S::N);
        let msgs = self.msgs.chunks_exact(2 * S::N);
        let tags = self.tags.chunks_exact_mut(2 * S::N);
        for ((keys, msgs), tags) in keys.zip(msgs).zip(tags) {
            mac(s, keys, msgs, tags);
        }
    }
}

/// Writes the tags of 2N messages, which should have similar lengths.
#[inline(always)]
fn mac<S: Lanes>(s: S, keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    // The halves r lie apart in the keys. Side by side they load like a row of blocks.
    let mut r = [[0; BLOCK]; WIDEST];
    let mut i = 0;
    while i < 2 * S::N {
        r[i] = clamp_bytes(&keys[i]);
        i += 1;
    }
    let digests = digests(s, &r, msgs);
    let mut i = 0;
    while i < 2 * S::N {
        // The digests are in the order of lanes; the second group of N starts at WIDEST / 2.
        let lane = lane_of_block(S::N, i % S::N) + i / S::N * (WIDEST / 2);
        let digest = u128::from(digests[0][lane]) | u128::from(digests[1][lane]) << 64;
        let mask = u128::from_le_bytes(*split(&keys[i]).1);
        // The sum wraps on purpose: RFC 8439, section 2.5 adds s modulo 2^128.
        tags[i] = Tag::from(digest.wrapping_add(mask).to_le_bytes());
        i += 1;
    }
}

/// The first half of a one-time key with the 22 bits cleared that RFC 8439, section 2.5 requires.
#[inline(always)]
fn clamp_bytes(key: &[u8; 32]) -> [u8; BLOCK] {
    let r = u128::from_le_bytes(*split(key).0);
    (r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff).to_le_bytes()
}

/// Canonical residues modulo 2^128, low words and high words. Message j of the first group is at `lane_of_block(N,
/// j)`, of the second group `WIDEST / 2` places later.
pub(crate) type Digests = [[u64; WIDEST]; 2];

/// The digests of 2N messages, each under its own clamped r: the residue modulo p, then modulo 2^128.
#[inline(always)]
pub(crate) fn digests<S: Lanes>(s: S, r: &[[u8; BLOCK]; WIDEST], msgs: &[&[u8]]) -> Digests {
    let p = Key::new(s, words(s, r.as_flattened()));
    let q = Key::new(s, words(s, r[S::N..].as_flattened()));
    let (a, b) = evaluate(s, &p, &q, &msgs[..2 * S::N]);
    let (a, b) = (digest(s, a), digest(s, b));
    let mut out = [[0; WIDEST]; 2];
    s.store(a[0], &mut out[0]);
    s.store(a[1], &mut out[1]);
    s.store(b[0], &mut out[0][WIDEST / 2..]);
    s.store(b[1], &mut out[1][WIDEST / 2..]);
    out
}

/// Low words and high words of N blocks. Block j is in lane `lane_of_block(N, j)`.
pub(crate) type Pair<S> = [<S as Lanes>::V; 2];

/// Five sums per lane, radix 2^32, lowest first. Of carried limbs h0 .. h3 only the low 32 bits count, and
/// h4 is at most 4.
pub(crate) type Sums<S> = [<S as Lanes>::V; 5];

/// Loads N blocks from consecutive bytes as low words and high words.
#[inline(always)]
pub(crate) fn words<S: Lanes>(s: S, blocks: &[u8]) -> Pair<S> {
    let blocks = &blocks[..BLOCK * S::N];
    let (a, b) = (s.load(blocks), s.load(&blocks[8 * S::N..]));
    [s.unpack_lo(a, b), s.unpack_hi(a, b)]
}

/// One clamped key per lane: four limbs below 2^28, and 5/4 of the upper three, below 2^28.33.
pub(crate) struct Key<S: Lanes> {
    r: [S::L; 4],
    s: [S::L; 3],
}

impl<S: Lanes> Key<S> {
    #[inline(always)]
    pub(crate) fn new(s: S, [low, high]: Pair<S>) -> Self {
        // Clamping made r1, r2 and r3 multiples of 4, so the shifts by 2 below lose nothing.
        let (r1, r2, r3) = (s.shr(low, 32), s.low_bits(high, 32), s.shr(high, 32));
        Key {
            r: [s.low32(low), s.limb(r1), s.limb(r2), s.limb(r3)],
            s: [
                s.limb(s.add(r1, s.shr(r1, 2))),
                s.limb(s.add(r2, s.shr(r2, 2))),
                s.limb(s.add(r3, s.shr(r3, 2))),
            ],
        }
    }
}

/// Evaluates two groups of N messages, each lane under its own key. The sums returned are carried but not canonical.
#[inline(always)]
pub(crate) fn evaluate<S: Lanes>(s: S, p: &Key<S>, q: &Key<S>, msgs: &[&[u8]]) -> (Sums<S>, Sums<S>) {
    let (mut a, mut b) = ([s.splat(0); 5], [s.splat(0); 5]);
    let plan = Plan::new(msgs);
    // Invariant: of each message at most the last `left` blocks are still to be absorbed.
    let mut left = plan.steps;
    while left > 0 {
        let mut odd;
        // Steps in which every lane has a whole block run without a look at lengths. The others, at the ends, go
        // through `OddBlocks`.
        let (whole, pads, run) = if left == plan.whole_from && plan.common > 0 {
            (plan.whole(msgs), [s.splat(1); 2], plan.common)
        } else {
            odd = OddBlocks::NONE;
            odd.fill(msgs, left, S::N);
            (odd.each(), [s.load_words(&odd.pads), s.load_words(&odd.pads[S::N..])], 1)
        };
        let (first, second) = whole.split_at(S::N);
        let mut i = 0;
        while i < run {
            // The groups are independent, so the products of one hide the latency of the other's carries.
            a = horner(s, a, row(s, first, i), pads[0], p);
            b = horner(s, b, row(s, second, i), pads[1], q);
            i += 1;
        }
        left -= run;
    }
    // The last products are not carried yet; `digest` needs h4 at most 4.
    (carry(s, a), carry(s, b))
}

/// (h + m + 2^128 pads) r, not carried, for h that is not carried either. All sums stay below 2^63.
#[inline(always)]
pub(crate) fn horner<S: Lanes>(
    s: S,
    [h0, h1, h2, h3, h4]: Sums<S>,
    m: Pair<S>,
    pads: S::V,
    r: &Key<S>,
) -> Sums<S> {
    let [low, high] = m;
    let h = [
        s.add(h0, s.low_bits(low, 32)),
        s.add(h1, s.shr(low, 32)),
        s.add(h2, s.low_bits(high, 32)),
        s.add(h3, s.shr(high, 32)),
        s.add(h4, pads),
    ];
    // One carry chain for both the last product and the addition of the block.
    mul(s, carry(s, h), r)
}

/// One column of a product: the sum of the products of the given pairs.
macro_rules! column {
    ($s:ident; $h:ident $r:ident $(, $x:ident $y:ident)+) => {{
        let mut d = $s.mul32($h, $r);
        $( d = $s.add(d, $s.mul32($x, $y)); )+
        d
    }};
}

/// h r for carried h, not carried: 20 multiplications, 15 sums. s_i = 5 r_i / 4, because 2^128 r_i = 5 r_i / 4
/// (mod p) for r_i divisible by 4:
///
/// ```text
/// d0 = h0 r0 + h1 s3 + h2 s2 + h3 s1
/// d1 = h0 r1 + h1 r0 + h2 s3 + h3 s2 + h4 s1
/// d2 = h0 r2 + h1 r1 + h2 r0 + h3 s3 + h4 s2
/// d3 = h0 r3 + h1 r2 + h2 r1 + h3 r0 + h4 s3
/// d4 = h4 r0
/// ```
#[inline(always)]
fn mul<S: Lanes>(s: S, [h0, h1, h2, h3, h4]: Sums<S>, k: &Key<S>) -> Sums<S> {
    let ([r0, r1, r2, r3], [s1, s2, s3]) = (k.r, k.s);
    // `low32` ignores what carries left in the upper halves; h4 is at most 4 and has none.
    let (h0, h1, h2, h3, h4) = (s.low32(h0), s.low32(h1), s.low32(h2), s.low32(h3), s.limb(h4));
    [
        column!(s; h0 r0, h1 s3, h2 s2, h3 s1),
        column!(s; h0 r1, h1 r0, h2 s3, h3 s2, h4 s1),
        column!(s; h0 r2, h1 r1, h2 r0, h3 s3, h4 s2),
        column!(s; h0 r3, h1 r2, h2 r1, h3 r0, h4 s3),
        s.mul32(h4, r0),
    ]
}

/// Carries 3 -> 4 -> 0 -> 1 -> 2 -> 3 -> 4. Sums below 2^63 become limbs of 32 bits, h4 at most 4. What is above 32
/// bits in h0 .. h3 stays in the high half of the lane, which `mul32` ignores.
#[inline(always)]
fn carry<S: Lanes>(s: S, [d0, d1, d2, d3, d4]: Sums<S>) -> Sums<S> {
    let d4 = s.add(d4, s.shr(d3, 32));
    // Limb 4 has weight 2^128, so d4 >> 2 counts multiples of 2^130 = 5 (mod p). Starting at limb 3 folds the top
    // before the long chain.
    let d0 = s.add(d0, times5(s, s.shr(d4, 2)));
    let d1 = s.add(d1, s.shr(d0, 32));
    let d2 = s.add(d2, s.shr(d1, 32));
    // Only limb 3 needs its mask here: its upper half was already passed to limb 4.
    let d3 = s.add(s.low_bits(d3, 32), s.shr(d2, 32));
    let d4 = s.add(s.low_bits(d4, 2), s.shr(d3, 32));
    [d0, d1, d2, d3, d4]
}

/// Loads block `i` of each message of a group, one per lane.
#[inline(always)]
fn row<S: Lanes>(s: S, blocks: &[&[[u8; BLOCK]]], i: usize) -> Pair<S> {
    // Blocks of N messages lie apart in memory, so a buffer gathers them for one load.
    let mut row = [0; BLOCK * WIDEST / 2];
    let mut j = 0;
    while j < S::N {
        row[BLOCK * j..BLOCK * (j + 1)].copy_from_slice(&blocks[j][i]);
        j += 1;
    }
    words(s, &row)
}

/// The canonical residue of each lane modulo 2^128: low words, high words.
///
/// Carried limbs are below 2^130 + 2^128 < 2p. So q = floor((h + 5) / 2^130) is 1 exactly if h >= p, and
/// subtracting q p is adding 5 q modulo 2^130. No branch and no comparison.
#[inline(always)]
pub(crate) fn digest<S: Lanes>(s: S, [h0, h1, h2, h3, h4]: Sums<S>) -> Pair<S> {
    let (h0, h1, h2, h3) = (s.low_bits(h0, 32), s.low_bits(h1, 32), s.low_bits(h2, 32), s.low_bits(h3, 32));
    // Only the carry of h + 5 into bit 130 is needed, so the limbs of this sum are not kept.
    let q = s.add(h1, s.shr(s.add(h0, s.splat(5)), 32));
    let q = s.add(h2, s.shr(q, 32));
    let q = s.add(h3, s.shr(q, 32));
    let q = s.shr(s.add(h4, s.shr(q, 32)), 2);
    // Bits from 2^130 on need no mask: h4 is dropped, since a digest has 128 bits.
    let h0 = s.add(h0, times5(s, q));
    let h1 = s.add(h1, s.shr(h0, 32));
    let h2 = s.add(h2, s.shr(h1, 32));
    let h3 = s.add(h3, s.shr(h2, 32));
    [
        s.concat(s.low_bits(h0, 32), s.shl(s.low_bits(h1, 32), 32)),
        s.concat(s.low_bits(h2, 32), s.shl(s.low_bits(h3, 32), 32)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::p1305::testing::{Rng, everywhere, sample};

    /// Tags of messages of these lengths, repeated in turn, on all backends.
    fn check(rng: &mut Rng, lengths: &[usize]) {
        let keys: [[u8; 32]; WIDEST] = core::array::from_fn(|_| core::array::from_fn(|_| rng.next() as u8));
        let bytes: [_; WIDEST] = core::array::from_fn(|i| rng.bytes(lengths[i % lengths.len()]));
        let msgs: [&[u8]; WIDEST] = core::array::from_fn(|i| &bytes[i][..]);
        let want: [_; WIDEST] = core::array::from_fn(|i| carryless_reference::poly1305(&keys[i], msgs[i]));
        everywhere(Tags { keys: &keys, msgs: &msgs }, |name, tags| {
            for (i, tag) in tags.iter().enumerate() {
                assert_eq!(tag.to_bytes(), want[i], "message {i} on {name}, lengths {lengths:?}");
            }
        });
    }

    #[derive(Clone, Copy)]
    struct Tags<'a> {
        keys: &'a [[u8; 32]; WIDEST],
        msgs: &'a [&'a [u8]; WIDEST],
    }

    impl Kernel for Tags<'_> {
        type Out = [Tag; WIDEST];

        #[inline(always)]
        fn run<S: Lanes>(self, s: S) -> [Tag; WIDEST] {
            let mut tags = [Tag::from([0; 16]); WIDEST];
            Batch { keys: self.keys, msgs: self.msgs, tags: &mut tags }.run(s);
            tags
        }
    }

    #[test]
    fn equal_lengths() {
        let mut rng = Rng(1);
        for len in sample(0..700) {
            check(&mut rng, &[len]);
        }
    }

    #[test]
    fn unequal_lengths() {
        let mut rng = Rng(2);
        for _ in sample(0..2000) {
            let longest = [1, 16, 17, 40, 200][rng.next() as usize % 5];
            let lengths: [_; WIDEST] = core::array::from_fn(|_| rng.next() as usize % (longest + 1));
            check(&mut rng, &lengths);
        }
    }

    /// The last reduction alone, of one element in every lane.
    #[derive(Clone, Copy)]
    struct Freeze([u64; 5]);

    impl Kernel for Freeze {
        type Out = u128;

        #[inline(always)]
        fn run<S: Lanes>(self, s: S) -> u128 {
            let [h0, h1, h2, h3, h4] = self.0;
            let [low, high] = digest(s, [s.splat(h0), s.splat(h1), s.splat(h2), s.splat(h3), s.splat(h4)]);
            let mut words = [[0; WIDEST / 2]; 2];
            s.store(low, &mut words[0]);
            s.store(high, &mut words[1]);
            assert!(words.iter().all(|w| w[..S::N].iter().all(|&x| x == w[0])));
            u128::from(words[0][0]) | u128::from(words[1][0]) << 64
        }
    }

    /// Limbs around 0, p and 2^130, in every way that a carry chain may leave them.
    #[test]
    fn last_reduction_at_the_borders() {
        use carryless_reference::{BigUint, P1305};
        const TOP: u64 = (1 << 32) - 1;
        let low = [0, 1, 4, 5, 6, TOP - 6, TOP - 5, TOP - 4, TOP - 1, TOP];
        let middle = [0, 1, TOP - 1, TOP];
        for i in sample(0..low.len() * middle.len()) {
            let (h0, h1) = (low[i / middle.len()], middle[i % middle.len()]);
            for (h2, h3) in middle.into_iter().flat_map(|h2| middle.map(|h3| (h2, h3))) {
                for h4 in 0..=4 {
                    let limbs = [h0, h1, h2, h3, h4];
                    let value = limbs.iter().rev().fold(BigUint::ZERO, |sum, &h| (sum << 32u32) + h);
                    let want = value % P1305.p() % (BigUint::from(1u8) << 128u32);
                    // The high halves of the lower limbs do not count.
                    let junk = limbs.map(|h| if h == h4 { h } else { h | 0xabc << 32 });
                    for limbs in [limbs, [junk[0], junk[1], junk[2], junk[3], h4]] {
                        everywhere(Freeze(limbs), |name, digest| {
                            assert_eq!(BigUint::from(digest), want, "{limbs:x?} on {name}");
                        });
                    }
                }
            }
        }
    }
}
