//! The files in `xtask/asm`: which rules hold for which kernels, and the names that the rules use.
use super::operands::Limit;
use super::row::{Row, Source, Spills};
use super::rules::Rule;
use crate::report::Stop;
use crate::shell;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The folder of the files, from the root of the checkout.
const FOLDER: &str = "xtask/asm";
/// The file of names; it explains how rules are written.
pub(super) const NAMES: &str = "machines.toml";

/// All that the kernels are held to.
pub(crate) struct Table {
    pub names: Names,
    pub rules: Vec<Rule>,
    pub limits: Vec<Limit>,
}

/// The compiler, and the names that rules may use.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    /// How `rustc --version` begins for the compiler that the counts are of.
    pub compiler: String,
    /// In the order in which they are checked.
    #[serde(rename = "target")]
    pub targets: Vec<Target>,
}

/// A target, its machines and its instructions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Target {
    /// What rules for all of its machines call it.
    pub name: String,
    /// What rustc calls it.
    pub triple: String,
    /// For the name of each machine, what the symbols of its kernels contain.
    pub machines: BTreeMap<String, String>,
    /// For each name in rules, the mnemonics that are counted together, separated by `|`.
    pub instructions: BTreeMap<String, String>,
}

/// A file of rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "rule")]
    rules: Vec<Spanned<Row>>,
    #[serde(default, rename = "operands")]
    limits: Vec<Spanned<Spills>>,
}

impl Table {
    /// The table of this checkout. An error names the file and the line.
    pub(crate) fn read() -> Result<Table, Stop> {
        let mut files = read_folder().map_err(|error| Stop::Failed(format!("{FOLDER}: {error}")))?;
        let names = files.remove(NAMES).ok_or_else(|| Stop::Failed(format!("{FOLDER} has no {NAMES}")))?;
        Table::parse(&names, &files).map_err(Stop::Failed)
    }

    /// The table of these texts: the names, and rules by the name of their file.
    pub(super) fn parse(names: &str, files: &BTreeMap<String, String>) -> Result<Table, String> {
        let names: Names = toml::from_str(names).map_err(|why| format!("{FOLDER}/{NAMES}: {why}"))?;
        let (mut rules, mut limits) = (Vec::new(), Vec::new());
        for (file, text) in files {
            let path = format!("{FOLDER}/{file}");
            let file: File = toml::from_str(text).map_err(|why| format!("{path}: {why}"))?;
            let source = Source { path: &path, text, names: &names };
            rules.extend(source.rules(&file.rules, &Row::default())?);
            limits.extend(source.limits(&file.limits)?);
        }
        Ok(Table { names, rules, limits })
    }
}

/// The texts of the files by their names.
fn read_folder() -> std::io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(shell::root().join(FOLDER))? {
        let path = entry?.path();
        if let (Some(name), true) = (path.file_name(), path.extension().is_some_and(|end| end == "toml")) {
            files.insert(name.to_string_lossy().into_owned(), std::fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}

impl Names {
    /// The target of a machine and what the symbols of the machine's kernels contain: nothing special if the name is that of a target.
    pub(super) fn machine(&self, name: &str) -> Result<(&Target, &str), String> {
        for target in &self.targets {
            if target.name == name {
                return Ok((target, ""));
            }
            if let Some(word) = target.machines.get(name) {
                return Ok((target, word));
            }
        }
        Err(format!("{FOLDER}/{NAMES} has no machine {name}"))
    }
}
