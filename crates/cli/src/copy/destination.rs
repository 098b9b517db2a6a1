//! The folder to which files are copied: its folders, and files that get their names when they are complete.
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempPath;

use crate::exit::reason;
use crate::name::{escape_path, parent};
use crate::output::{SECRET, Temporary, has_temporary_name, place, temporary_in};
use crate::scope::folder_of;
use crate::system::{self, Entry, Kind, Stat};
use crate::temporary::Guarded;

/// How the names of incomplete copies begin. Six letters and digits follow.
const TEMPORARY: &str = ".carryless-copy-";
/// The reason why something is not copied.
pub(super) const OTHER: &str = "is in the copy already and differs, not overwritten";

/// The folder to which files are copied.
pub(super) struct Destination {
    src: PathBuf,
    dst: PathBuf,
    /// Whether this process is the only one that copies to the folder.
    locked: bool,
    /// Holds the lock.
    entry: Entry,
    /// Folders that get the permissions and times of their originals when all is done.
    folders: Mutex<Vec<(PathBuf, Metadata)>>,
}

/// A complete copy under a temporary name.
pub(super) struct Complete {
    temporary: TempPath,
    guarded: Guarded,
    target: PathBuf,
    /// The file system, by which it is synchronised.
    device: u64,
}

impl Destination {
    /// Opens the folder, or creates it with the permissions of the source. Fails if another process copies to it.
    pub(super) fn open(src: &Path, dst: &Path) -> Result<Self> {
        let shown = escape_path(dst);
        let about = fs::metadata(src).with_context(|| escape_path(src))?;
        let made = match system::create_folder(dst, &about) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            result => result.map(|()| true).with_context(|| format!("{shown}: cannot create the folder"))?,
        };
        ensure!(made || fs::metadata(dst).is_ok_and(|about| about.is_dir()), "{shown}: not a folder");
        let entry = Entry::of(dst).with_context(|| format!("{shown}: cannot open the folder"))?;
        let locked = entry.lock();
        ensure!(locked != Some(false), "{shown}: another command copies to it");
        // One that was there keeps its attributes: it may be that of a whole disk.
        let folders = if made { vec![(dst.to_path_buf(), about)] } else { Vec::new() };
        let (src, dst, locked) = (src.to_path_buf(), dst.to_path_buf(), locked == Some(true));
        Ok(Self { src, dst, locked, entry, folders: Mutex::new(folders) })
    }

    /// Returns the place of a name in the copy.
    fn path(&self, name: &[u8]) -> Result<PathBuf, String> {
        system::join(&self.dst, name).ok_or_else(|| "no file can have this name there".into())
    }

    /// Makes a folder, unless it is there. Removes what a killed copy left in it, but no file that `is_source` knows.
    /// Returns whether the folder is new.
    pub(super) fn folder(&self, name: &[u8], is_source: impl Fn(&[u8]) -> bool) -> Result<bool, String> {
        let path = if name == b"." { self.dst.clone() } else { self.path(name)? };
        if name != b"." {
            let original = system::join(&self.src, name).unwrap_or_default();
            let about = fs::metadata(original).map_err(|error| reason(&error))?;
            let made = system::create_folder(&path, &about);
            self.add(path.clone(), about);
            match made {
                Ok(()) => return Ok(true),
                // A link might lead out of the copy.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    let is_folder = system::stat_link(&path).is_ok_and(|found| found.kind == Kind::Folder);
                    is_folder.then_some(()).ok_or(OTHER)?;
                }
                Err(error) => return Err(format!("cannot create the folder: {error}")),
            }
        }
        if self.locked {
            remove_incomplete(&path, |file| {
                let below = system::name_of(file);
                is_source(&if name == b"." { below.to_vec() } else { [name, b"/", &below].concat() })
            });
        }
        Ok(false)
    }

    fn add(&self, path: PathBuf, about: Metadata) {
        self.folders.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((path, about));
    }

    /// Returns the state of what has this name in the copy, if anything has.
    pub(super) fn found(&self, name: &[u8]) -> Result<Option<Stat>, String> {
        match system::stat_link(&self.path(name)?) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(reason(&error)),
        }
    }

    /// Makes a link, unless something is there.
    pub(super) fn link(&self, name: &[u8], target: &[u8]) -> Result<(), String> {
        system::make_link(target, &self.path(name)?).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OTHER.into(),
            _ => format!("cannot make the link: {error}"),
        })
    }

    /// Creates the temporary file of a copy.
    pub(super) fn begin(&self, name: &[u8]) -> Result<Temporary, Failure> {
        let folder = match folder_of(name) {
            b"" => self.dst.clone(),
            folder => self.path(folder)?,
        };
        let open = |path: &Path| system::create_new(path, SECRET);
        temporary_in(&folder, TEMPORARY, open).map_err(|error| Failure::of_write(&error))
    }

    /// Ends a copy that is written. A large one is synchronised now, the others by [`place`](Self::place).
    pub(super) fn complete(
        &self,
        name: &[u8],
        temporary: Temporary,
        from: &Metadata,
        large: bool,
    ) -> Result<Complete, Failure> {
        let target = self.path(name)?;
        let ((file, guarded), temporary) = temporary.into_parts();
        let end = || -> io::Result<u64> {
            system::copy_attributes(from, &file)?;
            if large || !system::SYNCHRONISES_ALL {
                file.sync_all()?;
            }
            Ok(system::stat_open(&file)?.identity.0)
        };
        let device = end().map_err(|error| Failure::of_write(&error))?;
        Ok(Complete { temporary, guarded, target, device })
    }

    /// Synchronises complete copies.
    pub(super) fn synchronise<'c>(&self, copies: impl Iterator<Item = &'c Complete>) -> Result<()> {
        // Other disks may be mounted in the folder.
        let places: BTreeMap<u64, &Path> = copies.map(|copy| (copy.device, parent(&copy.target))).collect();
        places.values().try_for_each(|folder| {
            system::synchronise(folder)
                .with_context(|| format!("{}: cannot synchronise the copies", escape_path(folder)))
        })
    }

    /// Synchronises the file system of the folder, where the system can do that.
    pub(super) fn synchronise_all(&self) -> Result<()> {
        let shown = || format!("{}: cannot synchronise the copies", escape_path(&self.dst));
        system::synchronise(&self.dst).with_context(shown)
    }

    /// Gives all folders the permissions and times of their originals, and synchronises these.
    pub(super) fn finish(&self) -> Result<()> {
        let mut folders = self.folders.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // From the innermost outwards.
        folders.sort_unstable_by(|a, b| b.0.cmp(&a.0));
        for (path, about) in folders.iter().filter(|(path, _)| path.is_dir()) {
            let shown = || format!("{}: cannot set its permissions and times", escape_path(path));
            system::finish_folder(path, about).with_context(shown)?;
        }
        self.entry.sync().with_context(|| escape_path(&self.dst))?;
        self.synchronise_all()
    }
}

impl Complete {
    /// Gives the copy its name, unless something has it.
    pub(super) fn place(self) -> Result<(), String> {
        let Self { temporary, guarded, target, .. } = self;
        guarded.complete(|| place(temporary, &target)).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OTHER.into(),
            _ => format!("cannot give the copy its name: {error}"),
        })
    }
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
        Self { reason: format!("cannot write its copy: {}", reason(error)), is_fatal }
    }
}

/// Removes incomplete copies from a folder, unless they are copies of files with such names.
fn remove_incomplete(folder: &Path, is_source: impl Fn(&std::ffi::OsStr) -> bool) {
    // What cannot be listed or removed is reported as new when the copy is verified.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if has_temporary_name(&path, TEMPORARY) && is_file() && !is_source(&entry.file_name()) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns the file of a temporary copy.
pub(super) fn file(temporary: &Temporary) -> &File {
    &temporary.as_file().0
}
