//! Figures as JSON lines, CSV, a table or a plot.
use crate::csv::Csv;
use crate::environment::Environment;
use crate::family::Family;
use crate::sampler::Measurement;
use crate::stats::Spread;
use crate::subject::{Mode, Subject, Verification};
use crate::table::Table;
use serde::Serialize;
use std::fmt::Display;

mod axis;
mod svg;
pub(crate) use svg::escape;
pub use svg::{Curve, Drawing, Point, of_report, plot, plot_linear, plot_of, sheet};

/// The figures of one subject at one length.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The subject's name, with `#2` for the second of the same name.
    pub subject: String,
    /// The backend it ran on, or `any` if the library chooses. Records call it `machine`.
    #[serde(rename = "machine")]
    pub backend: String,
    /// Whether it computes another function than the family's, so that it is never the best of it.
    pub other_function: bool,
    /// Length of a message in bytes.
    pub length: usize,
    /// Messages in one call: 1 except in batch mode.
    pub count: usize,
    /// Core cycles per byte of all messages.
    pub cycles_per_byte: Spread,
    /// Time stamp ticks per byte of all messages.
    pub ticks_per_byte: Spread,
    /// Number of samples in both spreads.
    pub samples: usize,
    /// Number of samples that were rejected because the clock moved or the core was shared.
    pub rejected: usize,
    /// Whether the machine was too busy for undisturbed samples: the figure is then too high by an unknown amount.
    pub disturbed: bool,
}

/// The figures of one run of a family.
#[derive(Clone, Debug)]
pub struct Report {
    /// The family whose function was computed.
    pub family: &'static Family,
    /// The part of the computation that a call included.
    pub mode: Mode,
    /// CPU, commit and date of the run.
    pub environment: Environment,
    /// A line for each peer whose results were wrong, so that it was not measured.
    pub left_out: Vec<String>,
    /// Rows by length in the order of measurement, then by subject.
    pub rows: Vec<Row>,
}

/// A row as a line of the record.
#[derive(Serialize)]
struct Line<'a> {
    family: &'static str,
    mode: Mode,
    // Flattened, so that programs find every property at the top level of a record.
    #[serde(flatten)]
    row: &'a Row,
    unit: &'static str,
    #[serde(flatten)]
    environment: &'a Environment,
}

impl Row {
    /// The row of a measurement of `count` messages of `length` bytes each.
    pub fn new(name: &str, subject: &Subject, length: usize, count: usize, measured: &Measurement) -> Row {
        let bytes = (length * count) as f64;
        Row {
            subject: name.into(),
            backend: subject.backend.clone(),
            other_function: !matches!(subject.verification, Verification::SameBytes),
            length,
            count,
            cycles_per_byte: measured.cycles.per(bytes),
            ticks_per_byte: measured.ticks.per(bytes),
            samples: measured.accepted,
            rejected: measured.rejected,
            disturbed: measured.disturbed,
        }
    }

    /// The figure of tables, plots and assertions: the least batch median, in cycles per byte.
    pub fn figure(&self) -> f64 {
        self.cycles_per_byte.min
    }

    /// The same figure in cycles of a whole message.
    pub fn cycles(&self) -> f64 {
        self.figure() * self.length as f64
    }
}

impl Report {
    /// The lengths in bytes, ascending, each once.
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> = self.rows.iter().map(|row| row.length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    /// The subjects, in the order of their first rows.
    pub fn subjects(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&row.subject.as_str()) {
                names.push(&row.subject);
            }
        }
        names
    }

    /// The row of a subject at a length; `None` if it was not measured.
    pub fn row(&self, subject: &str, length: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.length == length && row.subject == subject)
    }

    /// Family, mode, CPU, date and commit in one line.
    pub fn title(&self) -> String {
        let mode = match self.mode {
            Mode::OneShot => "one-shot",
            Mode::Prepared => "prepared key",
            Mode::Batch => "batch",
            Mode::Latency => "latency of dependent calls",
        };
        let Environment { cpu, commit, date } = &self.environment;
        format!("{}, {mode}: {cpu}, {date}, commit {commit}", self.family.name)
    }
}

/// The rows as JSON lines, one object for each.
pub fn jsonl(report: &Report) -> String {
    report.rows.iter().map(|row| record(report.family, report.mode, row, &report.environment)).collect()
}

/// The JSON line of one row.
pub(crate) fn record(family: &Family, mode: Mode, row: &Row, environment: &Environment) -> String {
    let line = Line { family: family.name, mode, row, unit: crate::clock::Clock::UNIT, environment };
    serde_json::to_string(&line).expect("a row is plain data") + "\n"
}

/// The rows as comma-separated values below a line of names.
pub fn csv(report: &Report) -> String {
    let mut csv = Csv::new(
        "family,mode,subject,machine,other_function,length,count,cycles_min,cycles_median,cycles_q1,cycles_q3,\
         ticks_min,ticks_median,ticks_q1,ticks_q3,samples,rejected,disturbed,cpu,commit,date",
    );
    let Environment { cpu, commit, date } = &report.environment;
    let (family, mode) = (report.family.name, report.mode.name());
    for row in &report.rows {
        let Row { subject, backend, other_function, length, count, .. } = row;
        let figures = [row.cycles_per_byte, row.ticks_per_byte]
            // In the order of the names above.
            .map(|of| [of.min, of.median, of.q1, of.q3].map(|figure| format!("{figure:.5}")));
        let mut fields: Vec<&dyn Display> =
            vec![&family, &mode, subject, backend, other_function, length, count];
        fields.extend(figures.as_flattened().iter().map(|figure| figure as &dyn Display));
        csv.line(&[&fields[..], &[&row.samples, &row.rejected, &row.disturbed, cpu, commit, date]].concat());
    }
    csv.into_text()
}

/// The introduction of a family's table: its title, and what the figures are.
pub(crate) fn introduction(report: &Report) -> String {
    let what = if report.family.operation.is_some() { "product" } else { "byte" };
    let unit = capital(crate::clock::Clock::UNIT);
    let left_out: String = report.left_out.iter().map(|line| format!("\n{line}\n")).collect();
    format!("{}\n\n{unit} per {what}: the least median of a batch.\n{left_out}", report.title())
}

/// A table of a family: lengths down, subjects across, the best of the family in bold.
pub fn table(report: &Report) -> Table {
    let (subjects, operation) = (report.subjects(), report.family.operation);
    let head = |subject: &&str| {
        let other = report.rows.iter().any(|row| row.subject == **subject && row.other_function);
        format!("{subject}{}", if other { " (other function)" } else { "" })
    };
    // Polynomials are known by their bits, messages by their bytes.
    let first = if operation.is_some() { "bits" } else { "length" };
    let columns = [String::from(first)].into_iter().chain(subjects.iter().map(head));
    let mut table = Table::new("", "r", columns);
    for length in report.lengths() {
        let rows = subjects.iter().map(|subject| report.row(subject, length));
        // A different function solves a different task and cannot be the best at this one.
        let candidates = rows.clone().flatten().filter(|row| !row.other_function);
        // Infinity if nothing of the family was measured, and then no cell is in bold.
        let best = candidates.map(Row::figure).fold(f64::INFINITY, f64::min);
        let cell = |row: &Row| {
            let cell = marked(row, if operation.is_some() { row.cycles() } else { row.figure() });
            // The comparison is exact, because `best` is one of these figures.
            if row.figure() == best && !row.other_function { format!("**{cell}**") } else { cell }
        };
        let length = operation.map_or(length, |operation| operation.bits(length));
        table.row([length], rows.map(|row| row.map(cell)));
    }
    table
}

/// The line below tables with a `~` in them.
pub(crate) const BUSY: &str =
    "~: the machine was too busy for undisturbed samples; these figures are too high.\n";

/// The figure of a row in cycles per byte, with `~` in front if it was disturbed.
pub(crate) fn cell(row: &Row) -> String {
    marked(row, row.figure())
}

/// Another figure that follows from a row, with `~` in front if the row was disturbed.
pub(crate) fn marked(row: &Row, figure: f64) -> String {
    format!("{}{}", if row.disturbed { "~" } else { "" }, digits(figure))
}

/// A figure with three significant digits, but at most four places after the point.
pub(crate) fn digits(figure: f64) -> String {
    // The logarithm of 0 is not finite, hence a least figure.
    let places = (2.0 - figure.abs().max(1e-9).log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{figure:.places$}")
}

pub(crate) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    // The capital of a letter may have several letters, hence an iterator.
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::families::POLY1305;
    use crate::input::{Key, Tag};
    use crate::subject::OneByOne;

    /// A report with these figures: subject, length in bytes, cycles per byte.
    pub(crate) fn report(figures: &[(&str, usize, f64)]) -> Report {
        let environment =
            Environment { cpu: "A \"B\", C & <D>".into(), commit: "c0".into(), date: "today".into() };
        let any = Subject::new("any", "any", OneByOne(|_: &Key, _: &[u8], _: &mut Tag| ()));
        let rows = figures.iter().map(|&(subject, length, figure)| {
            let spread =
                Spread { min: figure, median: figure, q1: figure, q3: figure }.per(1.0 / length as f64);
            let measured =
                Measurement { cycles: spread, ticks: spread, accepted: 24, rejected: 1, disturbed: false };
            Row::new(subject, &any, length, 1, &measured)
        });
        Report {
            family: &POLY1305,
            mode: Mode::OneShot,
            environment,
            left_out: vec!["left out: c/z: wrong".into()],
            rows: rows.collect(),
        }
    }

    #[test]
    fn a_json_line_has_the_promised_fields() {
        let text = jsonl(&report(&[("a/x", 16, 2.5), ("b/y", 16, 3.0)]));
        let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        for name in ["family", "subject", "machine", "mode", "length", "cpu", "commit", "date"] {
            assert!(line.get(name).is_some(), "{name}");
        }
        assert_eq!((line["family"].as_str(), line["mode"].as_str()), (Some("poly1305"), Some("oneshot")));
        for unit in ["cycles_per_byte", "ticks_per_byte"] {
            for name in ["min", "median", "q1", "q3"] {
                assert_eq!(line[unit][name], 2.5, "{unit} {name}");
            }
        }
        assert_eq!(text.lines().count(), 2);
    }

    #[test]
    fn csv_rows_have_as_many_fields_as_names() {
        assert_eq!(csv(&report(&[("a/x", 16, 2.5)])).lines().count(), 2);
    }

    #[test]
    fn the_table_marks_the_best_of_the_family() {
        let mut report = report(&[("a", 16, 2.5), ("b", 16, 2.25), ("c", 16, 1.0), ("a", 1024, 0.5)]);
        report.rows[2].other_function = true;
        report.rows[1].disturbed = true;
        let table = table(&report).markdown();
        assert!(table.contains("| length | a | b | c (other function) |"), "{table}");
        assert!(table.contains("| 16 | 2.50 | **~2.25** | 1.00 |"), "{table}");
        assert!(table.contains("| 1024 | **0.500** |  |  |"), "{table}");
    }

    #[test]
    fn the_words_above_the_table_name_who_is_left_out() {
        assert!(introduction(&report(&[("a/x", 16, 2.5)])).ends_with(".\n\nleft out: c/z: wrong\n"));
    }

    #[test]
    fn three_digits() {
        assert_eq!([182.4, 15.02, 1.374, 0.5094].map(digits), ["182", "15.0", "1.37", "0.509"]);
    }
}
