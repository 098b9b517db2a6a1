//! Files under temporary names, which are removed unless they get their names, even if a signal ends the process.
//!
//! They lie in the folders of their names: a rename is atomic within one file system only.
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use crate::random;
use crate::system::{self, Parent};

/// A file under a temporary name. Unless it gets its name, dropping it removes it, and so does a signal that ends the command.
pub(crate) struct Temporary {
    place: Arc<Place>,
    _guarded: Option<Guarded>,
    is_named: bool,
}

/// The place of a temporary file.
struct Place {
    root: Arc<Parent>,
    /// Name of its folder below `root`, or nothing.
    folder: Vec<u8>,
    name: Vec<u8>,
}

impl Temporary {
    /// Creates a file for writing, with this mode less the umask, in a folder below `root`. Its name is the prefix with six
    /// letters and digits.
    pub(crate) fn create(
        root: &Arc<Parent>,
        folder: &[u8],
        prefix: &str,
        mode: u32,
    ) -> io::Result<(File, Self)> {
        let parent = root.folder(folder)?;
        loop {
            let (root, folder) = (Arc::clone(root), folder.to_vec());
            let place = Arc::new(Place { root, folder, name: random_name(prefix)? });
            let registered = Arc::clone(&place);
            let (result, guarded) = guard(
                || parent.create_file(&place.name, mode),
                |_| Some(Box::new(move || registered.remove())),
            );
            match result {
                // Another file has this name: the next one is random as well.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                result => return Ok((result?, Self { place, _guarded: guarded, is_named: false })),
            }
        }
    }

    /// Returns the name of its folder.
    pub(crate) fn folder(&self) -> &[u8] {
        &self.place.folder
    }

    /// Gives the file its name in its folder. If something has that name, it is replaced, or this fails unless `replaces`.
    pub(crate) fn rename(mut self, name: &[u8], replaces: bool) -> io::Result<()> {
        let place = &self.place;
        let rename = if replaces { Parent::rename } else { Parent::rename_new };
        let folder = place.root.folder(&place.folder)?;
        // A signal that follows removes a name that no longer exists, without effect.
        undisturbed(|| rename(&folder, &place.name, name))?;
        // Not before the rename: after an error, dropping removes the file.
        self.is_named = true;
        Ok(())
    }
}

impl Place {
    fn remove(&self) {
        // Nothing else is left to be done about it.
        let _ = self.root.folder(&self.folder).and_then(|folder| folder.remove(&self.name));
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_named {
            self.place.remove();
        }
    }
}

/// Returns a new name that begins with this prefix.
fn random_name(prefix: &str) -> io::Result<Vec<u8>> {
    // 32 of them, so that each is equally likely for a random byte.
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut random = [0; 6];
    random::fill(&mut random).map_err(io::Error::other)?;
    let letters = random.map(|byte| LETTERS[usize::from(byte % 32)]);
    Ok([prefix.as_bytes(), &letters].concat())
}

/// Returns whether a file has a temporary name: this prefix, and six letters and digits.
pub(crate) fn has_temporary_name(path: &Path, prefix: &str) -> bool {
    let random = path.file_name().and_then(|name| name.to_str()?.strip_prefix(prefix));
    random.is_some_and(|random| random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// What a signal undoes before it ends the process, and the number of the next entry.
///
/// What is undone is done under this lock: creating and renaming files, changing folders. So a signal removes no file of
/// another process, and does not interrupt between a file and its name.
static INCOMPLETE: Mutex<Incomplete> = Mutex::new((0, BTreeMap::new()));

type Incomplete = (u64, BTreeMap<u64, Undo>);

/// What a signal does about something incomplete.
pub(crate) type Undo = Box<dyn Fn() + Send>;

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

/// The registration of something that a signal would undo. Dropping it ends the registration.
pub(crate) struct Guarded(u64);

/// Runs `work`. If the process is the command and `work` succeeds, registers what a signal calls to `undo` it, before it
/// ends the process.
pub(crate) fn guard<T>(
    work: impl FnOnce() -> io::Result<T>,
    undo: impl FnOnce(&T) -> Option<Undo>,
) -> (io::Result<T>, Option<Guarded>) {
    static WATCHING: Once = Once::new();
    if COMMAND.load(Ordering::Relaxed) {
        // Not before there is something to undo: other commands need no thread.
        WATCHING.call_once(|| system::watch(undo_all));
    }
    // Locked before there is something to undo: a signal in between would leave it behind.
    let mut incomplete = incomplete();
    let result = work();
    let guarded = result.as_ref().ok().and_then(undo).map(|undo| {
        let number = incomplete.0;
        incomplete.0 += 1;
        incomplete.1.insert(number, undo);
        Guarded(number)
    });
    (result, guarded)
}

/// Runs `work` to its end before a signal undoes anything.
pub(crate) fn undisturbed<R>(work: impl FnOnce() -> R) -> R {
    let _incomplete = incomplete();
    work()
}

impl Drop for Guarded {
    fn drop(&mut self) {
        incomplete().1.remove(&self.0);
    }
}

/// Undoes all that is incomplete. Nothing of that kind can be done while the result lives.
fn undo_all() -> MutexGuard<'static, Incomplete> {
    let incomplete = incomplete();
    // The last first: a folder gets its time and permissions back after its files are removed. What is complete, or gone,
    // needs nothing.
    incomplete.1.values().rev().for_each(|undo| undo());
    incomplete
}
