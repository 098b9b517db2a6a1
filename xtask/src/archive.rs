//! Archives of the same bytes whoever packs them, and when: sorted names, one time, no owners.
use crate::report::{Outcome, Stop};
use crate::shell::{self, failed};
use std::path::Path;

/// The time of files when there is neither `SOURCE_DATE_EPOCH` nor git: the first that a ZIP archive can hold.
const OLDEST: &str = "315532800";

/// Seconds since 1970 that archives give all their files: `SOURCE_DATE_EPOCH`, or the time of the commit.
pub(crate) fn epoch() -> String {
    let commit = || {
        let mut log = shell::command("git", &["log", "-1", "--format=%ct"]);
        // An unpacked source archive is not a repository.
        let out = log.stderr(std::process::Stdio::null()).output().ok().filter(|out| out.status.success())?;
        Some(String::from_utf8_lossy(&out.stdout).trim().to_string())
    };
    std::env::var("SOURCE_DATE_EPOCH").ok().or_else(commit).unwrap_or_else(|| OLDEST.into())
}

/// The same time as ISO 8601 writes it.
pub(crate) fn date() -> Result<String, Stop> {
    let mut date = shell::command("date", &["--utc", "+%Y-%m-%dT%H:%M:%SZ", "--date"]);
    Ok(shell::output(date.arg(format!("@{}", epoch())))?.trim().to_string())
}

/// Packs the folder `name` of `parent`, as a .tar.gz.
pub(crate) fn tar(parent: &Path, name: &str, file: &Path) -> Outcome {
    let mut tar = shell::command("tar", &["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--mtime=@{}", epoch())).arg("--mode=u=rwX,go=rX");
    // Without a name and a time in the header of gzip.
    tar.args(["-I", "gzip -9n", "-cf"]).arg(file).arg("-C").arg(parent);
    shell::run(tar.arg(name))
}

/// Packs the folder `name` of `parent`, as a .zip.
pub(crate) fn zip(parent: &Path, name: &str, file: &Path) -> Outcome {
    // zip has no options for order and time: the names come sorted, and files get the time.
    let list = shell::output(shell::command("find", &[name, "-type", "f"]).current_dir(parent))?;
    let mut names: Vec<&str> = list.lines().collect();
    names.sort_unstable();
    for path in &names {
        let mut touch = shell::command("touch", &["-d", &format!("@{}", epoch())]);
        shell::output(touch.arg(path).current_dir(parent))?;
    }
    remove(file)?;
    // -X: no owners, no times of access. Times in an archive are local.
    let mut zip = shell::command("zip", &["-X", "-q", "-9"]);
    shell::run(zip.arg(file).args(names).current_dir(parent).env("TZ", "UTC"))
}

/// Packs the checked-out commit, with this name for its folder. Git gives all files the time of the commit.
pub(crate) fn commit(name: &str, file: &Path) -> Outcome {
    let prefix = format!("--prefix={name}/");
    let mut archive = shell::command("git", &["archive", "--format=tar.gz", &prefix, "--output"]);
    shell::run(archive.arg(file).arg("HEAD"))
}

/// Removes a file or a folder, if it is there.
pub(crate) fn remove(path: &Path) -> Outcome {
    let removed = match path.symlink_metadata() {
        Ok(about) if about.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(_) => Ok(()),
    };
    removed.map_err(failed(path))
}

/// Copies a file, and makes the folder that it goes to.
pub(crate) fn copy(from: &Path, to: &Path) -> Outcome {
    let parent = to.parent().unwrap_or(to);
    let copied = std::fs::create_dir_all(parent).and_then(|()| std::fs::copy(from, to));
    copied.map(drop).map_err(|error| Stop::Failed(format!("{}: {error}", from.display())))
}

/// Copies the files of a folder, but not its folders.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Outcome {
    for entry in std::fs::read_dir(from).map_err(failed(from))?.filter_map(Result::ok) {
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
