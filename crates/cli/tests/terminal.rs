//! Output on a terminal: hostile names and arguments must not control it.
mod common;
#[path = "common/terminal.rs"]
mod terminal;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;

use common::{Sandbox, name};

/// Runs the command on a terminal with colours. Returns its exit status and every byte that it sent there.
fn run_on_terminal(sandbox: &Sandbox, args: &[impl AsRef<OsStr>]) -> (i32, Vec<u8>) {
    let mut command = sandbox.command();
    command.args(args).env("TERM", "xterm-256color").env_remove("NO_COLOR");
    terminal::run(command, "")
}

/// The text without the colour sequences that the command itself sends.
fn without_colours(sent: &[u8]) -> String {
    let text = String::from_utf8(sent.to_vec()).expect("UTF-8");
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().expect("a first part").to_owned();
    for part in parts {
        let end = part.find(|c: char| !matches!(c, '0'..='9' | ';')).expect("an end");
        match part[end..].strip_prefix('m') {
            Some(rest) => plain.push_str(rest),
            None => panic!("a sequence that is no colour: {text:?}"),
        }
    }
    plain
}

/// One text for each kind of control: sequences with ESC, C1 as a character and as a byte, directions of
/// writing, BEL, line ends.
const HOSTILE: [&[u8]; 6] = [
    b"--\x1b]0;pwned\x07\x1b[2Jx",
    b"--\x1b[31mred",
    "--\u{9b}2Jx".as_bytes(),
    b"--\x9b2J\xff",
    "--a\u{202e}b\u{200b}".as_bytes(),
    b"--x\r\ncarryless: all is well\x08",
];

#[test]
fn arguments_that_are_not_understood_act_on_no_terminal() {
    let sandbox = Sandbox::tagged();
    for hostile in HOSTILE {
        let value = hostile.strip_prefix(b"--").expect("an option");
        let words = |start: &str, end: &[u8]| -> Vec<OsString> {
            start.split(' ').map(OsString::from).chain([name(end)]).collect()
        };
        let lines = [
            words("tag --key-file key -o q", hostile),
            words("tag --key-file key -o q t --threads", value),
            words("tag --key-file key -o q t --symlinks", value),
            words("verify --key-fd", value),
            words("poly --format", value),
            words("field", hostile),
            words("hash", hostile),
            vec![name(value)],
            vec![name(hostile)],
        ];
        for line in lines {
            let (status, sent) = run_on_terminal(&sandbox, &line);
            let plain = without_colours(&sent);
            let shown = plain.replace("\r\n", "\n");
            let odd = |c: &char| (c.is_control() && *c != '\n') || matches!(c, '\u{202e}' | '\u{200b}');
            assert_eq!(shown.chars().find(odd), None, "{line:?}: {shown:?}");
            assert!(!shown.lines().any(|line| line.starts_with("carryless: all is well")), "{shown}");
            assert_eq!(status, 2, "{line:?}: {shown}");
        }
    }
    let line = ["tag", "--key-file", "key", "-o", "q"].map(OsString::from);
    let line = [&line[..], &[OsString::from_vec(HOSTILE[0].to_vec())]].concat();
    let (_, sent) = run_on_terminal(&sandbox, &line);
    let plain = without_colours(&sent);
    assert!(plain.contains("unexpected argument '--\\x1b]0;pwned\\x07\\x1b[2Jx'"), "{plain}");
}

/// The argument parser's own colours stay.
#[test]
fn other_mistakes_have_colours() {
    let sandbox = Sandbox::tagged();
    let (status, sent) = run_on_terminal(&sandbox, &["tag", "--nonsense"]);
    assert_eq!(status, 2);
    assert!(sent.contains(&0x1b), "{sent:?}");
    assert!(without_colours(&sent).contains("unexpected argument '--nonsense'"));
}

/// Names and labels in lines of the command itself, not of the argument parser, are escaped as well.
#[test]
fn names_and_labels_act_on_no_terminal() {
    let sandbox = Sandbox::new();
    sandbox.write(name(b"t/\x1b[2J\x07"), "");
    sandbox.tag(&["-o", "m", "--label", "\u{1b}[2J", "t"]).good();
    for args in [
        &["verify", "--no-progress", "--key-file", "key", "m"][..],
        &["verify", "--no-progress", "--key-file", "key", "--label", "\u{1b}[2J", "m"],
        &["verify", "--no-progress", "--key-file", "key", "\u{1b}[2J"],
        &["verify", "--no-progress", "--key-file", "\u{1b}[2J", "m"],
    ] {
        let (_, sent) = run_on_terminal(&sandbox, args);
        let plain = without_colours(&sent).replace("\r\n", "\n");
        assert!(plain.contains("\\x1b[2J") && !plain.contains(['\u{1b}', '\u{7}']), "{plain:?}");
    }
}

/// A run that ends early leaves no bar behind its error.
#[test]
fn errors_stand_alone() {
    let sandbox = Sandbox::tagged();
    let (status, sent) = run_on_terminal(&sandbox, &["tag", "--key-file", "key", "-o", "m2", "t", "none"]);
    let sent = String::from_utf8(sent).expect("UTF-8");
    let error = "carryless: none: no such file or folder\r\n";
    let (before, after) = sent.split_once(error).expect("the error");
    assert!(status == 2 && before.contains("entries found"), "{sent:?}");
    // What is drawn again for a moment is erased.
    let last = after.rsplit("\u{1b}[2K").next().expect("an end");
    assert!(!last.contains("found"), "{sent:?}");
}

/// X^44497 + X^8575 + 1 is irreducible, and its factorisation takes long enough to show steps; that of X takes none.
#[cfg(feature = "algebra")]
#[test]
fn long_computations_show_their_steps() {
    let (sandbox, long) = (Sandbox::new(), "X^44497 + X^8575 + 1");
    let (status, sent) = run_on_terminal(&sandbox, &["poly", "factor", long]);
    let sent = String::from_utf8(sent).expect("UTF-8");
    assert!(status == 0 && sent.contains(" steps ") && sent.ends_with(&format!("{long}\r\n")), "{sent:?}");
    let (status, sent) = run_on_terminal(&sandbox, &["poly", "factor", "X"]);
    assert_eq!((status, sent), (0, b"X\r\n".to_vec()));
    let run = sandbox.run(&["poly", "factor", long]);
    assert_eq!((run.good().text(), run.err.as_str()), (format!("{long}\n"), ""));
}

/// The walk shows a sign of life; then the bar has an end, a rate, and the time that is left.
#[test]
fn the_bar_tells_how_much_is_left() {
    let sandbox = Sandbox::tagged();
    let (status, sent) = run_on_terminal(&sandbox, &["verify", "--quiet", "--key-file", "key", "m"]);
    let sent = String::from_utf8(sent).expect("UTF-8");
    assert_eq!(status, 0, "{sent:?}");
    for text in [" entries found", "4.89 KiB/4.89 KiB", "/s", " left"] {
        assert!(sent.contains(text), "{text:?} not in {sent:?}");
    }
}
