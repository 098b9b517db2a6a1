//! Where artefacts come from: lists of what is linked (SBOM), how they were made (provenance), and a signature.
use super::binaries::SYSTEMS;
use super::{Artefact, LICENCE, Place, VERSION, clibrary, languages, sha256, tools};
use crate::notice;
use crate::report::{Outcome, Stop, fail};
use crate::shell::{self, failed};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const PROVENANCE: &str = "provenance.json";

/// Files that the provenance does not name: it is among the sums itself.
const LAST: [&str; 3] = ["SHA256SUMS", "SHA256SUMS.minisig", PROVENANCE];

/// The environment variable that names the secret key of minisign; its public key is the file of that name with `.pub`.
const KEY: &str = "CARRYLESS_RELEASE_KEY";

pub(super) fn artefacts() -> Vec<Artefact> {
    // It names the sums of all files in the folder.
    let provenance = Artefact {
        reproducible: false,
        ..Artefact::new("provenance", |place| Ok(vec![provenance(place)?]), |_, _| Ok(()))
    };
    vec![Artefact::new("materials", materials, |_, files| check_materials(files)), provenance]
}

/// The lists of the command, the C library and the wheel, for Linux on x86-64.
fn materials(place: &Place) -> Result<Vec<PathBuf>, Stop> {
    let all = [
        ("carryless", SYSTEMS[0].linked()),
        ("carryless-c", clibrary::linked()),
        ("carryless-python", languages::linked()),
    ];
    let mut files = Vec::new();
    for (name, linked) in all {
        let file = place.file(format!("{name}-{VERSION}.cdx.json"));
        write(&file, &notice::materials(&linked)?)?;
        files.push(file);
    }
    Ok(files)
}

fn write(file: &Path, value: &Value) -> Outcome {
    shell::write(file, format!("{value:#}\n"))
}

/// Every component must have a sum and a licence that `deny.toml` allows, which a list made by hand would lack.
fn check_materials(files: &[PathBuf]) -> Outcome {
    for file in files {
        let text = std::fs::read_to_string(file).map_err(failed(file))?;
        let sums = text.matches("\"alg\": \"SHA-256\"").count();
        let components = text.matches("\"bom-ref\"").count();
        println!("{}: {components} packages", file.display());
        if components == 0 || sums != components || !text.contains(LICENCE) {
            return fail(format!("{} is not complete", file.display()));
        }
    }
    Ok(())
}

/// The provenance as in-toto and SLSA 1.0 write it: the sums of all files, the commit, and the programs that made them.
fn provenance(place: &Place) -> Result<PathBuf, Stop> {
    let git = |arguments: &[&str]| shell::output(&mut shell::command("git", arguments));
    if !git(&["status", "--porcelain"])?.trim().is_empty() {
        return Err(Stop::NotExercised("not made: there are changes that are not committed".into()));
    }
    let mut subjects = Vec::new();
    for file in place.files()? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !LAST.contains(&name.as_str()) {
            subjects.push(json!({ "name": name, "digest": { "sha256": sha256(&file)? } }));
        }
    }
    let lock = shell::root().join("Cargo.lock");
    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "carryless:xtask-release/1",
                "externalParameters": { "version": VERSION, "command": "cargo xtask release" },
                "internalParameters": {
                    "SOURCE_DATE_EPOCH": crate::archive::epoch(),
                    "rustc": shell::output(&mut shell::command("rustc", &["-vV"]))?,
                    "tools": tools::TOOLS,
                },
                "resolvedDependencies": [
                    { "uri": "git:HEAD", "digest": { "gitCommit": git(&["rev-parse", "HEAD"])?.trim() } },
                    { "uri": "file:Cargo.lock", "digest": { "sha256": sha256(&lock)? } },
                ],
            },
            "runDetails": { "builder": { "id": "carryless:xtask" } },
        },
    });
    let file = place.file(PROVENANCE);
    write(&file, &statement).map(|()| file)
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
    let sums = place.file("SHA256SUMS");
    // A key with a password would be asked for on the terminal, which this process does not pass on.
    let comment = format!("carryless {VERSION}");
    let mut sign = shell::command("minisign", &["-S", "-t", &comment, "-s", &key, "-m"]);
    shell::run(sign.arg(&sums))?;
    let public = format!("{key}.pub");
    shell::run(shell::command("minisign", &["-V", "-q", "-p", &public, "-m"]).arg(&sums))
}
