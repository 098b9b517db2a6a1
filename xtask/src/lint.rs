//! `cargo xtask lint`: form, warnings, licences of dependencies, and the project's own rules.
use crate::report::{Outcome, Report, Stop, fail};
use crate::{faults, shell, text};

/// The workspaces of this repository: the manifest, and the features without which some programs would not be built.
const WORKSPACES: &[(&str, &[&str])] = &[
    (
        "Cargo.toml",
        &[
            "--features",
            "xtask/backends,xtask/pages,xtask/soundness,carryless-bench/crrl,carryless-bench/hqc-kem,carryless-bench/all-curves,carryless-lab/curves,carryless-lab/fields",
        ],
    ),
    ("ctime/Cargo.toml", &[]),
    ("fuzz/Cargo.toml", &[]),
    ("crates/poly1305/patch/Cargo.toml", &[]),
    ("crates/poly1305/patch-0.8/Cargo.toml", &[]),
    ("crates/pqcrypto-hqc/user/Cargo.toml", &[]),
    ("crates/rustls/Cargo.toml", &["--features", "ring"]),
    ("crates/capi/Cargo.toml", &[]),
    ("crates/provider/Cargo.toml", &[]),
    ("wasm/Cargo.toml", &[]),
    ("python/Cargo.toml", &[]),
];

/// Libraries that are also checked with no features and with all, as users may build them.
pub(crate) const LIBRARIES: [&str; 9] = [
    "carryless-lanes",
    "carryless-hash",
    "carryless-gf2",
    "carryless-aead",
    "carryless-ec",
    "carryless-hqc",
    "carryless-poly1305",
    "carryless-pqcrypto-hqc",
    "carryless",
];
const FEATURES: [&[&str]; 2] = [&["--no-default-features"], &["--all-features"]];
/// A set of features that is checked by itself: without `alloc` curves have no prepared points, so code
/// for those would be unused.
const PARTS: (&str, &[&str]) = ("carryless-gf2", &["--no-default-features", "--features", "curves"]);

pub(crate) fn run(report: &mut Report, args: &[String]) {
    match args {
        [] => {
            form(report);
            deny(report);
            clippy(report);
        }
        [part] if part == "form" => form(report),
        [part] if part == "deny" => deny(report),
        [part] if part == "clippy" => clippy(report),
        _ => report.step("lint", || fail("the parts are form, deny and clippy")),
    }
}

/// Checks that compile nothing and take seconds: format, lock files, places of faults, and text.
fn form(report: &mut Report) {
    report.step("rustfmt", || {
        // `--all` reaches the packages of one workspace only.
        for (manifest, _) in WORKSPACES {
            shell::run(&mut shell::cargo(&["fmt", "--all", "--check", "--manifest-path", manifest]))?;
        }
        Ok(())
    });
    report.step("lock files", || {
        for (manifest, _) in WORKSPACES {
            // `--locked` fails if a lock file does not fit its manifest. The listing itself is of no use.
            let arguments = ["metadata", "--locked", "--format-version", "1", "--manifest-path", manifest];
            shell::run(shell::cargo(&arguments).stdout(std::process::Stdio::null()))?;
        }
        Ok(())
    });
    report.step("planted faults have their places", faults::fit);
    report.step("text", text::check);
}

/// Checks licences, sources and versions of the dependencies. Advisories need a database from outside any package
/// registry: `cargo xtask release` fetches it.
fn deny(report: &mut Report) {
    report.step("licences, sources and versions of dependencies", || {
        deny_all(&["licenses", "sources", "bans"])
    });
}

/// Runs checks of cargo-deny on the dependencies of all workspaces.
pub(crate) fn deny_all(checks: &[&str]) -> Outcome {
    if !shell::succeeds("cargo-deny", &["--version"]) {
        return Err(Stop::NotExercised("cargo-deny is not installed; cargo install cargo-deny".into()));
    }
    for (manifest, _) in WORKSPACES {
        let mut deny = shell::command("cargo-deny", &["--manifest-path", manifest]);
        shell::run(deny.args(["--config", "deny.toml", "check"]).args(checks))?;
    }
    Ok(())
}

/// Runs clippy on all workspaces, then on the libraries with few and with all features. It compiles everything.
fn clippy(report: &mut Report) {
    report.step("clippy", || {
        for (manifest, features) in WORKSPACES {
            let mut clippy =
                shell::cargo(&["clippy", "--workspace", "--all-targets", "--manifest-path", manifest]);
            // After `--` the flag is for our packages only. In RUSTFLAGS it would rebuild all dependencies.
            shell::run(clippy.args(*features).args(["--", "-D", "warnings"]))?;
        }
        Ok(())
    });
    report.step("clippy of the libraries with few features, and with all", || {
        // One package at a time: cargo unites the features of packages that it builds together.
        let pairs = LIBRARIES.iter().flat_map(|&package| FEATURES.map(|features| (package, features)));
        for (package, features) in pairs.chain([PARTS]) {
            let mut clippy = shell::cargo(&["clippy", "-p", package, "--lib"]);
            shell::run(clippy.args(features).args(["--", "-D", "warnings"]))?;
        }
        Ok(())
    });
}
