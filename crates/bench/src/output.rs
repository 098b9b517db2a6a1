//! Where results go: standard output, and files that the user names.
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
pub struct Forms<'a> {
    /// What is printed.
    pub markdown: String,
    /// One object a line.
    pub jsonl: &'a dyn Fn() -> String,
    /// With a line of names.
    pub csv: &'a dyn Fn() -> String,
    /// A plot.
    pub svg: &'a dyn Fn() -> String,
}

impl Files {
    /// Prints the table and writes the files that are asked for.
    ///
    /// # Errors
    /// If standard output or a file cannot be written.
    pub fn write(&self, forms: &Forms) -> Result<()> {
        print(&forms.markdown)?;
        write(&self.md, &|| forms.markdown.clone(), false)?;
        write(&self.jsonl, forms.jsonl, true)?;
        write(&self.csv, forms.csv, false)?;
        write(&self.svg, forms.svg, false)
    }
}

/// A line on standard output, which may be full or closed.
///
/// # Errors
/// If it cannot be written.
pub fn print(text: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}

fn write(path: &Option<PathBuf>, text: &dyn Fn() -> String, append: bool) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    store(path, &text(), append).with_context(|| path.display().to_string())
}

fn store(path: &Path, text: &str, append: bool) -> Result<()> {
    let mut file =
        std::fs::OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(path)?;
    Ok(file.write_all(text.as_bytes())?)
}
