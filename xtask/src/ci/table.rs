//! The table `.ci/chores.toml`: the chores, how long they take, and which files they check.
use crate::report::{Stop, fail};
use crate::{CHORES, shell};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Path of the table, from the root of the checkout.
pub(super) const FILE: &str = ".ci/chores.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// Seconds that a run may take, installations included.
    pub budget: u64,
    /// The most runs from one turn of a chore to its next.
    pub runs: u32,
    /// Builds that several chores share: the name, and the seconds that the first of them spends on it.
    pub builds: BTreeMap<String, u64>,
    /// Names for lists of git's pathspecs, to which `close` and `far` of a chore refer.
    pub paths: BTreeMap<String, Vec<String>>,
    #[serde(rename = "chore")]
    pub chores: Vec<Chore>,
}

/// One row: a chore, or a part of one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chore {
    /// Name and arguments, as they follow `cargo xtask`. They also name the chore in the ledger.
    pub run: String,
    /// Estimated seconds on two cores, without the shared build. Plans compute with these, not with times in the ledger.
    pub seconds: u64,
    /// Whether every run begins with it.
    #[serde(default)]
    pub always: bool,
    /// Name of the shared build that it needs; `None` if it compiles only for itself.
    pub build: Option<String>,
    /// Names of the paths that it is there to check.
    #[serde(default)]
    pub close: Vec<String>,
    /// Names of further paths that it compiles or reads.
    #[serde(default)]
    pub far: Vec<String>,
    /// Tools that `.ci/run` installs for it, each as a kind and a name with a space between them.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Packages outside of the root workspace whose Rust tests it runs.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares it with the packages"))]
    pub tests: Vec<String>,
}

impl Table {
    /// The table of this checkout.
    pub(super) fn read() -> Result<Table, Stop> {
        match std::fs::read_to_string(shell::root().join(FILE)) {
            Ok(text) => Table::parse(&text).or_else(|why| fail(format!("{FILE}: {why}"))),
            Err(error) => fail(format!("{FILE}: {error}")),
        }
    }

    fn parse(text: &str) -> Result<Table, String> {
        let table: Table = toml::from_str(text).map_err(|error| error.to_string())?;
        for chore in &table.chores {
            chore.check(&table).map_err(|why| format!("{}: {why}", chore.run))?;
        }
        // The ledger knows chores by these names, so two rows would share their turns.
        let twice = (1..table.chores.len())
            .find(|&i| table.chores[..i].iter().any(|chore| chore.run == table.chores[i].run));
        match twice {
            Some(i) => Err(format!("{} stands there twice", table.chores[i].run)),
            None => Ok(table),
        }
    }

    /// The shared build that a chore would have to make, and its seconds. `None` if it needs none, or
    /// if it is in `built`.
    pub(super) fn unbuilt<'a>(&'a self, chore: &'a Chore, built: &[&str]) -> Option<(&'a str, u64)> {
        let build = chore.build.as_deref().filter(|build| !built.contains(build))?;
        Some((build, self.builds[build]))
    }

    /// The pathspecs of some names.
    pub(super) fn pathspecs(&self, names: &[String]) -> Vec<&str> {
        names.iter().flat_map(|name| &self.paths[name]).map(String::as_str).collect()
    }
}

/// Whether `cargo xtask` has a chore of this name.
pub(super) fn chore_exists(name: &str) -> bool {
    CHORES.iter().any(|chore| chore.0 == name)
}

impl Chore {
    /// The words after `cargo xtask`.
    pub(super) fn words(&self) -> Vec<&str> {
        self.run.split(' ').collect()
    }

    fn check(&self, table: &Table) -> Result<(), String> {
        let words = self.words();
        if !chore_exists(words[0]) {
            return Err("there is no such chore".into());
        }
        if let Some(name) = self.close.iter().chain(&self.far).find(|name| !table.paths.contains_key(*name)) {
            return Err(format!("no paths have the name {name}"));
        }
        if let Some(name) = self.build.as_ref().filter(|name| !table.builds.contains_key(*name)) {
            return Err(format!("there is no build {name}"));
        }
        // Age alone would run it, so its result would not follow the change that broke it.
        if !self.always && self.close.is_empty() {
            return Err("no change would choose it".into());
        }
        match self.tools.iter().find(|tool| !tool.contains(' ')) {
            Some(tool) => Err(format!("the tool {tool} has no kind")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn read() -> Table {
        Table::read().unwrap_or_else(|_| panic!("{FILE} does not parse"))
    }

    fn tracked(pathspecs: &[&str]) -> Vec<String> {
        let mut list = shell::command("git", &["ls-files", "--"]);
        let out = list.args(pathspecs).output().expect("git");
        String::from_utf8_lossy(&out.stdout).lines().map(String::from).collect()
    }

    #[test]
    fn mistakes_in_the_table_are_told() {
        let with = |rows: &str| {
            Table::parse(&format!("budget=1\nruns=8\nbuilds={{}}\npaths={{a=['a']}}\n{rows}"))
                .map(|_| ())
                .unwrap_err()
        };
        let row = |rest: &str| with(&format!("[[chore]]\nrun='docs'\nseconds=1\n{rest}"));
        assert!(with("[[chore]]\nrun='doc'\nseconds=1\nclose=['a']").contains("no such chore"));
        assert!(row("close=['b']").contains("no paths have the name b"));
        assert!(row("close=['a']\nbuild='c'").contains("no build c"));
        assert!(row("far=['a']").contains("no change would choose it"));
        assert!(row("close=['a']\ntools=['node']").contains("has no kind"));
        assert!(row("close=['a']\n[[chore]]\nrun='docs'\nseconds=1\nclose=['a']").contains("twice"));
        assert!(row("nonsense=1").contains("nonsense"));
    }

    #[test]
    fn every_path_is_there() {
        for pathspec in read().paths.values().flatten() {
            assert!(!tracked(&[pathspec]).is_empty(), "{pathspec} matches no file");
        }
    }

    /// A source that no chore is close to would be changed without being checked.
    #[test]
    fn every_source_is_close_to_a_chore() {
        let table = read();
        let names: Vec<String> = table.chores.iter().flat_map(|chore| chore.close.clone()).collect();
        let covered: BTreeSet<String> = tracked(&table.pathspecs(&names)).into_iter().collect();
        // By ending, so that a new folder is included without a change here.
        let sources =
            tracked(&["*.rs", "*.py", "*.pyi", "*.c", "*.cpp", "*.h", "*.js", "*.mjs", "*.ts", "*.json"]);
        // They need libraries that CI does not have.
        let is_checked = |file: &&String| covered.contains(*file) || file.starts_with("crates/bench/shims/");
        let uncovered: Vec<_> = sources.iter().filter(|file| !is_checked(file)).collect();
        assert!(uncovered.is_empty(), "{uncovered:?}");
    }

    /// A new chore comes with a row, or with a reason here.
    #[test]
    fn every_chore_has_a_row() {
        // `man` and `completions` are steps of `dist`.
        let without = ["man", "completions"];
        let table = read();
        let rows: BTreeSet<&str> = table.chores.iter().map(|chore| chore.words()[0]).collect();
        let missing: Vec<_> =
            CHORES.iter().filter(|chore| !rows.contains(chore.0) && !without.contains(&chore.0)).collect();
        assert!(missing.is_empty(), "{:?}", missing.iter().map(|chore| chore.0).collect::<Vec<_>>());
    }

    /// A chore in parts stands there with each of them.
    #[test]
    fn every_part_has_a_row() {
        let table = read();
        let rows = |name: &str| -> BTreeSet<String> {
            let rows = table.chores.iter().map(Chore::words).filter(|words| words[0] == name);
            rows.map(|words| words[1..].join(" ")).collect()
        };
        let parts = |parts: Vec<&str>| parts.into_iter().map(String::from).collect::<BTreeSet<_>>();
        assert_eq!(rows("bochs"), parts(crate::bochs::parts()));
        assert_eq!(rows("cross"), parts(crate::cross::names()));
        assert_eq!(rows("fields"), parts(crate::fields::parts_of_fields()));
        assert_eq!(rows("curves"), parts(crate::fields::parts_of_curves()));
        let steps = rows("steps");
        assert_eq!(steps, (1..=steps.len()).map(|part| format!("{part}/{}", steps.len())).collect());
    }

    /// `cargo xtask test` takes the root workspace; every other package with tests is in the list of a chore.
    #[test]
    fn every_package_with_tests_is_in_a_chore() {
        let table = read();
        let root = std::fs::read_to_string(shell::root().join("Cargo.toml")).expect("the root manifest");
        let members = root.lines().find(|line| line.starts_with("members")).expect("members");
        for manifest in tracked(&["*/Cargo.toml"]) {
            let folder = manifest.trim_end_matches("/Cargo.toml");
            let in_root = members.contains(&format!("\"{folder}\""));
            let mut grep = shell::command("git", &["grep", "-lE", r"#\[(test\]|cfg\(test\))", "--"]);
            let has_tests = grep.arg(format!("{folder}/*.rs")).output().expect("git").status.success();
            // A package may also run the tests in another's folder.
            let text = std::fs::read_to_string(shell::root().join(&manifest)).expect("a manifest");
            let has_tests = has_tests || text.contains("[[test]]");
            // Both directions: a package of the root must not be listed, since `test` runs it already.
            let listed = table.chores.iter().any(|chore| chore.tests.iter().any(|name| name == folder));
            assert_eq!(listed, has_tests && !in_root, "{folder}");
        }
    }
}
