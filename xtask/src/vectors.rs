//! `cargo xtask vectors`: the vector files, through the command, on every backend.
use crate::report::{Report, Stop, fail};
use crate::shell;
use std::path::PathBuf;

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("vectors", || {
        let files = vector_files()?;
        let command = &["run", "--release", "-p", "carryless-lab", "--bin", "carryless-lab", "--"];
        shell::run(shell::cargo(command).args(["vectors", "--backend", "all"]).args(files))
    });
}

/// Files that need a build with the feature `curves`, which takes minutes to compile; `cargo
/// xtask curves vectors` reads them.
const OF_CURVES: &[&str] = &["curves.json", "ec.json", "ec_openssl.json", "ecdsa_rfc6979.json"];

/// Files of Wycheproof that every build reads; the others need curves.
const OF_WYCHEPROOF: &[&str] = &["chacha20_poly1305_test.json", "xchacha20_poly1305_test.json"];

fn vector_files() -> Result<Vec<PathBuf>, Stop> {
    let folder = shell::root().join("vectors");
    let entries =
        std::fs::read_dir(&folder).map_err(|error| Stop::Failed(format!("{}: {error}", folder.display())))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    // `ends_with` compares whole components, so `ec.json` does not match `other_ec.json`.
    files.retain(|path| OF_CURVES.iter().all(|name| !path.ends_with(name)));
    files.extend(OF_WYCHEPROOF.iter().map(|name| folder.join("wycheproof").join(name)));
    files.sort();
    if files.is_empty() { fail("there are no vector files") } else { Ok(files) }
}
