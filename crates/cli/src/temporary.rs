//! Temporary files that are removed even if a signal ends the process.
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crate::system;

/// Paths of incomplete files, which a signal removes.
///
/// Creating and renaming a file happens under this lock. So a signal removes no file of another process, and
/// does not interrupt between a file and its name.
static INCOMPLETE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Whether this process is the command, so that its signals may be handled here. In other processes
/// they belong to the program.
static COMMAND: AtomicBool = AtomicBool::new(false);

/// Makes signals remove incomplete files before they end the process, from the next file on that is created.
pub(crate) fn react_to_signals() {
    // Relaxed: the thread that sets it creates the files.
    COMMAND.store(true, Ordering::Relaxed);
}

fn incomplete() -> MutexGuard<'static, BTreeSet<PathBuf>> {
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
        WATCHING.call_once(|| system::watch(remove_all));
    }
    // Locked before the file exists: a signal in between would leave it behind.
    let mut files = incomplete();
    let file = open(path)?;
    files.insert(path.to_path_buf());
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
        incomplete().remove(&self.0);
    }
}

/// Removes all incomplete files. No file can be created or renamed while the result lives.
fn remove_all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    let files = incomplete();
    for path in files.iter() {
        // A file that has its final name, or is gone, needs no removal.
        let _ = fs::remove_file(path);
    }
    files
}
