//! The console and standard output of this process.
use std::io;
use std::os::windows::io::{AsRawHandle as _, IntoRawHandle as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::System::Console::{STD_OUTPUT_HANDLE, SetConsoleCtrlHandler, SetStdHandle};
use windows_sys::core::BOOL;

use super::check;

static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when [`refuse_closed_stdout`] was called.
#[must_use]
pub fn stdout_was_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}

/// Makes it an error to write to a standard output that this process was not given. Otherwise the standard library would
/// drop the output without an error.
pub fn refuse_closed_stdout() {
    let handle = io::stdout().as_raw_handle();
    if !handle.is_null() && handle != INVALID_HANDLE_VALUE {
        return;
    }
    STDOUT_CLOSED.store(true, Ordering::Relaxed);
    if let Ok((_, writer)) = io::pipe() {
        // SAFETY: the handle is open, and given away: it stays open until the process ends.
        let _ = unsafe { SetStdHandle(STD_OUTPUT_HANDLE, writer.into_raw_handle()) };
    }
}

type Clean = Box<dyn Fn() + Send + Sync>;

static CLEAN: OnceLock<Clean> = OnceLock::new();

/// Calls `clean`, in a thread of its own, before Ctrl-C, Ctrl-Break, a closed console or the end of the session ends this
/// process. Only the first call of this function has an effect.
///
/// # Errors
/// The error of the system: then `clean` is not called.
pub fn before_end(clean: impl Fn() + Send + Sync + 'static) -> io::Result<()> {
    if CLEAN.set(Box::new(clean)).is_err() {
        return Ok(());
    }
    // SAFETY: the handler is a function of the type that the system calls, and lives as long as the process.
    check(unsafe { SetConsoleCtrlHandler(Some(handler), 1) })
}

unsafe extern "system" fn handler(_: u32) -> BOOL {
    if let Some(clean) = CLEAN.get() {
        clean();
    }
    // Not handled: the next handler is the system's, which ends the process.
    0
}
