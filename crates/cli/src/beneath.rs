//! Opens files below the roots of a scope without following links that have appeared there since the walk.
//!
//! Between the walk and the opening of a file, somebody may replace a folder by a symbolic link (a TOCTOU
//! race). Then a privileged run would read files outside of the tree. With `openat2` (Linux 5.6) the kernel
//! follows no link below a root. Elsewhere only the last component of a name is protected.
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context as _, Result};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use crate::name::escape_path;
use crate::read_error::ReadError;
use crate::scope::{Scope, Symlinks};

/// The base folder, opened once, and the roots to which names belong.
pub(crate) struct Tree<'a> {
    base: OwnedFd,
    /// Roots of the scope, sorted by bytes for binary search.
    roots: &'a [Vec<u8>],
    /// Whether the scope follows links, so that none is refused.
    follow: bool,
    /// Whether `openat2` works here; found out once, on the base folder. If not, only last components are protected.
    resolves: bool,
}

impl<'a> Tree<'a> {
    /// Opens the base folder. All names are resolved relative to this descriptor, even if the folder is renamed later.
    pub(crate) fn open(base: &Path, scope: &'a Scope) -> Result<Self> {
        let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let base = rustix::fs::open(base, folder, Mode::empty())
            .map_err(io::Error::from)
            .with_context(|| format!("{}: cannot open the folder", escape_path(base)))?;
        let follow = scope.symlinks == Symlinks::Follow;
        // Old kernels answer ENOSYS. Sandboxes cannot inspect the arguments of this call and answer EPERM or
        // ENOSYS.
        let resolves = resolve::without_links(&base, b".", folder).is_ok();
        Ok(Self { base, roots: &scope.roots, follow, resolves })
    }

    /// Opens a file for reading. Fails with [`ReadError::Link`] if a link has appeared in its path.
    pub(crate) fn file(&self, name: &[u8]) -> Result<OwnedFd, ReadError> {
        // NONBLOCK: if a FIFO has replaced the file, opening must not wait for a writer. NOCTTY: nor may a
        // terminal become the controlling one.
        self.at(name, OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK).map_err(|error| self.explain(error))
    }

    /// Returns the target of a symbolic link, byte for byte.
    pub(crate) fn target(&self, name: &[u8]) -> Result<Vec<u8>, ReadError> {
        let target = match self.handle(name) {
            // With an empty path readlinkat reads the link behind an O_PATH descriptor (readlink(2)).
            Some(link) => link.and_then(|link| readlinkat(&link, "", Vec::new())),
            None => readlinkat(&self.base, name, Vec::new()),
        };
        Ok(target.map_err(|error| self.explain(error))?.into_bytes())
    }

    /// Returns the type of what has this name, without following it. `None` if nothing has, or if it is
    /// reached only through a link.
    pub(crate) fn kind(&self, name: &[u8]) -> Result<Option<FileType>, ReadError> {
        let about = match self.handle(name) {
            Some(entry) => entry.and_then(fstat),
            // Without `openat2` a folder of the path may be a link that has appeared since the walk.
            None => statat(&self.base, name, AtFlags::SYMLINK_NOFOLLOW),
        };
        match about {
            Ok(about) => Ok(Some(FileType::from_raw_mode(about.st_mode))),
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns whether a folder has this name, or no name (the base folder), or a link that is followed.
    pub(crate) fn has_folder(&self, name: &[u8]) -> Result<bool, ReadError> {
        if name.is_empty() {
            return Ok(true);
        }
        let kind = self.kind(name)?;
        Ok(kind == Some(FileType::Directory) || (self.follow && kind == Some(FileType::Symlink)))
    }

    /// Returns when a file was made, where the system can tell.
    pub(crate) fn born(&self, name: &[u8]) -> Option<SystemTime> {
        File::from(self.file(name).ok()?).metadata().ok()?.created().ok()
    }

    /// Opens a handle for questions about a name (O_PATH), which needs no permission to read and follows no
    /// link. `None` where the kernel cannot do this safely.
    fn handle(&self, name: &[u8]) -> Option<Result<OwnedFd, Errno>> {
        (self.resolves && !self.follow).then(|| self.at(name, resolve::HANDLE))
    }

    /// Opens a name relative to the base folder. Unless links are followed, none below a root is.
    fn at(&self, name: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        let flags = flags | OFlags::CLOEXEC;
        if self.follow {
            return openat(&self.base, name, flags, Mode::empty());
        }
        let flags = flags | OFlags::NOFOLLOW;
        if self.resolves {
            let found = resolve::without_links(&self.base, name, flags);
            // Only ELOOP leaves the question open whether the link lies in the path of the root or below it.
            if !matches!(found, Err(Errno::LOOP)) {
                return found;
            }
            // The path of a root itself may lead through links: the user named it. Open the root first, then
            // the rest without links.
            if let Some((root, below)) = self.root_of(name) {
                let folder = resolve::HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                // Links in the path of the root are followed. NOFOLLOW refuses its last component, unless a
                // slash ends it.
                let root = openat(&self.base, root, folder, Mode::empty())?;
                return resolve::without_links(&root, below, flags);
            }
        }
        // Either the name is a root, or the kernel lacks `openat2`: NOFOLLOW protects the last component.
        openat(&self.base, name, flags, Mode::empty())
    }

    /// Splits a name into its innermost root and the rest. `None` if the name itself is a root.
    fn root_of<'n>(&self, name: &'n [u8]) -> Option<(&'n [u8], &'n [u8])> {
        let is_root = |path: &[u8]| self.roots.binary_search_by(|root| root.as_slice().cmp(path)).is_ok();
        if is_root(name) {
            return None;
        }
        // From the innermost folder outwards, as a root may lie below another root.
        let slashes = name.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for at in slashes {
            // A root that is a link to a folder ends in a slash, so that form is tried first.
            if let Some(root) = [&name[..=at], &name[..at]].into_iter().find(|root| is_root(root)) {
                return Some((root, &name[at + 1..]));
            }
        }
        // No root contains the name, so the current folder is its root.
        Some((b".", name))
    }

    /// Turns ELOOP, the error of `openat2` and O_NOFOLLOW for a link, into [`ReadError::Link`].
    fn explain(&self, error: Errno) -> ReadError {
        if error == Errno::LOOP && !self.follow { ReadError::Link } else { error.into() }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod resolve {
    use super::{Errno, Mode, OFlags, OwnedFd};
    use rustix::fs::{ResolveFlags, openat2};

    pub(super) const HANDLE: OFlags = OFlags::PATH;

    /// Opens a name below a folder. Fails with `ELOOP` if any component of it is a link.
    pub(super) fn without_links(folder: &OwnedFd, name: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        // Not RESOLVE_BENEATH as well: roots may be absolute, or begin with `..`.
        openat2(folder, name, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod resolve {
    use super::{Errno, OFlags, OwnedFd};

    // There is no O_PATH to ask for. Without `openat2` no handle is opened anyway.
    pub(super) const HANDLE: OFlags = OFlags::RDONLY;

    /// Fails: this system has no `openat2`.
    pub(super) fn without_links(_: &OwnedFd, _: &[u8], _: OFlags) -> Result<OwnedFd, Errno> {
        Err(Errno::NOSYS)
    }
}
