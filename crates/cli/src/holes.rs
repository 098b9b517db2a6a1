//! Holes of sparse files: ranges that have no blocks on the disk, and read as zeros.
use std::fs::File;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::system::{self, Stat};

/// How long ago a file must have changed before the system is believed about its holes. File systems have called data a
/// hole that was written but not yet on the disk (OpenZFS until 2.2.2, which writes every five seconds).
const SETTLED: Duration = Duration::from_secs(15);

/// Whether a file may have holes that need not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holes(bool);

impl Holes {
    /// No holes: everything is read.
    pub(crate) const UNKNOWN: Self = Self(false);

    /// Tells from the state of a file, which costs nothing, whether the system is believed.
    pub(crate) fn of(about: &Stat) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        // Programs that copy files set an old time of modification, but not that of the last change.
        let latest = about.modified.0.max(about.changed.0);
        Self(i128::from(now) - i128::from(latest) > i128::from(SETTLED.as_secs()))
    }

    /// Returns whether this range lies in a hole. If the file changes meanwhile, the answer means nothing.
    pub(crate) fn cover(self, file: &File, at: u64, length: usize) -> bool {
        self.0 && system::next_data(file, at).is_some_and(|data| data - at >= length as u64)
    }
}
