//! Calls of Windows for which the standard library has no function.
mod about;
mod access;
mod open;
mod process;

pub use about::{About, about, path_of, reparse_data};
pub use access::{Access, RIGHTS_FILE, RIGHTS_FOLDER, access, copy_access, create_private};
pub use open::{deny_writers, lock, open_below};
pub use process::{before_end, refuse_closed_stdout, stdout_was_closed};

use std::io;

use windows_sys::core::BOOL;

/// Translates the result of a call that returns 0 if it fails.
fn check(result: BOOL) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
