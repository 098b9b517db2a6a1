//! What writing a file needs: a private or public access list, that of the file that is replaced, renames.
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::Path;

use carryless_filemap::windows::{RIGHTS_FILE, access, copy_access, create_private};

use super::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_READ_ATTRIBUTES, FILE_SHARE_DELETE,
    FILE_WRITE_DATA, GENERIC_WRITE, READ_CONTROL, WRITE_DAC, examine,
};

const ERROR_INVALID_FUNCTION: i32 = 1;
const ERROR_ACCESS_DENIED: i32 = 5;
const ERROR_NOT_SUPPORTED: i32 = 50;
const ERROR_INVALID_PARAMETER: i32 = 87;

/// Creates a file for writing. Without permissions for others in `mode`, only its owner may access it; otherwise the folder
/// decides. Nobody else can open it before it is closed. Fails if the name exists, also as a link.
pub(super) fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    if mode & 0o077 == 0 {
        return create_secret(path);
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .access_mode(GENERIC_WRITE | FILE_READ_ATTRIBUTES | READ_CONTROL | WRITE_DAC)
        // Deletion is shared: renaming the open file needs it, and so does its removal after Ctrl-C.
        .share_mode(FILE_SHARE_DELETE)
        .open(path)
}

fn create_secret(path: &Path) -> io::Result<File> {
    let file = create_private(path)?;
    // File systems such as FAT ignore access lists.
    let others = access(&file, RIGHTS_FILE).map(|access| access.others);
    if others.as_ref().is_ok_and(Vec::is_empty) {
        return Ok(file);
    }
    // Nothing has been written to it yet.
    let _ = fs::remove_file(path);
    Err(io::Error::new(io::ErrorKind::Unsupported, "its file system cannot keep it private"))
}

/// Opens a file for reading that was an ordinary one a moment ago.
pub(crate) fn open_ordinary(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT).open(path)
}

/// The folder of a file that will get its name there. `None` if it cannot be opened for writing.
pub(crate) struct Entry(Option<File>);

impl Entry {
    /// Opens the folder, before anything is written.
    pub(crate) fn of(folder: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.access_mode(FILE_WRITE_DATA).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
        match options.open(folder) {
            Ok(folder) => Ok(Self(Some(folder))),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(Self(None)),
            Err(error) => Err(error),
        }
    }

    /// Returns `None`: the system locks no folders.
    pub(crate) fn lock(&self) -> Option<bool> {
        None
    }

    /// Returns `None`: the system locks no folders.
    pub(crate) fn lock_shared(&self) -> Option<bool> {
        None
    }

    /// Synchronises the folder, where its file system can do that.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match self.0.as_ref().map_or(Ok(()), File::sync_all) {
            Err(error) if is_unsupported(&error, &[ERROR_ACCESS_DENIED, ERROR_INVALID_PARAMETER]) => Ok(()),
            result => result,
        }
    }
}

/// Sets the access list to that of the file that is replaced, where the file system has these.
pub(crate) fn inherit_permissions(file: &File, path: &Path, _: &Metadata) -> io::Result<()> {
    let replaced = examine(path, FILE_FLAG_OPEN_REPARSE_POINT, READ_CONTROL)?;
    match copy_access(&replaced, file) {
        Err(error) if is_unsupported(&error, &[]) => Ok(()),
        result => result,
    }
}

fn is_unsupported(error: &io::Error, also: &[i32]) -> bool {
    let code = error.raw_os_error();
    code.is_some_and(|code| {
        [ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED].contains(&code) || also.contains(&code)
    })
}
