//! Creates names in folders, by paths.
//!
//! Links are noticed only when a folder is opened: no other user should be able to write to a folder that is filled.
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempPath;

use super::copy::copy_attributes;
use super::output::{Entry, create_new};
use super::{FILE_FLAG_BACKUP_SEMANTICS, FILE_WRITE_ATTRIBUTES, join, name_of, place, stat_link};
use crate::system::{Afterwards, Kind, Stat};

/// A folder in which names are created.
pub(crate) struct Parent(PathBuf);

impl Parent {
    /// Creates a folder, to be finished later.
    pub(crate) fn create(path: &Path) -> io::Result<()> {
        fs::create_dir(place(path))
    }

    /// Opens a folder, to which links may lead.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let path = place(path).into_owned();
        if fs::metadata(&path)?.is_dir() { Ok(Self(path)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    /// Opens a folder below this one, or this one if the name is empty. Fails if a component of the name is a link.
    pub(crate) fn folder(&self, name: &[u8]) -> io::Result<Self> {
        let ends = name.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        let mut folder = Self(self.0.clone());
        for end in ends.chain((!name.is_empty()).then_some(name.len())) {
            folder = Self(self.path(&name[..end])?);
            if folder.stat()?.kind != Kind::Folder {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(folder)
    }

    fn path(&self, name: &[u8]) -> io::Result<PathBuf> {
        let unusable = || io::Error::new(io::ErrorKind::InvalidFilename, "no file can have this name there");
        join(&self.0, name).ok_or_else(unusable)
    }

    /// Returns a handle for locks, and to synchronise the folder.
    pub(crate) fn entry(&self) -> io::Result<Entry> {
        Entry::of(&self.0)
    }

    /// Does nothing: this system synchronises single files.
    #[allow(clippy::unused_self)]
    pub(crate) fn synchronise(&self) -> io::Result<()> {
        Ok(())
    }

    /// Returns the state of the folder.
    pub(crate) fn stat(&self) -> io::Result<Stat> {
        stat_link(&self.0)
    }

    /// Returns the state of what has this name in the folder, a link itself if it is one.
    pub(crate) fn state(&self, name: &[u8]) -> io::Result<Stat> {
        stat_link(&self.path(name)?)
    }

    /// Returns the names in the folder.
    pub(crate) fn names(&self) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        entries.map(|entry| name_of(&entry.file_name()).into_owned()).collect()
    }

    /// Creates a file for writing. Without permissions for others in `mode`, only its owner may access it. Fails if the name
    /// exists, also as a link.
    pub(crate) fn create_file(&self, name: &[u8], mode: u32) -> io::Result<File> {
        create_new(&self.path(name)?, mode)
    }

    /// Creates a folder, to be finished later.
    pub(crate) fn create_folder(&self, name: &[u8]) -> io::Result<()> {
        fs::create_dir(self.path(name)?)
    }

    /// Fails: links of this system need to know what their target is, and a privilege.
    #[allow(clippy::unused_self)]
    pub(crate) fn make_link(&self, _: &[u8], _: &[u8]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "links are not copied on this system"))
    }

    /// Removes a file or a link from this folder; for a folder it fails.
    pub(crate) fn remove(&self, name: &[u8]) -> io::Result<()> {
        fs::remove_file(self.path(name)?)
    }

    /// Renames a file, replacing the target in one step.
    pub(crate) fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        // The standard library replaces files that others have open, as far as the system can; `tempfile` does not.
        fs::rename(self.path(from)?, self.path(to)?)
    }

    /// Renames a file, unless the target exists. Otherwise removes it.
    pub(crate) fn rename_new(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        // The standard library only has a rename that replaces the target.
        Ok(TempPath::try_from_path(self.path(from)?)?.persist_noclobber(self.path(to)?)?)
    }

    /// Returns what is to become of the attributes of the folder. `made` tells whether this process has just created it.
    pub(crate) fn prepare(&self, made: bool) -> io::Result<Afterwards> {
        Ok(match made {
            true => Afterwards::Original,
            false => Afterwards::Before { modified: self.modified()?, permissions: None },
        })
    }

    /// Gives the folder the times of another.
    pub(crate) fn finish(&self, from: &Metadata) -> io::Result<()> {
        copy_attributes(from, &self.to_change()?)
    }

    /// Gives the folder its time of modification back. [`prepare`](Self::prepare) changes no permissions.
    pub(crate) fn restore(&self, modified: SystemTime, _: Option<u32>) -> io::Result<()> {
        if self.modified()? != modified {
            self.to_change()?.set_modified(modified)?;
        }
        Ok(())
    }

    fn modified(&self) -> io::Result<SystemTime> {
        fs::symlink_metadata(&self.0)?.modified()
    }

    /// Opens the folder to change its times.
    fn to_change(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        let options = options.access_mode(FILE_WRITE_ATTRIBUTES).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
        options.open(&self.0)
    }
}
