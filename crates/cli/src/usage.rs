//! Help, and what is wrong with a command line.
use std::ffi::OsString;
use std::io::{self, Write as _};

use crate::exit::{self, Exit};
use crate::name::printable;

/// Prints what the argument parser has to say, and gives the exit status.
///
/// Its errors repeat arguments, which may hold anything: names of files come in by patterns of the shell. `parse` gives the error of other arguments.
pub(crate) fn print(
    help_or_error: &clap::Error,
    args: &[OsString],
    parse: impl FnOnce(&[String]) -> Option<clap::Error>,
) -> Exit {
    if !help_or_error.use_stderr() {
        return match help_or_error.print() {
            Err(error) => exit::explain(&exit::stdout_error(error), false),
            Ok(()) => Exit::Good,
        };
    }
    let shown: Vec<String> = args.iter().map(shown).collect();
    let as_they_are = args.iter().zip(&shown).all(|(arg, shown)| arg == shown.as_str());
    // The same mistake in arguments that act on no terminal has the same message, which may keep its colours.
    let harmless = (!as_they_are).then(|| parse(&shown)).flatten();
    let harmless = harmless.filter(|error| error.kind() == help_or_error.kind());
    // Standard error may be closed: there is no other place to say so.
    match (as_they_are, harmless) {
        (true, _) => drop(help_or_error.print()),
        (_, Some(error)) => drop(error.print()),
        _ => {
            let text = help_or_error.to_string();
            let lines: Vec<String> = text.lines().map(printable).collect();
            let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
        }
    }
    Exit::Trouble
}

/// An argument as messages show it.
fn shown(arg: &OsString) -> String {
    let mut text = String::new();
    for chunk in arg.as_encoded_bytes().utf8_chunks() {
        text.push_str(&printable(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt as _;

    #[test]
    fn arguments_are_shown_without_what_acts_on_a_terminal() {
        let arg = OsString::from_vec(b"--a\x1b[2J\xff\xc2\x9b\xe2\x80\xae\n\\ \xc3\xa9".to_vec());
        assert_eq!(shown(&arg), "--a\\x1b[2J\\xff\\xc2\\x9b\\xe2\\x80\\xae\\x0a\\ \u{e9}");
    }
}
