//! Signals that end the process.
use std::fs;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::thread;

use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
    SIGXFSZ,
};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Starts a thread that waits for signals, and calls `clean` before each ends the process; what `clean` returns lives
/// until then. Without resources for it, signals keep their default action, and `clean` is not called.
pub(crate) fn watch<R: 'static>(clean: fn() -> R) {
    let (ready, wait) = mpsc::channel::<()>();
    let work = move || {
        let Ok(mut signals) = Signals::new(deadly()) else { return };
        drop(ready);
        for signal in signals.forever() {
            let _held = clean();
            // The default action ends the process with the status that its parent expects.
            let _ = emulate_default_handler(signal);
        }
    };
    if thread::Builder::new().name("signals".into()).spawn(work).is_ok() {
        // The sender is dropped when the handler is in place, or cannot be. Only then may a file be created.
        let _ = wait.recv();
    }
}

/// Makes a write beyond the limit of file sizes fail, like a write to a full disk. By default SIGXFSZ ends
/// the process in the middle of the call, before incomplete files can be removed.
pub(crate) fn report_file_size_limit() {
    // Any handler makes the call fail instead; nobody reads the flag. If it cannot be registered, the default
    // stays.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Signals that end a program by default, and that others send to it: users, closed terminals, timers or the system.
///
/// The library cannot end the process by others, such as SIGIO and signals for real-time programs.
const DEADLY: [i32; 11] =
    [SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF];

/// Returns the signals to handle. Those that this process was told to ignore, as by nohup, stay ignored.
fn deadly() -> impl Iterator<Item = i32> {
    // sigaction(2) would tell as well, but needs `unsafe`. Without /proc no signal counts as ignored.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    DEADLY.into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0)
}
