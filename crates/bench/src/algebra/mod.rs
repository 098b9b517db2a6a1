//! Measures the operations of fields, curves and parameter sets. Both halves of paper 004 and HQC share this
//! code.
mod plots;
mod records;
mod tables;

use crate::environment::Environment;
use crate::input::{Fill, Input, Tag};
use crate::output::Forms;
use crate::report::Row;
use crate::run::{self, Point};
use crate::subject::{Subject, Work};
use crate::table::Table;
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Display;

/// The operations of one kind of structure, such as the product and the inverse of fields.
pub trait Operation: Copy + PartialEq + 'static {
    /// All operations in the order of the columns of tables, each with its name in records, in column heads and
    /// after the `/` of a subject's name.
    const NAMES: &'static [(Self, &'static str)];
    /// Pairs for the tables of ratios: our operation, and the one to take of a peer that does not have the same.
    const PAIRS: &'static [(Self, Self)];

    /// Results that one call computes: 1, or the number of elements of a slice or batch. Cycles are divided by it.
    fn count(self) -> usize;

    /// All operations, in the order of [`Operation::NAMES`].
    fn all() -> impl Iterator<Item = Self> {
        Self::NAMES.iter().map(|(operation, _)| *operation)
    }

    /// The name of this operation.
    ///
    /// # Panics
    /// If [`Operation::NAMES`] lacks it, which is a mistake in the list and not in the input.
    fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(operation, _)| *operation == self);
        named.expect("every operation has a name").1
    }
}

/// A field, a curve or a parameter set, for code that does not depend on it.
pub trait Structure: 'static {
    /// The operations that are measured in each structure of this kind.
    type Operation: Operation;
    /// The word for this kind of structure, such as `field`: a key of records and the head of a column.
    const KIND: &'static str;
    /// Key and value that every record of this kind has, to tell whose measurement it is.
    const RECORD: (&'static str, &'static str) = ("paper", "004");

    /// The name that tells it from others of its kind: `sect233r1`, `HQC-1`.
    fn name(&self) -> &str;
    /// The degree, by which plots are ordered: m of the field GF(2^m), or n of a ring modulo X^n - 1.
    fn degree(&self) -> usize;
    /// Bytes of the message that operands are made of. A row has cycles per byte of it.
    fn message(&self) -> usize;
    /// The 16 bytes that a subject must give for an input, computed by the reference.
    fn expected(&self, operation: Self::Operation, input: &Input) -> Tag;
}

/// How the figures of a kind of structure are presented.
pub trait Paper: Structure + Sized {
    /// First words of the report, before the unit.
    const TITLE: &'static str;
    /// Sentences below the title: which parameters, which inputs, what may be compared.
    const NOTES: &'static str;
    /// Statements of the paper that are printed beside the same figures here.
    const STATEMENTS: &'static [Statement<Self>];
    /// First words of the titles of plots.
    const SOURCE: &'static str = "Paper 004";
    /// Label of the horizontal axis of plots, which shows [`Structure::degree`].
    const AXIS: &'static str = "degree of the field";
    /// Titles of plots, and the operations that each shows, of every library that has them.
    const PLOTS: &'static [(&'static str, &'static [Self::Operation])];

    /// Suffix to the name of the curve on which this structure's point lies; structures with the same suffix
    /// share a curve. `None` leaves the point out.
    fn line(&self, library: &str, operation: Self::Operation) -> Option<&'static str>;

    /// Further tables at the end of the report; by default there are none.
    fn sections(_: &Measured<Self>) -> Vec<Table> {
        vec![]
    }
}

/// A statement of a paper about a figure that is measured here too: the figure in words, the paper's value in
/// its own words, which may be none, and what to compute of the rows of one structure.
pub enum Statement<S: Structure> {
    /// Our cycles of the first operation over those of the second.
    Ratio(&'static str, &'static str, S::Operation, S::Operation),
    /// Per cent of the fastest other library's cycles that ours save; the words are only those of the operation.
    Saved(&'static str, &'static str, S::Operation),
    /// Another figure; `None` for a structure to which the statement does not apply.
    Figure(&'static str, &'static str, fn(&Figures<S>) -> Option<f64>),
}

/// A structure, and everything that is measured in it.
pub struct Candidate<S: Structure> {
    /// The field, the curve or the parameter set.
    pub structure: S,
    /// Subjects of this library and of others, each with its operation.
    pub subjects: Vec<(S::Operation, Subject)>,
}

/// The figures of one structure.
pub struct Figures<S: Structure> {
    /// The field, the curve or the parameter set.
    pub structure: S,
    /// A row for each operation of each library, in the order of [`Candidate::subjects`].
    pub rows: Vec<(S::Operation, Row)>,
}

/// The figures of all structures of a run.
pub struct Measured<S: Structure> {
    /// One entry for each structure, in the order of the candidates.
    pub all: Vec<Figures<S>>,
    /// A line for each operation of a peer that was wrong, so that it was not measured.
    pub left_out: Vec<String>,
    /// CPU, commit and date, which `measure` reads after the last sample.
    pub environment: Environment,
}

/// The first part of the names of our subjects. Every other library is a peer.
pub(crate) const OURS: &str = "carryless";

/// Whether a subject or a library is ours. It may have a backend in its name, as in `carryless/avx2/keygen`.
fn is_ours(name: &str) -> bool {
    name.split('/').next() == Some(OURS)
}

/// The name of a subject, `library/operation`. `library` may have parts of its own, such as `carryless/avx2`.
fn name(library: &str, operation: impl Operation) -> String {
    format!("{library}/{}", operation.name())
}

/// Makes the subject of an operation, under the name by which [`Figures::row`] finds its row.
pub(crate) fn subject<O: Operation>(
    library: &str,
    operation: O,
    backend: &str,
    work: impl Work + 'static,
) -> (O, Subject) {
    (operation, Subject::new(name(library, operation), backend, work))
}

/// Makes the subjects of several operations of a library.
pub(crate) fn subjects<O: Operation, W: Work + 'static>(
    library: &str,
    operations: &[O],
    backend: &str,
    work: impl Fn(O) -> W,
) -> Vec<(O, Subject)> {
    operations.iter().map(|&operation| subject(library, operation, backend, work(operation))).collect()
}

impl<S: Structure> Candidate<S> {
    /// The point that measures all subjects of this structure in turn.
    fn point(&self) -> Point<'_> {
        Point::new(self.structure.message(), self.subjects.iter().map(|(_, subject)| subject))
    }

    /// Checks that every subject gives the bytes of the reference, on all-ones and on random operands. Peers that
    /// do not are dropped; the lines say which.
    ///
    /// # Errors
    /// If a subject of ours gives other bytes: the structure and the subject.
    pub(crate) fn verify(&mut self) -> Result<Vec<String>> {
        let mut wrong = vec![];
        // All-ones operands set every coefficient up to the highest. Random operands set about half of them.
        for fill in [Fill::Ones, Fill::Random(1)] {
            let input = Input::new(self.structure.message(), 1, fill);
            // The definitions are slow: each is followed once.
            let mut known: Vec<(S::Operation, Tag)> = vec![];
            for (operation, subject) in &self.subjects {
                if !known.iter().any(|(of, _)| of == operation) {
                    known.push((*operation, self.structure.expected(*operation, &input)));
                }
                let is_right = known.contains(&(*operation, subject.tags(&input)[0]));
                let name = &subject.name;
                ensure!(
                    is_right || !is_ours(name),
                    "{}: {name} is not what the reference has",
                    self.structure.name()
                );
                if !is_right && !wrong.contains(name) {
                    wrong.push(name.clone());
                }
            }
        }
        self.subjects.retain(|(_, subject)| !wrong.contains(&subject.name));
        let line =
            |name| format!("left out: {}: {name} is not what the reference has", self.structure.name());
        Ok(wrong.into_iter().map(line).collect())
    }
}

impl<S: Structure> Figures<S> {
    /// The row of an operation of a library; `None` if it was not measured.
    pub fn row(&self, library: &str, operation: S::Operation) -> Option<&Row> {
        let name = name(library, operation);
        self.rows.iter().find(|(_, row)| row.subject == name).map(|(_, row)| row)
    }

    /// Cycles for one result, the least batch median; `None` if it was not measured.
    pub fn cycles(&self, library: &str, operation: S::Operation) -> Option<f64> {
        Some(self.row(library, operation)?.figure() * self.scale(operation))
    }

    /// Our cycles of one operation over those of another; `None` unless both were measured.
    pub fn ratio(&self, above: S::Operation, below: S::Operation) -> Option<f64> {
        Some(self.cycles(OURS, above)? / self.cycles(OURS, below)?)
    }

    /// Per cent of the fastest other library's cycles that ours save. It is negative where that library is
    /// faster, and `None` where there is none.
    pub fn saved(&self, operation: S::Operation) -> Option<f64> {
        let others = self.rows.iter().filter(|(of, row)| *of == operation && !is_ours(&row.subject));
        let fastest = others.map(|(_, row)| row.figure() * self.scale(operation)).min_by(f64::total_cmp)?;
        Some(100.0 * (1.0 - self.cycles(OURS, operation)? / fastest))
    }

    /// The factor from cycles per byte of the message to cycles per result.
    fn scale(&self, operation: S::Operation) -> f64 {
        self.structure.message() as f64 / operation.count() as f64
    }
}

impl<S: Structure> Measured<S> {
    /// The libraries that have figures, in the order of their first rows: ours first.
    pub fn libraries(&self) -> Vec<&str> {
        let mut libraries = Vec::new();
        for (_, operation, row) in self.rows() {
            // The name before the operation: `carryless/pclmul-avx2` of `carryless/pclmul-avx2/keygen`.
            let library =
                row.subject.strip_suffix(operation.name()).unwrap_or_default().trim_end_matches('/');
            if !libraries.contains(&library) {
                libraries.push(library);
            }
        }
        libraries
    }

    /// All rows, by structure and then in the order of its subjects.
    fn rows(&self) -> impl Iterator<Item = (&Figures<S>, S::Operation, &Row)> {
        self.all.iter().flat_map(|of| of.rows.iter().map(move |(operation, row)| (of, *operation, row)))
    }
}

/// Keeps the candidates that `wanted` names, or all if it is empty.
///
/// # Errors
/// If `wanted` has a name that no candidate has.
pub(crate) fn choose<S: Structure, W: PartialEq + Display>(
    candidates: &mut Vec<Candidate<S>>,
    wanted: &[W],
    of: impl Fn(&S) -> W,
) -> Result<()> {
    // A misspelled name must be an error. Otherwise the run would measure less than was asked for.
    let has = |wanted: &&W| candidates.iter().any(|candidate| of(&candidate.structure) == **wanted);
    if let Some(missing) = wanted.iter().find(|wanted| !has(wanted)) {
        bail!("no {} {missing} in this build", S::KIND);
    }
    candidates.retain(|candidate| wanted.is_empty() || wanted.contains(&of(&candidate.structure)));
    Ok(())
}

/// Measures all candidates, `seconds` for each, and presents the figures.
///
/// # Errors
/// If a subject of ours gives a wrong result.
pub(crate) fn forms<S: Paper>(candidates: Vec<Candidate<S>>, seconds: f64) -> Result<Forms> {
    Ok(in_forms(&measure(candidates, seconds)?))
}

// Apart from `forms`, so that tests can change figures before they are shown.
fn in_forms<S: Paper>(measured: &Measured<S>) -> Forms {
    Forms {
        introduction: tables::introduction(measured),
        tables: tables::tables(measured),
        disturbed: measured.rows().any(|(_, _, row)| row.disturbed),
        claims: S::STATEMENTS.iter().map(|statement| statement.claim(measured)).collect(),
        jsonl: records::jsonl(measured),
        csv: records::csv(measured),
        plots: plots::plots(measured),
    }
}

/// Verifies all candidates before it measures the first, `seconds` for each.
///
/// # Errors
/// If a subject of ours gives a wrong result.
pub(crate) fn measure<S: Structure>(mut candidates: Vec<Candidate<S>>, seconds: f64) -> Result<Measured<S>> {
    let left_out: Result<Vec<Vec<String>>> = candidates.iter_mut().map(Candidate::verify).collect();
    let left_out = left_out.context("nothing was timed")?.concat();
    // One run for all structures, so that the batches of each are spread over the whole time.
    let points: Vec<Point<'_>> = candidates.iter().map(Candidate::point).collect();
    let rows = run::measure(&points, seconds);
    // The points borrow the candidates, which are taken apart below.
    drop(points);
    // The rows have the order of the points, and so of the candidates and of their subjects.
    let all = candidates.into_iter().zip(rows).map(|(Candidate { structure, subjects }, rows)| {
        let operations = subjects.iter().map(|(operation, _)| *operation);
        Figures { structure, rows: operations.zip(rows).collect() }
    });
    Ok(Measured { all: all.collect(), left_out, environment: Environment::read() })
}

#[cfg(test)]
pub(crate) mod tests;
