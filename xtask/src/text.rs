//! Rules for the text of the repository that no other tool knows.
pub(crate) mod addresses;
mod facts;
mod paths;
mod released;
mod secrets;
mod versions;
mod walks;

use crate::report::{Outcome, fail};
use crate::shell;

/// Text that no tracked file may contain, and why. Each is spelt in two halves, so that this file passes.
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
    (concat!("<<<<", "<<< "), "is an unresolved merge"),
    (concat!(">>>>", ">>> "), "is an unresolved merge"),
];

/// Files that hold data or other people's words.
const EXEMPT: &[&str] = &[".json", ".lock", "LICENSE-APACHE", "mingw-w64.txt"];

/// The file that lists the places of `unsafe` code, the words before that list, and the end of it.
const PLACES: (&str, &str, &str) = ("book/src/security.md", "`unsafe` code stands only in", ".\n");

/// Lines of a Rust file above which a warning is printed; it does not fail the step.
const LONG: usize = 400;

/// Checks every file that git tracks.
pub(crate) fn check() -> Outcome {
    let mut complaints = Vec::new();
    let security = std::fs::read_to_string(shell::root().join(PLACES.0)).unwrap_or_default();
    let places = places(&security);
    // A listed place without `unsafe` is a complaint, too: the page would claim more than there is.
    let mut used = vec![false; places.len()];
    let files = shell::output(&mut shell::command("git", &["ls-files"]))?;
    let tracked = paths::Tracked::new(files.lines());
    let (mut pages, mut others) = (Vec::new(), Vec::new());
    for path in files.lines() {
        // The file is not text, or was deleted but not committed.
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        complaints.extend(in_lines(path, &text));
        complaints.extend(tracked.check(path, &text));
        if path.ends_with(".rs") && text.lines().any(has_keyword) {
            match places.iter().position(|place| path.starts_with(place)) {
                Some(place) => used[place] = true,
                None => {
                    complaints.push(format!("{path}: `unsafe` in a place that {} does not list", PLACES.0))
                }
            }
        }
        // A crate with a listed place needs no `forbid`, since the attribute holds for the whole crate.
        let package = path.split("src/").next().unwrap_or(path);
        let is_listed = places.iter().any(|place| place.starts_with(package) || path.starts_with(place));
        if is_crate_root(path) && !is_listed && !text.contains(FORBID) {
            complaints.push(format!("{path}: a crate without {FORBID}"));
        }
        if path.ends_with(".rs") && text.lines().count() > LONG {
            println!("warning: {path} has {} lines, more than {LONG}", text.lines().count());
        }
        // A fact may stand on any page, so facts are checked when all pages are read.
        if facts::is_page(path) {
            pages.push((path, text));
        } else {
            others.push((path, text));
        }
    }
    let read = |path: &str| std::fs::read_to_string(shell::root().join(path)).unwrap_or_default();
    complaints.extend(facts::check(&pages, &read(facts::LIST), read));
    others.extend(pages);
    complaints.extend(walks::check(&others));
    complaints.extend(secrets::check());
    complaints.extend(versions::check(files.lines()));
    complaints.extend(addresses::complaints()?);
    if released::dated(&read("CHANGELOG.md")) {
        complaints.extend(others.iter().flat_map(|(path, text)| released::check(path, text)));
    }
    for (place, _) in places.iter().zip(used).filter(|(_, used)| !used) {
        complaints.push(format!("{}: there is no `unsafe` in {place}", PLACES.0));
    }
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    if complaints.is_empty() { Ok(()) } else { fail(format!("{} complaints", complaints.len())) }
}

/// The paths in backquotes of that sentence, which are the words with a slash. If there is no such sentence
/// the list is empty, and every use of `unsafe` is a complaint.
fn places(security: &str) -> Vec<&str> {
    let (_, start, end) = PLACES;
    let list = security
        .split_once(start)
        .map_or("", |(_, rest)| rest.split_once(end).map_or(rest, |(list, _)| list));
    // Every second part lies between two backquotes.
    list.split('`').skip(1).step_by(2).filter(|word| word.contains('/')).collect()
}

/// Whether a line has the keyword `unsafe`, outside of a comment: before a block, a function, an
/// implementation, a trait, or in an attribute.
fn has_keyword(line: &str) -> bool {
    // A `//` in a string also ends the code here. Keywords after it on that line go unnoticed.
    let code = line.split("//").next().unwrap_or_default();
    // What follows tells the keyword from names such as `unsafe_code`.
    let next = ["{", "fn ", "impl ", "impl<", "extern ", "trait ", "("];
    code.split("unsafe").skip(1).any(|rest| next.iter().any(|next| rest.trim_start().starts_with(next)))
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
    fn unsafe_code_is_found_where_it_is_not_listed() {
        // Written without the keyword, so that this file has none.
        let with = |line: &str| has_keyword(&line.replace("KEY", concat!("un", "safe")));
        for line in ["    KEY { x() }", "pub KEY fn f() {", "KEY impl<T> A for T {}", "#[KEY(no_mangle)]"] {
            assert!(with(line), "{line}");
        }
        for line in ["// KEY { }", "#![forbid(KEY_code)]", "KEY_op_in_KEY_fn = 1", "let a = \"KEY\";"] {
            assert!(!with(line), "{line}");
        }
        let text = format!("a `b` c. {} `crates/a` and\n`crates/b/src`, of `C`.\nNot `d`.\n", PLACES.1);
        assert_eq!(places(&text), ["crates/a", "crates/b/src"]);
        assert!(places("nothing").is_empty());
    }

    #[test]
    fn crate_roots_are_known() {
        assert!(is_crate_root("crates/hash/src/lib.rs") && is_crate_root("xtask/src/bin/backends.rs"));
        assert!(!is_crate_root("crates/hash/src/base/tag.rs"));
    }
}
