//! A statistical test for backends that valgrind cannot run: does the time depend on the secret?
//!
//! As in "Dude, is my code constant time?" (Reparaz, Balasch, Verbauwhede): the same call with a fixed secret and with random
//! ones, and Welch's t-test between the two classes of times, for all times and for those below some percentiles (the
//! longest are interrupts). The class of each measurement is drawn at random, and nothing but the values of the bytes differs
//! between the classes: both are made by the same code, a batch in advance, and copied into one buffer before each call.
//!
//! [`leaks`](crate::leaks) decides what counts as a suspect. A leak of a cycle or less, or one that does not
//! differ between the two classes, is not seen.
use crate::call::Call;
use crate::leaks::Pair;
use crate::secret::{POOL, draw_from, drawn};
use crate::welch::{Round, Times, welch};
use std::arch::x86_64::{_mm_lfence, _rdtsc};
use std::time::{Duration, Instant};

/// The size of a round, which ends at the first of two limits.
#[derive(Clone, Copy)]
pub struct Size {
    /// The most measurements of a round, of both classes together.
    pub measurements: usize,
    /// The most wall-clock time, checked after each batch.
    pub time: Duration,
}

/// Size of a round of `ctime --statistics`.
pub const ROUND: Size = Size { measurements: 40_000, time: Duration::from_millis(300) };

/// Measurements whose secrets are made together, before the first of them.
const BATCH: usize = 64;

/// The first calls of a batch bring code and data back into the caches; their times are dropped.
const WARM_UP: usize = 4;

/// The byte that fixed secrets consist of.
pub const FIXED: u8 = 0x5a;

/// Compares a call with a fixed secret and with random ones, in rounds of this size. A positive t means that
/// random ones take longer. `None` if the call takes no secret.
pub fn pair(Call { name, planted, mut run }: Call, size: Size) -> Option<Pair> {
    let mut samples = Samples::of(&mut run)?;
    let round: Box<dyn FnMut() -> Round> = Box::new(move || welch(samples.measure(&mut run, size)));
    Some(Pair { name, planted, round })
}

/// Makes secrets of both classes: fixed ones, then random ones.
struct Samples {
    random: Random,
    /// Bytes of secrets that one call takes, a multiple of 8.
    size: usize,
}

impl Samples {
    /// Makes one call, to see how many bytes of secrets it takes. `None` if it takes none.
    fn of(call: &mut impl FnMut()) -> Option<Self> {
        draw_from(&[FIXED; POOL]);
        call();
        let size = drawn().next_multiple_of(8);
        // An odd seed: xorshift never leaves the state 0.
        (size > 0).then(|| Self { random: Random(cycles() | 1), size })
    }

    /// Draws the classes (true is random) and makes the secrets. Random words are drawn for both classes and
    /// masked for the fixed one, so that both take the same time.
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
        // Reserved for all: nothing is allocated between two measurements.
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

/// The time-stamp counter. The fences keep instructions before and after it from overlapping.
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

/// Marsaglia's xorshift64, a fast generator with period 2^64 - 1. The state must not be 0.
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
    use crate::leaks::CERTAINTY;
    use crate::secret;
    use std::hint::black_box;

    #[test]
    fn a_leak_is_seen() {
        let pair = |run: fn()| pair(Call::new(String::new(), run), ROUND);
        let leak = || {
            let rounds = if secret::array::<1>()[0] == FIXED { 400 } else { 100 };
            (0..rounds).for_each(|i| _ = black_box(i));
        };
        let mut leak = pair(leak).expect("a secret");
        let exceeds = |round: Round| round.iter().any(|difference| difference.t.abs() > CERTAINTY);
        assert!((0..3).any(|_| exceeds((leak.round)())));
        assert!(pair(|| ()).is_none());
    }
}
