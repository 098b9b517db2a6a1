//! What the command prints, where, and that a closed output is no calamity.
mod common;

use std::fs;

use common::{Run, Sandbox, name};
use serde_json::Value;

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn quiet_and_status_print_less() {
    let sandbox = Sandbox::tagged();
    let run = sandbox.verify(&["--quiet", "m"]);
    assert_eq!((run.good().text().as_str(), run.err.as_str()), ("", ""));
    sandbox.write("t/a", "x");
    sandbox.verify(&["--quiet", "m"]).mismatch().prints("t/a: changed\n");
    let run = sandbox.verify(&["--status", "m"]);
    assert_eq!((run.mismatch().text().as_str(), run.err.as_str()), ("", ""));
    let run = sandbox.tag(&["-q", "-o", "m2", "t"]);
    assert_eq!((run.good().text().as_str(), run.err.as_str()), ("", ""));
}

#[test]
fn verify_reports_in_json() {
    let sandbox = Sandbox::tagged();
    sandbox.write("t/a", "x");
    fs::remove_file(sandbox.path("t/b")).expect("rm");
    sandbox.write(name(b"t/new\n\xff"), "");
    let lines = json_lines(&sandbox.verify(&["--json", "m"]).mismatch().text());
    assert_eq!(lines.len(), 5);
    assert_eq!((&lines[0]["path"], &lines[0]["status"]), (&"t/a".into(), &"changed".into()));
    assert_eq!(lines[1]["status"], "missing");
    assert_eq!((&lines[2]["path_hex"], &lines[2]["status"]), (&"742f6e65770aff".into(), &"new".into()));
    assert_eq!(lines[3]["status"], "ok");
    let summary = &lines[4]["summary"];
    let counts = ["ok", "changed", "missing", "new", "error"].map(|status| summary[status].as_u64());
    assert_eq!(counts, [1, 1, 1, 1, 0].map(Some));
    common::fifo(&sandbox.path("t/fifo"));
    let lines = json_lines(&sandbox.verify(&["--json", "m"]).text());
    assert_eq!((&lines[2]["status"], lines[2]["message"].is_string()), (&"error".into(), true));
}

#[test]
fn tag_reports_in_json() {
    let sandbox = Sandbox::tagged();
    std::os::unix::fs::symlink("a", sandbox.path("t/c")).expect("symlink");
    let lines = json_lines(&sandbox.tag(&["--json", "-o", "m2", "t"]).good().text());
    let manifest = String::from_utf8(sandbox.read("m2")).expect("UTF-8");
    assert_eq!(lines.len(), 4);
    assert_eq!((&lines[0]["kind"], &lines[0]["size"]), (&"file".into(), &6.into()));
    assert!(manifest.contains(lines[0]["tag"].as_str().expect("a tag")));
    assert_eq!((&lines[2]["kind"], &lines[2]["target"]), (&"link".into(), &"a".into()));
    std::os::unix::fs::symlink(name(b"\xff\\"), sandbox.path("t/d")).expect("symlink");
    let lines = json_lines(&sandbox.tag(&["--json", "-f", "-o", "m2", "t"]).good().text());
    assert_eq!((&lines[3]["target"], &lines[3]["target_hex"]), (&Value::Null, &"ff5c".into()));
    sandbox.tag(&["--json", "-o", "-", "t"]).trouble("cannot both go to standard output");
}

#[test]
fn no_progress_unless_on_a_terminal_or_asked_for() {
    let sandbox = Sandbox::tagged();
    let run = sandbox.verify(&["--quiet", "m"]);
    assert_eq!(run.err, "");
    let run = sandbox.verify(&["--quiet", "--progress", "json", "m"]);
    let last = json_lines(&run.good().err).pop().expect("a line");
    assert_eq!((&last["files"], &last["of"], &last["bytes"]), (&3.into(), &3.into(), &5006.into()));
    assert_eq!(sandbox.verify(&["--quiet", "--progress", "json", "--no-progress", "m"]).err, "");
}

/// Runs the command with a standard output that nobody reads.
fn run_into_closed_pipe(sandbox: &Sandbox, args: &[&str]) -> Run {
    // Closed before the command starts: one that prints a line and ends could be faster than we are.
    let (reader, writer) = std::io::pipe().expect("pipe");
    drop(reader);
    Run::from(sandbox.command().args(args).stdout(writer).output().expect("run"))
}

#[test]
fn a_closed_standard_output_ends_the_command_quietly() {
    let sandbox = Sandbox::new();
    for i in 0..5000 {
        sandbox.write(format!("t/{i:0100}"), "");
    }
    sandbox.tag(&["-q", "-o", "m", "t"]).good();
    let key = ["--key-file", "key"];
    for args in [
        [&["verify"], &key[..], &["m"]].concat(),
        [&["verify", "--json"], &key[..], &["m"]].concat(),
        [&["verify", "-z"], &key[..], &["m"]].concat(),
        [&["tag", "--json", "-o", "m2", "t"], &key[..]].concat(),
        [&["tag", "-o", "-", "t"], &key[..]].concat(),
    ] {
        let run = run_into_closed_pipe(&sandbox, &args);
        assert_eq!((run.status, run.err.as_str()), (2, ""), "{args:?}");
    }
    assert!(!sandbox.path("m2").exists());
    let status = run_into_closed_pipe(&sandbox, &[&["verify", "--status"], &key[..], &["m"]].concat()).status;
    assert_eq!(status, 0, "nothing is printed, so nothing is lost");
    for args in [["info"].as_slice(), &["--help"], &["info", "--json"]] {
        assert!(!run_into_closed_pipe(&sandbox, args).err.contains("panicked"));
    }
}

#[test]
fn a_full_disk_under_standard_output_is_an_error_with_one_line() {
    let sandbox = Sandbox::tagged();
    let key = ["--key-file", "key"];
    for args in [
        [&["verify"], &key[..], &["-q", "--json", "m"]].concat(),
        [&["tag", "-o", "-", "t"], &key[..]].concat(),
        ["info"].to_vec(),
        ["bench", "--list", "poly1305"].to_vec(),
        ["help", "tag"].to_vec(),
        ["--version"].to_vec(),
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("open");
        let run = Run::from(sandbox.command().args(&args).stdout(full).output().expect("run"));
        assert_eq!((run.status, run.err.lines().count()), (2, 1), "{args:?}: {}", run.err);
        assert!(run.err.contains("cannot write to standard output"), "{args:?}: {}", run.err);
    }
}

#[test]
fn bench_ends_quietly_when_nobody_reads_and_refuses_what_fits_in_no_memory() {
    let sandbox = Sandbox::new();
    let run = run_into_closed_pipe(&sandbox, &["bench", "--list", "poly1305"]);
    assert_eq!((run.status, run.err.as_str()), (2, ""));
    let run = sandbox.run(&["bench", "poly1305", "--lengths", "99999999999999"]);
    assert_eq!((run.status, run.err.lines().count()), (2, 1), "{}", run.err);
}
