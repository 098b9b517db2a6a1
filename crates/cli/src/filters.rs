//! Detects filters that can never match, and filters that select no file but match folders.
//!
//! Such filters are mistakes. Without these checks they would show only when a file is missing from the
//! manifest.
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use ignore::overrides::{Override, OverrideBuilder};

use crate::name::escape;
use crate::scope::Scope;
use crate::system;
use crate::walk::Walked;

/// Sets the roots of a scope, which are relative to `base`. Fails if one of its filters can match nothing.
pub(crate) fn with_roots(mut scope: Scope, base: &Path, roots: &[PathBuf]) -> Result<Scope> {
    scope.set_roots(base, roots.iter().map(PathBuf::as_path))?;
    check(&scope)?;
    Ok(scope)
}

/// Fails if a pattern can match nothing below the roots, whatever files there are. Asks the file system nothing.
fn check(scope: &Scope) -> Result<()> {
    for glob in &scope.include {
        ensure!(
            !glob.ends_with('/'),
            "--include {glob}: can match nothing: a slash at the end is for folders, but --include selects files: write {}",
            below(glob)
        );
    }
    let include = scope.include.iter().map(|glob| ("--include", glob));
    let exclude = scope.exclude.iter().map(|glob| ("--exclude", glob));
    for (option, glob) in include.chain(exclude) {
        // A pattern without a slash matches names in every folder, so it may match anything.
        let Some(parts) = anchored(glob) else { continue };
        if scope.roots.iter().any(|root| leads_below(&parts, root)) {
            continue;
        }
        let hint = match scope.roots.iter().any(|root| root.starts_with(b"/")) {
            true => "and never matches below an absolute PATH: give PATHs relative to that folder",
            false => "and no PATH leads to it",
        };
        bail!(
            "{option} {glob}: can match nothing: a pattern with a slash is relative to the current folder or that of -C, {hint}"
        );
    }
    Ok(())
}

/// Fails if an `--include` pattern selects no file but matches folders: its user expected the files below them.
pub(crate) fn check_matches(base: &Path, scope: &Scope, walked: &Walked) -> Result<()> {
    for glob in &scope.include {
        // Patterns are tested one by one, as the combined filter does not tell which of them matched.
        let Ok(filter) = single(base, glob) else { continue };
        let matches = |name: &[u8], is_folder| {
            filter.matched(base.join(system::path_of(name)), is_folder).is_whitelist()
        };
        // A pattern that selects some file works as intended, whatever folders it matches too.
        if walked.items.iter().any(|item| matches(&item.name, false)) {
            continue;
        }
        if let Some(folder) = walked.folders.iter().find(|name| matches(name, true)) {
            bail!(
                "--include {glob}: selects no file, only matches folders ({}): to include what is below them, write {}",
                escape(folder),
                below(glob)
            );
        }
    }
    Ok(())
}

/// Returns the pattern for everything below the folders that `glob` matches.
fn below(glob: &str) -> String {
    let glob = glob.trim_end_matches('/');
    if glob.contains('/') { format!("{glob}/**") } else { format!("**/{glob}/**") }
}

/// Splits a pattern with a slash, which is relative to the base folder, into its components. `None` for other
/// patterns, which match in every folder.
fn anchored(glob: &str) -> Option<Vec<&str>> {
    let glob = glob.strip_suffix('/').unwrap_or(glob);
    glob.contains('/').then(|| glob.strip_prefix('/').unwrap_or(glob).split('/').collect())
}

/// Returns whether an anchored pattern may match something below `root`. The root itself is never filtered.
fn leads_below(parts: &[&str], root: &[u8]) -> bool {
    // Everything is below the base folder, and `**` matches any folders at the beginning.
    if root == b"." || parts.first() == Some(&"**") {
        return true;
    }
    let names: Vec<&[u8]> = root.split(|byte| *byte == b'/').collect();
    let common = parts.iter().zip(&names);
    let any_depth = common.clone().position(|(part, _)| *part == "**");
    // All components of the root before a `**` must match. Without `**` the pattern must also be longer than
    // the root.
    common.take(any_depth.unwrap_or(usize::MAX)).all(|(part, name)| part_matches(part, name))
        && (any_depth.is_some() || parts.len() > names.len())
}

/// Returns whether one component of a pattern matches one name. Invalid patterns count
/// as matching: `walk::patterns` reports them.
fn part_matches(part: &str, name: &[u8]) -> bool {
    if part.as_bytes() == name {
        return true;
    }
    single(Path::new("."), &format!("/{part}"))
        .map_or(true, |filter| filter.matched(system::path_of(name), false).is_whitelist())
}

/// Compiles one pattern, relative to `base`.
fn single(base: &Path, glob: &str) -> Result<Override, ignore::Error> {
    OverrideBuilder::new(base).add(glob)?.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchored_patterns_lead_below_roots_or_not() {
        for (glob, root) in [
            ("ab/x", "ab"),
            ("/ab", "."),
            ("ab/x/y", "ab/x"),
            ("a?/x", "ab"),
            ("*/x", "ab"),
            ("[ab]b/x/", "ab"),
            ("**/x", "/abs"),
            ("ab/**", "ab/c/d"),
            ("ab/**/x", "ab/c/d"),
            ("../up/x", "../up"),
            ("\\*/x", "*"),
        ] {
            let parts = anchored(glob).expect("a slash");
            assert!(leads_below(&parts, root.as_bytes()), "{glob} {root}");
        }
        for (glob, root) in [
            ("ab/x", "/data/ab"),
            ("/data/ab/x", "/data/ab"),
            ("ab/x", "ab/x"),
            ("ab/x", "ab/x/y"),
            ("ab/x", "cd"),
            ("up/x", "../up"),
            ("/ab", "ab"),
        ] {
            let parts = anchored(glob).expect("a slash");
            assert!(!leads_below(&parts, root.as_bytes()), "{glob} {root}");
        }
        for glob in ["*.o", "target", "target/"] {
            assert!(anchored(glob).is_none(), "{glob}");
        }
    }
}
