//! The figures as tables, and the paper's statements as claims.
use super::{Figures, Measured, OURS, Operation, Paper, Statement, Structure, is_ours};
use crate::claim::{Claim, span};
use crate::clock::Clock;
use crate::output;
use crate::report::{digits, marked};
use crate::table::Table;

/// The words above the tables: title, CPU and notes.
pub(super) fn introduction<S: Paper>(measured: &Measured<S>) -> String {
    let title = format!("{}: {} per operation", S::TITLE, Clock::UNIT);
    let left_out: String = measured.left_out.iter().map(|line| format!("\n\n{line}")).collect();
    let notes = format!("{}\nEvery result was verified before it was timed.{left_out}", S::NOTES);
    output::introduction(&title, &[], &measured.environment, &notes)
}

/// Cycles of each library, ratios of each peer to ours, and further tables.
pub(super) fn tables<S: Paper>(measured: &Measured<S>) -> Vec<Table> {
    let libraries = measured.libraries();
    let cycles = libraries.iter().map(|library| cycles(measured, library));
    let ratios = libraries.iter().filter(|library| !is_ours(library)).map(|peer| ratios(measured, peer));
    cycles.chain(ratios).chain(S::sections(measured)).collect()
}

/// A table with a row for each structure that has a figure in it, and a column for each operation.
fn by_structure<S: Structure>(
    measured: &Measured<S>,
    caption: &str,
    operations: &[S::Operation],
    cells: impl Fn(&Figures<S>) -> Vec<Option<String>>,
) -> Table {
    let names = operations.iter().map(|operation| operation.name());
    let mut table = Table::new(caption, "lr", [S::KIND].into_iter().chain(names));
    // A library may lack whole structures, which then have no row.
    measured.all.iter().for_each(|of| table.row_of_some([of.structure.name()], cells(of)));
    table
}

/// The table of one library's cycles per result. A cell is empty where it lacks the operation.
fn cycles<S: Structure>(measured: &Measured<S>, library: &str) -> Table {
    // A column without a figure would only widen the table.
    let has = |operation: &S::Operation| measured.all.iter().any(|of| of.row(library, *operation).is_some());
    let operations: Vec<_> = S::Operation::all().filter(has).collect();
    by_structure(measured, library, &operations, |of| {
        let cell = |&operation: &S::Operation| {
            Some(marked(of.row(library, operation)?, of.cycles(library, operation)?))
        };
        operations.iter().map(cell).collect()
    })
}

/// The table of a peer's cycles over ours, for the pairs of operations that both have.
fn ratios<S: Structure>(measured: &Measured<S>, peer: &str) -> Table {
    let has = |&&(own, other): &&(S::Operation, S::Operation)| {
        measured.all.iter().any(|of| ratio(of, peer, own, other).is_some())
    };
    let pairs: Vec<_> = S::Operation::PAIRS.iter().filter(has).collect();
    let names: Vec<S::Operation> = pairs.iter().map(|pair| pair.0).collect();
    let caption = format!("Cycles of {peer} over those of {OURS}");
    by_structure(measured, &caption, &names, |of| {
        pairs.iter().map(|&&(own, other)| ratio(of, peer, own, other).map(digits)).collect()
    })
}

fn ratio<S: Structure>(of: &Figures<S>, peer: &str, own: S::Operation, other: S::Operation) -> Option<f64> {
    // The peer's own operation comes first. The substitute of the pair counts only where the peer lacks it.
    Some(of.cycles(peer, own).or_else(|| of.cycles(peer, other))? / of.cycles(OURS, own)?)
}

impl<S: Structure> Statement<S> {
    /// Puts the paper's words beside the least and the greatest figure here. A `~` marks a figure in whose
    /// structure any row was disturbed.
    pub(super) fn claim(&self, measured: &Measured<S>) -> Claim {
        let here = |(figure, of): (f64, &Figures<S>)| {
            let mark = if of.rows.iter().any(|(_, row)| row.disturbed) { "~" } else { "" };
            format!("{mark}{} ({})", digits(figure), of.structure.name())
        };
        let (what, paper) = match *self {
            Statement::Saved(of, paper, _) => {
                (format!("per cent saved of the fastest other library's {of}"), paper)
            }
            Statement::Ratio(what, paper, ..) | Statement::Figure(what, paper, _) => (what.into(), paper),
        };
        Claim::figure(what, paper, self.range(measured).map(|range| span(range.map(here))))
    }

    /// The figure in one structure; `None` if it has none there.
    fn figure(&self, of: &Figures<S>) -> Option<f64> {
        match *self {
            Statement::Ratio(_, _, above, below) => of.ratio(above, below),
            Statement::Saved(_, _, operation) => of.saved(operation),
            Statement::Figure(_, _, figure) => figure(of),
        }
    }

    /// The least and the greatest figure, each with the structure that has it; `None` if no structure has it.
    fn range<'a>(&self, measured: &'a Measured<S>) -> Option<[(f64, &'a Figures<S>); 2]> {
        let figures = measured.all.iter().filter_map(|of| Some((self.figure(of)?, of)));
        let mut figures: Vec<(f64, &Figures<S>)> = figures.collect();
        figures.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some([*figures.first()?, *figures.last()?])
    }
}
