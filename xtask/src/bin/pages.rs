//! Writes the man pages or the shell completions of `carryless`: `pages man|completions FOLDER`.
#![forbid(unsafe_code)]
use clap_complete::{Shell, generate_to};
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, folder] = &args[..] else {
        return Err(io::Error::other("usage: pages man|completions FOLDER"));
    };
    std::fs::create_dir_all(folder)?;
    match what.as_str() {
        "man" => clap_mangen::generate_to(carryless_cli::command(), folder),
        "completions" => completions(folder.as_ref()),
        _ => Err(io::Error::other("neither man nor completions")),
    }
}

fn completions(folder: &Path) -> io::Result<()> {
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh, Shell::PowerShell, Shell::Elvish] {
        generate_to(shell, &mut carryless_cli::command(), "carryless", folder)?;
    }
    Ok(())
}
