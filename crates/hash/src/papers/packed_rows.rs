//! Papers 000 and 003: messages in the layout of `packed`, by Goll and Gueron's algorithm and by the balanced one.
//!
//! With gamma = tau^N and groups of lambda rows of N blocks, both compute
//!
//! ```text
//! T <- vecReduce(vecMult(gamma^lambda, T) + vecMult(gamma^(lambda-1), D_1) + .. + D_lambda)
//! ```
//!
//! At the end each lane is multiplied by its own power, T [tau^N .. tau], and the lanes are summed (003, sections 3
//! and 3.2).
//!
//! [`Packed`] has zero blocks in front of D_0, so that every row is whole (003, Algorithm 2); the first vecMult is
//! cheaper where D_0 has few blocks (`packed_first`). [`GollGueron`] absorbs whole rows and then the tail in parts
//! of some blocks, each packed anew (003, Algorithm 1, step 7; 000, section 3.3). Unlike the published code, the
//! end carries completely and subtracts p.
use super::packed::{PackedKey, Three, mul, pack, reduce, unpack};
use super::packed_first;
use crate::base::block_rows::{but_last_block, from_block, lane_of_block, word_in_lane};
use crate::base::blocks::{BLOCK, tail_words};
use crate::choose::plan::{FirstProduct, MAX_LAMBDA};
use crate::eval::horner::{first_row, last_row};
use crate::eval::p1305::powers::Base;
use crate::eval::powers::Powers;
use crate::field::LaneField;
use crate::field::lane_sums::store_pairs;
use crate::field::one_lane::SCALAR;
use crate::field::p1305::element::Element;
use crate::field::p1305::lanes26::{self, Fe, Key, Limbs, Radix26};
use carryless_lanes::{Lanes, Shuffle32, ShuffleKernel};

/// The evaluation h tau^l + C_1 tau^l + ... + C_l tau of a message that is not empty, on a backend of 4 or 8 lanes.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    /// The point tau, without precomputed powers.
    pub(crate) point: &'a Base,
    /// The value of the blocks absorbed before, below 2p; zero for a new message.
    pub(crate) h: Element,
    /// The message. A short last block is padded while it is loaded.
    pub(crate) msg: &'a [u8],
    /// Rows per reduction, 1 to [`MAX_LAMBDA`].
    pub(crate) lambda: usize,
}

/// Evaluation with zero blocks in front (003, Algorithm 2).
#[derive(Clone, Copy)]
pub(crate) struct Packed<'a>(pub(crate) Work<'a>, pub(crate) FirstProduct);

/// Evaluation of whole rows and then a tail (003, Algorithm 1).
#[derive(Clone, Copy)]
pub(crate) struct GollGueron<'a>(pub(crate) Work<'a>);

impl ShuffleKernel for Packed<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Shuffle32>(self, s: S) -> Element {
        let Packed(Work { point, h, msg, lambda }, first) = self;
        let (low, h) = (point.lane_powers(Radix26(s)), h.limbs26());
        let last = Key::new(s, low);
        folded(
            s,
            match lambda {
                1 => balanced::<S, 1>(s, Gammas::OfLane0(low), &last, h, msg, first),
                2 => balanced::<S, 2>(s, Gammas::OfLane0(low), &last, h, msg, first),
                3 => balanced::<S, 3>(s, Gammas::OfLane0(low), &last, h, msg, first),
                _ => balanced::<S, MAX_LAMBDA>(s, Gammas::OfLane0(low), &last, h, msg, first),
            },
        )
    }
}

impl ShuffleKernel for GollGueron<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Shuffle32>(self, s: S) -> Element {
        let Work { point, h, msg, lambda } = self.0;
        let (low, h) = (point.lane_powers(Radix26(s)), h.limbs26());
        let last = Key::new(s, low);
        folded(
            s,
            match lambda {
                1 => with_tail::<S, 1>(s, Gammas::OfLane0(low), &last, h, msg),
                2 => with_tail::<S, 2>(s, Gammas::OfLane0(low), &last, h, msg),
                3 => with_tail::<S, 3>(s, Gammas::OfLane0(low), &last, h, msg),
                _ => with_tail::<S, MAX_LAMBDA>(s, Gammas::OfLane0(low), &last, h, msg),
            },
        )
    }
}

/// The sum of the lanes of carried limbs, as one element below 2p.
#[inline(always)]
fn folded<S: Lanes>(s: S, t: Fe<S>) -> Element {
    Element(lanes26::fold(SCALAR, &store_pairs(s, t), S::N, None))
}

/// The multipliers gamma to gamma^LAMBDA, computed late because a message of one row needs none.
#[derive(Clone, Copy)]
pub(crate) enum Gammas<S: Lanes, const LAMBDA: usize> {
    /// The lane powers `[tau^N .. tau]`, of which lane 0 holds gamma. Costs one vector product for
    /// each multiplier beyond the first.
    OfLane0(Fe<S>),
    /// The multipliers themselves, which proofs name.
    #[cfg(test)]
    Ready([PackedKey<S>; LAMBDA]),
}

impl<S: Shuffle32, const LAMBDA: usize> Gammas<S, LAMBDA> {
    /// gamma^1 to gamma^LAMBDA in the packed layout.
    #[inline(always)]
    pub(crate) fn multipliers(self, s: S) -> [PackedKey<S>; LAMBDA] {
        match self {
            Gammas::OfLane0(powers) => multipliers(s, powers),
            #[cfg(test)]
            Gammas::Ready(multipliers) => multipliers,
        }
    }
}

/// gamma^1 to gamma^LAMBDA from lane powers, of which lane 0 holds gamma.
#[inline(always)]
fn multipliers<S: Shuffle32, const LAMBDA: usize>(s: S, powers: Fe<S>) -> [PackedKey<S>; LAMBDA] {
    let mut gamma = [PackedKey::of_lane0(s, powers); LAMBDA];
    if LAMBDA > 1 {
        let first = Radix26(s).key(Radix26(s).lane0(powers));
        // gamma^(i+1) is lane 0 of gamma^i [tau^N .. tau]; the other lanes are not used.
        let mut power = powers;
        let mut i = 1;
        while i < LAMBDA {
            power = lanes26::mul_carry(s, power, &first);
            gamma[i] = PackedKey::of_lane0(s, power);
            i += 1;
        }
    }
    gamma
}

/// Algorithm 2 of paper 003. Returns carried lanes whose sum is the value.
#[inline(always)]
pub(crate) fn balanced<S: Shuffle32, const LAMBDA: usize>(
    s: S,
    gammas: Gammas<S, LAMBDA>,
    last: &Key<S>,
    h: [u64; 5],
    msg: &[u8],
    first: FirstProduct,
) -> Fe<S> {
    // D_0 takes rho = 1 to N blocks, so that all later rows are whole.
    let rho = (msg.len().div_ceil(BLOCK) - 1) % S::N + 1;
    let (head, rest) = msg.split_at(msg.len().min(rho * BLOCK));
    let d0 = head_row(s, h, head, rho);
    if rest.is_empty() {
        return times_lane_powers(s, lanes26::limbs(s, d0), last);
    }
    let gamma = gammas.multipliers(s);
    let mut groups = rest.chunks(LAMBDA * S::N * BLOCK);
    let rows = groups.next().unwrap_or_default();
    // Invariant: t is D_0 and the rows so far, reduced. Each group multiplies it by gamma^(rows of the group).
    let product = packed_first::first_product(s, d0, rho, &gamma[row_count(s, rows) - 1], first);
    let mut t = add_rows(s, product, rows, &gamma);
    for rows in groups {
        let product = mul(s, t, &gamma[row_count(s, rows) - 1]);
        t = add_rows(s, product, rows, &gamma);
    }
    times_lane_powers(s, unpack(s, t), last)
}

/// Algorithm 1 of paper 003. Returns carried lanes whose sum is the value.
///
/// As 000 (sections 3.3 and 4.2) describes the code, a short last block never shares a row with whole rows. The tail
/// goes in parts of N/2, N/4, .. 1 whole blocks and then the short one: 32, 16 and up to 15 bytes on four lanes.
#[inline(always)]
pub(crate) fn with_tail<S: Shuffle32, const LAMBDA: usize>(
    s: S,
    gammas: Gammas<S, LAMBDA>,
    last: &Key<S>,
    h: [u64; 5],
    msg: &[u8],
) -> Fe<S> {
    let (rows, mut rest) = msg.split_at(msg.len() - msg.len() % (S::N * BLOCK));
    let mut t = if rows.is_empty() {
        // No whole row: the first part below adds h to its first block.
        lanes26::in_lane(s, h, 0)
    } else {
        balanced(s, gammas, last, h, rows, FirstProduct::Usual)
    };
    // Each part folds all lanes before its blocks, which costs a full product and a reduction for at most N/2
    // blocks. Zero blocks in front avoid exactly this.
    let mut blocks = S::N / 2;
    while blocks > 0 {
        if rest.len() >= blocks * BLOCK {
            let (part, after) = rest.split_at(blocks * BLOCK);
            t = part_of_tail(s, t, Radix26(s).first_row(part), blocks, last);
            rest = after;
        }
        blocks /= 2;
    }
    if rest.is_empty() { t } else { part_of_tail(s, t, short_head(s, rest, 1), 1, last) }
}

/// Absorbs n blocks, the last n of a row: (P + C_1) tau^n + C_2 tau^(n-1) + .. + C_n tau, where P is
/// the sum of the lanes.
#[inline(always)]
fn part_of_tail<S: Shuffle32>(s: S, t: Fe<S>, blocks: Fe<S>, n: usize, last: &Key<S>) -> Fe<S> {
    let packed = lanes26::add(s, blocks, sum_in_lane(s, t, lane_of_block(S::N, S::N - n)));
    times_lane_powers(s, lanes26::limbs(s, packed), last)
}

/// The sum of all lanes in lane `lane`, zero in the others.
#[inline(always)]
fn sum_in_lane<S: Shuffle32>(s: S, t: Fe<S>, lane: usize) -> Fe<S> {
    let place = word_in_lane(s, u64::MAX, lane);
    let [t0, t1, t2, t3, t4] = t;
    [
        s.select(sum_everywhere(s, t0), place),
        s.select(sum_everywhere(s, t1), place),
        s.select(sum_everywhere(s, t2), place),
        s.select(sum_everywhere(s, t3), place),
        s.select(sum_everywhere(s, t4), place),
    ]
}

/// The sum of all lanes in every lane: log2 N rotations and sums.
#[inline(always)]
fn sum_everywhere<S: Shuffle32>(s: S, t: S::V) -> S::V {
    let turns = const { &turns(S::N) };
    // Every lane ends with the whole sum, so that the mask below can pick any of them.
    let mut sum = t;
    let mut lanes = S::N / 2;
    while lanes > 0 {
        sum = s.add(sum, s.permute32(sum, &turns[lanes]));
        lanes /= 2;
    }
    sum
}

/// `turns[k]` rotates n lanes by k: lane i is read from lane i + k mod n.
const fn turns(n: usize) -> [[u32; 16]; 5] {
    let (mut turns, mut k) = ([[0; 16]; 5], 0);
    while k < 5 {
        let mut half = 0;
        while half < 2 * n {
            turns[k][half] = ((half + 2 * k) % (2 * n)) as u32;
            half += 1;
        }
        k += 1;
    }
    turns
}

/// T [tau^N .. tau], carried: each lane meets its own power.
#[inline(always)]
pub(crate) fn times_lane_powers<S: Shuffle32>(s: S, t: Limbs<S>, last: &Key<S>) -> Fe<S> {
    lanes26::carry(s, lanes26::mul(s, t, last))
}

/// The first row: zero blocks, then the `rho` blocks of `head`, of which the last may be short. h is added
/// to the first of these.
#[inline(always)]
pub(crate) fn head_row<S: Shuffle32>(s: S, h: [u64; 5], head: &[u8], rho: usize) -> Fe<S> {
    if head.len() == rho * BLOCK {
        return first_row(Radix26(s), Some(h), head, rho);
    }
    let lane = lane_of_block(S::N, S::N - rho);
    lanes26::add(s, short_head(s, head, rho), lanes26::in_lane(s, h, lane))
}

/// A row of zero blocks and then `rho` blocks with their pads, of which the last is short.
#[inline(always)]
fn short_head<S: Lanes>(s: S, head: &[u8], rho: usize) -> Fe<S> {
    let (whole, tail) = head.split_at((rho - 1) * BLOCK);
    let words = whole.len() / 8;
    let late = words.min(S::N - 2);
    let (early, late) = whole.split_at(8 * (words - late));
    let [before_early, before_late] = [S::N - early.len() / 8, S::N - 2 - late.len() / 8];
    // The short block takes the last two words of the row; its pad is in them, so its bit 2^128 stays clear below.
    let [low, high] = tail_words(tail);
    let short = s.concat(word_in_lane(s, low, S::N - 2), word_in_lane(s, high, S::N - 1));
    let a = s.load_part(early, before_early, S::N - before_early);
    let b = s.concat(s.load_part(late, before_late, S::N - 2 - before_late), short);
    let [m0, m1, m2, m3, m4] = lanes26::cut(s, a, b);
    let pads = s.select(from_block(s, 1 << 24, S::N - rho), but_last_block(s, u64::MAX));
    [m0, m1, m2, m3, s.concat(m4, pads)]
}

/// The number of rows in these bytes, the last of which may end in a short block.
#[inline(always)]
fn row_count<S: Lanes>(_: S, rows: &[u8]) -> usize {
    rows.len().div_ceil(S::N * BLOCK)
}

/// Absorbs n rows: vecReduce(d + D_1 gamma^(n-1) + .. + D_(n-1) gamma + D_n). n - 1 vecMults share one reduction.
#[inline(always)]
pub(crate) fn add_rows<S: Shuffle32, const LAMBDA: usize>(
    s: S,
    mut d: Fe<S>,
    rows: &[u8],
    gamma: &[PackedKey<S>; LAMBDA],
) -> Three<S> {
    // `after` counts the rows behind the present one: row D_i meets gamma^after, and the last one no product.
    let mut after = row_count(s, rows) - 1;
    let (between, last) = rows.split_at(after * S::N * BLOCK);
    for row in between.chunks_exact(S::N * BLOCK) {
        d = lanes26::add(s, d, mul(s, pack(s, Radix26(s).whole_row(row)), &gamma[after - 1]));
        after -= 1;
    }
    reduce(s, lanes26::add(s, d, last_row(Radix26(s), last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::p1305::testing::{Rng, sample, value, weird_element};
    use carryless_lanes::{Cpu, Portable};

    /// On the portable backends of 4 and 8 lanes, and on those of this CPU that move halves.
    fn check(kernel: impl ShuffleKernel<Out = Element> + Copy, want: [u64; 3], what: &str) {
        assert_eq!(Portable::<4>.call_shuffle(kernel).freeze(), want, "{what}, 4 lanes");
        assert_eq!(Portable::<8>.call_shuffle(kernel).freeze(), want, "{what}, 8 lanes");
        for cpu in Cpu::available() {
            if let Some(got) = cpu.shuffles().call(kernel) {
                assert_eq!(got.freeze(), want, "{what}, {}", cpu.name());
            }
        }
    }

    /// Both algorithms, from any value, with every first product.
    #[test]
    fn every_length() {
        let mut rng = Rng(20);
        for len in sample(1..1500) {
            let (key, msg, h) = (rng.key(), rng.bytes(len), weird_element(&mut rng));
            let point = Base { tau: Element::from_bytes(&key), clamped: false };
            let want = value(&key, h, &msg);
            for lambda in 1..=MAX_LAMBDA {
                let (work, what) = (Work { point: &point, h, msg: &msg, lambda }, (len, lambda));
                for first in FirstProduct::ALL {
                    check(Packed(work, first), want, &std::format!("{what:?}, {first:?}"));
                }
                check(GollGueron(work), want, &std::format!("{what:?}, with a tail"));
            }
        }
    }
}
