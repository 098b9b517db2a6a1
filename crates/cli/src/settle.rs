//! Lists folders again that changed while they were listed, until they are stable.
//!
//! A file renamed during a listing may be missing from it, although it existed all the time. Timestamps show
//! this: a folder whose times are equal before and after was listed correctly. The exception is a change
//! within the last tick of the file system's clock, which leaves the times equal.
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::exit::reason;
use crate::progress::{Progress, Stopped};
use crate::system;

/// Two ticks of the slowest clock that Linux uses for file times, 100 Hz. File systems with whole seconds,
/// such as FAT, are slower.
const PAUSE: Duration = Duration::from_millis(20);
/// Most listings of a folder, with a pause before each.
const ATTEMPTS: usize = 10;
/// The error for a folder that keeps changing.
pub(crate) const RESTLESS: &str = "its entries changed again and again while they were listed";

/// Identity and times of a folder. They differ after its entries changed, or another folder took its place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Times {
    identity: (u64, u64),
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Times {
    fn of(path: &Path) -> io::Result<Self> {
        // Links are followed, as the listing of the folder follows them.
        let about = system::stat(path)?;
        Ok(Self { identity: about.identity, modified: about.modified, changed: about.changed })
    }

    /// Returns whether the folder changed so recently that another change might leave its times equal.
    fn are_fresh(self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (seconds, nanoseconds) = self.changed;
        i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds) + PAUSE.as_nanos() as i128
            > now.as_nanos() as i128
    }
}

/// A folder that a walk is about to list, with its times before that.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    times: Option<Times>,
    fresh: bool,
}

/// The result of another listing.
enum Again {
    /// The folder was stable: these entries existed at the same time.
    Holds(Vec<PathBuf>),
    /// The folder changed during the listing, or just before.
    Restless,
    /// The folder no longer exists, which the folder above it shows.
    Gone,
}

impl Folder {
    /// Examines a folder before its entries are read.
    pub(crate) fn before_listing(path: &Path) -> Self {
        // A folder that cannot be examined has no times, so it is listed again.
        let times = Times::of(path).ok();
        Self { path: path.into(), times, fresh: times.is_some_and(Times::are_fresh) }
    }

    /// Returns whether a listing that has ended since was complete.
    fn has_settled(&self) -> bool {
        !self.fresh && self.times.is_some() && Times::of(&self.path).ok() == self.times
    }

    /// Lists the folder again, at least [`PAUSE`] after the previous look.
    fn list_again(&mut self) -> io::Result<Again> {
        let list = || -> io::Result<_> {
            let before = Times::of(&self.path)?;
            // Times before and after enclose the listing.
            let names = fs::read_dir(&self.path)?.map(|entry| Ok(entry?.path()));
            Ok((before, names.collect::<io::Result<_>>()?, Times::of(&self.path)?))
        };
        match list() {
            Ok((before, names, after)) => {
                // Equal times since the previous look, a pause ago, are as good as old ones.
                let rested = self.times == Some(before) || !before.are_fresh();
                self.times = Some(after);
                Ok(if rested && before == after { Again::Holds(names) } else { Again::Restless })
            }
            // Its removal changed the folder above it, which is listed again for that reason.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(Again::Gone)
            }
            Err(error) => Err(error),
        }
    }
}

/// The result of listing unstable folders again.
#[derive(Default)]
pub(crate) struct Settled {
    /// All entries of folders that became stable.
    pub(crate) entries: Vec<PathBuf>,
    /// The other folders, each with its error.
    pub(crate) errors: Vec<(PathBuf, String)>,
}

/// Lists folders again that changed since they were examined, or just before, until they are stable.
/// Gives up after [`ATTEMPTS`] listings.
pub(crate) fn settle(mut folders: Vec<Folder>, progress: &Progress) -> Result<Settled, Stopped> {
    let mut settled = Settled::default();
    // Most folders are stable, so that the pauses below are rarely needed.
    folders.retain(|folder| !folder.has_settled());
    for _ in 0..ATTEMPTS {
        if folders.is_empty() {
            break;
        }
        progress.go_on()?;
        // One pause for all folders that are left, not one for each.
        thread::sleep(PAUSE);
        folders.retain_mut(|folder| match folder.list_again() {
            Ok(Again::Restless) => true,
            Ok(Again::Gone) => false,
            Ok(Again::Holds(entries)) => {
                settled.entries.extend(entries);
                false
            }
            Err(error) => {
                settled.errors.push((folder.path.clone(), reason(&error)));
                false
            }
        });
    }
    settled.errors.extend(folders.into_iter().map(|folder| (folder.path, RESTLESS.into())));
    Ok(settled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Style;

    fn quiet() -> Progress {
        Progress::new(Style::Never)
    }

    #[test]
    fn a_folder_at_rest_is_not_listed_again() {
        let place = tempfile::tempdir().expect("a folder");
        thread::sleep(2 * PAUSE);
        let folder = Folder::before_listing(place.path());
        let settled = settle(vec![folder], &quiet()).expect("not stopped");
        assert!(settled.entries.is_empty() && settled.errors.is_empty());
        // One that has just changed is, though its times stay.
        fs::write(place.path().join("a"), "").expect("write");
        let folder = Folder::before_listing(place.path());
        let settled = settle(vec![folder], &quiet()).expect("not stopped");
        assert_eq!(settled.entries, [place.path().join("a")]);
    }

    #[test]
    fn a_folder_that_changed_meanwhile_is_listed_again() {
        let place = tempfile::tempdir().expect("a folder");
        thread::sleep(2 * PAUSE);
        let folder = Folder::before_listing(place.path());
        fs::write(place.path().join("late"), "").expect("write");
        let settled = settle(vec![folder], &quiet()).expect("not stopped");
        assert_eq!(settled.entries, [place.path().join("late")]);
    }

    #[test]
    fn a_folder_that_is_gone_is_no_error_here() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::before_listing(place.path());
        drop(place);
        let settled = settle(vec![folder], &quiet()).expect("not stopped");
        assert!(settled.entries.is_empty() && settled.errors.is_empty());
    }
}
