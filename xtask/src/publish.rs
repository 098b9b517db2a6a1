//! `cargo xtask publish`: every package could be published as it is, and builds with the oldest dependencies that it names.
//!
//! Nothing is uploaded.
use crate::lint::LIBRARIES;
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell::Streams;
use crate::{oldest, shell};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that each package carries, besides its source.
const REQUIRED: [&str; 3] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// A package that is published after those of the root workspace, on which it is built, and the packages that it then
/// takes from the registry.
const LAST: (&str, [&str; 3]) = ("crates/rustls/Cargo.toml", ["hqc", "gf2", "lanes"]);

/// The manifests of the workspaces whose packages are published.
pub(crate) const MANIFESTS: [&str; 2] = ["Cargo.toml", LAST.0];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("files of each package", files);
    report.step("cargo publish --dry-run", dry_run);
    report.step("cargo publish --dry-run of carryless-rustls", || {
        dry_run_of_last(&shell::target_dir().join("publish")).map(drop)
    });
    report.step("oldest dependencies", oldest_dependencies);
}

fn files() -> Outcome {
    for folder in published()? {
        let manifest = folder.join("Cargo.toml");
        // The chore runs before a commit, when files may differ from HEAD.
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
    folders.push(shell::root().join("lab"));
    // A folder without a manifest is no package.
    folders.retain(|folder| {
        std::fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| !text.contains("publish = false"))
    });
    folders.sort();
    Ok(folders)
}

/// Builds each package against those before it, from a registry that cargo makes in the target folder. Cargo
/// takes a version in a registry for immutable, so neither unpacked sources nor compiled packages of an
/// earlier run may be left.
fn dry_run() -> Outcome {
    let target = shell::target_dir().join("publish");
    // Before the first run there is nothing to remove.
    let _ = std::fs::remove_dir_all(&target);
    remove_unpacked()?;
    upload(shell::cargo(&["publish", "--workspace"]).env("CARGO_TARGET_DIR", target))?;
    remove_unpacked()
}

/// Packs every package without compiling it, in `package/tmp-crate` of a target folder. Returns the names in the order in which they
/// are published.
pub(crate) fn pack(target: &Path) -> Result<Vec<String>, Stop> {
    let mut all = shell::cargo(&["publish", "--workspace", "--no-verify"]);
    let mut order = upload(all.env("CARGO_TARGET_DIR", target))?;
    order.extend(dry_run_of_last(target)?);
    Ok(order)
}

/// Runs a command of `cargo publish` that uploads nothing, and returns the packages that it would upload, in order.
fn upload(publish: &mut Command) -> Result<Vec<String>, Stop> {
    let mut order = Vec::new();
    publish.args(["--dry-run", "--locked", "--allow-dirty"]);
    let status = shell::watch(publish, Streams::Error, |line| {
        let package = line.trim_start().strip_prefix("Uploading ");
        order.extend(package.and_then(|rest| rest.split(' ').next()).map(String::from));
    })?;
    match (status.success(), order.is_empty()) {
        (true, false) => Ok(order),
        (true, true) => fail("cargo publish names no package"),
        _ => fail(format!("cargo publish: {status}")),
    }
}

/// Packs the last package as it would be published, with the folders of packages that are in no registry yet. `cargo xtask
/// rustls` compiles it.
fn dry_run_of_last(target: &Path) -> Result<Vec<String>, Stop> {
    let (manifest, packages) = LAST;
    let mut publish = shell::cargo(&["publish", "--no-verify", "--manifest-path", manifest]);
    publish.env("CARGO_TARGET_DIR", target);
    for package in packages {
        let path = shell::root().join("crates").join(package);
        publish.arg("--config").arg(format!("patch.crates-io.carryless-{package}.path={path:?}"));
    }
    upload(&mut publish)
}

/// Removes our packages from cargo's home, where cargo unpacks them from the registry on disk.
fn remove_unpacked() -> Outcome {
    let Some(home) = cargo_home() else { return Ok(()) };
    let Ok(registries) = std::fs::read_dir(home.join("registry/src")) else { return Ok(()) };
    // The name of a registry's folder begins with its host, which a registry on disk does not have.
    let on_disk = registries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with('-'));
    for package in on_disk.filter_map(|registry| std::fs::read_dir(registry.path()).ok()).flatten().flatten()
    {
        if package.file_name().to_string_lossy().starts_with("carryless-") {
            let path = package.path();
            std::fs::remove_dir_all(&path)
                .map_err(|error| Stop::Failed(format!("{}: {error}", path.display())))?;
        }
    }
    Ok(())
}

fn cargo_home() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// Runs `cargo check` in a copy of the tree, with the oldest versions of direct dependencies that the manifests allow:
/// of all packages as they are by default, and of the libraries with all features.
fn oldest_dependencies() -> Outcome {
    let copy = oldest::Copy::new("oldest-dependencies")?;
    // All members share one version of a package, and carryless-hash allows older ones than the others.
    // `patch` checks those.
    let hash = copy.file("crates/hash/Cargo.toml");
    let text = std::fs::read_to_string(&hash).map_err(shell::failed(&hash))?;
    shell::write(&hash, text.replace("ctutils = \"0.4\"", "ctutils.workspace = true"))?;
    for manifest in MANIFESTS {
        copy.resolve("-Zdirect-minimal-versions", manifest)?;
        shell::run(copy.cargo("check", manifest).arg("--workspace"))?;
    }
    shell::run(copy.cargo("check", LAST.0).arg("--all-features"))?;
    LIBRARIES.into_iter().try_for_each(|library| {
        shell::run(copy.cargo("check", MANIFESTS[0]).args(["--package", library, "--all-features"]))
    })
}
