//! The words of `verify` for what became of a file: each file is reported once, and rightly.
mod common;

use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use carryless_reference::decbrw_file_mac;
use common::{KEY, Sandbox};

/// Whether the file system tells when files were made, without which inodes prove nothing.
fn has_birth_times(sandbox: &Sandbox) -> bool {
    let has = fs::metadata(sandbox.path("key")).expect("stat").created().is_ok();
    if !has {
        let _ = writeln!(std::io::stderr(), "NOT EXERCISED: this file system has no birth times");
    }
    has
}

fn rename(sandbox: &Sandbox, from: &str, to: &str) {
    fs::rename(sandbox.path(from), sandbox.path(to)).expect("mv");
}

/// A manifest with the text changed and the MAC right.
fn reseal(sandbox: &Sandbox, manifest: &str, change: impl FnOnce(String) -> String) {
    let whole = String::from_utf8(sandbox.read(manifest)).expect("UTF-8");
    let text = change(whole.rsplit_once("mac ").expect("a last line").0.to_owned());
    let digits = KEY.split(':').nth(1).expect("digits");
    let key = std::array::from_fn(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("digits"));
    let mac = decbrw_file_mac(&key, "mani", text.as_bytes());
    let digits: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
    sandbox.write(manifest, format!("{text}mac {digits}\n"));
}

/// No program can set the time of change, so the manifest gets that of the decayed file.
#[test]
fn decay_is_told_from_edits() {
    let sandbox = Sandbox::tagged();
    let before = fs::metadata(sandbox.path("t/a")).expect("stat");
    let file = OpenOptions::new().write(true).open(sandbox.path("t/a")).expect("open");
    file.write_all_at(b"hellO\n", 0).expect("write");
    file.set_times(FileTimes::new().set_modified(before.modified().expect("a time"))).expect("times");
    drop(file);
    // The time of modification was put back, but not that of change.
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: edited\n");
    let after = fs::metadata(sandbox.path("t/a")).expect("stat");
    let time =
        |about: &fs::Metadata| format!(" {}.{:09} {} t/a", about.ctime(), about.ctime_nsec(), about.ino());
    reseal(&sandbox, "m", |text| text.replace(&time(&before), &time(&after)));
    let run = sandbox.verify(&["m"]);
    run.mismatch().prints("t/a: decayed\nt/b: ok\nt/sub/.hidden: ok\n").says("1 changed, 0 missing");
    run.says("(of these 1 decayed)");
    // Of another size it was edited, whatever the times say.
    reseal(&sandbox, "m", |text| text.replace(" 6 ", " 7 "));
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: edited\n");
    // Without times nothing can be told.
    for options in [&["--metadata", "none"][..], &["--manifest-version", "1"]] {
        sandbox.write("t/a", "before");
        sandbox.tag(&[options, &["-f", "-o", "m2", "t"]].concat()).good();
        sandbox.write("t/a", "after!");
        sandbox.verify(&["-q", "m2"]).mismatch().prints("t/a: changed\n");
    }
}

#[test]
fn a_touched_file_is_ok() {
    let sandbox = Sandbox::tagged();
    thread::sleep(Duration::from_millis(10));
    sandbox.write("t/a", "hello\n");
    sandbox.verify(&["-q", "m"]).good().prints("");
}

#[test]
fn other_metadata_are_told_if_all_were_recorded() {
    let sandbox = Sandbox::tagged();
    for (seconds, level, word) in [(0, "times", None), (1, "full", Some("metadata"))] {
        sandbox.tag(&["-f", "--metadata", level, "-o", "m", "t"]).good();
        let found = |what: &str| {
            let expected = word.map_or(String::new(), |word| format!("t/a: {word}\n"));
            let run = sandbox.verify(&["-q", "m"]);
            assert_eq!((run.text(), run.status), (expected, i32::from(word.is_some())), "{what}");
        };
        let mode = fs::metadata(sandbox.path("t/a")).expect("stat").permissions();
        fs::set_permissions(sandbox.path("t/a"), Permissions::from_mode(0o4711)).expect("chmod");
        found("mode");
        fs::set_permissions(sandbox.path("t/a"), mode).expect("chmod");
        sandbox.verify(&["-q", "m"]).good().prints("");
        let file = File::options().write(true).open(sandbox.path("t/a")).expect("open");
        file.set_times(FileTimes::new().set_modified(UNIX_EPOCH + Duration::from_secs(seconds)))
            .expect("times");
        drop(file);
        found("time of modification");
    }
    // A copy elsewhere has another inode and time of change, but equal contents and metadata.
    sandbox.tag(&["-f", "--metadata", "full", "-o", "m", "t"]).good();
    let copied =
        std::process::Command::new("cp").args(["-a", "t", "copy"]).current_dir(sandbox.path(".")).status();
    assert!(copied.expect("cp").success());
    fs::remove_dir_all(sandbox.path("t")).expect("rm");
    rename(&sandbox, "copy", "t");
    sandbox.verify(&["-q", "m"]).good().prints("");
}

#[test]
fn moved_files_are_named_once() {
    let sandbox = Sandbox::tagged();
    rename(&sandbox, "t/a", "t/sub/z");
    let run = sandbox.verify(&["m"]);
    run.mismatch().prints("t/b: ok\nt/sub/.hidden: ok\nt/sub/z: moved from t/a\n");
    run.says("2 ok, 0 changed, 1 moved, 0 missing, 0 new, 0 errors; ");
    let json = sandbox.verify(&["--json", "-q", "m"]).text();
    let (line, summary) = json.split_once('\n').expect("two lines");
    assert_eq!(line, r#"{"path":"t/sub/z","status":"moved","from":"t/a"}"#);
    assert!(
        summary.contains(r#""moved":1,"missing":0,"new":0"#)
            && summary.contains(r#""verdicts":{"ok":2,"moved":1}"#)
    );
    assert_eq!(sandbox.verify(&["-q", "-z", "m"]).out, b"t/sub/z: moved from t/a\0");
    // As before, each half of it can be ignored, but not one alone.
    sandbox.verify(&["-q", "--ignore-new", "m"]).mismatch().prints("t/sub/z: moved from t/a\n");
    sandbox.verify(&["-q", "--ignore-missing", "m"]).mismatch();
    sandbox.verify(&["-q", "--ignore-new", "--ignore-missing", "m"]).good().prints("");
    // Only within the part that is verified.
    sandbox.verify(&["-q", "m", "t/sub"]).mismatch().prints("t/sub/z: new\n");
    sandbox.verify(&["-q", "m", "t/a"]).mismatch().prints("t/a: missing\n");
}

#[test]
fn a_renamed_folder_is_many_moved_files() {
    let sandbox = Sandbox::new();
    for i in 0..20 {
        sandbox.write(format!("t/old/{i:02}"), "x".repeat(i % 5 + 1));
    }
    symlink("there", sandbox.path("t/old/link")).expect("symlink");
    for options in [&[][..], &["--manifest-version", "1"]] {
        sandbox.tag(&[options, &["-f", "-o", "m", "t"]].concat()).good();
        rename(&sandbox, "t/old", "t/new");
        let found: String = (0..20).map(|i| format!("t/new/{i:02}: moved from t/old/{i:02}\n")).collect();
        let found = found + "t/new/link: moved from t/old/link\n";
        sandbox.verify(&["-q", "m"]).mismatch().prints(&found);
        rename(&sandbox, "t/new", "t/old");
    }
}

#[test]
fn equal_files_are_not_mixed_up() {
    let sandbox = Sandbox::new();
    for (name, contents) in [("t/a", "equal"), ("t/b", "equal"), ("t/empty 1", ""), ("t/empty 2", "")] {
        sandbox.write(name, contents);
    }
    sandbox.tag(&["-o", "m", "t"]).good();
    // Of two equal files one is deleted; of two empty ones one is renamed.
    fs::remove_file(sandbox.path("t/b")).expect("rm");
    let missing = "t/b: missing\n";
    sandbox.verify(&["-q", "m"]).mismatch().prints(missing);
    if has_birth_times(&sandbox) {
        rename(&sandbox, "t/empty 1", "t/renamed");
        sandbox
            .verify(&["-q", "m"])
            .mismatch()
            .prints(&format!("{missing}t/renamed: moved from t/empty 1\n"));
        rename(&sandbox, "t/renamed", "t/empty 1");
    }
    // A copy of the one that is left: the deleted one counts as moved there.
    fs::copy(sandbox.path("t/a"), sandbox.path("t/c")).expect("cp");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/c: moved from t/b\n");
    fs::copy(sandbox.path("t/a"), sandbox.path("t/d")).expect("cp");
    // Which of the two counts as moved depends on their inodes.
    let run = sandbox.verify(&["-q", "m"]);
    let lines: Vec<_> = run.mismatch().text().lines().map(|line| line[5..].to_owned()).collect();
    assert!(lines == ["moved from t/b", "copied from t/a"] || lines == ["copied from t/a", "moved from t/b"]);
    assert_eq!(sandbox.verify(&["-q", "--ignore-new", "m"]).mismatch().text().lines().count(), 1);
    // Empty files are equal by chance.
    sandbox.write("t/empty 3", "");
    sandbox.verify(&["-q", "m", "t/empty 3"]).mismatch().prints("t/empty 3: new\n");
}

#[test]
fn a_rename_and_an_edit_are_reported_once() {
    let sandbox = Sandbox::tagged();
    if !has_birth_times(&sandbox) {
        return;
    }
    rename(&sandbox, "t/a", "t/z");
    let file = OpenOptions::new().append(true).open(sandbox.path("t/z")).expect("open");
    (&file).write_all(b"more").expect("write");
    drop(file);
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/z: moved-and-edited from t/a\n");
    let run = sandbox.verify(&["--ignore-new", "--ignore-missing", "-q", "m"]);
    run.mismatch().prints("t/z: moved-and-edited from t/a\n");
    // A rename of one file and an edit of another.
    rename(&sandbox, "t/b", "t/sub/b");
    sandbox.write("t/sub/.hidden", "edited");
    let expected = "t/sub/.hidden: edited\nt/sub/b: moved from t/b\nt/z: moved-and-edited from t/a\n";
    sandbox.verify(&["-q", "m"]).mismatch().prints(expected);
    // A new file may get the inode of a deleted one, but was not there when that was recorded.
    for i in 0..20 {
        sandbox.write("t/z", "recorded");
        sandbox.tag(&["-f", "-q", "-o", "m", "t"]).good();
        fs::remove_file(sandbox.path("t/z")).expect("rm");
        sandbox.write("t/y", format!("another {i}"));
        sandbox.verify(&["-q", "m"]).mismatch().prints("t/y: new\nt/z: missing\n");
        fs::remove_file(sandbox.path("t/y")).expect("rm");
    }
}

/// Whoever filters lines by their ends must not miss one whose old name ends as a verdict does.
#[test]
fn old_names_forge_no_verdict() {
    let sandbox = Sandbox::new();
    for (old, shown) in [
        ("t/b: ok", r"t/b\x3a ok"),
        ("t/b (accepted)", r"t/b \x28accepted)"),
        ("t/b: (accepted)", r"t/b\x3a \x28accepted)"),
        ("t/b:ok(accepted)", "t/b:ok(accepted)"),
    ] {
        sandbox.write(old, old);
        sandbox.tag(&["-f", "-o", "m", "t"]).good();
        rename(&sandbox, old, "t/c");
        let line = format!("t/c: moved from {shown}\n");
        sandbox.verify(&["m"]).mismatch().prints(&line);
        sandbox.run(&["update", "--key-file", "key", "-n", "m"]).mismatch().prints(&line);
        let json = sandbox.verify(&["--json", "m"]).text();
        assert!(json.contains(&format!(r#""from":"{old}""#)), "{json}");
        fs::remove_file(sandbox.path("t/c")).expect("rm");
    }
}

#[test]
fn missing_folders_are_told() {
    let sandbox = Sandbox::tagged();
    fs::remove_dir_all(sandbox.path("t/sub")).expect("rm");
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    let run = sandbox.verify(&["-q", "m"]);
    run.mismatch().prints("t/a: missing\nt/sub/.hidden: folder-missing\n").says("2 missing");
    sandbox.verify(&["-q", "--ignore-missing", "m"]).good().prints("");
    sandbox.write("t/sub", "a file now");
    sandbox
        .verify(&["-q", "m"])
        .mismatch()
        .prints("t/a: missing\nt/sub: new\nt/sub/.hidden: folder-missing\n");
}

/// Whoever ignores missing files must notice what has taken their place.
#[test]
fn names_that_lead_to_something_are_not_missing() {
    let ignoring = ["-q", "--ignore-missing", "--ignore-new", "m"];
    // A link that the policy leaves out.
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-f", "-o", "m", "--symlinks", "skip", "t"]).good();
    rename(&sandbox, "t/a", "evil");
    symlink("../evil", sandbox.path("t/a")).expect("symlink");
    sandbox.verify(&ignoring).mismatch().prints("t/a: kind\n");
    // Also if something new has its contents.
    sandbox.write("t/z", "hello\n");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: kind\nt/z: new\n");
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    sandbox.verify(&ignoring).good().prints("");
    // A new link in the path.
    for policy in ["record", "skip"] {
        let sandbox = Sandbox::tagged();
        sandbox.tag(&["-f", "-o", "m", "--symlinks", policy, "t"]).good();
        rename(&sandbox, "t/sub", "moved");
        symlink("../moved", sandbox.path("t/sub")).expect("symlink");
        let why = "t/sub/.hidden: a symbolic link has come into its path, not followed";
        sandbox.verify(&ignoring).mismatch().prints("t/sub/.hidden: kind\n").says(why);
        rename(&sandbox, "moved/.hidden", "moved/gone");
        sandbox.verify(&ignoring).good().prints("");
    }
    // A new `.gitignore`. Accepted, the name is recorded no more.
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-f", "-o", "m", "--gitignore", "t"]).good();
    sandbox.write("t/sub/.gitignore", "*\n");
    let why = "t/sub/.hidden: there, but left out: by a .gitignore file";
    sandbox.verify(&ignoring).mismatch().prints("t/sub/.hidden: kind\n").says(why);
    let update = sandbox.run(&["update", "--key-file", "key", "--all", "m"]);
    update.good().prints("t/sub/.hidden: kind (accepted)\n");
    sandbox.verify(&["m"]).good().prints("t/a: ok\nt/b: ok\n");
}

/// The folder of such a root is there.
#[test]
fn a_root_behind_a_link_is_a_folder() {
    let sandbox = Sandbox::tagged();
    symlink("t", sandbox.path("link")).expect("symlink");
    sandbox.tag(&["-f", "-o", "m", "link/"]).good();
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    fs::remove_dir_all(sandbox.path("t/sub")).expect("rm");
    sandbox.verify(&["-q", "m"]).mismatch().prints("link/a: missing\nlink/sub/.hidden: folder-missing\n");
}

#[test]
fn a_new_file_that_cannot_be_read_is_new() {
    let sandbox = Sandbox::tagged();
    rename(&sandbox, "t/a", "t/z");
    // A file that a program has open for writing is not read.
    let open = OpenOptions::new().append(true).open(sandbox.path("t/z")).expect("open");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: missing\nt/z: new\n");
    drop(open);
}

#[test]
fn earlier_states_are_told_by_earlier_manifests() {
    let sandbox = Sandbox::tagged();
    fs::copy(sandbox.path("m"), sandbox.path("m1")).expect("cp");
    for (contents, copy) in [("second", "m2"), ("third!", "m3"), ("fourth", "m4")] {
        sandbox.write("t/a", contents);
        sandbox.tag(&["-f", "-q", "-o", "m", "t"]).good();
        fs::copy(sandbox.path("m"), sandbox.path(copy)).expect("cp");
    }
    let history = |files: &[&str]| {
        let options: Vec<_> = files.iter().flat_map(|file| ["--history", file]).collect();
        sandbox.verify(&[&options[..], &["-q", "m"]].concat())
    };
    history(&["m1", "m2"]).good().prints("");
    for (contents, files, word) in [
        ("hello\n", &["m1"][..], "older"),
        ("hello\n", &["m3", "m1"], "older"),
        ("third!", &["m2", "m3"], "older"),
        ("third!", &["m1"], "edited"),
        ("unknown", &["m1", "m2", "m3"], "edited"),
    ] {
        sandbox.write("t/a", contents);
        history(files).mismatch().prints(&format!("t/a: {word}\n"));
    }
    history(&["m4"]).trouble("m4: no earlier manifest").prints("");
    sandbox.tag(&["-q", "-o", "other", "t"]).good();
    fs::copy(sandbox.path("other"), sandbox.path("first")).expect("cp");
    for _ in 0..2 {
        sandbox.tag(&["-f", "-q", "-o", "other", "t"]).good();
    }
    history(&["other"]).trouble("the manifests of --history are of different chains").prints("");
    history(&["first", "m2"]).trouble("the manifests of --history are of different chains").prints("");
    sandbox.write("broken", &sandbox.read("m1")[..200]);
    history(&["broken"]).trouble("broken: incomplete").prints("");
}
