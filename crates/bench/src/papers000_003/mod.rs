//! Papers 000 and 003, Goll and Gueron's Poly1305 against the balanced one: the papers' tables with ours
//! beside them.
//!
//! The papers compare two programs of their own CPUs. Ours are both papers' algorithms written over the same
//! products and reductions, so that a speed-up is that of the algorithm. The papers' figures ([`figures`])
//! are data; ours are measured after every evaluation was verified against the big integers at every length.
//! Cycles of different CPUs say nothing about each other, speed-ups may be compared.
pub mod candidates;
mod claims;
pub mod figures;
mod plots;
mod statistics;
mod tables;

use crate::effort::{Effort, Seconds};
use crate::environment::Environment;
use crate::families::POLY1305;
use crate::output::{Files, Forms};
use crate::report::{Row, record};
use crate::run::{self, Point};
use crate::subject::{Mode, Subject};
use crate::verify;
use anyhow::{Context, Result};
use candidates::{Candidate, Way, backends, candidates};
use carryless_hash::Cpu;
use figures::{Paper, all_lengths};
use statistics::Pair;

/// `--quick` measures one in this many of all lengths. It is coprime to 64, so that all remainders modulo
/// 64 have the same share.
const QUICK_STEP: usize = 13;
/// The part of the seconds for a length of the tables that each of all lengths gets.
// There are 3890 of these lengths. At the full seconds they would take more than half an hour.
const SHARE_OF_ALL: f64 = 0.04;
/// Seconds for each length, and their share for the lengths outside the tables.
const SECONDS: Seconds =
    Seconds { each: "length of the tables, a 25th of it for each of all lengths", full: 0.5, quick: 0.1 };

/// Options of the commands for papers 000 and 003.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(mut_arg("seconds", |seconds| SECONDS.help(seconds)))]
pub struct Arguments {
    #[command(flatten)]
    pub(crate) effort: Effort,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// Our figures on this CPU.
pub struct Measured {
    /// Backends that were measured, as `candidates::backends` returns them.
    backends: Vec<Cpu>,
    /// Candidates in the order of the rows of every length.
    candidates: Vec<Candidate>,
    /// Lengths of the paper's tables in bytes, each with a row for each candidate.
    tables: Vec<(usize, Vec<Row>)>,
    /// Lengths from 49 to 4000 bytes that 64 does not divide, each with a row for each candidate; with
    /// `--quick` one in [`QUICK_STEP`] of them.
    all: Vec<(usize, Vec<Row>)>,
    /// CPU, commit and date at the beginning of the run.
    environment: Environment,
}

/// Checks all candidates at all lengths, then measures the paper's tables and the lengths between them.
///
/// # Errors
/// If an evaluation is wrong, or the seconds are not positive.
pub(crate) fn forms(paper: &Paper, effort: Effort) -> Result<Forms> {
    let seconds = SECONDS.of(effort)?;
    let all: Vec<usize> = all_lengths().step_by(if effort.quick { QUICK_STEP } else { 1 }).collect();
    let backends = backends();
    let measured = measure(candidates(&backends), backends, [paper.lengths(), all], seconds)?;
    Ok(in_forms(paper, &measured))
}

fn in_forms(paper: &Paper, measured: &Measured) -> Forms {
    Forms {
        introduction: tables::introduction(paper, measured),
        tables: tables::tables(paper, measured),
        disturbed: measured.disturbed(),
        claims: claims::claims(paper, measured),
        jsonl: jsonl(measured),
        csv: tables::csv(paper, measured),
        plots: plots::plots(paper, measured),
    }
}

fn measure(
    candidates: Vec<Candidate>,
    backends: Vec<Cpu>,
    [tables, all]: [Vec<usize>; 2],
    seconds: f64,
) -> Result<Measured> {
    let environment = Environment::read();
    let subjects: Vec<&Subject> = candidates.iter().map(|candidate| &candidate.subject).collect();
    // A wrong evaluation of either list must be found before the first sample is taken.
    for lengths in [&tables, &all] {
        verify::verify(POLY1305.reference, &subjects, lengths, 1).context("nothing was timed")?;
    }
    let rows = |lengths: Vec<usize>, seconds| {
        let point = |&length: &usize| Point::new(length, subjects.iter().copied());
        let points: Vec<Point> = lengths.iter().map(point).collect();
        let rows = run::measure(&points, seconds);
        lengths.into_iter().zip(rows).collect::<Vec<_>>()
    };
    // Two runs, because points of one run all get the same seconds.
    let (tables, all) = (rows(tables, seconds), rows(all, SHARE_OF_ALL * seconds));
    Ok(Measured { backends, candidates, tables, all, environment })
}

impl Measured {
    /// The index of a candidate in the rows of every length.
    fn place(&self, cpu: Cpu, way: Way) -> usize {
        let on = |c: &Candidate| c.on.is_some_and(|(its, w)| (its.name(), w) == (cpu.name(), way));
        self.candidates.iter().position(on).expect("every backend has every way")
    }

    /// The figures of two algorithms on a backend, at all lengths.
    fn pairs(&self, cpu: Cpu, ways: [Way; 2]) -> Vec<Pair> {
        let places = ways.map(|way| self.place(cpu, way));
        let pair = |(length, rows): &(usize, Vec<Row>)| {
            let [old, new] = places.map(|place| &rows[place]);
            let disturbed = old.disturbed || new.disturbed;
            Pair { length: *length, old: old.figure(), new: new.figure(), disturbed }
        };
        self.all.iter().map(pair).collect()
    }

    /// Whether any figure of the run was disturbed.
    fn disturbed(&self) -> bool {
        self.tables.iter().chain(&self.all).any(|(_, rows)| rows.iter().any(|row| row.disturbed))
    }
}

/// Our rows at the lengths of the tables as JSON lines, in the form of every record.
fn jsonl(measured: &Measured) -> String {
    let rows = measured.tables.iter().flat_map(|(_, rows)| rows);
    rows.map(|row| record(&POLY1305, Mode::OneShot, row, &measured.environment)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Verdict;

    /// Marks every row as disturbed or as calm, so that a test of the tables does not depend on
    /// how busy the machine is.
    fn mark(measured: &mut Measured, disturbed: bool) {
        let rows = measured.tables.iter_mut().chain(&mut measured.all).flat_map(|(_, rows)| rows);
        rows.for_each(|row| row.disturbed = disturbed);
    }

    /// Few lengths, measured for a moment, in every form.
    #[test]
    fn ours_stand_beside_the_papers() {
        let backends = backends();
        // 118 bytes has an erratum in paper 000. The second list has a length in every range of both papers:
        // without one the claim of that range would have no figure.
        let lengths = [vec![80, 118], vec![50, 65, 100, 127, 200, 1002, 2001, 2500, 3500]];
        let mut measured = measure(candidates(&backends), backends, lengths, 0.01).expect("they are right");
        mark(&mut measured, false);
        for (paper, parts) in [
            (
                Paper::of_000(),
                [
                    "### Table 1: skylake, gcc",
                    "| 118 | 0, short | 3.54 | 2.82 | 34.46 (20.34) |",
                    "| section 5.2 | skylake, gcc | 49 to 1024 | 34.46 | 12.58 |",
                    "| section 5.2 | skylake, gcc | 93.36 | 5.31 | 1.33 |",
                ],
            ),
            (
                Paper::of_003(),
                [
                    "### Table 4: haswell, clang; haswell, gcc",
                    "| 80 | 1 | 3.85 | 4.00 | 3.75 (-3.90) | 3.70 | 3.50 | 5.40 |",
                    "| table 3 | kaby lake, clang | 2001 to 4000 | 10.84 | 1.64 |",
                    "| section 5 | kaby lake, gcc | 99.66 | 0.17 | 0.15 |",
                ],
            ),
        ] {
            let forms = in_forms(&paper, &measured);
            let text = forms.text();
            for part in parts {
                assert!(text.contains(part), "{part}\n{text}");
            }
            assert!(text.contains("| here | ") && !text.contains("NaN"), "{text}");
            assert!(forms.claims.iter().all(|claim| claim.here.is_some()), "{:?}", forms.claims);
            let svg = forms.svg();
            assert!(svg.matches("<polyline").count() > 3 && !svg.contains("NaN"), "{svg}");
        }
        // Records have the two lengths of the tables only.
        assert_eq!(jsonl(&measured).lines().count(), 2 * measured.candidates.len());
        mark(&mut measured, true);
        let forms = in_forms(&Paper::of_000(), &measured);
        let (text, claims) = (forms.text(), &forms.claims);
        assert!(text.contains("| ~") && text.contains("the machine was too busy"), "{text}");
        assert!(claims.iter().all(|claim| matches!(claim.verdict, Verdict::Undecided(_))), "{claims:?}");
    }

    #[test]
    fn a_wrong_evaluation_is_not_timed() {
        let backends = backends();
        let mut all = candidates(&backends);
        // A tag that does not depend on the message is wrong at the first length.
        let wrong = crate::ours::one_by_one(|key: &crate::input::Key, _: &[u8]| {
            let mut tag = [0; 16];
            tag.copy_from_slice(&key[..16]);
            tag
        });
        all[0].subject = Subject::new("wrong", "any", wrong);
        let error = measure(all, backends, [vec![80], vec![]], 0.01).err().expect("it is noticed");
        assert!(format!("{error:#}").starts_with("nothing was timed: different bytes at length 80"));
    }
}
