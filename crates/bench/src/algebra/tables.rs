//! The figures as Markdown tables, and the paper's statements as claims.
use super::{Figures, Measured, OURS, Operation, Paper, Statement, Structure};
use crate::claim::{Claim, Verdict};
use crate::clock::Clock;
use crate::report::{digits, marked};
use std::fmt::Write;

/// The report: its title and notes, cycles of each library, ratios of each peer to ours, and further tables.
pub fn markdown<S: Paper>(measured: &Measured<S>) -> String {
    let environment = &measured.environment;
    let mut text = format!(
        "{}: {} per operation\n\n{}, {}, commit {}\n\n{}\nEvery result was verified before it was timed.\n",
        S::TITLE,
        Clock::UNIT,
        environment.cpu,
        environment.date,
        environment.commit,
        S::NOTES
    );
    let libraries = measured.libraries();
    text.extend(libraries.iter().map(|library| cycles(measured, library)));
    let is_ours = |library: &&&str| library.split('/').next() == Some(OURS);
    text.extend(libraries.iter().filter(|library| !is_ours(library)).map(|peer| ratios(measured, peer)));
    text += &S::sections(measured);
    if measured.rows().any(|(_, _, row)| row.disturbed) {
        text += "\n~: the machine was too busy for undisturbed samples; these figures are too high.\n";
    }
    text
}

/// The operations for which a library has a figure in any structure.
fn operations<S: Structure>(measured: &Measured<S>, library: &str) -> Vec<S::Operation> {
    let has = |operation: &S::Operation| measured.all.iter().any(|of| of.row(library, *operation).is_some());
    S::Operation::ALL.iter().copied().filter(has).collect()
}

fn heading<S: Structure>(title: &str, operations: &[S::Operation]) -> String {
    let names: Vec<&str> = operations.iter().map(|operation| operation.name()).collect();
    let kind = S::KIND;
    format!("\n### {title}\n\n| {kind} | {} |\n|---|{}\n", names.join(" | "), "---:|".repeat(names.len()))
}

/// The table of one library's cycles per result. A cell is empty where it lacks the operation.
fn cycles<S: Structure>(measured: &Measured<S>, library: &str) -> String {
    let operations = operations(measured, library);
    table(measured, heading::<S>(library, &operations), |of| {
        let cell = |&operation: &S::Operation| {
            let row = of.row(library, operation)?;
            Some(marked(row, of.cycles(library, operation)?))
        };
        operations.iter().map(|operation| cell(operation).unwrap_or_default()).collect()
    })
}

/// The table of a peer's cycles over ours, for the pairs of operations that both have.
fn ratios<S: Structure>(measured: &Measured<S>, peer: &str) -> String {
    let has = |&&(own, other): &&(S::Operation, S::Operation)| {
        measured.all.iter().any(|of| ratio(of, peer, own, other).is_some())
    };
    let pairs: Vec<_> = S::Operation::PAIRS.iter().filter(has).collect();
    let names: Vec<S::Operation> = pairs.iter().map(|pair| pair.0).collect();
    let title = format!("Cycles of {peer} over those of {OURS}");
    table(measured, heading::<S>(&title, &names), |of| {
        let cell = |&&(own, other): &&(S::Operation, S::Operation)| {
            ratio(of, peer, own, other).map_or(String::new(), digits)
        };
        pairs.iter().map(cell).collect()
    })
}

fn ratio<S: Structure>(of: &Figures<S>, peer: &str, own: S::Operation, other: S::Operation) -> Option<f64> {
    Some(of.cycles(peer, own).or_else(|| of.cycles(peer, other))? / of.cycles(OURS, own)?)
}

/// Appends a line for each structure to the heading `text`, unless all its cells are empty.
fn table<S: Structure>(
    measured: &Measured<S>,
    mut text: String,
    cells: impl Fn(&Figures<S>) -> Vec<String>,
) -> String {
    for of in &measured.all {
        let cells = cells(of);
        if cells.iter().any(|cell| !cell.is_empty()) {
            writeln!(text, "| {} | {} |", of.structure.name(), cells.join(" | ")).expect("to a string");
        }
    }
    text
}

impl<S: Structure> Statement<S> {
    /// Puts the paper's words beside the least and the greatest figure here. A `~` marks a figure in whose
    /// structure any row was disturbed.
    pub(super) fn claim(&self, measured: &Measured<S>) -> Claim {
        let here = |(figure, of): (f64, &Figures<S>)| {
            let mark = if of.rows.iter().any(|(_, row)| row.disturbed) { "~" } else { "" };
            format!("{mark}{} ({})", digits(figure), of.structure.name())
        };
        let here = self
            .range(measured)
            .map(|range| range.map(here))
            .map(|[least, most]| if least == most { least } else { format!("{least} to {most}") });
        let verdict = if here.is_some() { Verdict::Figure } else { Verdict::NotMeasured };
        Claim { what: self.what.into(), paper: self.paper.into(), here, test: "", verdict }
    }

    /// The least and the greatest figure, each with the structure that has it; `None` if no structure has it.
    fn range<'a>(&self, measured: &'a Measured<S>) -> Option<[(f64, &'a Figures<S>); 2]> {
        let figures = measured.all.iter().filter_map(|of| Some(((self.figure)(of)?, of)));
        let mut figures: Vec<(f64, &Figures<S>)> = figures.collect();
        figures.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some([*figures.first()?, *figures.last()?])
    }
}
