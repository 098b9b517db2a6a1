//! Where artefacts come from: lists of what is linked (SBOM), how they were made (provenance), and a signature.
use super::binaries::SYSTEMS;
use super::wheels::WHEELS;
use super::{Artefact, Place, SUMS, VERSION, clibrary, sha256, tools};
use crate::notice;
use crate::report::{Outcome, Stop, fail};
use crate::shell::{self, failed};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const PROVENANCE: &str = "provenance.json";

/// The signature of the sums.
pub(super) const SIGNED: &str = "SHA256SUMS.minisig";

/// Files that the provenance does not name: it is among the sums itself.
const LAST: [&str; 3] = [SUMS, SIGNED, PROVENANCE];

/// The environment variable that names the secret key of minisign; its public key is the file of that name with `.pub`.
const KEY: &str = "CARRYLESS_RELEASE_KEY";

pub(super) fn artefacts() -> Vec<Artefact> {
    // It names the sums of all files in the folder.
    let provenance = Artefact {
        reproducible: false,
        ..Artefact::new("provenance", |place| Ok(vec![provenance(place)?]), check_provenance)
    };
    vec![Artefact::new("materials", materials, |_, files| check_materials(files)), provenance]
}

/// The lists of the command and the wheel for each system, and of the C library.
fn materials(place: &Place) -> Result<Vec<PathBuf>, Stop> {
    let commands = SYSTEMS.iter().map(|system| (format!("carryless-{}", system.name), system.linked()));
    let wheels = WHEELS.iter().map(|wheel| (format!("carryless-python-{}", wheel.name), wheel.linked()));
    let library = ("carryless-c-linux-x86_64".into(), clibrary::linked());
    let mut files = Vec::new();
    for (name, linked) in commands.chain(wheels).chain([library]) {
        let file = place.file(format!("{name}-{VERSION}.cdx.json"));
        write(&file, &notice::materials(&linked)?)?;
        files.push(file);
    }
    Ok(files)
}

fn write(file: &Path, value: &Value) -> Outcome {
    shell::write(file, format!("{value:#}\n"))
}

/// Every component must have a sum and a licence, which a list made by hand would lack.
fn check_materials(files: &[PathBuf]) -> Outcome {
    for file in files {
        let list = read(file)?;
        let components = list["components"].as_array().map_or(&[][..], Vec::as_slice);
        println!("{}: {} packages", file.display(), components.len());
        if components.is_empty() || !components.iter().all(is_complete) {
            return fail(format!("{} is not complete", file.display()));
        }
    }
    Ok(())
}

fn is_complete(component: &Value) -> bool {
    let sum = component["hashes"][0]["content"].as_str().unwrap_or_default();
    let licence = component["licenses"][0]["expression"].as_str().unwrap_or_default();
    sum.len() == 64 && !licence.is_empty()
}

fn read(file: &Path) -> Result<Value, Stop> {
    let text = std::fs::read_to_string(file).map_err(failed(file))?;
    serde_json::from_str(&text).map_err(|error| Stop::Failed(format!("{}: {error}", file.display())))
}

/// The files that the provenance names, with their sums.
fn subjects(place: &Place) -> Result<Vec<Value>, Stop> {
    let mut subjects = Vec::new();
    for file in place.files()? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !LAST.contains(&name.as_str()) {
            subjects.push(json!({ "name": name, "digest": { "sha256": sha256(&file)? } }));
        }
    }
    Ok(subjects)
}

/// What artefacts are made of: the commit, and the lock files of all workspaces and tools.
fn dependencies() -> Result<Vec<Value>, Stop> {
    let commit = git(&["rev-parse", "HEAD"])?;
    let mut all = vec![json!({ "uri": "git:HEAD", "digest": { "gitCommit": commit.trim() } })];
    for lock in git(&["ls-files", "*Cargo.lock", "*package-lock.json"])?.lines() {
        let sum = sha256(&shell::root().join(lock))?;
        all.push(json!({ "uri": format!("file:{lock}"), "digest": { "sha256": sum } }));
    }
    Ok(all)
}

fn git(arguments: &[&str]) -> Result<String, Stop> {
    shell::output(&mut shell::command("git", arguments))
}

/// The provenance as in-toto and SLSA 1.0 write it: the sums of all files, the commit, and the programs that made them.
fn provenance(place: &Place) -> Result<PathBuf, Stop> {
    let Some(arguments) = &place.whole else {
        return Err(Stop::NotExercised("not made: with --only, other runs made the other files".into()));
    };
    if !git(&["status", "--porcelain"])?.trim().is_empty() {
        return Err(Stop::NotExercised("not made: there are changes that are not committed".into()));
    }
    let command = format!("cargo xtask release {arguments}");
    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects(place)?,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "carryless:xtask-release/1",
                "externalParameters": { "version": VERSION, "command": command.trim() },
                "internalParameters": {
                    "SOURCE_DATE_EPOCH": crate::archive::epoch(),
                    "rustc": shell::output(&mut shell::command("rustc", &["-vV"]))?,
                    "tools": tools::TOOLS,
                },
                "resolvedDependencies": dependencies()?,
            },
            "runDetails": { "builder": { "id": "carryless:xtask" } },
        },
    });
    let file = place.file(PROVENANCE);
    write(&file, &statement).map(|()| file)
}

/// The provenance names all files with the sums that they have now, and all lock files.
fn check_provenance(place: &Place, files: &[PathBuf]) -> Outcome {
    let statement = read(&files[0])?;
    let named = &statement["predicate"]["buildDefinition"]["resolvedDependencies"];
    if statement["subject"] != json!(subjects(place)?) || *named != json!(dependencies()?) {
        return fail("the provenance differs from the files");
    }
    println!("{} files", statement["subject"].as_array().map_or(0, Vec::len));
    Ok(())
}

/// Signs the sums, if a key is given, and verifies the signature.
pub(super) fn sign(place: &Place) -> Outcome {
    let Ok(key) = std::env::var(KEY) else {
        return Err(Stop::NotExercised(format!("not made: {KEY} names no key of minisign")));
    };
    if !shell::succeeds("minisign", &["-v"]) {
        return Err(Stop::NotExercised(
            "not made: minisign is not installed; apt-get install minisign".into(),
        ));
    }
    let sums = place.file(SUMS);
    // A key with a password would be asked for on the terminal, which this process does not pass on.
    let comment = format!("carryless {VERSION}");
    let mut sign = shell::command("minisign", &["-S", "-t", &comment, "-s", &key, "-m"]);
    shell::run(sign.arg(&sums))?;
    let public = format!("{key}.pub");
    shell::run(shell::command("minisign", &["-V", "-q", "-p", &public, "-m"]).arg(&sums))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_without_a_sum_is_found() {
        let component =
            |sum: &str| json!({ "hashes": [{ "content": sum }], "licenses": [{ "expression": "MIT" }] });
        assert!(is_complete(&component(&"0".repeat(64))));
        assert!(!is_complete(&component("")));
        assert!(!is_complete(&json!({ "hashes": [{ "content": "0".repeat(64) }] })));
    }

    #[test]
    fn the_provenance_names_every_lock_file() {
        let Ok(all) = dependencies() else { panic!("git cannot be read") };
        for lock in ["Cargo.lock", "python/Cargo.lock", "wasm/tools/package-lock.json"] {
            assert!(all.iter().any(|one| one["uri"] == format!("file:{lock}")), "{lock}");
        }
    }
}
