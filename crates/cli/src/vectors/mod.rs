//! `carryless vectors`: test vectors in JSON, on every machine and by every route through the library.
//!
//! The formats are described in vectors/README.md: the project's own, and Wycheproof's for MACs. Nothing passes
//! silently: a test that cannot be run is counted as skipped and the reason is printed, a machine that this CPU
//! lacks has its line, and a file with no test, an unknown algorithm or an unknown schema is an error.
mod defects;
mod hex;
mod nonce_mac;
mod outcome;
mod reference;
mod report;
mod routes;
mod routes1271;
mod schema;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use carryless_hash::Cpu;
use clap::Args;

use crate::exit::Exit;
use crate::key::escape_path;
use report::{Format, Tally};
use schema::Test;

/// Checks this build and this CPU with test vectors.
///
/// Prints one line for each file and machine: how many tests passed, failed and were skipped, and why.
/// Exit status: 0 all passed, 1 a test failed, 2 an error.
#[derive(Args)]
pub(crate) struct VectorsArgs {
    /// The machine (vector unit) to check, as `carryless info` names them, or all
    #[arg(long, value_name = "NAME", default_value = "all")]
    machine: String,
    /// Check the files against big integers as well
    #[arg(long)]
    reference: bool,
    /// Print lines of JSON
    #[arg(long)]
    json: bool,
    /// JSON files in the project's formats or in Wycheproof's
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// What computes.
#[derive(Clone, Copy)]
enum Subject {
    /// The library, on this machine.
    Machine(Cpu),
    /// A machine that this CPU lacks.
    Absent(&'static str),
    /// Big integers.
    Reference,
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Subject::Machine(cpu) => cpu.name(),
            Subject::Absent(name) => name,
            Subject::Reference => "reference",
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &VectorsArgs) -> Result<Exit> {
    run_to(&mut std::io::stdout().lock(), args)
}

/// Runs the command and prints elsewhere. All files are read before the first test, so that a bad one is not
/// overlooked among results.
fn run_to(out: &mut impl Write, args: &VectorsArgs) -> Result<Exit> {
    let subjects = args.subjects()?;
    let mut files = Vec::new();
    for path in &args.files {
        let name = escape_path(path);
        let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot read"))?;
        let tests = schema::parse(&text).with_context(|| name.clone())?;
        files.push((name, tests));
    }
    let format = if args.json { Format::Json } else { Format::Text };
    let mut failed = false;
    for (name, tests) in &files {
        let mut ran = false;
        for &subject in &subjects {
            let tally = check(subject, tests);
            report::print(out, format, name, subject.name(), tally.as_ref())?;
            failed |= tally.as_ref().is_some_and(|tally| !tally.failures.is_empty());
            ran |= tally.is_some_and(|tally| tally.passed + tally.failures.len() > 0);
        }
        ensure!(ran, "{name}: all tests were skipped, so nothing was checked");
    }
    Ok(if failed { Exit::Mismatch } else { Exit::Good })
}

impl VectorsArgs {
    fn subjects(&self) -> Result<Vec<Subject>> {
        let known = Cpu::NAMES.iter().filter(|&&name| self.machine == "all" || self.machine == name);
        let mut subjects: Vec<Subject> =
            known.map(|name| Cpu::named(name).map_or(Subject::Absent(name), Subject::Machine)).collect();
        match subjects[..] {
            [] => bail!("no machine is called {:?}; there are {}", self.machine, Cpu::NAMES.join(", ")),
            [Subject::Absent(name)] => bail!("this CPU has no {name}"),
            _ => {}
        }
        subjects.extend(self.reference.then_some(Subject::Reference));
        Ok(subjects)
    }
}

/// All tests of a file on one subject; `None` if the CPU lacks it.
fn check(subject: Subject, tests: &[Test]) -> Option<Tally<'_>> {
    let outcomes: Vec<_> = match subject {
        Subject::Machine(cpu) => routes::on_machine(cpu, tests),
        Subject::Absent(_) => return None,
        Subject::Reference => tests.iter().map(|test| reference::on_reference(&test.case)).collect(),
    };
    Some(Tally::of(tests, outcomes))
}
