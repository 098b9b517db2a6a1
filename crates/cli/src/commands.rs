//! The command line: all commands.
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand};

use crate::program::Program;
use crate::{curve, field, kem, keygen, poly, tag, verify};

/// Authenticates files and folders with a secret key, fast.
///
/// `tag` writes a manifest of files; `verify` tells which of them changed, are missing or are new.
/// Exit status: 0 all is well, 1 something does not match, 2 an error.
#[derive(Parser)]
#[command(name = "carryless", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Keygen(keygen::KeygenArgs),
    Tag(tag::TagArgs),
    Verify(verify::VerifyArgs),
    Poly(poly::PolyArgs),
    Field(field::FieldArgs),
    Curve(curve::CurveArgs),
    Kem(kem::KemArgs),
    #[command(
        name = "bench",
        aliases = ["explain", "hash", "info", "tune", "vectors"],
        hide = true,
        disable_help_flag = true,
        disable_version_flag = true
    )]
    Moved(AnyArgs),
}

/// Arguments of a command that is elsewhere now.
#[derive(Args)]
struct AnyArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _any: Vec<OsString>,
}

impl Program for Cli {
    const NAME: &'static str = "carryless";

    fn run(&self) -> Result<ExitCode> {
        let exit = match &self.command {
            Command::Keygen(args) => keygen::run(args),
            Command::Tag(args) => tag::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Poly(args) => poly::run(args),
            Command::Field(args) => field::run(args),
            Command::Curve(args) => curve::run(args),
            Command::Kem(args) => kem::run(args),
            // Hidden from help. Old scripts get a message that names the new command, not an error of the
            // parser.
            Command::Moved(_) => bail!(
                "bench, explain, hash, info, tune and vectors are commands of carryless-lab now: \
                 cargo install carryless-lab"
            ),
        };
        Ok(exit?.into())
    }
}
