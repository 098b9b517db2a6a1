//! Rules for the text of the repository that no other tool knows.
use crate::report::{Outcome, fail};
use crate::shell;

/// What no tracked file may contain, and why. Spelt in two halves so that this file passes.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("../", "shared"), "points outside the repository"),
    (concat!("/wo", "rk/"), "names a folder of one computer"),
    (concat!("/ro", "ot/"), "names a folder of one computer"),
    (concat!("/ho", "me/"), "names a folder of one computer"),
    (concat!("TO", "DO"), "is a left-over marker"),
    (concat!("FIX", "ME"), "is a left-over marker"),
    (concat!("XX", "X"), "is a left-over marker"),
    (concat!("to", "do!("), "is unwritten code"),
    (concat!("unimpl", "emented!("), "is unwritten code"),
    (concat!("#[ign", "ore"), "is a test that does not run"),
];

/// Files that hold data or other people's words.
const EXEMPT: &[&str] = &[".json", ".lock", "LICENSE-APACHE"];

/// The folders that may hold `unsafe` code: the vector units, the bindings to C, and the driver that talks to valgrind.
const UNSAFE: &[&str] = &[
    "crates/capi/",
    "crates/lanes/",
    "crates/bench/",
    "crates/filemap/",
    "crates/gf2x-compat/",
    "ctime/",
    "python/",
];

/// A file longer than this is hard to find one's way in.
const LONG: usize = 400;

/// Checks every file that git tracks.
pub(crate) fn check() -> Outcome {
    let mut complaints = Vec::new();
    for path in shell::output(&mut shell::command("git", &["ls-files"]))?.lines() {
        // Not text, or deleted but not yet committed.
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        complaints.extend(in_lines(path, &text));
        if is_crate_root(path)
            && !UNSAFE.iter().any(|folder| path.starts_with(folder))
            && !text.contains(FORBID)
        {
            complaints.push(format!("{path}: a crate without {FORBID}"));
        }
        if path.ends_with(".rs") && text.lines().count() > LONG {
            println!("warning: {path} has {} lines, more than {LONG}", text.lines().count());
        }
    }
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    if complaints.is_empty() { Ok(()) } else { fail(format!("{} complaints", complaints.len())) }
}

const FORBID: &str = "#![forbid(unsafe_code)]";

fn in_lines(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if EXEMPT.iter().any(|end| path.ends_with(end)) {
        return complaints;
    }
    for (nr, line) in text.lines().enumerate() {
        for (word, why) in FORBIDDEN.iter().filter(|(word, _)| line.contains(word)) {
            complaints.push(format!("{path}:{}: {word} {why}", nr + 1));
        }
    }
    complaints
}

fn is_crate_root(path: &str) -> bool {
    path.ends_with("src/lib.rs") || path.ends_with("src/main.rs") || path.contains("src/bin/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_words_are_found() {
        for (word, _) in FORBIDDEN {
            assert_eq!(in_lines("a.rs", &format!("fine\nx {word} y")).len(), 1, "{word}");
        }
        assert!(in_lines("a.json", FORBIDDEN[0].0).is_empty());
        assert!(in_lines("a.rs", "fine").is_empty());
    }

    #[test]
    fn crate_roots_are_known() {
        assert!(is_crate_root("crates/hash/src/lib.rs") && is_crate_root("xtask/src/bin/machines.rs"));
        assert!(!is_crate_root("crates/hash/src/tag.rs"));
    }
}
