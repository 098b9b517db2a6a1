//! Steps of a chore and their outcomes: passed, failed, or not exercised on this computer.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Why a step did not pass.
pub(crate) enum Stop {
    /// The step found something wrong, or a program that it needs failed.
    Failed(String),
    /// This computer lacks something that the step needs. The text says what, and how to install it.
    NotExercised(String),
}

/// The result of a step.
pub(crate) type Outcome = Result<(), Stop>;

/// Returns `Err(Stop::Failed(..))`, of any result type.
pub(crate) fn fail<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Failed(why.into()))
}

/// Combines outcomes: failed if one failed, else not exercised if one was not. The texts are joined.
pub(crate) fn worst(outcomes: impl IntoIterator<Item = Outcome>) -> Outcome {
    // All texts are kept: the second failure may be the cause of the first.
    let (mut failures, mut missing) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Ok(()) => {}
            Err(Stop::Failed(why)) => failures.push(why),
            Err(Stop::NotExercised(why)) => missing.push(why),
        }
    }
    match (failures.is_empty(), missing.is_empty()) {
        (false, _) => fail(failures.join("; ")),
        (true, false) => Err(Stop::NotExercised(missing.join("; "))),
        (true, true) => Ok(()),
    }
}

struct Step {
    name: String,
    outcome: Outcome,
    time: Duration,
}

/// The steps of a run in order, and the backends they exercised.
#[derive(Default)]
pub(crate) struct Report {
    steps: Vec<Step>,
    /// For each known backend, the places where tests ran on it; an empty list is printed as not exercised.
    backends: BTreeMap<String, Vec<String>>,
}

impl Report {
    /// Runs one step, and records its outcome and time for the summary. A failure does not stop the chore.
    pub(crate) fn step(&mut self, name: &str, run: impl FnOnce() -> Outcome) {
        eprintln!("\n==== {name}");
        let start = Instant::now();
        let outcome = run();
        // The summary repeats it, but that may come hours later.
        if let Err(Stop::Failed(why)) = &outcome {
            eprintln!("==== {name} FAILED: {why}");
        }
        self.steps.push(Step { name: name.into(), outcome, time: start.elapsed() });
    }

    /// Runs a step that returns the backends it exercised and those it lacked. `place` is the
    /// processor's name in the summary.
    pub(crate) fn backend_step(&mut self, name: &str, place: &str, run: impl FnOnce() -> Result<Seen, Stop>) {
        let mut seen = Seen::default();
        self.step(name, || run().map(|found| seen = found));
        // The empty list stays only if no step of the run exercises the backend.
        for name in seen.missing {
            self.backends.entry(name).or_default();
        }
        for name in seen.available {
            self.backends.entry(name).or_default().push(place.into());
        }
    }

    /// Whether any step failed, which makes the exit code 1.
    pub(crate) fn failed(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.outcome, Err(Stop::Failed(_))))
    }

    /// Whether a step could not be run, or there was none at all: a chore that did nothing must not pass.
    pub(crate) fn incomplete(&self) -> bool {
        self.steps.is_empty()
            || self.steps.iter().any(|step| matches!(step.outcome, Err(Stop::NotExercised(_))))
    }

    /// Prints the summary to standard output. `cargo xtask ci` parses the lines between `summary` and `backends`.
    pub(crate) fn print(&self) {
        println!("\nsummary");
        for Step { name, outcome, time, .. } in &self.steps {
            let seconds = time.as_secs_f64();
            match outcome {
                Ok(()) => println!("  passed         {seconds:7.1} s  {name}"),
                Err(Stop::Failed(why)) => println!("  FAILED         {seconds:7.1} s  {name}: {why}"),
                // No time here: `cargo xtask ci` takes all text after the prefix for the step and its reason.
                Err(Stop::NotExercised(why)) => println!("  NOT EXERCISED: {name} ({why})"),
            }
        }
        if !self.backends.is_empty() {
            println!("backends");
        }
        for (backend, places) in &self.backends {
            match places.is_empty() {
                true => println!("  NOT EXERCISED: {backend} (no processor or build of this run has it)"),
                false => println!("  {backend:<12} {}", places.join(", ")),
            }
        }
    }
}

/// The backends that a processor has, and those that it lacks.
#[derive(Default)]
pub(crate) struct Seen {
    /// Names of the backends that the tests ran on.
    pub available: Vec<String>,
    /// Names of the other backends that the project knows.
    pub missing: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_worse_than_what_was_not_exercised() {
        let missing = || Err(Stop::NotExercised("a".into()));
        assert!(worst([Ok(()), Ok(())]).is_ok());
        assert!(
            matches!(worst([missing(), Ok(()), missing()]), Err(Stop::NotExercised(why)) if why == "a; a")
        );
        assert!(matches!(worst([missing(), fail("b")]), Err(Stop::Failed(why)) if why == "b"));
    }

    #[test]
    fn a_step_that_could_not_run_leaves_its_chore_incomplete() {
        let mut report = Report::default();
        assert!(report.incomplete(), "without a step");
        report.step("a", || Ok(()));
        assert!(!report.failed() && !report.incomplete());
        report.step("b", || Err(Stop::NotExercised("no such program".into())));
        assert!(!report.failed() && report.incomplete());
        report.step("c", || fail("it is wrong"));
        assert!(report.failed());
    }
}
