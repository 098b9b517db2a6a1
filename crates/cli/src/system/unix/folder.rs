//! Opens names relative to a folder, without following links.
//!
//! With `openat2` (Linux 5.6) the kernel follows none in any component. Elsewhere only the last component of a name is
//! protected.
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use crate::system::{Kind, Links, Stat};

/// An open folder. Names are resolved relative to it even if it is renamed later.
pub(crate) struct Folder {
    folder: OwnedFd,
    /// Whether `openat2` works here; found out once.
    resolves: bool,
}

/// A handle for questions about a name, which needs no permission to read.
pub(crate) struct Handle(OwnedFd);

impl Folder {
    /// Opens a folder, to which links may lead.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(path, flags, Mode::empty())?;
        // Old kernels answer ENOSYS. Sandboxes cannot inspect the arguments of this call and answer EPERM or
        // ENOSYS.
        let resolves = resolve::without_links(&folder, b".", flags).is_ok();
        Ok(Self { folder, resolves })
    }

    /// Returns whether names can be opened with [`Links::Nowhere`], and handles be had.
    pub(crate) fn resolves(&self) -> bool {
        self.resolves
    }

    /// Opens a root below the folder, for names below it. Links in its path are followed, its last component is not,
    /// unless a slash ends it.
    pub(crate) fn root(&self, root: &[u8]) -> io::Result<Self> {
        // Names are only looked up in it, for which the permission to search must suffice.
        let flags = resolve::HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(&self.folder, root, flags, Mode::empty())?;
        Ok(Self { folder, resolves: self.resolves })
    }

    /// Opens a file for reading.
    pub(crate) fn file(&self, name: &[u8], links: Links) -> io::Result<File> {
        // NONBLOCK: if a FIFO has replaced the file, opening must not wait for a writer. NOCTTY: nor may a
        // terminal become the controlling one.
        self.at(name, OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK, links).map(File::from)
    }

    /// Opens a handle (O_PATH) for what has this name, a link itself if it is one.
    pub(crate) fn handle(&self, name: &[u8], links: Links) -> io::Result<Handle> {
        self.at(name, resolve::HANDLE, links).map(Handle)
    }

    /// Returns the target of a link, byte for byte. Links in the folders of the name are followed.
    pub(crate) fn target(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        Ok(readlinkat(&self.folder, name, Vec::new())?.into_bytes())
    }

    /// Returns the state of what has this name, without opening it. Links in the folders of the name are followed.
    pub(crate) fn state(&self, name: &[u8], links: Links) -> io::Result<Stat> {
        let flags = if links == Links::Follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        Ok(statat(&self.folder, name, flags).map(|about| Stat::of(&about))?)
    }

    /// Returns the kind of what has this name. Links in the folders of the name are followed.
    pub(crate) fn kind(&self, name: &[u8]) -> io::Result<Kind> {
        Ok(statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).map(|about| Kind::of(about.st_mode))?)
    }

    fn at(&self, name: &[u8], flags: OFlags, links: Links) -> io::Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        Ok(match links {
            Links::Follow => openat(&self.folder, name, flags, Mode::empty()),
            Links::NotLast => openat(&self.folder, name, flags | OFlags::NOFOLLOW, Mode::empty()),
            Links::Nowhere => resolve::without_links(&self.folder, name, flags | OFlags::NOFOLLOW),
        }?)
    }
}

impl Handle {
    /// Returns the kind of the file behind the handle.
    pub(crate) fn kind(&self) -> io::Result<Kind> {
        Ok(fstat(&self.0).map(|about| Kind::of(about.st_mode))?)
    }

    /// Returns the target of the link behind the handle, byte for byte.
    pub(crate) fn target(&self) -> io::Result<Vec<u8>> {
        // With an empty path readlinkat reads the link behind an O_PATH descriptor (readlink(2)).
        Ok(readlinkat(&self.0, "", Vec::new())?.into_bytes())
    }
}

/// Returns whether a link is the reason of an error: ELOOP, of `openat2` and O_NOFOLLOW.
pub(crate) fn is_link(error: &io::Error) -> bool {
    Errno::from_io_error(error) == Some(Errno::LOOP)
}

/// Returns whether an error says that nothing has a name, or that it is reached only through a link.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) mod resolve {
    use std::os::fd::AsFd;

    use super::{Errno, Mode, OFlags, OwnedFd};
    use rustix::fs::{ResolveFlags, openat2};

    pub(super) const HANDLE: OFlags = OFlags::PATH;

    /// Opens a name below a folder. Fails with `ELOOP` if any component of it is a link.
    pub(in super::super) fn without_links(
        folder: impl AsFd,
        name: &[u8],
        flags: OFlags,
    ) -> Result<OwnedFd, Errno> {
        // Not RESOLVE_BENEATH as well: roots may be absolute, or begin with `..`.
        openat2(folder, name, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) mod resolve {
    use std::os::fd::AsFd;

    use super::{Errno, OFlags, OwnedFd};

    // There is no O_PATH to ask for. Without `openat2` no handle is opened anyway.
    pub(super) const HANDLE: OFlags = OFlags::RDONLY;

    /// Fails: this system has no `openat2`.
    pub(in super::super) fn without_links(_: impl AsFd, _: &[u8], _: OFlags) -> Result<OwnedFd, Errno> {
        Err(Errno::NOSYS)
    }
}
