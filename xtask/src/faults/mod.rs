//! `cargo xtask faults`: mutation testing, by a list of wrong code that the tests must notice.
//!
//! The tables in `xtask/faults` say which expression or statement becomes which wrong one. All of them are
//! planted in one copy of the sources, as `if carryless_faults::is(ID) { wrong } else { right }`, so that one
//! build serves all; an environment variable selects the one that is on. The tests of each table first run
//! without a fault, where they must pass, and then with each fault until one fails.
mod plant;
mod run;
mod table;

use crate::report::{Outcome, Report, Stop, fail};
use table::{Fault, Table};

/// The faults that the arguments select.
struct Choice {
    /// Names of tables and numbers of faults to run; empty means all.
    only: Vec<String>,
    /// (K, N): run every fault of a table whose index is K - 1 modulo N.
    part: (usize, usize),
}

impl Choice {
    fn new(args: &[String]) -> Result<Choice, Stop> {
        let mut choice = Choice { only: Vec::new(), part: (1, 1) };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().cloned().unwrap_or_default();
            match arg.as_str() {
                "--only" => choice.only.push(value()),
                "--part" => choice.part = part(&value())?,
                other => {
                    return fail(format!("no option {other}: [--only TABLE|ID]... [--part K/N]"));
                }
            }
        }
        Ok(choice)
    }

    /// The selected faults of a table.
    fn of<'a>(&self, table: &'a Table) -> Vec<&'a Fault> {
        let is_named = |name: &str| self.only.iter().any(|only| only == name);
        let whole = self.only.is_empty() || is_named(&table.name);
        let chosen = table.faults.iter().filter(|fault| whole || is_named(&fault.id.to_string()));
        let (k, n) = self.part;
        // Counted among the chosen ones, so that the parts of any choice differ in size by one at most.
        chosen.enumerate().filter(|(i, _)| i % n == k - 1).map(|(_, fault)| fault).collect()
    }
}

fn part(text: &str) -> Result<(usize, usize), Stop> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((k, n)) if 1 <= k && k <= n => Ok((k, n)),
        _ => fail(format!("--part {text} is not K/N with K from 1 to N")),
    }
}

/// Checks that the code which each fault replaces is still in the sources, exactly once. `cargo xtask lint` calls it.
pub(crate) fn fit() -> Outcome {
    plant::check(&table::read_all()?)
}

pub(crate) fn run(report: &mut Report, args: &[String]) {
    let mut planted = None;
    report.step("faults are planted in a copy of the sources", || {
        let (choice, tables) = (Choice::new(args)?, table::read_all()?);
        if let Some(name) = choice.only.iter().find(|name| !tables.iter().any(|table| table.has(name))) {
            return fail(format!("no table and no fault is named {name}"));
        }
        plant::plant(&tables)?;
        planted = Some((choice, tables));
        Ok(())
    });
    let Some((choice, tables)) = planted else { return };
    for table in &tables {
        let faults = choice.of(table);
        if !faults.is_empty() {
            report.step(&format!("{} faults of {}", faults.len(), table.name), || one_table(table, &faults));
        }
    }
}

fn one_table(table: &Table, faults: &[&Fault]) -> Outcome {
    if !backends_are_there() {
        return Err(Stop::NotExercised("this CPU lacks VPCLMULQDQ, whose backend the build takes".into()));
    }
    let (waiting, ready): (Vec<&Fault>, Vec<&Fault>) =
        faults.iter().partition(|fault| fault.waits().is_some());
    // Faults that only the table calls equivalent run as well, since the table may be wrong.
    let (open, mut wrong) = run::all(run::programs(table), ready)?;
    for fault in open {
        match &fault.equivalent {
            Some(reason) => show(fault, &format!("equivalent: {reason}")),
            None => {
                wrong.push(fault.id);
                show(fault, "SURVIVED");
            }
        }
    }
    for fault in &waiting {
        show(fault, &format!("NOT RUN: waits for {}", fault.waits().unwrap_or_default()));
    }
    match (wrong.is_empty(), waiting.len()) {
        (false, _) => fail(format!("not as they should be: {wrong:?}")),
        (true, 0) => Ok(()),
        // A fault that nothing can notice yet must not look caught.
        (true, count) => Err(Stop::NotExercised(format!("{count} wait for tests that are not there"))),
    }
}

/// Prints a fault and its outcome.
fn show(fault: &Fault, outcome: &str) {
    println!("{:>5}  {}  {}  ->  {}\n       {outcome}", fault.id, fault.file, fault.old, fault.new);
}

/// Whether this CPU has the backend with two lanes of carry-less products, on which most tests of this build run.
fn backends_are_there() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("vpclmulqdq");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
