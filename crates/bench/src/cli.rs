//! The command line, shared by `carryless-bench` and `carryless-lab bench`.
use crate::assertion::{Comparison, Monotone, Outcome, Smooth};
#[cfg(feature = "curves")]
use crate::curves;
use crate::environment::Environment;
use crate::f2x::Operation;
use crate::families::{self, cyclic};
use crate::family::Family;
use crate::output::{Files, Forms, print};
#[cfg(feature = "fields")]
use crate::paper004;
use crate::papers000_003::{self, figures::Paper};
use crate::peers::loaded::Loaded;
use crate::report::{self, Report};
use crate::run::{self, Point};
use crate::subject::{Mode, Subject, select};
use crate::{ctime_hqc, effort, hqc, leaks, lengths, paper001, paper002, papers, polynomials, verify};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Most bytes of all messages of a call: 1 GiB. Memory is allocated for all of them.
const MAX_BYTES: usize = 1 << 30;

/// Measure cycles per byte: subjects in turn, clock-normalised, verified before timing.
#[derive(Clone, Debug, Parser)]
// Subcommands have options of their own, so those of a family are refused with them. FAMILY is required only
// without a subcommand.
#[command(
    name = "carryless-bench",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Arguments {
    #[command(subcommand)]
    tables: Option<Tables>,
    #[command(flatten)]
    of_family: OfFamily,
}

/// Tables of papers, with ours beside them, and tests of times.
#[derive(Clone, Debug, Subcommand)]
enum Tables {
    Papers(papers::Arguments),
    /// Tables 1 and 2 of paper 000, the paper's figures and ours: Goll and Gueron's Poly1305 and the balanced
    /// one, 65 to 1533 bytes, and speed-ups over all lengths from 49 to 4000 bytes
    Paper000(papers000_003::Arguments),
    /// Tables 2 to 6 of paper 003, the paper's figures and ours: Goll and Gueron's Poly1305 and the balanced
    /// one, 56 to 2000 bytes, and speed-ups over all lengths from 49 to 4000 bytes
    Paper003(papers000_003::Arguments),
    Paper001(paper001::Arguments),
    Paper002(paper002::Arguments),
    Hqc(hqc::Arguments),
    CtimeHqc(ctime_hqc::Arguments),
    Polynomials(polynomials::Arguments),
    #[cfg(feature = "fields")]
    Paper004(paper004::Arguments),
    #[cfg(feature = "curves")]
    #[command(name = "paper004-curves")]
    Paper004Curves(curves::Arguments),
}

/// Measure a family of functions.
#[derive(Clone, Debug, Args)]
struct OfFamily {
    /// Family of functions to measure
    #[arg(value_parser = families::parser(), value_name = "FAMILY", required = true)]
    family: Option<&'static Family>,
    /// Lengths in bytes: 16, 1k, 512KiB, ranges 1..4096, with steps 128..4096+128 [default: the family's]
    #[arg(long, value_name = "L,..")]
    lengths: Option<String>,
    /// Of products modulo X^n - 1: n instead of lengths, e.g. 12323,24659; all leave the same remainder
    /// modulo 8
    #[arg(long, value_delimiter = ',', value_name = "N,..", conflicts_with = "lengths")]
    n: Vec<usize>,
    /// Subjects, e.g. carryless/best,openssl/*; one named twice is measured twice [default: all there are]
    #[arg(long, value_delimiter = ',', value_name = "S,..")]
    subjects: Vec<String>,
    /// The part of the work that a call includes
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    mode: Mode,
    /// Messages in a call, in batch mode
    #[arg(long, default_value_t = 1024, value_name = "N")]
    batch: usize,
    /// Seconds for each length, which all subjects share
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    seconds: f64,
    #[command(flatten)]
    loaded: Loaded,
    #[command(flatten)]
    files: Files,
    /// 'SUBJECT <= 0.82 * SUBJECT @ LENGTHS'; the right side may be best(openssl/*) or cycles per byte
    #[arg(long, value_name = "CLAIM")]
    assert: Vec<Comparison>,
    /// SUBJECT:128:1.05: no length above 1.05 times the cycles of the next longer multiple of 128
    #[arg(long, value_name = "CLAIM")]
    assert_smooth: Vec<Smooth>,
    /// SUBJECT:1.03: no length above 1.03 times the cycles of a longer one
    #[arg(long, value_name = "CLAIM")]
    assert_monotone: Vec<Monotone>,
    /// List the subjects and stop
    #[arg(long)]
    list: bool,
}

/// Runs the command with the arguments of a program, of which the first is its name.
///
/// The exit code is 0 if all went well, 1 if an assertion failed, and 2 if anything could not be measured. It is 3 if
/// `ctime-hqc` could not see a planted leak, because the computer was too busy for its times to say anything.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => execute(&arguments),
        Err(error) => error.exit(),
    }
}

/// Runs the command with arguments already parsed. Exit codes are those of [`main`].
pub fn execute(arguments: &Arguments) -> ExitCode {
    let result = run(arguments);
    if let Err(error) = &result {
        let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        // A reader that has seen enough and closed the output, as `head` does, needs no message.
        if kind != Some(std::io::ErrorKind::BrokenPipe) {
            // Standard error may be closed: there is no other place to say so.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
        }
    }
    ExitCode::from(code_of(&result))
}

fn code_of(result: &Result<bool>) -> u8 {
    match result {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) if error.is::<ctime_hqc::TooCoarse>() => leaks::INCOMPLETE,
        Err(_) => 2,
    }
}

/// Runs one subcommand or family; `false` if an assertion does not hold.
fn run(arguments: &Arguments) -> Result<bool> {
    let (forms, files) = match (&arguments.tables, arguments.of_family.family) {
        (None, Some(family)) => return run_family(family, &arguments.of_family),
        // clap refuses such a command line, so only the types need this arm.
        (None, None) => bail!("no family is named"),
        (Some(Tables::Papers(of)), _) => return papers::run(of).map(|()| true),
        (Some(Tables::CtimeHqc(of)), _) => return ctime_hqc::run(of).map(|()| true),
        (Some(Tables::Paper000(of)), _) => (papers000_003::forms(&Paper::of_000(), of.effort), &of.files),
        (Some(Tables::Paper003(of)), _) => (papers000_003::forms(&Paper::of_003(), of.effort), &of.files),
        (Some(Tables::Paper001(of)), _) => (paper001::forms(of), &of.files),
        (Some(Tables::Paper002(of)), _) => (paper002::forms(of), &of.files),
        (Some(Tables::Hqc(of)), _) => (hqc::forms(of), &of.files),
        (Some(Tables::Polynomials(of)), _) => (polynomials::forms(of), &of.files),
        #[cfg(feature = "fields")]
        (Some(Tables::Paper004(of)), _) => (paper004::forms(of), &of.files),
        #[cfg(feature = "curves")]
        (Some(Tables::Paper004Curves(of)), _) => (curves::forms(of), &of.files),
    };
    files.write(&forms?).map(|()| true)
}

fn run_family(family: &'static Family, arguments: &OfFamily) -> Result<bool> {
    let mode = arguments.mode;
    let (family, lengths) = lengths_of(family, arguments)?;
    effort::positive(arguments.seconds)?;
    ensure!(arguments.batch > 0, "a batch needs a message");
    let mut subjects = family.ours(mode);
    ensure!(!subjects.is_empty(), "{} has no call {}", family.name, mode.what());
    // This is the order of the columns: ours, libraries that compute the same, then other functions.
    subjects.extend(family.peers(mode).into_iter().map(Subject::of_peer));
    subjects.extend(family.others(mode));
    subjects.extend(arguments.loaded.subjects(family, mode)?.into_iter().map(Subject::of_peer));
    if arguments.list {
        subjects.iter().try_for_each(|subject| print(&subject.name))?;
        return Ok(true);
    }
    let report = measure(family, arguments, lengths, &subjects)?;
    arguments.files.write(&Forms {
        introduction: report::introduction(&report),
        tables: vec![report::table(&report)],
        disturbed: report.rows.iter().any(|row| row.disturbed),
        claims: vec![],
        jsonl: report::jsonl(&report),
        csv: report::csv(&report),
        plots: vec![report::of_report(&report)],
    })?;
    // The files are written by now, so that a failed assertion does not cost the figures.
    check(arguments, &report)
}

/// The lengths in bytes that are asked for, by length or by n, and the family that has them.
fn lengths_of(family: &'static Family, arguments: &OfFamily) -> Result<(&'static Family, Vec<usize>)> {
    if arguments.n.is_empty() {
        let lengths = lengths::list(arguments.lengths.as_deref().unwrap_or(family.lengths))?;
        return Ok((family, lengths));
    }
    let is_cyclic = matches!(family.operation, Some(Operation::MulModXn1(_)));
    ensure!(is_cyclic, "--n is for products modulo X^n - 1, and {} has none", family.name);
    cyclic::of_n(&arguments.n)
}

fn measure(
    family: &'static Family,
    arguments: &OfFamily,
    asked: Vec<usize>,
    subjects: &[Subject],
) -> Result<Report> {
    let OfFamily { mode, seconds, .. } = *arguments;
    let mut lengths = asked.clone();
    // Smoothness compares with multiples that were perhaps not asked for.
    lengths.extend(arguments.assert_smooth.iter().flat_map(|claim| claim.longer(&asked)));
    let lengths = lengths::once(lengths);
    let everything = [String::from("*")];
    let patterns = if arguments.subjects.is_empty() { &everything[..] } else { &arguments.subjects };
    let chosen = select(subjects, patterns)?;
    let count = if mode == Mode::Batch { arguments.batch } else { 1 };
    // Saturating, so that a huge `--batch` fails the check below instead of wrapping around it.
    let most = lengths.iter().max().copied().unwrap_or(0).saturating_mul(count);
    // An allocation that fails would abort the process without a message of ours.
    ensure!(most <= MAX_BYTES, "{most} bytes in a call: more than 1 GiB is not measured");
    let chained = mode == Mode::Latency;
    let check = |subjects: &[&Subject]| {
        verify::verify(family.reference, subjects, &lengths, count)?;
        // Single calls have one key each. Only a chain shows that a runner passes the next key on.
        if chained { verify::verify_chains(family.reference, subjects, &lengths) } else { Ok(()) }
    };
    let (chosen, left_out) = verify::without_wrong_peers(chosen, check).context("nothing was timed")?;
    // Read before the samples, because the checkout may change during a long run.
    let environment = Environment::read();
    let point = |&length: &usize| {
        let serving = chosen.iter().filter(|(_, subject)| subject.serves(length));
        Point { length, count, chained, subjects: serving.cloned().collect() }
    };
    let points: Vec<Point> = lengths.iter().map(point).collect();
    Ok(Report { family, mode, environment, left_out, rows: run::measure(&points, seconds).concat() })
}

fn check(arguments: &OfFamily, report: &Report) -> Result<bool> {
    let comparisons = arguments.assert.iter().map(|claim| claim.check(report));
    let outcomes: Vec<Outcome> = comparisons
        .chain(arguments.assert_smooth.iter().map(|claim| claim.check(report)))
        .chain(arguments.assert_monotone.iter().map(|claim| claim.check(report)))
        .collect::<Result<_>>()?;
    // All outcomes are printed, so that the first failure does not hide the others.
    outcomes.iter().try_for_each(|outcome| print(&outcome.text))?;
    Ok(outcomes.iter().all(|outcome| outcome.holds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// No option is defined twice, in any of the commands.
    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    /// A busy computer is neither a failed assertion nor an error: `cargo xtask ctime-hqc` ends as incomplete then.
    #[test]
    fn exit_codes() {
        assert_eq!(code_of(&Ok(true)), 0);
        assert_eq!(code_of(&Ok(false)), 1);
        assert_eq!(code_of(&Err(anyhow::anyhow!("no such set"))), 2);
        assert_eq!(code_of(&Err(ctime_hqc::TooCoarse.into())), 3);
    }
}
