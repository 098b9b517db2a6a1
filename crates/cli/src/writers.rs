//! Detects processes that write to a file while it is read.
//!
//! Timestamps do not suffice. Linux sets them once, when a write begins, and for a shared map when a clean
//! page is first written to. A read lease tells of every writer, on file systems that grant one.
use std::fs::File;
use std::thread;
use std::time::Duration;

use carryless_filemap::{Lease, NoLease};

use crate::system;

/// Another process writes to the file, or could, as it has opened it for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Writer {
    /// It had the file open before reading began.
    #[error("not read: a program has it open for writing")]
    There,
    /// It opened the file after reading began.
    #[error("a program opened it for writing while it was read")]
    Came,
}

/// Number of requests for a lease, and the pause between them. Many writers are about to close the file.
/// Also, a forked process holds its parent's files until it executes another program.
const ATTEMPTS: usize = 3;
const PAUSE: Duration = Duration::from_millis(20);

/// Detects writers while a file is read, by a lease if the system grants one.
pub struct Guard<'f>(Option<Lease<'f>>);

impl<'f> Guard<'f> {
    /// Guards a file. Without a lease the guard detects nothing: [`is_leased`](Self::is_leased) tells.
    pub fn of(file: &'f File) -> Result<Self, Writer> {
        for attempt in 1.. {
            match Lease::read(file) {
                Ok(lease) => return Ok(Self(Some(lease))),
                // The refusal of a file server says nothing about writers.
                Err(NoLease::Writer) if system::is_remote(file) => break,
                // At most two pauses: a file with a writer holds its thread up for 40 ms.
                Err(NoLease::Writer) if attempt < ATTEMPTS => thread::sleep(PAUSE),
                Err(NoLease::Writer) => return Err(Writer::There),
                Err(NoLease::Unavailable(_)) => break,
            }
        }
        Ok(Self(None))
    }

    /// Returns whether a lease is held, so that writers are detected.
    pub fn is_leased(&self) -> bool {
        self.0.is_some()
    }

    /// Fails if a writer has come. Until the guard is dropped the kernel makes that writer wait, so call this often.
    pub fn check(&self) -> Result<(), Writer> {
        if self.0.as_ref().is_none_or(Lease::is_held) { Ok(()) } else { Err(Writer::Came) }
    }
}

/// Returns the warning about files that were read without a lease, if there are any.
pub(crate) fn warning(unguarded: u64) -> Option<String> {
    let files = match unguarded {
        0 => return None,
        1 => "1 file".into(),
        more => format!("{more} files"),
    };
    Some(format!("no lease could be had on {files}: a writer may go unnoticed there (see --twice)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_warning_counts_files() {
        assert_eq!(warning(0), None);
        assert!(warning(1).is_some_and(|text| text.contains(" 1 file:")));
        assert!(warning(20).is_some_and(|text| text.contains(" 20 files:")));
    }
}
