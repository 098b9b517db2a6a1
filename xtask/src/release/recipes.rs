//! Recipes by which others install the artefacts: templates of `packaging/recipes`, with the version, the address of the
//! repository and the sums filled in.
use super::{Artefact, Place, VERSION, sha256};
use crate::report::{Outcome, Stop, fail};
use crate::shell::{self, failed};
use crate::text::addresses;
use std::path::{Path, PathBuf};

const TEMPLATES: &str = "packaging/recipes";

/// What recipes have in place of an address until the repository has one.
const NO_ADDRESS: &str = "https://REPOSITORY";

/// A placeholder begins so, and ends with `@`: `@SHA256 FILE@` is the sum of an artefact.
const SUM: &str = "@SHA256 ";

/// What others install by, with the files of each.
const RECIPES: [(&str, &[&str]); 4] = [
    ("recipe-arch", &["PKGBUILD"]),
    ("recipe-conda", &["recipe.yaml"]),
    ("recipe-homebrew", &["carryless.rb"]),
    (
        "recipe-winget",
        &[
            "Carryless.Carryless.installer.yaml",
            "Carryless.Carryless.locale.en-US.yaml",
            "Carryless.Carryless.yaml",
        ],
    ),
];

pub(super) fn artefacts() -> Vec<Artefact> {
    let recipe = |(name, files): (&str, &'static [&str])| Artefact {
        // The sums come from the files of this run, not from the other folders of a second one.
        reproducible: false,
        ..Artefact::new(
            name,
            |place| write(place, files),
            |_, files| files.iter().try_for_each(|file| check(file)),
        )
    };
    RECIPES.map(recipe).into()
}

/// Writes the files of a recipe, or none of them if a sum is missing.
fn write(place: &Place, names: &[&str]) -> Result<Vec<PathBuf>, Stop> {
    let repository = addresses::repository()?.unwrap_or_else(|| {
        println!("no repository in Cargo.toml: the recipes say {NO_ADDRESS}");
        NO_ADDRESS.into()
    });
    let sum = |name: &str| match place.file(name) {
        file if file.exists() => sha256(&file),
        _ => Err(Stop::NotExercised(format!("not made: it needs {name}, which is not there"))),
    };
    let filled = |name: &&str| fill(&template(name)?, &repository, sum);
    let filled = names.iter().map(filled).collect::<Result<Vec<String>, Stop>>()?;
    let mut files = Vec::new();
    for (name, text) in names.iter().zip(filled) {
        files.push(place.file(name));
        shell::write(&place.file(name), text)?;
    }
    Ok(files)
}

fn template(name: &str) -> Result<String, Stop> {
    let file = shell::root().join(TEMPLATES).join(name);
    std::fs::read_to_string(&file).map_err(failed(&file))
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

/// Checks the syntax, by the program that reads the file, or by a parser of its format.
fn check(file: &Path) -> Outcome {
    let (program, arguments): (&str, &[&str]) = match file.extension().and_then(|ending| ending.to_str()) {
        Some("rb") => ("ruby", &["-c"]),
        Some("yaml") => ("ruby", &["-ryaml", "-e", "YAML.load_file(ARGV[0])"]),
        _ => ("bash", &["-n"]),
    };
    shell::need(program, program)?;
    shell::run(shell::command(program, arguments).arg(file))
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
    fn recipes_have_all_templates_and_no_placeholders() {
        let mut names: Vec<&str> = RECIPES.iter().flat_map(|(_, files)| *files).copied().collect();
        for name in &names {
            let Ok(text) = template(name) else { panic!("{name} is not there") };
            let filled = fill(&text, NO_ADDRESS, |_| Ok("0".repeat(64))).unwrap_or_default();
            assert!(!filled.contains("@V") && !filled.contains("@R") && !filled.contains(SUM), "{filled}");
            if name.ends_with(".yaml") {
                let documents = YamlLoader::load_from_str(&filled).expect("YAML");
                assert!(documents[0].as_hash().is_some_and(|map| map.len() > 3), "{name}");
            }
        }
        let folder = std::fs::read_dir(shell::root().join(TEMPLATES)).expect("templates");
        let mut there: Vec<String> =
            folder.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        there.sort();
        names.sort_unstable();
        assert_eq!(there, names);
    }
}
