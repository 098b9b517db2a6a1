//! Output files that appear complete or not at all.
//!
//! A file is written under a temporary name in the same folder, synchronised, and then renamed. A crash, a
//! full disk or a signal leaves the old file intact.
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};

#[cfg(feature = "lists")]
use crate::about::About;
use crate::family::{FAMILY_LENGTH, begins};
use crate::name::{escape_path, parent};
use crate::system;
use crate::temporary::{Temporary, has_temporary_name};

/// Mode of public files, before the umask.
pub(crate) const PUBLIC: u32 = 0o666;
/// Mode of files that only their owner may access.
pub(crate) const SECRET: u32 = 0o600;

/// How the names of temporary files begin. Six letters and digits follow.
const TEMPORARY: &str = ".carryless-";

/// Writes a new file, complete or not at all, or writes to standard output. An existing file is not replaced.
#[cfg(any(feature = "algebra", feature = "kem"))]
pub(crate) fn write_new(path: &Path, mode: u32, bytes: &[u8]) -> Result<()> {
    if crate::name::named(path).is_none() {
        let mut out = io::stdout().lock();
        // Output without a newline at its end would stay in the buffer until the process ends, where errors
        // are lost.
        return out.write_all(bytes).and_then(|()| out.flush()).map_err(crate::exit::stdout_error);
    }
    let mut file = NewFile::create(path, mode, false)?;
    file.write(bytes)?;
    file.commit()
}

/// A file being written under a temporary name next to its final one. Dropped before [`NewFile::commit`], it
/// is removed, and an older file stays.
pub(crate) struct NewFile {
    // Closed before it is removed.
    file: File,
    temporary: Temporary,
    /// The folder, opened before anything is written. If that fails, the old file is untouched; after the
    /// rename it would be too late.
    folder: system::Entry,
    target: PathBuf,
    /// What may be replaced, if anything.
    over: Option<Kind>,
    /// Whether everything that was written is on the disk.
    is_synchronised: bool,
}

/// Kinds of files that may be replaced, as their first bytes show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Manifest,
    /// A list of digests, as `tag --public` writes.
    #[cfg(feature = "lists")]
    List,
}

impl Kind {
    const ALL: &[Self] = &[
        Self::Manifest,
        #[cfg(feature = "lists")]
        Self::List,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Manifest => "carryless manifest",
            #[cfg(feature = "lists")]
            Self::List => "list of digests",
        }
    }

    /// Returns whether these first bytes, at most 67, are those of such a file.
    fn begins(self, start: &[u8]) -> bool {
        match self {
            Self::Manifest => begins(&start[..start.len().min(FAMILY_LENGTH)]),
            #[cfg(feature = "lists")]
            Self::List => {
                // Nothing was found by a `tag --public` that was allowed to find nothing.
                if start.is_empty() {
                    return true;
                }
                let line = start.strip_prefix(b"\\").unwrap_or(start);
                line.len() >= 66 && line[..64].iter().all(u8::is_ascii_hexdigit) && line[64..66] == *b"  "
            }
        }
    }
}

impl NewFile {
    /// Creates the temporary file, with this mode less the umask, or with the permissions of the file that it
    /// replaces. Fails if the target exists, unless `overwrite`.
    pub(crate) fn create(target: &Path, mode: u32, overwrite: bool) -> Result<Self> {
        Self::create_over(target, mode, overwrite.then_some(Kind::Manifest))
    }

    /// Creates the temporary file of a list. With `overwrite` it may replace a list.
    #[cfg(feature = "lists")]
    pub(crate) fn create_list(target: &Path, mode: u32, overwrite: bool) -> Result<Self> {
        Self::create_over(target, mode, overwrite.then_some(Kind::List))
    }

    /// Fails if a list cannot have this name.
    #[cfg(feature = "lists")]
    pub(crate) fn check_list(target: &Path, overwrite: bool) -> Result<()> {
        // A run that is killed between the two renames leaves a list without its manifest.
        let is_there = fs::symlink_metadata(target).is_ok();
        ensure!(
            overwrite || !is_there,
            "{}: exists already, not overwritten (--force replaces a list of digests)",
            escape_path(target)
        );
        check(target, overwrite.then_some(Kind::List)).map(|_| ())
    }

    /// Returns what is known about the file besides its contents. Its time of change is another once it has its name.
    #[cfg(feature = "lists")]
    pub(crate) fn about(&self) -> Result<About> {
        let about = system::stat_open(&self.file);
        let about =
            about.with_context(|| format!("{}: cannot examine the file", escape_path(&self.target)))?;
        Ok(About::of(&about))
    }

    fn create_over(target: &Path, mode: u32, over: Option<Kind>) -> Result<Self> {
        let replaced = check(target, over)?;
        let create = || -> io::Result<Self> {
            let parent = Arc::new(system::Parent::open(parent(target))?);
            let (file, temporary) = Temporary::create(&parent, b"", TEMPORARY, mode)?;
            // Before the first byte, so that nobody reads the contents under other permissions.
            if let Some(replaced) = &replaced {
                system::inherit_permissions(&file, target, replaced)?;
            }
            let folder = parent.entry()?;
            Ok(Self { file, temporary, folder, target: target.to_path_buf(), over, is_synchronised: false })
        };
        create().with_context(|| format!("{}: cannot create the file", escape_path(target)))
    }

    /// Appends bytes to the temporary file.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.is_synchronised = false;
        let written = self.file.write_all(bytes);
        written.with_context(|| format!("{}: cannot write", escape_path(&self.target)))
    }

    /// Writes everything to the disk, under the temporary name, unless it is there.
    pub(crate) fn synchronise(&mut self) -> Result<()> {
        if !self.is_synchronised {
            let synchronised = self.file.sync_all();
            synchronised.with_context(|| format!("{}: cannot write", escape_path(&self.target)))?;
            self.is_synchronised = true;
        }
        Ok(())
    }

    /// Synchronises the file, renames it, and synchronises its folder. If only the last step fails, the error
    /// says that the new file is in place.
    pub(crate) fn commit(self) -> Result<()> {
        self.place()?.synchronise()
    }

    /// Synchronises the file and renames it. The name is on the disk only when the result is synchronised.
    pub(crate) fn place(mut self) -> Result<Placed> {
        // Before the rename: otherwise a crash could leave the name with an empty file.
        self.synchronise()?;
        let Self { temporary, folder, target, over, .. } = self;
        let shown = escape_path(&target);
        // Checked again, as hours may have passed since the file was begun.
        check(&target, over)?;
        // The last component of a path that `check` has accepted.
        let name = system::name_of(target.file_name().unwrap_or_default()).into_owned();
        let renamed = temporary.rename(&name, over.is_some());
        renamed.with_context(|| format!("{shown}: cannot finish the file"))?;
        Ok(Placed { folder, target })
    }
}

/// A new file that has its name.
pub(crate) struct Placed {
    folder: system::Entry,
    target: PathBuf,
}

impl Placed {
    /// Synchronises the folder of the file.
    pub(crate) fn synchronise(self) -> Result<()> {
        // fsync of the file does not cover its directory entry (fsync(2)): the rename needs one of its own.
        self.folder.sync().with_context(|| {
            let shown = escape_path(&self.target);
            format!(
                "{shown}: the new file is complete and in place, but its folder could not be synchronised"
            )
        })
    }
}

/// Fails if a manifest cannot have this name: before hours of reading, not after them.
pub(crate) fn check_manifest(target: &Path, force: bool) -> Result<()> {
    if let (Ok(about), false) = (fs::symlink_metadata(target), force) {
        // A FIFO is not opened. If a file cannot be read, --force will say so.
        let may_be_manifest = about.is_file() && begins_as(Kind::Manifest, target).unwrap_or(true);
        let hint = match may_be_manifest {
            true => "--force replaces a manifest",
            false => "it is not a manifest, so --force would not replace it either",
        };
        bail!("{}: exists already, not overwritten ({hint})", escape_path(target));
    }
    check_target(target, force).map(|_| ())
}

/// Fails if the target exists and may not be replaced. With `overwrite`, only an ordinary file that begins as
/// a manifest may be. Returns the metadata of that file, if there is one.
pub(crate) fn check_target(target: &Path, overwrite: bool) -> Result<Option<Metadata>> {
    check(target, overwrite.then_some(Kind::Manifest))
}

/// Does what [`check_target`] does, where `over` tells what may be replaced.
fn check(target: &Path, over: Option<Kind>) -> Result<Option<Metadata>> {
    match (fs::symlink_metadata(target), over) {
        (Ok(_), None) => bail!("{}: exists already, not overwritten", escape_path(target)),
        // Renaming over a link would replace the link, over a device the device.
        (Ok(about), Some(_)) if !about.is_file() => {
            bail!("{}: not an ordinary file, not overwritten", escape_path(target))
        }
        (Ok(about), Some(kind)) => {
            ensure!(
                begins_as(kind, target).with_context(|| {
                    format!(
                        "{}: cannot see whether it is a {}, not overwritten",
                        escape_path(target),
                        kind.name()
                    )
                })?,
                "{}: not a {}{}, not overwritten",
                escape_path(target),
                kind.name(),
                if about.len() == 0 { " but an empty file" } else { "" }
            );
            Ok(Some(about))
        }
        // A name that appears later is found by the second check or, without `overwrite`, by the rename.
        (Err(error), _) if error.kind() == io::ErrorKind::NotFound => {
            let is_folder = system::ends_as_folder(target.as_os_str());
            ensure!(
                !is_folder,
                "{}: cannot write there: it ends as the name of a folder",
                escape_path(target)
            );
            Ok(None)
        }
        (Err(error), _) => Err(error).with_context(|| format!("{}: cannot write there", escape_path(target))),
    }
}

/// Returns whether this may be a temporary file of a manifest or of its list, by its name and the beginning of its contents. It may
/// be empty, as its process may have been killed before the first write.
pub(crate) fn is_temporary(path: &Path) -> bool {
    has_temporary_name(path, TEMPORARY)
        && fs::symlink_metadata(path).is_ok_and(|about| {
            about.is_file()
                && (about.len() == 0
                    || Kind::ALL.iter().any(|kind| begins_as(*kind, path).is_ok_and(|is| is)))
        })
}

/// Returns whether the file begins as one of this kind.
fn begins_as(kind: Kind, path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    // Only the beginning: the file may be large.
    system::open_ordinary(path)?.take(67).read_to_end(&mut start)?;
    Ok(kind.begins(&start))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Each takes the disk milliseconds.
    #[test]
    fn a_file_is_synchronised_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("m");
        let mut new = NewFile::create(&target, PUBLIC, false).expect("create");
        new.write(b"contents").expect("write");
        new.synchronise().expect("synchronise");
        // A pipe cannot be synchronised.
        let (_reader, writer) = io::pipe().expect("a pipe");
        new.file = std::os::fd::OwnedFd::from(writer).into();
        new.commit().expect("commit");
        assert_eq!(fs::read(&target).expect("read"), b"contents");
    }
}
