//! Facts about the checkout and the computer, from git, `date` and `/proc/cpuinfo`.
use crate::shell;
use std::process::Command;

/// Files of some pathspecs that differ between a commit and HEAD.
pub(super) enum Changed {
    None,
    /// The first of these files, with a count if there are more, as text for the reason of a choice.
    Some(String),
}

/// Compares `commit` with HEAD. If this clone lacks the commit, all files count as changed.
pub(super) fn changed(commit: &str, pathspecs: &[&str]) -> Changed {
    if pathspecs.is_empty() {
        return Changed::None;
    }
    // Commits, not the files in the folder: a run tests what has landed.
    let range = format!("{commit}..HEAD");
    let mut diff = shell::command("git", &["diff", "--name-only", &range, "--"]);
    let Some(text) = text(diff.args(pathspecs)) else {
        return Changed::Some(format!("unknown, because {commit} is not in this clone"));
    };
    let count = text.lines().count();
    match text.lines().next() {
        None => Changed::None,
        Some(first) if count == 1 => Changed::Some(first.into()),
        Some(first) => Changed::Some(format!("{first} and {} more", count - 1)),
    }
}

/// The hash of HEAD; `0000000` outside of a repository, so that a line of the ledger stays valid.
pub(super) fn head() -> String {
    line("git", &["rev-parse", "HEAD"]).unwrap_or_else(|| "0000000".into())
}

/// Whether files that git tracks, other than the ledger, differ from HEAD.
pub(super) fn is_changed() -> bool {
    let exclude = format!(":(exclude){}", super::ledger::FILE);
    let mut status =
        shell::command("git", &["status", "--porcelain", "--untracked-files=no", "--", ".", &exclude]);
    // If git fails nothing is known about the files, so they count as changed.
    text(&mut status).is_none_or(|text| !text.is_empty())
}

/// Time of the commit HEAD in hours since 1970, UTC; 0 outside of a repository. It is not the clock, so that
/// a second run of one commit chooses the same.
pub(super) fn hours() -> u64 {
    let seconds = line("git", &["log", "-1", "--format=%ct"]).and_then(|text| text.parse::<u64>().ok());
    seconds.map_or(0, |seconds| seconds / 3600)
}

/// The current time in UTC, to the minute, in the form of the ledger.
pub(super) fn now() -> String {
    line("date", &["-u", "+%Y-%m-%dT%H:%MZ"]).unwrap_or_else(|| "1970-01-01T00:00Z".into())
}

/// The model name of the processor with its family and model number, which tell processors of one name apart.
pub(super) fn cpu() -> String {
    // On systems without the file every field is unknown, which only readers of the ledger notice.
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = about.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map_or("unknown", |(_, value)| value.trim())
    };
    format!("{} (family {} model {})", field("model name"), field("cpu family"), field("model"))
}

fn line(program: &str, args: &[&str]) -> Option<String> {
    text(&mut shell::command(program, args)).map(|text| text.trim().to_string())
}

fn text(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
