//! Prints help and errors of the command line.
use std::ffi::OsString;
use std::io::{self, Write as _};

use crate::exit::{self, Exit};
use crate::name::printable;

/// Prints what the argument parser returned: help, or an error. Returns the exit status.
///
/// Errors repeat arguments, which may contain anything, as the shell expands patterns to file names. `parse`
/// returns the error for other arguments.
pub(crate) fn print(
    help_or_error: &clap::Error,
    args: &[OsString],
    parse: impl FnOnce(&[String]) -> Option<clap::Error>,
) -> Exit {
    // Help and version were asked for: they belong on standard output, with status 0.
    if !help_or_error.use_stderr() {
        return match help_or_error.print() {
            Err(error) => exit::explain(&exit::stdout_error(error), false),
            Ok(()) => Exit::Good,
        };
    }
    let shown: Vec<String> = args.iter().map(shown).collect();
    let as_they_are = args.iter().zip(&shown).all(|(arg, shown)| arg == shown.as_str());
    // If escaped arguments cause the same mistake, its message is safe for a terminal, and may keep its
    // colours.
    let harmless = (!as_they_are).then(|| parse(&shown)).flatten();
    let harmless = harmless.filter(|error| error.kind() == help_or_error.kind());
    // Standard error may be closed; then there is no place left for a message.
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

/// Returns an argument as messages show it, with control and invisible characters escaped.
fn shown(arg: &OsString) -> String {
    let mut text = String::new();
    for chunk in arg.as_encoded_bytes().utf8_chunks() {
        text.push_str(&printable(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt as _;

    #[test]
    fn arguments_are_shown_without_what_acts_on_a_terminal() {
        let arg = OsString::from_vec(b"--a\x1b[2J\xff\xc2\x9b\xe2\x80\xae\n\\ \xc3\xa9".to_vec());
        assert_eq!(shown(&arg), "--a\\x1b[2J\\xff\\xc2\\x9b\\xe2\\x80\\xae\\x0a\\ \u{e9}");
    }
}
