//! The error of reading a file.
use std::io;

use carryless_aead::file_mac::WrongPart;

use crate::progress::Stopped;
use crate::writers::Writer;

/// The reason why a file has no tag.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened, examined or read.
    #[error(transparent)]
    System(#[from] io::Error),
    /// What was read could not be written to the copy.
    #[error("cannot write its copy: {0}")]
    Write(#[source] io::Error),
    /// The name no longer leads to an ordinary file.
    #[error("not an ordinary file any more")]
    NotFile,
    /// A symbolic link has appeared at this name, or at a folder above it.
    #[error("a symbolic link has come into its path, not followed")]
    Link,
    /// The size or a time of the file changed while it was read.
    #[error("changed while it was read")]
    Changed,
    /// A symbolic link would be recorded, but the file behind it was checked by a list.
    #[error("a symbolic link, of which the list has the target (see --symlinks follow)")]
    ListedLink,
    /// Another process writes to the file, or could.
    #[error(transparent)]
    Writer(#[from] Writer),
    /// The run was stopped on request.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<WrongPart> for ReadError {
    // Every part but the last is complete as long as the file has the size it had at first.
    fn from(_: WrongPart) -> Self {
        Self::Changed
    }
}
