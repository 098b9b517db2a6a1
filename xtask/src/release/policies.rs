//! Policies of a release that take too long, or too much of the network, for every landing. RELEASING.md
//! names those that other chores check.
use super::crates;
use crate::report::{Outcome, Report, Stop, fail};
use crate::text::addresses;
use crate::{lint, publish, shell};

/// A policy: its name in the summary and for `--only`, and its check.
type Policy = (&'static str, fn() -> Outcome);

pub(super) const ALL: [Policy; 5] = [
    ("policy-repository", repository),
    ("policy-install", crates::install),
    ("policy-oldest-rust", oldest_rust),
    ("policy-advisories", advisories),
    ("policy-semver", semver),
];

/// Manifests of what users build, besides those of [`publish::MANIFESTS`].
const BUILT: [&str; 4] =
    ["crates/capi/Cargo.toml", "crates/provider/Cargo.toml", "python/Cargo.toml", "wasm/Cargo.toml"];

pub(super) fn run(report: &mut Report, takes: impl Fn(&str) -> bool) {
    for (name, check) in ALL.into_iter().filter(|(name, _)| takes(name)) {
        report.step(name, check);
    }
}

/// Every package names the repository, as registries and their readers expect.
fn repository() -> Outcome {
    let complaints = addresses::complaints()?;
    if !complaints.is_empty() {
        return fail(complaints.join("; "));
    }
    match addresses::repository()? {
        Some(address) => println!("{address}"),
        None => return Err(Stop::NotExercised("Cargo.toml names no repository".into())),
    }
    Ok(())
}

/// The oldest Rust of the manifests compiles every package as it is by default, and the libraries with all features.
fn oldest_rust() -> Outcome {
    const RUST: &str = env!("CARGO_PKG_RUST_VERSION");
    if !shell::succeeds("rustup", &["run", RUST, "cargo", "--version"]) {
        return Err(Stop::NotExercised(format!("no Rust {RUST}; rustup toolchain install {RUST}")));
    }
    let check = |manifest: &str, arguments: &[&str]| {
        let mut check = shell::command(
            "rustup",
            &["run", RUST, "cargo", "check", "--locked", "--manifest-path", manifest],
        );
        // Cargo sets these for the program that it runs, and they would lead back to this toolchain.
        check.args(arguments).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
        shell::run(check.env("CARGO_TARGET_DIR", shell::target_dir().join("oldest-rust")))
    };
    publish::MANIFESTS.into_iter().chain(BUILT).try_for_each(|manifest| check(manifest, &["--workspace"]))?;
    lint::LIBRARIES
        .into_iter()
        .try_for_each(|library| check(publish::MANIFESTS[0], &["--package", library, "--all-features"]))
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
    // The tag that is being released contains this commit.
    let list = ["tag", "--list", "v*", "--sort=-version:refname", "--no-contains", "HEAD"];
    let tags = shell::output(&mut shell::command("git", &list))?;
    let Some(last) = tags.lines().next() else {
        return Err(Stop::NotExercised("nothing was released that this version could differ from".into()));
    };
    if !shell::succeeds("cargo", &["semver-checks", "--version"]) {
        let why = "cargo-semver-checks is not installed; cargo install cargo-semver-checks";
        return Err(Stop::NotExercised(why.into()));
    }
    println!("compared with {last}");
    publish::MANIFESTS.into_iter().try_for_each(|manifest| {
        let mut check = shell::cargo(&["semver-checks", "--workspace", "--baseline-rev", last]);
        shell::run(check.args(["--manifest-path", manifest]))
    })
}
