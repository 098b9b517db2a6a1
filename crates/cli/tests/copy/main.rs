//! `carryless copy`: copies that are verified, continued, and never replace anything.
#[path = "../common/mod.rs"]
mod common;
mod folders;

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use common::{Run, Sandbox};

const MIB: u64 = 1 << 20;

fn copy<S: AsRef<OsStr>>(sandbox: &Sandbox, args: &[S]) -> Run {
    Run::from(sandbox.command().args(["copy", "--key-file", "key"]).args(args).output().expect("run"))
}

/// Asserts that the manifest beside `d` verifies both folders.
fn assert_verifies(sandbox: &Sandbox) {
    for folder in ["d", "t"] {
        sandbox.verify(&["-q", "-C", folder, "d.carryless"]).good().prints("");
    }
}

/// A tree of files, a folder below, and an empty one.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "hello\n");
    sandbox.write("t/b", "");
    sandbox.write("t/sub/.hidden", "x".repeat(5000));
    sandbox.write("t/sub/large", "y".repeat(3 << 20));
    fs::create_dir(sandbox.path("t/empty")).expect("mkdir");
    sandbox
}

fn temporaries(sandbox: &Sandbox, folder: &str) -> usize {
    if !sandbox.path(folder).is_dir() {
        return 0;
    }
    let names = sandbox.list(folder);
    names.iter().filter(|name| name.as_encoded_bytes().starts_with(b".carryless-copy-")).count()
}

#[test]
fn a_copy_has_contents_permissions_times_and_links() {
    let sandbox = tree();
    symlink("../nowhere", sandbox.path("t/link")).expect("symlink");
    fs::hard_link(sandbox.path("t/a"), sandbox.path("t/again")).expect("link");
    let time = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_456_789);
    for (name, mode) in [("t/a", 0o640), ("t/b", 0o4755), ("t/sub/.hidden", 0o400), ("t/sub", 0o550)] {
        let file = File::open(sandbox.path(name)).expect("open");
        file.set_permissions(Permissions::from_mode(mode)).expect("chmod");
        file.set_times(fs::FileTimes::new().set_modified(time)).expect("utimes");
    }
    copy(&sandbox, &["t", "d"]).good().prints("").says("6 ok");
    for name in ["a", "b", "sub/.hidden", "sub/large", "sub", "empty"] {
        let [from, to] = ["t", "d"].map(|folder| fs::metadata(sandbox.path(format!("{folder}/{name}"))));
        let (from, to) = (from.expect("stat"), to.expect("stat"));
        // Without its owner, a setuid file would have other rights.
        assert_eq!(to.mode() & 0o7777, from.mode() & 0o777, "{name}");
        assert_eq!(to.modified().expect("time"), from.modified().expect("time"), "{name}");
        if from.is_file() {
            assert_eq!(sandbox.read(&format!("d/{name}")), sandbox.read(&format!("t/{name}")), "{name}");
        }
    }
    assert_eq!(fs::read_link(sandbox.path("d/link")).expect("link").to_str(), Some("../nowhere"));
    let [one, other] = ["d/a", "d/again"].map(|name| fs::metadata(sandbox.path(name)).expect("stat").ino());
    assert_ne!(one, other, "hard links become separate files");
    assert_eq!((temporaries(&sandbox, "d"), temporaries(&sandbox, "d/sub")), (0, 0));
    assert_verifies(&sandbox);
    // The manifest is one as of `tag`: it is not replaced without --force, and then continued.
    copy(&sandbox, &["t", "d"]).trouble("d.carryless: exists already");
    copy(&sandbox, &["--force", "--label", "x", "-o", "m", "t", "d"]).good().says("6 there before");
    sandbox.verify(&["-q", "-C", "d", "--label", "x", "m"]).good();
    fs::set_permissions(sandbox.path("t/sub"), Permissions::from_mode(0o700)).expect("chmod");
    fs::set_permissions(sandbox.path("d/sub"), Permissions::from_mode(0o700)).expect("chmod");
}

#[test]
fn filters_and_policies_are_those_of_tag() {
    let sandbox = tree();
    symlink("a", sandbox.path("t/link")).expect("symlink");
    copy(&sandbox, &["--symlinks", "follow", "--exclude", "/sub/large", "t", "d"]).good();
    assert_eq!(sandbox.list("d"), ["a", "b", "empty", "link", "sub"]);
    assert_eq!(sandbox.list("d/sub"), [".hidden"]);
    assert!(fs::symlink_metadata(sandbox.path("d/link")).expect("stat").is_file());
    assert_verifies(&sandbox);
    copy(&sandbox, &["--symlinks", "skip", "--include", "a", "t", "e"]).good();
    assert_eq!(sandbox.list("e"), ["a", "empty", "sub"]);
    // The key is not copied, and what cannot be copied stops the command before it begins.
    // What only the copy has is an error, but no reason against a manifest.
    copy(&sandbox, &["t", "own"]).good();
    fs::remove_file(sandbox.path("own.carryless")).expect("rm");
    common::fifo(&sandbox.path("own/fifo"));
    copy(&sandbox, &["t", "own"]).says("the manifest is written: these errors are of names");
    sandbox.read("own.carryless");
    common::fifo(&sandbox.path("t/fifo"));
    copy(&sandbox, &["t", "f"]).trouble("fifo: a FIFO, not read");
    assert!(!sandbox.path("f").exists() && !sandbox.path("f.carryless").exists());
    let run = copy(&sandbox, &["--keep-going", "t", "f"]);
    assert_eq!((run.status, run.text().as_str()), (2, "fifo: error\n"), "{}", run.err);
    sandbox.verify(&["-C", "f", "--ignore-missing", "f.carryless"]).says("5 ok");
    fs::copy(sandbox.path("key"), sandbox.path("t/key")).expect("copy");
    fs::set_permissions(sandbox.path("t/key"), Permissions::from_mode(0o600)).expect("chmod");
    let run = sandbox.run(&["copy", "--key-file", "t/key", "--skip-special", "t", "g"]);
    run.good();
    assert!(!sandbox.path("g/key").exists());
}

#[test]
fn nothing_that_differs_is_overwritten() {
    let sandbox = tree();
    sandbox.write("t/good", "good");
    sandbox.write("d/a", "HELLO\n");
    sandbox.write("d/b", "longer");
    sandbox.write("d/sub", "no folder");
    let run = copy(&sandbox, &["t", "d"]);
    assert_eq!(run.status, 2, "{}", run.err);
    for name in ["a", "b", "sub"] {
        run.says(&format!("{name}: is in the copy already and differs, not overwritten"));
    }
    run.says("sub/large: its folder sub was not copied").says("no manifest written");
    assert_eq!(sandbox.read("d/a"), b"HELLO\n");
    assert_eq!(sandbox.read("d/b"), b"longer");
    assert_eq!(sandbox.read("d/sub"), b"no folder");
    assert!(!sandbox.path("d.carryless").exists());
    // A link in the place of a folder may lead anywhere.
    fs::remove_file(sandbox.path("d/sub")).expect("rm");
    fs::create_dir(sandbox.path("elsewhere")).expect("mkdir");
    symlink("../elsewhere", sandbox.path("d/sub")).expect("symlink");
    let run = copy(&sandbox, &["--keep-going", "t", "d"]);
    assert_eq!(run.status, 2, "{}", run.err);
    assert_eq!(sandbox.list("elsewhere").len(), 0);
    // All that could not be copied is recorded as an error.
    let run = sandbox.verify(&["-C", "t", "d.carryless"]);
    assert_eq!(run.status, 2, "{}", run.err);
    run.says("a: could not be read or copied when the manifest was made");
    for name in ["d/a", "d/b", "d/sub"] {
        fs::remove_file(sandbox.path(name)).expect("rm");
    }
    copy(&sandbox, &["-f", "t", "d"]).good();
    assert_verifies(&sandbox);
    // What the source does not have is left alone and reported.
    sandbox.write("d/more", "x");
    copy(&sandbox, &["-f", "t", "d"]).mismatch().prints("more: new\n");
    sandbox.verify(&["-q", "-C", "d", "d.carryless"]).mismatch().prints("more: new\n");
}

#[test]
fn places_that_make_no_sense_are_refused() {
    let sandbox = tree();
    symlink("t", sandbox.path("l")).expect("symlink");
    for (args, text) in [
        (&["t", "t"][..], "t: source and copy are the same folder"),
        (&["t", "l"], "l: source and copy are the same folder"),
        (&["t", "t/sub/d"], "t/sub/d: the copy lies in its source"),
        (&["t/sub", "t"], "t/sub: the source lies in its copy"),
        (&["t/a", "d"], "t/a: not a folder"),
        (&["none", "d"], "none: No such file"),
        (&["t", "none/d"], "none: No such file"),
        (&["t", "key"], "key: not a folder"),
        (&["-o", "d/m", "t", "d"], "d: No such file"),
        (&["-o", "t/m", "t", "d"], "t/m: the manifest must lie outside"),
        (&["-o", "-", "t", "d"], "the manifest of a copy must be a file"),
        (&["-o", "key", "-f", "t", "d"], "key: not a carryless manifest"),
        (&["t", "."], "has no name for the manifest: use -o"),
        (&["-o", "m", "t", "."], "the source lies in its copy"),
        (&["--include", "nothing/", "t", "d"], "can match nothing"),
        (&["t/empty", "d"], "nothing copied: no file was found"),
    ] {
        copy(&sandbox, args).trouble(text);
        assert_eq!(sandbox.list("."), ["key", "l", "t"], "{args:?}");
    }
    fs::create_dir(sandbox.path("d")).expect("mkdir");
    copy(&sandbox, &["-o", "d/m", "t", "d"]).trouble("d/m: the manifest must lie outside");
    let folder = File::open(sandbox.path("d")).expect("open");
    folder.lock().expect("lock");
    copy(&sandbox, &["t", "d"]).trouble("d: another command copies to it");
    drop(folder);
    copy(&sandbox, &["t", "d"]).good();
}

/// Waits until the condition holds.
fn wait_for(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing happens");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn an_interrupted_copy_leaves_no_partial_file_and_is_continued() {
    for (signal, left) in [("INT", 0), ("KILL", 1)] {
        let sandbox = tree();
        let large = sandbox.path("t/sub/huge");
        File::create(&large).expect("create").set_len(64 << 30).expect("set_len");
        // What was complete before the interruption.
        copy(&sandbox, &["--exclude", "huge", "-o", "m", "t", "d"]).good();
        let before = fs::metadata(sandbox.path("d/a")).expect("stat").ino();
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", common::PROGRAM, "copy", "--key-file", "key", "t", "d"]);
        let mut child = command.current_dir(sandbox.path(".")).spawn().expect("spawn");
        wait_for(|| temporaries(&sandbox, "d/sub") > 0);
        let status = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(status.expect("kill").success());
        assert!(!child.wait().expect("wait").success());
        assert_eq!(temporaries(&sandbox, "d/sub"), left, "SIG{signal}");
        assert!(!sandbox.path("d/sub/huge").exists() && !sandbox.path("d.carryless").exists());
        fs::write(&large, "small").expect("write");
        // A file of the source with such a name is no leftover.
        sandbox.write("t/sub/.carryless-copy-aB3xY9", "mine");
        sandbox.write("d/sub/.carryless-copy-aB3xY9", "mine");
        copy(&sandbox, &["t", "d"]).good().says("6 ok").says("5 there before");
        assert_eq!(sandbox.read("d/sub/huge"), b"small");
        assert_eq!(sandbox.read("d/sub/.carryless-copy-aB3xY9"), b"mine");
        assert_eq!(temporaries(&sandbox, "d/sub"), 1);
        assert_eq!(fs::metadata(sandbox.path("d/a")).expect("stat").ino(), before, "not copied again");
        assert_verifies(&sandbox);
    }
}

/// Bytes that change after they were written are found, as the copy is read again.
#[test]
fn a_copy_that_decays_at_once_is_found() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "hello\n");
    // The first names are given once enough bytes are written, while others are still to come.
    for name in ["t/b", "t/z"] {
        File::create(sandbox.path(name)).expect("create").set_len(300 * MIB).expect("set_len");
    }
    (0..256).for_each(|i| sandbox.write_quickly(&format!("t/c{i}")));
    let copied = sandbox.path("d/a");
    let decay = thread::spawn(move || {
        wait_for(|| copied.exists());
        fs::write(&copied, "jello\n").expect("write");
    });
    let run = copy(&sandbox, &["t", "d"]);
    decay.join().expect("a thread");
    run.mismatch().prints("a: changed\n").says("no manifest written: 1 of 259");
    assert!(!sandbox.path("d.carryless").exists());
    let run = copy(&sandbox, &["--json", "--keep-going", "t", "d"]);
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(
        run.text().contains(r#"{"path":"a","status":"error","message":"is in the copy"#),
        "{}",
        run.text()
    );
}

#[test]
fn a_source_with_a_writer_is_an_error_and_a_changing_one_is_read_again() {
    let sandbox = tree();
    let writer = File::options().append(true).open(sandbox.path("t/a")).expect("open");
    let run = copy(&sandbox, &["t", "d"]);
    assert_eq!((run.status, run.text().as_str()), (2, "a: error\n"), "{}", run.err);
    run.says("a: not read: a program has it open for writing");
    assert!(!sandbox.path("d/a").exists() && sandbox.path("d/b").exists());
    drop(writer);
    copy(&sandbox, &["t", "d"]).good().says("3 there before");
    assert_verifies(&sandbox);
    // It becomes shorter again and again: what is copied was there at one moment.
    let path = sandbox.path("t/torn");
    fs::write(&path, "0").expect("write");
    let torn = path.clone();
    let writer = thread::spawn(move || {
        for i in 0..30 {
            fs::write(&torn, [b'0' + i % 10].repeat(3_000_000 - usize::from(i) * 50_000)).expect("write");
            thread::sleep(Duration::from_millis(3));
        }
    });
    let run = copy(&sandbox, &["-f", "t", "d"]);
    writer.join().expect("a thread");
    if run.status == 0 {
        let bytes = sandbox.read("d/torn");
        let i = usize::from(bytes[0] - b'0');
        assert!(bytes.iter().all(|byte| *byte == bytes[0]), "torn");
        assert!(bytes.len() == 1 || (3_000_000 - bytes.len()) / 50_000 % 10 == i, "{}", bytes.len());
    } else {
        assert!(!sandbox.path("d/torn").exists(), "{}", run.err);
    }
}

#[test]
fn holes_stay_holes() {
    let sandbox = Sandbox::new();
    let file = File::create(sandbox.path("t/image")).expect("create");
    file.set_len(64 * MIB).expect("set_len");
    file.write_all_at(b"x", 10 * MIB).expect("write");
    drop(file);
    // The system is believed about holes 15 seconds after the last change.
    thread::sleep(Duration::from_secs(17));
    // This file is read: its zeros become holes.
    File::create(sandbox.path("t/new")).expect("create").set_len(64 * MIB).expect("set_len");
    copy(&sandbox, &["t", "d"]).good();
    for name in ["d/image", "d/new"] {
        let about = fs::metadata(sandbox.path(name)).expect("stat");
        assert!(
            about.len() == 64 * MIB && about.blocks() * 512 < 4 * MIB,
            "{name}: {} blocks",
            about.blocks()
        );
    }
    assert_verifies(&sandbox);
}

/// A full disk is one error, and leaves no partial file.
#[test]
fn a_write_that_fails_is_an_error() {
    let sandbox = tree();
    let script = "ulimit -f 2000; exec \"$0\" copy --key-file key t d";
    let mut shell = Command::new("env");
    shell.args(["--default-signal=XFSZ", "sh", "-c", script, common::PROGRAM]);
    let run = Run::from(shell.current_dir(sandbox.path(".")).output().expect("run"));
    assert_eq!(run.status, 2, "{}", run.err);
    run.says("sub/large: cannot write its copy: File too large");
    assert_eq!(sandbox.list("d/sub"), [".hidden"]);
    copy(&sandbox, &["t", "d"]).good().says("3 there before");
}
