//! The folder to which files are copied: its folders, and files that get their names when they are complete.
//!
//! All names are opened below a descriptor of the folder without following links: nothing is written outside of it.
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};

use crate::exit::reason;
use crate::name::{escape, escape_path};
use crate::output::SECRET;
use crate::read_error::ReadError;
use crate::scope::{folder_of, last_of};
use crate::system::{self, Afterwards, Entry, Kind, Parent, Stat};
use crate::temporary::{Guarded, Temporary, Undo, guard, has_temporary_name, undisturbed};

/// How the names of incomplete copies begin. Six letters and digits follow.
const TEMPORARY: &str = ".carryless-copy-";
/// The reason why something is not copied.
pub(super) const OTHER: &str = "is in the copy already and differs, not overwritten";
/// The reason why a hard link is no copy: what changes or decays is both at once.
pub(super) const SAME: &str = "is the same file as in the source, by a hard link or a mount: no copy";

/// Returns whether a name is one that incomplete copies have.
pub(super) fn is_incomplete(name: &[u8]) -> bool {
    has_temporary_name(&system::path_of(name), TEMPORARY)
}

/// The folder to which files are copied.
pub(super) struct Destination {
    src: PathBuf,
    /// The path of the folder for messages, escaped.
    shown: String,
    root: Arc<Parent>,
    /// The file system of the folder.
    device: u64,
    /// Whether this process is the only one that copies to the folder or below it.
    locked: bool,
    /// The open folder, which holds the lock.
    entry: Entry,
    /// Those of the folders above, which keep other processes from copying to these.
    _above: Vec<Entry>,
    /// Folders whose permissions or times are set when all is done. For those from before, a signal does this too.
    folders: Mutex<Vec<(Arc<Folder>, Option<Guarded>)>>,
}

/// A folder of the copy, and its original.
struct Folder {
    /// Empty for the copy itself.
    name: Vec<u8>,
    identity: (u64, u64),
    original: Metadata,
    afterwards: Afterwards,
}

/// A complete copy under a temporary name.
pub(super) struct Complete {
    temporary: Temporary,
    /// Its name in its folder.
    name: Vec<u8>,
    /// The file system, by which it is synchronised.
    device: u64,
}

impl Destination {
    /// Opens the folder, or creates it. Fails if another process copies to it.
    pub(super) fn open(src: &Path, dst: &Path) -> Result<Self> {
        let shown = escape_path(dst);
        // First of all: without a source nothing is created.
        let original = fs::metadata(src).with_context(|| escape_path(src))?;
        let made = match Parent::create(dst) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            result => result.map(|()| true).with_context(|| format!("{shown}: cannot create the folder"))?,
        };
        ensure!(made || fs::metadata(dst).is_ok_and(|about| about.is_dir()), "{shown}: not a folder");
        let open = || -> io::Result<_> {
            let root = Parent::open(dst)?;
            Ok((root.entry()?, root.stat()?.identity.0, root))
        };
        let (entry, device, root) = open().with_context(|| format!("{shown}: cannot open the folder"))?;
        // Where there are no locks the copy goes on, but removes nothing, as that may belong to another process.
        let locked = entry.lock();
        ensure!(locked != Some(false), "{shown}: another command copies to it, or to a folder below it");
        let path = fs::canonicalize(dst).with_context(|| shown.clone())?;
        let above: Vec<_> = path.ancestors().skip(1).filter_map(|path| Entry::of(path).ok()).collect();
        // Another process may copy to a folder above: then incomplete copies may be its own.
        let refused = above.iter().filter(|entry| entry.lock_shared() == Some(false)).count();
        let (src, root, locked, folders) =
            (src.to_path_buf(), Arc::new(root), locked == Some(true) && refused == 0, Mutex::default());
        let destination = Self { src, shown, root, device, locked, entry, _above: above, folders };
        let prepared = destination.prepare(b"", &destination.root, original, made);
        prepared.with_context(|| format!("{}: cannot open the folder", destination.shown))?;
        Ok(destination)
    }

    /// Opens the folder of a name. Returns it and the rest of the name.
    fn at<'n>(&self, name: &'n [u8]) -> io::Result<(Parent, &'n [u8])> {
        Ok((self.root.folder(folder_of(name))?, last_of(name)))
    }

    /// Makes a folder, unless it is there. Removes what a killed copy left in it. Returns whether the folder is new.
    pub(super) fn folder(&self, name: &[u8]) -> Result<bool, String> {
        if name == b"." {
            self.remove_incomplete(&self.root, b"");
            return Ok(false);
        }
        let original = system::join(&self.src, name).unwrap_or_default();
        let original = fs::metadata(original).map_err(|error| reason(&error))?;
        let (parent, last) = self.at(name).map_err(|error| explain(&error))?;
        let made = match undisturbed(|| parent.create_folder(last)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            result => result
                .map(|()| true)
                .map_err(|error| format!("cannot create the folder: {}", reason(&error)))?,
        };
        let is_other =
            |error: &io::Error| system::is_link(error) || error.kind() == io::ErrorKind::NotADirectory;
        let folder = parent.folder(last).map_err(|error| match error {
            // A link might lead out of the copy.
            error if is_other(&error) => OTHER.into(),
            error => format!("cannot open the folder of the copy: {}", reason(&error)),
        })?;
        self.prepare(name, &folder, original, made).map_err(|error| reason(&error))?;
        if !made {
            self.remove_incomplete(&folder, name);
        }
        Ok(made)
    }

    /// Makes it possible to fill a folder, and remembers what is to be done about it at the end.
    fn prepare(&self, name: &[u8], folder: &Parent, original: Metadata, made: bool) -> io::Result<()> {
        let (name, identity) = (name.to_vec(), folder.stat()?.identity);
        let prepare = || {
            let afterwards = folder.prepare(made)?;
            Ok(Arc::new(Folder { name, identity, original, afterwards }))
        };
        let (prepared, guarded) = guard(prepare, |folder| {
            let (root, folder) = (Arc::clone(&self.root), Arc::clone(folder));
            // New ones stay marked, so that a later run completes them.
            folder.is_from_before().then(|| -> Undo { Box::new(move || drop(folder.finish(&root))) })
        });
        let prepared = prepared?;
        if !matches!(prepared.afterwards, Afterwards::Keep) {
            self.folders.lock().unwrap_or_else(PoisonError::into_inner).push((prepared, guarded));
        }
        Ok(())
    }

    /// Removes incomplete copies from a folder, unless the source has such names.
    fn remove_incomplete(&self, folder: &Parent, name: &[u8]) {
        if !self.locked {
            return;
        }
        // What cannot be listed or removed is reported as new when the copy is verified.
        for below in folder.names().iter().filter(|name| is_incomplete(name)) {
            let original = if name.is_empty() { below.clone() } else { [name, b"/", below].concat() };
            // Also one that filters leave out.
            let original = system::join(&self.src, &original).map(|path| system::stat_link(&path));
            let is_source =
                !original.is_some_and(|found| found.is_err_and(|error| system::is_absent(&error)));
            if !is_source && folder.state(below).is_ok_and(|found| found.kind == Kind::File) {
                let _ = undisturbed(|| folder.remove(below));
            }
        }
    }

    /// Returns the state of what has this name in the copy, if anything has.
    pub(super) fn found(&self, name: &[u8]) -> Result<Option<Stat>, String> {
        match self.at(name).and_then(|(parent, last)| parent.state(last)) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(explain(&error)),
        }
    }

    /// Makes a link, unless something is there.
    pub(super) fn link(&self, name: &[u8], target: &[u8]) -> Result<(), String> {
        // No look before: the call fails if something has the name, also if it has just appeared.
        let made = self.at(name).and_then(|(parent, last)| undisturbed(|| parent.make_link(target, last)));
        made.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OTHER.into(),
            _ => format!("cannot make the link: {}", explain(&error)),
        })
    }

    /// Creates the temporary file of a copy.
    pub(super) fn begin(&self, name: &[u8]) -> Result<(File, Temporary), Failure> {
        // Only the owner may read it until it has the permissions of the original.
        let created = Temporary::create(&self.root, folder_of(name), TEMPORARY, SECRET);
        created.map_err(|error| Failure::of_write(&error))
    }

    /// Ends a copy that is written. A large one is synchronised now, the others by [`place`](Self::place).
    pub(super) fn complete(
        &self,
        name: &[u8],
        (file, temporary): (File, Temporary),
        from: &Metadata,
        large: bool,
    ) -> Result<Complete, Failure> {
        let end = || -> io::Result<u64> {
            // Attributes first, so that the synchronisation covers them.
            system::copy_attributes(from, &file)?;
            if large || !system::SYNCHRONISES_ALL {
                file.sync_all()?;
            }
            Ok(system::stat_open(&file)?.identity.0)
        };
        let device = end().map_err(|error| Failure::of_write(&error))?;
        Ok(Complete { temporary, name: last_of(name).to_vec(), device })
    }

    /// Writes complete copies to the disks on which they are, before they get their names.
    pub(super) fn synchronise<'c>(&self, copies: impl Iterator<Item = &'c Complete>) -> Result<()> {
        // Other disks may be mounted in the folder.
        let mut places: BTreeMap<u64, &[u8]> =
            copies.map(|copy| (copy.device, copy.temporary.folder())).collect();
        if places.remove(&self.device).is_some() {
            self.synchronise_all()?;
        }
        places.values().try_for_each(|folder| {
            let synchronised = self.root.folder(folder).and_then(|folder| folder.synchronise());
            synchronised
                .with_context(|| format!("{}/{}: cannot synchronise the copies", self.shown, escape(folder)))
        })
    }

    /// Synchronises the file system of the folder, where the system can do that.
    pub(super) fn synchronise_all(&self) -> Result<()> {
        self.root.synchronise().with_context(|| format!("{}: cannot synchronise the copies", self.shown))
    }

    /// Gives all folders the permissions and times that they are to have, and synchronises these. Returns the folders for
    /// which this fails, with the reasons.
    pub(super) fn finish(&self) -> Result<Vec<(Vec<u8>, String)>> {
        // Not before all files are in place: each new name changes the time of its folder.
        let failed = self.take_folders().into_iter().filter_map(|(folder, _guarded)| {
            let error = folder.finish(&self.root).err()?;
            let name = if folder.name.is_empty() { b".".to_vec() } else { folder.name.clone() };
            Some((name, format!("cannot set its permissions and times: {}", explain(&error))))
        });
        let failed = failed.collect();
        self.entry.sync().with_context(|| self.shown.clone())?;
        self.synchronise_all()?;
        Ok(failed)
    }

    /// Returns the folders that are not finished, from the innermost outwards.
    fn take_folders(&self) -> Vec<(Arc<Folder>, Option<Guarded>)> {
        let mut folders = std::mem::take(&mut *self.folders.lock().unwrap_or_else(PoisonError::into_inner));
        // The permissions of an outer folder may keep this process out of those below.
        folders.sort_unstable_by(|a, b| b.0.name.cmp(&a.0.name));
        folders
    }
}

impl Folder {
    /// Returns whether it was there before, and gets its own time and permissions back.
    fn is_from_before(&self) -> bool {
        matches!(self.afterwards, Afterwards::Before { .. })
    }

    /// Gives the folder below `root` the permissions and times that it is to have.
    fn finish(&self, root: &Parent) -> io::Result<()> {
        let opened = root.folder(&self.name)?;
        // Attributes are for the folder that was prepared. Somebody may have renamed it and made another.
        if opened.stat()?.identity != self.identity {
            return Err(io::Error::other("another folder has its name now"));
        }
        match self.afterwards {
            Afterwards::Keep => Ok(()),
            Afterwards::Original => opened.finish(&self.original),
            Afterwards::Before { modified, permissions } => opened.restore(modified, permissions),
        }
    }
}

impl Drop for Destination {
    /// After an error, folders from before are as they were. New ones stay marked, so that a later run completes them.
    fn drop(&mut self) {
        for (folder, _guarded) in self.take_folders() {
            if folder.is_from_before() {
                // The error that ended the copy is reported.
                let _ = folder.finish(&self.root);
            }
        }
    }
}

impl Complete {
    /// Gives the copy its name, unless something has it.
    pub(super) fn place(self) -> Result<(), String> {
        self.temporary.rename(&self.name, false).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OTHER.into(),
            _ => format!("cannot give the copy its name: {}", explain(&error)),
        })
    }
}

/// Returns the reason of an error, also of a link that is not followed.
fn explain(error: &io::Error) -> String {
    if system::is_link(error) { ReadError::Link.to_string() } else { reason(error) }
}

/// The reason why a name is not copied.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) reason: String,
    /// Whether nothing else can be written either.
    pub(super) is_fatal: bool,
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self { reason, is_fatal: false }
    }
}

impl Failure {
    /// Returns the failure of writing to the copy.
    pub(super) fn of_write(error: &io::Error) -> Self {
        use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        let is_fatal = matches!(error.kind(), QuotaExceeded | ReadOnlyFilesystem | StorageFull);
        Self { reason: format!("cannot write its copy: {}", explain(error)), is_fatal }
    }
}
