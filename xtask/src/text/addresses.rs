//! The address of the repository stands in the manifest of the workspace; every other place must say the same.
use crate::report::Stop;
use crate::{publish, shell};
use serde_json::Value;

/// The address, once there is one.
pub(crate) fn repository() -> Result<Option<String>, Stop> {
    let manifest = read("Cargo.toml", toml)?;
    Ok(manifest["workspace"]["package"]["repository"].as_str().map(String::from))
}

/// What is wrong with the other places.
pub(crate) fn complaints() -> Result<Vec<String>, Stop> {
    let address = repository()?;
    Ok(places()?.iter().filter_map(|place| place.compare(address.as_deref())).collect())
}

/// A place that has the address between two texts, or has none.
struct Place {
    name: String,
    found: Option<String>,
    around: (&'static str, &'static str),
}

impl Place {
    fn compare(&self, address: Option<&str>) -> Option<String> {
        let expected = address.map(|address| format!("{}{address}{}", self.around.0, self.around.1));
        let shown = |text: &Option<String>| text.clone().unwrap_or("none".into());
        let same = self.found == expected;
        (!same).then(|| format!("{}: repository {}, not {}", self.name, shown(&self.found), shown(&expected)))
    }
}

fn places() -> Result<Vec<Place>, Stop> {
    let text = |value: &Value| value.as_str().map(String::from);
    let place = |name: &str, found, around| Place { name: name.into(), found, around };
    let (npm, python) = ("wasm/npm/package.json", "python/pyproject.toml");
    let citation = "CITATION.cff";
    let code = |text: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("repository-code: "));
        Ok(line.map(|line| line.trim_matches('"').to_string()))
    };
    let mut all = vec![
        // npm compares it with the repository whose workflow publishes.
        place(npm, text(&read(npm, json)?["repository"]["url"]), ("git+", ".git")),
        place(python, text(&read(python, toml)?["project"]["urls"]["Repository"]), ("", "")),
        place(citation, read(citation, code)?, ("", "")),
    ];
    for manifest in publish::MANIFESTS {
        let metadata =
            ["metadata", "--no-deps", "--locked", "--format-version", "1", "--manifest-path", manifest];
        let metadata = json(&shell::output(&mut shell::cargo(&metadata))?)?;
        for package in metadata["packages"].as_array().into_iter().flatten() {
            // An empty list is `publish = false`.
            if package["publish"].is_null() {
                let name = package["name"].as_str().unwrap_or_default();
                all.push(place(name, text(&package["repository"]), ("", "")));
            }
        }
    }
    Ok(all)
}

fn read<T>(path: &str, parse: impl Fn(&str) -> Result<T, Stop>) -> Result<T, Stop> {
    let file = shell::root().join(path);
    parse(&std::fs::read_to_string(&file).map_err(shell::failed(&file))?)
}

fn toml(text: &str) -> Result<Value, Stop> {
    toml::from_str(text).map_err(|error| Stop::Failed(error.to_string()))
}

fn json(text: &str) -> Result<Value, Stop> {
    serde_json::from_str(text).map_err(|error| Stop::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_addresses_are_found() {
        let compare = |found: Option<&str>, address| {
            let found = found.map(String::from);
            Place { name: "a".into(), found, around: ("git+", ".git") }.compare(address)
        };
        assert!(compare(None, None).is_none());
        assert!(compare(Some("git+https://b.git"), Some("https://b")).is_none());
        for (found, address) in [
            (None, Some("https://b")),
            (Some("git+https://b.git"), None),
            (Some("https://b"), Some("https://b")),
        ] {
            assert!(compare(found, address).is_some(), "{found:?} {address:?}");
        }
    }

    #[test]
    fn packages_that_are_published_are_places() {
        let Ok(places) = places() else { panic!("a manifest cannot be read") };
        for name in ["carryless", "carryless-lanes", "carryless-cli", "carryless-rustls"] {
            assert!(places.iter().any(|place| place.name == name), "{name}");
        }
        assert!(places.iter().all(|place| place.name != "xtask"));
    }
}
