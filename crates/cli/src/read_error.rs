//! Why a file could not be read as it is.
use std::io;

use carryless_aead::file_mac::WrongPart;
use rustix::io::Errno;

use crate::progress::Stopped;
use crate::writers::Writer;

/// Why a file has no tag.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It could not be opened, examined or read.
    #[error(transparent)]
    System(#[from] io::Error),
    /// It is no longer the ordinary file that the walk saw.
    #[error("not an ordinary file any more")]
    NotFile,
    /// A symbolic link stands in its place, or in that of a folder above it.
    #[error("a symbolic link has come into its path, not followed")]
    Link,
    /// Its size or a time of change is not what it was when reading began.
    #[error("changed while it was read")]
    Changed,
    /// Others write to it.
    #[error(transparent)]
    Writer(#[from] Writer),
    /// The run was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<Errno> for ReadError {
    fn from(error: Errno) -> Self {
        Self::System(error.into())
    }
}

impl From<WrongPart> for ReadError {
    // All parts but the last are whole as long as files have the size that they say.
    fn from(_: WrongPart) -> Self {
        Self::Changed
    }
}
