//! Runs a program from its command line to its exit status.
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Command, CommandFactory, FromArgMatches};

use crate::{exit, system, temporary, usage};

/// A command line, and the operation that it describes.
pub trait Program: CommandFactory + FromArgMatches {
    /// Name of the program, with which all messages on standard error begin.
    const NAME: &'static str;

    /// Returns the description of the command line that suffices to parse it.
    #[must_use]
    fn parser() -> Command {
        Self::command()
    }

    /// Returns the description of the command line, with all that the help says.
    #[must_use]
    fn described() -> Command {
        Self::parser()
    }

    /// Runs the command to its end, and returns the exit status of the process.
    ///
    /// # Errors
    /// Returns the reason why it could not be done. The exit status is then 2.
    fn run(&self) -> Result<ExitCode>;
}

/// Runs a program with these arguments, the first of which is its name. Returns its exit status: 0 all is
/// well, 1 something does not match, 2 an error with one line on standard error.
pub fn main<P: Program>(args: impl IntoIterator<Item = impl Into<OsString>>) -> ExitCode {
    // Before anything can fail, so that messages begin with the right name.
    exit::set_program(P::NAME);
    system::refuse_closed_stdout();
    system::report_file_size_limit();
    // Before any file is created that a signal would have to remove.
    temporary::react_to_signals();
    // Kept, as messages about mistakes in them are made safe for a terminal by parsing escaped copies.
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let (program, json) = match parse::<P>(P::parser(), args.iter().cloned()) {
        Ok(parsed) => parsed,
        Err(error) => {
            // The texts of the help are made only for those who read them.
            let help_or_error = parse::<P>(P::described(), args.iter().cloned()).err().unwrap_or(error);
            let again = |args: &[String]| parse::<P>(P::described(), args.iter().map(Into::into)).err();
            return usage::print(&help_or_error, &args, again).into();
        }
    };
    program.run().unwrap_or_else(|error| exit::explain(&error, json).into())
}

/// Parses the command line by this description. Also returns whether the innermost command has `--json`, so that
/// errors are printed as JSON.
fn parse<P: Program>(
    command: Command,
    args: impl IntoIterator<Item = OsString>,
) -> Result<(P, bool), clap::Error> {
    // Usage lines show the program's own name, whatever its file is called.
    let matches = command.bin_name(P::NAME).try_get_matches_from(args)?;
    let program = P::from_arg_matches(&matches).map_err(|error| error.format(&mut P::described()))?;
    let mut innermost = &matches;
    while let Some((_, inner)) = innermost.subcommand() {
        innermost = inner;
    }
    // `try_get_one` fails where a command has no such option; `get_one` would panic.
    let json = innermost.try_get_one::<bool>("json").is_ok_and(|json| json == Some(&true));
    Ok((program, json))
}
