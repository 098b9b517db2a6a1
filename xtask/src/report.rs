//! What ran, what failed, what could not be run here.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Why a step did not pass.
pub(crate) enum Stop {
    /// It ran and found something wrong, or what it needs is broken.
    Failed(String),
    /// This computer lacks what it needs.
    NotExercised(String),
}

/// The result of a step.
pub(crate) type Outcome = Result<(), Stop>;

/// `Err(Failed(..))`, for the end of a step.
pub(crate) fn fail<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Failed(why.into()))
}

struct Step {
    chore: &'static str,
    name: String,
    outcome: Outcome,
    time: Duration,
}

/// The steps of a run in order, and the machines they exercised.
#[derive(Default)]
pub(crate) struct Report {
    /// The chore that runs now.
    chore: &'static str,
    steps: Vec<Step>,
    /// For each machine the project knows, the places where tests ran on it.
    machines: BTreeMap<String, Vec<String>>,
}

impl Report {
    /// The steps that follow belong to this chore.
    pub(crate) fn begin(&mut self, chore: &'static str) {
        self.chore = chore;
    }

    /// Runs one step and writes down how it ended.
    pub(crate) fn step(&mut self, name: &str, run: impl FnOnce() -> Outcome) {
        eprintln!("\n==== {name}");
        let start = Instant::now();
        let outcome = run();
        if let Err(Stop::Failed(why)) = &outcome {
            eprintln!("==== {name} FAILED: {why}");
        }
        self.steps.push(Step { chore: self.chore, name: name.into(), outcome, time: start.elapsed() });
    }

    /// Runs one step that exercises machines and returns their names, and those that the project knows but that
    /// were missing there.
    pub(crate) fn machine_step(&mut self, name: &str, place: &str, run: impl FnOnce() -> Result<Seen, Stop>) {
        let mut seen = Seen::default();
        self.step(name, || run().map(|found| seen = found));
        for name in seen.missing {
            self.machines.entry(name).or_default();
        }
        for name in seen.available {
            self.machines.entry(name).or_default().push(place.into());
        }
    }

    /// Whether any step failed.
    pub(crate) fn failed(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.outcome, Err(Stop::Failed(_))))
    }

    /// Whether a step of one of the chores could not be run, or a chore has no step at all.
    pub(crate) fn incomplete(&self, chores: &[&str]) -> bool {
        chores.iter().any(|chore| {
            let mut steps = self.steps.iter().filter(|step| step.chore == *chore).peekable();
            steps.peek().is_none() || steps.any(|step| matches!(step.outcome, Err(Stop::NotExercised(_))))
        })
    }

    /// Prints the summary.
    pub(crate) fn print(&self) {
        println!("\nsummary");
        for Step { name, outcome, time, .. } in &self.steps {
            let seconds = time.as_secs_f64();
            match outcome {
                Ok(()) => println!("  passed         {seconds:7.1} s  {name}"),
                Err(Stop::Failed(why)) => println!("  FAILED         {seconds:7.1} s  {name}: {why}"),
                Err(Stop::NotExercised(why)) => println!("  NOT EXERCISED: {name} ({why})"),
            }
        }
        if !self.machines.is_empty() {
            println!("machines");
        }
        for (machine, places) in &self.machines {
            match places.is_empty() {
                true => println!("  NOT EXERCISED: {machine} (no processor in this run has it)"),
                false => println!("  {machine:<12} {}", places.join(", ")),
            }
        }
    }
}

/// The machines that a processor has, and those that it lacks.
#[derive(Default)]
pub(crate) struct Seen {
    /// Names of the machines that the tests ran on.
    pub available: Vec<String>,
    /// Names of the other machines that the project knows.
    pub missing: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_could_not_run_leaves_its_chore_incomplete() {
        let mut report = Report::default();
        report.begin("whole");
        report.step("a", || Ok(()));
        report.begin("part");
        report.step("b", || Ok(()));
        report.step("c", || Err(Stop::NotExercised("no such program".into())));
        assert!(!report.failed());
        assert!(!report.incomplete(&["whole"]) && report.incomplete(&["part"]));
        assert!(report.incomplete(&["whole", "part"]) && report.incomplete(&["never run"]));
    }
}
