//! The CPU, the date and the commit of a run.
use serde::Serialize;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The circumstances of a run, as records have them.
#[derive(Clone, Debug, Serialize)]
pub struct Environment {
    /// The CPU's name as the system reports it, with family and model if the system tells them.
    pub cpu: String,
    /// Commit of the project. It ends in `-dirty` if files differ, and begins with `before-` if this program
    /// is older than the code there. Outside the project's repository it is the version.
    pub commit: String,
    /// UTC date and time, as `2026-01-31T12:00:00Z`.
    pub date: String,
}

impl Environment {
    /// Reads the CPU from the system, the commit from git and the date from the clock.
    pub fn read() -> Environment {
        // A clock before 1970 makes the date wrong, but the figures are still of use.
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        Environment { cpu: cpu(), commit: commit(), date: utc(seconds) }
    }
}

fn cpu() -> String {
    // Only Linux has this file. Elsewhere no more than the architecture is known.
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        // The whole key must match, because `model` also begins `model name`.
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| format!("unknown {}", std::env::consts::ARCH));
    match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family} model {model})"),
        _ => name,
    }
}

/// The commit of the repository around the current folder. Outside of it, that of the sources this program
/// was built from, if they are still there, or else the version.
pub(crate) fn commit() -> String {
    let folders = [".", env!("CARGO_MANIFEST_DIR")];
    let version = || format!("v{}", env!("CARGO_PKG_VERSION"));
    folders.into_iter().find_map(commit_around).unwrap_or_else(version)
}

/// The commit of the repository around a folder, as [`Environment::commit`] describes it; `None` if
/// that is not this project's.
fn commit_around(folder: &str) -> Option<String> {
    let git = |arguments: &[&str]| {
        // git may be missing, or refuse a folder of a different user. The commit is then unknown, and no
        // error.
        let output = Command::new("git").args(["-C", folder]).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let top = git(&["rev-parse", "--show-toplevel"])?;
    // The commit of another project's repository says nothing about this program.
    std::path::Path::new(&top).join("crates/bench/Cargo.toml").exists().then_some(())?;
    // git chooses a length by the size of the repository. With a fixed one, records of all clones agree.
    let commit = git(&["describe", "--always", "--dirty", "--abbrev=10"])?;
    // Changes outside of the code do not make a program old.
    let changed = git(&["log", "-1", "--format=%ct", "--", ":/crates", ":/Cargo.lock"])?.parse().ok()?;
    Some(unless_older(commit, built()?, changed))
}

/// When this program was built, in seconds since 1970: the time at which its file was last modified.
fn built() -> Option<u64> {
    let modified = std::fs::metadata(std::env::current_exe().ok()?).ok()?.modified().ok()?;
    modified.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}

/// Marks a commit with `before-` if its code changed after the program was built: the program then measures other code.
fn unless_older(commit: String, built: u64, changed: u64) -> String {
    if built < changed { format!("before-{commit}") } else { commit }
}

/// Seconds since 1970 as a date (Hinnant's civil-from-days).
fn utc(seconds: u64) -> String {
    // Days are counted from 0000-03-01 in eras of 400 years, so that a leap day is the last day of a year.
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    // An era has 146,097 days. 719,468 of them are before 1970-01-01.
    let (era, day) = (days / 146_097, days % 146_097);
    // The quotients remove the leap days, before the rest is counted in years of 365 days.
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // From March on, each five months have 153 days.
    let shifted = (5 * day + 2) / 153;
    let (day, month) =
        (day - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_772_323_200), "2026-03-01T00:00:00Z");
        assert_eq!(utc(4_102_444_799), "2099-12-31T23:59:59Z");
    }

    #[test]
    fn something_is_known() {
        let here = Environment::read();
        assert!(!here.cpu.is_empty() && !here.commit.is_empty());
    }

    #[test]
    fn a_program_that_is_older_than_the_code_says_so() {
        assert_eq!(unless_older("abc".into(), 100, 101), "before-abc");
        assert_eq!(unless_older("abc".into(), 101, 101), "abc");
        assert!(built().is_some_and(|built| built > 1_700_000_000));
    }

    #[test]
    fn other_folders_have_no_commit_of_this_project() {
        assert_eq!(commit_around("/"), None);
    }
}
