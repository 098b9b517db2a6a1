//! What the system tells about an open file.
use std::ffi::{OsString, c_void};
use std::fs::File;
use std::io;
use std::mem::size_of;
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::io::AsRawHandle as _;
use std::path::PathBuf;
use std::ptr;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ATTRIBUTE_REPARSE_POINT, FILE_ATTRIBUTE_TAG_INFO, FILE_BASIC_INFO,
    FILE_ID_INFO, FILE_INFO_BY_HANDLE_CLASS, FILE_STANDARD_INFO, FILE_TYPE_DISK, FileAttributeTagInfo,
    FileBasicInfo, FileIdInfo, FileStandardInfo, GetFileInformationByHandle, GetFileInformationByHandleEx,
    GetFileType, GetFinalPathNameByHandleW,
};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::FSCTL_GET_REPARSE_POINT;

use super::check;

/// The state of a file. Times are in units of 100 ns since 1601.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// `FILE_ATTRIBUTE_*`.
    pub attributes: u32,
    /// `IO_REPARSE_TAG_*`; 0 if the file is no reparse point.
    pub reparse_tag: u32,
    /// Length in bytes.
    pub size: u64,
    /// Last change of the contents, which programs can set.
    pub modified: i64,
    /// Last change of contents or attributes; 0 on file systems without it, such as FAT.
    pub changed: i64,
    /// Serial number of the volume.
    pub volume: u64,
    /// Number of the file in its volume.
    pub id: u128,
}

/// Returns the state of an open file or folder. `None` for a pipe, a console or a device.
///
/// # Errors
/// The error of the system.
pub fn about(file: &File) -> io::Result<Option<About>> {
    // SAFETY: the handle is open as long as the file is borrowed.
    if unsafe { GetFileType(handle(file)) } != FILE_TYPE_DISK {
        return Ok(None);
    }
    let basic: FILE_BASIC_INFO = ask(file, FileBasicInfo)?;
    let standard: FILE_STANDARD_INFO = ask(file, FileStandardInfo)?;
    let mut reparse_tag = 0;
    if basic.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT != 0 {
        reparse_tag = ask::<FILE_ATTRIBUTE_TAG_INFO>(file, FileAttributeTagInfo)?.ReparseTag;
    }
    let (volume, id) = identity(file)?;
    Ok(Some(About {
        attributes: basic.FileAttributes,
        reparse_tag,
        size: standard.EndOfFile.cast_unsigned(),
        modified: basic.LastWriteTime,
        changed: basic.ChangeTime,
        volume,
        id,
    }))
}

/// Returns volume and number of a file.
fn identity(file: &File) -> io::Result<(u64, u128)> {
    if let Ok(id) = ask::<FILE_ID_INFO>(file, FileIdInfo) {
        return Ok((id.VolumeSerialNumber, u128::from_le_bytes(id.FileId.Identifier)));
    }
    // File systems such as FAT have the short number only.
    let mut info = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the structure is of the type that this function fills.
    check(unsafe { GetFileInformationByHandle(handle(file), &raw mut info) })?;
    let id = u128::from(info.nFileIndexHigh) << 32 | u128::from(info.nFileIndexLow);
    Ok((info.dwVolumeSerialNumber.into(), id))
}

/// Types that the system fills for one class of questions.
///
/// # Safety
/// The type is the structure of integers that `GetFileInformationByHandleEx` fills for the class that [`ask`] passes.
unsafe trait Answer: Default {}
// SAFETY: each is asked for with the class of its name only.
unsafe impl Answer for FILE_BASIC_INFO {}
// SAFETY: as above.
unsafe impl Answer for FILE_STANDARD_INFO {}
// SAFETY: as above.
unsafe impl Answer for FILE_ATTRIBUTE_TAG_INFO {}
// SAFETY: as above.
unsafe impl Answer for FILE_ID_INFO {}

fn ask<T: Answer>(file: &File, class: FILE_INFO_BY_HANDLE_CLASS) -> io::Result<T> {
    let mut answer = T::default();
    let room = size_of::<T>() as u32;
    // SAFETY: the handle is open, and the answer is a structure of `room` bytes, of integers alone, for this class.
    check(unsafe {
        GetFileInformationByHandleEx(handle(file), class, (&raw mut answer).cast::<c_void>(), room)
    })?;
    Ok(answer)
}

/// Returns the path of an open file, if it has one.
#[must_use]
pub fn path_of(file: &File) -> Option<PathBuf> {
    let mut text = vec![0_u16; 1024];
    loop {
        let room = u32::try_from(text.len()).ok()?;
        // SAFETY: the handle is open, and `text` has room for `room` characters.
        let length = unsafe { GetFinalPathNameByHandleW(handle(file), text.as_mut_ptr(), room, 0) } as usize;
        match length {
            0 => return None,
            length if length < text.len() => return Some(OsString::from_wide(&text[..length]).into()),
            // The length that is needed, with the zero at its end.
            more => text.resize(more + 1, 0),
        }
    }
}

/// Returns the data of a reparse point (`REPARSE_DATA_BUFFER`).
///
/// # Errors
/// The error of the system; the file is no reparse point.
pub fn reparse_data(file: &File) -> io::Result<Vec<u8>> {
    // MAXIMUM_REPARSE_DATA_BUFFER_SIZE
    let mut data = vec![0_u8; 16 << 10];
    let mut length = 0;
    // SAFETY: the handle is open, `data` has room for its length, and nothing else is passed.
    check(unsafe {
        DeviceIoControl(
            handle(file),
            FSCTL_GET_REPARSE_POINT,
            ptr::null(),
            0,
            data.as_mut_ptr().cast(),
            data.len() as u32,
            &raw mut length,
            ptr::null_mut(),
        )
    })?;
    data.truncate(length as usize);
    Ok(data)
}

pub(super) fn handle(file: &File) -> HANDLE {
    file.as_raw_handle()
}
