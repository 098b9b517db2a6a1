//! Every type that wipes itself is in `secrets.txt`, with the test that looks at what is left of it.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crate, type, test, and, if the type is not public, the public type through which the test sees it.
const LIST: &str = include_str!("../secrets.txt");

/// Stands in place of a test for a type that has a destructor but no secret.
const NO_SECRET: &str = "no-secret";

/// Names of the crates whose types hold secrets, as folders of `crates`.
const CRATES: [&str; 7] = ["aead", "capi", "cli", "ec", "gf2", "hash", "hqc"];

/// Types of fields that wipe themselves: a struct with such a field holds a secret without wiping it.
const HOLD: [&str; 7] =
    ["MaybeUninit<", "Zeroizing<", "Home<", "MasterKey", "SecretKey<", "FileMac", "SecretBytes<"];

/// Text before the name of a type that wipes itself.
const MARKS: [&str; 8] = [
    " Zeroize for ",
    "zeroize::Zeroize for ",
    "ZeroizeOnDrop for ",
    " Drop for ",
    "keyed!(",
    "wiped!(",
    "wiped_on_drop!(",
    "wiped_variants!(",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            sources(&entry, out);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            out.push(entry);
        }
    }
}

/// The name of the type behind a mark: generic parameters of a macro stand before it, in brackets.
fn type_name(rest: &str) -> Option<String> {
    let rest = if rest.starts_with('[') { rest.split_once(']')?.1.trim_start() } else { rest };
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || "_:".contains(*c)).collect();
    let name = name.rsplit("::").next()?.to_owned();
    name.starts_with(char::is_uppercase).then_some(name)
}

/// The structs of a file that have such a field.
fn holders(text: &str) -> Vec<String> {
    let (mut within, mut holders) = (None, Vec::new());
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
        if let Some((_, rest)) = line.split_once("struct ") {
            within = type_name(rest);
        }
        if within.is_some() && HOLD.iter().any(|field| line.contains(field)) {
            holders.extend(within.take());
        }
        if line.trim_end().ends_with(';') || line.starts_with('}') {
            within = None;
        }
    }
    holders
}

/// Crate and name of all types that wipe themselves.
fn found() -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for of in CRATES {
        let mut files = Vec::new();
        sources(&root().join("crates").join(of).join("src"), &mut files);
        for text in files.iter().map(|file| fs::read_to_string(file).expect("text")) {
            let marked = text
                .lines()
                .flat_map(|line| MARKS.iter().filter_map(|mark| type_name(line.split_once(mark)?.1)));
            found.extend(marked.chain(holders(&text)).map(|name| (of.to_owned(), name)));
        }
    }
    found
}

#[test]
fn every_type_has_a_test() {
    let mut listed = BTreeSet::new();
    for line in LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (&[of, name, test], through) = words.split_first_chunk().expect("crate, type and test");
        if test != NO_SECRET {
            let text =
                fs::read_to_string(root().join(test)).unwrap_or_else(|error| panic!("{test}: {error}"));
            let seen = through.first().unwrap_or(&name);
            assert!(text.contains(seen), "{test} does not name {seen}");
        }
        assert!(listed.insert((of.to_owned(), name.to_owned())), "{of} {name} is listed twice");
    }
    let found = found();
    let missing: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "not in secrets.txt: {missing:#?}; there no more: {gone:#?}"
    );
}
