//! Opens files as the standard library cannot.
use std::fs::File;
use std::io;
use std::mem::size_of;
use std::os::windows::io::FromRawHandle as _;
use std::ptr;

use windows_sys::Wdk::Foundation::OBJECT_ATTRIBUTES;
use windows_sys::Wdk::Storage::FileSystem::{
    FILE_OPEN, FILE_OPEN_REPARSE_POINT, FILE_SYNCHRONOUS_IO_NONALERT, NtCreateFile,
};
use windows_sys::Win32::Foundation::{
    INVALID_HANDLE_VALUE, OBJ_CASE_INSENSITIVE, OBJ_DONT_REPARSE, RtlNtStatusToDosError, UNICODE_STRING,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_READ_ATTRIBUTES, FILE_READ_DATA, FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE,
    LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx, ReOpenFile, SYNCHRONIZE,
};
use windows_sys::Win32::System::IO::{IO_STATUS_BLOCK, OVERLAPPED};

use super::about::handle;
use super::check;

/// Opens a name below a folder for reading, or with `itself` for questions only, without need of a permission to read.
///
/// No link or junction in the name is followed. With `itself` the last component may be one, and is then opened itself.
/// The name has backslashes, and neither `.` nor `..`.
///
/// # Errors
/// The error of the system; ERROR_REPARSE_POINT_ENCOUNTERED (4395) for a link; `InvalidFilename` for a name of more
/// than 32,767 characters.
pub fn open_below(folder: &File, name: &[u16], itself: bool) -> io::Result<File> {
    let Ok(bytes) = u16::try_from(2 * name.len()) else { return Err(io::ErrorKind::InvalidFilename.into()) };
    // The call only reads the name.
    let text = UNICODE_STRING { Length: bytes, MaximumLength: bytes, Buffer: name.as_ptr().cast_mut() };
    let attributes = OBJECT_ATTRIBUTES {
        Length: size_of::<OBJECT_ATTRIBUTES>() as u32,
        RootDirectory: handle(folder),
        ObjectName: &raw const text,
        Attributes: OBJ_DONT_REPARSE | OBJ_CASE_INSENSITIVE,
        SecurityDescriptor: ptr::null(),
        SecurityQualityOfService: ptr::null(),
    };
    let access = SYNCHRONIZE | FILE_READ_ATTRIBUTES | if itself { 0 } else { FILE_READ_DATA };
    let options = FILE_SYNCHRONOUS_IO_NONALERT | if itself { FILE_OPEN_REPARSE_POINT } else { 0 };
    let (mut opened, mut status) = (INVALID_HANDLE_VALUE, IO_STATUS_BLOCK::default());
    // SAFETY: name, attributes, handle and status live during the call; the folder is open as long as it is borrowed.
    let result = unsafe {
        NtCreateFile(
            &raw mut opened,
            access,
            &raw const attributes,
            &raw mut status,
            ptr::null(),
            0,
            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
            FILE_OPEN,
            options,
            ptr::null(),
            0,
        )
    };
    if result < 0 {
        // SAFETY: the function translates a number.
        let code = unsafe { RtlNtStatusToDosError(result) };
        return Err(io::Error::from_raw_os_error(code.cast_signed()));
    }
    // SAFETY: the call has succeeded, so that the handle is open, and nobody else has it.
    Ok(unsafe { File::from_raw_handle(opened) })
}

/// Opens a file once more, for reading, so that nobody can open it for writing until the result is closed.
///
/// # Errors
/// `ResourceBusy` if somebody has it open for writing; otherwise the error of the system.
pub fn deny_writers(file: &File) -> io::Result<File> {
    // SAFETY: the handle is open as long as the file is borrowed.
    let again = unsafe { ReOpenFile(handle(file), FILE_READ_DATA, FILE_SHARE_READ | FILE_SHARE_DELETE, 0) };
    if again == INVALID_HANDLE_VALUE {
        let error = io::Error::last_os_error();
        // ERROR_SHARING_VIOLATION has had different kinds in the standard library.
        let busy = error.raw_os_error() == Some(32);
        return Err(if busy { io::ErrorKind::ResourceBusy.into() } else { error });
    }
    // SAFETY: the call has succeeded, so that the handle is open, and nobody else has it.
    Ok(unsafe { File::from_raw_handle(again) })
}

/// Locks a file that is open for reading until it is closed, for those that lock it by this function.
///
/// The lock lies beyond every file's end. One on the contents would refuse all readers, this process included.
///
/// # Errors
/// If another handle has the lock, ERROR_LOCK_VIOLATION (33); otherwise the error of the system.
pub fn lock(file: &File) -> io::Result<()> {
    let mut at = OVERLAPPED::default();
    at.Anonymous.Anonymous.OffsetHigh = 1 << 30;
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is open and synchronous, and the position lives during the call.
    check(unsafe { LockFileEx(handle(file), flags, 0, 1, 0, &raw mut at) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::os::windows::fs::OpenOptionsExt as _;

    #[test]
    fn names_are_opened_below_a_folder() {
        let place = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(place.path().join("a")).expect("mkdir");
        std::fs::write(place.path().join(r"a\b"), "contents").expect("write");
        // FILE_FLAG_BACKUP_SEMANTICS
        let folder = File::options().read(true).custom_flags(0x0200_0000).open(place.path()).expect("open");
        let open = |name: &str, itself| open_below(&folder, &name.encode_utf16().collect::<Vec<_>>(), itself);
        let mut text = String::new();
        open(r"a\b", false).and_then(|mut file| file.read_to_string(&mut text)).expect("read");
        assert_eq!(text, "contents");
        let about =
            crate::windows::about(&open(r"a\b", true).expect("open")).expect("about").expect("a file");
        assert_eq!((about.size, about.reparse_tag, about.attributes & 0x10), (8, 0, 0));
        for (name, kind) in [
            ("b", io::ErrorKind::NotFound),
            (r"a\b\c", io::ErrorKind::NotFound),
            (&*"a".repeat(1 << 15), io::ErrorKind::InvalidFilename),
        ] {
            assert_eq!(open(name, false).expect_err("nothing").kind(), kind, "{name:.9}");
        }
    }

    #[test]
    fn one_handle_has_the_lock() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("f");
        std::fs::write(&path, "contents").expect("write");
        let (one, other) = (File::open(&path).expect("open"), File::open(&path).expect("open"));
        lock(&one).expect("free");
        assert_eq!(lock(&other).expect_err("taken").raw_os_error(), Some(33));
        assert_eq!(std::fs::read(&path).expect("readers do not mind"), b"contents");
        drop(one);
        lock(&other).expect("free again");
    }
}
