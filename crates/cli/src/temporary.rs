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
    guarded: Guarded,
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
            match create(|| parent.create_file(&place.name, mode), move || registered.remove()) {
                // Another file has this name: the next one is random as well.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                result => {
                    let (file, guarded) = result?;
                    return Ok((file, Self { place, guarded, is_named: false }));
                }
            }
        }
    }

    /// Returns the name of its folder.
    pub(crate) fn folder(&self) -> &[u8] {
        &self.place.folder
    }

    /// Gives the file its name in its folder. If something has that name, it is replaced, or this fails unless `replaces`.
    pub(crate) fn rename(mut self, name: &[u8], replaces: bool) -> io::Result<()> {
        let Self { place, guarded, .. } = &self;
        let rename = if replaces { Parent::rename } else { Parent::rename_new };
        let folder = place.root.folder(&place.folder)?;
        guarded.complete(|| rename(&folder, &place.name, name))?;
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
struct Guarded(u64);

/// Creates a file by `open`. If the process is the command, registers it until the result is dropped: a signal that ends
/// the process calls `remove`.
fn create(
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
    fn complete<R>(&self, rename: impl FnOnce() -> R) -> R {
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
