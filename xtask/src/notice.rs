//! What is linked into an artefact: the text of its NOTICE, with all licences, and its list of materials (SBOM).
mod runtime;

use crate::report::{Stop, fail};
use crate::shell::{self, failed};
pub(crate) use runtime::{LIBGCC, Library, MINGW, MUSL, UNWIND, ZIG, standard_library};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// An artefact whose packages are asked for.
#[derive(Clone, Copy)]
pub(crate) struct Linked<'a> {
    /// Path of the manifest, from the root of the checkout.
    pub manifest: &'a str,
    /// Name of the package that is built.
    pub package: &'a str,
    /// Features as cargo takes them, such as `--no-default-features`.
    pub features: &'a [&'a str],
    pub target: &'a str,
    /// Libraries of other languages that are linked statically.
    pub runtime: &'a [Library],
}

impl Default for Linked<'_> {
    fn default() -> Self {
        Linked { manifest: "Cargo.toml", package: "", features: &[], target: "", runtime: &[] }
    }
}

/// A package of a registry that is linked.
struct Package {
    name: String,
    version: String,
    licence: String,
    /// Where cargo has its source.
    folder: PathBuf,
    /// SHA-256 of its archive in the registry.
    checksum: String,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

impl Linked<'_> {
    /// The packages of registries, by name. Build scripts, macros and what tests need are not linked.
    fn packages(&self) -> Result<Vec<Package>, Stop> {
        let manifest = ["--locked", "--manifest-path", self.manifest];
        let mut tree = shell::cargo(&["tree", "--prefix", "none", "--format", "{p}"]);
        tree.args(manifest).args(["--edges", "normal,no-proc-macro", "--package", self.package]);
        let tree = shell::output(tree.args(self.features).args(["--target", self.target]))?;
        let linked: BTreeSet<(&str, &str)> = tree.lines().filter_map(name_and_version).collect();
        let mut metadata = shell::cargo(&["metadata", "--format-version", "1"]);
        let metadata = shell::output(metadata.args(manifest))?;
        let metadata: Value = serde_json::from_str(&metadata)
            .map_err(|error| Stop::Failed(format!("cargo metadata: {error}")))?;
        let checksums = self.checksums(&metadata)?;
        let mut packages = Vec::new();
        for package in metadata["packages"].as_array().into_iter().flatten() {
            let text = |key: &str| package[key].as_str().unwrap_or_default().to_string();
            let (name, version) = (text("name"), text("version"));
            // Our packages have no source.
            if package["source"].is_null() || !linked.contains(&(name.as_str(), version.as_str())) {
                continue;
            }
            let licence = text("license");
            if licence.is_empty() {
                return fail(format!("{name} {version} names no licence"));
            }
            let folder = Path::new(&text("manifest_path")).parent().unwrap_or(Path::new("")).to_path_buf();
            let checksum = checksums.get(&(name.clone(), version.clone())).cloned().unwrap_or_default();
            packages.push(Package { name, version, licence, folder, checksum });
        }
        packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        Ok(packages)
    }

    /// The checksums in the lock file, by name and version.
    fn checksums(&self, metadata: &Value) -> Result<BTreeMap<(String, String), String>, Stop> {
        let workspace = Path::new(metadata["workspace_root"].as_str().unwrap_or_default());
        let file = workspace.join("Cargo.lock");
        let text = std::fs::read_to_string(&file).map_err(failed(&file))?;
        let lock: Lock = toml::from_str(&text).map_err(|error| Stop::Failed(error.to_string()))?;
        let of = |package: Locked| Some(((package.name, package.version), package.checksum?));
        Ok(lock.package.into_iter().filter_map(of).collect())
    }
}

/// Reads a line of `cargo tree`, such as `serde v1.0.228 (*)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

/// The NOTICE of an artefact: what is linked and its licences.
pub(crate) fn text(linked: &Linked) -> Result<String, Stop> {
    Ok(packages(linked)? + &standard(&standard_library()?))
}

/// The end of a NOTICE.
pub(crate) fn standard(text: &str) -> String {
    section("Rust's standard library", text)
}

fn section(title: &str, text: &str) -> String {
    format!("\n{}\n{title}:\n\n{}\n", "-".repeat(80), text.trim_end())
}

/// The packages and libraries that are linked, and their licences, each text once.
pub(crate) fn packages(linked: &Linked) -> Result<String, Stop> {
    let packages = linked.packages()?;
    let mut text = String::from(
        "carryless is licensed under Apache-2.0 or MIT, at your option: see LICENSE-APACHE and LICENSE-MIT.\n\
         It is linked with Rust's standard library (Apache-2.0 OR MIT)",
    );
    text += &linked.runtime.iter().map(|library| format!(", {}", library.name)).collect::<String>();
    text += " and these packages:\n\n";
    let mut licences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in &packages {
        let title = format!("{} {}", package.name, package.version);
        let texts = package.texts()?;
        let missing = if texts.is_empty() { " (its package has no text)" } else { "" };
        text += &format!("  {title}: {}{missing}\n", package.licence);
        for licence in texts {
            licences.entry(licence).or_default().push(title.clone());
        }
    }
    let mut licences: Vec<_> = licences.into_iter().collect();
    // By the first package that has it.
    licences.sort_by(|a, b| a.1.cmp(&b.1));
    for (licence, titles) in licences {
        text += &section(&titles.join(", "), &licence);
    }
    let libraries = linked.runtime.iter().filter(|library| !library.text.is_empty());
    Ok(libraries.fold(text, |text, library| text + &section(library.name, library.text)))
}

impl Package {
    /// The texts of its licences: MIT alone where that is a choice, else all that its package has.
    fn texts(&self) -> Result<Vec<String>, Stop> {
        let entries = std::fs::read_dir(&self.folder).map_err(failed(&self.folder))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        let upper =
            |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
        let begins =
            |name: &str| ["LICENSE", "LICENCE", "COPYING", "UNLICENSE"].iter().any(|b| name.starts_with(b));
        files.retain(|file| file.is_file() && begins(&upper(file)));
        files.sort();
        let mit = files.iter().find(|file| upper(file).contains("MIT")).cloned();
        if let Some(mit) = mit.filter(|_| self.licence.contains(" OR ") || self.licence.contains('/')) {
            files = vec![mit];
        }
        let read = |file: &PathBuf| {
            let bytes = std::fs::read(file).map_err(failed(file))?;
            Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim().to_string())
        };
        files.iter().map(read).collect()
    }
}

/// The list of materials in the format CycloneDX 1.5.
pub(crate) fn materials(linked: &Linked) -> Result<Value, Stop> {
    let component = |package: &Package| {
        let Package { name, version, licence, checksum, .. } = package;
        let url = format!("pkg:cargo/{name}@{version}");
        json!({
            "type": "library", "bom-ref": url, "name": name, "version": version, "purl": url,
            "licenses": [{ "expression": licence.replace('/', " OR ") }],
            "hashes": [{ "alg": "SHA-256", "content": checksum }],
        })
    };
    let packages = linked.packages()?;
    // A list without packages would claim that nothing is linked.
    if packages.is_empty() {
        return fail(format!("cargo tree shows no packages in {}", linked.package));
    }
    let version = env!("CARGO_PKG_VERSION");
    Ok(json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {
            "timestamp": crate::archive::date()?,
            "component": { "type": "application", "name": linked.package, "version": version,
                "purl": format!("pkg:cargo/{}@{version}", linked.package),
                "licenses": [{ "expression": "Apache-2.0 OR MIT" }] },
            "properties": [{ "name": "target", "value": linked.target }],
        },
        "components": packages.iter().map(component).collect::<Vec<_>>(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: Linked = Linked {
        manifest: "Cargo.toml",
        package: "carryless-cli",
        features: &[],
        target: "x86_64-unknown-linux-gnu",
        runtime: &[MUSL, UNWIND],
    };

    fn of<T>(result: Result<T, Stop>) -> T {
        result.unwrap_or_else(|_| panic!("it failed"))
    }

    #[test]
    fn every_linked_package_is_in_the_notice_with_a_text() {
        let text = of(text(&COMMAND));
        let lines: Vec<&str> = text.lines().collect();
        for package in of(COMMAND.packages()) {
            let line = format!("  {} {}: {}", package.name, package.version, package.licence);
            assert!(lines.contains(&line.as_str()), "{line}: missing, or without a text");
        }
        assert!(text.contains(MUSL.text.trim_end()) && text.contains(UNWIND.name));
        assert!(text.contains(of(standard_library()).trim_end()));
        // Of tests, macros and build scripts nothing is linked.
        for other in ["  proptest ", "  serde_derive ", "  syn "] {
            assert!(!text.contains(other), "{other}");
        }
        assert!(text.contains("  clap ") && text.contains("Permission is hereby granted"));
    }

    #[test]
    fn materials_have_licences_and_sums() {
        let list = of(materials(&COMMAND));
        let components = list["components"].as_array().expect("a list");
        assert!(components.len() > 20, "{}", components.len());
        for component in components {
            assert_eq!(component["hashes"][0]["content"].as_str().map(str::len), Some(64), "{component}");
            assert!(component["licenses"][0]["expression"].is_string(), "{component}");
        }
    }
}
