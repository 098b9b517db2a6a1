//! The `.gitignore` files of a tree, which the walk opens by their names.
use std::fs;
use std::path::Path;

/// Most bytes of a `.gitignore` file.
const MOST: u64 = 1 << 20;

/// Returns why the `.gitignore` of a folder must not be opened, if it has one: a FIFO would hold up the walk, a device or a
/// sparse file fill the memory, and a link lead to patterns that the manifest does not protect.
///
/// The walk opens the file later, by its path. So this does not protect from others who replace it in between.
pub(crate) fn refused(folder: &Path) -> Option<String> {
    // What cannot be examined is not opened either.
    let about = fs::symlink_metadata(folder.join(".gitignore")).ok()?;
    let reason = match (about.is_file(), about.len() > MOST) {
        (false, _) => "not an ordinary file",
        (true, true) => "longer than 1 MiB",
        (true, false) => return None,
    };
    Some(format!("its .gitignore is {reason}, so that the folder is not read"))
}
