//! The `carryless` command. It authenticates files and folders, computes with polynomials, fields and curves,
//! and makes keys and secrets of a KEM.
//!
//! The command line is described in book/src/files.md, the manifest and the tags in book/src/formats.md. This
//! library serves
//!
//! - the binary, and the generator of its man page and shell completions ([`command`]);
//! - programs that run the command in their own process ([`main`]);
//! - programs that tag and verify trees, with values instead of lines of text ([`tree`]), or by the workers
//!   of a cluster ([`cluster`]).
//!
//! ```
//! let tag = carryless_cli::command().find_subcommand("tag").cloned();
//! assert!(tag.is_some());
//! ```
#![forbid(unsafe_code)]

mod about;
mod args;
#[doc(hidden)]
pub mod base;
mod chain;
mod checks;
pub mod cluster;
mod commands;
mod compare;
mod completions;
mod copy;
mod counts;
#[cfg(feature = "algebra")]
mod curve;
mod date;
mod diff;
mod engine;
mod excluded;
mod exit;
mod family;
#[cfg(feature = "algebra")]
mod field;
mod filters;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod gitignore;
mod holes;
mod input;
#[cfg(feature = "kem")]
mod kem;
mod key;
mod key_id;
mod keygen;
mod lines;
mod list;
#[cfg(feature = "lists")]
mod lists;
mod lock;
mod mac;
mod manifest;
mod manual;
mod moves;
mod name;
mod open;
mod open_below;
mod output;
mod part;
mod paths;
#[cfg(feature = "algebra")]
mod poly;
mod program;
mod progress;
mod random;
mod read;
mod read_error;
mod report;
mod scope;
mod settle;
mod show;
mod system;
mod tag;
mod temporary;
mod threads;
pub mod tree;
mod twins;
mod update;
mod usage;
mod verdict;
mod verify;
mod walk;
mod writers;

use std::ffi::OsString;
use std::process::ExitCode;

use commands::Cli;
use program::Program as _;

/// Returns the description of the whole command line, for man pages and shell completions.
#[must_use]
pub fn command() -> clap::Command {
    Cli::described()
}

/// Runs the command with these arguments, the first of which is the program's name, and returns its exit status.
///
/// It is 0 if all is well, 1 if something does not match, 2 for an error, each with one line on standard error.
///
/// Once a file is being written, a thread waits for SIGHUP, SIGINT, SIGTERM and SIGXCPU: they remove
/// incomplete files and end the process as usual. SIGXFSZ, the limit of file sizes, is caught from the start
/// and becomes an error of the write.
pub fn main<I, T>(args: I) -> ExitCode
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    program::main::<Cli>(args)
}
