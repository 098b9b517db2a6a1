//! The table of rules, read from the TOML files in `xtask/asm`.
use super::names::{FOLDER, NAMES, Names};
use super::operands::Limit;
use super::row::{Row, Source, Spills};
use super::rules::Rule;
use crate::report::Stop;
use crate::shell;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The rules and limits for the kernels of all targets.
pub(crate) struct Table {
    /// The compiler of the counts, and the names that rows may use.
    pub names: Names,
    /// Rules in the order of the files' names and rows.
    pub rules: Vec<Rule>,
    /// Limits of products and squares in fields, in the same order.
    pub limits: Vec<Limit>,
}

/// The contents of every other file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "rule")]
    rules: Vec<Spanned<Row>>,
    #[serde(default, rename = "operands")]
    limits: Vec<Spanned<Spills>>,
}

impl Table {
    /// Reads the files of this checkout. An error names the file and the line.
    pub(crate) fn read() -> Result<Table, Stop> {
        let mut files = read_folder().map_err(|error| Stop::Failed(format!("{FOLDER}: {error}")))?;
        // It has no rows, and the rows of the other files need its names.
        let names = files.remove(NAMES).ok_or_else(|| Stop::Failed(format!("{FOLDER} has no {NAMES}")))?;
        Table::parse(&names, &files).map_err(Stop::Failed)
    }

    /// Parses `names`, the text of `backends.toml`, and `files`, the texts of the others by file name.
    /// An error names the file and the line.
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

/// Returns the texts of the TOML files in the folder, by file name.
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
