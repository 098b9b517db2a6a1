//! Finds pairs of classes of calls that differ in time: t exceeds a bound in most of ten processes, with the
//! same sign.
//!
//! Such a pair is a suspect, which is reported with its figures, and not a failure. The placement of code,
//! stack and heap in a process, together with the data, causes small differences of time that neither a
//! branch nor an address explains (book/src/testing.md); a shared machine adds to them. Memcheck and single steps
//! decide. If a planted leak is not seen, the test is incomplete: the computer was too busy to show a leak of
//! that size.
//!
//! The driver `ctime`, a workspace of its own, compiles this file too.
use crate::welch::{CROPS, Difference, Round};
use std::io::{Error, Result, Write};
use std::process::Command;

/// The |t| from which dudect calls a difference suspicious.
pub const SUSPICION: f64 = 4.5;

/// The |t| from which dudect calls a difference certain.
pub const CERTAINTY: f64 = 10.0;

/// The exit code of a test that did not see a planted leak and so can say nothing.
pub const INCOMPLETE: u8 = 3;

/// Most processes that measure a pair. A pair that does not exceed the bound in the first one is not measured again.
const PROCESSES: usize = 10;

/// Processes that must exceed the bound at the same percentile, with the same sign, to make the pair a suspect.
const NEEDED: usize = 6;

/// Attempts at a planted leak. One of them must see it, because a busy computer hides it for a while.
const TRIES: usize = 3;

/// Two classes of calls whose times are compared.
pub struct Pair<'a> {
    /// The name in the output.
    pub name: String,
    /// Whether the classes differ by a planted leak, which the test must see.
    pub planted: bool,
    /// Times one round of calls and returns the differences between the classes.
    pub round: Box<dyn FnMut() -> Round + 'a>,
}

/// The rules by which a pair is tested.
pub struct Test {
    /// A process shows a difference if |t| exceeds this in one of its rounds.
    pub bound: f64,
    /// Rounds of a process. It stops after the first if no |t| there exceeds [`SUSPICION`].
    pub rounds: usize,
}

impl Test {
    /// Measures one pair on behalf of [`Test::all`] in another process, and writes a line for each round.
    ///
    /// # Errors
    /// If there is no such pair, or the output fails.
    pub fn one(&self, pairs: Vec<Pair>, index: usize, out: &mut dyn Write) -> Result<()> {
        let pair = pairs.into_iter().nth(index).ok_or_else(|| Error::other("no pair has this number"))?;
        // Numbers alone, because the first process parses them. It writes the text itself.
        let words = |round: &Round| round.map(|Difference { t, ticks }| format!("{t} {ticks}")).join(" ");
        self.measure(pair).iter().try_for_each(|round| writeln!(out, "{}", words(round)))
    }

    /// Measures all pairs and writes a line for each; that of a suspect begins with `SUSPECT`. `process` is the command
    /// that runs [`Test::one`] for the pair of a number. Returns whether every planted leak was seen.
    ///
    /// # Errors
    /// If another process cannot be started or fails, or the output does.
    pub fn all(
        &self,
        pairs: Vec<Pair>,
        process: impl Fn(usize) -> Command,
        out: &mut dyn Write,
    ) -> Result<bool> {
        let (count, mut suspects, mut failed) = (pairs.len(), 0, 0);
        for (index, pair) in pairs.into_iter().enumerate() {
            let (name, planted) = (pair.name.clone(), pair.planted);
            let elsewhere = || rounds_of(&mut process(index));
            // This process is the first. Most pairs pass in it and need no further one.
            let mut tally = self.tally(self.measure(pair), elsewhere)?;
            for _ in 1..TRIES {
                if planted && !tally.is_suspect() {
                    // A new attempt counts from zero, so that the rule for a suspect stays the same.
                    tally = self.tally(elsewhere()?, elsewhere)?;
                }
            }
            let word = match (tally.is_suspect(), planted) {
                (false, false) => "ok",
                (true, false) => "SUSPECT",
                (true, true) => "seen, as it must be:",
                (false, true) => "NOT SEEN:",
            };
            suspects += usize::from(tally.is_suspect() && !planted);
            failed += usize::from(planted && !tally.is_suspect());
            writeln!(out, "{word} {name}, {}", tally.text())?;
        }
        writeln!(out, "times: {count} pairs, {suspects} suspects, {failed} planted leaks not seen")?;
        Ok(failed == 0)
    }

    fn measure(&self, mut pair: Pair) -> Vec<Round> {
        let first = (pair.round)();
        let suspected = first.iter().any(|difference| difference.t.abs() > SUSPICION);
        let more = if suspected { self.rounds - 1 } else { 0 };
        [first].into_iter().chain((0..more).map(|_| (pair.round)())).collect()
    }

    /// Counts the rounds of the first process, then those of more processes until the answer is known.
    fn tally(&self, first: Vec<Round>, elsewhere: impl Fn() -> Result<Vec<Round>>) -> Result<Tally> {
        let mut tally = Tally::default();
        tally.add(&first, self.bound);
        tally.first = first;
        while tally.is_open() {
            tally.add(&elsewhere()?, self.bound);
        }
        Ok(tally)
    }
}

/// Runs a process and reads the rounds that [`Test::one`] writes there.
fn rounds_of(process: &mut Command) -> Result<Vec<Round>> {
    let output = process.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let round = |line: &str| {
        // An infinite t parses as well. It means that the times within the classes do not vary.
        let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?;
        let differences = numbers.chunks(2).map(|pair| Some(Difference { t: pair[0], ticks: *pair.get(1)? }));
        Round::try_from(differences.collect::<Option<Vec<_>>>()?).ok()
    };
    let rounds: Option<Vec<Round>> = text.lines().map(round).collect();
    // A process that is killed may have written some rounds before.
    let rounds = rounds.filter(|rounds| output.status.success() && !rounds.is_empty());
    rounds.ok_or_else(|| {
        let reason = String::from_utf8_lossy(&output.stderr);
        Error::other(format!("a process that measures a pair failed, {}: {reason}", output.status))
    })
}

/// Counts of the processes in which t exceeded the bound.
#[derive(Default)]
struct Tally {
    processes: usize,
    /// For each percentile the processes with a positive and with a negative excess.
    exceeded: [[usize; 2]; CROPS.len()],
    /// The rounds of the first process, whose figures are reported.
    first: Vec<Round>,
}

impl Tally {
    fn add(&mut self, rounds: &[Round], bound: f64) {
        self.processes += 1;
        for (crop, exceeded) in self.exceeded.iter_mut().enumerate() {
            for (exceeded, sign) in exceeded.iter_mut().zip([1.0, -1.0]) {
                // A process counts once for a percentile and a sign, however many of its rounds exceed the
                // bound.
                *exceeded += usize::from(rounds.iter().any(|round| sign * round[crop].t > bound));
            }
        }
    }

    /// The most processes that agree on a percentile and a sign, and the index of that percentile.
    fn most(&self) -> (usize, usize) {
        let of_crops = self.exceeded.iter().map(|[slower, faster]| *slower.max(faster)).enumerate();
        // Of equal counts the first percentile, which leaves out the fewest times.
        let (crop, most) =
            of_crops.max_by_key(|&(crop, most)| (most, CROPS.len() - crop)).unwrap_or_default();
        (most, crop)
    }

    fn is_suspect(&self) -> bool {
        self.most().0 >= NEEDED
    }

    /// Whether another process could still change the answer. It cannot if the first one did not exceed the bound.
    fn is_open(&self) -> bool {
        let (most, _) = self.most();
        // The answer is open while NEEDED can be reached, if all processes that are left agree.
        !self.is_suspect() && most > 0 && most + PROCESSES - self.processes >= NEEDED
    }

    /// The greatest difference of the first process, at the percentile on which most processes agree or else at any.
    fn text(&self) -> String {
        let (most, crop) = self.most();
        let crops = if most > 0 { crop..crop + 1 } else { 0..CROPS.len() };
        let all = self.first.iter().flat_map(|round| &round[crops.clone()]);
        let Difference { t, ticks } =
            all.copied().max_by(|a, b| a.t.abs().total_cmp(&b.t.abs())).unwrap_or_default();
        let percent = 100.0 * CROPS[crop];
        match most {
            0 => format!("t = {t:.1}"),
            _ => format!(
                "t = {t:.1}, {ticks:.1} ticks over the shortest {percent:.0} % of the calls; exceeded in {most} of {} processes",
                self.processes
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(t: [f64; CROPS.len()]) -> Round {
        t.map(|t| Difference { t, ticks: 2.0 * t })
    }

    const SLOW: [f64; CROPS.len()] = [0.0, 11.0, 12.0, 9.0, 1.0, 0.0];

    /// Tests a pair whose processes have these rounds, over and over: whether it is a suspect,
    /// and how many processes ran.
    fn suspect(processes: &[&[[f64; CROPS.len()]]]) -> (bool, usize) {
        let asked = std::cell::Cell::new(0);
        let rounds = |number: usize| {
            processes[number % processes.len()].iter().copied().map(round).collect::<Vec<_>>()
        };
        let next = || {
            asked.set(asked.get() + 1);
            Ok(rounds(asked.get()))
        };
        let test = Test { bound: CERTAINTY, rounds: 3 };
        let tally = test.tally(rounds(0), next).expect("no process fails");
        (tally.is_suspect(), tally.processes)
    }

    #[test]
    fn most_processes_must_agree() {
        let (fast, clean) = (SLOW.map(|t| -t), [9.9, -9.9, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(suspect(&[&[SLOW]]), (true, NEEDED));
        assert_eq!(suspect(&[&[fast; 3]]), (true, NEEDED));
        assert_eq!(suspect(&[&[clean; 3]]), (false, 1));
        // One round above the bound is enough for a process.
        assert_eq!(suspect(&[&[clean, SLOW, clean]]), (true, NEEDED));
        assert_eq!(suspect(&[&[SLOW], &[SLOW], &[clean]]), (true, 8));
        let hidden = [clean];
        let mut rarely = vec![&hidden[..]; 10];
        rarely[0] = &[SLOW];
        assert_eq!(suspect(&rarely), (false, PROCESSES - NEEDED + 2));
        assert!(!suspect(&[&[SLOW], &[fast]]).0, "each sign in half of them");
        let (one, other) = ([11.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 11.0, 0.0, 0.0, 0.0]);
        assert!(!suspect(&[&[one], &[other], &[clean]]).0, "different percentiles");
    }

    #[cfg(unix)]
    #[test]
    fn planted_leaks_must_be_seen_and_suspects_are_told() {
        let run = |here: f64, elsewhere: &'static str, planted| {
            let one: Box<dyn FnMut() -> Round> = Box::new(move || round([here; CROPS.len()]));
            let pairs = vec![Pair { name: "a pair".into(), planted, round: one }];
            let process = |_: usize| {
                let mut process = Command::new("printf");
                process.arg(elsewhere);
                process
            };
            let mut out = Vec::new();
            let passed = Test { bound: CERTAINTY, rounds: 2 }.all(pairs, process, &mut out);
            passed.map(|passed| (passed, String::from_utf8(out).expect("ASCII")))
        };
        let (high, low) =
            ("50 9 0 0 0 0 0 0 0 0 0 0\n", "1 0 1 0 1 0 1 0 1 0 1 0\n1 0 1 0 1 0 1 0 1 0 inf 3\n");
        let (passed, text) = run(50.0, high, false).expect("rounds");
        let suspect =
            "SUSPECT a pair, t = 50.0, 100.0 ticks over the shortest 100 % of the calls; exceeded in 6 of 6";
        assert!(passed && text.starts_with(suspect), "{text}");
        assert!(text.ends_with("times: 1 pairs, 1 suspects, 0 planted leaks not seen\n"), "{text}");
        assert!(run(50.0, low, true).expect("rounds").0, "an infinite t is one");
        let (passed, text) = run(1.0, "1 0 1 0 1 0 1 0 1 0 1 0\n", true).expect("rounds");
        assert!(!passed && text.starts_with("NOT SEEN: a pair"), "{text}");
        let (passed, text) = run(1.0, high, false).expect("rounds");
        assert!(passed && text.starts_with("ok a pair, t = 1.0\n"), "{text}");
        for bad in ["", "1 2 3\n", "1 0 1 0 1 0 1 0 1 0\n", "0 0 0 0 0 0 0 0 0 0 0 x\n"] {
            assert!(run(50.0, bad, false).unwrap_err().to_string().contains("a process that measures"));
        }
    }

    #[test]
    fn one_pair_writes_its_rounds() {
        let pairs = || vec![Pair { name: "a pair".into(), planted: false, round: Box::new(|| round(SLOW)) }];
        let (test, mut out) = (Test { bound: CERTAINTY, rounds: 2 }, Vec::new());
        test.one(pairs(), 0, &mut out).expect("a pair");
        assert_eq!(out, b"0 0 11 22 12 24 9 18 1 2 0 0\n0 0 11 22 12 24 9 18 1 2 0 0\n");
        assert!(test.one(pairs(), 1, &mut out).is_err());
    }
}
