//! `cargo xtask publish`: every package could be published as it is, and builds with the oldest dependencies that it names.
//!
//! Nothing is uploaded.
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use std::path::PathBuf;

/// Files that each package carries, besides its source.
const REQUIRED: [&str; 3] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("files of each package", files);
    report.step("cargo publish --dry-run", || {
        shell::run(&mut shell::cargo(&["publish", "--dry-run", "--workspace", "--locked", "--allow-dirty"]))
    });
    report.step("oldest dependencies", oldest_dependencies);
}

fn files() -> Outcome {
    for folder in published()? {
        let manifest = folder.join("Cargo.toml");
        let mut list = shell::cargo(&["package", "--list", "--allow-dirty", "--manifest-path"]);
        let list = shell::output(list.arg(&manifest))?;
        if let Some(file) = REQUIRED.iter().find(|file| list.lines().all(|line| line != **file)) {
            return fail(format!("{}: the package has no {file}", folder.display()));
        }
    }
    Ok(())
}

/// The folders of the packages that are not marked `publish = false`.
fn published() -> Result<Vec<PathBuf>, Stop> {
    let crates = shell::root().join("crates");
    let entries =
        std::fs::read_dir(&crates).map_err(|error| Stop::Failed(format!("{}: {error}", crates.display())))?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|folder| {
        std::fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| !text.contains("publish = false"))
    });
    folders.sort();
    Ok(folders)
}

/// Checks a copy of the tree, whose lock file is resolved to the oldest versions that the manifests allow.
fn oldest_dependencies() -> Outcome {
    let copy = shell::target_dir().join("oldest-dependencies");
    let _ = std::fs::remove_dir_all(copy.join("tree"));
    let prefix = format!("--prefix={}/tree/", copy.display());
    shell::run(&mut shell::command("git", &["checkout-index", "--all", &prefix]))?;
    let manifest = copy.join("tree/Cargo.toml");
    let mut resolve = shell::nightly(&["-Zdirect-minimal-versions", "generate-lockfile", "--manifest-path"])?;
    shell::run(resolve.arg(&manifest))?;
    let mut check = shell::cargo(&["check", "--workspace", "--locked", "--manifest-path"]);
    shell::run(check.arg(&manifest).env("CARGO_TARGET_DIR", copy.join("target")))
}
