//! Keeps others from replacing a manifest that this process is about to replace.
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::name::escape_path;
use crate::system::{self, Stat};

/// The state of the manifest when the command began, and a lock that `update` and `tag --force` respect.
pub(crate) struct Lock {
    path: PathBuf,
    state: State,
    /// Holds the lock, until it is closed.
    file: File,
}

impl Lock {
    /// Locks the manifest, before it is read.
    ///
    /// Fails if another process holds the lock, or has just replaced the file.
    pub(crate) fn new(path: &Path) -> Result<Self> {
        let shown = || format!("{}: cannot read the manifest", escape_path(path));
        let file = File::open(path).with_context(shown)?;
        // Where the file system has no locks, the check at the end must suffice.
        if !system::lock(&file) {
            bail!("{}: another command is replacing it", escape_path(path));
        }
        let state = state(&system::stat_open(&file).with_context(shown)?);
        let lock = Self { path: path.to_path_buf(), state, file };
        // Another command may have replaced the file between opening and locking: then the lock is on the old one.
        lock.check()?;
        Ok(lock)
    }

    /// Locks the manifest that this path leads to, if there is one.
    pub(crate) fn existing(path: &Path) -> Result<Option<Self>> {
        if path.exists() { Self::new(path).map(Some) } else { Ok(None) }
    }

    /// Makes the last check before the manifest is replaced. Returns what holds the lock until that is done, where a file
    /// that is open can be replaced; another command would notice the new file.
    pub(crate) fn last(self) -> Result<Option<File>> {
        self.check()?;
        Ok(system::held_while_replaced(self.file))
    }

    /// Fails if another program has changed or replaced the manifest.
    fn check(&self) -> Result<()> {
        let shown = escape_path(&self.path);
        let about =
            system::stat_link(&self.path).with_context(|| format!("{shown}: cannot read the manifest"))?;
        ensure!(state(&about) == self.state, "{shown}: changed meanwhile, not replaced");
        Ok(())
    }
}

/// What tells one state of a file from another: which file it is, its size and both times.
type State = ((u64, u64), u64, [(i64, i64); 2]);

fn state(about: &Stat) -> State {
    (about.identity, about.size, [about.modified, about.changed])
}
