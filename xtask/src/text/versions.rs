//! The version of a release stands in the manifest of the workspace; every other place must say the same.
use crate::shell;

/// The manifest that has the version, and the words before it.
const SOURCE: (&str, &str) = ("Cargo.toml", "[workspace.package]\nversion = \"");

/// Other places: the file, and the words before and after the version. Each must be there.
const PLACES: [(&str, &str, &str); 14] = [
    ("crates/capi/Cargo.toml", "\nversion = \"", "\""),
    ("crates/provider/Cargo.toml", "\nversion = \"", "\""),
    ("crates/rustls/Cargo.toml", "\nversion = \"", "\""),
    ("ctime/Cargo.toml", "\nversion = \"", "\""),
    ("fuzz/Cargo.toml", "\nversion = \"", "\""),
    ("python/Cargo.toml", "\nversion = \"", "\""),
    ("wasm/Cargo.toml", "\nversion = \"", "\""),
    ("wasm/npm/package.json", "\"version\": \"", "\""),
    ("packaging/vcpkg/carryless/vcpkg.json", "\"version\": \"", "\""),
    ("packaging/vcpkg/carryless/portfile.cmake", "--prefix=carryless-", "/"),
    ("packaging/conan/conanfile.py", "--version ", " "),
    ("CITATION.cff", "\nversion: ", "\n"),
    ("CHANGELOG.md", "\n## [", "]"),
    ("Cargo.toml", "path = \"crates/carryless\", version = \"", "\""),
];

/// A dependency on one of our packages, with a version for the registry, is written so.
const DEPENDENCY: (&str, &str) = ("path = \"", ", version = \"");

/// Compares all places, and the dependencies in all manifests, with the version.
pub(super) fn check<'a>(tracked: impl Iterator<Item = &'a str>) -> Vec<String> {
    let read = |path: &str| std::fs::read_to_string(shell::root().join(path)).unwrap_or_default();
    let Some(version) = between(&read(SOURCE.0), SOURCE.1, "\"") else {
        return vec![format!("{} has no version", SOURCE.0)];
    };
    let mut complaints = Vec::new();
    for (path, before, after) in PLACES {
        complaints.extend(compare(path, &read(path), (before, after), &version));
    }
    for path in tracked.filter(|path| path.ends_with("Cargo.toml")) {
        for line in read(path).lines().filter(|line| line.starts_with("carryless")) {
            let found = line.split_once(DEPENDENCY.0).and_then(|(_, rest)| between(rest, DEPENDENCY.1, "\""));
            if found.as_ref().is_some_and(|found| *found != version) {
                complaints.push(format!("{path}: {line}: the version is {version}"));
            }
        }
    }
    complaints
}

fn compare(path: &str, text: &str, (before, after): (&str, &str), version: &str) -> Option<String> {
    match between(text, before, after) {
        Some(found) if found == version => None,
        Some(found) => Some(format!("{path}: version {found} instead of {version}")),
        None => Some(format!("{path}: no version after '{}'", before.trim())),
    }
}

/// The first text between two others.
fn between(text: &str, before: &str, after: &str) -> Option<String> {
    Some(text.split_once(before)?.1.split_once(after)?.0.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_versions_are_found() {
        let compare = |text: &str| compare("a", text, ("\nversion = \"", "\""), "0.1.0");
        assert!(compare("x\nversion = \"0.1.0\"").is_none());
        assert!(compare("x\nversion = \"0.1.1\"").is_some_and(|why| why.contains("0.1.1 instead of 0.1.0")));
        assert!(compare("x\nversions = \"0.1.0\"").is_some());
        assert!(check(["Cargo.toml"].into_iter()).is_empty());
    }
}
