//! Experiment on how much the time of decapsulation differs between keys, apart from ciphertexts.
//!
//! Timing two fixed keys cannot tell: each has ciphertexts of its own, and a million calls measure two keys,
//! not a million. Here each process deals [`KEYS`] new keys and encapsulates each of [`MESSAGES`] messages to
//! every key. It times all pairs in random order. The [analysis](super::variance) bounds the deviation
//! between keys, in cycles, and says how much belongs to messages and ciphertexts. The parts of decapsulation
//! that read the key are timed apart.
use super::subjects::{self, Random, SLOTS};
use crate::clock::Clock;
use crate::stats::median;
use carryless_hqc::parts::{KeySupportOf, Parts, Prepared, RingOf, SeedOf, Space};
use carryless_hqc::{Array, Ciphertext, ClmulCpu, DecapsulationKey, ParameterSet, Scheme};
use std::hint::black_box;

/// Number of keys of a process, the rows of its table of times.
pub(super) const KEYS: usize = 64;

/// Number of messages, the columns of the table. Each is encapsulated to every key.
pub(super) const MESSAGES: usize = 16;

/// Quantile of the times of a cell, a key and a message. Longer times are interrupts and do not count.
const CROP: f64 = 0.95;

/// The part of decapsulation that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Part {
    /// The whole decapsulation of a ciphertext
    Decapsulation,
    /// The positions of y, sampled from their seed
    Positions,
    /// The ring element y, made from its positions
    Vector,
    /// The preparation of y for products
    Preparation,
    /// The product of u and y
    Product,
    /// The decoder of v - u y
    Decoder,
}

/// The keys that a process deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Choice {
    /// Random keys, new ones in each process
    Random,
    /// One key, dealt as if there were many: a deviation belongs to the experiment
    Same,
    /// The same keys in all processes: what is common to all belongs to a key's data, the rest to where a
    /// process keeps it
    Fixed,
    /// Half with the most zero cache lines of y, half with the fewest, of many candidates
    ZeroLines,
    /// Half with the most ones of y that share a word, half with the fewest, of many candidates
    Pairs,
}

/// Number of random keys from which [`Choice::ZeroLines`] and [`Choice::Pairs`] select the extremes.
const CANDIDATES: usize = 100_000;

/// A key, and the secret values that decapsulation derives from it.
struct Dealt<K: Scheme> {
    key: DecapsulationKey<K>,
    secret: SeedOf<K>,
    positions: KeySupportOf<K>,
    y: RingOf<K>,
}

/// The inputs of one call. Calls read them from here, so that no address belongs to a key.
struct Slot<K: Scheme> {
    key: DecapsulationKey<K>,
    ciphertext: Ciphertext<K>,
    secret: SeedOf<K>,
    positions: KeySupportOf<K>,
    y: RingOf<K>,
    u: RingOf<K>,
    prepared: Prepared<K>,
    received: carryless_hqc::parts::CodeOf<K>,
    /// Multiplications that delay the call: the planted leak. 0 if there is none.
    delay: u64,
}

/// The experiment of one process.
pub(super) struct Experiment<K: Scheme> {
    part: Part,
    parts: Parts<K>,
    keys: Vec<Dealt<K>>,
    ciphertexts: Vec<Vec<Ciphertext<K>>>,
    slots: Vec<Slot<K>>,
    space: Space<K>,
    /// The key at each place. Each process draws it anew, so that no place belongs to a key.
    order: Vec<usize>,
    /// The planted delay of the key at each place, in multiplications.
    delays: Vec<u64>,
}

impl<K: Scheme> Experiment<K> {
    /// Deals keys and encapsulates to them. `plant` is the standard deviation between keys, in
    /// multiplications of three cycles, of the delay that half of the keys get.
    pub(super) fn new(cpu: ClmulCpu, part: Part, choice: Choice, plant: u64, random: &mut Random) -> Self {
        let parts = Parts::<K>::on(cpu);
        let seeds = seeds(cpu, &parts, choice, random);
        let mut order: Vec<usize> = (0..KEYS).collect();
        shuffle(&mut order, random);
        let keys: Vec<Dealt<K>> = order.iter().map(|&key| deal(cpu, &parts, &seeds[key])).collect();
        let messages: Vec<_> = (0..MESSAGES).map(|_| (random.bytes(), random.bytes())).collect();
        let encapsulate = |dealt: &Dealt<K>| {
            let key = dealt.key.encapsulation_key();
            messages.iter().map(|(message, salt)| key.encapsulate_deterministic(message, salt).0).collect()
        };
        let ciphertexts: Vec<Vec<Ciphertext<K>>> = keys.iter().map(encapsulate).collect();
        let slot = || Slot {
            // Placeholders. `fill` replaces those that the timed part reads.
            key: keys[0].key.clone(),
            ciphertext: ciphertexts[0][0],
            secret: keys[0].secret,
            positions: keys[0].positions,
            y: keys[0].y,
            u: RingOf::<K>::zeroed(),
            prepared: parts.prepare(&keys[0].y, &mut parts.space()),
            received: Array::zeroed(),
            delay: 0,
        };
        let slots = (0..SLOTS).map(|_| slot()).collect();
        // A delay of 2 d for half of the keys has the standard deviation d. These keys come in pairs, while
        // the halves of a choice are the even and the odd keys, so that the delay is independent of the
        // choice.
        let delays = order.iter().map(|key| if key / 2 % 2 == 1 { 2 * plant } else { 0 }).collect();
        Experiment { part, parts, keys, ciphertexts, slots, space: parts.space(), order, delays }
    }

    /// Times each pair of a key and a message `rounds` times, each round in a random order. Returns the ticks
    /// at `[key][message]`, without drift and interrupts.
    pub(super) fn run(&mut self, clock: &Clock, rounds: usize, random: &mut Random) -> Vec<Vec<Vec<f64>>> {
        let mut all: Vec<Vec<(usize, f64)>> = Vec::with_capacity(rounds);
        let mut order: Vec<usize> = (0..KEYS * MESSAGES).collect();
        for _ in 0..rounds {
            let mut times = Vec::with_capacity(order.len());
            // No pair always follows the same one.
            shuffle(&mut order, random);
            // All inputs of a batch are in place before its first call, so that no copy stands between two
            // timed calls.
            for batch in order.chunks(SLOTS) {
                for (slot, pair) in batch.iter().enumerate() {
                    self.fill(slot, pair / MESSAGES, pair % MESSAGES);
                }
                for (slot, pair) in batch.iter().enumerate() {
                    times.push((*pair, clock.time(|| self.call(slot)) as f64));
                }
            }
            all.push(times);
        }
        let mut cells = vec![vec![Vec::new(); MESSAGES]; KEYS];
        for (pair, time) in without_drift(all) {
            // Rows are keys again, not the places at which this process kept them.
            cells[self.order[pair / MESSAGES]][pair % MESSAGES].push(time);
        }
        cells.iter_mut().flatten().for_each(|cell| crop(cell));
        cells
    }

    /// Copies the inputs of the part that is timed into a slot.
    fn fill(&mut self, slot: usize, key: usize, message: usize) {
        let (dealt, slot) = (&self.keys[key], &mut self.slots[slot]);
        slot.delay = self.delays[key];
        let ciphertext = &self.ciphertexts[key][message];
        match self.part {
            Part::Decapsulation => {
                slot.key.clone_from(&dealt.key);
                slot.ciphertext.clone_from(ciphertext);
            }
            Part::Positions => slot.secret = dealt.secret,
            Part::Vector => slot.positions = dealt.positions,
            Part::Preparation => slot.y = dealt.y,
            Part::Product | Part::Decoder => {
                let body = ciphertext.as_bytes().as_ref();
                let (u, v) = body.split_at(K::Set::RING_BYTES);
                words_of(u, slot.u.as_mut());
                // The preparation has a part of its own, so it stays outside the timing of the product.
                slot.prepared = self.parts.prepare(&dealt.y, &mut self.space);
                if self.part == Part::Decoder {
                    let mut product = RingOf::<K>::zeroed();
                    self.parts.mul_add(&slot.u, &slot.prepared, &mut product, &mut self.space);
                    words_of(&v[..K::Set::CODE_BYTES], slot.received.as_mut());
                    let product = product.as_ref().iter();
                    slot.received.as_mut().iter_mut().zip(product).for_each(|(word, other)| *word ^= other);
                }
            }
        }
    }

    /// The timed call on a slot, and its delay.
    fn call(&mut self, slot: usize) {
        let slot = &self.slots[slot];
        match self.part {
            Part::Decapsulation => _ = black_box(slot.key.decapsulate(black_box(&slot.ciphertext))),
            Part::Positions => _ = black_box(self.parts.y_positions(black_box(&slot.secret))),
            Part::Vector => _ = black_box(self.parts.vector(black_box(slot.positions.as_ref()))),
            Part::Preparation => {
                black_box(&self.parts.prepare(black_box(&slot.y), &mut self.space));
            }
            Part::Product => {
                let mut sum = RingOf::<K>::zeroed();
                self.parts.mul_add(black_box(&slot.u), &slot.prepared, &mut sum, &mut self.space);
                black_box(&sum);
            }
            Part::Decoder => _ = black_box(self.parts.decode(black_box(&slot.received))),
        }
        // Each multiplication waits for the one before, so the delay is their latency times their number.
        black_box((0..slot.delay).fold(black_box(3_u64), |x, _| x.wrapping_mul(x)));
    }
}

/// Puts the items in a random order (Fisher and Yates).
fn shuffle(items: &mut [usize], random: &mut Random) {
    (1..items.len()).rev().for_each(|i| items.swap(i, random.below(i + 1)));
}

/// All times without the drift of the core's clock. Each round has every pair once, so the median of a round
/// against that of all times is the drift, which is subtracted.
fn without_drift(rounds: Vec<Vec<(usize, f64)>>) -> Vec<(usize, f64)> {
    let middle = |times: &mut dyn Iterator<Item = f64>| median(&times.collect::<Vec<_>>()).expect("a time");
    let whole = middle(&mut rounds.iter().flatten().map(|time| time.1));
    let level = |round: Vec<(usize, f64)>| {
        let drift = middle(&mut round.iter().map(|time| time.1)) - whole;
        round.into_iter().map(move |(pair, time)| (pair, time - drift)).collect::<Vec<_>>()
    };
    rounds.into_iter().flat_map(level).collect()
}

/// Leaves the times of a cell above the quantile [`CROP`] out of its mean.
///
/// It maps the times to values whose mean is that of the shorter times. Their variance, divided by their number, is
/// that of this trimmed mean: the Winsorized variance over the square of the part that is kept. The quantile is of one
/// cell, because a quantile of all cells would leave out a key that is slower than the others.
fn crop(cell: &mut [f64]) {
    cell.sort_by(f64::total_cmp);
    let kept = ((cell.len() as f64 * CROP) as usize).max(1);
    let (limit, part) = (cell[kept - 1], kept as f64 / cell.len() as f64);
    cell.iter_mut().for_each(|time| *time = (time.min(limit) - (1.0 - part) * limit) / part);
}

/// Reads words from little-endian bytes. The last word may have fewer than eight.
fn words_of(bytes: &[u8], words: &mut [u64]) {
    for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(whole);
    }
}

/// Welch's t between the mean times of even and of odd keys, which are the two halves of a [`Choice`].
pub(super) fn halves(cells: &[Vec<Vec<f64>>]) -> f64 {
    let means =
        cells.iter().map(|row| row.iter().flatten().sum::<f64>() / row.iter().flatten().count() as f64);
    crate::welch::welch(means.enumerate().map(|(key, mean)| (mean, key % 2 == 1)).collect())[0].t
}

fn deal<K: Scheme>(cpu: ClmulCpu, parts: &Parts<K>, seed: &K::Seed) -> Dealt<K> {
    let secret = parts.key_seeds(seed).secret;
    let positions = parts.y_positions(&secret);
    let y = parts.vector(positions.as_ref());
    Dealt { key: DecapsulationKey::from_seed_on(cpu, seed), secret, positions, y }
}

/// Makes the seeds of the keys of a process. The two halves of a choice take turns.
fn seeds<K: Scheme>(cpu: ClmulCpu, parts: &Parts<K>, choice: Choice, random: &mut Random) -> Vec<K::Seed> {
    // A constant seed: every process must deal the same keys.
    let mut fixed = Random::new(1);
    let random = if choice == Choice::Fixed { &mut fixed } else { random };
    let mut seed = || *subjects::key::<K>(cpu, random).as_seed();
    let feature: fn(&[u64]) -> usize = match choice {
        Choice::Random | Choice::Fixed => return (0..KEYS).map(|_| seed()).collect(),
        Choice::Same => return vec![seed(); KEYS],
        // A cache line of 64 bytes has eight words.
        Choice::ZeroLines => |y| y.chunks(8).filter(|line| line.iter().all(|&word| word == 0)).count(),
        Choice::Pairs => |y| y.iter().map(|word| (word.count_ones() as usize).saturating_sub(1)).sum(),
    };
    let mut candidates: Vec<(usize, K::Seed)> = Vec::with_capacity(CANDIDATES);
    while candidates.len() < CANDIDATES {
        let seed: K::Seed = random.bytes();
        let secret = parts.key_seeds(&seed).secret;
        // The number of candidates that the sampler of y reads is public. It is the same for all keys here.
        if subjects::candidates_suffice::<K>(cpu, &secret) {
            let positions = parts.y_positions(&secret);
            candidates.push((feature(parts.vector(positions.as_ref()).as_ref()), seed));
        }
    }
    candidates.sort_by_key(|candidate| candidate.0);
    // Fewest and most in turn: even keys are one half, odd keys the other.
    let pair = |i: usize| [candidates[i].1, candidates[CANDIDATES - 1 - i].1];
    (0..KEYS / 2).flat_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_have_one_level() {
        let round = |level: f64| (0..100).map(|pair| (pair, level + (pair % 2) as f64)).collect::<Vec<_>>();
        let mut rounds = vec![round(100.0), round(200.0)];
        rounds[1].extend([(7, 1e6), (8, 2e6)]);
        let level = without_drift(rounds);
        // Two interrupts of 202 times move the median of all to the level of the second round.
        let near = |(pair, time): &&(usize, f64)| (time - 200.0 - (pair % 2) as f64).abs() < 5.0;
        assert_eq!(level.iter().filter(near).count(), 200, "{level:?}");
        let of = |range: std::ops::Range<usize>| level[range].iter().map(|time| time.1).sum::<f64>() / 100.0;
        assert!((of(0..100) - of(100..200)).abs() < 1.5);
    }

    /// A key that is always slow keeps its times, while interrupts are left out.
    #[test]
    fn the_slowest_times_of_a_cell_do_not_count() {
        let mut slow: Vec<f64> = (0..100).map(|i| if i < 5 { 1e6 } else { 900.0 }).collect();
        crop(&mut slow);
        assert!(slow.iter().all(|time| (time - 900.0).abs() < 1e-9), "{slow:?}");
        let mut times: Vec<f64> = (0..20).map(f64::from).collect();
        crop(&mut times);
        assert!((times.iter().sum::<f64>() / 20.0 - 9.0).abs() < 1e-9, "{times:?}");
        let mut one = [7.0];
        crop(&mut one);
        assert_eq!(one, [7.0]);
    }
}
