//! The command `carryless-lab`, for those who reproduce or extend the papers. It checks test vectors,
//! measures the library and its peers, explains computations, and prints raw digests. book/src/laboratory.md describes
//! its command line.
//!
//! Users of the library do not need it, and neither does the command `carryless`.
//!
//! ```
//! let vectors = carryless_lab::command().find_subcommand("vectors").cloned();
//! assert!(vectors.is_some());
//! ```
#![forbid(unsafe_code)]

mod commands;
mod costs;
mod explain;
// Public for the fuzz targets alone.
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod hash;
mod info;
mod kat;
mod report;
mod tune;
mod vectors;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory as _;

use commands::Lab;

/// Returns the description of the whole command line, for man pages and shell completions.
#[must_use]
pub fn command() -> clap::Command {
    Lab::command()
}

/// Runs the command with these arguments, the first of which is the program's name, and returns its exit status.
///
/// It is 0 if all is well, 1 if something does not match, 2 for an error (with one line on standard error),
/// and 3 if `bench` could not tell.
pub fn main(args: impl IntoIterator<Item = impl Into<OsString>>) -> ExitCode {
    carryless_cli::base::main::<Lab>(args)
}
