//! The paths of `tag`.
use std::fs;
use std::io::{self, Read as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::name::{escape, escape_input, named};
use crate::system;

/// The paths to tag: those on the command line, and a list in a file.
#[derive(Args)]
pub(crate) struct PathArgs {
    /// Read more PATHs from this file, one on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// The PATHs in the file of --files-from end in zero bytes, as `find -print0` prints them
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
    /// The files to record, and folders with all below them; at least one, here or in --files-from
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    paths: Vec<PathBuf>,
}

impl PathArgs {
    /// Returns whether the list of paths is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.files_from.as_deref().is_some_and(|file| named(file).is_none())
    }

    /// Returns the paths of the command line, followed by those of the list.
    pub(super) fn all(&self) -> Result<Vec<PathBuf>> {
        let mut paths = self.paths.clone();
        if let Some(file) = &self.files_from {
            let list = match named(file) {
                Some(file) => fs::read(file),
                None => {
                    let mut bytes = Vec::new();
                    io::stdin().read_to_end(&mut bytes).map(|_| bytes)
                }
            };
            let list =
                list.with_context(|| format!("{}: cannot read the list of files", escape_input(file)))?;
            let end = if self.null { 0 } else { b'\n' };
            // The last name may lack its end, but an end after it does not begin an empty name.
            let names = list.strip_suffix(&[end]).unwrap_or(&list);
            if !list.is_empty() {
                let number = names.split(|byte| *byte == end).position(<[u8]>::is_empty);
                ensure!(
                    number.is_none(),
                    "{}: name {} is empty",
                    escape_input(file),
                    number.unwrap_or(0) + 1
                );
                let crlf = !self.null && names.split(|byte| *byte == end).all(|name| name.ends_with(b"\r"));
                ensure!(
                    !crlf,
                    "{}: its lines end with CR LF, not LF alone (names that end with CR need --null)",
                    escape_input(file)
                );
                for name in names.split(|byte| *byte == end) {
                    paths.push(system::listed_path(name.to_vec()).with_context(|| {
                        format!(
                            "{}: {}: not a name that a file can have here",
                            escape_input(file),
                            escape(name)
                        )
                    })?);
                }
            }
        }
        Ok(paths)
    }
}
