//! Operations of several fields, curves or parameter sets: what both halves of paper 004 share with HQC.
mod plots;
mod records;
mod tables;

pub use records::{csv, jsonl};
pub use tables::markdown;

use crate::environment::Environment;
use crate::input::{Fill, Input, Tag};
use crate::output::Forms;
use crate::report::Row;
use crate::run::{self, Point};
use crate::subject::{Subject, Work};
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Display;

/// What is measured in every field, or on every curve.
pub trait Operation: Copy + PartialEq + 'static {
    /// As tables have them.
    const ALL: &'static [Self];
    /// What is compared with a peer's: our operation, and its one, where it has not the same.
    const PAIRS: &'static [(Self, Self)];

    /// As in records.
    fn name(self) -> &'static str;
    /// Results of a call.
    fn count(self) -> usize;
}

/// A field, a curve or a parameter set, for code that does not depend on it.
pub trait Structure: 'static {
    /// What is measured.
    type Operation: Operation;
    /// What it is, as records name it.
    const KIND: &'static str;
    /// What records say of all of a kind: a field and its value.
    const RECORD: (&'static str, &'static str) = ("paper", "004");

    /// Its name.
    fn name(&self) -> &str;
    /// m, of the field GF(2^m), or n, of a ring modulo X^n - 1.
    fn degree(&self) -> usize;
    /// Bytes of the message that operands are made of.
    fn message(&self) -> usize;
    /// What a subject must give for an input.
    fn expected(&self, operation: Self::Operation, input: &Input) -> Tag;
}

/// How a kind of structures is shown.
pub trait Paper: Structure + Sized {
    /// What was measured.
    const TITLE: &'static str;
    /// How, in sentences.
    const NOTES: &'static str;
    /// What the paper says, beside figures of ours.
    const STATEMENTS: &'static [Statement<Self>];
    /// What plots are of, in their titles.
    const SOURCE: &'static str = "Paper 004";
    /// What the degree is, on the axis of plots.
    const AXIS: &'static str = "degree of the field";
    /// Titles of plots, and what each shows of every library that has it.
    const PLOTS: &'static [(&'static str, &'static [Self::Operation])];

    /// What is added to the name of a line of a plot for structures of this kind, each kind having a line of its own; `None` if it is not shown.
    fn line(&self, library: &str, operation: Self::Operation) -> Option<&'static str>;

    /// Tables of its own, at the end.
    fn sections(_: &Measured<Self>) -> String {
        String::new()
    }
}

/// A figure of which a paper speaks.
pub struct Statement<S: Structure> {
    /// The figure.
    pub what: &'static str,
    /// The paper's words for it.
    pub paper: &'static str,
    /// The same here, of structures that have it.
    pub figure: fn(&Figures<S>) -> Option<f64>,
}

/// A structure, and what is measured in it.
pub struct Candidate<S: Structure> {
    /// The field or the curve.
    pub structure: S,
    /// Ours and other libraries'.
    pub subjects: Vec<(S::Operation, Subject)>,
}

/// Figures of a structure.
pub struct Figures<S: Structure> {
    /// The field or the curve.
    pub structure: S,
    /// A row for each operation of each library.
    pub rows: Vec<(S::Operation, Row)>,
}

/// What was measured.
pub struct Measured<S: Structure> {
    /// In the order of the candidates.
    pub all: Vec<Figures<S>>,
    /// Where and when.
    pub environment: Environment,
}

/// This library's name.
pub(crate) const OURS: &str = "carryless";

/// `library/operation`.
fn name(library: &str, operation: impl Operation) -> String {
    format!("{library}/{}", operation.name())
}

/// A subject in a structure.
pub(crate) fn subject<O: Operation>(
    library: &str,
    operation: O,
    machine: &str,
    work: impl Work + 'static,
) -> (O, Subject) {
    (operation, Subject::new(name(library, operation), machine, work))
}

impl<S: Structure> Candidate<S> {
    /// All subjects, in turn.
    fn point(&self) -> Point<'_> {
        let subjects = self.subjects.iter().map(|(_, subject)| (subject.name.clone(), subject));
        Point { length: self.structure.message(), count: 1, chained: false, subjects: subjects.collect() }
    }

    /// Every subject gives what the reference does.
    pub(crate) fn verify(&self) -> Result<()> {
        for fill in [Fill::Ones, Fill::Random(1)] {
            let input = Input::new(self.structure.message(), 1, fill);
            // The definitions are slow: each is followed once.
            let mut known: Vec<(S::Operation, Tag)> = vec![];
            for (operation, subject) in &self.subjects {
                if !known.iter().any(|(of, _)| of == operation) {
                    known.push((*operation, self.structure.expected(*operation, &input)));
                }
                ensure!(
                    known.contains(&(*operation, subject.tags(&input)[0])),
                    "{}: {} is not what the reference has",
                    self.structure.name(),
                    subject.name
                );
            }
        }
        Ok(())
    }
}

impl<S: Structure> Figures<S> {
    /// The row of an operation of a library.
    pub fn row(&self, library: &str, operation: S::Operation) -> Option<&Row> {
        let name = name(library, operation);
        self.rows.iter().find(|(_, row)| row.subject == name).map(|(_, row)| row)
    }

    /// Cycles of a result.
    pub fn cycles(&self, library: &str, operation: S::Operation) -> Option<f64> {
        Some(self.row(library, operation)?.figure() * self.scale(operation))
    }

    /// Our cycles of one operation over those of another.
    pub fn ratio(&self, above: S::Operation, below: S::Operation) -> Option<f64> {
        Some(self.cycles(OURS, above)? / self.cycles(OURS, below)?)
    }

    /// Per cent of the fastest other library's cycles that ours save; negative where it is faster.
    pub fn saved(&self, operation: S::Operation) -> Option<f64> {
        let others = self
            .rows
            .iter()
            .filter(|(of, row)| *of == operation && row.subject.split('/').next() != Some(OURS));
        let fastest = others.map(|(_, row)| row.figure() * self.scale(operation)).min_by(f64::total_cmp)?;
        Some(100.0 * (1.0 - self.cycles(OURS, operation)? / fastest))
    }

    /// From a figure for a byte of the message to one for a result.
    fn scale(&self, operation: S::Operation) -> f64 {
        self.structure.message() as f64 / operation.count() as f64
    }
}

impl<S: Structure> Measured<S> {
    /// Whose figures there are, ours first.
    pub fn libraries(&self) -> Vec<&str> {
        let mut libraries = Vec::new();
        for (_, operation, row) in self.rows() {
            let library =
                row.subject.strip_suffix(operation.name()).unwrap_or_default().trim_end_matches('/');
            if !libraries.contains(&library) {
                libraries.push(library);
            }
        }
        libraries
    }

    /// All rows.
    fn rows(&self) -> impl Iterator<Item = (&Figures<S>, S::Operation, &Row)> {
        self.all.iter().flat_map(|of| of.rows.iter().map(move |(operation, row)| (of, *operation, row)))
    }
}

/// Leaves those candidates that are asked for, or all.
///
/// # Errors
/// If there is none of a name.
pub(crate) fn choose<S: Structure, W: PartialEq + Display>(
    candidates: &mut Vec<Candidate<S>>,
    wanted: &[W],
    of: impl Fn(&S) -> W,
) -> Result<()> {
    let has = |wanted: &&W| candidates.iter().any(|candidate| of(&candidate.structure) == **wanted);
    if let Some(missing) = wanted.iter().find(|wanted| !has(wanted)) {
        bail!("no {} {missing} in this build", S::KIND);
    }
    candidates.retain(|candidate| wanted.is_empty() || wanted.contains(&of(&candidate.structure)));
    Ok(())
}

/// Measures every candidate for so many seconds.
///
/// # Errors
/// If a result is wrong.
pub(crate) fn forms<S: Paper>(candidates: Vec<Candidate<S>>, seconds: f64) -> Result<Forms> {
    Ok(in_forms(&measure(candidates, seconds)?))
}

fn in_forms<S: Paper>(measured: &Measured<S>) -> Forms {
    Forms {
        markdown: markdown(measured),
        claims: S::STATEMENTS.iter().map(|statement| statement.claim(measured)).collect(),
        jsonl: jsonl(measured),
        csv: csv(measured),
        plots: plots::plots(measured),
    }
}

/// Verifies all, then measures.
///
/// # Errors
/// If a result is wrong.
pub(crate) fn measure<S: Structure>(candidates: Vec<Candidate<S>>, seconds: f64) -> Result<Measured<S>> {
    candidates.iter().try_for_each(Candidate::verify).context("nothing was timed")?;
    let points: Vec<Point<'_>> = candidates.iter().map(Candidate::point).collect();
    let rows = run::measure(&points, seconds);
    drop(points);
    let all = candidates.into_iter().zip(rows).map(|(Candidate { structure, subjects }, rows)| {
        let operations = subjects.iter().map(|(operation, _)| *operation);
        Figures { structure, rows: operations.zip(rows).collect() }
    });
    Ok(Measured { all: all.collect(), environment: Environment::read() })
}

#[cfg(test)]
pub(crate) mod tests;
