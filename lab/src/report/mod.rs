//! `carryless-lab report`: the tables of the page on performance and of README, from the records of measurements.
//!
//! Nothing on a page between its two marks is typed by hand, so no figure outlives its record.
mod records;
mod tables;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use carryless_cli::base::{Exit, stdout_error};
use clap::Args;

use records::Figure;
use tables::Selection;

/// The lines around the generated part of a page.
const BEGIN: &str = "<!-- carryless-lab report -->";
const END: &str = "<!-- end of the report -->";

/// Prints tables of the newest measurements beside their strongest peers.
///
/// Reads bench/report.toml and the records in bench/record below ROOT, by the program xz.
#[derive(Args)]
pub(crate) struct ReportArgs {
    /// The checkout of carryless
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Write the pages and the picture that bench/report.toml names, instead of printing
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Compare with those pages and that picture: exit status 1 if they differ
    #[arg(long)]
    check: bool,
}

/// Prints, writes or checks the report.
pub(crate) fn run(args: &ReportArgs) -> Result<Exit> {
    let selection = Selection::read(&args.root.join("bench/report.toml"))?;
    let figures = records::read(&args.root.join("bench/record"))?;
    let text = tables::markdown(&selection, &figures);
    if !args.write && !args.check {
        io::stdout().write_all(text.as_bytes()).map_err(stdout_error)?;
        return Ok(Exit::Good);
    }
    // All contents exist before the first file is written, so that an error leaves the pages as they are.
    let mut files = vec![(args.root.join(&selection.chart.page), chart(&selection, &figures)?)];
    for (page, text) in
        [(&selection.page, text), (&selection.short.page, tables::short(&selection, &figures)?)]
    {
        let page = args.root.join(page);
        let new = replaced(&read(&page)?, &text).with_context(|| page.display().to_string())?;
        files.push((page, new));
    }
    for (path, new) in files {
        if args.write {
            fs::write(&path, new).with_context(|| path.display().to_string())?;
        } else if read(&path).ok().as_deref() != Some(&new) {
            // A file that is missing counts as different. The first difference decides the exit status.
            eprintln!("{}: not as `carryless-lab report --write` writes it", path.display());
            return Ok(Exit::Mismatch);
        }
    }
    Ok(Exit::Good)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// The page with another text between its marks.
fn replaced(page: &str, text: &str) -> Result<String> {
    let (before, rest) = page.split_once(BEGIN).with_context(|| format!("the page has no line {BEGIN}"))?;
    let (_, after) = rest.split_once(END).with_context(|| format!("the page has no line {END}"))?;
    // The marks stay in the page, where the next run looks for them.
    Ok(format!("{before}{BEGIN}\n\n{text}\n{END}{after}"))
}

/// The picture of the first table: our curve and the peers' in the newest run on its CPU.
#[cfg(feature = "bench")]
fn chart(selection: &Selection, figures: &[Figure]) -> Result<String> {
    use carryless_bench::report::{Curve, Point, plot};
    let run = tables::newest_run(selection, figures).context("no run for the picture")?;
    // In the order of the record, so that a subject keeps its colour when the picture is drawn again.
    let mut subjects: Vec<&str> = Vec::new();
    for (_, figure) in &run {
        if !subjects.contains(&figure.subject.as_str()) {
            subjects.push(&figure.subject);
        }
    }
    let curve = |subject: &&str| {
        let of = run.iter().filter(|(_, figure)| figure.subject == **subject);
        Curve::new(
            *subject,
            of.map(|(length, figure)| Point {
                at: *length,
                figure: figure.cycles,
                quartiles: figure.quartiles,
                disturbed: figure.disturbed,
            }),
        )
    };
    let (_, first) = run.first().context("an empty run")?;
    let title = format!("{}: {}, {}, commit {}", selection.first().title, first.cpu, first.day, first.commit);
    let curves: Vec<Curve> = subjects.iter().map(curve).collect();
    // A picture of our curve alone would compare nothing.
    anyhow::ensure!(curves.len() > 1, "a run without peers");
    Ok(plot(&title, &curves).svg())
}

#[cfg(not(feature = "bench"))]
fn chart(_: &Selection, _: &[Figure]) -> Result<String> {
    anyhow::bail!("this build of carryless-lab lacks the feature `bench`, which draws the picture")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_generated_part_is_replaced() {
        let page = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        assert_eq!(replaced(&page, "new\n").expect("marks"), format!("a\n{BEGIN}\n\nnew\n\n{END}\nb\n"));
        assert!(replaced("a\n", "new").is_err() && replaced(BEGIN, "new").is_err());
    }

    /// The pages and the picture of this checkout are those of its records.
    #[cfg(feature = "bench")]
    #[test]
    fn the_pages_are_made_of_the_records() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let args = ReportArgs { root, write: false, check: true };
        assert_eq!(run(&args).expect("a report"), Exit::Good, "run carryless-lab report --write");
    }
}
