//! Roots of Debian in which packages are installed.
use super::Place;
use crate::archive::{copy, remove};
use crate::report::{Outcome, Stop};
use crate::shell;
use std::path::{Path, PathBuf};

/// The stable release of Debian and the one before.
pub(super) const RELEASES: [&str; 2] = ["trixie", "bookworm"];

/// Packages besides the smallest system: a compiler, and a libgf2x that ours takes the place of.
const INCLUDE: &str = "--include=gcc,libc6-dev,pkg-config,libgf2x3";

/// Installs packages in a new root of a release, as a user does, and returns the root.
pub(super) fn with(place: &Place, release: &str, packages: &[PathBuf]) -> Result<PathBuf, Stop> {
    let root = place.work.join("root");
    remove(&root)?;
    shell::run(shell::command("cp", &["-a", "--reflink=auto"]).args([&base(release)?, &root]))?;
    let mut names = Vec::new();
    for package in packages {
        let name = package.file_name().unwrap_or_default();
        copy(package, &root.join(name))?;
        names.push(format!("/{}", name.to_string_lossy()));
    }
    let words: Vec<&str> =
        ["dpkg", "--install"].into_iter().chain(names.iter().map(String::as_str)).collect();
    in_root(&root, &words)?;
    Ok(root)
}

/// The root as debootstrap made it. It stays for later runs: making it takes two minutes.
fn base(release: &str) -> Result<PathBuf, Stop> {
    shell::need("debootstrap", "debootstrap")?;
    let (folder, done) = (shell::target_dir().join("roots"), format!("{release}-is-complete"));
    let root = folder.join(release);
    if folder.join(&done).exists() {
        return Ok(root);
    }
    remove(&root)?;
    let mut make = shell::command("debootstrap", &["--variant=minbase", INCLUDE, release]);
    if shell::run(make.arg(&root)).is_err() {
        return Err(Stop::NotExercised(format!("debootstrap cannot make a root of {release}")));
    }
    shell::write(&folder.join(done), INCLUDE)?;
    Ok(root)
}

/// Runs a program with this folder as its root, which must take ten seconds at most.
pub(super) fn in_root(root: &Path, words: &[&str]) -> Outcome {
    need_root()?;
    super::quickly(shell::command("chroot", &[]).arg(root).args(words))
}

/// What a program in this root prints.
pub(super) fn output(root: &Path, words: &[&str]) -> Result<String, Stop> {
    need_root()?;
    shell::output(shell::command("chroot", &[]).arg(root).args(words))
}

fn need_root() -> Outcome {
    match shell::output(&mut shell::command("id", &["-u"]))?.trim() {
        "0" => Ok(()),
        _ => Err(Stop::NotExercised("chroot needs root".into())),
    }
}
