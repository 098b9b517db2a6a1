//! Windows: names are 16-bit units, which [`wide`] turns to bytes, and access lists say who may read a key.
//!
//! All paths are opened in the form that begins with `\\?\`. So they may be long, and names such as `NUL` or `a.` are
//! those of ordinary files.
mod copy;
mod folder;
mod names;
mod output;
mod parent;
mod private;

use std::fs::{File, FileType, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt as _, OpenOptionsExt as _};
use std::os::windows::io::AsHandle as _;
use std::path::{Path, PathBuf};

use carryless_filemap::windows::{self as sys, About};

use super::{Kind, Special, Stat, wide};

pub(crate) use carryless_filemap::windows::refuse_closed_stdout;
pub(crate) use copy::{SYNCHRONISES_ALL, copy_attributes, forget, write_all_at};
pub(crate) use folder::{Folder, Handle, is_absent, is_link};
pub(crate) use names::{ends_as_folder, is_absolute, is_top, join, listed_path, name_of, path_of, place};
pub(crate) use output::{Entry, inherit_permissions, open_ordinary};
pub(crate) use parent::Parent;
pub(crate) use private::{check_folder, check_holder, check_readers};

/// Whether files have a mode, an owner and a group that manifests can record.
pub(crate) const HAS_MODES: bool = false;

// Flags and rights of CreateFileW that the standard library has no names for.
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const FILE_READ_ATTRIBUTES: u32 = 0x80;
const FILE_WRITE_ATTRIBUTES: u32 = 0x100;
const FILE_WRITE_DATA: u32 = 2;
const READ_CONTROL: u32 = 0x2_0000;
const WRITE_DAC: u32 = 0x4_0000;
const GENERIC_WRITE: u32 = 0x4000_0000;
const FILE_SHARE_READ: u32 = 1;
const FILE_SHARE_WRITE: u32 = 2;
const FILE_SHARE_DELETE: u32 = 4;

/// Returns which kind of special file this is.
pub(crate) fn special(_: FileType) -> Special {
    Special::Other
}

/// Returns the state of an open file.
pub fn stat_open(file: &File) -> io::Result<Stat> {
    Ok(Stat::of(sys::about(file)?))
}

/// Returns the state of what a path leads to.
pub(crate) fn stat(path: &Path) -> io::Result<Stat> {
    stat_open(&examine(path, 0, 0)?)
}

/// Returns the state of what has this path, a link itself if it is one.
pub(crate) fn stat_link(path: &Path) -> io::Result<Stat> {
    stat_open(&examine(path, FILE_FLAG_OPEN_REPARSE_POINT, 0)?)
}

/// Opens a file or folder for questions about it, which needs no permission to read, with these further rights.
fn examine(path: &Path, flags: u32, rights: u32) -> io::Result<File> {
    OpenOptions::new()
        .access_mode(FILE_READ_ATTRIBUTES | rights)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | flags)
        .open(path)
}

impl Kind {
    fn of(about: &About) -> Self {
        const FILE_ATTRIBUTE_DIRECTORY: u32 = 0x10;
        /// Tags with this bit stand for another name. Others, as of files in a cloud, are files and folders.
        const NAME_SURROGATE: u32 = 0x2000_0000;
        match about {
            // A junction has the attribute of a folder too, so the tag decides first.
            about if about.reparse_tag & NAME_SURROGATE != 0 => Self::Link,
            about if about.attributes & FILE_ATTRIBUTE_DIRECTORY != 0 => Self::Folder,
            _ => Self::File,
        }
    }
}

impl Stat {
    /// Translates what the system tells: nothing about pipes, consoles and devices.
    fn of(about: Option<About>) -> Self {
        let nothing = Self {
            kind: Kind::Special,
            size: 0,
            modified: (0, 0),
            changed: (0, 0),
            identity: (0, 0),
            owner: None,
        };
        about.map_or(nothing, |about| Self {
            kind: Kind::of(&about),
            size: about.size,
            modified: since_1970(about.modified),
            changed: since_1970(about.changed),
            // ReFS has numbers of 128 bits. Of others the upper half is zero.
            identity: (about.volume, about.id as u64 ^ ((about.id >> 64) as u64).rotate_left(32)),
            ..nothing
        })
    }
}

/// Translates a time in units of 100 ns since 1601 to seconds since 1970 and nanoseconds.
fn since_1970(time: i64) -> (i64, i64) {
    const SECOND: i64 = 10_000_000;
    (time.div_euclid(SECOND) - 11_644_473_600, time.rem_euclid(SECOND) * 100)
}

/// Reads from a position of a file.
pub(crate) fn read_at(file: &File, space: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek_read(space, at)
}

/// Does nothing: the system finds out by itself.
pub(crate) fn read_ahead(_: &File) {}

/// Returns `None`: holes are read as the zeros that they are.
pub(crate) fn next_data(_: &File, _: u64) -> Option<u64> {
    None
}

/// Returns `false`: a server refuses to share a file only if somebody has it open.
pub(crate) fn is_remote(_: &File) -> bool {
    false
}

/// Opens a duplicate of standard input, and its path if it is a file that has one. Fails for other descriptors.
pub(crate) fn given(descriptor: u32) -> io::Result<(File, Option<PathBuf>)> {
    if descriptor != 0 {
        let why = "Windows has no numbers of open files: use --key-file";
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    let file = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let path = sys::path_of(&file);
    Ok((file, path))
}

/// Locks a file that is open for reading, until it is closed. `false` if another process holds the lock.
///
/// Where the file system has no locks, the file counts as locked.
pub(crate) fn lock(file: &File) -> bool {
    const ERROR_LOCK_VIOLATION: i32 = 33;
    !sys::lock(file).is_err_and(|error| error.raw_os_error() == Some(ERROR_LOCK_VIOLATION))
}

/// Closes the file: on many file systems it cannot be replaced while it is open.
pub(crate) fn held_while_replaced(_: File) -> Option<File> {
    None
}

/// Calls `clean` before Ctrl-C, a closed console or the end of the session ends the process; what `clean` returns lives
/// until then.
pub(crate) fn watch<R: 'static>(clean: fn() -> R) {
    // If the system refuses, incomplete files stay.
    let _ = sys::before_end(move || std::mem::forget(clean()));
}

/// Does nothing: there is no limit of file sizes.
pub(crate) fn report_file_size_limit() {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Links;
    use crate::writers::{Guard, Writer};

    #[test]
    fn times_are_translated() {
        assert_eq!(since_1970(0), (-11_644_473_600, 0));
        assert_eq!(since_1970(116_444_736_000_000_001), (0, 100));
        assert_eq!(since_1970(116_444_735_999_999_999), (-1, 999_999_900));
    }

    #[test]
    fn a_file_is_the_same_by_path_and_handle() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "abc").expect("write");
        let (open, by_path) = (File::open(&path).and_then(|file| stat_open(&file)), stat_link(&path));
        let (open, by_path) = (open.expect("open"), by_path.expect("there"));
        assert_eq!((open.kind, open.size, open.identity), (Kind::File, 3, by_path.identity));
        assert_eq!((open.modified, open.changed), (by_path.modified, by_path.changed));
        assert_eq!(stat(folder.path()).expect("there").kind, Kind::Folder);
    }

    #[test]
    fn a_guard_and_writers_refuse_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "abc").expect("write");
        let file = File::open(&path).expect("open");
        let writer = OpenOptions::new().write(true).open(&path).expect("open");
        assert_eq!(Guard::of(&file).err(), Some(Writer::There));
        drop(writer);
        let guard = Guard::of(&file).expect("no writer");
        assert!(guard.is_leased());
        OpenOptions::new().write(true).open(&path).expect_err("refused");
        assert_eq!(guard.check(), Ok(()));
    }

    #[test]
    fn names_are_opened_below_a_folder_as_links_allow() {
        let place = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(place.path().join("a")).expect("mkdir");
        std::fs::write(place.path().join(r"a\b"), "abc").expect("write");
        let folder = Folder::open(&place.path().join("a")).expect("open");
        for (name, links) in [
            ("b", Links::Nowhere),
            ("b", Links::NotLast),
            ("../a/b", Links::NotLast),
            ("../a/b", Links::Follow),
        ] {
            let file = folder.file(name.as_bytes(), links).expect("a file");
            assert_eq!(stat_open(&file).expect("about").size, 3, "{name}");
        }
        // Their root is opened first, as links in its path are followed.
        assert!(folder.file(b"../a/b", Links::Nowhere).is_err_and(|error| is_link(&error)));
        let above = folder.root(b"..").expect("a folder");
        assert_eq!(
            above.handle(b"a", Links::Nowhere).and_then(|a| a.kind()).expect("a folder"),
            Kind::Folder
        );
        for name in ["c", "b/c", "b:c", "b\\c", "*"] {
            let found = folder.handle(name.as_bytes(), Links::Nowhere);
            assert!(found.is_err_and(|error| is_absent(&error)), "{name}");
        }
        std::fs::rename(place.path().join("a"), place.path().join("c")).expect_err("the folder is open");
    }
}
