//! Opens what the walk found, and nothing that has taken its place since.
//!
//! Between the walk and the opening of a file, someone may replace a folder by a symbolic link to another one. Where the
//! kernel has `openat2` (Linux 5.6), no link below a root is followed then; elsewhere only the last name is protected.
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use anyhow::{Context as _, Result};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use crate::name::escape_path;
use crate::read_error::ReadError;
use crate::scope::{Scope, Symlinks};

/// The base folder, and the roots to which names belong.
pub(crate) struct Tree<'a> {
    base: OwnedFd,
    /// Sorted.
    roots: &'a [Vec<u8>],
    follow: bool,
    resolves: bool,
}

impl<'a> Tree<'a> {
    /// Opens the base folder.
    pub(crate) fn open(base: &Path, scope: &'a Scope) -> Result<Self> {
        let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let base = rustix::fs::open(base, folder, Mode::empty())
            .map_err(io::Error::from)
            .with_context(|| format!("{}: cannot open the folder", escape_path(base)))?;
        let follow = scope.symlinks == Symlinks::Follow;
        // Old kernels answer ENOSYS; sandboxes, which cannot see what is asked for, EPERM or ENOSYS.
        let resolves = resolve::without_links(&base, b".", folder).is_ok();
        Ok(Self { base, roots: &scope.roots, follow, resolves })
    }

    /// Opens a file for reading.
    pub(crate) fn file(&self, name: &[u8]) -> Result<OwnedFd, ReadError> {
        // NONBLOCK: should a FIFO have taken the file's place, opening it must not wait for a writer.
        self.at(name, OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK).map_err(|error| self.explain(error))
    }

    /// The target of a symbolic link, byte for byte.
    pub(crate) fn target(&self, name: &[u8]) -> Result<Vec<u8>, ReadError> {
        let target = match self.handle(name) {
            Some(link) => link.and_then(|link| readlinkat(&link, "", Vec::new())),
            None => readlinkat(&self.base, name, Vec::new()),
        };
        Ok(target.map_err(|error| self.explain(error))?.into_bytes())
    }

    /// What stands under the name, without following it; `None` if nothing does, or only by way of a link.
    pub(crate) fn kind(&self, name: &[u8]) -> Result<Option<FileType>, ReadError> {
        let about = match self.handle(name) {
            Some(entry) => entry.and_then(fstat),
            None => statat(&self.base, name, AtFlags::SYMLINK_NOFOLLOW),
        };
        match about {
            Ok(about) => Ok(Some(FileType::from_raw_mode(about.st_mode))),
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A handle of whatever stands under the name, for questions; `None` where there are no safe ones.
    fn handle(&self, name: &[u8]) -> Option<Result<OwnedFd, Errno>> {
        (self.resolves && !self.follow).then(|| self.at(name, resolve::HANDLE))
    }

    fn at(&self, name: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        let flags = flags | OFlags::CLOEXEC;
        if self.follow {
            return openat(&self.base, name, flags, Mode::empty());
        }
        let flags = flags | OFlags::NOFOLLOW;
        if self.resolves {
            let found = resolve::without_links(&self.base, name, flags);
            if !matches!(found, Err(Errno::LOOP)) {
                return found;
            }
            // The path of the root may lead through links: they are the user's own.
            if let Some((root, below)) = self.root_of(name) {
                let folder = resolve::HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let root = openat(&self.base, root, folder, Mode::empty())?;
                return resolve::without_links(&root, below, flags);
            }
        }
        openat(&self.base, name, flags, Mode::empty())
    }

    /// The innermost root that is a folder above the name, and the rest of the name; `None` if the name is a root.
    fn root_of<'n>(&self, name: &'n [u8]) -> Option<(&'n [u8], &'n [u8])> {
        let is_root = |path: &[u8]| self.roots.binary_search_by(|root| root.as_slice().cmp(path)).is_ok();
        if is_root(name) {
            return None;
        }
        let slashes = name.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for at in slashes {
            // With the slash first: it is there if the root is a link to a folder.
            if let Some(root) = [&name[..=at], &name[..at]].into_iter().find(|root| is_root(root)) {
                return Some((root, &name[at + 1..]));
            }
        }
        Some((b".", name))
    }

    fn explain(&self, error: Errno) -> ReadError {
        if error == Errno::LOOP && !self.follow { ReadError::Link } else { error.into() }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod resolve {
    use super::{Errno, Mode, OFlags, OwnedFd};
    use rustix::fs::{ResolveFlags, openat2};

    pub(super) const HANDLE: OFlags = OFlags::PATH;

    /// Opens a name below a folder; `ELOOP` if any part of it is a link.
    pub(super) fn without_links(folder: &OwnedFd, name: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        openat2(folder, name, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod resolve {
    use super::{Errno, OFlags, OwnedFd};

    pub(super) const HANDLE: OFlags = OFlags::RDONLY;

    /// Not on this system.
    pub(super) fn without_links(_: &OwnedFd, _: &[u8], _: OFlags) -> Result<OwnedFd, Errno> {
        Err(Errno::NOSYS)
    }
}
