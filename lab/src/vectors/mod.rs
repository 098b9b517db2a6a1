//! `carryless-lab vectors`: runs test vectors in JSON, on every backend and by every route through the
//! library.
//!
//! vectors/README.md describes the formats: the project's own, and Wycheproof's for MACs and AEADs.
//!
//! Nothing passes silently. A test that cannot be run counts as skipped, with the reason. A backend that this
//! CPU lacks has its own line. A file without tests, or with an unknown algorithm or schema, is an error.
//!
//! Hashes run on the backends of `Cpu`. Products in F2\[X\], fields GF(2^m), curves over them and HQC run on
//! those of `ClmulCpu`.
mod aead;
mod case;
#[cfg(feature = "curves")]
mod curve_arithmetic;
#[cfg(feature = "curves")]
mod curve_files;
#[cfg(feature = "curves")]
mod curve_protocols;
#[cfg(feature = "curves")]
mod curves;
mod defects;
mod f2x;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod gf2m;
pub(crate) mod gf2m_arithmetic;
#[cfg(any(test, feature = "fields"))]
mod gf2m_types;
mod hex;
mod hqc;
mod hqc_bytes;
mod hqc_parts;
mod mac;
mod nonce_mac;
mod outcome;
mod pieces;
mod reference;
mod report;
mod routes;
mod routes1271;
mod schema;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_aead;
#[cfg(all(test, feature = "curves"))]
mod tests_curves;
#[cfg(test)]
mod tests_f2x;
#[cfg(test)]
mod tests_gf2m;
#[cfg(test)]
mod tests_hqc;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use carryless_cli::base::{Exit, escape_path, read_file};
use carryless_gf2::ClmulCpu;
use carryless_hash::Cpu;
use clap::Args;

use case::{Case, Test};
use hex::Budget;
use outcome::Outcome;
use report::{Format, Tally};

/// Largest file that is read, in bytes: 64 MiB.
const MAX_BYTES: u64 = 64 << 20;
/// Bytes for all messages that a file gives by rules: 1 GiB.
const MAX_MESSAGES: u64 = 1 << 30;

/// Runs test vectors on this CPU: a self-test of the library.
///
/// Prints one line for each file and backend: how many tests passed, failed and were skipped, and why. A
/// backend is an implementation for one vector unit; one that this CPU lacks has a line that says so. Files
/// of hashes, MACs and AEADs run on the backends that `carryless-lab info` lists, files of F2[X], of fields
/// GF(2^m), of binary curves and of HQC on those for carry-less products, such as soft and pclmul. Fields are
/// computed by their polynomial, and in a build with the feature `fields` by their types as well; curves need
/// a build with the feature `curves`. Nothing is run unless every file can be read and is well-formed.
///
/// Exit status: 0 all tests passed, 1 a test failed, 2 an error.
#[derive(Args)]
pub(crate) struct VectorsArgs {
    /// Run on this backend only; it must be one for every FILE
    #[arg(long, value_name = "NAME", default_value = "all")]
    backend: String,
    /// Also check the files against slow, simple arithmetic on big integers and single bits
    #[arg(long)]
    reference: bool,
    /// Print a JSON object for each file and backend
    #[arg(long)]
    json: bool,
    /// JSON files of test vectors, in this project's formats or in Wycheproof's; at most 64 MiB each
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// A subject that computes tests.
#[derive(Clone, Copy)]
enum Subject {
    /// The library's hashes, on this backend.
    Hash(Cpu),
    /// The library's carry-less products, and what is built from them, on this backend.
    Product(ClmulCpu),
    /// A backend that this CPU lacks.
    Absent(&'static str),
    /// The reference, with big integers and single bits.
    Reference,
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Subject::Hash(cpu) => cpu.name(),
            Subject::Product(cpu) => cpu.name(),
            Subject::Absent(name) => name,
            Subject::Reference => "reference",
        }
    }
}

/// Runs the command, with results on standard output.
pub(crate) fn run(args: &VectorsArgs) -> Result<Exit> {
    run_to(&mut std::io::stdout().lock(), args)
}

/// Runs the command, with results in `out`. Reads all files before the first test, so that an error
/// is not overlooked among results.
fn run_to(out: &mut impl Write, args: &VectorsArgs) -> Result<Exit> {
    args.check_backend()?;
    let mut files = Vec::new();
    for path in &args.files {
        let name = escape_path(path);
        let text = read_file(path, MAX_BYTES).with_context(|| format!("{name}: cannot read"))?;
        let tests = schema::parse(&text, Budget::new(MAX_MESSAGES)).with_context(|| name.clone())?;
        // A backend that this CPU lacks stays in the list, so that its absence is printed.
        let subjects = args.subjects(&tests).with_context(|| name.clone())?;
        files.push((name, tests, subjects));
    }
    let format = if args.json { Format::Json } else { Format::Text };
    let mut failed = false;
    for (name, tests, subjects) in &files {
        let mut ran = false;
        for &subject in subjects {
            let tally = check(subject, tests);
            report::print(out, format, name, subject.name(), tally.as_ref())?;
            // A failure does not end the run: all files and backends are reported.
            failed |= tally.as_ref().is_some_and(|tally| !tally.failures.is_empty());
            ran |= tally.is_some_and(|tally| tally.passed + tally.failures.len() > 0);
        }
        // A file of which nothing ran on any backend must not look like one that passed.
        ensure!(ran, "{name}: all tests were skipped, so nothing was checked");
    }
    Ok(if failed { Exit::Mismatch } else { Exit::Good })
}

impl VectorsArgs {
    /// Checks the backend's name before any file is read. Fails if no backend has it, or none of this CPU.
    fn check_backend(&self) -> Result<()> {
        let name = &self.backend[..];
        let known = || Cpu::NAMES.iter().chain(ClmulCpu::NAMES);
        // Whether the name is for hashes or for products, the files decide later.
        if name == "all" || Cpu::named(name).is_ok() || ClmulCpu::named(name).is_ok() {
            return Ok(());
        }
        // A backend that exists elsewhere must not be reported as a misspelling.
        ensure!(!known().any(|known| *known == name), "this CPU has no {name}");
        bail!("no backend is called {name:?}; there are {}", known().copied().collect::<Vec<_>>().join(", "))
    }

    /// Returns the subjects that run the tests of a file: backends for hashes, or for products.
    fn subjects(&self, tests: &[Test]) -> Result<Vec<Subject>> {
        // One such test decides, because no file mixes both kinds.
        let products = tests.iter().any(|test| test.case.is_carryless());
        let (names, purpose) = match products {
            true => (ClmulCpu::NAMES, "carry-less products"),
            false => (Cpu::NAMES, "hashes"),
        };
        let named = |name: &&'static str| match products {
            true => ClmulCpu::named(name).map_or(Subject::Absent(name), Subject::Product),
            false => Cpu::named(name).map_or(Subject::Absent(name), Subject::Hash),
        };
        let chosen = names.iter().filter(|&&name| self.backend == "all" || self.backend == name);
        let mut subjects: Vec<Subject> = chosen.map(named).collect();
        let name = &self.backend;
        ensure!(!subjects.is_empty(), "{name} is no backend for {purpose}; there are {}", names.join(", "));
        subjects.extend(self.reference.then_some(Subject::Reference));
        Ok(subjects)
    }
}

/// Runs a test of a file of carry-less products. Tests of hashes are skipped.
fn product_on_backend(cpu: ClmulCpu, case: &Case) -> Outcome {
    match case {
        Case::OnProducts(test) => test.on_backend(cpu),
        _ => Outcome::Skipped("only backends for hashes run it".to_owned()),
    }
}

/// Runs all tests of a file on one subject. `None` if the CPU lacks it.
fn check(subject: Subject, tests: &[Test]) -> Option<Tally<'_>> {
    let outcomes: Vec<_> = match subject {
        Subject::Hash(cpu) => routes::on_backend(cpu, tests),
        Subject::Product(cpu) => tests.iter().map(|test| product_on_backend(cpu, &test.case)).collect(),
        // No outcome per test: a backend that is not here has neither passed nor skipped any.
        Subject::Absent(_) => return None,
        Subject::Reference => tests.iter().map(|test| reference::on_reference(&test.case)).collect(),
    };
    Some(Tally::of(tests, outcomes))
}
