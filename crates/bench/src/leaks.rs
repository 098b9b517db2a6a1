//! Which pairs of classes of calls differ in time: those whose t exceeds a bound in most of many processes.
//!
//! One process shows too much. Where its code, stack and heap lie decides, together with the data, about small differences of time that neither a branch nor an
//! address explains (docs/testing.md), and the next process lies elsewhere. A branch or an address that depends on a secret shows in all of them, though not in every
//! round: the prediction of a branch changes, and other jobs hide it. The driver `ctime`, a workspace of its own, compiles this file too.
use crate::welch::{CROPS, T};
use std::io::{Error, Result, Write};
use std::process::Command;

/// dudect takes this for a suspicion.
pub const SUSPICION: f64 = 4.5;

/// dudect takes this for certain.
pub const CERTAINTY: f64 = 10.0;

/// Processes that measure a suspected pair.
const PROCESSES: usize = 20;

/// Those that make a leak of it: other jobs may hide it from one.
const NEEDED: usize = 19;

/// Tests of a planted leak, of which one must see it: a busy computer hides it for a while.
const TRIES: usize = 3;

/// Two classes of calls.
pub struct Pair<'a> {
    /// What the output calls it.
    pub name: String,
    /// Whether a leak was planted, which must be seen.
    pub planted: bool,
    /// Measures one round.
    pub round: Box<dyn FnMut() -> T + 'a>,
}

/// How a pair is tested.
pub struct Test {
    /// A process shows a difference if t exceeds this in one of its rounds.
    pub bound: f64,
    /// Rounds of a process. A first one below [`SUSPICION`] is the last.
    pub rounds: usize,
}

impl Test {
    /// Measures a pair for [`Test::all`] of another process: writes a line for each round.
    ///
    /// # Errors
    /// If there is no such pair, or the output fails.
    pub fn one(&self, pairs: Vec<Pair>, index: usize, out: &mut dyn Write) -> Result<()> {
        let pair = pairs.into_iter().nth(index).ok_or_else(|| Error::other("no pair has this number"))?;
        self.measure(pair).iter().try_for_each(|t| writeln!(out, "{}", t.map(|t| t.to_string()).join(" ")))
    }

    /// Measures all pairs and writes a line for each: whether every planted leak was seen, and no other. `process` is the command that runs [`Test::one`] of a pair.
    ///
    /// # Errors
    /// If another process cannot be started or fails, or the output does.
    pub fn all(
        &self,
        pairs: Vec<Pair>,
        process: impl Fn(usize) -> Command,
        out: &mut dyn Write,
    ) -> Result<bool> {
        let (count, mut failed) = (pairs.len(), 0);
        for (index, pair) in pairs.into_iter().enumerate() {
            let (name, planted) = (pair.name.clone(), pair.planted);
            let elsewhere = || rounds_of(&mut process(index));
            let mut tally = self.tally(self.measure(pair), elsewhere)?;
            for _ in 1..TRIES {
                if planted && !tally.leaks() {
                    tally = self.tally(elsewhere()?, elsewhere)?;
                }
            }
            let word = match (tally.leaks(), planted) {
                (false, false) => "ok",
                (true, false) => "LEAK",
                (true, true) => "seen, as it must be:",
                (false, true) => "NOT SEEN:",
            };
            failed += usize::from(tally.leaks() != planted);
            writeln!(out, "{word} {name}, {}", tally.text())?;
        }
        writeln!(out, "times: {} passed, {failed} failed", count - failed)?;
        Ok(failed == 0)
    }

    fn measure(&self, mut pair: Pair) -> Vec<T> {
        let first = (pair.round)();
        let suspected = first.iter().any(|t| t.abs() > SUSPICION);
        let more = if suspected { self.rounds - 1 } else { 0 };
        [first].into_iter().chain((0..more).map(|_| (pair.round)())).collect()
    }

    /// Counts the rounds of a process, and those of others until the answer is known.
    fn tally(&self, first: Vec<T>, elsewhere: impl Fn() -> Result<Vec<T>>) -> Result<Tally> {
        let mut tally = Tally::default();
        tally.add(&first, self.bound);
        tally.first = first;
        while tally.is_open() {
            tally.add(&elsewhere()?, self.bound);
        }
        Ok(tally)
    }
}

/// What [`Test::one`] writes.
fn rounds_of(process: &mut Command) -> Result<Vec<T>> {
    let output = process.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let round = |line: &str| {
        let t: Vec<f64> = line.split(' ').map_while(|word| word.parse().ok()).collect();
        T::try_from(t).ok()
    };
    let rounds: Option<Vec<T>> = text.lines().map(round).collect();
    let rounds = rounds.filter(|rounds| output.status.success() && !rounds.is_empty());
    rounds.ok_or_else(|| {
        let reason = String::from_utf8_lossy(&output.stderr);
        Error::other(format!("a process that measures a pair failed, {}: {reason}", output.status))
    })
}

/// In how many processes t exceeded the bound.
#[derive(Default)]
struct Tally {
    processes: usize,
    /// For each percentile, positive and negative.
    exceeded: [[usize; 2]; CROPS.len()],
    /// The rounds of the first process.
    first: Vec<T>,
}

impl Tally {
    fn add(&mut self, rounds: &[T], bound: f64) {
        self.processes += 1;
        for (crop, exceeded) in self.exceeded.iter_mut().enumerate() {
            for (exceeded, sign) in exceeded.iter_mut().zip([1.0, -1.0]) {
                *exceeded += usize::from(rounds.iter().any(|t| sign * t[crop] > bound));
            }
        }
    }

    /// Processes that agree on a percentile and a sign.
    fn most(&self) -> usize {
        self.exceeded.into_iter().flatten().max().unwrap_or(0)
    }

    fn leaks(&self) -> bool {
        self.most() >= NEEDED
    }

    /// Whether another process could make a difference. A pair that is not suspected in the first one is not measured again.
    fn is_open(&self) -> bool {
        let most = self.most();
        !self.leaks() && most > 0 && most + PROCESSES - self.processes >= NEEDED
    }

    fn text(&self) -> String {
        let greatest = |t: &T| t.iter().fold(0.0_f64, |most, &t| if t.abs() > most.abs() { t } else { most });
        let first: Vec<f64> = self.first.iter().map(greatest).collect();
        match self.most() {
            0 => format!("t = {first:.1?}"),
            most => format!("t = {first:.1?}, exceeded in {most} of {} processes", self.processes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOW: T = [0.0, 11.0, 12.0, 9.0, 1.0];

    /// Whether processes with these rounds, over and over, make a leak, and how many were asked.
    fn leaks(rounds: &[&[T]]) -> (bool, usize) {
        let processes = std::cell::Cell::new(0);
        let next = || {
            processes.set(processes.get() + 1);
            Ok(rounds[processes.get() % rounds.len()].to_vec())
        };
        let test = Test { bound: CERTAINTY, rounds: 3 };
        let tally = test.tally(rounds[0].to_vec(), next).expect("no process fails");
        (tally.leaks(), tally.processes)
    }

    #[test]
    fn most_processes_must_agree() {
        let (fast, clean) = (SLOW.map(|t| -t), [9.9, -9.9, 1.0, 0.0, 0.0]);
        assert_eq!(leaks(&[&[SLOW]]), (true, NEEDED));
        assert_eq!(leaks(&[&[fast; 3]]), (true, NEEDED));
        assert_eq!(leaks(&[&[clean; 3]]), (false, 1));
        // One round of a process suffices, and one process may show nothing.
        assert_eq!(leaks(&[&[clean, SLOW, clean]]), (true, NEEDED));
        let (mut shown, hidden): (Vec<&[T]>, &[T]) = (vec![&[SLOW]; PROCESSES - 1], &[clean]);
        shown.insert(5, hidden);
        assert_eq!(leaks(&shown), (true, PROCESSES));
        shown[7] = hidden;
        assert_eq!(leaks(&shown), (false, 8));
        assert!(!leaks(&[&[SLOW], &[fast]]).0, "both signs");
        let (one, other) = ([11.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 11.0, 0.0, 0.0]);
        assert!(!leaks(&[&[one], &[other]]).0, "different percentiles");
    }

    #[cfg(unix)]
    #[test]
    fn planted_leaks_must_be_seen_and_others_not() {
        let run = |here: f64, elsewhere: &'static str, planted| {
            let round: Box<dyn FnMut() -> T> = Box::new(move || [here; 5]);
            let pairs = vec![Pair { name: "a pair".into(), planted, round }];
            let process = |_: usize| {
                let mut process = Command::new("printf");
                process.arg(elsewhere);
                process
            };
            let mut out = Vec::new();
            let passed = Test { bound: CERTAINTY, rounds: 2 }.all(pairs, process, &mut out);
            passed.map(|passed| (passed, String::from_utf8(out).expect("ASCII")))
        };
        let (high, low) = ("0 0 0 0 50.5\n", "0 0 0 0 1\n0 0 0 0 inf\n");
        let (passed, text) = run(50.0, high, false).expect("rounds");
        assert!(!passed && text.starts_with("LEAK a pair, t = [50.0, 50.0], exceeded in 19 of 19"), "{text}");
        assert!(run(50.0, low, true).expect("rounds").0, "an infinite t is one");
        assert!(!run(1.0, "0 0 0 0 1\n", true).expect("rounds").0);
        let (passed, text) = run(1.0, high, false).expect("rounds");
        assert!(passed && text.starts_with("ok a pair, t = [1.0]\n"), "{text}");
        for bad in ["", "1 2 3\n", "0 0 0 0 x\n"] {
            assert!(run(50.0, bad, false).unwrap_err().to_string().contains("a process that measures"));
        }
    }

    #[test]
    fn one_pair_writes_its_rounds() {
        let pairs = || vec![Pair { name: "a pair".into(), planted: false, round: Box::new(|| SLOW) }];
        let (test, mut out) = (Test { bound: CERTAINTY, rounds: 2 }, Vec::new());
        test.one(pairs(), 0, &mut out).expect("a pair");
        assert_eq!(out, b"0 11 12 9 1\n0 11 12 9 1\n");
        assert!(test.one(pairs(), 1, &mut out).is_err());
    }
}
