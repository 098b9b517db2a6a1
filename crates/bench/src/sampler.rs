//! The sampler: all subjects in turn, each sample between two clock probes.
use crate::clock::Clock;
use crate::input::{Fill, Input};
use crate::stats::{Sample, Spread};
use crate::subject::{Runner, Subject};
use anyhow::{Context, Result};

/// Seconds that one sample should take: long against a probe, short against the scheduler's slices.
const SAMPLE_SECONDS: f64 = 50e-6;

/// Batches whose medians are compared.
const BATCHES: usize = 8;

/// Fewest samples of a subject in a batch.
const FEWEST: usize = 3;

/// How often a rejected sample is taken again before its turn is passed over.
const ATTEMPTS: usize = 4;

/// What was measured of one subject at one length.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// Core cycles per call (of all messages, in a batch).
    pub cycles: Spread,
    /// Time stamp ticks per call.
    pub ticks: Spread,
    /// Samples that count.
    pub accepted: usize,
    /// Samples rejected because the clock moved.
    pub rejected: usize,
}

/// One subject's turn: its call, and what has been seen of it.
struct Turn<'a> {
    runner: Runner<'a>,
    times: u32,
    cycles: Vec<Vec<f64>>,
    ticks: Vec<Vec<f64>>,
    rejected: usize,
}

/// Measures all subjects on `count` messages of `length` bytes for about `seconds` in all.
///
/// # Errors
/// If the clock was never steady while a subject ran.
pub fn measure(
    clock: &Clock,
    subjects: &[&Subject],
    length: usize,
    count: usize,
    seconds: f64,
) -> Result<Vec<Measurement>> {
    let input = Input::new(length, count, Fill::Random(42));
    let mut tags = vec![[0; 16]; count];
    let mut turns: Vec<Turn> =
        subjects.iter().map(|s| Turn::new(clock, s.ready(&input), &mut tags)).collect();
    let round: f64 = turns.iter_mut().map(|turn| turn.seconds(clock, &mut tags)).sum();
    let rounds = ((seconds / round) as usize / BATCHES).max(FEWEST);
    for batch in 0..BATCHES {
        turns.iter_mut().for_each(Turn::begin_batch);
        for round in 0..rounds {
            // A different subject goes first each time, so that none always follows the same neighbour's start.
            let first = (batch * rounds + round) % turns.len();
            let (late, early) = turns.split_at_mut(first);
            early.iter_mut().chain(late).for_each(|turn| turn.take(clock, &mut tags));
        }
    }
    turns.iter().zip(subjects).map(|(turn, subject)| turn.report(&subject.name)).collect()
}

impl<'a> Turn<'a> {
    /// Finds how many calls fill a sample.
    fn new(clock: &Clock, mut runner: Runner<'a>, tags: &mut [[u8; 16]]) -> Turn<'a> {
        let (mut times, target) = (1, clock.ticks_in(SAMPLE_SECONDS));
        runner(tags, 1);
        loop {
            let ticks = clock.time(|| runner(tags, times)) as f64;
            if ticks >= target / 2.0 || times >= 1 << 24 {
                times = (f64::from(times) * target / ticks).clamp(1.0, 1e9).ceil() as u32;
                return Turn { runner, times, cycles: vec![], ticks: vec![], rejected: 0 };
            }
            times *= 2;
        }
    }

    /// Seconds that a sample takes, warming and probes included.
    fn seconds(&mut self, clock: &Clock, tags: &mut [[u8; 16]]) -> f64 {
        let begin = std::time::Instant::now();
        self.sample(clock, tags);
        begin.elapsed().as_secs_f64()
    }

    fn begin_batch(&mut self) {
        self.cycles.push(vec![]);
        self.ticks.push(vec![]);
    }

    /// One untimed call to bring back code, key and message after the other subjects, then the sample.
    fn sample(&mut self, clock: &Clock, tags: &mut [[u8; 16]]) -> Sample {
        (self.runner)(tags, 1);
        let before = clock.probe();
        let ticks = clock.time(|| (self.runner)(tags, self.times));
        Sample { before, ticks, after: clock.probe() }
    }

    /// Adds a sample to the current batch, unless the clock moves in each of several attempts.
    fn take(&mut self, clock: &Clock, tags: &mut [[u8; 16]]) {
        for _ in 0..ATTEMPTS {
            let sample = self.sample(clock, tags);
            if sample.is_steady() {
                let calls = f64::from(self.times);
                self.cycles
                    .last_mut()
                    .expect("a batch has begun")
                    .push(sample.cycles(Clock::PROBE_CYCLES) / calls);
                self.ticks.last_mut().expect("a batch has begun").push(sample.ticks as f64 / calls);
                return;
            }
            self.rejected += 1;
        }
    }

    fn report(&self, name: &str) -> Result<Measurement> {
        let unsteady = || format!("{name}: the clock was never steady; is the machine overloaded?");
        Ok(Measurement {
            cycles: Spread::of(&self.cycles).with_context(unsteady)?,
            ticks: Spread::of(&self.ticks).with_context(unsteady)?,
            accepted: self.cycles.iter().map(Vec::len).sum(),
            rejected: self.rejected,
        })
    }
}
