//! Checks whether others may read or replace a key file, by its access list.
use std::fs::File;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use carryless_filemap::windows::{RIGHTS_FILE, RIGHTS_FOLDER, access};

use super::{READ_CONTROL, examine};

/// Fails if anybody but this user, the administrators and the system may read or write a key file.
pub(crate) fn check_readers(file: &File) -> Result<()> {
    let found = access(file, RIGHTS_FILE).context("cannot examine who may read it")?;
    if let Some(other) = found.others.first() {
        bail!("{other} may read or write this key: remove that permission, or use --insecure-key-file");
    }
    Ok(())
}

/// Fails unless a key file belongs to this user, the administrators or the system.
pub(crate) fn check_holder(file: &File) -> Result<()> {
    check_owner(access(file, RIGHTS_FILE).context("cannot examine who may read it")?.owner, "this key")
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
pub(crate) fn check_folder(folder: &Path) -> Result<()> {
    let found = access(&examine(folder, 0, READ_CONTROL)?, RIGHTS_FOLDER).context("cannot examine it")?;
    check_owner(found.owner, "it")?;
    if let Some(other) = found.others.first() {
        bail!("{other} may replace the key there: keep the key elsewhere, or use --insecure-key-file");
    }
    Ok(())
}
