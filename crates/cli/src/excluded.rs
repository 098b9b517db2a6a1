//! Files that a walk leaves out: the key, the manifest, and, when recording, temporary files beside it.
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::output::is_temporary;
use crate::system;

/// What a walk leaves out, as it belongs to the command itself.
#[derive(Default)]
pub(crate) struct LeftOut {
    entries: Vec<Excluded>,
    /// The folders, without links, in which temporary files of the manifest may be.
    folders: Vec<PathBuf>,
}

impl LeftOut {
    /// Leaves out a key file and a manifest, each with the file to which it leads if it is a link, and temporary files
    /// beside the manifest.
    pub(crate) fn to_record(key: Option<&Path>, manifest: Option<&Path>) -> Self {
        let folders = manifest.and_then(canonical_parent).into_iter().collect();
        Self { folders, ..Self::to_verify(key, manifest) }
    }

    /// Leaves out a key file and a manifest. Anybody can write a file that looks like a temporary one, so that a
    /// verification hides none.
    pub(crate) fn to_verify(key: Option<&Path>, manifest: Option<&Path>) -> Self {
        let entries = [key, manifest].into_iter().flatten().flat_map(Excluded::at).collect();
        Self { entries, folders: Vec::new() }
    }

    /// Returns whether this is the key or the manifest.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.entries.iter().any(|entry| entry.is(path))
    }

    /// Returns whether this is a temporary file of a manifest: of another run, or of one that was killed.
    ///
    /// Name and folder must fit, and the contents must begin as a manifest or be missing, so that nothing else hides
    /// behind such a name.
    pub(crate) fn is_temporary(&self, path: &Path) -> bool {
        is_temporary(path) && canonical_parent(path).is_some_and(|folder| self.folders.contains(&folder))
    }
}

/// A file that the walk leaves out. It is identified by folder, name and inode, so
/// that another hard link to it is still found.
struct Excluded {
    folder: PathBuf,
    name: OsString,
    identity: (u64, u64),
}

impl Excluded {
    /// Returns the files to leave out for a path of the user: the entry itself and, if it is a link, its target.
    fn at(path: &Path) -> Vec<Self> {
        // A path that does not exist, such as that of a new manifest, gives nothing to leave out.
        let behind = fs::canonicalize(path).ok();
        [Self::entry(path), behind.as_deref().and_then(Self::entry)].into_iter().flatten().collect()
    }

    /// Identifies a directory entry, without following a link.
    fn entry(path: &Path) -> Option<Self> {
        let about = system::stat_link(path).ok()?;
        let name = path.file_name()?.to_owned();
        Some(Self { folder: canonical_parent(path)?, name, identity: about.identity })
    }

    /// Returns whether `path` is this directory entry. Asks the file system only if the last name is equal.
    fn is(&self, path: &Path) -> bool {
        // Folder and inode are compared: a hard link or a copy elsewhere in the tree must be recorded.
        path.file_name() == Some(&self.name)
            && system::stat_link(path).is_ok_and(|about| about.identity == self.identity)
            && canonical_parent(path).as_ref() == Some(&self.folder)
    }
}

/// Returns the folder that contains the last name of the path, with all links resolved.
fn canonical_parent(path: &Path) -> Option<PathBuf> {
    let parent = path.parent()?;
    fs::canonicalize(if parent.as_os_str().is_empty() { Path::new(".") } else { parent }).ok()
}
