//! What pages may not say once the changelog has the date of a release: registries keep them as they are.

/// Lines for those who have nothing but a checkout.
const OUTDATED: [&str; 3] = ["Nothing is published yet", " # a checkout", " # in a checkout"];

/// The line of the changelog on the newest version, until it has a date.
const UNRELEASED: &str = "] - unreleased";

/// Whether the newest version in the changelog has a date.
pub(super) fn dated(changelog: &str) -> bool {
    changelog.lines().find(|line| line.starts_with("## [")).is_some_and(|line| !line.ends_with(UNRELEASED))
}

/// The lines of a page that a release must replace.
pub(super) fn check(path: &str, text: &str) -> Vec<String> {
    let outdated = |line: &str| OUTDATED.iter().any(|words| line.contains(words));
    let lines = text.lines().enumerate().filter(|(_, line)| path.ends_with(".md") && outdated(line));
    lines.map(|(n, _)| format!("{path}:{}: says how to install a checkout, not the release", n + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dated_release_is_installed_from_registries() {
        assert!(!dated("# Changelog\n\n## [0.1.0] - unreleased\n\n## [0.0.1] - 2026-12-01\n"));
        assert!(dated("# Changelog\n\n## [0.1.0] - 2026-12-01\n"));
        let page = "a\ncargo add --path carryless/crates/ec    # a checkout\n";
        assert_eq!(check("README.md", page).len(), 1);
        assert!(check("a.rs", page).is_empty() && check("README.md", "cargo add carryless-ec\n").is_empty());
    }
}
