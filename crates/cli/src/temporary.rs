//! Temporary files that a signal removes too, before it ends the process.
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

/// Files that are not complete yet. Whoever creates or renames one holds the lock, so that a signal never removes a file
/// of another process or comes between a file and its name.
static INCOMPLETE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether this process is the command, whose signals are ours.
static COMMAND: AtomicBool = AtomicBool::new(false);

/// From the first file on that is created afterwards, signals remove files and end the process. In other processes they are not touched.
pub(crate) fn react_to_signals() {
    COMMAND.store(true, Ordering::Relaxed);
}

fn incomplete() -> MutexGuard<'static, Vec<PathBuf>> {
    INCOMPLETE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that a signal will remove, until this is dropped.
pub(crate) struct Guarded(PathBuf);

/// Creates a file by `open`; from then on a signal removes it, if the process is the command.
pub(crate) fn create(
    path: &Path,
    open: impl FnOnce(&Path) -> io::Result<File>,
) -> io::Result<(File, Guarded)> {
    static WATCHING: Once = Once::new();
    if COMMAND.load(Ordering::Relaxed) {
        WATCHING.call_once(watch);
    }
    let mut files = incomplete();
    let file = open(path)?;
    files.push(path.to_path_buf());
    Ok((file, Guarded(path.to_path_buf())))
}

impl Guarded {
    /// Runs what gives the file its final name, not to be interrupted.
    pub(crate) fn complete<R>(self, rename: impl FnOnce() -> R) -> R {
        let files = incomplete();
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

/// Starts a thread that waits for signals. Without threads or descriptors to spare, signals end the process as they
/// always do, and the temporary file stays.
fn watch() {
    let (ready, wait) = mpsc::channel::<()>();
    let work = move || {
        let Ok(mut signals) = Signals::new(deadly()) else { return };
        drop(ready);
        for signal in signals.forever() {
            let files = incomplete();
            for path in files.iter() {
                let _ = fs::remove_file(path);
            }
            let _ = emulate_default_handler(signal);
        }
    };
    if thread::Builder::new().name("signals".into()).spawn(work).is_ok() {
        // The other end is dropped when signals are caught, or cannot be.
        let _ = wait.recv();
    }
}

/// Makes a write beyond the limit of file sizes an error like that of a full disk. By default it is a signal that ends the
/// process in the middle of the call, before what is incomplete could be removed.
pub(crate) fn report_file_size_limit() {
    // Any handler will do: after it the call fails. Nobody reads the flag. Without the handler the default stays.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Signals to react to: those that the user, a closed terminal or the system sends to end a program, but not those that
/// this process was told to ignore, as by nohup.
fn deadly() -> impl Iterator<Item = i32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    [SIGHUP, SIGINT, SIGTERM, SIGXCPU].into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0)
}
