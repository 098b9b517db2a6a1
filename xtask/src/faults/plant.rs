//! The copy of the sources with all faults in it.
use super::table::{Fault, Table};
use crate::report::{Outcome, Stop, fail};
use crate::shell;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

/// Environment variable with the number of the fault that is on; 0 or absent is none.
pub(super) const SWITCH: &str = "CARRYLESS_FAULT";

/// Source of the crate that the planted code asks. It reads the variable once, since inner loops ask it too.
const HELPER: &str = r#"//! Which fault is on.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static ID: AtomicU32 = AtomicU32::new(u32::MAX);

/// Whether it is this one.
#[inline(always)]
pub fn is(id: u32) -> bool {
    let now = ID.load(Relaxed);
    (if now == u32::MAX { ask() } else { now }) == id
}

#[cold]
fn ask() -> u32 {
    let id = std::env::var("CARRYLESS_FAULT").ok().and_then(|id| id.parse().ok()).unwrap_or(0);
    ID.store(id, Relaxed);
    id
}
"#;

const HELPER_MANIFEST: &str =
    "[package]\nname = \"carryless-faults\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const HELPER_NAME: &str = "carryless-faults";

/// Root of the copy, in the target folder. It stays there, so that the next run compiles only what changed.
pub(super) fn tree() -> PathBuf {
    shell::target_dir().join("faults/tree")
}

/// The faults and cuts to plant, by the path of their file.
type Edits<'a> = BTreeMap<&'a str, Vec<&'a Fault>>;

fn edits(tables: &[Table]) -> Edits<'_> {
    let mut edits = Edits::new();
    let all = tables.iter().flat_map(|table| table.cuts.iter().chain(&table.faults));
    for fault in all.filter(|fault| fault.waits().is_none()) {
        edits.entry(&fault.file).or_default().push(fault);
    }
    edits
}

/// Plants everything in memory only, and fails where a place is missing or ambiguous.
pub(super) fn check(tables: &[Table]) -> Outcome {
    for (file, faults) in edits(tables) {
        let text = fs::read_to_string(shell::root().join(file));
        planted(&text.map_err(|error| Stop::Failed(format!("{file}: {error}")))?, &faults)?;
    }
    Ok(())
}

/// Writes the copy of all files that git knows or would add. Files that are right already stay untouched, so
/// that cargo rebuilds only what changed.
pub(super) fn plant(tables: &[Table]) -> Outcome {
    let mut edits = edits(tables);
    // Crates with planted code depend on the helper.
    let with_faults: Vec<&str> = edits.keys().filter_map(|file| file.split("/src/").next()).collect();
    let list = shell::output(&mut shell::command(
        "git",
        &["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    ))?;
    for file in list.split('\0').filter(|file| !file.is_empty()) {
        let source = shell::root().join(file);
        let bytes = match (fs::read(&source), edits.remove(file)) {
            (Ok(bytes), Some(faults)) => planted(&text(bytes)?, &faults)?.into_bytes(),
            (Ok(bytes), None) if file == "Cargo.toml" => with_member(&text(bytes)?)?.into_bytes(),
            (Ok(bytes), None) if is_manifest_of(file, &with_faults) => {
                with_dependency(&text(bytes)?)?.into_bytes()
            }
            (Ok(bytes), None) => bytes,
            // Deleted, or a link to a folder.
            (Err(_), _) => continue,
        };
        shell::write(&tree().join(file), bytes)?;
    }
    // Each file was taken off the list when it was copied. The rest name files that do not exist.
    if let Some((file, _)) = edits.first_key_value() {
        return fail(format!("there is no {file}"));
    }
    shell::write(&tree().join("crates/faults/Cargo.toml"), HELPER_MANIFEST)?;
    shell::write(&tree().join("crates/faults/src/lib.rs"), HELPER)
}

fn text(bytes: Vec<u8>) -> Result<String, Stop> {
    String::from_utf8(bytes).map_err(|error| Stop::Failed(error.to_string()))
}

fn is_manifest_of(file: &str, crates: &[&str]) -> bool {
    file.strip_suffix("/Cargo.toml").is_some_and(|folder| crates.contains(&folder))
}

fn with_member(manifest: &str) -> Result<String, Stop> {
    replaced_once(manifest, "members = [", "members = [\"crates/faults\", ")
}

fn with_dependency(manifest: &str) -> Result<String, Stop> {
    let line = format!("\n[dependencies]\n{HELPER_NAME} = {{ path = \"../faults\" }}\n");
    replaced_once(manifest, "\n[dependencies]\n", &line)
}

fn replaced_once(text: &str, from: &str, to: &str) -> Result<String, Stop> {
    match text.matches(from).count() {
        1 => Ok(text.replacen(from, to, 1)),
        count => fail(format!("{from:?} is {count} times in a manifest")),
    }
}

/// The text of a file with the faults planted in it. Faults of one place share a chain of `if`; places
/// that overlap are an error.
fn planted(text: &str, faults: &[&Fault]) -> Result<String, Stop> {
    let mut places: Vec<(Range<usize>, Vec<&Fault>)> = Vec::new();
    for fault in faults {
        let place = fault.place(text)?;
        match places.iter_mut().find(|(other, _)| *other == place) {
            Some((_, same)) => same.push(fault),
            None => places.push((place, vec![fault])),
        }
    }
    places.sort_by_key(|(place, _)| place.start);
    // In the order of their starts, any overlap is one between neighbours.
    if let Some(pair) = places.windows(2).find(|pair| pair[0].0.end > pair[1].0.start) {
        return fail(format!("faults {} and {} overlap", pair[0].1[0].id, pair[1].1[0].id));
    }
    let (mut out, mut done) = (String::new(), 0);
    for (place, faults) in places {
        out.push_str(&text[done..place.start]);
        out.push_str(&choice(&text[place.clone()], &faults));
        done = place.end;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// The code of one place: `if is(1) { a } else if is(2) { b } else { right }`. A cut, which is always on,
/// replaces it without a condition.
fn choice(right: &str, faults: &[&Fault]) -> String {
    if let Some(cut) = faults.iter().find(|fault| fault.id == 0) {
        return cut.new.clone();
    }
    let mut all = String::new();
    for Fault { id, new, .. } in faults {
        all.push_str(&format!("if carryless_faults::is({id}) {{ {new} }} else "));
    }
    all.push_str(&format!("{{ {right} }}"));
    // An expression needs parentheses: an `if` that begins a statement would end there.
    if right.ends_with(';') { all } else { format!("({all})") }
}
