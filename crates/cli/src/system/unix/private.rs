//! Checks whether others may read or replace a key file.
use std::fs::{self, File, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::geteuid;

/// Fails if anybody but its owner has a permission on a key file.
pub(crate) fn check_readers(file: &File) -> Result<()> {
    let about = file.metadata().context("cannot examine it")?;
    // As with ssh: neither group nor others may have any permission.
    if about.mode() & 0o077 != 0 {
        bail!(
            "others may read or write this key (mode {:03o}): chmod 600 it, or use --insecure-key-file",
            about.mode() & 0o777
        );
    }
    Ok(())
}

/// Fails unless a key file belongs to this user or to root.
pub(crate) fn check_holder(file: &File) -> Result<()> {
    check_owner(&file.metadata().context("cannot examine it")?, "this key")
}

/// Fails unless the file or folder belongs to this user or to root.
fn check_owner(about: &Metadata, what: &str) -> Result<()> {
    // The effective user: under its rights the key is opened, in a setuid program too.
    let user = geteuid().as_raw();
    ensure!(
        [0, user].contains(&about.uid()),
        "{what} belongs to user {}, who may change it, not to you ({user}) or root: chown it, or use --insecure-key-file",
        about.uid()
    );
    Ok(())
}

/// Fails if others may replace files in this folder.
///
/// As ssh does for its own files, it refuses folders that everybody may write to, even with the sticky bit,
/// such as /tmp. A group with the number of the folder's owner counts as private: Linux distributions give
/// each user such a group.
pub(crate) fn check_folder(folder: &Path) -> Result<()> {
    // stat, not lstat: if the folder is a link, the mode of the link itself means nothing.
    let about = fs::metadata(folder).context("cannot examine it")?;
    check_owner(&about, "it")?;
    let others = if about.gid() == about.uid() { 0o002 } else { 0o022 };
    ensure!(
        about.mode() & others == 0,
        "others may replace the key there (mode {:04o}): keep the key elsewhere, or use --insecure-key-file",
        about.mode() & 0o7777
    );
    Ok(())
}
