//! Opens files below the roots of a scope without following links that have appeared there since the walk.
//!
//! Between the walk and the opening of a file, somebody may replace a folder by a symbolic link (a TOCTOU
//! race). Then a privileged run would read files outside of the tree. Where the system can open a name without
//! following links ([`Folder::resolves`]), none is followed below a root. Elsewhere only the last component of a
//! name is protected.
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context as _, Result};

use crate::name::escape_path;
use crate::read_error::ReadError;
use crate::scope::{Scope, Symlinks};
use crate::system::{Folder, Handle, Kind, Links, Stat, is_absent, is_link};

/// The base folder, opened once, and the roots to which names belong.
pub(crate) struct Tree<'a> {
    base: Folder,
    /// Roots of the scope, sorted by bytes for binary search.
    roots: &'a [Vec<u8>],
    /// Whether the scope follows links, so that none is refused.
    follow: bool,
}

impl<'a> Tree<'a> {
    /// Opens the base folder. All names are resolved relative to this descriptor, even if the folder is renamed later.
    pub(crate) fn open(base: &Path, scope: &'a Scope) -> Result<Self> {
        let folder = Folder::open(base);
        let base = folder.with_context(|| format!("{}: cannot open the folder", escape_path(base)))?;
        Ok(Self { base, roots: &scope.roots, follow: scope.symlinks == Symlinks::Follow })
    }

    /// Opens a file for reading. Fails with [`ReadError::Link`] if a link has appeared in its path.
    pub(crate) fn file(&self, name: &[u8]) -> Result<File, ReadError> {
        self.at(name, Folder::file).map_err(|error| self.explain(error))
    }

    /// Returns the target of a symbolic link, byte for byte.
    pub(crate) fn target(&self, name: &[u8]) -> Result<Vec<u8>, ReadError> {
        let target = match self.handle(name) {
            Some(link) => link.and_then(|link| link.target()),
            None => self.base.target(name),
        };
        target.map_err(|error| self.explain(error))
    }

    /// Returns the type of what has this name, without following it. `None` if nothing has, or if it is
    /// reached only through a link.
    pub(crate) fn kind(&self, name: &[u8]) -> Result<Option<Kind>, ReadError> {
        let kind = match self.handle(name) {
            Some(entry) => entry.and_then(|entry| entry.kind()),
            // A folder of the path may be a link that has appeared since the walk.
            None => self.base.kind(name),
        };
        match kind {
            Ok(kind) => Ok(Some(kind)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns whether a folder has this name, or no name (the base folder), or a link that is followed.
    pub(crate) fn has_folder(&self, name: &[u8]) -> Result<bool, ReadError> {
        if name.is_empty() {
            return Ok(true);
        }
        // A root that is a link with a slash is the folder behind it.
        if self.is_root(&[name, b"/"].concat()) {
            return Ok(self.base.state(name, Links::Follow).is_ok_and(|found| found.kind == Kind::Folder));
        }
        let kind = self.kind(name)?;
        Ok(kind == Some(Kind::Folder) || (self.follow && kind == Some(Kind::Link)))
    }

    /// Returns the state of what has this name, by one call of the system. A link may have come into the path: whoever
    /// compares inode and times knows that it leads to the same file.
    pub(crate) fn state(&self, name: &[u8]) -> io::Result<Stat> {
        self.base.state(name, if self.follow { Links::Follow } else { Links::NotLast })
    }

    /// Returns whether a folder above a name, below its root, is a link that is not followed.
    pub(crate) fn is_behind_link(&self, name: &[u8]) -> bool {
        let Some((_, below)) = self.root_of(name).filter(|_| !self.follow) else { return false };
        let above_root = name.len() - below.len();
        let ends = below.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| above_root + at);
        ends.map(|end| self.base.kind(&name[..end])).any(|kind| kind.is_ok_and(|kind| kind == Kind::Link))
    }

    /// Returns when a file was made, where the system can tell.
    pub(crate) fn born(&self, name: &[u8]) -> Option<SystemTime> {
        self.file(name).ok()?.metadata().ok()?.created().ok()
    }

    /// Opens a handle for questions about a name. `None` where the system cannot do this without following links.
    fn handle(&self, name: &[u8]) -> Option<io::Result<Handle>> {
        (self.base.resolves() && !self.follow).then(|| self.at(name, Folder::handle))
    }

    /// Opens a name relative to the base folder. Unless links are followed, none below a root is.
    fn at<T>(&self, name: &[u8], open: impl Fn(&Folder, &[u8], Links) -> io::Result<T>) -> io::Result<T> {
        if self.follow {
            return open(&self.base, name, Links::Follow);
        }
        if self.base.resolves() {
            let found = open(&self.base, name, Links::Nowhere);
            // Only this error leaves the question open whether the link lies in the path of the root or below it.
            if !found.as_ref().is_err_and(is_link) {
                return found;
            }
            // The path of a root itself may lead through links: the user named it. Open the root first, then
            // the rest without links.
            if let Some((root, below)) = self.root_of(name) {
                return open(&self.base.root(root)?, below, Links::Nowhere);
            }
        }
        // Either the name is a root, or the system follows links: the last component is protected.
        open(&self.base, name, Links::NotLast)
    }

    fn is_root(&self, path: &[u8]) -> bool {
        self.roots.binary_search_by(|root| root.as_slice().cmp(path)).is_ok()
    }

    /// Splits a name into its innermost root and the rest. `None` if the name itself is a root.
    fn root_of<'n>(&self, name: &'n [u8]) -> Option<(&'n [u8], &'n [u8])> {
        if self.is_root(name) {
            return None;
        }
        // From the innermost folder outwards, as a root may lie below another root.
        let slashes = name.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for at in slashes {
            // A root that is a link to a folder ends in a slash, so that form is tried first.
            if let Some(root) = [&name[..=at], &name[..at]].into_iter().find(|root| self.is_root(root)) {
                return Some((root, &name[at + 1..]));
            }
        }
        // No root contains the name, so the current folder is its root.
        Some((b".", name))
    }

    /// Turns the error for a link that is not followed into [`ReadError::Link`].
    fn explain(&self, error: io::Error) -> ReadError {
        if is_link(&error) && !self.follow { ReadError::Link } else { error.into() }
    }
}
