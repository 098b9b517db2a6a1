//! Exit statuses and the one line on standard error that goes with a bad one.
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::OnceLock;

use carryless_filemap::stdout_was_closed;
use serde::Serialize;

use crate::name;

/// The name of the program that runs, which begins its messages.
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// Sets the name that begins all messages. The first one counts.
pub(crate) fn set_program(name: &'static str) {
    PROGRAM.get_or_init(|| name);
}

/// The three ways in which the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything was done and matches.
    Good = 0,
    /// Everything was done and something does not match.
    Mismatch = 1,
    /// Something could not be done.
    Trouble = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Standard output was closed. If its reader did that, as `head` does, the command ends at once and says nothing; if there
/// was none from the start, that is an error like any other.
#[derive(Debug, thiserror::Error)]
#[error("standard output was closed")]
pub struct OutputClosed;

/// Turns an error of writing to standard output into the error to return.
pub fn stdout_error(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => OutputClosed.into(),
        _ => anyhow::Error::new(error).context("cannot write to standard output"),
    }
}

/// What the system said, without the paths and operations that libraries wrap around it.
pub(crate) fn reason(error: &io::Error) -> String {
    let cause = error.get_ref().and_then(|wrapped| wrapped.source());
    cause.and_then(|cause| cause.downcast_ref::<io::Error>()).map_or(error.to_string(), reason)
}

/// Prints one line on standard error; control characters, which a file name may bring in, are escaped.
pub fn complain(message: &str) {
    let program = PROGRAM.get().copied().unwrap_or("carryless");
    // Standard error may be closed: there is no other place to say so.
    let _ = writeln!(io::stderr(), "{program}: {}", name::printable(message));
}

/// The object that ends the JSON of a command that could not do its work.
#[derive(Serialize)]
pub(crate) struct Failure<'a> {
    /// The reason, as on standard error.
    pub(crate) error: &'a str,
}

/// Prints the one line of an error, with `json` also as an object on standard output, and gives the exit status.
pub(crate) fn explain(error: &anyhow::Error, json: bool) -> Exit {
    let output_closed = error.is::<OutputClosed>();
    if !output_closed || stdout_was_closed() {
        complain(&format!("{error:#}"));
    }
    if json && !output_closed {
        // If standard output fails as well, the line above must do.
        let _ = print_json(&Failure { error: &format!("{error:#}") });
    }
    Exit::Trouble
}

/// Prints a line of JSON on standard output.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let line = name::json(value)?;
    writeln!(io::stdout(), "{line}").map_err(stdout_error)
}

/// Makes writing to a standard output that was closed from the start an error. Rust's runtime has opened /dev/null in its
/// place; a pipe that nobody reads stands there instead from now on.
pub(crate) fn refuse_closed_stdout() {
    if stdout_was_closed()
        && let Ok((_, writer)) = io::pipe()
    {
        let _ = rustix::stdio::dup2_stdout(writer);
    }
}
