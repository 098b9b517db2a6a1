//! Opens names relative to a folder, without following links and junctions.
//!
//! The kernel follows none in a name that is opened relative to a handle with OBJ_DONT_REPARSE.
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::Path;
use std::path::PathBuf;

use carryless_filemap::windows::{open_below, reparse_data};

use super::names::{is_absolute, join, place};
use super::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_READ_ATTRIBUTES, FILE_SHARE_READ,
    FILE_SHARE_WRITE, examine, stat_open, wide,
};
use crate::scope::folder_of;
use crate::system::{Kind, Links, Stat};

const ERROR_FILE_NOT_FOUND: i32 = 2;
const ERROR_PATH_NOT_FOUND: i32 = 3;
const ERROR_INVALID_NAME: i32 = 123;
const ERROR_BAD_PATHNAME: i32 = 161;
const ERROR_DIRECTORY: i32 = 267;
const ERROR_STOPPED_ON_SYMLINK: i32 = 681;
const ERROR_REPARSE_POINT_ENCOUNTERED: i32 = 4395;

/// An open folder. Nobody can rename it meanwhile.
pub(crate) struct Folder {
    folder: File,
    path: PathBuf,
}

/// A handle for questions about a name, which needs no permission to read.
pub(crate) struct Handle(File);

impl Folder {
    /// Opens a folder, to which links may lead.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::with(place(path).into_owned(), 0)
    }

    fn with(path: PathBuf, flags: u32) -> io::Result<Self> {
        const FILE_TRAVERSE: u32 = 0x20;
        let folder = OpenOptions::new()
            .access_mode(FILE_READ_ATTRIBUTES | FILE_TRAVERSE)
            // Without deletion: the path must lead to the same folder as long as it is open.
            .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE)
            .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | flags)
            .open(&path)?;
        match stat_open(&folder)?.kind {
            Kind::Folder => Ok(Self { folder, path }),
            Kind::Link => Err(link()),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Returns whether names can be opened with [`Links::Nowhere`], and handles be had.
    pub(crate) fn resolves(&self) -> bool {
        true
    }

    /// Opens a root below the folder, for names below it. Links in its path are followed, its last component is not,
    /// unless a slash ends it.
    pub(crate) fn root(&self, root: &[u8]) -> io::Result<Self> {
        let flags = if root.ends_with(b"/") { 0 } else { FILE_FLAG_OPEN_REPARSE_POINT };
        Self::with(self.place(root)?, flags)
    }

    /// Opens a file for reading.
    pub(crate) fn file(&self, name: &[u8], links: Links) -> io::Result<File> {
        match links {
            Links::Follow => File::open(self.place(name)?),
            Links::NotLast | Links::Nowhere => self.below(name, links, false),
        }
    }

    /// Opens a handle for what has this name, a link itself if it is one.
    pub(crate) fn handle(&self, name: &[u8], links: Links) -> io::Result<Handle> {
        match links {
            Links::Follow => examine(&self.place(name)?, 0, 0),
            Links::NotLast | Links::Nowhere => self.below(name, links, true),
        }
        .map(Handle)
    }

    /// Returns the target of a link. Links in the folders of the name are followed.
    pub(crate) fn target(&self, name: &[u8]) -> io::Result<Vec<u8>> {
        Handle(examine(&self.place(name)?, FILE_FLAG_OPEN_REPARSE_POINT, 0)?).target()
    }

    /// Returns the state of what has this name. Links in the folders of the name are followed.
    pub(crate) fn state(&self, name: &[u8], links: Links) -> io::Result<Stat> {
        let flags = if links == Links::Follow { 0 } else { FILE_FLAG_OPEN_REPARSE_POINT };
        stat_open(&examine(&self.place(name)?, flags, 0)?)
    }

    /// Returns the kind of what has this name. Links in the folders of the name are followed.
    pub(crate) fn kind(&self, name: &[u8]) -> io::Result<Kind> {
        Handle(examine(&self.place(name)?, FILE_FLAG_OPEN_REPARSE_POINT, 0)?).kind()
    }

    fn place(&self, name: &[u8]) -> io::Result<PathBuf> {
        join(&self.path, name).ok_or(io::ErrorKind::NotFound.into())
    }

    fn below(&self, name: &[u8], links: Links, itself: bool) -> io::Result<File> {
        let mut parts = name.split(|byte| *byte == b'/');
        let plain = !is_absolute(name) && parts.all(|part| !matches!(part, b"" | b"." | b".."));
        if plain && links == Links::Nowhere {
            let parts = name.split(|byte| *byte == b'/').map(wide::component);
            let parts: Vec<Vec<u16>> = parts.collect::<Option<_>>().ok_or(io::ErrorKind::NotFound)?;
            return open_below(&self.folder, &parts.join(&u16::from(b'\\')), itself);
        }
        if links == Links::Nowhere {
            // Names that only a path can have: the caller opens their root first.
            return Err(link());
        }
        let path = self.place(name)?;
        match (folder_of(name), path.file_name()) {
            // The folder of the path is opened first, then its last component without links.
            (folder, Some(last)) if !name.ends_with(b"/") && !name.ends_with(b"..") => {
                let folder = Self::with(self.place(folder)?, 0)?;
                let last = wide::component(&super::name_of(last)).ok_or(io::ErrorKind::NotFound)?;
                open_below(&folder.folder, &last, itself)
            }
            // The base folder, one above it, or the top of a drive.
            _ => examine(&path, 0, 0),
        }
    }
}

impl Handle {
    /// Returns the kind of the file behind the handle.
    pub(crate) fn kind(&self) -> io::Result<Kind> {
        Ok(stat_open(&self.0)?.kind)
    }

    /// Returns the target of the link behind the handle, with slashes.
    pub(crate) fn target(&self) -> io::Result<Vec<u8>> {
        let unknown = "a link of an unknown kind";
        wide::target(&reparse_data(&self.0)?)
            .ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, unknown))
    }
}

fn link() -> io::Error {
    io::Error::from_raw_os_error(ERROR_REPARSE_POINT_ENCOUNTERED)
}

/// Returns whether a link is the reason of an error.
pub(crate) fn is_link(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(ERROR_REPARSE_POINT_ENCOUNTERED | ERROR_STOPPED_ON_SYMLINK))
}

/// Returns whether an error says that nothing has a name, or that it is reached only through a link.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    match error.raw_os_error() {
        Some(code) => {
            let absent = [
                ERROR_FILE_NOT_FOUND,
                ERROR_PATH_NOT_FOUND,
                ERROR_INVALID_NAME,
                ERROR_BAD_PATHNAME,
                ERROR_DIRECTORY,
            ];
            absent.contains(&code) || is_link(error)
        }
        None => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    }
}
