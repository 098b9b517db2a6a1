//! Roots of Debian in which packages are installed.
use super::Place;
use crate::archive::{copy, remove};
use crate::report::{Outcome, Stop};
use crate::shell;
use std::path::{Path, PathBuf};

/// The stable release of Debian and the one before.
pub(super) const RELEASES: [&str; 2] = ["trixie", "bookworm"];

/// What becomes the release after them, with a newer Python.
pub(super) const NEXT: &str = "sid";

/// Packages besides the smallest system: a compiler, a libgf2x that ours takes the place of, and Python.
const INCLUDE: &str = "--include=gcc,libc6-dev,pkg-config,libgf2x3,python3-venv";

/// The version of Python in the stable release.
pub(super) const FOREIGN_PYTHON: &str = "3.13";

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
    if !packages.is_empty() {
        in_root(&root, &words)?;
    }
    Ok(root)
}

/// The root as debootstrap made it. It stays for later runs: making it takes two minutes.
fn base(release: &str) -> Result<PathBuf, Stop> {
    kept(release, &[INCLUDE, release], |_| Ok(()))
}

/// A root of the stable release for another architecture, with Python. Its packages are unpacked and not configured:
/// no program in it runs without an emulator.
pub(super) fn foreign(architecture: &str) -> Result<PathBuf, Stop> {
    let arch = format!("--arch={architecture}");
    kept(architecture, &["--foreign", &arch, "--include=python3", RELEASES[0]], |root| {
        let tar = "tar --extract --skip-old-files --keep-directory-symlink";
        let unpack =
            format!("for deb in var/cache/apt/archives/*.deb; do dpkg-deb --fsys-tarfile $deb | {tar}; done");
        shell::run(shell::command("sh", &["-c", &unpack]).current_dir(root))
    })
}

/// A root that debootstrap made by these arguments, now or in an earlier run.
fn kept(name: &str, arguments: &[&str], finish: impl Fn(&Path) -> Outcome) -> Result<PathBuf, Stop> {
    shell::need("debootstrap", "debootstrap")?;
    let (folder, made_by) = (shell::target_dir().join("roots"), arguments.join(" "));
    let (root, done) = (folder.join(name), folder.join(format!("{name}-is-complete")));
    if std::fs::read_to_string(&done).is_ok_and(|there| there == made_by) {
        return Ok(root);
    }
    remove(&root)?;
    let (release, options) = arguments.split_last().unwrap_or((&"", &[]));
    let mut make = shell::command("debootstrap", &["--variant=minbase"]);
    if shell::run(make.args(options).arg(release).arg(&root)).is_err() {
        return Err(Stop::NotExercised(format!("debootstrap cannot make a root of {name}")));
    }
    finish(&root)?;
    shell::write(&done, made_by)?;
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

pub(super) fn need_root() -> Outcome {
    match shell::output(&mut shell::command("id", &["-u"]))?.trim() {
        "0" => Ok(()),
        _ => Err(Stop::NotExercised("chroot needs root".into())),
    }
}
