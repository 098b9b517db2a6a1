//! What was measured, as Markdown, JSON lines, CSV and a plot.
use super::{Measured, OURS, OfCurve, Operation};
use crate::clock::Clock;
use crate::report::{Curve, Row, plot_of, sheet};
use serde_json::json;
use std::fmt::Write;

/// Cycles of a product, and other libraries' over ours.
pub fn markdown(measured: &Measured) -> String {
    let libraries = libraries(measured);
    let mut text = format!("{} of a product\n\n| curve |", Clock::UNIT);
    let columns: Vec<(&str, Operation)> =
        libraries.iter().flat_map(|&library| Operation::ALL.map(|operation| (library, operation))).collect();
    let has = |&(library, operation): &(&str, Operation)| {
        measured.curves.iter().any(|of| of.row(library, operation).is_some())
    };
    let columns: Vec<_> = columns.into_iter().filter(has).collect();
    for (library, operation) in &columns {
        write!(text, " {library}/{} |", operation.name()).expect("to a string");
        if *library != OURS {
            text.push_str(" ratio |");
        }
    }
    let count = columns.len() + columns.iter().filter(|(library, _)| *library != OURS).count();
    write!(text, "\n|---|{}\n", "---:|".repeat(count)).expect("to a string");
    for of in &measured.curves {
        write!(text, "| {} |", of.curve.name).expect("to a string");
        for &(library, operation) in &columns {
            text.push_str(&cell(of, library, operation));
        }
        text.push('\n');
    }
    text
}

fn cell(of: &OfCurve, library: &str, operation: Operation) -> String {
    let cycles = of.cycles(library, operation);
    let figure = cycles.map_or(String::new(), |cycles| format!("{cycles:.0}"));
    if library == OURS {
        return format!(" {figure} |");
    }
    let ratio = cycles.zip(of.cycles(OURS, operation));
    format!(" {figure} | {} |", ratio.map_or(String::new(), |(theirs, ours)| format!("{:.2}", theirs / ours)))
}

fn libraries(measured: &Measured) -> Vec<&str> {
    let mut libraries = Vec::new();
    for (_, row) in measured.curves.iter().flat_map(|of| &of.rows) {
        let (library, _) = row.subject.rsplit_once('/').expect("library/operation");
        if !libraries.contains(&library) {
            libraries.push(library);
        }
    }
    libraries
}

fn figures(measured: &Measured) -> impl Iterator<Item = (&OfCurve, Operation, &Row)> {
    measured.curves.iter().flat_map(|of| of.rows.iter().map(move |(operation, row)| (of, *operation, row)))
}

/// One object a line: cycles of one operation.
pub fn jsonl(measured: &Measured) -> String {
    let line = |(of, operation, row): (&OfCurve, Operation, &Row)| {
        let (scale, environment) = (operation.scale(), &measured.environment);
        json!({
            "paper": "004",
            "curve": of.curve.name,
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

/// Every figure, a line each.
pub fn csv(measured: &Measured) -> String {
    let mut text = String::from("curve,subject,cycles_min,cycles_median,cpu\n");
    let cpu = measured.environment.cpu.replace('"', "\"\"");
    for (of, operation, row) in figures(measured) {
        let [min, median] =
            [row.cycles_per_byte.min, row.cycles_per_byte.median].map(|figure| figure * operation.scale());
        writeln!(text, "{},{},{min:.0},{median:.0},\"{cpu}\"", of.curve.name, row.subject)
            .expect("to a string");
    }
    text
}

/// Cycles against the size of the field.
pub fn svg(measured: &Measured) -> String {
    let axes = ["bits of the field", &format!("{} per product", Clock::UNIT)];
    let plots = Operation::ALL.map(|operation| {
        let curve = |library: &&str| {
            let point = |of: &OfCurve| Some((of.curve.bits, of.cycles(library, operation)?));
            Curve { name: (*library).into(), points: measured.curves.iter().filter_map(point).collect() }
        };
        let curves: Vec<Curve> =
            libraries(measured).iter().map(curve).filter(|curve| !curve.points.is_empty()).collect();
        plot_of(&format!("Paper 004, {}: {}", operation.name(), measured.environment.cpu), axes, &curves)
    });
    sheet(&plots)
}
