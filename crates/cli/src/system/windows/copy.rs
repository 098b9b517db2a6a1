//! What copying a file needs: attributes, and a disk that is read again.
use std::fs::{self, File, FileTimes, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use super::{FILE_FLAG_BACKUP_SEMANTICS, FILE_WRITE_ATTRIBUTES, place};

/// Whether [`synchronise`] covers all files of a file system.
pub(crate) const SYNCHRONISES_ALL: bool = false;

/// Writes all bytes at a position of a file.
pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, at)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => {
                bytes = &bytes[written..];
                at += written as u64;
            }
        }
    }
    Ok(())
}

/// Does nothing: this system synchronises single files.
pub(crate) fn synchronise(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Does nothing: this system has no such call.
pub(crate) fn forget(_: &File) {}

/// Gives a file the times of another. Its folder decides who may access it.
pub(crate) fn copy_attributes(from: &Metadata, to: &File) -> io::Result<()> {
    to.set_times(FileTimes::new().set_modified(from.modified()?).set_accessed(from.accessed()?))
}

/// Creates a folder.
pub(crate) fn create_folder(path: &Path, _: &Metadata) -> io::Result<()> {
    fs::create_dir(place(path))
}

/// Gives a folder the times of another.
pub(crate) fn finish_folder(path: &Path, from: &Metadata) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = options.access_mode(FILE_WRITE_ATTRIBUTES).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    copy_attributes(from, &options.open(place(path))?)
}

/// Fails: links of this system need to know what their target is, and a privilege.
pub(crate) fn make_link(_: &[u8], _: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "links are not copied on this system"))
}
