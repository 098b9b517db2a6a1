//! A copy of the tree whose lock files are resolved to the oldest versions that the manifests allow.
use crate::report::{Outcome, Stop};
use crate::shell;
use std::path::PathBuf;
use std::process::Command;

/// What git has of the tree, in a folder for what is built.
pub(crate) struct Copy(PathBuf);

impl Copy {
    /// A new copy; what an earlier one compiled stays.
    pub(crate) fn new(name: &str) -> Result<Copy, Stop> {
        let copy = Copy(shell::target_dir().join(name));
        let _ = std::fs::remove_dir_all(copy.0.join("tree"));
        let prefix = format!("--prefix={}/", copy.0.join("tree").display());
        shell::run(&mut shell::command("git", &["checkout-index", "--all", &prefix]))?;
        Ok(copy)
    }

    /// A file of the copy.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.0.join("tree").join(path)
    }

    /// Writes the lock file of a manifest anew; `-Zminimal-versions` and `-Zdirect-minimal-versions` are cargo's ways.
    pub(crate) fn resolve(&self, way: &str, manifest: &str) -> Outcome {
        let mut resolve = shell::nightly(&[way, "update", "--manifest-path"])?;
        shell::run(resolve.arg(self.file(manifest)))
    }

    /// Cargo with that lock file.
    pub(crate) fn cargo(&self, subcommand: &str, manifest: &str) -> Command {
        let mut cargo = shell::cargo(&[subcommand, "--locked", "--manifest-path"]);
        cargo.arg(self.file(manifest)).env("CARGO_TARGET_DIR", self.0.join("target"));
        cargo
    }
}
