//! Holes of sparse files: ranges that have no blocks on the disk, and read as zeros.
use std::fs::File;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::Stat;

/// How long ago a file must have been modified before the system is believed about its holes. File systems have called
/// data a hole that was written but not yet on the disk (OpenZFS until 2.2.2, for seconds).
const SETTLED: Duration = Duration::from_secs(60);

/// Whether a file may have holes that need not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holes(bool);

impl Holes {
    /// No holes: everything is read.
    pub(crate) const UNKNOWN: Self = Self(false);

    /// Tells from the state of a file, which costs nothing, whether asking for holes is worth it.
    #[allow(clippy::unnecessary_cast, reason = "the types of these fields depend on the platform")]
    pub(crate) fn of(about: &Stat) -> Self {
        let blocks = i128::from(about.st_blocks as i64) * 512;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let age = i128::from(now) - i128::from(about.st_mtime as i64);
        Self(blocks < i128::from(about.st_size as i64) && age > i128::from(SETTLED.as_secs()))
    }

    /// Returns whether this range lies in a hole. If the file changes meanwhile, the answer means nothing.
    pub(crate) fn cover(self, file: &File, at: u64, length: usize) -> bool {
        self.0 && next_data(file, at).is_some_and(|data| data - at >= length as u64)
    }
}

/// Returns where data begin, at this place or later; `u64::MAX` if none do. `None` if the system cannot tell.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple"))]
fn next_data(file: &File, at: u64) -> Option<u64> {
    // It moves the offset of the descriptor, which positioned reads do not use.
    match rustix::fs::seek(file, rustix::fs::SeekFrom::Data(at)) {
        Ok(data) => Some(data.max(at)),
        Err(rustix::io::Errno::NXIO) => Some(u64::MAX),
        Err(_) => None,
    }
}

/// Returns `None`: this system cannot tell.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_vendor = "apple")))]
fn next_data(_: &File, _: u64) -> Option<u64> {
    None
}
