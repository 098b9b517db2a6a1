//! The second half of paper 004: products by scalars on binary curves.
mod case;
mod ours;
pub mod tables;

use crate::cli;
use crate::environment::Environment;
use crate::input::{Fill, Input};
use crate::output::{Files, Forms};
use crate::peers::ec_group;
use crate::report::Row;
use crate::run::{self, Point};
use crate::subject::{Subject, Work};
use anyhow::{Context, Result, ensure};
use carryless_gf2::curve;
pub(crate) use case::{Case, MESSAGE};
pub use case::{Operation, Parameters};

/// The second half of paper 004: k P, k G, k G + l P and batches on binary curves, beside OpenSSL
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// A moment for each curve
    #[arg(long)]
    quick: bool,
    /// Seconds for each curve [default: 2; with --quick 0.2]
    #[arg(long, value_name = "N")]
    seconds: Option<f64>,
    /// Curves, e.g. sect233k1,gls254 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAME,..")]
    curves: Vec<String>,
    #[command(flatten)]
    files: Files,
}

/// A curve, and what is measured on it.
struct Candidate {
    curve: Parameters,
    subjects: Vec<(Operation, Subject)>,
}

impl Candidate {
    /// All subjects, in turn.
    fn point(&self) -> Point<'_> {
        let subjects = self.subjects.iter().map(|(_, subject)| (subject.name.clone(), subject));
        Point { length: MESSAGE, count: 1, chained: false, subjects: subjects.collect() }
    }
}

/// Figures of a curve.
pub struct OfCurve {
    /// The curve.
    pub curve: Parameters,
    /// A row for each operation of each library.
    pub rows: Vec<(Operation, Row)>,
}

/// What was measured.
pub struct Measured {
    /// In the order of the list of curves.
    pub curves: Vec<OfCurve>,
    /// Where and when.
    pub environment: Environment,
}

impl OfCurve {
    /// The row of an operation of a library.
    pub fn row(&self, library: &str, operation: Operation) -> Option<&Row> {
        let name = name(library, operation);
        self.rows.iter().find(|(_, row)| row.subject == name).map(|(_, row)| row)
    }

    /// Least cycles of a product.
    pub fn cycles(&self, library: &str, operation: Operation) -> Option<f64> {
        Some(self.row(library, operation)?.cycles_per_byte.min * operation.scale())
    }
}

/// Measures and writes the tables.
///
/// # Errors
/// If a result is wrong, a curve is not one of ours, or something cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let seconds = arguments.seconds.unwrap_or(if arguments.quick { 0.2 } else { 2.0 });
    cli::positive(seconds)?;
    let mut chosen = candidates();
    for name in &arguments.curves {
        ensure!(
            chosen.iter().any(|candidate| candidate.curve.name == *name),
            "no curve '{name}' in this build"
        );
    }
    let wanted =
        |name: &str| arguments.curves.is_empty() || arguments.curves.iter().any(|curve| curve == name);
    chosen.retain(|candidate| wanted(candidate.curve.name));
    let measured = measure(&chosen, seconds)?;
    arguments.files.write(&Forms {
        markdown: tables::markdown(&measured),
        jsonl: &|| tables::jsonl(&measured),
        csv: &|| tables::csv(&measured),
        svg: &|| tables::svg(&measured),
    })
}

/// Our subjects and other libraries' on every curve.
fn candidates() -> Vec<Candidate> {
    macro_rules! all {
        ($($name:ident),*) => {
            vec![$((case::parameters::<curve::$name>(), ours::subjects::<curve::$name>())),*]
        };
    }
    // A run checks all curves before it measures. The tests take few, because each is compiled for every machine.
    #[cfg(test)]
    let all = all!(Sect163k1);
    #[cfg(all(not(test), not(feature = "all-curves")))]
    let all = all!(
        Sect163k1, Sect163r2, Sect233k1, Sect233r1, Sect283k1, Sect283r1, Sect409k1, Sect409r1, Sect571k1,
        Sect571r1, Curve2251, Gls254
    );
    #[cfg(all(not(test), feature = "all-curves"))]
    let all = carryless_gf2::for_each_curve!(all);
    let with_peers = |(curve, mut subjects): (Parameters, Vec<_>)| {
        subjects.extend(ec_group::subjects(&curve));
        Candidate { curve, subjects }
    };
    all.into_iter().map(with_peers).collect()
}

/// This library's name.
pub(crate) const OURS: &str = "carryless";

/// `library/operation`.
fn name(library: &str, operation: Operation) -> String {
    format!("{library}/{}", operation.name())
}

/// A subject of a curve.
pub(crate) fn subject(
    library: &str,
    operation: Operation,
    machine: &str,
    work: impl Work + 'static,
) -> (Operation, Subject) {
    (operation, Subject::new(name(library, operation), machine, work))
}

fn measure(candidates: &[Candidate], seconds: f64) -> Result<Measured> {
    candidates.iter().try_for_each(verify).context("nothing was timed")?;
    let points: Vec<Point<'_>> = candidates.iter().map(Candidate::point).collect();
    let curves = candidates.iter().zip(run::measure(&points, seconds)).map(|(candidate, rows)| {
        let operations = candidate.subjects.iter().map(|(operation, _)| *operation);
        OfCurve { curve: candidate.curve.clone(), rows: operations.zip(rows).collect() }
    });
    Ok(Measured { curves: curves.collect(), environment: Environment::read() })
}

/// Every subject gives the reference's points.
fn verify(Candidate { curve, subjects }: &Candidate) -> Result<()> {
    for fill in [Fill::Ones, Fill::Random(1)] {
        let input = Input::new(MESSAGE, 1, fill);
        for (operation, subject) in subjects {
            ensure!(
                subject.tags(&input) == [curve.expected(*operation, &input)],
                "{}: {} is not what the reference has",
                curve.name,
                subject.name
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_in_tables() {
        let measured = measure(&candidates(), 0.05).expect("it is right");
        let text = tables::markdown(&measured);
        assert!(text.contains("| sect163k1 | ") && !text.contains("NaN"), "{text}");
        let rows = measured.curves[0].rows.len();
        assert!(rows >= Operation::ALL.len());
        assert_eq!(tables::jsonl(&measured).lines().count(), rows);
        assert_eq!(tables::csv(&measured).lines().count(), rows + 1);
        assert!(tables::svg(&measured).contains("bits of the field"));
    }

    #[test]
    fn a_wrong_result_is_not_timed() {
        let mut all = candidates();
        all[0].subjects[0].1 = all[0].subjects[1].1.clone();
        let error = measure(&all, 0.01).err().expect("it is noticed");
        assert!(format!("{error:#}").starts_with("nothing was timed: sect163k1: carryless/"), "{error:#}");
    }
}
