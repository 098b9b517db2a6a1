//! Compares the figures of a run with those of an earlier one.
use super::{Chapter, Source};
use crate::output::Forms;
use crate::table::Table;
use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Two figures agree if they differ by less than this part of the earlier one.
// The same subject differs by up to 1.7 % between two runs (crates/bench/PEERS.md).
const NEAR: f64 = 0.03;

/// Least batch medians in cycles, by what they are figures of: a record without its measurements, as JSON.
type Figures = BTreeMap<String, f64>;

/// The figures of an earlier report, by the names of their parts.
pub(super) struct Earlier(BTreeMap<&'static str, Figures>);

/// How many figures of a part agree with the earlier run.
pub(super) struct Repeated {
    part: &'static str,
    /// Number of figures that both runs have.
    figures: usize,
    /// Number of these that are within [`NEAR`].
    near: usize,
    /// The greatest difference, as a part of the earlier figure, and the record that has it. `None` if no
    /// figure is in both runs.
    worst: Option<(f64, String)>,
}

impl Earlier {
    /// Reads the records that an earlier run wrote to a folder, of all parts that are measured now.
    ///
    /// # Errors
    /// If a file cannot be read, is not of records, or has none of this CPU.
    pub(super) fn read(folder: &Path, sources: &[&'static Source], cpu: &str) -> Result<Self> {
        let parts = sources.iter().flat_map(|source| source.parts).filter(|part| part.measure.is_some());
        let figures = parts.map(|part| {
            let path = folder.join(format!("{}.jsonl", part.name));
            let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let figures = figures(&text).with_context(|| path.display().to_string())?;
            // Keys of figures are records as JSON, which have the CPU as a JSON string.
            let here = Value::from(cpu).to_string();
            ensure!(
                figures.keys().any(|what| what.contains(&here)),
                "{}: no record of this CPU, {cpu}",
                path.display()
            );
            Ok((part.name, figures))
        });
        Ok(Earlier(figures.collect::<Result<_>>()?))
    }

    /// Compares the results of all parts that this build has.
    ///
    /// # Errors
    /// If a record of this run has no cycles.
    pub(super) fn compare(&self, chapters: &[Chapter]) -> Result<Vec<Repeated>> {
        let measured = chapters.iter().flat_map(|chapter| &chapter.parts);
        let pairs = measured.filter_map(|each| Some((each.part.name, each.forms.as_ref()?)));
        pairs.map(|(part, forms)| self.compare_part(part, forms)).collect()
    }

    fn compare_part(&self, part: &'static str, forms: &Forms) -> Result<Repeated> {
        let now = figures(&forms.jsonl)?;
        let before = self.0.get(part);
        let difference = |(what, figure): (&String, &f64)| {
            let earlier = before?.get(what)?;
            Some(((figure / earlier - 1.0).abs(), what.clone()))
        };
        let differences: Vec<_> = now.iter().filter_map(difference).collect();
        let near = differences.iter().filter(|(by, _)| *by < NEAR).count();
        let figures = differences.len();
        let worst = differences.into_iter().max_by(|(a, _), (b, _)| a.total_cmp(b));
        Ok(Repeated { part, figures, near, worst })
    }
}

/// The least batch median of every record, by the rest of the record.
fn figures(jsonl: &str) -> Result<Figures> {
    jsonl.lines().map(|line| figure(serde_json::from_str(line)?)).collect()
}

fn figure(mut record: Map<String, Value>) -> Result<(String, f64)> {
    // Records of fields, curves and HQC have `cycles_min`, those of families a spread per byte.
    let figure = match &record {
        record if record.contains_key("cycles_min") => record["cycles_min"].as_f64(),
        record => record.get("cycles_per_byte").and_then(|spread| spread["min"].as_f64()),
    };
    let figure = figure.context("a record without cycles")?;
    ensure!(figure > 0.0, "a record of no cycles");
    // The rest of the record says what the figure is of. Other measurements, commit and date would never be
    // equal.
    record.retain(|name, _| {
        !name.starts_with("cycles")
            && !name.starts_with("ticks")
            && !["samples", "rejected", "disturbed", "commit", "date"].contains(&name.as_str())
    });
    Ok((Value::Object(record).to_string(), figure))
}

/// The table of all parts, below the share of all figures that agree.
pub(super) fn markdown(repeated: &[Repeated]) -> String {
    let sum = |count: fn(&Repeated) -> usize| repeated.iter().map(count).sum::<usize>();
    let (near, figures) = (sum(|part| part.near), sum(|part| part.figures));
    let (share, within) =
        // Without a common figure the share is 0, not NaN.
        (100.0 * near as f64 / figures.max(1) as f64, format!("within {:.0} %", 100.0 * NEAR));
    let mut table = Table::new("", "lrrrl", ["part", "figures", &within, "greatest difference", "of"]);
    for Repeated { part, figures, near, worst } in repeated {
        let worst = worst.as_ref().map(|(by, of)| [format!("{:.1} %", 100.0 * by), format!("`{of}`")]);
        let [by, of] = worst.map_or([None, None], |cells| cells.map(Some));
        table.row([*part], [Some(figures.to_string()), Some(near.to_string()), by, of]);
    }
    let sentence = format!("{near} of {figures} figures ({share:.1} %) are {within} of the earlier run's.\n");
    sentence + &table.markdown()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(what: &str, cycles: f64, date: &str) -> String {
        format!("{{\"subject\":\"{what}\",\"cycles_min\":{cycles},\"samples\":7,\"date\":\"{date}\"}}\n")
    }

    #[test]
    fn figures_are_paired_by_what_they_are_of() {
        let before = record("a", 100.0, "1") + &record("b", 50.0, "1") + &record("gone", 1.0, "1");
        let earlier = Earlier([("paper001", figures(&before).expect("records"))].into());
        let jsonl = record("b", 52.0, "2") + &record("a", 102.9, "2") + &record("new", 9.0, "2");
        let repeated = earlier.compare_part("paper001", &Forms { jsonl, ..Forms::default() }).expect("pairs");
        assert_eq!((repeated.figures, repeated.near), (2, 1));
        let table = markdown(&[repeated]);
        assert!(table.starts_with("1 of 2 figures (50.0 %) are within 3 %"), "{table}");
        assert!(table.contains("| paper001 | 2 | 1 | 4.0 % | `{\"subject\":\"b\"}` |"), "{table}");
        let other = Forms { jsonl: record("c", 1.0, "2"), ..Forms::default() };
        for part in ["paper001", "paper002"] {
            let none = earlier.compare_part(part, &other).expect("records");
            assert!(markdown(&[none]).ends_with(&format!("| {part} | 0 | 0 |  |  |\n")));
        }
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let spread = "{\"subject\":\"a\",\"cycles_per_byte\":{\"min\":2.5,\"median\":3}}\n";
        assert_eq!(figures(spread).expect("a record")["{\"subject\":\"a\"}"], 2.5);
        for text in ["{}", "{\"cycles_min\":0}", "{\"cycles_per_byte\":{}}", "7", "{"] {
            assert!(figures(text).is_err(), "{text}");
        }
    }
}
