//! What copying a file needs: attributes, and a disk that is read again.
use std::fs::{File, FileTimes, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};

/// Permissions that copies of files keep. Without its owner, a setuid file would have other rights.
const PERMISSIONS: u32 = 0o777;

/// Whether `Parent::synchronise` covers all files of a file system.
pub(crate) const SYNCHRONISES_ALL: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Writes all bytes at a position of a file.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}

/// Writes everything to the disk that was written to the file system of a folder.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn synchronise(folder: &File) -> io::Result<()> {
    Ok(rustix::fs::syncfs(folder)?)
}

/// Does nothing: this system synchronises single files.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn synchronise(_: &File) -> io::Result<()> {
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
    set_attributes(from, PERMISSIONS, to)
}

/// Gives a file or folder these of the permissions of another, and its times.
pub(super) fn set_attributes(from: &Metadata, permissions: u32, to: &File) -> io::Result<()> {
    to.set_permissions(Permissions::from_mode(from.permissions().mode() & permissions))?;
    to.set_times(FileTimes::new().set_modified(from.modified()?).set_accessed(from.accessed()?))
}
