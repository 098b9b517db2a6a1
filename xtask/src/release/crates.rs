//! The source: packages for the registry of Rust, and the archive of the commit from which others build.
use super::checks::unpack;
use super::{Artefact, Place, VERSION};
use crate::report::{Outcome, Stop, fail};
use crate::shell::{self, failed};
use crate::{archive, publish};
use std::path::{Path, PathBuf};

/// Lists the packages in the order in which `cargo publish` takes them.
const ORDER: &str = "crates-in-order.txt";

pub(super) fn artefact() -> Artefact {
    Artefact::new("crates", pack, use_them)
}

pub(super) fn source() -> Artefact {
    Artefact::new("source", |place| Ok(vec![archive_of_commit(place)?]), unpack_source)
}

fn pack(place: &Place) -> Result<Vec<PathBuf>, Stop> {
    let target = place.work.join("crates");
    let order = publish::pack(&target)?;
    let mut files = Vec::new();
    for package in &order {
        let name = format!("{package}-{VERSION}.crate");
        archive::copy(&target.join("package/tmp-crate").join(&name), &place.file(&name))?;
        files.push(place.file(&name));
    }
    let list = place.file(ORDER);
    shell::write(&list, order.join("\n") + "\n")?;
    files.push(list);
    Ok(files)
}

/// A program that takes the packages for those of the registry.
const PROGRAM: &str = r#"fn main() {
    let (key, message) = ([0x42; 32], b"attack at dawn");
    let tag = carryless::poly1305::mac(&key, message);
    assert!(carryless::poly1305::verify(&key, message, &tag).is_ok());
    assert!(carryless::poly1305::verify(&key, b"attack at noon", &tag).is_err());
}
"#;

/// Unpacks the packages in a folder, and returns cargo's arguments by which they stand for those of the registry.
fn unpack_all(files: &[PathBuf], folder: &Path) -> Result<Vec<String>, Stop> {
    let ending = format!("-{VERSION}.crate");
    let mut patches = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let Some(package) = name.strip_suffix(&ending) else { continue };
        unpack(file, folder)?;
        let path = folder.join(format!("{package}-{VERSION}"));
        patches.push(format!("--config=patch.crates-io.{package}.path={path:?}"));
    }
    Ok(patches)
}

/// Installs the command from its package, as users do, and prints how long it takes.
pub(super) fn install() -> Outcome {
    let work = shell::target_dir().join("policy-install");
    archive::remove(&work)?;
    let packed = work.join("target");
    let names = publish::pack(&packed)?;
    let file = |name: &String| packed.join(format!("package/tmp-crate/{name}-{VERSION}.crate"));
    let patches = unpack_all(&names.iter().map(file).collect::<Vec<_>>(), &work)?;
    let command = work.join(format!("carryless-cli-{VERSION}"));
    // Or cargo would take the one above it for its workspace.
    let manifest = command.join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).map_err(failed(&manifest))?;
    shell::write(&manifest, text + "\n[workspace]\n")?;
    let mut install = shell::cargo(&["install", "--path"]);
    install.arg(&command).arg("--root").arg(work.join("installed"));
    let begin = std::time::Instant::now();
    shell::run(install.args(patches).current_dir(&work).env("CARGO_TARGET_DIR", work.join("build")))?;
    println!("cargo install: {:.0} s", begin.elapsed().as_secs_f64());
    shell::run(shell::command(work.join("installed/bin/carryless"), &["--version"]).current_dir(&work))
}

/// Runs a program on the packages. That each compiles as packed, `cargo xtask publish` checks.
fn use_them(place: &Place, files: &[PathBuf]) -> Outcome {
    let folder = place.empty("user-of-crates")?;
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\ncarryless = \"{VERSION}\"\n"
    );
    let patches = unpack_all(files, &folder)?;
    shell::write(&folder.join("Cargo.toml"), manifest)?;
    shell::write(&folder.join("src/main.rs"), PROGRAM)?;
    let mut run = shell::cargo(&["run", "--quiet", "--manifest-path"]);
    // The optimiser would take a minute.
    run.arg(folder.join("Cargo.toml")).args(patches).env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
    shell::run(run.env("CARGO_TARGET_DIR", place.work.join("user-of-crates-target")))
}

fn title() -> String {
    format!("carryless-{VERSION}")
}

/// Packs the checked-out commit as recipes of distributions and package managers take it.
fn archive_of_commit(place: &Place) -> Result<PathBuf, Stop> {
    let file = place.file(format!("{}.tar.gz", title()));
    archive::commit(&title(), &file)?;
    Ok(file)
}

/// Reads the unpacked source where there is no repository.
fn unpack_source(place: &Place, files: &[PathBuf]) -> Outcome {
    let folder = place.empty("source")?;
    unpack(&files[0], &folder)?;
    let manifest = folder.join(title()).join("Cargo.toml");
    let metadata = ["metadata", "--locked", "--no-deps", "--format-version", "1", "--manifest-path"];
    let text = shell::output(shell::cargo(&metadata).arg(&manifest))?;
    let members = text.matches("\"manifest_path\":").count();
    println!("{members} packages");
    complete(&folder.join(title()), members)
}

/// Fails unless the source has its licences and packages.
fn complete(folder: &Path, members: usize) -> Outcome {
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let file = folder.join(licence);
        file.metadata().map_err(failed(&file))?;
    }
    if members == 0 { fail("no packages in the archive") } else { Ok(()) }
}
