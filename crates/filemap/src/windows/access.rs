//! Owners of files, and who may access them.
use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::mem::{offset_of, size_of};
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::io::FromRawHandle as _;
use std::path::Path;
use std::ptr;

use windows_sys::Win32::Foundation::{
    CloseHandle, ERROR_SUCCESS, GENERIC_ALL, GENERIC_READ, GENERIC_WRITE, HANDLE, INVALID_HANDLE_VALUE,
    LocalFree,
};
use windows_sys::Win32::Security::Authorization::{ConvertSidToStringSidW, GetSecurityInfo, SE_FILE_OBJECT};
use windows_sys::Win32::Security::{
    ACCESS_ALLOWED_ACE, ACE_HEADER, ACL, ACL_REVISION, AddAccessAllowedAce, DACL_SECURITY_INFORMATION,
    EqualSid, GetAce, GetLengthSid, GetSecurityDescriptorControl, GetTokenInformation, INHERIT_ONLY_ACE,
    InitializeAcl, InitializeSecurityDescriptor, IsWellKnownSid, LookupAccountSidW,
    OWNER_SECURITY_INFORMATION, PROTECTED_DACL_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR, PSID,
    SE_DACL_PROTECTED, SECURITY_ATTRIBUTES, SECURITY_DESCRIPTOR, SetKernelObjectSecurity,
    SetSecurityDescriptorControl, SetSecurityDescriptorDacl, TOKEN_QUERY, TOKEN_USER, TokenUser,
    UNPROTECTED_DACL_SECURITY_INFORMATION, WinBuiltinAdministratorsSid, WinCreatorOwnerRightsSid,
    WinLocalSystemSid,
};
use windows_sys::Win32::Storage::FileSystem::{
    CREATE_NEW, CreateFileW, DELETE, FILE_ALL_ACCESS, FILE_APPEND_DATA, FILE_ATTRIBUTE_NORMAL,
    FILE_DELETE_CHILD, FILE_READ_ATTRIBUTES, FILE_READ_DATA, FILE_SHARE_DELETE, FILE_WRITE_DATA,
    READ_CONTROL, WRITE_DAC, WRITE_OWNER,
};
use windows_sys::Win32::System::SystemServices::SECURITY_DESCRIPTOR_REVISION;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

use super::about::handle;
use super::check;

/// What lets somebody read, change or replace a file, or grant this to himself.
pub const RIGHTS_FILE: u32 =
    FILE_READ_DATA | FILE_WRITE_DATA | FILE_APPEND_DATA | DELETE | WRITE_DAC | WRITE_OWNER;
/// What lets somebody add, remove or replace files in a folder, or grant this to himself.
pub const RIGHTS_FOLDER: u32 = FILE_WRITE_DATA | FILE_DELETE_CHILD | DELETE | WRITE_DAC | WRITE_OWNER;

/// Entries that allow something: ACCESS_ALLOWED_ACE_TYPE, and with a condition ACCESS_ALLOWED_CALLBACK_ACE_TYPE.
const ALLOWED: [u8; 2] = [0, 9];
/// Entries that deny something, also for objects or with a condition.
const DENIED: [u8; 4] = [1, 6, 10, 12];

/// Who has power over a file, besides the user of this process, the administrators and the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The owner, if it is none of these.
    pub owner: Option<String>,
    /// Accounts to which the access list grants any of the rights. Entries that deny something are not considered.
    pub others: Vec<String>,
}

/// Returns who has any of these rights to a file or folder that is open with READ_CONTROL, as for reading.
///
/// # Errors
/// The error of the system.
pub fn access(file: &File, rights: u32) -> io::Result<Access> {
    let (security, user) = (Security::of(file)?, User::current()?);
    let owner = (!user.trusts(security.owner)).then(|| name(security.owner));
    if security.list.is_null() {
        return Ok(Access { owner, others: vec!["Everyone (no access list)".into()] });
    }
    let rights = rights | GENERIC_ALL | GENERIC_READ | GENERIC_WRITE;
    let mut others = Vec::new();
    // SAFETY: the list belongs to the descriptor, which lives as long as `security`.
    let count = unsafe { (*security.list).AceCount };
    for at in 0..u32::from(count) {
        let mut entry: *mut c_void = ptr::null_mut();
        // SAFETY: the list is valid, and `at` below the number of its entries.
        check(unsafe { GetAce(security.list, at, &raw mut entry) })?;
        // SAFETY: all entries begin with this header, aligned to four bytes.
        let header = unsafe { *entry.cast::<ACE_HEADER>() };
        if DENIED.contains(&header.AceType) || u32::from(header.AceFlags) & INHERIT_ONLY_ACE != 0 {
            continue;
        }
        if !ALLOWED.contains(&header.AceType) {
            others.push(format!("an entry of type {}", header.AceType));
            continue;
        }
        let allowed = entry.cast::<ACCESS_ALLOWED_ACE>();
        // SAFETY: entries of these types have this layout, and end with a valid SID.
        let (mask, account) = unsafe { ((*allowed).Mask, (&raw mut (*allowed).SidStart).cast::<c_void>()) };
        if mask & rights != 0 && !user.trusts(account) {
            others.push(name(account));
        }
    }
    others.dedup();
    Ok(Access { owner, others })
}

/// Creates a file for writing to which the user of this process has all rights, and nobody else any. Nobody else can open
/// it before it is closed, except for deletion.
///
/// File systems without access lists ignore them: [`access`] tells.
///
/// # Errors
/// `AlreadyExists` if the name exists, otherwise the error of the system.
pub fn create_private(path: &Path) -> io::Result<File> {
    let user = User::current()?;
    // SAFETY: the SID of the user is valid.
    let length = unsafe { GetLengthSid(user.sid()) } as usize;
    let bytes = size_of::<ACL>() + offset_of!(ACCESS_ALLOWED_ACE, SidStart) + length;
    // In words of four bytes, as a list must be aligned.
    let mut list = vec![0_u32; bytes.div_ceil(4)];
    let (start, room) = (list.as_mut_ptr().cast::<ACL>(), 4 * list.len() as u32);
    // SAFETY: `list` has `room` bytes.
    check(unsafe { InitializeAcl(start, room, ACL_REVISION) })?;
    // SAFETY: the list is initialised, with room for one entry of this SID.
    check(unsafe { AddAccessAllowedAce(start, ACL_REVISION, FILE_ALL_ACCESS, user.sid()) })?;
    let mut descriptor = SECURITY_DESCRIPTOR::default();
    let descriptor = (&raw mut descriptor).cast::<c_void>();
    // SAFETY: the descriptor has room for one of this revision.
    check(unsafe { InitializeSecurityDescriptor(descriptor, SECURITY_DESCRIPTOR_REVISION) })?;
    // SAFETY: the descriptor is initialised, and the list lives as long as it.
    check(unsafe { SetSecurityDescriptorDacl(descriptor, 1, start, 0) })?;
    // Protected: the folder's entries are not added.
    // SAFETY: the descriptor is initialised.
    check(unsafe { SetSecurityDescriptorControl(descriptor, SE_DACL_PROTECTED, SE_DACL_PROTECTED) })?;
    let attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor,
        bInheritHandle: 0,
    };
    let path: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    let rights = GENERIC_WRITE | FILE_READ_ATTRIBUTES | READ_CONTROL;
    // SAFETY: the path ends with a zero, and descriptor and list live during the call.
    let file = unsafe {
        let new = (CREATE_NEW, FILE_ATTRIBUTE_NORMAL, ptr::null_mut());
        CreateFileW(path.as_ptr(), rights, FILE_SHARE_DELETE, &raw const attributes, new.0, new.1, new.2)
    };
    if file == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has succeeded, so that the handle is open, and nobody else has it.
    Ok(unsafe { File::from_raw_handle(file) })
}

/// Copies the access list of `from`, which must be open with READ_CONTROL, to `to`, which must be open with WRITE_DAC.
///
/// # Errors
/// The error of the system, as on file systems without access lists.
pub fn copy_access(from: &File, to: &File) -> io::Result<()> {
    let security = Security::of(from)?;
    let (mut control, mut revision) = (0, 0);
    // SAFETY: the descriptor is valid, and both numbers live during the call.
    check(unsafe { GetSecurityDescriptorControl(security.descriptor, &raw mut control, &raw mut revision) })?;
    let protected = control & SE_DACL_PROTECTED != 0;
    let inheritance =
        if protected { PROTECTED_DACL_SECURITY_INFORMATION } else { UNPROTECTED_DACL_SECURITY_INFORMATION };
    let what = DACL_SECURITY_INFORMATION | inheritance;
    // SAFETY: the handle is open, and the descriptor valid.
    check(unsafe { SetKernelObjectSecurity(handle(to), what, security.descriptor) })
}

/// Owner and access list of a file, which point into its descriptor.
struct Security {
    descriptor: PSECURITY_DESCRIPTOR,
    owner: PSID,
    list: *mut ACL,
}

impl Security {
    fn of(file: &File) -> io::Result<Self> {
        let mut security =
            Self { descriptor: ptr::null_mut(), owner: ptr::null_mut(), list: ptr::null_mut() };
        // SAFETY: the handle is open, and the three pointers live during the call.
        result(unsafe {
            GetSecurityInfo(
                handle(file),
                SE_FILE_OBJECT,
                OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                &raw mut security.owner,
                ptr::null_mut(),
                &raw mut security.list,
                ptr::null_mut(),
                &raw mut security.descriptor,
            )
        })?;
        Ok(security)
    }
}

impl Drop for Security {
    fn drop(&mut self) {
        // SAFETY: the system has allocated the descriptor for the caller, who frees it once. It may be null.
        unsafe { LocalFree(self.descriptor) };
    }
}

/// The user of this process: a `TOKEN_USER` with the SID to which it points, in aligned memory.
struct User(Vec<u64>);

impl User {
    fn current() -> io::Result<Self> {
        let mut token: HANDLE = ptr::null_mut();
        // SAFETY: the handle of the process needs no closing, and `token` lives during the call.
        check(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) })?;
        // A SID has at most 68 bytes.
        let mut space = vec![0_u64; 32];
        let (room, mut length) = (8 * space.len() as u32, 0);
        // SAFETY: the token is open, and `space` has `room` bytes.
        let result = check(unsafe {
            GetTokenInformation(token, TokenUser, space.as_mut_ptr().cast(), room, &raw mut length)
        });
        // SAFETY: the token was opened above, and is used no more.
        unsafe { CloseHandle(token) };
        result.map(|()| Self(space))
    }

    fn sid(&self) -> PSID {
        // SAFETY: the system has written this structure to the beginning; its alignment is at most eight.
        unsafe { (*self.0.as_ptr().cast::<TOKEN_USER>()).User.Sid }
    }

    /// Returns whether an account is this user, the administrators, the system, or whoever owns the file.
    fn trusts(&self, account: PSID) -> bool {
        let known = [WinBuiltinAdministratorsSid, WinLocalSystemSid, WinCreatorOwnerRightsSid];
        // SAFETY: both SIDs are valid.
        !account.is_null()
            && unsafe {
                EqualSid(account, self.sid()) != 0
                    || known.iter().any(|kind| IsWellKnownSid(account, *kind) != 0)
            }
    }
}

/// Returns the name of an account for messages, or the text of its number.
fn name(account: PSID) -> String {
    if account.is_null() {
        return "nobody".into();
    }
    let (mut user, mut domain) = ([0_u16; 256], [0_u16; 256]);
    let (mut user_length, mut domain_length, mut kind) = (256, 256, 0);
    // SAFETY: the SID is valid, and both texts have room for the lengths given.
    let found = unsafe {
        LookupAccountSidW(
            ptr::null(),
            account,
            user.as_mut_ptr(),
            &raw mut user_length,
            domain.as_mut_ptr(),
            &raw mut domain_length,
            &raw mut kind,
        )
    };
    if found != 0 {
        return text(&user);
    }
    let mut number = ptr::null_mut();
    // SAFETY: the SID is valid, and the pointer lives during the call.
    if unsafe { ConvertSidToStringSidW(account, &raw mut number) } == 0 {
        return "an unknown account".into();
    }
    let mut units = Vec::new();
    // SAFETY: the text ends with a zero, up to which it is read.
    while let unit @ 1.. = unsafe { *number.add(units.len()) } {
        units.push(unit);
    }
    // SAFETY: the system has allocated the text for the caller, who frees it once.
    unsafe { LocalFree(number.cast()) };
    text(&units)
}

/// Returns the text before the first zero.
fn text(units: &[u16]) -> String {
    String::from_utf16_lossy(units.split(|unit| *unit == 0).next().unwrap_or(units))
}

/// Translates the result of a call that returns the number of its error.
fn result(code: u32) -> io::Result<()> {
    if code == ERROR_SUCCESS { Ok(()) } else { Err(io::Error::from_raw_os_error(code.cast_signed())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::windows::fs::OpenOptionsExt as _;

    #[test]
    fn a_private_file_is_nobody_elses_and_gives_its_list_away() {
        let place = tempfile::tempdir().expect("a folder");
        let private = create_private(&place.path().join("a")).expect("new");
        assert_eq!(access(&private, RIGHTS_FILE).expect("list"), Access { owner: None, others: vec![] });
        // GENERIC_WRITE, GENERIC_READ and WRITE_DAC
        let mut options = File::options();
        options.write(true).create_new(true).access_mode(0xc004_0000);
        let other = options.open(place.path().join("b")).expect("new");
        copy_access(&private, &other).expect("a list");
        assert_eq!(access(&other, RIGHTS_FILE).expect("list"), Access { owner: None, others: vec![] });
    }
}
