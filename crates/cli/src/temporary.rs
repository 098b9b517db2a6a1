//! Temporary files that are removed even if a signal ends the process.
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crate::system;

/// Functions that remove incomplete files, which a signal calls, and the number of the next one.
///
/// Creating and renaming a file happens under this lock. So a signal removes no file of another process, and
/// does not interrupt between a file and its name.
static INCOMPLETE: Mutex<Incomplete> = Mutex::new((0, BTreeMap::new()));

type Incomplete = (u64, BTreeMap<u64, Box<dyn Fn() + Send>>);

/// Whether this process is the command, so that its signals may be handled here. In other processes
/// they belong to the program.
static COMMAND: AtomicBool = AtomicBool::new(false);

/// Makes signals remove incomplete files before they end the process, from the next file on that is created.
pub(crate) fn react_to_signals() {
    // Relaxed: the thread that sets it creates the files.
    COMMAND.store(true, Ordering::Relaxed);
}

fn incomplete() -> MutexGuard<'static, Incomplete> {
    // A panic elsewhere does not invalidate the list, so the guard of a poisoned lock is used.
    INCOMPLETE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The registration of a file that a signal would remove. Dropping it ends the registration.
pub(crate) struct Guarded(u64);

/// Creates a file by `open` and registers it, if the process is the command, for removal by a signal, which calls
/// `remove`.
pub(crate) fn create(
    open: impl FnOnce() -> io::Result<File>,
    remove: impl Fn() + Send + 'static,
) -> io::Result<(File, Guarded)> {
    static WATCHING: Once = Once::new();
    if COMMAND.load(Ordering::Relaxed) {
        // Not before the first file: commands that create none need no thread.
        WATCHING.call_once(|| system::watch(remove_all));
    }
    // Locked before the file exists: a signal in between would leave it behind.
    let mut files = incomplete();
    let file = open()?;
    let number = files.0;
    files.0 += 1;
    files.1.insert(number, Box::new(remove));
    Ok((file, Guarded(number)))
}

impl Guarded {
    /// Runs `rename`, which gives the file its final name, under the lock. No signal interrupts it.
    pub(crate) fn complete<R>(&self, rename: impl FnOnce() -> R) -> R {
        let files = incomplete();
        // The file stays registered until the guard is dropped. A signal in between removes a name that no
        // longer exists, without effect.
        let result = rename();
        drop(files);
        result
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        incomplete().1.remove(&self.0);
    }
}

/// Removes all incomplete files. No file can be created or renamed while the result lives.
fn remove_all() -> MutexGuard<'static, Incomplete> {
    let files = incomplete();
    // A file that has its final name, or is gone, needs no removal.
    files.1.values().for_each(|remove| remove());
    files
}
