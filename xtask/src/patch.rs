//! `cargo xtask patch`: the packages that take the place of RustCrypto's poly1305 by `[patch]`.
//!
//! chacha20poly1305 runs on them, with the oldest dependencies too, and a program without an allocator links.
use crate::oldest;
use crate::report::{Outcome, Report, fail};
use crate::shell::{self, failed, write};

/// The packages, each a workspace of its own in whose tests chacha20poly1305 runs on our Poly1305.
const PACKAGES: [&str; 2] = ["crates/poly1305/patch", "crates/poly1305/patch-0.8"];

/// A target without an operating system, and so without an allocator.
const BARE_METAL: &str = "thumbv7em-none-eabihf";

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("chacha20poly1305 by [patch]", tests);
    report.step("oldest dependencies of the packages for [patch]", oldest_dependencies);
    report.step("a program without an allocator", bare_metal);
}

/// Runs the tests of both packages.
fn tests() -> Outcome {
    PACKAGES.iter().try_for_each(|package| {
        let manifest = format!("{package}/Cargo.toml");
        shell::run_tests(&mut shell::cargo(&["test", "--locked", "--manifest-path", &manifest]))
    })
}

/// Runs the same tests in a copy of the tree, with the oldest versions of all dependencies that are allowed.
fn oldest_dependencies() -> Outcome {
    let copy = oldest::Copy::new("oldest-patch")?;
    PACKAGES.iter().try_for_each(|package| {
        let manifest = format!("{package}/Cargo.toml");
        copy.resolve("-Zminimal-versions", &manifest)?;
        shell::run(&mut copy.cargo("test", &manifest))
    })
}

/// Links a program for [`BARE_METAL`] that uses both packages, and checks that neither came from the registry.
fn bare_metal() -> Outcome {
    shell::need_target(BARE_METAL)?;
    let folder = shell::target_dir().join("bare-metal");
    write(&folder.join("src/main.rs"), include_str!("patch/bare_metal.rs"))?;
    write(&folder.join("Cargo.toml"), manifest())?;
    let mut build = shell::cargo(&["build", "--target", BARE_METAL, "--manifest-path"]);
    // A target folder of its own: the program is not part of this workspace.
    shell::run(build.arg(folder.join("Cargo.toml")).env("CARGO_TARGET_DIR", folder.join("target")))?;
    let lock = std::fs::read_to_string(folder.join("Cargo.lock")).map_err(failed(&folder))?;
    // In a lock file only packages of a registry or repository have a source; those of a path have none.
    let registry = |text: &&str| text.contains("name = \"poly1305\"") && text.contains("source = ");
    match lock.split("[[package]]").find(registry) {
        Some(package) => fail(format!("a poly1305 of the registry is in the program: {}", package.trim())),
        None => Ok(()),
    }
}

fn manifest() -> String {
    let [newer, older] = PACKAGES.map(|package| shell::root().join(package));
    // Both patches are for `poly1305`, and keys of the table must be unique, so the older one has another
    // key.
    format!(
        "[package]\nname = \"bare-metal\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         chacha20poly1305-0-10 = {{ package = \"chacha20poly1305\", version = \"0.10\", default-features = false }}\n\
         chacha20poly1305-0-11 = {{ package = \"chacha20poly1305\", version = \"0.11\", default-features = false }}\n\
         [patch.crates-io]\npoly1305 = {{ path = {newer:?} }}\npoly1305-0-8 = {{ package = \"poly1305\", path = {older:?} }}\n"
    )
}
