//! Exit statuses and the one line on standard error that goes with a bad one.
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::name;

/// The three ways in which the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
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

/// Standard output was closed by its reader, as `head` does: the command ends at once and says nothing.
#[derive(Debug, thiserror::Error)]
#[error("standard output was closed")]
pub(crate) struct OutputClosed;

/// Turns an error of writing to standard output into the error to return.
pub(crate) fn stdout_error(error: io::Error) -> anyhow::Error {
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
pub(crate) fn complain(message: &str) {
    // Standard error may be closed: there is no other place to say so.
    let _ = writeln!(io::stderr(), "carryless: {}", name::printable(message));
}

/// Prints the one line of an error and gives the exit status.
pub(crate) fn explain(error: &anyhow::Error) -> Exit {
    if !error.is::<OutputClosed>() {
        complain(&format!("{error:#}"));
    }
    Exit::Trouble
}
