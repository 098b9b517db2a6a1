//! Checks whether others may read or replace a key file.
use std::fs::{self, File, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::name::{escape_path, parent};
use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::geteuid;

/// Fails unless a key file is private to this user.
///
/// Nobody else may read or write it. If it was opened by a path, it must also belong to this user or to root,
/// and so must its folder, in which nobody else may replace it.
pub(crate) fn check(file: &File, path: Option<&Path>) -> Result<()> {
    let about = file.metadata().context("cannot examine it")?;
    // As with ssh: neither group nor others may have any permission.
    if about.mode() & 0o077 != 0 {
        bail!(
            "others may read or write this key (mode {:03o}): chmod 600 it, or use --insecure-key-file",
            about.mode() & 0o777
        );
    }
    let Some(path) = path else { return Ok(()) };
    // The owner could change the mode and read or replace the key at any time.
    check_owner(&about, "this key")?;
    let behind = fs::canonicalize(path).context("cannot find its folder")?;
    // Two folders matter: that of a link, whose target could be changed, and that of the file itself.
    for path in [path, &behind] {
        let folder = parent(path);
        check_folder(folder).with_context(|| format!("its folder {}", escape_path(folder)))?;
    }
    Ok(())
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
fn check_folder(folder: &Path) -> Result<()> {
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
