//! The tables.
use super::operation::{Operation, SLICE};
use super::statements::STATEMENTS;
use super::{Measured, OURS, OfField};
use crate::clock::Clock;
use crate::report::{Row, digits, marked};
use serde_json::json;
use std::fmt::Write;

/// What is compared with a peer's: our operation, and its; one that has no call for slices is compared by its single operation.
const PAIRS: [(Operation, Operation); 15] = [
    (Operation::Product, Operation::Product),
    (Operation::ProductSlice, Operation::Product),
    (Operation::ProductByComb, Operation::Product),
    (Operation::ProductByShuffles, Operation::Product),
    (Operation::Square, Operation::Square),
    (Operation::SquareSlice, Operation::Square),
    (Operation::Sqrt, Operation::Sqrt),
    (Operation::SqrtSlice, Operation::Sqrt),
    (Operation::Trace, Operation::Trace),
    (Operation::Solve, Operation::Solve),
    (Operation::SolveByMap, Operation::Solve),
    (Operation::Invert, Operation::Invert),
    (Operation::InvertByMaps, Operation::Invert),
    (Operation::InvertSlice, Operation::Invert),
    (Operation::BatchInvert, Operation::Invert),
];

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
    let libraries = measured.libraries();
    text.extend(libraries.iter().map(|library| cycles(measured, library)));
    text.extend(libraries.iter().filter(|library| **library != OURS).map(|peer| ratios(measured, peer)));
    text += &statements(measured);
    if measured.fields.iter().flat_map(|of| &of.rows).any(|(_, row)| row.disturbed) {
        text += "\n~: the machine was too busy for undisturbed samples; these figures are too high.\n";
    }
    text
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

/// The peer's cycles over ours.
fn ratios(measured: &Measured, peer: &str) -> String {
    let has = |&(own, other): &(Operation, Operation)| {
        let ratio = |of: &OfField| ratio(of, peer, own, other);
        measured.fields.iter().any(|of| ratio(of).is_some())
    };
    let pairs: Vec<(Operation, Operation)> = PAIRS.into_iter().filter(has).collect();
    let names: Vec<Operation> = pairs.iter().map(|pair| pair.0).collect();
    let title = format!("Cycles of {peer} over those of {OURS}");
    table(measured, heading(&title, &names), |of| {
        let cell = |&(own, other): &(Operation, Operation)| {
            ratio(of, peer, own, other).map_or(String::new(), digits)
        };
        pairs.iter().map(cell).collect()
    })
}

fn ratio(of: &OfField, peer: &str, own: Operation, other: Operation) -> Option<f64> {
    Some(of.cycles(peer, own).or_else(|| of.cycles(peer, other))? / of.cycles(OURS, own)?)
}

/// A line for each field of which there is anything.
fn table(measured: &Measured, mut text: String, cells: impl Fn(&OfField) -> Vec<String>) -> String {
    for of in &measured.fields {
        let cells = cells(of);
        if cells.iter().any(|cell| !cell.is_empty()) {
            writeln!(text, "| {} | {} |", of.field.name, cells.join(" | ")).expect("to a string");
        }
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
