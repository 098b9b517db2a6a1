//! Temporary files that are removed even if a signal ends the process.
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, mpsc};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Paths of incomplete files, which a signal removes.
///
/// Creating and renaming a file happens under this lock. So a signal removes no file of another process, and
/// does not interrupt between a file and its name.
static INCOMPLETE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether this process is the command, so that its signals may be handled here. In other processes
/// they belong to the program.
static COMMAND: AtomicBool = AtomicBool::new(false);

/// Makes signals remove incomplete files before they end the process, from the next file on that is created.
pub(crate) fn react_to_signals() {
    // Relaxed: the thread that sets it creates the files.
    COMMAND.store(true, Ordering::Relaxed);
}

fn incomplete() -> MutexGuard<'static, Vec<PathBuf>> {
    // A panic elsewhere does not invalidate the list of paths, so the guard of a poisoned lock is used.
    INCOMPLETE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The registration of a file that a signal would remove. Dropping it ends the registration.
pub(crate) struct Guarded(PathBuf);

/// Creates a file by `open` and registers it, if the process is the command, for removal by a signal.
pub(crate) fn create(
    path: &Path,
    open: impl FnOnce(&Path) -> io::Result<File>,
) -> io::Result<(File, Guarded)> {
    static WATCHING: Once = Once::new();
    if COMMAND.load(Ordering::Relaxed) {
        // Not before the first file: commands that create none need no thread.
        WATCHING.call_once(watch);
    }
    // Locked before the file exists: a signal in between would leave it behind.
    let mut files = incomplete();
    let file = open(path)?;
    files.push(path.to_path_buf());
    Ok((file, Guarded(path.to_path_buf())))
}

impl Guarded {
    /// Runs `rename`, which gives the file its final name, under the lock. No signal interrupts it.
    pub(crate) fn complete<R>(self, rename: impl FnOnce() -> R) -> R {
        let files = incomplete();
        // The path stays registered until the guard is dropped. A signal in between removes a name that no
        // longer exists, without effect.
        let result = rename();
        drop(files);
        result
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        incomplete().retain(|path| *path != self.0);
    }
}

/// Starts a thread that waits for signals. Without resources for it, signals keep their default action,
/// and the temporary file stays.
fn watch() {
    let (ready, wait) = mpsc::channel::<()>();
    let work = move || {
        let Ok(mut signals) = Signals::new(deadly()) else { return };
        drop(ready);
        for signal in signals.forever() {
            // Holding the lock until the process ends: no file can be created or renamed meanwhile.
            let files = incomplete();
            for path in files.iter() {
                // A file that has its final name, or is gone, needs no removal.
                let _ = fs::remove_file(path);
            }
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

/// Returns the signals to handle: those that users, closed terminals or the system send to end a program.
/// Signals that this process was told to ignore, as by nohup, stay ignored.
fn deadly() -> impl Iterator<Item = i32> {
    // sigaction(2) would tell as well, but needs `unsafe`. Without /proc no signal counts as ignored.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    [SIGHUP, SIGINT, SIGTERM, SIGXCPU].into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0)
}
