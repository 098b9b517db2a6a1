//! What writing a file needs: a private or public mode, permissions of the file that is replaced, a synchronised folder.
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::cannot_synchronise;

/// Opens a file for reading that was an ordinary one a moment ago.
pub(crate) fn open_ordinary(path: &Path) -> io::Result<File> {
    // NONBLOCK and NOFOLLOW are for the case that it no longer is.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

/// The folder of a file that will get its name there.
pub(crate) struct Entry(pub(super) File);

impl Entry {
    /// Opens the folder, before anything is written.
    pub(crate) fn of(folder: &Path) -> io::Result<Self> {
        File::open(folder).map(Self)
    }

    /// Locks the folder for this process, until it is dropped. `None` if it cannot be locked.
    pub(crate) fn lock(&self) -> Option<bool> {
        is_locked(self.0.try_lock())
    }

    /// Locks the folder against [`lock`](Self::lock) of other processes, not against locks of this kind.
    /// `None` if it cannot be locked.
    pub(crate) fn lock_shared(&self) -> Option<bool> {
        is_locked(self.0.try_lock_shared())
    }

    /// Synchronises the folder, where its file system can do that.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match self.0.sync_all() {
            // There is nothing to be done then.
            Err(error) if cannot_synchronise(&error) => Ok(()),
            result => result,
        }
    }
}

/// Returns whether an attempt to lock succeeded. `None` if there are no locks.
fn is_locked(result: Result<(), fs::TryLockError>) -> Option<bool> {
    match result {
        Ok(()) => Some(true),
        Err(fs::TryLockError::WouldBlock) => Some(false),
        Err(fs::TryLockError::Error(_)) => None,
    }
}

/// Sets owner, group and permissions to those of the file that is replaced. If the group cannot be kept, the
/// new group gets no more rights than everybody had.
pub(crate) fn inherit_permissions(file: &File, _: &Path, replaced: &Metadata) -> io::Result<()> {
    let new = file.metadata()?;
    let mut mode = replaced.mode() & 0o777;
    let same = (new.uid(), new.gid()) == (replaced.uid(), replaced.gid());
    if !same && fchown(file, Some(replaced.uid()), Some(replaced.gid())).is_err() {
        // Owner and group are set separately: only root may give a file away, but its owner may change the
        // group.
        let group_kept = new.gid() == replaced.gid() || fchown(file, None, Some(replaced.gid())).is_ok();
        if !group_kept {
            // Group permissions are reduced to those of others: the new group was never meant to have more.
            mode &= !0o070 | (mode & 0o007) << 3;
        }
    }
    // Nothing has been written yet, so the mode at creation has exposed nothing. Bits such as setuid are
    // dropped.
    file.set_permissions(fs::Permissions::from_mode(mode))
}
