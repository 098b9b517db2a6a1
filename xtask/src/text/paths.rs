//! Files that the Markdown pages name: links, and paths in backquotes.
use std::collections::BTreeSet;

/// Pages whose words may name files of the past.
const EXEMPT: &[&str] = &["CHANGELOG.md"];

/// Parts of words that stand for a name of the reader's choice.
const PLACEHOLDERS: &[&str] = &["NAME", "DATE", "*"];

/// All files that git tracks, and the folders above them.
pub(super) struct Tracked<'a>(BTreeSet<&'a str>);

impl<'a> Tracked<'a> {
    pub(super) fn new(files: impl Iterator<Item = &'a str>) -> Self {
        let with_folders = |file: &'a str| file.match_indices('/').map(|(at, _)| &file[..at]).chain([file]);
        Tracked(files.flat_map(with_folders).collect())
    }

    fn has(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// Whether a path ends with these components.
    fn has_end(&self, end: &str) -> bool {
        let ends =
            |path: &&str| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        self.0.iter().any(ends)
    }

    /// The complaints about a page: links to nothing, and names of files that do not exist.
    pub(super) fn check(&self, page: &str, text: &str) -> Vec<String> {
        let mut complaints = Vec::new();
        if !page.ends_with(".md") || EXEMPT.iter().any(|exempt| page.starts_with(exempt)) {
            return complaints;
        }
        for (nr, line) in text.lines().enumerate() {
            let missing_links = links(line).filter(|link| !self.has(&resolved(page, link)));
            let missing_names = line.split('`').skip(1).step_by(2).filter(|word| self.lacks(word));
            for name in missing_links.chain(missing_names) {
                complaints.push(format!("{page}:{}: there is no {name}", nr + 1));
            }
        }
        complaints
    }

    /// Whether a word in backquotes is the name of a file that does not exist. Names are paths from the root of the
    /// repository, or the end of one if they are of Rust.
    fn lacks(&self, word: &str) -> bool {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        // Code such as `f(x)` or `a / b` names no file.
        if !word.chars().all(is_name) || PLACEHOLDERS.iter().any(|placeholder| word.contains(placeholder)) {
            return false;
        }
        let word = word.trim_end_matches('/');
        match word.split_once('/') {
            // A slash alone does not make a path: `and/or` begins with no folder of the repository.
            Some((top, _)) if self.has(top) => !self.has(word) && !self.has_end(word),
            // Other endings may be those of the reader's files, so only names of Rust files must exist.
            _ => word.ends_with(".rs") && !self.has_end(word),
        }
    }
}

/// The targets of the links in a line that lead to files, without the anchors.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let files = targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:"));
    // The file is empty for a link to a place on the same page.
    files.filter_map(|target| target.split('#').next()).filter(|file| !file.is_empty() && !file.contains(' '))
}

/// The path of a link from the root of the repository.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    // Links are relative to the folder of the page.
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            // Nothing lies above the root: such a path stays one that no file has.
            ".." if parts.last().is_none_or(|last| *last == "..") => parts.push(".."),
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_links_of_missing_files_are_found() {
        let files =
            ["README.md", "docs/a.md", "crates/hash/src/choose.rs", "crates/hash/src/eval/brw/mod.rs"];
        let tracked = Tracked::new(files.into_iter());
        for good in [
            "[a](a.md), [b](a.md#part), [c](../README.md), [d](../crates/hash), [e](https://e.org), [f](#part)",
            "`crates/hash/src/choose.rs`, `crates/hash/src/`, `hash/src/choose.rs`, `brw/mod.rs`, `choose.rs`",
            "`crates/hash/src/NAME.rs`, `crates/*/src/lib.rs`, `a / b`, `f(x).rs`, `and/or`",
        ] {
            assert_eq!(tracked.check("docs/b.md", good), [""; 0], "{good}");
        }
        for (bad, what) in [
            ("[a](b.md)", "b.md"),
            ("[a](../a.md)", "../a.md"),
            ("[a](../../README.md)", "../../README.md"),
            ("`crates/hash/src/moved.rs`", "crates/hash/src/moved.rs"),
            ("see `moved.rs`", "moved.rs"),
            ("`docs/c.md`", "docs/c.md"),
        ] {
            assert_eq!(tracked.check("docs/b.md", bad), [format!("docs/b.md:1: there is no {what}")]);
            assert!(tracked.check("CHANGELOG.md", bad).is_empty() && tracked.check("a.rs", bad).is_empty());
        }
    }
}
