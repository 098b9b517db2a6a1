//! The command line: all commands.
use std::process::ExitCode;

use anyhow::Result;
use carryless_cli::base::Program;
use clap::{Parser, Subcommand};

use crate::{explain, hash, info, kat, report, tune, vectors};

/// Checks and measures what carryless computes, for researchers.
///
/// To authenticate files, or to compute with polynomials, fields, curves and a KEM, use `carryless`.
/// Exit status: 0 all is well, 1 something does not match, 2 an error, 3 a measurement that could not tell.
#[derive(Parser)]
#[command(name = "carryless-lab", version, propagate_version = true)]
pub(crate) struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Vectors(vectors::VectorsArgs),
    #[cfg(feature = "bench")]
    // Boxed, because an enum is as large as its largest variant.
    Bench(Box<carryless_bench::cli::Arguments>),
    Explain(explain::ExplainArgs),
    Tune(tune::TuneArgs),
    Hash(hash::HashArgs),
    Info(info::InfoArgs),
    Kat(kat::KatArgs),
    Report(report::ReportArgs),
}

impl Program for Lab {
    const NAME: &'static str = "carryless-lab";

    fn run(&self) -> Result<ExitCode> {
        let exit = match &self.command {
            Command::Vectors(args) => vectors::run(args),
            #[cfg(feature = "bench")]
            // The harness has an exit status of its own, 3, which `Exit` lacks.
            Command::Bench(args) => return Ok(of_bench(carryless_bench::cli::execute(args))),
            Command::Explain(args) => explain::run(args),
            Command::Tune(args) => tune::run(args),
            Command::Hash(args) => hash::run(args),
            Command::Info(args) => info::run(args),
            Command::Kat(args) => kat::run(args),
            Command::Report(args) => report::run(args),
        };
        Ok(exit?.into())
    }
}

/// Returns the exit status of the harness. It does not report a closed standard output, so this function does.
#[cfg(feature = "bench")]
fn of_bench(status: ExitCode) -> ExitCode {
    use carryless_cli::base::{Exit, OutputClosed, complain};
    if carryless_filemap::stdout_was_closed() && status == Exit::Trouble.into() {
        complain(&OutputClosed.to_string());
    }
    status
}
