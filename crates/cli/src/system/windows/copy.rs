//! What copying a file needs: attributes, and a disk that is read again.
use std::fs::{File, FileTimes, Metadata};
use std::io;
use std::os::windows::fs::FileExt as _;

/// Whether `Parent::synchronise` covers all files of a file system.
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

/// Does nothing: this system has no such call.
pub(crate) fn forget(_: &File) {}

/// Gives a file the times of another. Its folder decides who may access it.
pub(crate) fn copy_attributes(from: &Metadata, to: &File) -> io::Result<()> {
    to.set_times(FileTimes::new().set_modified(from.modified()?).set_accessed(from.accessed()?))
}
