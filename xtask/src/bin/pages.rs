//! Writes the man pages or the shell completions of `carryless`: `pages man|completions FOLDER`.
#![forbid(unsafe_code)]
use clap::Command;
use clap_complete::{Shell, generate_to};
use clap_mangen::Man;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, folder] = &args[..] else {
        return Err(io::Error::other("usage: pages man|completions FOLDER"));
    };
    std::fs::create_dir_all(folder)?;
    match what.as_str() {
        "man" => {
            let mut program = carryless_cli::command().disable_help_subcommand(true);
            program.build();
            man(&program, "carryless", folder.as_ref())
        }
        "completions" => completions(folder.as_ref()),
        _ => Err(io::Error::other("neither man nor completions")),
    }
}

/// Writes the pages of a command and of its subcommands. `name` is that of the page, such as `carryless-tag`.
fn man(command: &Command, name: &str, folder: &Path) -> io::Result<()> {
    let sections = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let mut page = Vec::new();
    // Without the sections, which the generator would put below the heading EXTRA.
    Man::new(command.clone().after_long_help(None::<&str>)).title(name).render(&mut page)?;
    let text = String::from_utf8_lossy(&page);
    // VERSION and what follows come last.
    let (above, below) = text.split_at(text.find(".SH VERSION").unwrap_or(text.len()));
    std::fs::write(folder.join(format!("{name}.1")), format!("{above}{}{below}", roff(&sections)))?;
    let subcommands = command.get_subcommands().filter(|command| !command.is_hide_set());
    subcommands.into_iter().try_for_each(|sub| man(sub, &format!("{name}-{}", sub.get_name()), folder))
}

/// Turns the sections of the help into those of a man page: lines without indentation are headings.
fn roff(sections: &str) -> String {
    let mut page = String::new();
    for line in sections.lines().filter(|line| !line.is_empty()) {
        // Writing to a string never fails.
        let _ = match line.strip_prefix("  ") {
            // Examples are printed line by line, and not filled as paragraphs are.
            None if line == "EXAMPLES" => writeln!(page, ".SH {line}\n.nf"),
            None => writeln!(page, ".fi\n.SH {line}"),
            // The break keeps lines apart; what begins a line must not be taken for a request.
            Some(line) => writeln!(page, ".br\n\\&{}", line.replace('\\', "\\\\").replace('-', "\\-")),
        };
    }
    page
}

fn completions(folder: &Path) -> io::Result<()> {
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh, Shell::PowerShell, Shell::Elvish] {
        generate_to(shell, &mut carryless_cli::command(), "carryless", folder)?;
    }
    Ok(())
}
