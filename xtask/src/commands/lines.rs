//! The lines of a document that are commands, and those that are synopses of commands.

/// Programs whose lines, outside of blocks marked `sh`, must be synopses.
const PROGRAMS: [&str; 3] = ["carryless ", "carryless-lab ", "cargo "];

/// A command of a document, and the result that its comment promises.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    /// Line number in the document, from 1.
    pub(super) number: usize,
    /// The line without its `#` comment, as the shell runs it.
    pub(super) command: String,
    /// The exit status that its comment gives, or 0.
    pub(super) status: i32,
    /// Expected standard output without the end of the line, after `prints ` in the comment; `None` if any will do.
    pub(super) prints: Option<String>,
}

impl Line {
    fn new(number: usize, line: &str) -> Option<Line> {
        // As in the shell, `#` begins a comment only at the start of a word.
        let (command, comment) = line.split_once(" #").unwrap_or((line, ""));
        let (command, comment) = (command.trim(), comment.trim());
        if command.is_empty() || command.starts_with('#') {
            return None;
        }
        let after = comment.split_once("exit status ").map_or("0", |(_, after)| after);
        // Where a page allows several statuses, as `0, 1 or 2`, the first one is that of the example.
        let digits = after.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("0");
        let prints = comment.strip_prefix("prints ").map(str::to_owned);
        Some(Line { number, command: command.to_owned(), status: digits.parse().unwrap_or(0), prints })
    }
}

/// The kind of text that a line of a document belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Outside of all blocks, where lines are not examined.
    Text,
    /// In a block marked `sh`.
    Shell,
    /// In a block of another language or of none, or in an indented one.
    Block,
}

/// All lines with their numbers from 1 and their places, except for the fences themselves.
fn places(text: &str) -> impl Iterator<Item = (usize, Place, &str)> {
    let mut fenced = None;
    text.lines().enumerate().filter_map(move |(i, line)| {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let inner = if language == "sh" { Place::Shell } else { Place::Block };
            fenced = if fenced.is_none() { Some(inner) } else { None };
            return None;
        }
        // Four spaces make a block in Markdown.
        let indented = if line.starts_with("    ") { Place::Block } else { Place::Text };
        Some((i + 1, fenced.unwrap_or(indented), line))
    })
}

/// The commands of a document, in order.
pub(super) fn commands(text: &str) -> Vec<Line> {
    let shell = places(text).filter(|(_, place, _)| *place == Place::Shell);
    shell.filter_map(|(number, _, line)| Line::new(number, line)).collect()
}

/// The synopses in blocks not marked `sh`, with their line numbers. A line without a placeholder is an error:
/// it is a command that nobody runs.
pub(super) fn synopses(text: &str) -> Result<Vec<(usize, String)>, String> {
    let mut synopses = Vec::new();
    for (number, place, line) in places(text) {
        let line = line.trim();
        if place != Place::Block || !PROGRAMS.iter().any(|program| line.starts_with(program)) {
            continue;
        }
        if !line.split_whitespace().any(is_placeholder) {
            return Err(format!("line {number} is a command, but not in a block marked sh: {line}"));
        }
        synopses.push((number, line.to_owned()));
    }
    Ok(synopses)
}

/// Whether a word is a placeholder of a synopsis, as in `FILE`, `[options]` or `PATH...`.
fn is_placeholder(word: &str) -> bool {
    let name = word.trim_matches(['[', ']', '.']);
    // Brackets mark an optional word, and points one that may be repeated.
    name != word
        // A single digit or capital may be an operand, as in `poly add 1 1`.
        || (name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "text\n```sh\n# a remark\n\ncarryless keygen key\ncarryless poly add 1 1   # prints 0\n\
        carryless verify m # exit status 1\ncarryless verify n  # exit status 0, 1 or 2\n```\n\n    carryless tag [options] \
        PATH...\n\n```rust\nlet a = 1;\n```\n";

    #[test]
    fn commands_are_found_with_what_is_said_of_them() {
        let found = commands(TEXT);
        let of = |number, command: &str, status, prints: Option<&str>| Line {
            number,
            command: command.into(),
            status,
            prints: prints.map(str::to_owned),
        };
        let expected = [
            of(5, "carryless keygen key", 0, None),
            of(6, "carryless poly add 1 1", 0, Some("0")),
            of(7, "carryless verify m", 1, None),
            of(8, "carryless verify n", 0, None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_command_outside_of_its_blocks_is_an_error() {
        assert_eq!(synopses(TEXT), Ok(vec![(11, "carryless tag [options] PATH...".into())]));
        for block in ["    carryless info", "```\ncargo build\n```", "```text\ncarryless keygen key\n```"] {
            assert!(synopses(block).is_err(), "{block}");
        }
        assert_eq!(synopses("carryless-lab info"), Ok(Vec::new()), "prose");
    }
}
