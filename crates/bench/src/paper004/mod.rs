//! The first half of paper 004: operations of its 16 fields, with both polynomials where there are two.
//!
//! The slides' plots are lost in our copy. What they say in words ([`statements`]) stands beside the same ratio here.
pub mod operation;
mod ours;
mod plots;
pub mod statements;
pub mod tables;

use crate::cli;
use crate::environment::Environment;
use crate::input::{Fill, Input};
use crate::output::{Files, Forms};
use crate::peers::bn_gf2m;
#[cfg(feature = "crrl")]
use crate::peers::crrl;
use crate::peers::field_shim::{Shim, Shims};
use crate::report::Row;
use crate::run::{self, Point};
use crate::subject::{Subject, Work};
use anyhow::{Context, Result, ensure};
use carryless_gf2::field;
use operation::{Operation, Parameters, expected};

/// The first half of paper 004: products, squares, roots, traces, solutions of x^2 + x = c and inverses in its 16 fields from 113 to 1223
/// bits, beside OpenSSL, crrl, NTL and RELIC
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// A moment for each field
    #[arg(long)]
    quick: bool,
    /// Seconds for each field [default: 1; with --quick 0.1]
    #[arg(long, value_name = "N")]
    seconds: Option<f64>,
    /// Degrees, e.g. 233,571 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "M,..")]
    degrees: Vec<usize>,
    #[command(flatten)]
    shims: Shims,
    #[command(flatten)]
    files: Files,
}

/// A field, and what is measured in it.
struct Candidate {
    field: Parameters,
    subjects: Vec<(Operation, Subject)>,
}

impl Candidate {
    /// All subjects, in turn.
    fn point(&self) -> Point<'_> {
        let subjects = self.subjects.iter().map(|(_, subject)| (subject.name.clone(), subject));
        Point { length: self.field.message(), count: 1, chained: false, subjects: subjects.collect() }
    }
}

/// Figures of a field.
pub struct OfField {
    /// The field.
    pub field: Parameters,
    /// A row for each operation of each library.
    pub rows: Vec<(Operation, Row)>,
}

/// What was measured.
pub struct Measured {
    /// By degree.
    pub fields: Vec<OfField>,
    /// Where and when.
    pub environment: Environment,
}

impl Measured {
    /// Whose figures there are, ours first.
    pub fn libraries(&self) -> Vec<&str> {
        let mut libraries = Vec::new();
        for (operation, row) in self.fields.iter().flat_map(|of| &of.rows) {
            let library =
                row.subject.strip_suffix(operation.name()).unwrap_or_default().trim_end_matches('/');
            if !libraries.contains(&library) {
                libraries.push(library);
            }
        }
        libraries
    }
}

impl OfField {
    /// Cycles of a call, or of an element of a slice.
    pub fn cycles(&self, library: &str, operation: Operation) -> Option<f64> {
        Some(self.row(library, operation)?.figure() * self.field.message() as f64 / operation.count() as f64)
    }

    /// The row of an operation of a library.
    pub fn row(&self, library: &str, operation: Operation) -> Option<&Row> {
        let name = name(library, operation);
        self.rows.iter().find(|(_, row)| row.subject == name).map(|(_, row)| row)
    }
}

/// Measures and writes the tables.
///
/// # Errors
/// If a result is wrong, a degree is not one of the fields', or something cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let seconds = arguments.seconds.unwrap_or(if arguments.quick { 0.1 } else { 1.0 });
    cli::positive(seconds)?;
    let mut chosen = candidates(&arguments.shims.load()?);
    for degree in &arguments.degrees {
        ensure!(
            chosen.iter().any(|candidate| candidate.field.degree == *degree),
            "none of the 16 fields has degree {degree}"
        );
    }
    let wanted = |degree| arguments.degrees.is_empty() || arguments.degrees.contains(&degree);
    chosen.retain(|candidate| wanted(candidate.field.degree));
    let measured = measure(&chosen, seconds)?;
    arguments.files.write(&Forms {
        markdown: tables::markdown(&measured),
        jsonl: &|| tables::jsonl(&measured),
        csv: &|| tables::csv(&measured),
        svg: &|| plots::svg(&measured),
    })
}

/// Our subjects and other libraries' in every field.
fn candidates(shims: &[Shim]) -> Vec<Candidate> {
    macro_rules! all {
        ($($name:ident),*) => {
            vec![$((ours::parameters::<field::$name>(), ours::subjects::<field::$name>())),*]
        };
    }
    // A run checks all fields before it measures. The tests take few, because each is compiled for every machine.
    #[cfg(test)]
    let all = all!(Gf113, Gf233, Gf233Sqrt);
    #[cfg(not(test))]
    let all = all!(
        Gf113, Gf127, Gf163, Gf163Sqrt, Gf193, Gf233, Gf233Sqrt, Gf239, Gf239Sqrt, Gf251, Gf251Sqrt, Gf257,
        Gf271, Gf283, Gf283Sqrt, Gf353, Gf367, Gf409, Gf439, Gf571, Gf571Sqrt, Gf1223
    );
    let with_peers = |(field, mut subjects): (Parameters, Vec<_>)| {
        subjects.extend(bn_gf2m::subjects(field));
        #[cfg(feature = "crrl")]
        subjects.extend(crrl::subjects(field));
        subjects.extend(shims.iter().flat_map(|shim| shim.subjects(field)));
        Candidate { field, subjects }
    };
    all.into_iter().map(with_peers).collect()
}

/// This library's name.
pub(crate) const OURS: &str = "carryless";

/// `library/operation`.
fn name(library: &str, operation: Operation) -> String {
    format!("{library}/{}", operation.name())
}

/// A subject of a field.
pub(crate) fn subject(
    library: &str,
    operation: Operation,
    machine: &str,
    work: impl Work + 'static,
) -> Subject {
    Subject::new(name(library, operation), machine, work)
}

fn measure(candidates: &[Candidate], seconds: f64) -> Result<Measured> {
    candidates.iter().try_for_each(verify).context("nothing was timed")?;
    let points: Vec<Point<'_>> = candidates.iter().map(Candidate::point).collect();
    let fields = candidates.iter().zip(run::measure(&points, seconds)).map(|(candidate, rows)| {
        let operations = candidate.subjects.iter().map(|(operation, _)| *operation);
        OfField { field: candidate.field, rows: operations.zip(rows).collect() }
    });
    Ok(Measured { fields: fields.collect(), environment: Environment::read() })
}

/// Every subject gives the reference's elements.
fn verify(Candidate { field, subjects }: &Candidate) -> Result<()> {
    for fill in [Fill::Ones, Fill::Random(1)] {
        let input = Input::new(field.message(), 1, fill);
        for (operation, subject) in subjects {
            ensure!(
                subject.tags(&input) == [expected(*operation, field, &input)],
                "{}: {} is not what the reference has",
                field.name,
                subject.name
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields are right; one is measured for a moment, in every form.
    #[test]
    fn figures_stand_in_tables() {
        let mut all = candidates(&[]);
        all.iter().try_for_each(verify).expect("every result is right");
        all.retain(|candidate| candidate.field.degree == 113);
        let measured = measure(&all, 0.05).expect("it is right");
        let text = tables::markdown(&measured);
        for part in [
            "### carryless\n",
            "| Gf113 | ",
            "### What the slides say\n",
            "| I / M: inverse by bit matrices, over product | 25 ",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("NaN") && !text.contains("Gf127"), "{text}");
        let rows = measured.fields[0].rows.len();
        assert!(rows >= Operation::ALL.len());
        assert_eq!(tables::jsonl(&measured).lines().count(), rows);
        assert_eq!(tables::csv(&measured).lines().count(), rows + 1);
        assert!(plots::svg(&measured).contains("degree of the field"));
    }

    #[test]
    fn a_wrong_result_is_not_timed() {
        let mut all = candidates(&[]);
        all.truncate(1);
        let of = |operation| {
            all[0].subjects.iter().position(|(known, _)| *known == operation).expect("it is there")
        };
        let (square, root) = (of(Operation::Square), of(Operation::Sqrt));
        all[0].subjects[root].1 = all[0].subjects[square].1.clone();
        let error = measure(&all, 0.01).err().expect("it is noticed");
        assert_eq!(
            format!("{error:#}"),
            "nothing was timed: Gf113: carryless/square is not what the reference has"
        );
    }
}
