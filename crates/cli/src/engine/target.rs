//! Where a manifest is written.
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::lock::Lock;
use crate::mac::Keys;
use crate::manifest::{Header, Sink, Writer};
use crate::output::{NewFile, PUBLIC};

/// The destination of a manifest.
pub(crate) enum Target {
    /// A file, with the lock on the manifest that it replaces, if one is there.
    File { path: PathBuf, replaced: Option<Lock> },
    /// Standard output.
    Stdout,
    /// Nowhere: only the tags of files are wanted.
    Nothing,
}

impl Target {
    /// Locks the manifest of this path, if one is there: before it is read, because the new one continues its serial
    /// number.
    ///
    /// Fails if another command is replacing it. The caller has checked that it may be replaced.
    pub(crate) fn file(path: &Path) -> Result<Self> {
        Ok(Self::File { path: path.to_path_buf(), replaced: Lock::existing(path)? })
    }

    /// Returns the path of the file, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            Self::Stdout | Self::Nothing => None,
        }
    }

    /// Begins the manifest. A file gets a temporary name, so it is created only after the walk, which would find it.
    /// Where nothing is replaced, a file that appears meanwhile stays.
    pub(crate) fn writer(&self, keys: &Keys, header: &Header) -> Result<Writer> {
        let sink = match self {
            Self::File { path, replaced } => Sink::File(NewFile::create(path, PUBLIC, replaced.is_some())?),
            Self::Stdout => Sink::Stdout(std::io::stdout()),
            Self::Nothing => Sink::Nothing,
        };
        Ok(Writer::new(sink, keys, header))
    }

    /// Makes the last check before the manifest is replaced. Returns what holds the lock until that is done.
    pub(crate) fn last(self) -> Result<Option<File>> {
        match self {
            Self::File { replaced: Some(lock), .. } => lock.last(),
            _ => Ok(None),
        }
    }
}
