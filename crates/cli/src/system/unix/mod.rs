//! Linux, macOS, FreeBSD and their like: names are bytes, and calls of POSIX open them.
mod copy;
mod folder;
mod output;
mod parent;
mod private;
mod signals;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use carryless_filemap::stdout_was_closed;
use rustix::fs::FileType;
use rustix::io::Errno;

use super::{Kind, Owner, Special, Stat};

pub(crate) use copy::{SYNCHRONISES_ALL, copy_attributes, forget, write_all_at};
pub(crate) use folder::{Folder, Handle, is_absent, is_link};
pub(crate) use output::{Entry, inherit_permissions, open_ordinary};
pub(crate) use parent::Parent;
pub(crate) use private::{check_folder, check_holder, check_readers};
pub(crate) use signals::{report_file_size_limit, watch};

/// Whether files have a mode, an owner and a group that manifests can record.
pub(crate) const HAS_MODES: bool = true;

/// Returns the bytes that manifests have for a path or a target.
pub(crate) fn name_of(path: &OsStr) -> Cow<'_, [u8]> {
    path.as_bytes().into()
}

/// Returns the path of a name, for patterns.
pub(crate) fn path_of(name: &[u8]) -> Cow<'_, Path> {
    Path::new(OsStr::from_bytes(name)).into()
}

/// Returns the path that a list names. All bytes are names here.
pub(crate) fn listed_path(name: Vec<u8>) -> Option<PathBuf> {
    Some(OsString::from_vec(name).into())
}

/// Returns the path of a name that is relative to `base`. All names have one here.
pub(crate) fn join(base: &Path, name: &[u8]) -> Option<PathBuf> {
    Some(base.join(OsStr::from_bytes(name)))
}

/// Returns a path in the form that walks and patterns have.
pub(crate) fn place(path: &Path) -> Cow<'_, Path> {
    path.into()
}

/// Returns whether a name is that of a whole file system, which ends in a slash.
pub(crate) fn is_top(name: &[u8]) -> bool {
    name == b"/"
}

/// Returns whether a name is not relative to the base folder.
pub(crate) fn is_absolute(name: &[u8]) -> bool {
    name.starts_with(b"/")
}

/// Returns whether a path as it was given ends in a slash, or in a slash and a dot.
pub(crate) fn ends_as_folder(path: &OsStr) -> bool {
    let given = path.as_bytes();
    given.ends_with(b"/") || given.ends_with(b"/.")
}

/// Returns which kind of special file this is.
pub(crate) fn special(kind: fs::FileType) -> Special {
    match kind {
        kind if kind.is_fifo() => Special::Fifo,
        kind if kind.is_socket() => Special::Socket,
        kind if kind.is_block_device() || kind.is_char_device() => Special::Device,
        _ => Special::Other,
    }
}

/// Returns the state of an open file.
pub fn stat_open(file: &File) -> io::Result<Stat> {
    Ok(rustix::fs::fstat(file).map(|about| Stat::of(&about))?)
}

/// Returns the state of what a path leads to.
pub(crate) fn stat(path: &Path) -> io::Result<Stat> {
    Ok(rustix::fs::stat(path).map(|about| Stat::of(&about))?)
}

/// Returns the state of what has this path, a link itself if it is one.
pub(crate) fn stat_link(path: &Path) -> io::Result<Stat> {
    Ok(rustix::fs::lstat(path).map(|about| Stat::of(&about))?)
}

impl Kind {
    fn of(mode: rustix::fs::RawMode) -> Self {
        match FileType::from_raw_mode(mode) {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            _ => Self::Special,
        }
    }
}

impl Stat {
    /// Translates what the system tells. The types of these fields depend on the platform.
    #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
    fn of(about: &rustix::fs::Stat) -> Self {
        Self {
            kind: Kind::of(about.st_mode),
            size: u64::try_from(about.st_size).unwrap_or(0),
            modified: (about.st_mtime as i64, about.st_mtime_nsec as i64),
            changed: (about.st_ctime as i64, about.st_ctime_nsec as i64),
            identity: (about.st_dev as u64, about.st_ino as u64),
            owner: Some(Owner {
                mode: about.st_mode as u32,
                uid: about.st_uid as u32,
                gid: about.st_gid as u32,
            }),
        }
    }
}

/// Reads from a position of a file, without moving another.
pub(crate) fn read_at(file: &File, space: &mut [u8], at: u64) -> io::Result<usize> {
    Ok(rustix::io::pread(file, space, at)?)
}

/// Tells the system that a file will be read from beginning to end.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub(crate) fn read_ahead(file: &File) {
    // The system may refuse the advice; the file is read all the same.
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::Sequential);
}

/// Does nothing: this system has no such call.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
pub(crate) fn read_ahead(_: &File) {}

/// Returns where data begin, at this place or later; `u64::MAX` if none do. `None` if the system cannot tell.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple"))]
pub(crate) fn next_data(file: &File, at: u64) -> Option<u64> {
    // It moves the offset of the descriptor, which positioned reads do not use.
    match rustix::fs::seek(file, rustix::fs::SeekFrom::Data(at)) {
        Ok(data) => Some(data.max(at)),
        // Up to the end of the file there is only a hole.
        Err(Errno::NXIO) => Some(u64::MAX),
        Err(_) => None,
    }
}

/// Returns `None`: this system cannot tell.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple")))]
pub(crate) fn next_data(_: &File, _: u64) -> Option<u64> {
    None
}

/// Returns whether a server holds the file. Then a refused lease shows no writer: the server has only granted none to
/// this computer.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::unnecessary_cast)]
pub(crate) fn is_remote(file: &File) -> bool {
    /// NFS and three generations of SMB, by their magic numbers in statfs(2).
    const KINDS: [u32; 4] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42];
    // The type of this field depends on the platform; no number has more than 32 bits.
    rustix::fs::fstatfs(file).is_ok_and(|about| KINDS.contains(&(about.f_type as u32)))
}

/// Returns `true`: systems without leases grant none.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn is_remote(_: &File) -> bool {
    true
}

/// Opens a duplicate of a descriptor that this process was given, and its path if it is a file that has one.
pub(crate) fn given(descriptor: u32) -> io::Result<(File, Option<PathBuf>)> {
    let file = File::from(carryless_filemap::duplicate(descriptor)?);
    // A pipe or a deleted file has no path, and can be read all the same.
    Ok((file, fs::canonicalize(format!("/dev/fd/{descriptor}")).ok()))
}

/// Makes it an error to write to a standard output that was closed from the start.
///
/// Rust's runtime has opened /dev/null in its place, which would swallow the output silently. This function
/// replaces it by a pipe without a reader.
pub(crate) fn refuse_closed_stdout() {
    if stdout_was_closed()
        && let Ok((_, writer)) = io::pipe()
    {
        // Writing to this pipe fails with EPIPE: its reader is closed when this function returns. Rust's
        // runtime ignores SIGPIPE.
        let _ = rustix::stdio::dup2_stdout(writer);
    }
}

/// Locks a file that is open for reading, until it is closed. `false` if another process holds the lock.
///
/// Where the file system has no locks, the file counts as locked.
pub(crate) fn lock(file: &File) -> bool {
    !matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock))
}

/// Returns the file: it can be replaced while it is open.
pub(crate) fn held_while_replaced(file: File) -> Option<File> {
    Some(file)
}

/// Returns whether an error says that a file system cannot synchronise a folder.
fn cannot_synchronise(error: &io::Error) -> bool {
    let unsupported = [Errno::INVAL, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOSYS];
    Errno::from_io_error(error).is_some_and(|error| unsupported.contains(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_that_cannot_be_synchronised_are_forgiven() {
        for errno in [Errno::INVAL, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOSYS] {
            assert!(cannot_synchronise(&errno.into()), "{errno}");
        }
        for errno in [Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::ROFS] {
            assert!(!cannot_synchronise(&errno.into()), "{errno}");
        }
    }
}
