//! The command line, shared by `carryless-bench` and `carryless bench`.
use crate::assertion::{Comparison, Outcome, Smooth};
use crate::clock::Clock;
use crate::environment::Environment;
use crate::report::{self, Report, Row};
use crate::subject::{Family, Mode, Subject, select};
use crate::{lengths, ours, peers, sampler, verify};
use anyhow::{Context, Result, ensure};
use clap::Parser;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// How often lengths are measured at which the machine was too busy.
const PASSES: usize = 3;
/// Most bytes in a call. Memory is set aside for all of them.
const MOST: usize = 1 << 30;

/// Measure cycles per byte: subjects in turn, clock-normalised, verified before timing.
#[derive(Clone, Debug, Parser)]
#[command(name = "carryless-bench", version)]
pub struct Arguments {
    /// What to compute
    #[arg(value_enum, value_name = "FAMILY")]
    family: Family,
    /// Message lengths: 16, 1k, 512KiB, ranges 1..4096, with steps 128..4096+128
    #[arg(long, default_value = lengths::DEFAULT, value_name = "L,..")]
    lengths: String,
    /// Subjects, e.g. carryless/best,openssl/*; one named twice is measured twice [default: all there are]
    #[arg(long, value_delimiter = ',', value_name = "S,..")]
    subjects: Vec<String>,
    /// What a call includes
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    mode: Mode,
    /// Messages in a call, in batch mode
    #[arg(long, default_value_t = 1024, value_name = "N")]
    batch: usize,
    /// Seconds for each length
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    seconds: f64,
    /// Append a JSON line for each subject and length
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Write comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table that is printed
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,
    /// Write a plot
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// 'SUBJECT <= 0.82 * SUBJECT @ LENGTHS'; the right side may be best(openssl/*) or cycles per byte
    #[arg(long, value_name = "CLAIM")]
    assert: Vec<Comparison>,
    /// SUBJECT:128:1.05: no length above 1.05 times the cycles of the next longer multiple of 128
    #[arg(long, value_name = "CLAIM")]
    assert_smooth: Vec<Smooth>,
    /// List the subjects and stop
    #[arg(long)]
    list: bool,
}

/// Runs the command with the arguments of a program (its name first).
///
/// The exit code is 0 if all went well, 1 if an assertion failed, 2 if anything could not be measured.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => execute(&arguments),
        Err(error) => error.exit(),
    }
}

/// Runs the command with arguments already parsed; exit codes as of [`main`].
pub fn execute(arguments: &Arguments) -> ExitCode {
    match run(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
            // A reader that has seen enough and closed the output, as `head` does, needs no message.
            if kind != Some(std::io::ErrorKind::BrokenPipe) {
                // Standard error may be closed: there is no other place to say so.
                let _ = writeln!(std::io::stderr(), "error: {error:#}");
            }
            ExitCode::from(2)
        }
    }
}

/// Whether all assertions hold.
fn run(arguments: &Arguments) -> Result<bool> {
    ensure!(arguments.seconds > 0.0 && arguments.seconds.is_finite(), "seconds must be positive");
    ensure!(arguments.batch > 0, "a batch needs a message");
    let no_batch = arguments.family == Family::PolyHash1305 && arguments.mode == Mode::Batch;
    ensure!(!no_batch, "polyhash1305 has no call for a batch");
    let mut subjects = ours::subjects(arguments.family, arguments.mode);
    subjects.extend(peers::subjects(arguments.family, arguments.mode));
    if arguments.list {
        subjects.iter().try_for_each(|subject| print(&subject.name))?;
        return Ok(true);
    }
    let report = measure(arguments, &subjects)?;
    let table = report::markdown(&report);
    print(&table)?;
    write(&arguments.md, || table, false)?;
    write(&arguments.jsonl, || report::jsonl(&report), true)?;
    write(&arguments.csv, || report::csv(&report), false)?;
    write(&arguments.svg, || report::svg(&report), false)?;
    check(arguments, &report)
}

fn measure(arguments: &Arguments, subjects: &[Subject]) -> Result<Report> {
    let Arguments { family, mode, seconds, .. } = *arguments;
    let lengths = lengths::list(&arguments.lengths)?;
    let everything = [String::from("*")];
    let patterns = if arguments.subjects.is_empty() { &everything[..] } else { &arguments.subjects };
    let (names, chosen): (Vec<String>, Vec<&Subject>) = select(subjects, patterns)?.into_iter().unzip();
    let count = if mode == Mode::Batch { arguments.batch } else { 1 };
    let most = lengths.iter().max().copied().unwrap_or(0).saturating_mul(count);
    ensure!(most <= MOST, "{most} bytes in a call: more than 1 GiB is not measured");
    verify::verify(&chosen, &lengths, count).context("nothing was timed")?;
    let (clock, environment) = (Clock::start(), Environment::read());
    let mut rows: Vec<Vec<Row>> = vec![vec![]; lengths.len()];
    for _ in 0..PASSES {
        for (index, &length) in lengths.iter().enumerate() {
            if rows[index].is_empty() || rows[index].iter().any(|row| row.disturbed) {
                progress(index, lengths.len(), length);
                let measured = sampler::measure(&clock, &chosen, length, count, seconds);
                let rows_of = |i: usize| Row::new(&names[i], chosen[i], length, count, &measured[i]);
                rows[index] = (0..chosen.len()).map(rows_of).collect();
            }
        }
    }
    progress(lengths.len(), lengths.len(), 0);
    Ok(Report { family, mode, environment, rows: rows.concat() })
}

/// A line on standard output, which may be full or closed.
fn print(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}

/// A line on a terminal that says how far the run is.
fn progress(done: usize, all: usize, length: usize) {
    let mut terminal = std::io::stderr();
    if terminal.is_terminal() {
        let text = if done < all { format!("{}/{all}: {length} bytes", done + 1) } else { String::new() };
        // A terminal that cannot be written to is no reason to stop measuring.
        let _ = write!(terminal, "\r\x1b[K{text}").and_then(|()| terminal.flush());
    }
}

fn write(path: &Option<PathBuf>, text: impl FnOnce() -> String, append: bool) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    store(path, &text(), append).with_context(|| path.display().to_string())
}

fn store(path: &Path, text: &str, append: bool) -> Result<()> {
    let mut file =
        std::fs::OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(path)?;
    Ok(file.write_all(text.as_bytes())?)
}

fn check(arguments: &Arguments, report: &Report) -> Result<bool> {
    let comparisons = arguments.assert.iter().map(|claim| claim.check(report));
    let outcomes: Vec<Outcome> = comparisons
        .chain(arguments.assert_smooth.iter().map(|claim| claim.check(report)))
        .collect::<Result<_>>()?;
    outcomes.iter().try_for_each(|outcome| print(&outcome.text))?;
    Ok(outcomes.iter().all(|outcome| outcome.holds))
}
