//! Others that write to a file while it is read.
//!
//! Times of a file do not tell: Linux sets them once, when a write begins, and for a shared map when a clean page is first
//! written to. A read lease does, where it can be had.
use std::fs::File;
use std::thread;
use std::time::Duration;

use carryless_filemap::{Lease, NoLease};

/// Somebody writes to the file, or could: it is open for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Writer {
    /// From the start.
    #[error("not read: a program has it open for writing")]
    There,
    /// Since reading began.
    #[error("a program opened it for writing while it was read")]
    Came,
}

/// How often a lease is asked for, and the time in between: many a writer is about to close the file, and a process that was just
/// forked holds what its parent had open until it runs another program.
const ATTEMPTS: usize = 3;
const PAUSE: Duration = Duration::from_millis(20);

/// What tells of writers, as long as a file is read.
pub struct Guard<'f>(Option<Lease<'f>>);

impl<'f> Guard<'f> {
    /// Guards a file if the system can: [`is_leased`](Self::is_leased) says whether it does.
    pub fn of(file: &'f File) -> Result<Self, Writer> {
        for attempt in 1.. {
            match Lease::read(file) {
                Ok(lease) => return Ok(Self(Some(lease))),
                Err(NoLease::Writer) if remote::holds(file) => break,
                Err(NoLease::Writer) if attempt < ATTEMPTS => thread::sleep(PAUSE),
                Err(NoLease::Writer) => return Err(Writer::There),
                Err(NoLease::Unavailable(_)) => break,
            }
        }
        Ok(Self(None))
    }

    /// Whether writers are noticed.
    pub fn is_leased(&self) -> bool {
        self.0.is_some()
    }

    /// An error if a writer has come. It waits until the guard is dropped: to be asked often.
    pub fn check(&self) -> Result<(), Writer> {
        if self.0.as_ref().is_none_or(Lease::is_held) { Ok(()) } else { Err(Writer::Came) }
    }
}

/// What to say of files that were read unguarded, if there are any.
pub(crate) fn warning(unguarded: u64) -> Option<String> {
    let files = match unguarded {
        0 => return None,
        1 => "1 file".into(),
        more => format!("{more} files"),
    };
    Some(format!("no lease could be had on {files}: a writer may go unnoticed there (see --twice)"))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod remote {
    use std::fs::File;

    /// NFS and three generations of SMB, by their numbers in statfs(2).
    const KINDS: [u32; 4] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42];

    /// Whether another computer holds the file, and a refused lease says no more than that it has given none to this one.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::unnecessary_cast)]
    pub(super) fn holds(file: &File) -> bool {
        // The type of this field depends on the platform; no number has more than 32 bits.
        rustix::fs::fstatfs(file).is_ok_and(|about| KINDS.contains(&(about.f_type as u32)))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod remote {
    /// On systems without leases no lease can be had.
    pub(super) fn holds(_: &std::fs::File) -> bool {
        true
    }
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
