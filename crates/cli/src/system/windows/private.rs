//! Checks whether others may read or replace a key file, by its access list.
use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use carryless_filemap::windows::{RIGHTS_FILE, RIGHTS_FOLDER, access};

use super::{READ_CONTROL, examine};
use crate::name::{escape_path, parent};

/// Fails unless a key file is private to this user.
///
/// Nobody but this user, the administrators and the system may read or write it. If it was opened by a path, it must also
/// belong to one of these, and so must its folder, in which nobody else may replace it.
pub(crate) fn check(file: &File, path: Option<&Path>) -> Result<()> {
    let found = access(file, RIGHTS_FILE).context("cannot examine who may read it")?;
    if let Some(other) = found.others.first() {
        bail!("{other} may read or write this key: remove that permission, or use --insecure-key-file");
    }
    let Some(path) = path else { return Ok(()) };
    // The owner could change the list and read or replace the key at any time.
    check_owner(found.owner, "this key")?;
    let behind = fs::canonicalize(path).context("cannot find its folder")?;
    // Two folders matter: that of a link, whose target could be changed, and that of the file itself.
    for path in [path, &behind] {
        let folder = parent(path);
        check_folder(folder).with_context(|| format!("its folder {}", escape_path(folder)))?;
    }
    Ok(())
}

fn check_owner(owner: Option<String>, what: &str) -> Result<()> {
    match owner {
        None => Ok(()),
        Some(owner) => bail!(
            "{what} belongs to {owner}, who may change it, not to you or the administrators: take it over, or use --insecure-key-file"
        ),
    }
}

/// Fails if others may replace files in this folder.
fn check_folder(folder: &Path) -> Result<()> {
    let found = access(&examine(folder, 0, READ_CONTROL)?, RIGHTS_FOLDER).context("cannot examine it")?;
    check_owner(found.owner, "it")?;
    if let Some(other) = found.others.first() {
        bail!("{other} may replace the key there: keep the key elsewhere, or use --insecure-key-file");
    }
    Ok(())
}
