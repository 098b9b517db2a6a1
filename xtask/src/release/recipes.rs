//! Recipes by which others install the artefacts: templates of `packaging/recipes`, with the version, the address of the
//! repository and the sums filled in.
use super::{Artefact, Place, VERSION, sha256};
use crate::report::{Outcome, Stop, fail};
use crate::shell::{self, failed};
use serde::Deserialize;
use std::path::{Path, PathBuf};

const TEMPLATES: &str = "packaging/recipes";

/// What recipes have in place of an address until the repository has one.
const NO_ADDRESS: &str = "https://REPOSITORY";

/// A placeholder begins so, and ends with `@`: `@SHA256 FILE@` is the sum of an artefact.
const SUM: &str = "@SHA256 ";

pub(super) fn artefact() -> Artefact {
    // The sums come from the files of this run, not from the other folders of a second one.
    Artefact { reproducible: false, ..Artefact::new("recipes", write, check) }
}

fn write(place: &Place) -> Result<Vec<PathBuf>, Stop> {
    let repository = repository()?.unwrap_or_else(|| {
        println!("no repository in Cargo.toml: the recipes say {NO_ADDRESS}");
        NO_ADDRESS.into()
    });
    let mut files = Vec::new();
    for template in templates()? {
        let text = std::fs::read_to_string(&template).map_err(failed(&template))?;
        let filled = fill(&text, &repository, |name| {
            let file = place.file(name);
            if file.exists() {
                return sha256(&file);
            }
            Err(Stop::NotExercised(format!(
                "not made: {} needs {name}, which is not there",
                template.display()
            )))
        })?;
        let file = place.file(template.file_name().unwrap_or_default());
        shell::write(&file, filled)?;
        files.push(file);
    }
    Ok(files)
}

fn templates() -> Result<Vec<PathBuf>, Stop> {
    let folder = shell::root().join(TEMPLATES);
    let entries = std::fs::read_dir(&folder).map_err(failed(&folder))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    Ok(files)
}

/// Replaces the placeholders of a template.
fn fill(text: &str, repository: &str, sum: impl Fn(&str) -> Result<String, Stop>) -> Result<String, Stop> {
    let text = text.replace("@VERSION@", VERSION).replace("@REPOSITORY@", repository);
    let mut parts = text.split(SUM);
    let mut filled = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let Some((name, rest)) = part.split_once('@') else { return fail("a placeholder without an end") };
        filled += &sum(name)?;
        filled += rest;
    }
    Ok(filled)
}

#[derive(Deserialize)]
struct Manifest {
    workspace: Workspace,
}

#[derive(Deserialize)]
struct Workspace {
    package: Shared,
}

#[derive(Deserialize)]
struct Shared {
    repository: Option<String>,
}

/// The address of the repository, which all packages have from the manifest of the workspace.
pub(super) fn repository() -> Result<Option<String>, Stop> {
    let file = shell::root().join("Cargo.toml");
    let text = std::fs::read_to_string(&file).map_err(failed(&file))?;
    let manifest: Manifest = toml::from_str(&text).map_err(|error| Stop::Failed(error.to_string()))?;
    Ok(manifest.workspace.package.repository)
}

/// Checks the syntax of what programs here can read. A test parses the YAML.
fn check(_: &Place, files: &[PathBuf]) -> Outcome {
    let named = |name: &str| files.iter().find(|file| file.ends_with(name)).map(PathBuf::as_path);
    let syntax = |file: Option<&Path>, program: &str, flag: &str| match file {
        Some(file) => shell::run(shell::command(program, &[flag]).arg(file)),
        None => fail(format!("no recipe for {program}")),
    };
    syntax(named("PKGBUILD"), "bash", "-n")?;
    shell::need("ruby", "ruby")?;
    syntax(named("carryless.rb"), "ruby", "-c")
}

#[cfg(test)]
mod tests {
    use super::*;
    use yaml_rust2::YamlLoader;

    #[test]
    fn placeholders_are_filled() {
        let sum = |name: &str| Ok(format!("<{name}>"));
        let fill = |text: &str| fill(text, "https://a", sum);
        let filled =
            fill("a @VERSION@ b @REPOSITORY@/c @SHA256 d-@VERSION@.zip@ e @SHA256 f@").unwrap_or_default();
        assert_eq!(filled, format!("a {VERSION} b https://a/c <d-{VERSION}.zip> e <f>"));
        assert!(fill("@SHA256 d").is_err());
    }

    #[test]
    fn recipes_are_yaml_without_placeholders() {
        let mut yaml = 0;
        for file in templates().unwrap_or_default() {
            let text = std::fs::read_to_string(&file).expect("a template");
            let filled = fill(&text, NO_ADDRESS, |_| Ok("0".repeat(64))).unwrap_or_default();
            assert!(!filled.contains("@V") && !filled.contains("@R") && !filled.contains(SUM), "{filled}");
            if file.extension().is_some_and(|ending| ending == "yaml") {
                yaml += 1;
                let documents = YamlLoader::load_from_str(&filled).expect("YAML");
                assert!(documents[0].as_hash().is_some_and(|map| map.len() > 3), "{}", file.display());
            }
        }
        assert!(yaml >= 4, "{yaml}");
    }
}
