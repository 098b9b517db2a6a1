//! `carryless completions`: prints a script that completes command lines in a shell.
use std::io::{self, Write as _};

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::exit::{Exit, stdout_error};

/// Prints a script by which a shell completes commands, options and their values.
///
/// Put it where your shell looks for it, such as ~/.local/share/bash-completion/completions/carryless, or evaluate it.
#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that reads the script
    shell: Shell,
}

/// Prints the script for this command line.
pub(crate) fn run(args: &CompletionsArgs, program: &mut Command) -> Result<Exit> {
    // Written at once: the generator panics on a closed standard output.
    let mut script = Vec::new();
    generate(args.shell, program, "carryless", &mut script);
    io::stdout().write_all(&script).map_err(stdout_error)?;
    Ok(Exit::Good)
}
