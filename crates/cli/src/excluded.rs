//! Files that a walk leaves out.
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::system;

/// A file that the walk leaves out: the key or the manifest. It is identified by folder, name and inode, so
/// that another hard link to it is still found.
pub(crate) struct Excluded {
    folder: PathBuf,
    name: OsString,
    identity: (u64, u64),
}

impl Excluded {
    /// Returns the files to leave out for a path of the user: the entry itself and, if it is a link, its target.
    pub(crate) fn at(path: &Path) -> Vec<Self> {
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
    pub(crate) fn is(&self, path: &Path) -> bool {
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
