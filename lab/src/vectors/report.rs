//! The output of the command.
use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use carryless_cli::base::{printable, stdout_error};
use serde::Serialize;

use super::case::Test;
use super::outcome::{Difference, Outcome};

/// Most failed tests that are described. Further ones are only counted.
const MAX_FAILURES: usize = 20;

/// The format of the output: for people, or as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
}

/// The results of a file's tests on one backend.
pub(super) struct Tally<'a> {
    pub(super) passed: usize,
    /// Reasons for skipping, each with the number of tests.
    pub(super) skipped: BTreeMap<String, usize>,
    pub(super) failures: Vec<(&'a Test, Vec<Difference>)>,
}

impl<'a> Tally<'a> {
    /// Counts the outcomes of the tests, which are in the same order.
    pub(super) fn of(tests: &'a [Test], outcomes: Vec<Outcome>) -> Self {
        let mut tally = Tally { passed: 0, skipped: BTreeMap::new(), failures: Vec::new() };
        for (test, outcome) in tests.iter().zip(outcomes) {
            match outcome {
                Outcome::Passed => tally.passed += 1,
                Outcome::Skipped(reason) => *tally.skipped.entry(reason).or_default() += 1,
                Outcome::Failed(differences) => tally.failures.push((test, differences)),
            }
        }
        tally
    }

    fn skips(&self) -> usize {
        self.skipped.values().sum()
    }
}

/// Prints the results of a file on a backend. There are none if the CPU lacks it.
pub(super) fn print(
    out: &mut impl Write,
    format: Format,
    file: &str,
    backend: &str,
    tally: Option<&Tally<'_>>,
) -> Result<()> {
    let lines = match format {
        Format::Text => text(file, backend, tally),
        Format::Json => serde_json::to_string(&Line::of(file, backend, tally))? + "\n",
    };
    // Flushed after each backend: runs take minutes, and a reader wants to see them go on.
    out.write_all(lines.as_bytes()).and_then(|()| out.flush()).map_err(stdout_error)
}

fn text(file: &str, backend: &str, tally: Option<&Tally<'_>>) -> String {
    let Some(tally) = tally else {
        return format!("{file}  {backend}  skipped (this CPU has no {backend})\n");
    };
    let (failed, skips) = (tally.failures.len(), tally.skips());
    let mut lines = format!("{file}  {backend}  {} passed, {failed} failed, {skips} skipped\n", tally.passed);
    for (reason, count) in &tally.skipped {
        // A reason may quote a name from the file.
        lines += &format!("    {count} skipped: {}\n", printable(reason));
    }
    for (test, differences) in tally.failures.iter().take(MAX_FAILURES) {
        // Remarks come from the file, and control characters must not reach the terminal.
        let comment = printable(&test.comment);
        let comment = if comment.is_empty() { comment } else { format!(" ({comment})") };
        for Difference { route, expected, got } in differences {
            lines += &format!("    FAILED {}{comment}, {route}: expected {expected}, got {got}\n", test.id);
        }
    }
    if failed > MAX_FAILURES {
        lines += &format!("    and {} more failed\n", failed - MAX_FAILURES);
    }
    lines
}

/// The JSON object of a file on a backend.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    backend: &'a str,
    /// False if the CPU lacks the backend. All counts are zero then.
    available: bool,
    passed: usize,
    failed: usize,
    skipped: usize,
    skip_reasons: BTreeMap<&'a str, usize>,
    failures: Vec<Failure<'a>>,
}

/// The JSON object of one route of a failed test.
#[derive(Serialize)]
struct Failure<'a> {
    test: &'a str,
    comment: &'a str,
    route: &'a str,
    expected: &'a str,
    got: &'a str,
}

impl<'a> Line<'a> {
    fn of(file: &'a str, backend: &'a str, tally: Option<&'a Tally<'a>>) -> Self {
        let mut line = Line {
            file,
            backend,
            available: tally.is_some(),
            passed: 0,
            failed: 0,
            skipped: 0,
            skip_reasons: BTreeMap::new(),
            failures: Vec::new(),
        };
        if let Some(tally) = tally {
            (line.passed, line.failed, line.skipped) = (tally.passed, tally.failures.len(), tally.skips());
            // JSON escapes control characters, so reasons and remarks stay as they are.
            line.skip_reasons = tally.skipped.iter().map(|(reason, count)| (&reason[..], *count)).collect();
            // `failed` counts all of them.
            line.failures = tally.failures.iter().take(MAX_FAILURES).flat_map(Failure::all).collect();
        }
        line
    }
}

impl<'a> Failure<'a> {
    fn all((test, differences): &'a (&'a Test, Vec<Difference>)) -> impl Iterator<Item = Self> {
        differences.iter().map(|Difference { route, expected, got }| Failure {
            test: &test.id,
            comment: &test.comment,
            route,
            expected,
            got,
        })
    }
}
