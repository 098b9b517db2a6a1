//! The records of measurements: one JSON object a line, compressed by xz.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

/// A measured figure, as the harness writes it. Families of functions have lengths and cycles per byte; fields, curves
/// and HQC have a name and cycles.
#[derive(Deserialize)]
struct Line {
    family: Option<String>,
    mode: Option<String>,
    length: Option<usize>,
    cycles_per_byte: Option<Spread>,
    other_function: Option<bool>,
    field: Option<String>,
    curve: Option<String>,
    set: Option<String>,
    cycles_min: Option<f64>,
    subject: String,
    cpu: String,
    commit: String,
    date: String,
    disturbed: bool,
    unit: String,
}

#[derive(Clone, Copy, Deserialize)]
struct Spread {
    min: f64,
    q1: f64,
    q3: f64,
}

/// What was measured: the key by which tables find their figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A family of functions on a whole message or pair of operands of so many bytes.
    Length(String, usize),
    /// A field, curve or parameter set, and an operation.
    Operation(String),
}

/// A figure of a record.
pub(super) struct Figure {
    pub(super) item: Item,
    /// The library, such as `carryless` or `openssl`.
    pub(super) library: String,
    /// The subject as the record names it.
    pub(super) subject: String,
    /// Core cycles: per byte for [`Item::Length`], else of one operation.
    pub(super) cycles: f64,
    /// The lower and the upper quartile, if the record has them. Only pictures show them.
    #[cfg_attr(not(feature = "bench"), allow(dead_code))]
    pub(super) quartiles: Option<[f64; 2]>,
    pub(super) disturbed: bool,
    pub(super) cpu: String,
    pub(super) commit: String,
    /// Day of the run, as in 2026-11-24.
    pub(super) day: String,
    /// The number of the record that has it. Figures of one record were measured together.
    pub(super) record: usize,
}

/// The figures of a line; `None` if it is of no kind that is reported: other modes than one-shot, other units than core
/// cycles, other functions than the family's.
fn figure(line: Line, record: usize) -> Option<Figure> {
    // CPUs without a chain of known latency have nanoseconds, which cannot be compared with cycles.
    if line.unit != "core cycles" || line.other_function == Some(true) {
        return None;
    }
    let (library, operation) = line.subject.split_once('/').unwrap_or((&line.subject, ""));
    // HQC's records have a family too, but no length.
    let (item, cycles, quartiles) = match (&line.family, line.length, line.cycles_per_byte) {
        (Some(family), Some(length), Some(spread)) => {
            if line.mode.as_deref() != Some("oneshot") {
                return None;
            }
            (Item::Length(family.clone(), length), spread.min, Some([spread.q1, spread.q3]))
        }
        _ => {
            let name = line.field.or(line.curve).or(line.set)?;
            // Subjects of a backend of their own have three parts.
            if operation.contains('/') && library == "carryless" {
                return None;
            }
            // Peers may have a variant before the operation, as in `crrl/native/product`.
            let operation = operation.rsplit('/').next()?;
            (Item::Operation(format!("{name} {operation}")), line.cycles_min?, None)
        }
    };
    Some(Figure {
        item,
        library: library.into(),
        subject: line.subject.clone(),
        cycles,
        quartiles,
        disturbed: line.disturbed,
        cpu: line.cpu,
        commit: line.commit,
        day: line.date.chars().take(10).collect(),
        record,
    })
}

/// Reads all records of a folder.
///
/// # Errors
/// If there is none, one is malformed, or the program `xz` is missing.
pub(super) fn read(folder: &Path) -> Result<Vec<Figure>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.to_string_lossy().ends_with(".jsonl.xz"));
    // Record numbers break ties between runs of one day, so they must not depend on the order of the folder.
    paths.sort();
    ensure!(!paths.is_empty(), "{}: no records", folder.display());
    let mut figures = Vec::new();
    for (record, path) in paths.iter().enumerate() {
        // A program instead of a crate, so that the laboratory depends on no decompressor.
        let output = Command::new("xz").arg("-dc").arg(path).output().context("the program xz")?;
        ensure!(output.status.success(), "{}: xz cannot read it", path.display());
        figures.extend(lines(&output.stdout, record).with_context(|| path.display().to_string())?);
    }
    Ok(figures)
}

fn lines(text: &[u8], record: usize) -> Result<Vec<Figure>> {
    let lines = serde_json::Deserializer::from_slice(text).into_iter::<Line>();
    lines.filter_map(|line| line.map(|line| figure(line, record)).transpose()).map(|line| Ok(line?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"family":"poly1305","mode":"oneshot","subject":"carryless/best","machine":"avx2","other_function":false,"length":64,"count":1,"cycles_per_byte":{"min":1.5,"median":1.6,"q1":1.5,"q3":1.7},"samples":9,"rejected":0,"disturbed":false,"unit":"core cycles","cpu":"C","commit":"abc","date":"2026-11-24T00:21:05Z"}
{"commit":"abc","cpu":"C","curve":"sect163k1","cycles_median":14313.9,"cycles_min":14229.6,"date":"2026-11-25T23:36:25Z","degree":163,"disturbed":true,"machine":"m","paper":"004","samples":335,"subject":"openssl/variable-base","unit":"core cycles"}
{"family":"poly1305","mode":"prepared","subject":"carryless/best","machine":"avx2","other_function":false,"length":64,"count":1,"cycles_per_byte":{"min":1.5,"median":1.6,"q1":1.5,"q3":1.7},"samples":9,"rejected":0,"disturbed":false,"unit":"core cycles","cpu":"C","commit":"abc","date":"2026-11-24T00:21:05Z"}
"#;

    #[test]
    fn both_kinds_of_lines_are_read() {
        let figures = lines(TEXT.as_bytes(), 3).expect("lines");
        assert_eq!(figures.len(), 2, "the prepared key is left out");
        assert_eq!(figures[0].item, Item::Length("poly1305".into(), 64));
        assert_eq!((figures[0].cycles, figures[0].quartiles), (1.5, Some([1.5, 1.7])));
        assert_eq!(figures[1].item, Item::Operation("sect163k1 variable-base".into()));
        assert_eq!((figures[1].library.as_str(), figures[1].day.as_str()), ("openssl", "2026-11-25"));
        assert!(figures[1].disturbed && lines(b"{}", 0).is_err());
    }
}
