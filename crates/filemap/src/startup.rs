//! The state of standard output when the process started.
//!
//! The runtime of Rust opens /dev/null in the place of closed standard descriptors before `main` begins, so that
//! programs cannot tell a closed output from one that the user sent there. So the question is asked before.
use std::sync::atomic::{AtomicBool, Ordering};

use crate::descriptor::EBADF;

static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed (`>&-`) when the process started. On systems other than Linux, Android, Apple's and
/// the BSDs it is always false.
#[must_use]
pub fn stdout_was_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}

extern "C" fn examine() {
    let closed = crate::duplicate(1).err().is_some_and(|error| error.raw_os_error() == Some(EBADF));
    STDOUT_CLOSED.store(closed, Ordering::Relaxed);
}

// SAFETY: the sections hold pointers to functions that the C runtime calls, once each, before `main`. `examine` is such
// a function; it needs nothing of Rust's runtime: one system call, errno, and a static without initialisation.
#[used]
#[cfg_attr(
    any(
        target_os = "linux",
        target_os = "android",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly"
    ),
    unsafe(link_section = ".init_array")
)]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
static EXAMINE: extern "C" fn() = examine;
