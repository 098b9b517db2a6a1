//! A copy of the tree whose lock files are resolved to the oldest versions that the manifests allow.
use crate::report::{Outcome, Stop};
use crate::shell;
use std::path::PathBuf;
use std::process::Command;

/// A folder in the target folder, with `tree`, the files in git's index, and `target` for what is built.
pub(crate) struct Copy(PathBuf);

impl Copy {
    /// Writes a new copy. The `target` of an earlier one stays, so that cargo rebuilds only what changed.
    pub(crate) fn new(name: &str) -> Result<Copy, Stop> {
        let copy = Copy(shell::target_dir().join(name));
        // Before the first run there is nothing to remove. Later, `checkout-index` fails on any file that
        // stays.
        let _ = std::fs::remove_dir_all(copy.0.join("tree"));
        // git puts the prefix before each path as it is, so the slash must be part of it.
        let prefix = format!("--prefix={}/", copy.0.join("tree").display());
        shell::run(&mut shell::command("git", &["checkout-index", "--all", &prefix]))?;
        Ok(copy)
    }

    /// Path of a file in the copy; `path` is relative to the root of the checkout.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.0.join("tree").join(path)
    }

    /// Resolves the lock file of a manifest anew. `way` is a flag of nightly cargo: `-Zminimal-versions` for
    /// all dependencies, `-Zdirect-minimal-versions` for direct ones.
    pub(crate) fn resolve(&self, way: &str, manifest: &str) -> Outcome {
        let mut resolve = shell::nightly(&[way, "update", "--manifest-path"])?;
        shell::run(resolve.arg(self.file(manifest)))
    }

    /// A cargo command for a manifest of the copy, which fails if the lock file would change.
    pub(crate) fn cargo(&self, subcommand: &str, manifest: &str) -> Command {
        let mut cargo = shell::cargo(&[subcommand, "--locked", "--manifest-path"]);
        cargo.arg(self.file(manifest)).env("CARGO_TARGET_DIR", self.0.join("target"));
        cargo
    }
}
