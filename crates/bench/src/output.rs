//! Results go to standard output, and to files that the user names.
use crate::claim::{self, Claim};
use crate::environment::Environment;
use crate::report::{BUSY, Drawing, sheet};
use crate::table::Table;
use anyhow::{Context, Result};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The files to write. They are checked before anything is measured, so that no existing file is overwritten.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Files {
    /// Append a JSON line for each subject and length
    #[arg(long, value_name = "FILE", value_parser = lines_or_nothing)]
    jsonl: Option<PathBuf>,
    /// Write every figure as comma-separated values
    #[arg(long, value_name = "FILE", value_parser = nothing)]
    csv: Option<PathBuf>,
    /// Write the table that is printed
    #[arg(long, value_name = "FILE", value_parser = nothing)]
    md: Option<PathBuf>,
    /// Write the plots as one SVG picture
    #[arg(long, value_name = "FILE", value_parser = nothing)]
    svg: Option<PathBuf>,
}

/// The results of a command in all forms of output.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// What stands above the tables, as Markdown.
    pub introduction: String,
    /// The tables, in the order in which they are printed.
    pub tables: Vec<Table>,
    /// Whether the machine was too busy for some figure, which a line below the tables then explains.
    pub disturbed: bool,
    /// The claims of a paper, if the results are of a paper.
    pub claims: Vec<Claim>,
    /// A JSON object on each line.
    pub jsonl: String,
    /// Comma-separated values below a line of names.
    pub csv: String,
    /// Plots, in the order in which they stand one below the other.
    pub plots: Vec<Drawing>,
}

impl Forms {
    /// The text that is printed: the tables, and after them the claims.
    pub fn text(&self) -> String {
        self.markdown() + &claim::table(&self.claims).markdown()
    }

    /// The tables with the words around them, as Markdown.
    pub fn markdown(&self) -> String {
        let tables: String = self.tables.iter().map(Table::markdown).collect();
        let below = if self.disturbed { format!("\n{BUSY}") } else { String::new() };
        self.introduction.clone() + &tables + &below
    }

    /// All tables as LaTeX, the claims last; the words around them are left out.
    pub fn latex(&self) -> String {
        self.tables.iter().map(Table::latex).collect::<String>() + &claim::table(&self.claims).latex()
    }

    /// All plots in one SVG document.
    pub fn svg(&self) -> String {
        sheet(&self.plots)
    }
}

impl Files {
    /// Prints the table and writes the files that are asked for.
    ///
    /// # Errors
    /// If standard output or a file cannot be written.
    pub fn write(&self, forms: &Forms) -> Result<()> {
        // Printed first, so that a file that cannot be written does not cost the figures.
        print(&forms.text())?;
        write(self.md.as_deref(), &forms.text(), false)?;
        write(self.jsonl.as_deref(), &forms.jsonl, true)?;
        write(self.csv.as_deref(), &forms.csv, false)?;
        write(self.svg.as_deref(), &forms.svg(), false)
    }
}

/// The words above the tables of a paper: its title, the CPUs of the paper and this one, and what may be
/// compared. `settings` are short names of CPUs, and CPUs.
pub(crate) fn introduction(
    title: &str,
    settings: &[(&str, &str)],
    environment: &Environment,
    notes: &str,
) -> String {
    let Environment { cpu, commit, date } = environment;
    let settings: String = settings.iter().map(|(name, what)| format!("- {name}: {what}\n")).collect();
    format!("{title}\n\n{settings}- here: {cpu}, {date}, commit {commit}\n\n{notes}\n")
}

/// Prints a line to standard output.
///
/// # Errors
/// If it cannot be written.
pub fn print(text: &str) -> Result<()> {
    // println! would panic if standard output is closed or full.
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}

/// Accepts a path unless an ordinary file is there. Devices and pipes are written to.
fn nothing(path: &str) -> Result<PathBuf, &'static str> {
    if Path::new(path).is_file() { Err("exists already, not overwritten") } else { Ok(path.into()) }
}

/// Accepts a path if no file is there, or an empty one, or one that begins like JSON lines,
/// to which lines are appended.
fn lines_or_nothing(path: &str) -> Result<PathBuf, String> {
    // JSON lines begin with a brace, and one byte tells them from most other files.
    let mut start = [0; 1];
    let read = |mut file: File| file.read(&mut start);
    match Path::new(path).is_file().then(|| File::open(path).and_then(read)) {
        // An empty file gives 0 bytes, and passes.
        Some(Ok(1)) if start != *b"{" => {
            Err("exists already and has no JSON lines, nothing is appended".into())
        }
        Some(Err(error)) => Err(error.to_string()),
        _ => Ok(path.into()),
    }
}

fn write(path: Option<&Path>, text: &str, append: bool) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    store(path, text, append).with_context(|| path.display().to_string())
}

fn store(path: &Path, text: &str, append: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    // Devices and pipes exist before they are written to.
    let special = path.metadata().is_ok_and(|about| !about.is_file());
    match append {
        true => options.append(true).create(true),
        // A file may have appeared while the benchmark ran.
        false => options.write(true).create_new(!special),
    };
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_not_overwritten() {
        let folder = std::env::temp_dir().join(format!("carryless-output-{}", std::process::id()));
        std::fs::create_dir(&folder).expect("a folder");
        let at = |name: &str| folder.join(name).to_str().expect("text").to_owned();
        std::fs::write(at("photo"), [0xff, 0xd8]).expect("write");
        std::fs::write(at("empty"), "").expect("write");
        assert_eq!(nothing(&at("new")), Ok(folder.join("new")));
        assert!(nothing(&at("photo")).is_err() && nothing(&at("empty")).is_err());
        assert!(lines_or_nothing(&at("photo")).is_err() && lines_or_nothing(&at("empty")).is_ok());
        write(Some(&folder.join("photo")), "text", false).expect_err("it appeared meanwhile");
        write(Some(&folder.join("lines")), "{}\n", true).expect("new");
        assert!(lines_or_nothing(&at("lines")).is_ok());
        write(Some(&folder.join("lines")), "{}\n", true).expect("appended");
        write(Some(Path::new("/dev/null")), "text", false).expect("a device");
        let read = |name: &str| std::fs::read(at(name)).expect("a file");
        assert_eq!((read("photo"), read("lines")), (vec![0xff, 0xd8], b"{}\n{}\n".to_vec()));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
