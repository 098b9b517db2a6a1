//! `update` accepts what is named and nothing else, and continues the chain.
mod common;
#[path = "common/terminal.rs"]
mod terminal;

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileExt as _, symlink};
use std::process::Stdio;

use common::{Run, Sandbox, fifo};

fn update(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(&[&["update", "--key-file", "key"], args].concat())
}

/// Updates the manifest of [`changed`], which has a label.
fn update_set(sandbox: &Sandbox, args: &[&str]) -> Run {
    update(sandbox, &[&["--label", "set"], args].concat())
}

fn diff(sandbox: &Sandbox, old: &str, new: &str) -> String {
    sandbox.run(&["diff", "-q", "--key-file", "key", old, new]).text()
}

fn value(sandbox: &Sandbox, key: &str) -> Option<String> {
    let text = String::from_utf8(sandbox.read("m")).expect("UTF-8");
    text.lines().find_map(|line| line.strip_prefix(&format!("{key} ")).map(Into::into))
}

/// A tagged tree with one change of every kind, and a copy `old` of its manifest.
fn changed() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["edited", "gone/x", "kind", "missing", "moved", "same"] {
        sandbox.write(format!("t/{name}"), name);
    }
    sandbox.tag(&["-o", "m", "--exclude", "*.o", "--label", "set", "--symlinks", "record", "t"]).good();
    fs::copy(sandbox.path("m"), sandbox.path("old")).expect("cp");
    sandbox.write("t/edited", "EDITED!");
    fs::remove_dir_all(sandbox.path("t/gone")).expect("rm");
    fs::remove_file(sandbox.path("t/kind")).expect("rm");
    symlink("same", sandbox.path("t/kind")).expect("symlink");
    fs::remove_file(sandbox.path("t/missing")).expect("rm");
    fs::rename(sandbox.path("t/moved"), sandbox.path("t/a moved")).expect("mv");
    sandbox.write("t/new", "new");
    sandbox.write("t/left out.o", "object");
    sandbox
}

/// What `verify` says of each of these changes.
const CHANGES: [&str; 6] = [
    "t/a moved: moved from t/moved",
    "t/edited: edited",
    "t/gone/x: folder-missing",
    "t/kind: kind",
    "t/missing: missing",
    "t/new: new",
];

#[test]
fn what_to_accept_must_be_said() {
    let sandbox = changed();
    let before = sandbox.read("m");
    update_set(&sandbox, &["m"]).trouble("nothing is accepted: give PATHs, --all or --interactive");
    assert_eq!(sandbox.read("m"), before);
}

#[test]
fn what_is_named_is_accepted_and_nothing_else() {
    for (accepted, paths) in [
        (0, &["t/a moved"][..]),
        (0, &["t/moved"]),
        (1, &["t/edited"]),
        (2, &["t/gone"]),
        (3, &["./t/kind"]),
        (4, &["t/missing"]),
        (5, &["t/new"]),
    ] {
        let sandbox = changed();
        let lines = |accepted: Option<usize>| -> String {
            let word = |i| if Some(i) == accepted { " (accepted)" } else { "" };
            CHANGES.iter().enumerate().map(|(i, line)| format!("{line}{}\n", word(i))).collect()
        };
        let run = update_set(&sandbox, &[&["m"], paths].concat());
        run.mismatch().prints(&lines(Some(accepted))).says("1 accepted, 5 left as recorded; serial 2 of ");
        // Everything else is reported again; the manifest has the label and the filters of the old one.
        let left = lines(None).replace(&format!("{}\n", CHANGES[accepted]), "");
        sandbox.verify(&["-q", "--label", "set", "m"]).mismatch().prints(&left);
        assert_eq!(diff(&sandbox, "old", "m").lines().collect::<Vec<_>>(), [CHANGES[accepted]], "{paths:?}");
        assert_eq!(
            (value(&sandbox, "serial"), value(&sandbox, "exclude")),
            (Some("2".into()), Some("*.o".into()))
        );
        let mac = |name| {
            String::from_utf8_lossy(&sandbox.read(name)).lines().last().map(|line| line[4..].to_owned())
        };
        assert_eq!(value(&sandbox, "previous"), mac("old"));
    }
}

#[test]
fn all_changes_can_be_accepted() {
    let sandbox = changed();
    let run = update_set(&sandbox, &["--all", "m"]);
    assert_eq!(run.good().text(), CHANGES.map(|line| format!("{line} (accepted)\n")).concat());
    sandbox.verify(&["-q", "--label", "set", "m"]).good().prints("");
    // The same as tagging again, but for date and MACs.
    let again = ["-o", "m2", "--exclude", "*.o", "--label", "set", "t"];
    sandbox.tag(&again).good();
    assert_eq!(diff(&sandbox, "m", "m2"), "");
    let records = |name| -> Vec<String> {
        let text = String::from_utf8(sandbox.read(name)).expect("UTF-8");
        text.split_once("\n\n").expect("records").1.lines().map(Into::into).collect()
    };
    let (ours, theirs) = (records("m"), records("m2"));
    assert_eq!(ours[..ours.len() - 1], theirs[..theirs.len() - 1]);
    // Nothing is left to be accepted: the manifest stays.
    let before = sandbox.read("m");
    update_set(&sandbox, &["--all", "m"]).good().prints("").says("the manifest stays as it is");
    assert_eq!(sandbox.read("m"), before);
    let json = update_set(&sandbox, &["--all", "--json", "m"]).good().text();
    assert!(json.contains(r#""accepted":0,"written":false"#), "{json}");
}

/// The bar of the audit: one accepted change does not hide another.
#[test]
fn a_planted_change_is_reported_and_not_accepted() {
    let sandbox = Sandbox::new();
    (0..2000).for_each(|i| sandbox.write(format!("t/{i:04}"), format!("file {i}")));
    sandbox.tag(&["-o", "m", "t"]).good();
    sandbox.write("t/0007", "intended");
    sandbox.write("t/1500", "planted!");
    update(&sandbox, &["m", "t/0007"]).mismatch().prints("t/0007: edited (accepted)\nt/1500: edited\n");
    for _ in 0..2 {
        sandbox.verify(&["-q", "m"]).mismatch().prints("t/1500: edited\n");
        update(&sandbox, &["m", "t/0007"]).mismatch().prints("t/1500: edited\n");
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    let sandbox = changed();
    let before = sandbox.read("m");
    let run = update_set(&sandbox, &["-n", "m"]);
    assert_eq!(run.mismatch().text(), CHANGES.map(|line| format!("{line}\n")).concat());
    let run = update_set(&sandbox, &["-n", "--all", "--json", "m"]);
    assert!(run.good().text().contains(r#"{"path":"t/edited","status":"edited","accepted":true}"#));
    assert_eq!(
        (sandbox.read("m"), sandbox.list(".")),
        (before, vec!["key".into(), "m".into(), "old".into(), "t".into()])
    );
}

/// Times that change with equal contents are recorded: otherwise decay that follows would look like an edit.
#[test]
fn new_times_of_verified_files_are_recorded() {
    let sandbox = Sandbox::tagged();
    let file = File::options().write(true).open(sandbox.path("t/a")).expect("open");
    file.set_modified(std::time::UNIX_EPOCH).expect("a time");
    drop(file);
    sandbox.verify(&["-q", "m"]).good();
    update(&sandbox, &["-q", "m", "t/b"]).good().prints("");
    let text = String::from_utf8(sandbox.read("m")).expect("UTF-8");
    assert!(text.contains(" 6 0.000000000 "), "{text}");
    // Not those of a file that changed.
    sandbox.write("t/a", "other");
    update(&sandbox, &["-q", "m", "t/b"]).mismatch();
    assert_eq!(String::from_utf8(sandbox.read("m")).expect("UTF-8"), text);
    // With all metadata recorded, other times are a change that must be accepted.
    sandbox.tag(&["-f", "--metadata", "full", "-o", "m", "t"]).good();
    let file = File::options().write(true).open(sandbox.path("t/a")).expect("open");
    file.set_modified(std::time::UNIX_EPOCH).expect("a time");
    drop(file);
    update(&sandbox, &["m", "t/b"]).mismatch().prints("t/a: metadata\n");
    update(&sandbox, &["m", "t/a"]).good().prints("t/a: metadata (accepted)\n");
    sandbox.verify(&["-q", "m"]).good();
}

#[test]
fn unchanged_files_are_trusted_with_quick_only() {
    let sandbox = Sandbox::tagged();
    let tag = |date: &str| {
        let mut command = sandbox.command();
        let command =
            command.env("SOURCE_DATE_EPOCH", date).args(["tag", "--key-file", "key", "-f", "-o", "m", "t"]);
        Run::from(command.output().expect("run")).good();
    };
    // Files that changed after reading began may have changed again in the same tick of the clock.
    tag("1");
    let json = update(&sandbox, &["--json", "--quick", "-n", "m"]).good().text();
    assert!(json.contains(r#""ok":3,"#) && json.contains(r#""bytes":5006,"#), "{json}");
    tag("4102444800");
    let json = update(&sandbox, &["--json", "--quick", "-n", "m"]).good().text();
    assert!(json.contains(r#""ok":3,"#) && json.contains(r#""bytes":0,"#), "{json}");
    let json = update(&sandbox, &["--json", "-n", "m"]).good().text();
    assert!(json.contains(r#""bytes":5006,"#), "{json}");
    sandbox.write("t/a", "hellO\n");
    sandbox.write("t/c", "c");
    let run = update(&sandbox, &["--json", "--quick", "--all", "m"]);
    assert!(run.good().text().contains(r#""bytes":7,"#), "{}", run.text());
    sandbox.verify(&["-q", "m"]).good();
    // Nothing is trusted without times.
    sandbox.tag(&["-f", "--metadata", "none", "-o", "m", "t"]).good();
    assert!(update(&sandbox, &["--json", "--quick", "-n", "m"]).good().text().contains(r#""bytes":5007,"#));
}

#[test]
fn what_cannot_be_read_stays_as_recorded() {
    let sandbox = Sandbox::tagged();
    let writer = OpenOptions::new().write(true).open(sandbox.path("t/a")).expect("open");
    writer.write_all_at(b"H", 0).expect("write");
    sandbox.write("t/b", "b");
    fifo(&sandbox.path("t/fifo"));
    let run = update(&sandbox, &["--all", "m"]);
    assert_eq!(run.status, 2);
    run.prints("t/a: error\nt/b: edited (accepted)\nt/fifo: error\n")
        .says("t/fifo: a FIFO")
        .says("1 accepted, 2 left");
    drop(writer);
    sandbox.verify(&["-q", "--skip-special", "m"]).mismatch().prints("t/a: edited\n");
    update(&sandbox, &["--skip-special", "--all", "m"]).good().prints("t/a: edited (accepted)\n");
}

#[test]
fn version_1_stays_version_1() {
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-f", "--manifest-version", "1", "-o", "m", "t"]).good();
    sandbox.write("t/a", "other");
    sandbox.write("t/b", "more");
    update(&sandbox, &["m", "t/a"]).mismatch().prints("t/a: changed (accepted)\nt/b: changed\n");
    assert!(sandbox.read("m").starts_with(b"carryless-manifest-v1\n"));
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/b: changed\n");
}

#[test]
fn nothing_is_lost_by_mistakes() {
    let sandbox = changed();
    let before = sandbox.read("m");
    let unknown = "t/none: neither in the manifest nor among the files that it covers";
    update_set(&sandbox, &["m", "t/new", "t/none"]).trouble(unknown).prints("");
    update_set(&sandbox, &["m", "t/left out.o"]).trouble("neither in the manifest").prints("");
    update(&sandbox, &["--label", "other", "--all", "m"])
        .trouble("made with the label 'set', not with 'other'");
    update(&sandbox, &["--all", "m"])
        .trouble("m: made with the label 'set': give it with --label")
        .prints("");
    // After a rollback, the new manifest would have a date that passes for a recent one.
    update_set(&sandbox, &["--not-older-than", "2", "--all", "m"])
        .trouble("m: too old: its serial number is 1");
    update_set(&sandbox, &["--all", "key"]).trouble("key: not a carryless manifest, not overwritten");
    update_set(&sandbox, &["--all", "none"]).trouble("none: cannot read the manifest");
    update_set(&sandbox, &["--all", "-"]).trouble("a manifest from standard input cannot be replaced");
    update_set(&sandbox, &["-i", "m"]).trouble("--interactive needs a terminal").prints("");
    for args in [&["m"][..], &["--all", "m", "t/new"], &["--all", "-i", "m"]] {
        assert_eq!(update_set(&sandbox, args).status, 2, "{args:?}");
    }
    // A disk that is not mounted.
    fs::rename(sandbox.path("t"), sandbox.path("disk")).expect("mv");
    fs::create_dir(sandbox.path("t")).expect("mkdir");
    let run = update_set(&sandbox, &["-q", "--all", "m"]);
    assert_eq!(run.status, 2, "{}", run.err);
    run.says("no manifest written: no file was found");
    assert_eq!(sandbox.read("m"), before);
    sandbox.write("broken", &before[..before.len() - 1]);
    update_set(&sandbox, &["--all", "broken"]).trouble("broken: incomplete");
    assert_eq!(sandbox.list("."), ["broken", "disk", "key", "m", "old", "t"]);
    update_set(&sandbox, &["-q", "--allow-empty", "--all", "m"]).good();
    sandbox.verify(&["--allow-empty", "--label", "set", "m"]).good().prints("");
}

/// Runs `update` on a terminal where somebody types this. Returns its exit status and all that is shown.
fn type_into(sandbox: &Sandbox, args: &[&str], typed: &str) -> (i32, String) {
    let mut command = sandbox.command();
    command.args(["update", "--key-file", "key", "--no-progress"]).args(args);
    let (status, sent) = terminal::run(command, typed);
    (status, String::from_utf8(sent).expect("UTF-8"))
}

#[test]
fn somebody_chooses_on_a_terminal() {
    let sandbox = changed();
    // Unknown answers are asked again. The moved file is asked for once, although it has two names.
    let (status, shown) = type_into(&sandbox, &["--label", "set", "-i", "m"], "maybe\ny\nno\nyes\nn\nn\ny\n");
    assert_eq!(status, 1, "{shown}");
    assert_eq!(shown.matches("accept? ").count(), 7, "{shown}");
    assert!(
        shown.contains("t/edited: edited: recorded 6 bytes of 20") && shown.contains(", now 7 bytes of 20"),
        "{shown}"
    );
    assert!(
        shown.contains("t/kind: kind: recorded 4 bytes of 20") && shown.contains(", now a link to same"),
        "{shown}"
    );
    assert!(shown.contains("t/a moved: moved from t/moved: now 5 bytes of 20"), "{shown}");
    let accepted = [CHANGES[0], CHANGES[2], CHANGES[5]];
    assert_eq!(diff(&sandbox, "old", "m").lines().collect::<Vec<_>>(), accepted);
    // All that follow, within the PATHs.
    let (status, shown) = type_into(&sandbox, &["--label", "set", "-i", "m", "t/kind", "t/missing"], "a\n");
    assert_eq!((status, shown.matches("accept? ").count()), (1, 1), "{shown}");
    sandbox.verify(&["-q", "--label", "set", "m"]).mismatch().prints("t/edited: edited\n");
    // Whoever stops changes nothing; nor does the end of input.
    let before = sandbox.read("m");
    for typed in ["q\n", "\u{4}"] {
        let (status, shown) = type_into(&sandbox, &["--label", "set", "-i", "m"], typed);
        assert!(status == 2 && shown.contains(": the manifest stays as it is"), "{shown}");
        assert_eq!(sandbox.read("m"), before);
    }
    assert_eq!(sandbox.list("."), ["key", "m", "old", "t"]);
}

#[test]
fn a_moved_file_is_asked_for_once_whatever_the_order_of_its_names() {
    let sandbox = Sandbox::tagged();
    fs::rename(sandbox.path("t/a"), sandbox.path("t/z")).expect("mv");
    let (status, shown) = type_into(&sandbox, &["-i", "m"], "y\n");
    assert_eq!((status, shown.matches("accept? ").count()), (0, 1), "{shown}");
    assert!(shown.contains("t/z: moved from t/a: now 6 bytes of 20"), "{shown}");
    sandbox.verify(&["-q", "m"]).good();
}

/// "All that follow" is no answer about what was refused before.
#[test]
fn a_moved_file_that_was_refused_stays_as_recorded() {
    let sandbox = changed();
    let (status, shown) = type_into(&sandbox, &["--label", "set", "-i", "m"], "n\na\n");
    assert_eq!((status, shown.matches("accept? ").count()), (1, 2), "{shown}");
    let left = format!("{}\n", CHANGES[0]);
    sandbox.verify(&["-q", "--label", "set", "m"]).mismatch().prints(&left);
}

/// The second update would replace what the first has accepted.
#[test]
fn only_one_update_runs_at_a_time() {
    let sandbox = changed();
    let before = sandbox.read("m");
    let other = File::open(sandbox.path("m")).expect("open");
    other.lock().expect("a lock");
    update_set(&sandbox, &["m", "t/new"]).trouble("m: another command is replacing it").prints("");
    sandbox.tag(&["-f", "-o", "m", "t"]).trouble("m: another command is replacing it").prints("");
    update_set(&sandbox, &["-n", "m"]).mismatch();
    assert_eq!(sandbox.read("m"), before);
    drop(other);
    update_set(&sandbox, &["m", "t/new"]).mismatch();
    // What was accepted by either of two is accepted.
    for i in 0..20 {
        for name in ["t/edited", "t/new"] {
            sandbox.write(name, format!("contents {i}"));
        }
        let start = |path| {
            let mut command = sandbox.command();
            command.args(["update", "--key-file", "key", "--label", "set", "m", path]).stderr(Stdio::null());
            command.stdout(Stdio::null()).spawn().expect("spawn")
        };
        let mut both = ["t/edited", "t/new"].map(|path| (path, start(path)));
        let verdicts = both.each_mut().map(|(path, child)| (*path, child.wait().expect("wait").code()));
        let left = sandbox.verify(&["-q", "--label", "set", "m"]).text();
        for (path, status) in verdicts {
            assert!(status == Some(2) || !left.contains(path), "{verdicts:?}, left: {left}");
        }
    }
}

/// As `tag` would not record it either.
#[test]
fn special_files_are_not_accepted() {
    let sandbox = Sandbox::tagged();
    let before = sandbox.read("m");
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    fifo(&sandbox.path("t/a"));
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: kind\n");
    let run = update(&sandbox, &["-q", "--all", "m"]);
    run.trouble("t/a: a FIFO, not read (see --skip-special)").prints("t/a: error\n");
    assert_eq!(sandbox.read("m"), before);
    update(&sandbox, &["--skip-special", "--all", "m"]).good().prints("t/a: kind (accepted)\n");
    sandbox.verify(&["-q", "--skip-special", "m"]).good().prints("");
}

#[test]
fn a_path_that_cannot_be_examined_is_named_as_such() {
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-f", "--symlinks", "follow", "-o", "m", "t"]).good();
    symlink(".", sandbox.path("t/loop")).expect("symlink");
    update(&sandbox, &["-q", "m", "t/loop"]).trouble("t/loop: a loop").prints("t/loop: error\n");
    sandbox.verify(&["--status", "m", "t/loop"]).trouble("t/loop: a loop");
}
