//! Policies of a release that take too long, or too much of the network, for every landing. RELEASING.md
//! names those that other chores check.
use crate::report::{Outcome, Report, Stop};
use crate::{lint, shell};

/// A policy: its name in the summary and for `--only`, and its check.
type Policy = (&'static str, fn() -> Outcome);

pub(super) const ALL: [Policy; 3] =
    [("policy-oldest-rust", oldest_rust), ("policy-advisories", advisories), ("policy-semver", semver)];

pub(super) fn run(report: &mut Report, takes: impl Fn(&str) -> bool) {
    for (name, check) in ALL.into_iter().filter(|(name, _)| takes(name)) {
        report.step(name, check);
    }
}

/// The oldest Rust of the manifests compiles every package.
fn oldest_rust() -> Outcome {
    const RUST: &str = env!("CARGO_PKG_RUST_VERSION");
    if !shell::succeeds("rustup", &["run", RUST, "cargo", "--version"]) {
        return Err(Stop::NotExercised(format!("no Rust {RUST}; rustup toolchain install {RUST}")));
    }
    let mut check = shell::command("rustup", &["run", RUST, "cargo", "check", "--workspace", "--locked"]);
    // Cargo sets these for the program that it runs, and they would lead back to this toolchain.
    check.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    shell::run(check.env("CARGO_TARGET_DIR", shell::target_dir().join("oldest-rust")))
}

/// No dependency has a known defect that its users must act on.
fn advisories() -> Outcome {
    // Without the program the check below says so.
    if shell::succeeds("cargo-deny", &["--version"]) && !shell::succeeds("cargo-deny", &["fetch", "db"]) {
        return Err(Stop::NotExercised("the database of advisories cannot be fetched".into()));
    }
    lint::deny_all(&["advisories"])
}

/// No public item of a library package was removed or changed since the last release, unless the version says so.
fn semver() -> Outcome {
    let tags =
        shell::output(&mut shell::command("git", &["tag", "--list", "v*", "--sort=-version:refname"]))?;
    let Some(last) = tags.lines().next() else {
        return Err(Stop::NotExercised("nothing was released that this version could differ from".into()));
    };
    if !shell::succeeds("cargo", &["semver-checks", "--version"]) {
        let why = "cargo-semver-checks is not installed; cargo install cargo-semver-checks";
        return Err(Stop::NotExercised(why.into()));
    }
    println!("compared with {last}");
    shell::run(&mut shell::cargo(&["semver-checks", "--workspace", "--baseline-rev", last]))
}
