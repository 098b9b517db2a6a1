//! The tables and the plot.
use super::operation::{Operation, SLICE};
use super::statements::STATEMENTS;
use super::{Measured, OfField};
use crate::clock::Clock;
use crate::report::{Curve, Row, marked, plot_of};
use serde_json::json;
use std::fmt::Write;

/// Whose figures there are, ours first.
const LIBRARIES: [&str; 2] = ["carryless", "openssl"];

/// All tables with a word on what they are.
pub fn markdown(measured: &Measured) -> String {
    let environment = &measured.environment;
    let mut text = format!(
        "Paper 004, first half: {} per operation\n\n{}, {}, commit {}\n\n\
         Product, square, root and inverse wait for the one before (latency); slices have {SLICE} elements, and their figures are for one.\n\
         Every result was verified before it was timed.\n",
        Clock::UNIT,
        environment.cpu,
        environment.date,
        environment.commit
    );
    for library in LIBRARIES.into_iter().filter(|library| has(measured, library)) {
        text += &cycles(measured, library);
    }
    if has(measured, LIBRARIES[1]) {
        text += &ratios(measured);
    }
    text += &statements(measured);
    if measured.fields.iter().flat_map(|of| &of.rows).any(|(_, row)| row.disturbed) {
        text += "\n~: the machine was too busy for undisturbed samples; these figures are too high.\n";
    }
    text
}

fn has(measured: &Measured, library: &str) -> bool {
    measured.fields.iter().any(|of| of.cycles(library, Operation::Product).is_some())
}

/// The operations for which a library has a figure.
fn operations(measured: &Measured, library: &str) -> Vec<Operation> {
    let has = |operation: &Operation| measured.fields.iter().any(|of| of.row(library, *operation).is_some());
    Operation::ALL.iter().copied().filter(has).collect()
}

fn heading(title: &str, operations: &[Operation]) -> String {
    let names: Vec<&str> = operations.iter().map(|operation| operation.name()).collect();
    format!("\n### {title}\n\n| field | {} |\n|---|{}\n", names.join(" | "), "---:|".repeat(names.len()))
}

/// A library's cycles.
fn cycles(measured: &Measured, library: &str) -> String {
    let operations = operations(measured, library);
    table(measured, heading(library, &operations), |of| {
        let cell = |&operation: &Operation| {
            let row = of.row(library, operation)?;
            Some(marked(row, of.cycles(library, operation)?))
        };
        operations.iter().map(|operation| cell(operation).unwrap_or_default()).collect()
    })
}

/// The peer's cycles over ours; slices are compared with the same single operation.
fn ratios(measured: &Measured) -> String {
    let pairs = [
        (Operation::Product, Operation::Product),
        (Operation::ProductSlice, Operation::Product),
        (Operation::Square, Operation::Square),
        (Operation::SquareSlice, Operation::Square),
        (Operation::Sqrt, Operation::Sqrt),
        (Operation::SqrtSlice, Operation::Sqrt),
        (Operation::Solve, Operation::Solve),
        (Operation::SolveByMap, Operation::Solve),
        (Operation::Invert, Operation::Invert),
        (Operation::InvertByMaps, Operation::Invert),
        (Operation::InvertSlice, Operation::Invert),
        (Operation::BatchInvert, Operation::Invert),
    ];
    let [ours, peer] = LIBRARIES;
    let title = format!("Cycles of {peer} over those of {ours}");
    table(measured, heading(&title, &pairs.map(|pair| pair.0)), |of| {
        let ratio = |(own, other)| Some(of.cycles(peer, other)? / of.cycles(ours, own)?);
        pairs.map(|pair| ratio(pair).map_or(String::new(), |ratio| format!("{ratio:.1}"))).into()
    })
}

fn table(measured: &Measured, mut text: String, cells: impl Fn(&OfField) -> Vec<String>) -> String {
    for of in &measured.fields {
        writeln!(text, "| {} | {} |", of.field.name, cells(of).join(" | ")).expect("to a string");
    }
    text
}

fn statements(measured: &Measured) -> String {
    let mut text = String::from(
        "\n### What the slides say\n\n| ratio | slides | here, least | here, greatest |\n|---|---|---|---|\n",
    );
    for statement in STATEMENTS {
        let range = statement.range(measured);
        let cell =
            |at: usize| range.map_or(String::new(), |range| format!("{:.2} ({})", range[at].0, range[at].1));
        writeln!(text, "| {} | {} | {} | {} |", statement.what, statement.slides, cell(0), cell(1))
            .expect("to a string");
    }
    text
}

/// One object a line: cycles of one operation.
pub fn jsonl(measured: &Measured) -> String {
    let line = |(of, operation, row): (&OfField, Operation, &Row)| {
        let scale = of.field.message() as f64 / operation.count() as f64;
        let environment = &measured.environment;
        json!({
            "paper": "004",
            "field": of.field.name,
            "degree": of.field.degree,
            "subject": row.subject,
            "machine": row.machine,
            "cycles_min": row.cycles_per_byte.min * scale,
            "cycles_median": row.cycles_per_byte.median * scale,
            "ticks_min": row.ticks_per_byte.min * scale,
            "ticks_median": row.ticks_per_byte.median * scale,
            "samples": row.samples,
            "disturbed": row.disturbed,
            "unit": Clock::UNIT,
            "cpu": environment.cpu,
            "commit": environment.commit,
            "date": environment.date,
        })
        .to_string()
            + "\n"
    };
    figures(measured).map(line).collect()
}

fn figures(measured: &Measured) -> impl Iterator<Item = (&OfField, Operation, &Row)> {
    measured.fields.iter().flat_map(|of| of.rows.iter().map(move |(operation, row)| (of, *operation, row)))
}

/// Every figure, a line each.
pub fn csv(measured: &Measured) -> String {
    let mut text = String::from("field,degree,subject,cycles_min,cycles_median,cpu\n");
    let cpu = measured.environment.cpu.replace('"', "\"\"");
    for (of, operation, row) in figures(measured) {
        let scale = of.field.message() as f64 / operation.count() as f64;
        let [min, median] =
            [row.cycles_per_byte.min, row.cycles_per_byte.median].map(|figure| figure * scale);
        let (name, degree) = (of.field.name, of.field.degree);
        writeln!(text, "{name},{degree},{},{min:.1},{median:.1},\"{cpu}\"", row.subject)
            .expect("to a string");
    }
    text
}

/// Cycles against degree.
pub fn svg(measured: &Measured) -> String {
    let curve = |library: &str, operation: Operation| Curve {
        name: super::name(library, operation),
        points: measured
            .fields
            .iter()
            .filter_map(|of| Some((of.field.degree, of.cycles(library, operation)?)))
            .collect(),
    };
    let [ours, peer] = LIBRARIES;
    let curves = [
        curve(ours, Operation::Product),
        curve(ours, Operation::ProductSlice),
        curve(ours, Operation::Square),
        curve(ours, Operation::ProductByComb),
        curve(ours, Operation::SolveByMap),
        curve(ours, Operation::InvertByMaps),
        curve(peer, Operation::Product),
        curve(peer, Operation::Invert),
    ];
    let shown: Vec<Curve> = curves.into_iter().filter(|curve| !curve.points.is_empty()).collect();
    let title = format!("Paper 004, first half: {}", measured.environment.cpu);
    plot_of(&title, ["degree of the field", &format!("{} per operation", Clock::UNIT)], &shown)
}
