//! The command line: all commands.
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, CommandFactory as _, Parser, Subcommand};

#[cfg(feature = "kem")]
use crate::kem;
use crate::program::Program;
use crate::{completions, copy, diff, key_id, keygen, list, manual, show, tag, update, verify};
#[cfg(feature = "algebra")]
use crate::{curve, field, poly};

/// Authenticates files and folders with a secret key, fast.
///
/// `keygen` makes a key, `tag` writes a manifest of files, and `verify` tells which of them changed, are missing or are new.
/// Nothing is encrypted, and a manifest is no signature: whoever can verify can also tag.
///
/// Results go to standard output, messages to standard error. An interrupted command leaves no incomplete output
/// file (SIGKILL and rarer signals: one called .carryless-*).
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
    Update(update::UpdateArgs),
    Copy(copy::CopyArgs),
    Diff(diff::DiffArgs),
    Show(show::ShowArgs),
    List(list::ListArgs),
    KeyId(key_id::KeyIdArgs),
    #[cfg(feature = "algebra")]
    Poly(poly::PolyArgs),
    #[cfg(feature = "algebra")]
    Field(field::FieldArgs),
    #[cfg(feature = "algebra")]
    Curve(curve::CurveArgs),
    #[cfg(not(feature = "algebra"))]
    #[command(
        name = "poly",
        aliases = ["curve", "field"],
        hide = true,
        disable_help_flag = true,
        disable_version_flag = true
    )]
    Algebra(AnyArgs),
    #[cfg(feature = "kem")]
    Kem(kem::KemArgs),
    #[cfg(not(feature = "kem"))]
    #[command(hide = true, disable_help_flag = true, disable_version_flag = true)]
    Kem(AnyArgs),
    Completions(completions::CompletionsArgs),
    #[command(
        name = "bench",
        aliases = ["explain", "hash", "info", "tune", "vectors"],
        hide = true,
        disable_help_flag = true,
        disable_version_flag = true
    )]
    Moved(AnyArgs),
}

/// Arguments of a command that this program does not have.
#[derive(Args)]
struct AnyArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _any: Vec<OsString>,
}

impl Program for Cli {
    const NAME: &'static str = "carryless";

    fn parser() -> clap::Command {
        let program = Self::command();
        // Lists of other programs have no key.
        #[cfg(feature = "lists")]
        let program = program.mut_subcommand("verify", |verify| {
            verify.mut_arg("key_file", |key| key.required_unless_present("list"))
        });
        program
    }

    fn described() -> clap::Command {
        manual::describe(Self::parser())
    }

    fn run(&self) -> Result<ExitCode> {
        let exit = match &self.command {
            Command::Keygen(args) => keygen::run(args),
            Command::Tag(args) => tag::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Update(args) => update::run(args),
            Command::Copy(args) => copy::run(args),
            Command::Diff(args) => diff::run(args),
            Command::Show(args) => show::run(args),
            Command::List(args) => list::run(args),
            Command::KeyId(args) => key_id::run(args),
            #[cfg(feature = "algebra")]
            Command::Poly(args) => poly::run(args),
            #[cfg(feature = "algebra")]
            Command::Field(args) => field::run(args),
            #[cfg(feature = "algebra")]
            Command::Curve(args) => curve::run(args),
            #[cfg(not(feature = "algebra"))]
            Command::Algebra(_) => without("poly, field and curve", "algebra"),
            #[cfg(feature = "kem")]
            Command::Kem(args) => kem::run(args),
            #[cfg(not(feature = "kem"))]
            Command::Kem(_) => without("kem", "kem"),
            Command::Completions(args) => completions::run(args, &mut Self::described()),
            // Hidden from help. Old scripts get a message that names the new command, not an error of the
            // parser.
            Command::Moved(_) => bail!(
                "bench, explain, hash, info, tune and vectors are commands of carryless-lab now; \
                 in a checkout: cargo install --locked --path lab"
            ),
        };
        Ok(exit?.into())
    }
}

/// The error of commands that this program was built without. `feature` adds them.
#[cfg(not(all(feature = "algebra", feature = "kem")))]
fn without(commands: &str, feature: &str) -> Result<crate::exit::Exit> {
    bail!(
        "this command was built without {commands}; in a checkout: \
         cargo install --locked --path crates/cli --features {feature}"
    )
}
