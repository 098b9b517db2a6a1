//! Tests which output goes to which stream, and that a closed output is handled.
mod common;

use std::fs;

use common::{Run, Sandbox, name, run_in_shell, run_into_closed_pipe};
use serde_json::Value;

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A command that prints its result, in every build.
const PRINTS: &[&str] =
    if cfg!(feature = "algebra") { &["poly", "mul", "X", "X"] } else { &["completions", "bash"] };

#[test]
fn quiet_and_status_print_less() {
    let sandbox = Sandbox::tagged();
    let run = sandbox.verify(&["--quiet", "m"]);
    assert_eq!((run.good().text().as_str(), run.err.as_str()), ("", ""));
    sandbox.write("t/a", "x");
    sandbox.verify(&["--quiet", "m"]).mismatch().prints("t/a: edited\n");
    let run = sandbox.verify(&["--status", "m"]);
    assert_eq!((run.mismatch().text().as_str(), run.err.as_str()), ("", ""));
    let run = sandbox.tag(&["-q", "-o", "m2", "t"]);
    assert_eq!((run.good().text().as_str(), run.err.as_str()), ("", ""));
}

#[test]
fn a_manifest_is_no_folder() {
    let sandbox = Sandbox::tagged();
    for name in ["new/", "new/."] {
        sandbox.tag(&["-o", name, "t"]).trouble("cannot write there: it ends as the name of a folder");
    }
    assert_eq!(sandbox.list("."), ["key", "m", "t"]);
}

#[test]
fn verify_reports_in_json() {
    let sandbox = Sandbox::tagged();
    sandbox.write("t/a", "x");
    fs::remove_file(sandbox.path("t/b")).expect("rm");
    sandbox.write(name(b"t/new\n\xff"), "new");
    let lines = json_lines(&sandbox.verify(&["--json", "m"]).mismatch().text());
    assert_eq!(lines.len(), 5);
    assert_eq!((&lines[0]["path"], &lines[0]["status"]), (&"t/a".into(), &"edited".into()));
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
    assert_eq!(last["total"], 5006);
    assert_eq!(sandbox.verify(&["--quiet", "--progress", "json", "--no-progress", "m"]).err, "");
}

/// Links, missing files and files of another size count, although they are not read.
#[test]
fn progress_ends_at_its_total() {
    let sandbox = Sandbox::tagged();
    std::os::unix::fs::symlink("a", sandbox.path("t/link")).expect("symlink");
    let json = |run: &Run| {
        json_lines(&run.err.lines().filter(|line| line.starts_with('{')).collect::<Vec<_>>().join("\n"))
    };
    let ends = |run: &Run| {
        let last = json(run).pop().expect("a line");
        ["files", "of", "bytes", "total"].map(|field| last[field].as_u64().expect("a number"))
    };
    assert_eq!(ends(sandbox.tag(&["--progress", "json", "-f", "-o", "m", "t"]).good()), [4, 4, 5006, 5006]);
    sandbox.write("t/a", "other size");
    fs::remove_file(sandbox.path("t/b")).expect("rm");
    sandbox.write("t/new", "of a size that no record has");
    assert_eq!(ends(sandbox.verify(&["--progress", "json", "m"]).mismatch()), [5, 5, 5000, 5000]);
    let update = ["update", "--key-file", "key", "--progress", "json", "--all", "m"];
    assert_eq!(ends(sandbox.run(&update).good()), [5, 5, 5038, 5038]);
    // The first lines tell how much there is.
    let first = json(&sandbox.verify(&["--threads", "1", "--progress", "json", "m"])).remove(0);
    assert_eq!((&first["of"], &first["total"]), (&4.into(), &5038.into()));
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
        [&["list"], &key[..], &["m"]].concat(),
        [&["show"], &key[..], &["m"]].concat(),
        [&["diff", "--json", "-q"], &key[..], &["m", "m"]].concat(),
        [&["update", "--json", "--all"], &key[..], &["m"]].concat(),
        [&["copy", "--json", "t", "d"], &key[..]].concat(),
    ] {
        let run = run_into_closed_pipe(&sandbox, &args);
        assert_eq!((run.status, run.err.as_str()), (2, ""), "{args:?}");
    }
    assert!(!sandbox.path("m2").exists() && !sandbox.path("d.carryless").exists());
    let status = run_into_closed_pipe(&sandbox, &[&["verify", "--status"], &key[..], &["m"]].concat()).status;
    assert_eq!(status, 0, "nothing is printed, so nothing is lost");
    assert!(!run_into_closed_pipe(&sandbox, &["--help"]).err.contains("panicked"));
}

#[test]
fn a_full_disk_under_standard_output_is_an_error_with_one_line() {
    let sandbox = Sandbox::tagged();
    let key = ["--key-file", "key"];
    for args in [
        [&["verify"], &key[..], &["-q", "--json", "m"]].concat(),
        [&["tag", "-o", "-", "t"], &key[..]].concat(),
        [&["list"], &key[..], &["m"]].concat(),
        [&["show", "--json"], &key[..], &["m"]].concat(),
        PRINTS.to_vec(),
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
fn a_standard_output_that_was_never_open_is_an_error() {
    let sandbox = Sandbox::tagged();
    let key = ["--key-file", "key"];
    for args in [
        [&["verify"], &key[..], &["m"]].concat(),
        [&["verify", "--json"], &key[..], &["m"]].concat(),
        [&["verify", "-z"], &key[..], &["m"]].concat(),
        [&["tag", "--json", "-o", "m2", "t"], &key[..]].concat(),
        [&["tag", "-o", "-", "t"], &key[..]].concat(),
        [&["list", "-z"], &key[..], &["m"]].concat(),
        [&["show"], &key[..], &["m"]].concat(),
        PRINTS.to_vec(),
        vec!["help", "tag"],
        vec!["--version"],
    ] {
        run_in_shell(&sandbox, &args, ">&-").trouble("standard output was closed");
    }
    assert!(!sandbox.path("m2").exists());
    // Commands that print nothing to standard output succeed without it.
    for args in [
        [&["verify", "-q"], &key[..], &["m"]].concat(),
        [&["verify", "--status"], &key[..], &["m"]].concat(),
        [&["tag", "-o", "m2", "t"], &key[..]].concat(),
        vec!["keygen", "new"],
    ] {
        run_in_shell(&sandbox, &args, ">&-").good();
    }
    // Nor is it an error if the output is discarded on purpose.
    for redirection in [">/dev/null", "1<>/dev/null"] {
        run_in_shell(&sandbox, PRINTS, redirection).good();
    }
}

#[test]
fn errors_are_objects_under_json() {
    let sandbox = Sandbox::tagged();
    fs::write(sandbox.path("bad"), "x").expect("write");
    let error = |args: &[&str]| {
        let run = sandbox.run(args);
        assert_eq!(run.status, 2, "{args:?}: {}", run.err);
        let last = json_lines(&run.text()).pop().expect("a line");
        let text = last["error"].as_str().expect("an error").to_owned();
        if !text.starts_with("no manifest") {
            run.trouble(&text);
        }
        text
    };
    let key = ["--json", "--key-file", "key"];
    let with_key = |args: &[&str]| error(&[&args[..1], &key[..], &args[1..]].concat());
    assert_eq!(with_key(&["verify", "bad"]), "bad: not a carryless manifest");
    assert_eq!(with_key(&["list", "bad"]), "bad: not a carryless manifest");
    assert_eq!(with_key(&["show", "bad"]), "bad: not a carryless manifest");
    assert!(with_key(&["update", "--all", "bad"]).starts_with("bad: not a carryless manifest"));
    assert_eq!(with_key(&["diff", "m", "bad"]), "bad: not a carryless manifest");
    assert!(with_key(&["verify", "none"]).starts_with("none: cannot read the manifest: No such file"));
    assert_eq!(
        with_key(&["tag", "-o", "m", "t"]),
        "m: exists already, not overwritten (--force replaces a manifest)"
    );
    assert!(with_key(&["tag", "-o", "-", "t"]).contains("cannot both go to standard output"));
    assert!(with_key(&["copy", "t", "t"]).contains("the same folder"));
    assert!(error(&["keygen", "--json", "key"]).contains("exists already"));
    // Without --json errors go to standard error alone.
    sandbox.verify(&["bad"]).trouble("not a carryless manifest").prints("");

    common::fifo(&sandbox.path("t/fifo"));
    assert_eq!(with_key(&["tag", "-o", "m2", "t"]), "no manifest written");
    let run = sandbox.tag(&["--json", "-o", "m2", "t"]);
    let lines = json_lines(&run.trouble("t/fifo: a FIFO").text());
    assert_eq!((&lines[0]["kind"], &lines[0]["path"]), (&"error".into(), &"t/fifo".into()));
    assert!(lines[0]["message"].as_str().expect("text").starts_with("a FIFO"));
}

#[test]
fn invisible_characters_never_reach_the_output() {
    let sandbox = Sandbox::new();
    for c in [
        '\u{ad}',
        '\u{61c}',
        '\u{200b}',
        '\u{200f}',
        '\u{202e}',
        '\u{2066}',
        '\u{feff}',
        '\u{e0001}',
        '\u{9b}',
    ] {
        sandbox.write(format!("t/a{c}b"), "");
    }
    sandbox.tag(&["-o", "m", "t"]).good();
    assert!(sandbox.read("m").is_ascii());
    let run = sandbox.verify(&["m"]);
    assert!(run.good().text().is_ascii(), "{}", run.text());
    let json = sandbox.verify(&["--json", "m"]);
    assert!(json.good().text().is_ascii() && json.text().contains(r"t/a\u202eb"), "{}", json.text());
    let names: Vec<_> = json_lines(&json.text()).iter().map(|line| line["path"].clone()).collect();
    assert!(names.contains(&"t/a\u{202e}b".into()) && names.contains(&"t/a\u{e0001}b".into()));
    let json = sandbox.tag(&["--json", "-o", "m2", "t"]);
    assert!(json.good().text().is_ascii());
}

#[cfg(not(any(feature = "algebra", feature = "kem")))]
#[test]
fn commands_that_are_left_out_say_so() {
    for (args, missing, feature) in [
        (&["kem", "keygen", "--set", "hqc-1", "dk"][..], "kem", "kem"),
        (&["poly", "--help"], "poly, field and curve", "algebra"),
        (&["curve", "B-233", "keygen", "secret.pem"], "poly, field and curve", "algebra"),
        (&["field", "233", "inverse", "2"], "poly, field and curve", "algebra"),
    ] {
        let says = format!(
            "built without {missing}; in a checkout: cargo install --locked --path crates/cli --features {feature}"
        );
        let sandbox = Sandbox::new();
        sandbox.run(args).trouble(&says).prints("");
        let help = sandbox.run(&["--help"]).good().text();
        assert!(!help.contains(args[0]) && !help.contains("over F2"), "{help}");
    }
}

/// For one release, commands that moved to `carryless-lab` fail with a message that says so.
#[test]
fn commands_of_the_laboratory_say_where_they_are() {
    let sandbox = Sandbox::new();
    for args in [&["vectors"][..], &["bench", "papers", "--quick"], &["info", "--json"], &["hash", "-h", "x"]]
    {
        let moved = "commands of carryless-lab now; in a checkout: cargo install --locked --path lab";
        sandbox.run(args).trouble(moved).prints("");
    }
    let help = sandbox.run(&["--help"]).good().text();
    assert!(!help.contains("bench") && !help.contains("vectors"), "{help}");
}
