//! Files that are checked against a list of another program before they are recorded.
use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;

use super::TagArgs;
use crate::about::About;
use crate::manifest::Body;
use crate::read_error::ReadError;

/// The states of files in which they had the digests of a list.
#[derive(Default)]
pub(super) struct Listed {
    states: BTreeMap<Vec<u8>, About>,
    /// Whether the list has all files.
    all: bool,
}

impl Listed {
    /// Adds the states of all files: those without one could not be read when the list was made.
    pub(super) fn add_all(&mut self, states: BTreeMap<Vec<u8>, About>) {
        self.states.extend(states);
        self.all = true;
    }

    /// Fails if a file is in another state than that which was checked, or if it was not checked but its record would
    /// be that of a checked file.
    pub(super) fn check(&self, name: &[u8], body: &Body) -> Result<(), ReadError> {
        match (self.states.get(name), body) {
            (Some(checked), Body::File(_, about)) if !checked.same_state(about) => Err(ReadError::Changed),
            (None, Body::File(..)) if self.all => Err(ReadError::Changed),
            // The digest is that of the target, which a recorded link does not protect.
            (Some(_), Body::Link(_)) => Err(ReadError::ListedLink),
            _ => Ok(()),
        }
    }
}

/// Checks the files of `--from-list`, if it is given, and adds their names to `paths` if there are none.
///
/// Fails if a file is not as in the list.
#[cfg(feature = "lists")]
pub(super) fn check(
    args: &TagArgs,
    paths: &mut Vec<PathBuf>,
    pool: &rayon::ThreadPool,
) -> Result<Option<Listed>> {
    use crate::exit::complain;
    use crate::lists::List;
    use crate::manifest::MAX_MANIFEST_MIB;
    use crate::name::escape;
    use crate::part::Part;
    use crate::progress::Progress;

    let Some(file) = &args.from_list else { return Ok(None) };
    let list = List::read(file, MAX_MANIFEST_MIB)?;
    let progress = Progress::new(args.read.style(args.quiet));
    let (mut states, mut wrong) = (BTreeMap::new(), 0);
    list.examine(args.read.base(), &Part::default(), pool, &progress, |name, (verdict, state)| {
        if let Some(state) = state {
            states.insert(name.to_vec(), state);
        } else {
            wrong += 1;
            let what = verdict.message.as_deref().unwrap_or(verdict.status.word());
            progress.aside(|| complain(&format!("{}: {what}", escape(name))));
        }
        Ok(())
    })?;
    progress.finish();
    let all = states.len() + wrong;
    anyhow::ensure!(wrong == 0, "no manifest written: {wrong} of {all} files are not as in {}", list.shown);
    if paths.is_empty() {
        *paths = list.paths();
    }
    Ok(Some(Listed { states, all: false }))
}

/// Checks nothing: this build reads no lists.
#[cfg(not(feature = "lists"))]
pub(super) fn check(_: &TagArgs, _: &mut Vec<PathBuf>, _: &rayon::ThreadPool) -> Result<Option<Listed>> {
    Ok(None)
}
