//! All papers in one report: a folder with a page for any browser, and files with the tables, plots and
//! records of each command.
//!
//! The page fetches nothing and runs no script. All results in it are verified before they are timed, as by
//! the single commands.
//!
//! All papers share what measures, verifies, judges claims and prints: `run`, `verify`, `claim`, `table`, `csv`,
//! `report` and [`Forms`]. The modules of single papers have only what their paper determines: how its data file is
//! read, which of our functions answer a line, its columns and its claims. One module for all would not be shorter,
//! because lines have nothing in common: paper 001 has functions with code, parameter and powers for numbers of
//! blocks, paper 002 constructions for bits with cycles and instructions, papers 000 and 003 lengths with speed-ups,
//! ranges, shares and errata. Of three lines in a row, these modules share imports, heads of functions and fields of
//! `Forms` alone.
mod page;
mod repeat;
mod sources;

use crate::effort::Effort;
use crate::environment::Environment;
use crate::output::{Forms, print};
use crate::peers::{gf2x, kem};
use crate::provenance::provenance;
use crate::run;
use anyhow::{Context, Result, bail, ensure};
use repeat::{Earlier, Repeated};
use sources::{Part, SOURCES, Source};
use std::fs;
use std::path::{Path, PathBuf};

/// All papers: their tables beside ours, what each claims and what holds here, as a page with files beside it
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Few lengths, a moment for each
    #[arg(long)]
    quick: bool,
    /// The folder to write, which must not exist
    #[arg(long, value_name = "FOLDER", default_value = "papers-report")]
    out: PathBuf,
    /// Papers, e.g. 001,002 [default: all]
    #[arg(long, value_delimiter = ',', value_name = "P,..")]
    papers: Vec<String>,
    /// The folder of an earlier run: how many of its figures this one repeats stands in the page
    #[arg(long, value_name = "FOLDER")]
    against: Option<PathBuf>,
    #[command(flatten)]
    gf2x: gf2x::Libraries,
    #[command(flatten)]
    kem: kem::Libraries,
}

impl Arguments {
    /// The effort of every part: `--quick` or the default seconds of each command.
    fn effort(&self) -> Effort {
        Effort { quick: self.quick, seconds: None }
    }
}

/// A part, and its results if this build has it.
struct Measured {
    part: &'static Part,
    forms: Option<Forms>,
}

/// A paper with its parts, which is a section of the page.
struct Chapter {
    source: &'static Source,
    parts: Vec<Measured>,
}

/// Everything that the page shows.
struct Report {
    chapters: Vec<Chapter>,
    environment: Environment,
    /// Computer, system and program: what else a reader needs to repeat the run.
    provenance: Vec<(&'static str, String)>,
    quick: bool,
    /// Each part compared with the earlier run, if `--against` names one.
    repeated: Option<Vec<Repeated>>,
}

/// Measures all papers, or those that are asked for. The folder gets its name when it is complete.
///
/// # Errors
/// If the folder exists or cannot be written, the earlier one cannot be read, a paper is not one of ours,
/// or a result is wrong.
pub fn run(arguments: &Arguments) -> Result<()> {
    let out = &arguments.out;
    ensure!(!out.exists(), "{} exists: --out names another folder", out.display());
    // Everything that can be refused is refused before minutes of measuring.
    let sources = chosen(&arguments.papers)?;
    let environment = Environment::read();
    let read = |folder: &Path| Earlier::read(folder, &sources, &environment.cpu);
    let earlier = arguments.against.as_deref().map(read).transpose()?;
    let partial = partial(out)?;
    fs::create_dir(&partial).with_context(|| partial.display().to_string())?;
    let written = measure(&sources, arguments).and_then(|chapters| {
        let repeated = earlier.map(|earlier| earlier.compare(&chapters)).transpose()?;
        let (provenance, quick) = (provenance(), arguments.quick);
        write(&Report { chapters, environment, provenance, quick, repeated }, &partial)
    });
    // Renamed when complete: a folder of that name always has every file.
    let done = written.and_then(|()| fs::rename(&partial, out).with_context(|| out.display().to_string()));
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&partial);
    }
    done?;
    print(&format!("{}", out.join("index.html").display()))
}

/// The papers of these numbers, or all if there are none.
fn chosen(papers: &[String]) -> Result<Vec<&'static Source>> {
    if let Some(unknown) = papers.iter().find(|paper| !SOURCES.iter().any(|source| source.number == **paper))
    {
        let known: Vec<&str> = SOURCES.iter().map(|source| source.number).collect();
        bail!("no paper {unknown}: there are {}", known.join(", "));
    }
    let wanted = |source: &&Source| papers.is_empty() || papers.iter().any(|paper| *paper == source.number);
    // The order of the page counts, not that of the command line.
    Ok(SOURCES.iter().filter(wanted).collect())
}

/// The path of the folder while it is incomplete, next to its final place, so that it can be renamed.
fn partial(out: &Path) -> Result<PathBuf> {
    let name = out.file_name().with_context(|| format!("{} names no folder", out.display()))?;
    let mut name = name.to_owned();
    // The process number keeps apart two runs that write to one folder.
    name.push(format!(".{}.partial", std::process::id()));
    Ok(out.with_file_name(name))
}

fn measure(sources: &[&'static Source], arguments: &Arguments) -> Result<Vec<Chapter>> {
    let chapter = |source: &&'static Source| {
        let parts = source.parts.iter().map(|part| {
            if part.measure.is_some() {
                // The lines of progress do not say which part they are of.
                run::announce(part.name);
            }
            let forms = part.measure.map(|measure| measure(arguments)).transpose().context(part.name)?;
            Ok(Measured { part, forms })
        });
        Ok(Chapter { source, parts: parts.collect::<Result<_>>()? })
    };
    sources.iter().map(chapter).collect()
}

/// Writes every file of the folder.
fn write(report: &Report, folder: &Path) -> Result<()> {
    let store = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())
    };
    let mut markdown = format!("# Papers\n\n{}", page::circumstances(report));
    for measured in report.chapters.iter().flat_map(|chapter| &chapter.parts) {
        let Some(forms) = &measured.forms else { continue };
        let name = measured.part.name;
        store(&format!("{name}.csv"), &forms.csv)?;
        store(&format!("{name}.jsonl"), &forms.jsonl)?;
        store(&format!("{name}.tex"), &forms.latex())?;
        store(&format!("{name}.svg"), &forms.svg())?;
        if forms.plots.len() > 1 {
            // One figure each, for papers that include them.
            for (number, plot) in forms.plots.iter().enumerate() {
                store(&format!("{name}-{}.svg", number + 1), &plot.svg())?;
            }
        }
        markdown += &format!("\n## {name}\n\n{}", forms.text());
    }
    if let Some(repeated) = &report.repeated {
        markdown += &format!("\n## An earlier run\n\n{}", repeat::markdown(repeated));
    }
    store("report.md", &markdown)?;
    store("index.html", &page::html(report))
}

#[cfg(test)]
mod tests;
