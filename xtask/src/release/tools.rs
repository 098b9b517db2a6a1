//! Programs from the package index of Python: Zig, which links for other systems, and maturin.
use crate::report::Stop;
use crate::{python, shell};
use std::path::PathBuf;
use std::process::Command;

/// Programs from the package index of Python, with the versions that make the same bytes.
pub(super) const TOOLS: [&str; 4] =
    ["ziglang==0.17.1", "cargo-zigbuild==0.24.1", "maturin==1.16.0", "zopflipy>=1.14,<2"];

/// An environment with [`TOOLS`], whose programs come first.
pub(super) fn tools() -> Result<PathBuf, Stop> {
    let (folder, list) = (shell::target_dir().join("release-tools"), TOOLS.join("\n"));
    let complete = folder.join("is-complete");
    if !std::fs::read_to_string(&complete).is_ok_and(|there| there == list) {
        let python = python::newest()?;
        if python::environment(&folder, &python, &TOOLS).is_err() {
            return Err(Stop::NotExercised(format!("not made: pip cannot install {}", TOOLS.join(", "))));
        }
        shell::write(&complete, list)?;
    }
    Ok(folder)
}

/// A command of [`tools`], which finds Zig.
pub(super) fn zig(program: &str, arguments: &[&str]) -> Result<Command, Stop> {
    let programs = tools()?.join("bin");
    let mut command = shell::command(programs.join(program), arguments);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(programs).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(all).map_err(|error| Stop::Failed(error.to_string()))?;
    command.env("PATH", path);
    Ok(command)
}
