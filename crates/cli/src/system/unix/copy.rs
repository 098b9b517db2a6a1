//! What copying a file needs: attributes, links, and a disk that is read again.
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, FileTimes, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _, PermissionsExt as _};
use std::path::Path;

/// Permissions that copies keep. Without its owner, a setuid file would have other rights.
const PERMISSIONS: u32 = 0o777;
/// Permissions of a folder that files are copied to.
const WRITABLE: u32 = 0o700;

/// Whether [`synchronise`] covers all files of a file system.
pub(crate) const SYNCHRONISES_ALL: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Writes all bytes at a position of a file.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}

/// Writes everything to the disk that was written to the file system of this folder.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn synchronise(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// Does nothing: this system synchronises single files.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn synchronise(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Asks the system to drop what it has cached of a file, so that the disk is read. It keeps what is not synchronised.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub(crate) fn forget(file: &File) {
    // The system may refuse the advice; the file is read all the same.
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
}

/// Does nothing: this system has no such call.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
pub(crate) fn forget(_: &File) {}

/// Gives a file the permissions and times of another.
pub(crate) fn copy_attributes(from: &Metadata, to: &File) -> io::Result<()> {
    to.set_permissions(Permissions::from_mode(from.permissions().mode() & PERMISSIONS))?;
    to.set_times(times(from)?)
}

fn times(from: &Metadata) -> io::Result<FileTimes> {
    Ok(FileTimes::new().set_modified(from.modified()?).set_accessed(from.accessed()?))
}

/// Creates a folder with the permissions of another, and with those to write to it.
pub(crate) fn create_folder(path: &Path, from: &Metadata) -> io::Result<()> {
    DirBuilder::new().mode(WRITABLE).create(path)?;
    let mode = from.permissions().mode() & PERMISSIONS | WRITABLE;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Gives a folder the permissions and times of another.
pub(crate) fn finish_folder(path: &Path, from: &Metadata) -> io::Result<()> {
    // Opened before its permissions may forbid that.
    copy_attributes(from, &File::open(path)?)
}

/// Makes a symbolic link with this target.
pub(crate) fn make_link(target: &[u8], path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(OsStr::from_bytes(target), path)
}
