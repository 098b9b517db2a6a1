//! The figures for programs: JSON lines and comma-separated values.
use super::{Figures, Measured, Structure};
use crate::clock::Clock;
use crate::csv::Csv;
use crate::report::Row;
use serde_json::json;

/// A JSON object per row and line, with cycles and ticks for one result.
pub(super) fn jsonl<S: Structure>(measured: &Measured<S>) -> String {
    measured.rows().map(|(of, operation, row)| record(measured, of, operation, row) + "\n").collect()
}

fn record<S: Structure>(
    measured: &Measured<S>,
    of: &Figures<S>,
    operation: S::Operation,
    row: &Row,
) -> String {
    let (scale, environment) = (of.scale(operation), &measured.environment);
    let mut line = json!({
        "degree": of.structure.degree(),
        "subject": row.subject,
        // Earlier records have the backend under this key. A new key would break their comparison with new
        // ones.
        "machine": row.backend,
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
    });
    line[S::RECORD.0] = S::RECORD.1.into();
    line[S::KIND] = of.structure.name().into();
    line.to_string()
}

/// A line of names, then one line per row with cycles for one result.
pub(super) fn csv<S: Structure>(measured: &Measured<S>) -> String {
    let mut csv = Csv::new(&format!("{},degree,subject,cycles_min,cycles_median,cpu", S::KIND));
    for (of, operation, row) in measured.rows() {
        let scale = of.scale(operation);
        let [min, median] = [row.cycles_per_byte.min, row.cycles_per_byte.median]
            .map(|figure| format!("{:.1}", figure * scale));
        let (name, degree) = (of.structure.name(), of.structure.degree());
        csv.line(&[&name, &degree, &row.subject, &min, &median, &measured.environment.cpu]);
    }
    csv.into_text()
}
