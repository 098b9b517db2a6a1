//! `cargo xtask vectors`: the vector files, through the command, on every machine.
use crate::report::{Report, Stop, fail};
use crate::shell;
use std::path::PathBuf;

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("vectors", || {
        let files = [vector_files("vectors")?, vector_files("vectors/wycheproof")?].concat();
        let command =
            &["run", "--release", "-p", "carryless-cli", "--features", "curves", "--bin", "carryless", "--"];
        shell::run(shell::cargo(command).args(["vectors", "--machine", "all"]).args(files))
    });
}

fn vector_files(folder: &str) -> Result<Vec<PathBuf>, Stop> {
    let folder = shell::root().join(folder);
    let entries =
        std::fs::read_dir(&folder).map_err(|error| Stop::Failed(format!("{}: {error}", folder.display())))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    if files.is_empty() { fail("there are no vector files") } else { Ok(files) }
}
