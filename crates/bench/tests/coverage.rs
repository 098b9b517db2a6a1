//! Checks that data/coverage.txt has its form, and that the files and commands named there exist.
use carryless_bench::cli::Arguments;
use carryless_bench::families;
use clap::CommandFactory as _;
use std::fs;
use std::path::{Path, PathBuf};

const STATES: [&str; 4] = ["present", "partly", "absent", "n/a"];

/// Subcommands that need a feature, and whether this build has them.
const OF_FEATURES: [(&str, bool); 2] =
    [("paper004", cfg!(feature = "fields")), ("paper004-curves", cfg!(feature = "curves"))];

struct Item {
    what: String,
    state: &'static str,
    places: Vec<Place>,
    note: String,
}

enum Place {
    File(String),
    /// A program, `carryless-bench` or `carryless-lab`, and the name of its command.
    Command(&'static str, String),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn places(text: &str) -> Vec<Place> {
    let (mut all, mut words) = (vec![], text.split_whitespace());
    while let Some(word) = words.next() {
        all.push(match word {
            "bench" | "lab" => {
                let program = if word == "bench" { "carryless-bench" } else { "carryless-lab" };
                Place::Command(program, words.next().expect("a command").into())
            }
            path => Place::File(path.into()),
        });
    }
    all
}

fn items() -> Vec<Item> {
    let (text, mut papers, mut items) = (read("crates/bench/data/coverage.txt"), 0, vec![]);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(" |").map(str::trim).collect();
        match parts[..] {
            ["paper", _number, _title] => papers += 1,
            // An item belongs to the paper above it, so it cannot stand before the first one.
            [what, state, at, note] if papers > 0 => {
                let state = STATES.into_iter().find(|known| *known == state);
                let state = state.unwrap_or_else(|| panic!("{line}: no such state"));
                items.push(Item { what: what.into(), state, places: places(at), note: note.into() });
            }
            _ => panic!("'{line}' has not four parts, or no paper before it"),
        }
    }
    assert_eq!(papers, 5);
    items
}

#[test]
fn every_item_says_where_it_is_or_why_not() {
    for item in items() {
        match item.state {
            "present" => assert!(!item.places.is_empty(), "{}: where?", item.what),
            _ => assert!(!item.note.is_empty(), "{}: why?", item.what),
        }
    }
}

#[test]
fn files_and_commands_exist() {
    let bench = Arguments::command();
    let lab = read("book/src/laboratory.md");
    for item in items() {
        for place in &item.places {
            let there = match place {
                Place::File(path) => root().join(path).exists(),
                // carryless-lab depends on this crate, so that its commands are known from the book alone.
                Place::Command("carryless-lab", name) => lab.contains(&format!("\n## {name}\n")),
                Place::Command(_, name) => {
                    let built = bench.find_subcommand(name).is_some() || families::named(name).is_some();
                    // A command that this build leaves out is known by its feature.
                    built || OF_FEATURES.contains(&(name.as_str(), false))
                }
            };
            let place = match place {
                Place::File(path) => path,
                Place::Command(_, name) => name,
            };
            assert!(there, "{}: {place} is not there", item.what);
        }
    }
}
