//! A statistical test for machines that valgrind cannot run: does the time depend on the secret?
//!
//! As in "Dude, is my code constant time?" (Reparaz, Balasch, Verbauwhede): the same call with a fixed secret and with random
//! ones, and Welch's t-test between the two classes of times, for all times and for those below some percentiles (the
//! longest are interrupts). The class of each measurement is drawn at random, and nothing but the values of the bytes differs
//! between the classes: both are made by the same code, a batch in advance, and copied into one buffer before each call.
//!
//! A leak is reported only if, for the same percentile and with the same sign, |t| exceeds [`BOUND`] in [`ROUNDS`] independent
//! rounds of each of [`ATTEMPTS`] attempts at different times of the run, or [`CLEAR_BOUND`] in [`CLEAR_ROUNDS`] of them. Single
//! rounds do exceed the former: docs/testing.md. A leak of a cycle or less, or by which the two classes do not differ, is not seen.
#[path = "../../crates/bench/src/welch.rs"]
mod welch;

use crate::secret::{POOL, draw_from, drawn};
use std::arch::x86_64::{_mm_lfence, _rdtsc};
use std::time::{Duration, Instant};
pub use welch::CROPS;
use welch::{Times, welch};

/// dudect takes this for certain, and 4.5 for a suspicion.
pub const BOUND: f64 = 10.0;

/// No call that is constant in time has exceeded this. Leaks do not in every round: other work on the computer hides some, and the
/// prediction of a branch on a secret changes.
pub const CLEAR_BOUND: f64 = 30.0;

/// Rounds above [`CLEAR_BOUND`] that make a leak.
const CLEAR_ROUNDS: usize = 3;

/// Independent rounds of an attempt.
const ROUNDS: usize = 3;

/// Attempts that must all find a leak.
pub const ATTEMPTS: usize = 3;

/// How long a round is.
#[derive(Clone, Copy)]
pub struct Size {
    /// Measurements, unless the time ends before.
    pub measurements: usize,
    /// The time.
    pub time: Duration,
}

/// That of a round of [`Test::attempt`].
const ROUND: Size = Size { measurements: 40_000, time: Duration::from_millis(300) };

/// Measurements whose secrets are made together.
const BATCH: usize = 64;

/// The first calls of a batch bring code and data back into the caches; their times are dropped.
const WARM_UP: usize = 4;

/// The byte that fixed secrets consist of.
pub const FIXED: u8 = 0x5a;

/// A test of a call: the times with a fixed secret against those with random ones.
pub struct Test<F> {
    call: F,
    samples: Samples,
    tally: Tally,
    /// The t of greatest absolute value of each round.
    pub t: Vec<f64>,
}

/// In how many rounds t exceeded the bounds.
#[derive(Default)]
struct Tally {
    rounds: usize,
    /// For each percentile, positive and negative: above [`BOUND`], above [`CLEAR_BOUND`].
    above: [[[usize; 2]; 2]; CROPS.len()],
}

impl Tally {
    /// Counts a round: whether there may still be a leak.
    fn add(&mut self, t: [f64; CROPS.len()]) -> bool {
        self.rounds += 1;
        for (above, t) in self.above.iter_mut().zip(t) {
            for (above, t) in above.iter_mut().zip([t, -t]) {
                above[0] += usize::from(t > BOUND);
                above[1] += usize::from(t > CLEAR_BOUND);
            }
        }
        // One of the first rounds may be missing.
        let clear_rounds = CLEAR_ROUNDS.min(self.rounds - 1).max(1);
        let leaks = |&[above, clear]: &[usize; 2]| above == self.rounds || clear >= clear_rounds;
        self.above.as_flattened().iter().any(leaks)
    }
}

impl<F: FnMut()> Test<F> {
    /// `None` if the call takes no secret.
    pub fn of(mut call: F) -> Option<Self> {
        let samples = Samples::of(&mut call)?;
        Some(Self { call, samples, tally: Tally::default(), t: Vec::new() })
    }

    /// Measures some rounds: whether they, with all of the attempts before, exceeded the bounds.
    pub fn attempt(&mut self) -> bool {
        (0..ROUNDS).all(|_| {
            let (_, t) = self.round(ROUND);
            self.t.extend(t.into_iter().max_by(|a, b| a.abs().total_cmp(&b.abs())));
            self.tally.add(t)
        })
    }

    /// One round: how many calls it took, and t for each of [`CROPS`], positive if random secrets take longer.
    pub fn round(&mut self, size: Size) -> (usize, [f64; CROPS.len()]) {
        let times = self.samples.measure(&mut self.call, size);
        (times.len(), welch(times))
    }
}

/// Makes secrets of both classes: fixed ones, then random ones.
struct Samples {
    random: Random,
    /// Bytes of a secret.
    size: usize,
}

impl Samples {
    /// For a call, which shows how many bytes it takes.
    fn of(call: &mut impl FnMut()) -> Option<Self> {
        draw_from(&[FIXED; POOL]);
        call();
        let size = drawn().next_multiple_of(8);
        (size > 0).then(|| Self { random: Random(cycles() | 1), size })
    }

    /// Draws the classes and makes the secrets. Random words are drawn for both classes, and those of the fixed class masked.
    fn renew(&mut self, secrets: &mut [u8], classes: &mut [bool; BATCH]) {
        for (secret, class) in secrets.chunks_exact_mut(self.size).zip(classes) {
            *class = self.random.next() >> 63 == 1;
            let mask = u64::from(*class).wrapping_neg();
            for word in secret.chunks_exact_mut(8) {
                let value = u64::from_ne_bytes([FIXED; 8]) ^ (self.random.next() & mask);
                word.copy_from_slice(&value.to_ne_bytes());
            }
        }
    }

    fn measure(&mut self, call: &mut impl FnMut(), size: Size) -> Times {
        let (mut times, begin) = (Vec::with_capacity(size.measurements + BATCH), Instant::now());
        let (mut secrets, mut classes) = (vec![0; BATCH * self.size], [false; BATCH]);
        while times.len() < size.measurements && begin.elapsed() < size.time {
            self.renew(&mut secrets, &mut classes);
            for (i, &class) in classes.iter().enumerate() {
                draw_from(&secrets[i * self.size..][..self.size]);
                let start = cycles();
                call();
                let time = cycles().wrapping_sub(start);
                if i >= WARM_UP {
                    times.push((time as f64, class));
                }
            }
        }
        times
    }
}

/// The time-stamp counter, with nothing in flight.
fn cycles() -> u64 {
    #[allow(unused_unsafe, reason = "the intrinsics became safe after Rust 1.89")]
    // SAFETY: every x86-64 CPU has both instructions; `valgrind` builds for no other.
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

/// Marsaglia's xorshift64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret;
    use std::hint::black_box;

    #[test]
    fn only_repeated_differences_of_one_sign_are_leaks() {
        let (slow, fast, clean) = ([0.0, 11.0, 12.0, 9.0, 1.0], [-11.0; 5], [9.9, -9.9, 1.0, 0.0, 0.0]);
        let leaks = |rounds: [[f64; 5]; 3]| {
            let mut tally = Tally::default();
            rounds.into_iter().all(|t| tally.add(t))
        };
        assert!(leaks([slow; 3]));
        assert!(leaks([fast; 3]));
        assert!(!leaks([slow, slow, clean]));
        assert!(!leaks([slow, fast, slow]));
        // Different percentiles each time.
        assert!(!leaks([[11.0, 0.0, 0.0, 0.0, 0.0], [0.0, 11.0, 0.0, 0.0, 0.0], slow]));
    }

    #[test]
    fn three_clear_rounds_are_a_leak() {
        let leaks = |rounds: &[f64]| {
            let mut tally = Tally::default();
            rounds.iter().all(|&t| tally.add([0.0, t, 0.0, 0.0, 0.0]))
        };
        assert!(leaks(&[31.0, 1.0, 31.0, 40.0, -50.0, 1.0, 1.0, 1.0, 1.0]));
        assert!(leaks(&[-31.0, -31.0, 1.0]));
        assert!(!leaks(&[29.0, 1.0]) && !leaks(&[1.0, 31.0, 31.0, 31.0]), "not clear");
        assert!(!leaks(&[31.0, 1.0, 1.0]) && !leaks(&[31.0, 31.0, 1.0, 1.0]), "too few");
        assert!(!leaks(&[31.0, -31.0, 1.0]), "both signs");
    }

    #[test]
    fn a_planted_leak_takes_all_attempts_and_equal_work_does_not() {
        let mut leak = Test::of(|| {
            let rounds = if secret::array::<1>()[0] == FIXED { 400 } else { 100 };
            (0..rounds).for_each(|i| _ = black_box(i));
        })
        .expect("a secret");
        assert!((0..ATTEMPTS).all(|_| leak.attempt()), "{:?}", leak.t);
        let mut clean = Test::of(|| _ = black_box(secret::array::<64>())).expect("a secret");
        assert!(!(0..ATTEMPTS).all(|_| clean.attempt()), "{:?}", clean.t);
        assert!(Test::of(|| ()).is_none());
    }
}
