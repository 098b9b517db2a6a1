//! The command line: all commands.
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[cfg(feature = "bench")]
use crate::exit;
use crate::{curve, explain, field, kem, keygen, poly, tag, tune, verify};
#[cfg(feature = "plans")]
use crate::{hash, info, vectors};

/// Authenticates files and folders with a secret key, fast.
///
/// `tag` writes a manifest of files; `verify` tells which of them changed, are missing or are new.
/// Exit status: 0 all is well, 1 something does not match, 2 an error.
#[derive(Parser)]
#[command(name = "carryless", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Keygen(keygen::KeygenArgs),
    Tag(tag::TagArgs),
    Verify(verify::VerifyArgs),
    #[cfg(feature = "plans")]
    Hash(hash::HashArgs),
    #[cfg(feature = "plans")]
    Vectors(vectors::VectorsArgs),
    #[cfg(feature = "plans")]
    Info(info::InfoArgs),
    Poly(poly::PolyArgs),
    Field(field::FieldArgs),
    Curve(curve::CurveArgs),
    Kem(kem::KemArgs),
    Explain(explain::ExplainArgs),
    Tune(tune::TuneArgs),
    #[cfg(feature = "bench")]
    Bench(Box<carryless_bench::cli::Arguments>),
}

impl Command {
    /// Runs the command. Its exit status is an [`Exit`](crate::exit::Exit), or that of the harness.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let exit = match self {
            Command::Keygen(args) => keygen::run(args),
            Command::Tag(args) => tag::run(args),
            Command::Verify(args) => verify::run(args),
            #[cfg(feature = "plans")]
            Command::Hash(args) => hash::run(args),
            #[cfg(feature = "plans")]
            Command::Vectors(args) => vectors::run(args),
            #[cfg(feature = "plans")]
            Command::Info(args) => info::run(args),
            Command::Poly(args) => poly::run(args),
            Command::Field(args) => field::run(args),
            Command::Curve(args) => curve::run(args),
            Command::Kem(args) => kem::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Tune(args) => tune::run(args),
            #[cfg(feature = "bench")]
            Command::Bench(args) => return Ok(exit::of_bench(carryless_bench::cli::execute(args))),
        };
        Ok(exit?.into())
    }
}
