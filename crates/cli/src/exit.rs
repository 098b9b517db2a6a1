//! Exit statuses, and the line on standard error that accompanies failures.
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::OnceLock;

use carryless_filemap::stdout_was_closed;
use serde::Serialize;

use crate::name;

/// Name of the running program, with which its messages begin.
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// Sets the name with which all messages begin. Only the first call has an effect.
pub(crate) fn set_program(name: &'static str) {
    PROGRAM.get_or_init(|| name);
}

/// The exit statuses of the command, ordered by severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Status 0: everything was done, and everything matches.
    Good = 0,
    /// Status 1: everything was done, and something does not match.
    Mismatch = 1,
    /// Status 2: something could not be done.
    Trouble = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The error of writing to a standard output that was closed.
///
/// If its reader closed it, as `head` does, the command ends at once without a message. If it was closed from
/// the start, that is an error like any other.
#[derive(Debug, thiserror::Error)]
#[error("standard output was closed")]
pub struct OutputClosed;

/// Turns an error of writing to standard output into the error that the command returns.
pub fn stdout_error(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => OutputClosed.into(),
        _ => anyhow::Error::new(error).context("cannot write to standard output"),
    }
}

/// Returns the message of the operating system, without the paths and operations that libraries add.
pub(crate) fn reason(error: &io::Error) -> String {
    // Libraries wrap an error of the system in one of their own. The innermost one is the system's.
    let cause = error.get_ref().and_then(|wrapped| wrapped.source());
    cause.and_then(|cause| cause.downcast_ref::<io::Error>()).map_or(error.to_string(), reason)
}

/// Prints one line on standard error. Control characters, which file names may contain, are escaped: they
/// could forge messages or reprogram the terminal.
pub fn complain(message: &str) {
    let program = PROGRAM.get().copied().unwrap_or("carryless");
    // Standard error may be closed; then there is no place left for a message.
    let _ = writeln!(io::stderr(), "{program}: {}", name::printable(message));
}

/// The last JSON object of a command that failed.
#[derive(Serialize)]
pub(crate) struct Failure<'a> {
    /// The reason, as printed on standard error.
    pub(crate) error: &'a str,
}

/// Prints an error, with `json` also as an object on standard output. Returns the exit status.
pub(crate) fn explain(error: &anyhow::Error, json: bool) -> Exit {
    let output_closed = error.is::<OutputClosed>();
    // A reader that stops early, as `head` does, is no failure to report.
    if !output_closed || stdout_was_closed() {
        complain(&format!("{error:#}"));
    }
    if json && !output_closed {
        // If standard output fails as well, the line on standard error must suffice.
        let _ = print_json(&Failure { error: &format!("{error:#}") });
    }
    Exit::Trouble
}

/// Prints a value as a line of JSON on standard output.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let line = name::json(value)?;
    writeln!(io::stdout(), "{line}").map_err(stdout_error)
}
