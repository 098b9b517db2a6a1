//! Many short messages, each under its own point: a lane per message, radix 2^26.
//!
//! Lane i evaluates message i by Horner's rule, one block a step. The lanes end together: a message with fewer
//! blocks than the longest starts with zero blocks, which are the field's zero and leave its value at zero. Two
//! groups of N messages take turns, because a step waits longer for its own result than it works.
//!
//! Per step and group: 4 loads of N/2 blocks, 2 unpackings, 9 operations to cut limbs, 25 products, 25 sums and the
//! carry chain. Only the first and the last step look at lengths, which are public.
use super::lanes26::{self, Fe, Key, lane_of_block};
use crate::blocks::BLOCK;
use crate::poly1305::split;
use crate::tag::Tag;
use carryless_lanes::{Kernel, Lanes};

/// Messages that the widest machine takes at once: two groups of eight.
pub(crate) const WIDEST: usize = 16;

/// Messages that a machine takes at once.
pub(crate) struct Width;

impl Kernel for Width {
    type Out = usize;

    #[inline(always)]
    fn run<S: Lanes>(self, _: S) -> usize {
        2 * S::N
    }
}

/// The Poly1305 tags of the messages that `order` lists.
pub(crate) struct Batch<'a> {
    /// One-time keys.
    pub(crate) keys: &'a [[u8; 32]],
    /// Messages, as many as keys.
    pub(crate) msgs: &'a [&'a [u8]],
    /// Tags, as many as keys.
    pub(crate) tags: &'a mut [Tag],
    /// Indices; each `2N` of them work as long as their longest message.
    pub(crate) order: &'a [u8],
}

impl Kernel for Batch<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) {
        let Batch { keys, msgs, tags, order } = self;
        for group in order.chunks(2 * S::N) {
            // Lanes left over repeat the last message.
            let mut lanes = [0; WIDEST];
            let mut lane = 0;
            while lane < 2 * S::N {
                lanes[lane] = usize::from(group[lane.min(group.len() - 1)]);
                lane += 1;
            }
            mac(s, &lanes, keys, msgs, tags);
        }
    }
}

/// The tags of the messages with these indices.
#[inline(always)]
fn mac<S: Lanes>(s: S, lanes: &[usize; WIDEST], keys: &[[u8; 32]], msgs: &[&[u8]], tags: &mut [Tag]) {
    let mut points = [[0; BLOCK]; WIDEST];
    let mut texts: [&[u8]; WIDEST] = [&[]; WIDEST];
    let mut i = 0;
    while i < 2 * S::N {
        points[i] = clamp_bytes(&keys[lanes[i]]);
        texts[i] = msgs[lanes[i]];
        i += 1;
    }
    let (p, q) = points.split_at(S::N);
    let (p, q) = (Key::new(s, group_points(s, p)), Key::new(s, group_points(s, q)));
    let (a, b) = evaluate(s, &p, &q, &texts);
    let (a, b) = (digest(s, a), digest(s, b));
    let mut j = 0;
    while j < S::N {
        let lane = lane_of_block(S::N, j);
        add_s(&a, lane, lanes[j], keys, tags);
        add_s(&b, lane, lanes[S::N + j], keys, tags);
        j += 1;
    }
}

#[inline(always)]
fn add_s(digests: &Digests, lane: usize, i: usize, keys: &[[u8; 32]], tags: &mut [Tag]) {
    let s = u128::from_le_bytes(*split(&keys[i]).1);
    let digest = u128::from(digests[0][lane]) | u128::from(digests[1][lane]) << 64;
    tags[i] = Tag::from(digest.wrapping_add(s).to_le_bytes());
}

/// RFC 8439 clears 22 bits of r.
#[inline(always)]
fn clamp_bytes(key: &[u8; 32]) -> [u8; BLOCK] {
    let r = u128::from_le_bytes(*split(key).0);
    (r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff).to_le_bytes()
}

/// Message j of a group in lane `lane_of_block(N, j)`.
#[inline(always)]
fn group_points<S: Lanes>(s: S, points: &[[u8; BLOCK]]) -> Fe<S> {
    let points = &points[..S::N];
    lanes26::blocks(s, points.as_flattened())
}

/// Residues modulo 2^128 of the lanes: low words, high words.
type Digests = [[u64; WIDEST / 2]; 2];

/// The blocks of 2N messages, aligned at their ends.
struct Plan<'a> {
    /// The messages.
    msgs: &'a [&'a [u8]],
    /// Steps: the blocks of the longest message.
    steps: usize,
    /// Steps before the first that has a whole block in every lane.
    lead: usize,
    /// Whole blocks of each message in steps `lead ..`, as many as all have.
    whole: [&'a [[u8; BLOCK]]; WIDEST],
    /// How many those are.
    common: usize,
}

impl<'a> Plan<'a> {
    #[inline(always)]
    fn new(msgs: &'a [&'a [u8]]) -> Self {
        let (mut steps, mut fewest, mut any_short) = (0, usize::MAX, false);
        for msg in msgs {
            let blocks = msg.len().div_ceil(BLOCK);
            steps = steps.max(blocks);
            fewest = fewest.min(blocks);
            any_short |= msg.len() % BLOCK != 0;
        }
        let common = fewest.saturating_sub(usize::from(any_short));
        let mut whole: [&[[u8; BLOCK]]; WIDEST] = [&[]; WIDEST];
        if common > 0 {
            for (whole, msg) in whole.iter_mut().zip(msgs) {
                let from = msg.len().div_ceil(BLOCK) - fewest;
                *whole = &msg.as_chunks().0[from..from + common];
            }
        }
        Plan { msgs, steps, lead: steps - fewest, whole, common }
    }
}

/// The values of all messages; limbs as [`lanes26::carry`] leaves them.
#[inline(always)]
fn evaluate<S: Lanes>(s: S, p: &Key<S>, q: &Key<S>, msgs: &[&[u8]; WIDEST]) -> (Fe<S>, Fe<S>) {
    let plan = Plan::new(&msgs[..2 * S::N]);
    let (mut a, mut b) = ([s.splat(0); 5], [s.splat(0); 5]);
    let (first, second) = plan.whole.split_at(S::N);
    let mut step = 0;
    loop {
        if step == plan.lead {
            let mut i = 0;
            while i < plan.common {
                a = horner(s, a, whole_row(s, first, i), p);
                b = horner(s, b, whole_row(s, second, i), q);
                i += 1;
            }
            step += plan.common;
        }
        if step == plan.steps {
            break;
        }
        a = horner(s, a, odd_row(s, &plan, 0, step), p);
        b = horner(s, b, odd_row(s, &plan, S::N, step), q);
        step += 1;
    }
    (a, b)
}

/// (h + m) tau, carried.
#[inline(always)]
fn horner<S: Lanes>(s: S, h: Fe<S>, m: Fe<S>, tau: &Key<S>) -> Fe<S> {
    lanes26::mul_carry(s, lanes26::add(s, h, m), tau)
}

/// Block `i` of each message of a group, with pad bits.
#[inline(always)]
fn whole_row<S: Lanes>(s: S, whole: &[&[[u8; BLOCK]]], i: usize) -> Fe<S> {
    let mut row = [0; BLOCK * WIDEST / 2];
    let mut j = 0;
    while j < S::N {
        row[BLOCK * j..BLOCK * (j + 1)].copy_from_slice(&whole[j][i]);
        j += 1;
    }
    let [m0, m1, m2, m3, m4] = lanes26::blocks(s, &row);
    [m0, m1, m2, m3, s.concat(m4, s.splat(1 << 24))]
}

/// What the N messages from `from` on bring in `step`: nothing yet, a whole block or a short one.
#[inline(always)]
fn odd_row<S: Lanes>(s: S, plan: &Plan<'_>, from: usize, step: usize) -> Fe<S> {
    let mut row = [0; BLOCK * WIDEST / 2];
    let mut pads = [0; WIDEST / 2];
    let mut j = 0;
    while j < S::N {
        let msg = plan.msgs[from + j];
        let empty = plan.steps - msg.len().div_ceil(BLOCK);
        if step >= empty {
            let (block, pad) = padded(msg, step - empty);
            row[BLOCK * j..BLOCK * (j + 1)].copy_from_slice(&block.to_le_bytes());
            pads[lane_of_block(S::N, j)] = pad << 24;
        }
        j += 1;
    }
    let [m0, m1, m2, m3, m4] = lanes26::blocks(s, &row);
    [m0, m1, m2, m3, s.concat(m4, s.load_words(&pads))]
}

/// Block `i` of `msg`, and the pad bit of weight 2^128: one after a whole block, zero after a short one, whose
/// pad bit stands inside. Reads only inside the message, without a copy of variable length.
#[inline(always)]
fn padded(msg: &[u8], i: usize) -> (u128, u64) {
    if let Some(block) = msg.as_chunks::<BLOCK>().0.get(i) {
        return (u128::from_le_bytes(*block), 1);
    }
    let rest = msg.len() % BLOCK;
    let tail = if let Some(last) = msg.last_chunk::<16>() {
        u128::from_le_bytes(*last) >> (8 * (BLOCK - rest))
    } else if let (Some(a), Some(b)) = (msg.first_chunk::<8>(), msg.last_chunk::<8>()) {
        // The two overlap and agree where they do.
        u128::from(u64::from_le_bytes(*a)) | u128::from(u64::from_le_bytes(*b)) << (8 * (rest - 8))
    } else if let (Some(a), Some(b)) = (msg.first_chunk::<4>(), msg.last_chunk::<4>()) {
        u128::from(u32::from_le_bytes(*a)) | u128::from(u32::from_le_bytes(*b)) << (8 * (rest - 4))
    } else {
        let at = |i: usize| u128::from(msg[i]) << (8 * i);
        at(0) | at(rest / 2) | at(rest - 1)
    };
    (tail | 1 << (8 * rest), 0)
}

/// The residue below p of each lane modulo 2^128.
///
/// h is below 2^130 + 2^116 < 2p, so q = floor((h + 5) / 2^130) is 1 exactly if h >= p, and h - q p = h + 5q modulo
/// 2^130.
#[inline(always)]
fn digest<S: Lanes>(s: S, [h0, h1, h2, h3, h4]: Fe<S>) -> Digests {
    let mut q = s.shr(s.add(h0, s.splat(5)), 26);
    q = s.shr(s.add(h1, q), 26);
    q = s.shr(s.add(h2, q), 26);
    q = s.shr(s.add(h3, q), 26);
    q = s.shr(s.add(h4, q), 26);
    let h0 = s.add(h0, lanes26::times5(s, q));
    let h1 = s.add(h1, s.shr(h0, 26));
    let h2 = s.add(h2, s.shr(h1, 26));
    let h3 = s.add(h3, s.shr(h2, 26));
    let h4 = s.add(h4, s.shr(h3, 26));
    // 2^130 falls away with the bits above 2^128.
    let low = s.concat(s.low_bits(h0, 26), s.shl(s.low_bits(h1, 26), 26));
    let low = s.concat(low, s.shl(s.low_bits(h2, 12), 52));
    let high = s.concat(s.low_bits(s.shr(h2, 12), 14), s.shl(s.low_bits(h3, 26), 14));
    let high = s.concat(high, s.shl(s.low_bits(h4, 24), 40));
    let mut out = [[0; WIDEST / 2]; 2];
    s.store(low, &mut out[0]);
    s.store(high, &mut out[1]);
    out
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Rng, everywhere};
    use super::*;

    /// Messages of these lengths, repeated in turn, on all machines.
    fn check(rng: &mut Rng, lengths: &[usize]) {
        let points = core::array::from_fn(|_| rng.key());
        let bytes: [_; WIDEST] = core::array::from_fn(|i| rng.bytes(lengths[i % lengths.len()]));
        let msgs = core::array::from_fn(|i| &bytes[i][..]);
        everywhere(Batch { points: &points, msgs: &msgs }, |name, lanes, digests| {
            for i in 0..2 * lanes {
                let want = carryless_reference::polyhash1305(&points[i], msgs[i]);
                assert_eq!(digests[i].to_le_bytes(), want, "message {i} on {name}, lengths {lengths:?}");
            }
        });
    }

    #[test]
    fn equal_lengths() {
        let mut rng = Rng(1);
        for len in 0..700 {
            check(&mut rng, &[len]);
        }
    }

    #[test]
    fn unequal_lengths() {
        let mut rng = Rng(2);
        for _ in 0..2000 {
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
            let mut digests = [0; WIDEST];
            digest(s, [s.splat(h0), s.splat(h1), s.splat(h2), s.splat(h3), s.splat(h4)], &mut digests);
            assert!(digests[..S::N].iter().all(|&d| d == digests[0]));
            digests[0]
        }
    }

    /// Limbs around 0, p and 2^130, in every way that a carry chain may leave them.
    #[test]
    fn last_reduction_at_the_borders() {
        use carryless_reference::{BigUint, P1305};
        const TOP: u64 = (1 << 26) - 1;
        let small = [0, 1, 4, 5, 6, TOP - 6, TOP - 5, TOP - 4, TOP - 1, TOP];
        let wide = [0, 1, TOP - 1, TOP, TOP + 1, TOP + 2047, TOP + 2048];
        for h0 in small {
            for h1 in wide {
                for h2 in [0, TOP - 1, TOP] {
                    for h3 in [0, TOP - 1, TOP] {
                        for h4 in wide {
                            let limbs = [h0, h1, h2, h3, h4];
                            let value = limbs.iter().rev().fold(BigUint::ZERO, |sum, &h| (sum << 26u32) + h);
                            let want = value % P1305.p() % (BigUint::from(1u8) << 128u32);
                            everywhere(Freeze(limbs), |name, _, digest| {
                                assert_eq!(BigUint::from(digest), want, "{limbs:x?} on {name}");
                            });
                        }
                    }
                }
            }
        }
    }
}
