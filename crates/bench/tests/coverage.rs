//! Checks that crates/bench/coverage.md is made from data/coverage.txt, and that the files and commands named there
//! exist. `CARRYLESS_BLESS=1` writes the page.
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

struct Paper {
    number: String,
    title: String,
    items: Vec<Item>,
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

fn papers() -> Vec<Paper> {
    let mut papers: Vec<Paper> = vec![];
    for line in read("crates/bench/data/coverage.txt").lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(" |").map(str::trim).collect();
        match parts[..] {
            ["paper", number, title] => {
                papers.push(Paper { number: number.into(), title: title.into(), items: vec![] });
            }
            [what, state, at, note] => {
                let state = STATES.into_iter().find(|known| *known == state);
                let state = state.unwrap_or_else(|| panic!("{line}: no such state"));
                let item = Item { what: what.into(), state, places: places(at), note: note.into() };
                papers.last_mut().expect("a paper comes first").items.push(item);
            }
            _ => panic!("'{line}' has not four parts"),
        }
    }
    papers
}

#[test]
fn every_item_says_where_it_is_or_why_not() {
    for item in papers().iter().flat_map(|paper| &paper.items) {
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
    for item in papers().iter().flat_map(|paper| &paper.items) {
        for place in &item.places {
            let there = match place {
                Place::File(path) => root().join(path).exists(),
                Place::Command("carryless-lab", name) => lab.contains(&format!("\n## {name}\n")),
                Place::Command(_, name) => {
                    let built = bench.find_subcommand(name).is_some() || families::named(name).is_some();
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

fn page(papers: &[Paper]) -> String {
    let mut text = String::from(
        "# What the papers have, and where it is here\n\nMade of `crates/bench/data/coverage.txt` by `cargo test -p carryless-bench --test coverage`, which checks that every file and every \
         command exists. Errors of the papers: [errata.md](../../book/src/errata.md). How the tables are made: [laboratory.md](../../book/src/laboratory.md#bench).\n\n\
         | paper | items | present | partly | absent | beside the point |\n|---|---:|---:|---:|---:|---:|\n",
    );
    for paper in papers {
        let count = |state| paper.items.iter().filter(|item| item.state == state).count().to_string();
        let counts = STATES.map(count).join(" | ");
        text += &format!("| {} | {} | {counts} |\n", paper.number, paper.items.len());
    }
    for Paper { number, title, items } in papers {
        text += &format!("\n## {number}: {title}\n\n| item | state | where | note |\n|---|---|---|---|\n");
        for Item { what, state, places, note } in items {
            let state = if *state == "n/a" { "beside the point" } else { state };
            let places: Vec<String> = places
                .iter()
                .map(|place| match place {
                    Place::File(path) => {
                        let name = path.trim_start_matches("crates/");
                        let name = name.trim_start_matches("book/src/");
                        format!("[{name}](../../{path})")
                    }
                    Place::Command(program, name) => format!("`{program} {name}`"),
                })
                .collect();
            text += &format!("| {what} | {state} | {} | {note} |\n", places.join(", "));
        }
    }
    text
}

#[test]
fn the_page_is_made_of_the_data() {
    let path = root().join("crates/bench/coverage.md");
    let page = page(&papers());
    if std::env::var_os("CARRYLESS_BLESS").is_some() {
        fs::write(&path, &page).expect("crates/bench/coverage.md is written");
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|old| old == page),
        "CARRYLESS_BLESS=1 writes crates/bench/coverage.md"
    );
}
