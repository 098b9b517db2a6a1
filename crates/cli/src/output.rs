//! Files that appear whole or not at all.
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use tempfile::NamedTempFile;

use crate::key::escape_path;

/// A file being written under a temporary name beside its final one. Dropped before [`NewFile::commit`], it leaves
/// nothing behind and what was there stays.
pub(crate) struct NewFile {
    temporary: NamedTempFile,
    target: PathBuf,
    overwrite: bool,
}

impl NewFile {
    /// Begins a file with these permissions (less the umask). Refuses an existing target unless `overwrite`.
    pub(crate) fn create(target: &Path, mode: u32, overwrite: bool) -> Result<Self> {
        check_target(target, overwrite)?;
        let create = |path: &Path| OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
        let temporary = tempfile::Builder::new()
            .prefix(".carryless-")
            .make_in(folder_of(target), create)
            .with_context(|| format!("{}: cannot create the file", escape_path(target)))?;
        Ok(Self { temporary, target: target.to_path_buf(), overwrite })
    }

    /// Appends bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        // By way of the file itself: errors of the wrapper name the temporary file.
        let written = self.temporary.as_file_mut().write_all(bytes);
        written.with_context(|| format!("{}: cannot write", escape_path(&self.target)))
    }

    /// Puts the file on the disk, then gives it its name, then puts the name on the disk.
    pub(crate) fn commit(self) -> Result<()> {
        let Self { temporary, target, overwrite } = self;
        let folder = folder_of(&target).to_path_buf();
        let commit = || -> io::Result<()> {
            temporary.as_file().sync_all()?;
            if overwrite {
                temporary.persist(&target)?;
            } else {
                temporary.persist_noclobber(&target)?;
            }
            File::open(folder)?.sync_all()
        };
        commit().with_context(|| format!("{}: cannot finish the file", escape_path(&target)))
    }
}

/// Fails if the target exists and may not be replaced, or is no ordinary file.
pub(crate) fn check_target(target: &Path, overwrite: bool) -> Result<()> {
    match fs::symlink_metadata(target) {
        Ok(_) if !overwrite => bail!("{}: exists already, not overwritten", escape_path(target)),
        Ok(about) if !about.is_file() => {
            bail!("{}: not an ordinary file, not overwritten", escape_path(target))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("{}: cannot write there", escape_path(target))),
    }
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
