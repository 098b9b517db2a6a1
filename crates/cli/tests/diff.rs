//! `diff`, `show` and `list`: what manifests tell without the files.
mod common;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use common::{PROGRAM, Run, Sandbox};
use serde_json::Value;

fn run(sandbox: &Sandbox, args: &[&str]) -> Run {
    let (command, rest) = args.split_first().expect("a command");
    sandbox.run(&[&[command, "--key-file", "key"], rest].concat())
}

/// A sandbox with the manifest `old` of a tree and `new` of the same tree after changes of every kind.
fn changed() -> Sandbox {
    let sandbox = Sandbox::tagged();
    for (name, contents) in [("t/gone/x", "x"), ("t/kind", "k"), ("t/moved", "m"), ("t/two", "two")] {
        sandbox.write(name, contents);
    }
    symlink("a", sandbox.path("t/link")).expect("symlink");
    sandbox.tag(&["-o", "old", "t"]).good();
    sandbox.write("t/a", "other\n");
    fs::remove_dir_all(sandbox.path("t/gone")).expect("rm");
    fs::remove_file(sandbox.path("t/kind")).expect("rm");
    symlink("a", sandbox.path("t/kind")).expect("symlink");
    fs::rename(sandbox.path("t/moved"), sandbox.path("t/new name")).expect("mv");
    fs::rename(sandbox.path("t/b"), sandbox.path("t/empty")).expect("mv");
    fs::copy(sandbox.path("t/two"), sandbox.path("t/three")).expect("cp");
    fs::remove_file(sandbox.path("t/link")).expect("rm");
    symlink("b", sandbox.path("t/link")).expect("symlink");
    sandbox.write("t/young", "new");
    sandbox.tag(&["-o", "new", "t"]).good();
    sandbox
}

#[test]
fn two_manifests_tell_what_verify_tells() {
    let sandbox = changed();
    let expected = "t/a: edited\nt/empty: moved from t/b\nt/gone/x: folder-missing\nt/kind: kind\nt/link: edited\n\
                    t/new name: moved from t/moved\nt/three: copied from t/two\nt/young: new\n";
    let diff = run(&sandbox, &["diff", "old", "new"]);
    diff.mismatch().prints(expected);
    diff.says("old to new: 2 ok, 3 changed, 2 moved, 1 missing, 2 new, 0 errors");
    assert_eq!(run(&sandbox, &["diff", "-q", "old", "new"]).mismatch().err, "");
    let json = run(&sandbox, &["diff", "--json", "old", "new"]).mismatch().text();
    assert!(json.contains(r#"{"path":"t/empty","status":"moved","from":"t/b"}"#), "{json}");
    assert!(json.lines().last().expect("a summary").contains(r#""moved":2"#));
    assert!(run(&sandbox, &["diff", "-z", "old", "new"]).text().starts_with("t/a: edited\0t/empty: moved"));
    run(&sandbox, &["diff", "old", "old"]).good().prints("").says("8 ok, 0 changed");
    // The other way round, and what verify says of the older manifest.
    let back = run(&sandbox, &["diff", "new", "old"]).mismatch().text();
    assert!(back.contains("t/gone/x: new\n") && back.contains("t/three: missing\n"), "{back}");
    assert_eq!(sandbox.verify(&["-q", "old"]).mismatch().text(), expected);
}

#[test]
fn manifests_of_version_1_tell_less() {
    let sandbox = changed();
    sandbox.tag(&["--manifest-version", "1", "-o", "v1", "t"]).good();
    run(&sandbox, &["diff", "new", "v1"]).good().prints("");
    sandbox.write("t/a", "again\n");
    sandbox.tag(&["-o", "last", "t"]).good();
    run(&sandbox, &["diff", "v1", "last"]).mismatch().prints("t/a: changed\n");
    run(&sandbox, &["diff", "new", "last"]).mismatch().prints("t/a: edited\n");
}

#[test]
fn different_levels_of_metadata_are_told() {
    let sandbox = changed();
    sandbox.tag(&["--metadata", "full", "-o", "full", "t"]).good();
    let told = "new and full: one records metadata times, the other full: compared is times";
    run(&sandbox, &["diff", "-q", "new", "full"]).good().prints("").says(told);
    fs::set_permissions(sandbox.path("t/a"), Permissions::from_mode(0o600)).expect("chmod");
    sandbox.tag(&["--metadata", "full", "-o", "full2", "t"]).good();
    let same = run(&sandbox, &["diff", "-q", "full", "full2"]);
    assert_eq!(same.mismatch().prints("t/a: metadata\n").err, "");
}

#[test]
fn manifests_that_cannot_be_compared_are_errors() {
    let sandbox = changed();
    sandbox.tag(&["--label", "x", "-o", "label", "t"]).good();
    run(&sandbox, &["diff", "old", "label"]).trouble("old and label: the labels differ").prints("");
    sandbox.tag(&["--algorithm", "polyhash1305-hchacha20", "-o", "poly", "t"]).good();
    run(&sandbox, &["diff", "old", "poly"]).trouble("old and poly: the algorithms differ").prints("");
    sandbox.tag(&["-o", "part", "t/a"]).good();
    run(&sandbox, &["diff", "new", "part"]).mismatch().says("roots, filters or policies differ");
    sandbox.write("broken", &sandbox.read("new")[..300]);
    for args in
        [&["diff", "old", "broken"][..], &["diff", "broken", "new"], &["show", "broken"], &["list", "broken"]]
    {
        run(&sandbox, args).trouble("broken: incomplete").prints("");
    }
    sandbox.run(&["keygen", "other"]).good();
    for args in [&["diff", "old", "new"][..], &["show", "new"], &["list", "new"]] {
        let run = sandbox.run(&[&[args[0], "--key-file", "other"], &args[1..]].concat());
        run.trouble("made with another key").prints("");
    }
    run(&sandbox, &["diff", "-", "-"]).trouble("key and manifests cannot come from standard input together");
    run(&sandbox, &["show", "--max-manifest-size", "1", "none"]).trouble("none: cannot read the manifest");
}

#[test]
fn a_manifest_is_shown() {
    let sandbox = Sandbox::tagged();
    symlink("a", sandbox.path("t/link")).expect("symlink");
    let mut command = sandbox.command();
    command.env("SOURCE_DATE_EPOCH", "86400").args(["tag", "--key-file", "key", "-f", "-o", "m"]);
    Run::from(command.args(["--label", "a\nb", "--exclude", "*.o", "t"]).output().expect("run")).good();
    let mac = String::from_utf8_lossy(&sandbox.read("m")).lines().last().expect("a MAC").to_owned();
    let expected = format!(
        "version v2\nalgorithm 4-decbrwhash1305-hchacha20\nsegments two-level-1048576\nkey-id d27bd12377ec6434\nlabel a\\nb\n\
         symlinks record\nspecials refuse\ngitignore ignore\nexclude *.o\nroot t\nmetadata times\n\
         date 1970-01-02T00:00:00Z\nserial 1\nfiles 3\nlinks 1\nerrors 0\nbytes 5006\n{mac}\n"
    );
    run(&sandbox, &["show", "m"]).good().prints(&expected);
    let json: Value =
        serde_json::from_str(&run(&sandbox, &["show", "--json", "m"]).good().text()).expect("JSON");
    assert_eq!((&json["files"], &json["bytes"]), (&3.into(), &5006.into()));
    assert_eq!(json["header"][0], serde_json::json!(["version", "v2"]));
    assert_eq!(json["mac"].as_str(), mac.strip_prefix("mac "));
}

#[test]
fn entries_are_listed() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a\n", "hello\n");
    symlink("to\t", sandbox.path("t/b")).expect("symlink");
    let file = fs::File::options().write(true).open(sandbox.path("t/a\n")).expect("open");
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_millis(1500)).expect("a time");
    drop(file);
    sandbox.tag(&["-o", "m", "t"]).good();
    let expected = "file 6 1970-01-01T00:00:01Z t/a\\n\nlink - - t/b -> to\\x09\n";
    run(&sandbox, &["list", "m"]).good().prints(expected);
    assert_eq!(run(&sandbox, &["list", "-z", "m"]).good().out, b"t/a\n\0t/b\0");
    let json = run(&sandbox, &["list", "--json", "m"]).good().text();
    assert!(json.contains(r#""kind":"file","path":"t/a\n","size":6,"tag":""#), "{json}");
    assert!(json.contains(r#""mtime":"1.500000000","ctime":""#), "{json}");
    sandbox.tag(&["--manifest-version", "1", "-o", "m1", "t"]).good();
    assert!(run(&sandbox, &["list", "m1"]).good().text().starts_with("file 6 - t/a\\n\n"));
}

/// As `verify` says, though the folder has the contents of the file.
#[test]
fn a_file_that_became_a_folder_is_of_another_kind() {
    let sandbox = Sandbox::tagged();
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    sandbox.write("t/a/inside", "hello\n");
    sandbox.tag(&["-o", "new", "t"]).good();
    let expected = "t/a: kind\nt/a/inside: new\n";
    sandbox.run(&["diff", "--key-file", "key", "m", "new"]).mismatch().prints(expected);
    sandbox.verify(&["-q", "m"]).mismatch().prints(expected);
}

/// Of a chain of renames a -> b -> c, the last name is the file that was moved, and no copy of one that is gone.
#[test]
fn a_chain_of_renames_has_no_copies() {
    let sandbox = Sandbox::new();
    for name in ["a", "b", "d"] {
        sandbox.write(format!("t/{name}"), format!("contents of {name}"));
    }
    sandbox.tag(&["-o", "old", "t"]).good();
    fs::rename(sandbox.path("t/b"), sandbox.path("t/c")).expect("mv");
    fs::rename(sandbox.path("t/a"), sandbox.path("t/b")).expect("mv");
    fs::copy(sandbox.path("t/d"), sandbox.path("t/e")).expect("cp");
    let expected = "t/a: missing\nt/b: edited\nt/c: moved from t/b\nt/e: copied from t/d\n";
    sandbox.verify(&["-q", "old"]).mismatch().prints(expected);
    sandbox.tag(&["-o", "new", "t"]).good();
    run(&sandbox, &["diff", "old", "new"]).mismatch().prints(expected);
    // Without times, the original is read.
    sandbox.tag(&["--metadata", "none", "-o", "none", "t"]).good();
    fs::copy(sandbox.path("t/d"), sandbox.path("t/f")).expect("cp");
    sandbox.verify(&["-q", "none"]).mismatch().prints("t/f: copied from t/d\n");
}

#[test]
fn a_label_that_is_given_must_fit() {
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-o", "new", "--label", "set", "t"]).good();
    for command in ["show", "list"] {
        run(&sandbox, &[command, "new"]).good();
        run(&sandbox, &[command, "--label", "set", "new"]).good();
        let other = "new: made with the label 'set', not with 'other'";
        run(&sandbox, &[command, "--label", "other", "new"]).trouble(other).prints("");
    }
    run(&sandbox, &["diff", "--label", "set", "new", "new"]).good();
    run(&sandbox, &["diff", "--label", "other", "new", "new"]).trouble("made with the label 'set'");
}

/// A time half a second before 1970 is -0.5, and not the rounded seconds with the nanoseconds after them.
#[test]
fn times_before_1970_are_decimal_numbers() {
    let sandbox = Sandbox::tagged();
    for (time, expected) in [(500, "-0.500000000"), (1000, "-1.000000000"), (2250, "-2.250000000")] {
        let modified = UNIX_EPOCH - Duration::from_millis(time);
        let file = File::options().write(true).open(sandbox.path("t/a")).expect("open");
        file.set_modified(modified).expect("utimens");
        drop(file);
        sandbox.tag(&["-f", "-o", "m", "t/a"]).good();
        let json = run(&sandbox, &["list", "--json", "m"]).good().text();
        let entry: Value = serde_json::from_str(&json).expect("an entry");
        assert_eq!(entry["mtime"], expected);
    }
}

/// The limit is no reservation: a file of terabytes that begins as a manifest is an error, whatever the limit.
#[test]
fn a_large_limit_reserves_no_memory() {
    let sandbox = Sandbox::tagged();
    File::options().write(true).open(sandbox.path("m")).expect("open").set_len(1 << 43).expect("set_len");
    File::create(sandbox.path("none")).expect("create").set_len(1 << 43).expect("set_len");
    for (file, reason) in [("m", "m: cannot read the manifest: "), ("none", "none: not a carryless manifest")]
    {
        let args = ["show", "--key-file", "key", "--max-manifest-size", "4294967295", file];
        let mut shell = Command::new("sh");
        // Without this limit, the system may promise more memory than it has.
        shell.args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\"", PROGRAM]).args(args);
        let run = Run::from(shell.current_dir(sandbox.path(".")).output().expect("run"));
        run.trouble(reason).prints("");
    }
}
