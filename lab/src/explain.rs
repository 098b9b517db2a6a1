//! `carryless-lab explain`: how a product, a field, a curve or a KEM would be computed, and how long that
//! takes here.
mod curve;
mod field;
mod kem;

use std::hint::black_box;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use carryless_cli::base::{Exit, clmul_cpu, json, stdout_error};
use carryless_gf2::poly::{Costs, Level, Plan, Ring, Step};
use clap::{Args, Subcommand, value_parser};
use serde::Serialize;

use crate::costs::Table;

/// Explains how the library computes something, and measures it.
#[derive(Args)]
pub(crate) struct ExplainArgs {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    Poly(PlanArgs),
    Field(field::FieldArgs),
    Curve(curve::CurveArgs),
    Kem(kem::KemArgs),
}

/// The product of polynomials over F2 of these sizes: constructions from the whole down to the leaves, one
/// level a line, carry-less products, scratch, the time that the table of costs predicts, and the time of a
/// product here, checked against another plan first.
#[derive(Args)]
struct PlanArgs {
    /// The backend for carry-less products [default: the best]
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
    /// Plan and predict by this table of `carryless-lab tune` [default: the library's]
    #[arg(long, value_name = "FILE")]
    costs: Option<PathBuf>,
    /// Print the explanation as one JSON object
    #[arg(long)]
    json: bool,
    /// The bits of the first operand
    #[arg(value_name = "BITS", value_parser = value_parser!(u32).range(1..=1 << 26))]
    first: u32,
    /// The bits of the second operand [default: as many]
    #[arg(value_name = "BITS2", value_parser = value_parser!(u32).range(1..=1 << 26))]
    second: Option<u32>,
}

/// The explanation of a product, as printed or as JSON.
#[derive(Serialize)]
struct Explanation {
    plan: String,
    backend: &'static str,
    lanes: usize,
    /// Number of 64-bit words of each operand.
    words: [usize; 2],
    levels: Vec<LevelInfo>,
    /// Number of carry-less products of 64-bit words.
    products: usize,
    scratch_words: usize,
    /// Predicted time in nanoseconds, by the table of costs.
    predicted_ns: f64,
    rounds: usize,
    min_ns: f64,
    median_ns: f64,
}

/// One level of a plan: `count` products of operands with `bits` bits.
#[derive(Serialize)]
struct LevelInfo {
    count: usize,
    bits: usize,
    method: String,
}

impl From<Level> for LevelInfo {
    fn from(level: Level) -> Self {
        Self { count: level.count, bits: 64 * level.words, method: level.method.to_string() }
    }
}

/// Computes the explanation, measures, and prints the result.
pub(crate) fn run(args: &ExplainArgs) -> Result<Exit> {
    let text = match &args.subject {
        Subject::Poly(args) => explain_plan(args)?,
        Subject::Field(args) => field::explain(args)?,
        Subject::Curve(args) => curve::explain(args)?,
        Subject::Kem(args) => kem::explain(args)?,
    };
    io::stdout().write_all(text.as_bytes()).map_err(stdout_error)?;
    Ok(Exit::Good)
}

fn explain_plan(args: &PlanArgs) -> Result<String> {
    let words = [args.first, args.second.unwrap_or(args.first)].map(|bits| bits.div_ceil(64) as usize);
    let cpu = clmul_cpu(args.backend.as_deref())?;
    let table = args.costs.as_deref().map(Table::read).transpose()?;
    // `Table::read` has refused tables without costs, so the default is taken only without --costs.
    let costs = table.as_ref().and_then(Table::costs).unwrap_or_else(|| Costs::of(cpu));
    let plan = Plan::try_by_costs(cpu, &costs, words[0], words[1])
        .context("the longest chain of the table of costs is too short")?;
    let times = measure(&plan)?;
    let explanation = Explanation {
        plan: plan.describe().to_string(),
        backend: plan.cpu().name(),
        lanes: plan.cpu().lanes(),
        words,
        levels: plan.levels().map(LevelInfo::from).collect(),
        products: plan.clmuls(),
        scratch_words: plan.scratch_words(),
        predicted_ns: plan.predicted(&costs) as f64 / 1e3,
        rounds: times.len(),
        // `measured` sorts the times.
        min_ns: times[0],
        median_ns: times[times.len() / 2],
    };
    Ok(match args.json {
        true => json(&explanation)? + "\n",
        false => describe(&explanation),
    })
}

fn describe(e: &Explanation) -> String {
    let lanes = if e.lanes == 1 { "1 lane".into() } else { format!("{} lanes", e.lanes) };
    let mut text = format!("{}\n\nbackend   {}, {lanes}\n", e.plan, e.backend);
    text += &format!("operands  {} and {} words of 64 bits\n", e.words[0], e.words[1]);
    text += &format!("products  {} of words\n", e.products);
    text += &format!("scratch   {} words\n", e.scratch_words);
    text += &format!("predicted {}\n", duration(e.predicted_ns));
    text += &format!(
        "time      {} at least, {} in the median of {} rounds\n\n",
        duration(e.min_ns),
        duration(e.median_ns),
        e.rounds
    );
    for (depth, level) in e.levels.iter().enumerate() {
        let indent = 2 * depth;
        text += &format!("{:indent$}{} x {} bits: {}\n", "", level.count, level.bits, level.method);
    }
    text
}

/// Formats a time in nanoseconds with three digits and a unit.
fn duration(ns: f64) -> String {
    let (value, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "us"),
        ..1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

/// Measures a product, in nanoseconds. It is compared with another plan's first.
fn measure(plan: &Plan) -> Result<Vec<f64>> {
    let [a, b] = plan.words().map(operand);
    let (mut out, mut scratch) = (vec![0; a.len() + b.len()], vec![0; plan.scratch_words()]);
    plan.mul(&a, &b, &mut out, &mut scratch);
    // Before the measurement: a time of wrong products is worth nothing.
    ensure!(out == by_another_plan(plan, &a, &b), "two plans disagree: {}", plan.describe());
    Ok(measured(|| plan.mul(black_box(&a), black_box(&b), &mut out, &mut scratch)))
}

/// Measures a call. Returns nanoseconds for each round, ascending: half a second of rounds, and at least three.
fn measured(mut call: impl FnMut()) -> Vec<f64> {
    let (mut times, start) = (Vec::new(), Instant::now());
    while times.len() < 3 || start.elapsed() < Duration::from_millis(500) {
        let (begin, mut calls) = (Instant::now(), 0);
        // A round repeats short calls for 100 microseconds, because reading the clock takes longer than some
        // of them.
        while calls == 0 || begin.elapsed() < Duration::from_micros(100) {
            call();
            calls += 1;
        }
        times.push(begin.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
    }
    times.sort_by(f64::total_cmp);
    times
}

/// Computes the product by a plan that shares little with the given one.
///
/// For two long operands it is another transform. Otherwise it is Karat5 over Karat2 with leaves of 128 bits,
/// which no table of the library contains, on operands padded with zeros.
fn by_another_plan(plan: &Plan, a: &[u64], b: &[u64]) -> Vec<u64> {
    // By Karatsuba alone the longest operands, of 2^26 bits, would take seconds.
    if a.len().min(b.len()) > 1 << 13 {
        let plans = Ring::ALL.into_iter().map(|ring| Plan::by_transform(plan.cpu(), a.len(), b.len(), ring));
        if let Some(other) = plans.flatten().find(|other| other != plan) {
            let mut out = vec![0; a.len() + b.len()];
            other.mul(a, b, &mut out, &mut vec![0; other.scratch_words()]);
            return out;
        }
    }
    let n = a.len().max(b.len());
    let mut steps = vec![Step::Karat5];
    let other = loop {
        match Plan::forced(plan.cpu(), n, &steps, 2) {
            // Each Karat2 halves the parts, until a chain reaches leaves of two words.
            Ok(other) => break other,
            Err(_) => steps.push(Step::Karat2),
        }
    };
    // A forced plan multiplies operands of equal length only.
    let padded = |words: &[u64]| [words, &vec![0; n - words.len()]].concat();
    let mut out = vec![0; 2 * n];
    other.mul(&padded(a), &padded(b), &mut out, &mut vec![0; other.scratch_words()]);
    // The padding makes the words beyond the product 0.
    out.truncate(a.len() + b.len());
    out
}

/// Returns an operand of this many pseudorandom words, the same in every call.
fn operand(words: usize) -> Vec<u64> {
    // The multiples of a constant have regular low bits, so the upper bits are mixed into them.
    let word = |i: u64| {
        let z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (z ^ z >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    (0..words as u64).map(word).collect()
}
