//! Tables 5 to 10 of paper 001 with ours beside the paper's figures.
//!
//! The paper's figures ([`figures`]) are data. Ours are measured, after every implementation was verified at
//! every length against the big integers and the others. Cycles of different CPUs say nothing about each
//! other. Ratios of two lines of the same CPU may be compared, and have a table of their own. The authors'
//! own code is measured with ours if the user has built it ([`candidates::authors`]).
pub mod candidates;
mod claims;
pub mod figures;
mod primes;
pub mod tables;

use crate::effort::{Effort, Seconds};
use crate::environment::Environment;
use crate::family::Family;
use crate::output::{Files, Forms};
use crate::report::{Row, record};
use crate::run::{self, Point};
use crate::subject::Subject;
use crate::verify;
use anyhow::{Context, Result};
use candidates::{AUTHORS, Candidate, candidates};
use figures::Paper;
use std::path::PathBuf;

/// Numbers of blocks of 16 bytes that `--quick` measures.
// Few short lengths, and the ends of the ranges for which the text states a saving.
const QUICK: [usize; 14] = [1, 2, 4, 8, 12, 16, 24, 32, 50, 100, 500, 1000, 5000, 32768];
/// Seconds for all subjects of a length.
const SECONDS: Seconds = Seconds { each: "length", full: 0.5, quick: 0.1 };

/// Tables 5 to 10 of paper 001, the paper's figures and ours: polyHash1305, BRWHash1305 and 4-decBRWHash1305,
/// 1 to 32768 blocks, key powers on the fly and pre-computed
#[derive(Clone, Debug, Default, clap::Args)]
#[command(mut_arg("seconds", |seconds| SECONDS.help(seconds)))]
pub struct Arguments {
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// A folder of shared libraries with the authors' code (crates/bench/PEERS.md)
    #[arg(long, value_name = "FOLDER")]
    pub(crate) authors: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) files: Files,
}

/// Our figures on this CPU, and those of the authors' code if it was given.
pub struct Measured {
    /// Candidates in the order of the tables: ours, those over 2^127 - 1, then the authors'.
    pub candidates: Vec<Candidate>,
    /// Numbers of blocks of 16 bytes that were measured, ascending.
    pub blocks: Vec<usize>,
    /// Rows by number of blocks, each with the index of its candidate.
    pub rows: Vec<(usize, Row)>,
    /// A line for each candidate of the authors that was wrong, so that it was not measured.
    pub left_out: Vec<String>,
    /// CPU, commit and date at the beginning of the run.
    pub environment: Environment,
}

/// Measures the tables with our functions, and the authors' if their folder is named.
///
/// # Errors
/// If an evaluation is wrong, the authors' code cannot be loaded, or the seconds are not positive.
pub(crate) fn forms(arguments: &Arguments) -> Result<Forms> {
    let Arguments { effort, authors, .. } = arguments;
    let seconds = SECONDS.of(*effort)?;
    let authors = authors.as_deref().map(candidates::authors).transpose()?.unwrap_or_default();
    let paper = Paper::read();
    let chosen = |blocks: &usize| !effort.quick || QUICK.contains(blocks);
    let blocks: Vec<usize> = paper.blocks().into_iter().filter(chosen).collect();
    let all = candidates().into_iter().chain(primes::candidates()).chain(authors).collect();
    Ok(in_forms(&paper, &measure(all, blocks, seconds)?))
}

fn in_forms(paper: &Paper, measured: &Measured) -> Forms {
    let mut tables = tables::tables(paper, measured);
    tables.push(primes::table(measured));
    Forms {
        introduction: tables::introduction(paper, measured),
        tables,
        disturbed: measured.rows.iter().any(|(_, row)| row.disturbed),
        claims: claims::claims(paper, measured),
        jsonl: jsonl(measured),
        csv: tables::csv(paper, measured),
        plots: vec![tables::plot(paper, measured)],
    }
}

fn measure(candidates: Vec<Candidate>, blocks: Vec<usize>, seconds: f64) -> Result<Measured> {
    let environment = Environment::read();
    let (candidates, left_out) = without_wrong_authors(candidates, &blocks);
    // Not every candidate takes short messages, so each length has its own list.
    let serving: Vec<Vec<usize>> = blocks
        .iter()
        .map(|l| (0..candidates.len()).filter(|&i| candidates[i].serves(16 * l)).collect())
        .collect();
    let mut points = Vec::new();
    for (l, serving) in blocks.iter().zip(&serving) {
        let all: Vec<&Candidate> = serving.iter().map(|&i| &candidates[i]).collect();
        // All lengths are verified here, before the first one is timed below.
        check(&all, 16 * l).context("nothing was timed")?;
        points.push(Point::new(16 * l, all.iter().map(|candidate| &candidate.subject)));
    }
    let rows = run::measure(&points, seconds);
    // The points borrow the candidates, which move into the result.
    drop(points);
    let rows =
        serving.into_iter().zip(rows).flat_map(|(serving, rows)| serving.into_iter().zip(rows)).collect();
    Ok(Measured { candidates, blocks, rows, left_out, environment })
}

/// The candidates without those of the authors that are wrong, and a line for each of these.
fn without_wrong_authors(candidates: Vec<Candidate>, blocks: &[usize]) -> (Vec<Candidate>, Vec<String>) {
    let (mut right, mut left_out) = (vec![], vec![]);
    for candidate in candidates {
        // Ours are checked together, where an error stops the run.
        let mut lengths = blocks.iter().map(|l| 16 * l).filter(|&length| candidate.serves(length));
        let checked = if candidate.whose == AUTHORS {
            lengths.try_for_each(|length| check(&[&candidate], length))
        } else {
            Ok(())
        };
        match checked {
            Ok(()) => right.push(candidate),
            Err(error) => left_out.push(format!("left out: {}: {error:#}", candidate.subject.name)),
        }
    }
    (right, left_out)
}

/// Checks that the candidates of each family agree with each other and with its reference.
fn check(all: &[&Candidate], length: usize) -> Result<()> {
    let mut families: Vec<&'static Family> = all.iter().map(|candidate| candidate.family).collect();
    // `dedup_by_key` removes neighbours only.
    families.sort_by_key(|family| family.name);
    families.dedup_by_key(|family| family.name);
    families.into_iter().try_for_each(|family| {
        let own = all.iter().filter(|candidate| candidate.family.name == family.name);
        let subjects: Vec<&Subject> = own.map(|candidate| &candidate.subject).collect();
        verify::verify(family.reference, &subjects, &[length], 1)
    })
}

/// Our rows as JSON lines, in the form of every record.
fn jsonl(measured: &Measured) -> String {
    let line = |(index, row): &(usize, Row)| {
        let candidate = &measured.candidates[*index];
        record(candidate.family, candidate.mode(), row, &measured.environment)
    };
    measured.rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use candidates::reason;
    use figures::Powers;

    /// Few lengths, measured for a moment, in every form.
    #[test]
    fn ours_stand_beside_the_papers() {
        let (paper, blocks) = (Paper::read(), vec![3, 32, 1000]);
        let all = candidates().into_iter().chain(primes::candidates()).collect();
        let measured = measure(all, blocks, 0.005).expect("every evaluation is right");
        let forms = in_forms(&paper, &measured);
        let text = forms.text();
        for part in [
            "### Table 5, key powers computed on the fly",
            "### Table 10, key powers pre-computed",
            "| function | whose | code | parameter | 3 |\n",
            "| polyHash1305 | paper | avx2 | g = 4 | 2.31 |\n",
            "| polyHash1305 | paper | avx2 | g = 4 | 1.25 |\n",
            "| BRWHash1305 | paper | maax | t = 2 | 0.97 |\n",
            "| 4-decBRWHash1305 | paper | avx2 | t = 5 | 0.364 |\n",
            "| BRWHash1305 | here | words | t = 5 | ",
            "| 4-decBRWHash1305 | here | best |  | ",
            // 0.364 / 0.445
            "| 4-decBRWHash1305 | paper | avx2, key powers computed on the fly | t = 5 / g = 4 | 1.92 | 0.982 | 0.818 |\n",
            "different CPUs",
            "| polyHash1305 | here | words | g = 32 | ",
            "\n### Section 5.4: the prime 2^127 - 1",
            "| / polyHash1305 | here | words | g = 4 | ",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("Table 9") && !text.contains("NaN"), "{text}");
        let here = |line: &&str| line.contains("| here |");
        assert_eq!(forms.csv.lines().filter(|line| line.contains(",here,")).count(), measured.rows.len());
        assert!(text.lines().filter(here).count() > 8);
        assert_eq!(forms.jsonl.lines().count(), measured.rows.len());
        // Three functions have two curves each, the paper's and ours.
        assert_eq!(forms.svg().matches("<polyline").count(), 6);
    }

    /// Every line of the tables has a counterpart of ours with powers on the fly and with powers ready, or the CPU
    /// lacks the backend. There are 34 kinds of lines in Tables 5 to 9, and fewer in Table 10 and the text.
    #[test]
    fn every_line_has_one_of_ours_or_a_reason() {
        let (paper, ours) = (Paper::read(), candidates());
        let mut kinds = std::collections::BTreeSet::new();
        for line in paper.tables.iter().flat_map(|table| &table.lines) {
            for &powers in line.powers {
                kinds.insert((line.function, line.code, line.parameter, powers == Powers::Fly));
                let count = ours.iter().filter(|candidate| candidate.answers(line, powers)).count();
                let expected = usize::from(reason(line).is_none());
                assert_eq!(count, expected, "{line:?} {powers:?}: {:?}", reason(line));
            }
        }
        assert_eq!(kinds.len(), 34);
        assert!(paper.tables[0].lines.iter().all(|line| line.code == "avx2" || reason(line).is_none()));
    }

    /// All lines of a backend follow the same radix: that of its 52-bit multiply-add, if it has it.
    #[test]
    fn ours_serve_every_length_and_have_names_of_their_own() {
        let ours: Vec<Candidate> = candidates().into_iter().chain(primes::candidates()).collect();
        assert!(candidates().iter().all(|candidate| candidate.serves(1) && candidate.serves(1 << 20)));
        let names: std::collections::BTreeSet<_> =
            ours.iter().map(|c| (c.function, c.subject.name.as_str(), c.mode().name())).collect();
        assert_eq!(names.len(), ours.len());
    }

    #[test]
    fn a_wrong_evaluation_is_not_timed() {
        let mut all = candidates();
        let wrong = all.iter().position(|c| c.family.name == "brwhash1305").expect("there is one");
        // The first candidate is of polyHash, a different function.
        all[wrong].subject = all[0].subject.clone();
        let error = measure(all, vec![3], 0.01).err().expect("it is noticed");
        assert!(
            format!("{error:#}").starts_with("nothing was timed: different bytes at length 48"),
            "{error:#}"
        );
    }

    #[test]
    fn a_wrong_evaluation_of_the_authors_is_left_out() {
        let mut all = candidates();
        all.truncate(2);
        all[1].subject = all[0].subject.clone();
        (all[1].family, all[1].whose) = (&crate::families::BRWHASH1305, AUTHORS);
        let measured = measure(all, vec![3], 0.01).expect("ours is right");
        assert_eq!((measured.candidates.len(), measured.left_out.len()), (1, 1));
        let text = tables::introduction(&Paper::read(), &measured);
        assert!(text.contains("\n\nleft out: carryless/"), "{text}");
    }
}
