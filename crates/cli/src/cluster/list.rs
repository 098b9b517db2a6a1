//! The listing of a run: files found by the walk of the command, or objects listed by the caller.
use std::io;
use std::path::Path;

use anyhow::{Result, ensure};
use rayon::prelude::*;

use super::task::Listed;
use crate::exit::reason;
use crate::read::moment;
use crate::scope::{Scope, Symlinks, is_below};
use crate::system;
use crate::walk::{Item, Kind, Walked, is_selected, patterns};

/// The error for .gitignore policies, which need a file system.
pub(super) const NO_GITIGNORE: &str = "files .gitignore are obeyed in trees of this computer only";

/// Size and identity of each item that is a file, or the reason why they are unknown. `None` for other items.
pub(super) type Abouts = Vec<Option<Result<Listed, String>>>;

/// Examines the files that a walk has found, in parallel.
pub(super) fn examine(base: &Path, scope: &Scope, items: &[Item]) -> Abouts {
    let about = |name: &[u8]| {
        // With links followed, workers open the target: its times and size count.
        let stat = if scope.symlinks == Symlinks::Follow { system::stat } else { system::stat_link };
        let path = system::join(base, name).ok_or(io::ErrorKind::NotFound);
        let found = path.map_err(io::Error::from).and_then(|path| stat(&path));
        match found {
            Ok(about) => {
                // The state before reading: a worker refuses a file whose state differs by then.
                let identity = moment(&about).as_flattened().into();
                Ok(Listed { name: name.into(), size: about.size, identity })
            }
            Err(error) => Err(reason(&error)),
        }
    };
    // In parallel: on a network file system each stat waits for the server.
    items.par_iter().map(|item| (item.kind == Kind::File).then(|| about(&item.name))).collect()
}

/// Selects objects by the scope, as the walk would have found them if they were files. Sorts them by name.
pub(super) fn select(
    scope: &Scope,
    mut objects: Vec<Listed>,
    mut errors: Vec<(Vec<u8>, String)>,
) -> Result<(Walked, Abouts)> {
    ensure!(!scope.gitignore, NO_GITIGNORE);
    // Objects have no base folder: their names are relative to nothing.
    let filter = patterns(Path::new(""), scope)?;
    objects.retain(|Listed { name, .. }| {
        let mut roots = scope.roots.iter().filter(|root| is_below(name, root));
        roots.any(|root| is_selected(&filter, name, root))
            // Strange names are errors if the filters select them, even outside of the roots.
            || (!is_name(name) && is_selected(&filter, name, b"."))
    });
    objects.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    // The caller may list an object twice; a manifest has each name once.
    objects.dedup_by(|a, b| a.name == b.name);
    let (objects, strange): (Vec<_>, _) = objects.into_iter().partition(|object| is_name(&object.name));
    let no_name = "no name that a file can have: it is empty, begins or ends with a slash, or has empty, . or .. between slashes, or a zero byte";
    errors.extend(strange.into_iter().map(|object: Listed| (object.name.into(), no_name.into())));
    // Sorted, so that the findings do not depend on the order in which the caller lists.
    errors.sort_unstable();
    errors.dedup();
    let items = objects.iter().map(|object| Item { name: object.name.clone(), kind: Kind::File }).collect();
    let walked = Walked { items, errors, ..Walked::default() };
    Ok((walked, objects.into_iter().map(|object| Some(Ok(object))).collect()))
}

/// Returns whether a file can have this name: relative, and without empty, `.` or `..` components and zero bytes.
fn is_name(name: &[u8]) -> bool {
    !name.contains(&0) && name.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."))
}
