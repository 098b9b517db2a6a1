//! The tables of faults.
//!
//! ```text
//! tests gf2 --test field            the tests that must notice the faults, in this order; words after the target are for the test program
//! cut crates/lanes/src/cpu.rs       a change of the copy that is always on, to build less: `old` and `new` as below
//! fault 201 crates/gf2/src/a.rs     a number, and the file
//! in  let end = len - 1;            a part of the file that occurs once; without it, `old` does
//! old len - 1                       an expression; or a statement, with its semicolon, that declares no name
//! new len                           what takes its place; nothing for a statement that is dropped
//! same the reason                   no test can notice it
//! needs crates/gf2/tests/wipe.rs    it waits for the tests in this file
//! ```
//!
//! In a text, `⏎` is a line break.
use crate::report::{Outcome, Stop, fail};
use crate::shell;
use std::fs;
use std::path::PathBuf;

pub(super) struct Table {
    /// The name of its file.
    pub(super) name: String,
    pub(super) tests: Vec<Target>,
    pub(super) cuts: Vec<Fault>,
    pub(super) faults: Vec<Fault>,
}

impl Table {
    /// Whether `name` is this table or the number of a fault in it.
    pub(super) fn has(&self, name: &str) -> bool {
        self.name == name || self.faults.iter().any(|fault| fault.id.to_string() == name)
    }
}

/// A test program of one package, as `cargo test --no-run` builds it.
pub(super) struct Target {
    /// The name of the crate, without `carryless-`.
    pub(super) package: String,
    /// Flags for cargo; the last ones are `--lib`, or `--test` and a name.
    pub(super) flags: Vec<String>,
    /// Arguments for the program itself, such as `--skip` and a name.
    pub(super) args: Vec<String>,
}

#[derive(Default)]
pub(super) struct Fault {
    /// Unique number of the fault; 0 for a cut, which is always on.
    pub(super) id: u32,
    pub(super) file: String,
    within: Option<String>,
    pub(super) old: String,
    pub(super) new: String,
    /// Why no test can notice it.
    pub(super) equivalent: Option<String>,
    needs: Option<String>,
}

impl Fault {
    /// The file with tests that it waits for, if that does not exist yet.
    pub(super) fn waits(&self) -> Option<&str> {
        self.needs.as_deref().filter(|path| !shell::root().join(path).exists())
    }

    /// Fails where the old or the new code cannot stand in a block of its own, which is where it is planted.
    fn is_whole(&self) -> Outcome {
        for code in [&self.old, &self.new] {
            let level = |code: &str, open, close| code.matches(open).count() == code.matches(close).count();
            let is_level =
                |code: &str| level(code, '(', ')') && level(code, '[', ']') && level(code, '{', '}');
            let wrong = if !is_level(code) {
                "lacks a bracket"
            } else if code.starts_with("let ") && code.matches(';').count() == 1 {
                // With more statements after it, the name would be used within the block.
                "declares a name for later code"
            } else if code.split_once("=>").is_some_and(|(pattern, _)| is_level(pattern)) {
                // An arrow within brackets belongs to a macro or to a whole `match`.
                "is an arm of a match"
            } else {
                continue;
            };
            return fail(format!("fault {} of {}: {code:?} {wrong}", self.id, self.file));
        }
        Ok(())
    }

    /// Byte range of the old code in the text of its file. The `in` part must occur once, and `old` once in that.
    pub(super) fn place(&self, text: &str) -> Result<std::ops::Range<usize>, Stop> {
        let within = self.within.as_ref().unwrap_or(&self.old);
        // Without an `in` line both calls look for `old`, and the second finds it at 0.
        let at = self.only(text, within)? + self.only(within, &self.old)?;
        Ok(at..at + self.old.len())
    }

    fn only(&self, text: &str, part: &str) -> Result<usize, Stop> {
        let mut places = text.match_indices(part);
        match (places.next(), places.next()) {
            (Some((at, _)), None) => Ok(at),
            (first, _) => {
                let count = if first.is_none() { "nowhere" } else { "more than once" };
                fail(format!("fault {} of {}: \"{part}\" is {count} there", self.id, self.file))
            }
        }
    }
}

fn folder() -> PathBuf {
    shell::root().join("xtask/faults")
}

/// Reads all tables, sorted by name. A number that occurs twice is an error.
pub(super) fn read_all() -> Result<Vec<Table>, Stop> {
    let stop = |error: std::io::Error| Stop::Failed(format!("xtask/faults: {error}"));
    let mut paths = fs::read_dir(folder()).and_then(|list| list.map(|entry| Ok(entry?.path())).collect());
    let paths: &mut Vec<PathBuf> = paths.as_mut().map_err(|error| Stop::Failed(error.to_string()))?;
    paths.sort();
    let mut tables = Vec::new();
    for path in paths.iter() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        tables.push(parse(name, &fs::read_to_string(path).map_err(stop)?)?);
    }
    // Over all tables, because one build holds them all and a number selects the fault.
    let mut ids: Vec<u32> = tables.iter().flat_map(|table| &table.faults).map(|fault| fault.id).collect();
    ids.sort_unstable();
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => fail(format!("two faults have the number {}", pair[0])),
        None => Ok(tables),
    }
}

fn parse(name: String, text: &str) -> Result<Table, Stop> {
    let mut table = Table { name, tests: Vec::new(), cuts: Vec::new(), faults: Vec::new() };
    let mut in_cut = false;
    for (number, line) in (1..).zip(text.lines()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim().replace('⏎', "\n");
        let rest = rest.as_str();
        let wrong = |what: &str| fail(format!("xtask/faults/{}.txt:{number}: {what}", table.name));
        match word {
            "" | "#" => continue,
            "tests" => match target(rest) {
                Some(target) => table.tests.push(target),
                None => return wrong("no target"),
            },
            "cut" => {
                in_cut = true;
                table.cuts.push(Fault { file: rest.into(), ..Fault::default() });
            }
            "fault" => {
                in_cut = false;
                match rest.split_once(' ').map(|(id, file)| (id.parse(), file)) {
                    // 0 is the number of cuts, and in `SWITCH` it selects no fault.
                    Some((Ok(id), file)) if id > 0 => {
                        table.faults.push(Fault { id, file: file.into(), ..Fault::default() });
                    }
                    _ => return wrong("no number and file"),
                }
            }
            _ => {
                // These words belong to the last fault or cut above them.
                let list = if in_cut { &mut table.cuts } else { &mut table.faults };
                let Some(fault) = list.last_mut() else { return wrong("outside of a fault") };
                match word {
                    "in" => fault.within = Some(rest.into()),
                    "old" => fault.old = rest.into(),
                    "new" => fault.new = rest.into(),
                    "same" => fault.equivalent = Some(rest.into()),
                    "needs" => fault.needs = Some(rest.into()),
                    _ => return wrong("an unknown word"),
                }
            }
        }
    }
    table.faults.iter().try_for_each(Fault::is_whole)?;
    Ok(table)
}

/// Parses a target: `gf2 FLAG.. --test field ARGUMENT..`, or `--lib`; `None` if a word is missing.
fn target(text: &str) -> Option<Target> {
    let mut words = text.split_whitespace().map(String::from);
    let (package, mut flags) = (words.next()?, Vec::new());
    loop {
        flags.push(words.next()?);
        match flags.last()?.as_str() {
            "--lib" => break,
            "--test" => {
                flags.push(words.next()?);
                break;
            }
            _ => {}
        }
    }
    Some(Target { package, flags, args: words.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_have_a_program() {
        let flags = |text| target(text).map(|target| (target.flags.join(" "), target.args.join(" ")));
        let words = |flags: &str, args: &str| Some((flags.into(), args.into()));
        assert_eq!(flags("a --features b --lib c d"), words("--features b --lib", "c d"));
        assert_eq!(flags("a --test b"), words("--test b", ""));
        assert!(flags("a").is_none() && flags("a --features b").is_none() && flags("a --test").is_none());
    }

    #[test]
    fn places_are_unique() {
        let text = "tests gf2 --test field --skip slow\nfault 7 a.rs\nin  x = a + b\nold a\nnew b\n";
        let table = parse("t".into(), text).unwrap_or_else(|_| panic!("a table"));
        assert_eq!((table.tests[0].flags.len(), table.tests[0].args.len()), (2, 2));
        let place = |text: &str| table.faults[0].place(text).ok();
        assert_eq!(place("a; x = a + b;"), Some(7..8));
        assert_eq!(place("x = a + b; x = a + b;"), None);
        assert_eq!(place("x = a"), None);
        let fails = |text: &str| parse("t".into(), text).is_err();
        assert!(fails("old a") && fails("fault 0 a.rs"));
        assert!(fails("fault 7 a.rs\nold if a {\nnew if b {\n") && fails("fault 7 a.rs\nold let a = b;\n"));
        assert!(fails("fault 7 a.rs\nold _ => a\n"));
    }
}
