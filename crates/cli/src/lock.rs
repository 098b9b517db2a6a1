//! Keeps others from replacing a manifest that this process is about to replace.
use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use crate::name::escape_path;

/// The state of the manifest when the command began, and a lock that `update` and `tag --force` respect.
pub(crate) struct Lock<'a> {
    path: &'a Path,
    identity: [i128; 5],
    /// Holds the lock, until it is closed.
    _file: File,
}

impl<'a> Lock<'a> {
    /// Locks the manifest, before it is read.
    ///
    /// Fails if another process holds the lock, or has just replaced the file.
    pub(crate) fn new(path: &'a Path) -> Result<Self> {
        let shown = || format!("{}: cannot read the manifest", escape_path(path));
        let file = File::open(path).with_context(shown)?;
        // Where the file system has no locks, the check at the end must suffice.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            bail!("{}: another command is replacing it", escape_path(path));
        }
        let identity = identify(&file.metadata().with_context(shown)?);
        let lock = Self { path, identity, _file: file };
        lock.check()?;
        Ok(lock)
    }

    /// Locks the manifest that this path leads to, if there is one.
    pub(crate) fn existing(path: &'a Path) -> Result<Option<Self>> {
        if path.exists() { Self::new(path).map(Some) } else { Ok(None) }
    }

    /// Fails if another program has changed or replaced the manifest.
    pub(crate) fn check(&self) -> Result<()> {
        let shown = escape_path(self.path);
        let about =
            fs::symlink_metadata(self.path).with_context(|| format!("{shown}: cannot read the manifest"))?;
        ensure!(identify(&about) == self.identity, "{shown}: changed meanwhile, not replaced");
        Ok(())
    }
}

/// Returns what tells one state of a file from another.
fn identify(about: &fs::Metadata) -> [i128; 5] {
    let time = i128::from(about.ctime()) * 1_000_000_000 + i128::from(about.ctime_nsec());
    [about.dev().into(), about.ino().into(), about.len().into(), about.mtime().into(), time]
}
