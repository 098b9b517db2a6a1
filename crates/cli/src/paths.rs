//! Lists of paths in files, beside those on the command line.
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;

use crate::name::{escape, escape_input, named};
use crate::system;

/// A list of paths in a file.
#[derive(Args)]
pub(crate) struct ListArgs {
    /// Read more PATHs from this file, one on each line; - is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// The PATHs in the file of --files-from end in zero bytes, as `find -print0` prints them
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
}

impl ListArgs {
    /// Returns whether the list of paths is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.files_from.as_deref().is_some_and(|file| named(file).is_none())
    }

    /// Returns these paths of the command line, followed by those of the list.
    pub(crate) fn with(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let list = self.files_from.as_deref().map(|file| self.read(file)).transpose()?;
        Ok([paths, &list.unwrap_or_default()].concat())
    }

    /// Returns the same paths, where none at all mean everything. Fails on a list without paths, which means nothing.
    pub(crate) fn restricting(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let all = self.with(paths)?;
        if let Some(file) = self.files_from.as_deref().filter(|_| all.is_empty()) {
            bail!("{}: the list of files is empty", escape_input(file));
        }
        Ok(all)
    }

    fn read(&self, file: &Path) -> Result<Vec<PathBuf>> {
        let shown = escape_input(file);
        let list = match named(file) {
            Some(file) => fs::read(file),
            None => {
                let mut bytes = Vec::new();
                io::stdin().read_to_end(&mut bytes).map(|_| bytes)
            }
        };
        let list = list.with_context(|| format!("{shown}: cannot read the list of files"))?;
        if list.is_empty() {
            return Ok(Vec::new());
        }
        let end = if self.null { 0 } else { b'\n' };
        // The last name may lack its end, but an end after it does not begin an empty name.
        let names = || list.strip_suffix(&[end]).unwrap_or(&list).split(|byte| *byte == end);
        let number = names().position(<[u8]>::is_empty);
        ensure!(number.is_none(), "{shown}: name {} is empty", number.unwrap_or(0) + 1);
        // A CR would be part of each name, and none of these files would be found.
        let crlf = !self.null && names().all(|name| name.ends_with(b"\r"));
        ensure!(
            !crlf,
            "{shown}: its lines end with CR LF, not LF alone (names that end with CR need --null)"
        );
        let path = |name: &[u8]| {
            let path = system::listed_path(name.to_vec());
            path.with_context(|| format!("{shown}: {}: not a name that a file can have here", escape(name)))
        };
        names().map(path).collect()
    }
}
