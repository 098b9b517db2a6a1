//! Where results go: standard output, and files that the user names.
use crate::claim::{self, Claim};
use anyhow::{Context, Result};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The files to write.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Files {
    /// Append a JSON line for each subject and length
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Write comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table that is printed
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,
    /// Write a plot
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The same results in every form.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// Tables.
    pub markdown: String,
    /// What the paper claims, if they are of a paper.
    pub claims: Vec<Claim>,
    /// One object a line.
    pub jsonl: String,
    /// With a line of names.
    pub csv: String,
    /// A plot.
    pub svg: String,
}

impl Forms {
    /// What is printed: the tables, and after them the claims.
    pub fn text(&self) -> String {
        self.markdown.clone() + &claim::markdown(&self.claims)
    }
}

impl Files {
    /// Prints the table and writes the files that are asked for.
    ///
    /// # Errors
    /// If standard output or a file cannot be written.
    pub fn write(&self, forms: &Forms) -> Result<()> {
        print(&forms.text())?;
        write(self.md.as_deref(), &forms.text(), false)?;
        write(self.jsonl.as_deref(), &forms.jsonl, true)?;
        write(self.csv.as_deref(), &forms.csv, false)?;
        write(self.svg.as_deref(), &forms.svg, false)
    }
}

/// A line on standard output, which may be full or closed.
///
/// # Errors
/// If it cannot be written.
pub fn print(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}

fn write(path: Option<&Path>, text: &str, append: bool) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    store(path, text, append).with_context(|| path.display().to_string())
}

fn store(path: &Path, text: &str, append: bool) -> Result<()> {
    let mut file =
        std::fs::OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(path)?;
    Ok(file.write_all(text.as_bytes())?)
}
