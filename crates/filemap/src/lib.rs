//! Parts of files in memory without a copy: `mmap` for the command, which itself has no unsafe code.
//!
//! A map promises less than a read. Other programs may change the bytes while they are read. If one of them
//! shortens the file, an access beyond its new end terminates the process with SIGBUS. So maps are for files
//! that nobody changes, and only for callers that ask for them.
//!
//! More requests that need `unsafe` code are here: `duplicate`, for descriptors that are known by
//! their numbers, [`stdout_was_closed`], [`Lease`], which tells whether others write to a file, and what the standard
//! library does not ask of Windows, in the module `windows`.
#[cfg(unix)]
mod descriptor;
#[cfg(any(unix, windows))]
mod lease;
#[cfg(unix)]
mod startup;
#[cfg(windows)]
pub mod windows;

#[cfg(unix)]
pub use descriptor::duplicate;
#[cfg(any(unix, windows))]
pub use lease::{Lease, NoLease};
#[cfg(unix)]
pub use startup::stdout_was_closed;
#[cfg(windows)]
pub use windows::stdout_was_closed;

use std::fs::File;
use std::io;
use std::ops::Deref;

/// A part of a file in memory, which is unmapped on drop.
#[derive(Debug)]
pub struct Part(memmap2::Mmap);

impl Part {
    /// Maps `length` bytes from `at` on, for reading.
    ///
    /// The bytes are those of the file at the moment of each access, and may differ from one to the next. The caller
    /// must accept any of them, as one does that hashes them and finds out later whether the file has changed.
    ///
    /// # Errors
    /// `InvalidInput` if `length` is 0; `UnexpectedEof` if the file ends before the part does, or if the system does not tell
    /// its length; otherwise the error of the system.
    pub fn new(file: &File, at: u64, length: usize) -> io::Result<Part> {
        if length == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no bytes to map"));
        }
        let end = at.checked_add(length as u64);
        // `mmap` accepts a part beyond the end, but an access there is a SIGBUS.
        if end.is_none_or(|end| end > file.metadata().map_or(0, |about| about.len())) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut options = memmap2::MmapOptions::new();
        options.offset(at).len(length);
        // SAFETY: the map is private to this value and read only. That others may change the file is part of what the
        // caller accepts (see above): no byte decides here, or in what hashes them, which memory is accessed.
        unsafe { options.map(file) }.map(Part)
    }
}

impl Deref for Part {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(bytes).expect("room");
        file
    }

    #[test]
    fn parts_are_those_of_the_file() {
        let bytes: Vec<u8> = (0..300_000_u32).map(|i| (i % 251) as u8).collect();
        let file = file(&bytes);
        for (at, length) in [(0, 300_000), (0, 1), (299_999, 1), (12_345, 70_000)] {
            let part = Part::new(&file, at, length).expect("a part");
            assert!(*part == bytes[at as usize..][..length]);
        }
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let file = file(&[7; 10]);
        let kind = |at, length| Part::new(&file, at, length).expect_err("an error").kind();
        assert_eq!(kind(0, 0), io::ErrorKind::InvalidInput);
        for (at, length) in [(0, 11), (10, 1), (u64::MAX, 1), (u64::MAX, usize::MAX)] {
            assert_eq!(kind(at, length), io::ErrorKind::UnexpectedEof);
        }
    }
}
