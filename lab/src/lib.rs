//! The command `carryless-lab`, for those who reproduce or extend the papers: it checks test vectors, measures beside
//! peers, explains how something is computed, and prints raw digests. docs/lab.md describes its command line.
//!
//! Users of the library need none of this, and neither does the command `carryless`.
//!
//! ```
//! let vectors = carryless_lab::command().find_subcommand("vectors").cloned();
//! assert!(vectors.is_some());
//! ```
#![forbid(unsafe_code)]

mod commands;
mod costs;
mod explain;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod hash;
mod info;
mod tune;
mod vectors;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory as _;

use commands::Lab;

/// The description of the whole command line, for man pages and shell completions.
#[must_use]
pub fn command() -> clap::Command {
    Lab::command()
}

/// Runs the command with these arguments (the first is the program's name) and returns its exit status: 0 all is well, 1
/// something does not match, 2 an error (with one line on standard error), 3 from `bench` if it could not tell.
pub fn main(args: impl IntoIterator<Item = impl Into<OsString>>) -> ExitCode {
    carryless_cli::base::main::<Lab>(args)
}
