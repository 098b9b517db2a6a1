//! The sampler: all subjects in turn, each sample between two probes of the core.
use crate::clock::Clock;
use crate::input::{Fill, Input};
use crate::stats::{Sample, Spread, is_calm};
use crate::subject::{Runner, Subject};
use std::hint::black_box;
use std::time::Instant;

/// Seconds that one sample should take: long against a probe, short against the scheduler's slices.
const SAMPLE_SECONDS: f64 = 40e-6;

/// Batches of each point. The least of their medians is the figure.
pub const BATCHES: usize = 8;

/// Undisturbed samples of each subject that make a batch.
const FEWEST: usize = 5;

/// Factor by which a batch may exceed its seconds while the machine is too busy for undisturbed samples.
const PATIENCE: f64 = 4.0;

/// Most probes that a sample waits for a calm moment: about half a millisecond.
const WAITS: usize = 100;

/// The measurement of one subject at one length.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// Core cycles per call. In batch mode a call has all messages.
    pub cycles: Spread,
    /// Time stamp ticks per call. In batch mode a call has all messages.
    pub ticks: Spread,
    /// Number of samples in the spreads.
    pub accepted: usize,
    /// Number of samples that were rejected because the clock moved or the core was shared.
    pub rejected: usize,
    /// Whether there were too few undisturbed samples, so that all samples count.
    pub disturbed: bool,
}

/// Samples of one subject by batch, in core cycles and in ticks per call.
#[derive(Default)]
struct Samples {
    cycles: Vec<Vec<f64>>,
    ticks: Vec<Vec<f64>>,
}

/// The state of one subject: how often a sample calls it (0 if not yet known), and its samples.
#[derive(Default)]
struct Turn {
    times: u32,
    undisturbed: Samples,
    disturbed: Samples,
}

/// The subjects that are measured in turn, and the messages that they all get.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Subjects in the order of their measurements.
    pub subjects: &'a [&'a Subject],
    /// Length of a message in bytes.
    pub length: usize,
    /// Messages in one call: 1 except in batch mode.
    pub count: usize,
    /// Whether each call takes a key made of the tag before it, see [`Input::chained`].
    pub chained: bool,
}

/// Measures `setting` for about `seconds` in all, and up to four times as long if the machine is busy.
pub fn measure(clock: &Clock, setting: Setting, seconds: f64) -> Vec<Measurement> {
    let mut series = Series::new(setting.subjects.len());
    (0..BATCHES).for_each(|batch| series.batch(clock, setting, batch, seconds / BATCHES as f64));
    series.report()
}

/// The samples of one setting. They come batch by batch, and other settings may be measured between two batches.
pub struct Series(Vec<Turn>);

impl Series {
    /// A series of this number of subjects, without a sample.
    pub fn new(subjects: usize) -> Series {
        Series((0..subjects).map(|_| Turn::default()).collect())
    }

    /// Adds batch number `batch`, below [`BATCHES`], of about `seconds`.
    ///
    /// Each batch has messages and stack at another place within their pages. Their relative position can
    /// cost a short call a fifth of its time, and would otherwise be drawn once per process.
    pub fn batch(&mut self, clock: &Clock, setting: Setting, batch: usize, seconds: f64) {
        let Setting { subjects, length, count, chained } = setting;
        // All batches have equal messages, but no two of them share a place or a depth.
        let input = Input::placed(length, count, Fill::Random(42), 7 * batch).with_chain(chained);
        let mut runners: Vec<Runner> = subjects.iter().map(|subject| subject.ready(&input)).collect();
        deeper(5 * batch, &mut || measure_batch(clock, &mut self.0, &mut runners, count, seconds));
    }

    /// The measurement of each subject, in the order of the setting.
    ///
    /// # Panics
    /// If there was no batch.
    pub fn report(&self) -> Vec<Measurement> {
        self.0.iter().map(Turn::report).collect()
    }
}

/// Calls `work` deeper in the stack, by some hundred bytes for each level.
#[inline(never)]
fn deeper(levels: usize, work: &mut dyn FnMut()) {
    // Without black_box the compiler would drop the array, and with it the depth.
    let occupied = black_box([0_u64; 8]);
    match levels {
        0 => work(),
        _ => deeper(levels - 1, work),
    }
    black_box(&occupied);
}

fn measure_batch(clock: &Clock, turns: &mut [Turn], runners: &mut [Runner], count: usize, seconds: f64) {
    let mut tags = vec![[0; 16]; count];
    for (turn, runner) in turns.iter_mut().zip(&mut *runners) {
        turn.begin_batch(clock, runner, &mut tags);
    }
    // Only now: the first calls of a batch are not part of its seconds.
    let begin = Instant::now();
    let due = |stretch: f64| begin.elapsed().as_secs_f64() >= stretch * seconds;
    let mut round = 0;
    // FEWEST rounds at least; then until the seconds are over; then up to PATIENCE times as long, while a
    // subject has too few undisturbed samples.
    while round < FEWEST || !due(1.0) || (!due(PATIENCE) && turns.iter().any(Turn::wants_more)) {
        for step in 0..turns.len() {
            // A different subject goes first each time, so that none always follows the same neighbour.
            let index = (round + step) % turns.len();
            turns[index].take(clock, &mut runners[index], &mut tags);
        }
        round += 1;
    }
}

impl Samples {
    fn begin_batch(&mut self) {
        self.cycles.push(vec![]);
        self.ticks.push(vec![]);
    }

    fn add(&mut self, cycles: f64, ticks: f64) {
        self.cycles.last_mut().expect("a batch has begun").push(cycles);
        self.ticks.last_mut().expect("a batch has begun").push(ticks);
    }

    fn in_batch(&self) -> usize {
        self.cycles.last().map_or(0, Vec::len)
    }

    fn count(&self) -> usize {
        self.cycles.iter().map(Vec::len).sum()
    }

    /// The samples of both, joined batch by batch.
    fn joined(&self, other: &Samples) -> Samples {
        let join =
            |a: &[Vec<f64>], b: &[Vec<f64>]| a.iter().zip(b).map(|(a, b)| [&a[..], b].concat()).collect();
        Samples { cycles: join(&self.cycles, &other.cycles), ticks: join(&self.ticks, &other.ticks) }
    }

    /// The spreads of cycles and of ticks. Batches of fewer than [`FEWEST`] samples are left out, because
    /// their median means little. `None` if no batch is left.
    fn spreads(&self) -> Option<(Spread, Spread)> {
        // The least median of a batch is the figure, so one lucky sample alone must not be a batch.
        let large = |batches: &[Vec<f64>]| -> Vec<Vec<f64>> {
            batches.iter().filter(|batch| batch.len() >= FEWEST).cloned().collect()
        };
        Spread::of(&large(&self.cycles)).zip(Spread::of(&large(&self.ticks)))
    }
}

impl Turn {
    /// Begins a batch with an untimed call. In the first batch it also finds how many calls fill a sample.
    fn begin_batch(&mut self, clock: &Clock, runner: &mut Runner, tags: &mut [[u8; 16]]) {
        self.undisturbed.begin_batch();
        self.disturbed.begin_batch();
        // The first call of a runner may compute a digest, which must not be timed.
        runner(tags, 1);
        let target = clock.ticks_in(SAMPLE_SECONDS);
        // Found once, so that the samples of all batches have the same number of calls.
        let mut tries = if self.times == 0 { 1 } else { 0 };
        // The calls double until they take half a sample: fewer are too short to extrapolate from.
        while tries > 0 {
            let ticks = clock.time(|| runner(tags, tries)).max(1) as f64;
            self.times = (f64::from(tries) * target / ticks).clamp(1.0, 1e9).ceil() as u32;
            // The limit ends the loop even if the time of a call is below the counter's resolution.
            tries = if ticks < target / 2.0 && tries < 1 << 24 { 2 * tries } else { 0 };
        }
    }

    fn wants_more(&self) -> bool {
        self.undisturbed.in_batch() < FEWEST
    }

    /// Takes one sample, after waiting a little for a calm moment.
    ///
    /// The upper halves of the vector registers are cleared first: if another library left them dirty, every
    /// instruction without a VEX prefix would wait for them, in this subject's time. One untimed call brings
    /// back code, key and message after the other subjects.
    fn take(&mut self, clock: &Clock, runner: &mut Runner, tags: &mut [[u8; 16]]) {
        clock.clear_upper_halves();
        // If no moment is calm, the sample follows anyway, and its own probes decide on it.
        let _ = (0..WAITS).map(|_| clock.probe()).any(|probe| is_calm(&probe));
        runner(tags, 1);
        let before = clock.probe();
        let ticks = clock.time(|| runner(tags, self.times));
        let sample = Sample { before, ticks, after: clock.probe() };
        let samples = if sample.is_undisturbed() { &mut self.undisturbed } else { &mut self.disturbed };
        let calls = f64::from(self.times);
        samples.add(sample.cycles(Clock::PROBE_CYCLES) / calls, ticks as f64 / calls);
    }

    fn report(&self) -> Measurement {
        let (undisturbed, disturbed) = (self.undisturbed.count(), self.disturbed.count());
        if let Some((cycles, ticks)) = self.undisturbed.spreads() {
            return Measurement {
                cycles,
                ticks,
                accepted: undisturbed,
                rejected: disturbed,
                disturbed: false,
            };
        }
        // No batch has enough undisturbed samples. A figure that is too high and marked is better than none.
        let all = self.undisturbed.joined(&self.disturbed);
        let (cycles, ticks) = all.spreads().expect("a batch has at least FEWEST rounds");
        Measurement { cycles, ticks, accepted: all.count(), rejected: 0, disturbed: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Key, Tag};
    use crate::subject::OneByOne;

    fn samples(batches: &[(usize, f64)]) -> Samples {
        let mut samples = Samples::default();
        for &(count, cycles) in batches {
            samples.begin_batch();
            (0..count).for_each(|_| samples.add(cycles, 2.0 * cycles));
        }
        samples
    }

    #[test]
    fn disturbed_samples_count_only_if_there_is_nothing_else() {
        let turn = |undisturbed, disturbed| Turn { times: 1, undisturbed, disturbed };
        let calm = turn(samples(&[(FEWEST, 10.0), (2, 1.0)]), samples(&[(0, 0.0), (9, 5.0)])).report();
        assert_eq!((calm.cycles.min, calm.ticks.min, calm.disturbed), (10.0, 20.0, false));
        assert_eq!((calm.accepted, calm.rejected), (FEWEST + 2, 9));
        let busy = turn(samples(&[(FEWEST - 1, 10.0)]), samples(&[(1, 30.0)])).report();
        assert_eq!((busy.cycles.min, busy.disturbed, busy.accepted), (10.0, true, FEWEST));
    }

    #[test]
    fn twice_the_work_takes_twice_the_cycles() {
        // A dependent chain whose length is the message's: its cycles are known, whatever else the core does.
        let chain = |_: &Key, message: &[u8], tag: &mut Tag| {
            let links =
                message.iter().fold(1_u64, |x, &byte| x.wrapping_mul(x).wrapping_add(u64::from(byte)));
            *tag = [links as u8; 16];
        };
        let subject = Subject::new("chain", "any", OneByOne(chain));
        let clock = Clock::start();
        let measured = |length| {
            let setting = Setting { subjects: &[&subject], length, count: 1, chained: false };
            measure(&clock, setting, 0.05)[0]
        };
        let (once, twice) = (measured(4096), measured(8192));
        let (cycles, ticks) = (twice.cycles.min / once.cycles.min, twice.ticks.min / once.ticks.min);
        assert!((1.9..2.1).contains(&cycles), "{cycles}");
        // The clock may move between the two, but not by half.
        assert!((1.4..2.8).contains(&ticks), "{ticks}");
    }
}
