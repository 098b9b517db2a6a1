//! One bad file is not the end: a changing file is tried again, and `--keep-going` records all others.
mod common;

use std::fs::{self, File, OpenOptions, Permissions};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::thread;
use std::time::Duration;

use common::{Run, Sandbox, as_ordinary_user, fifo};
use rustix::fs::{Mode, OFlags, mkdirat, openat};

/// Makes folders whose path is too long for the system, as programs can that go down step by step.
fn too_deep(sandbox: &Sandbox, name: &str) {
    let folder = OFlags::RDONLY | OFlags::DIRECTORY;
    let mut at: OwnedFd = File::open(sandbox.path("t")).expect("a folder").into();
    for step in std::iter::once(name.to_owned()).chain((0..30).map(|i| format!("{i:0200}"))) {
        mkdirat(&at, &step, Mode::from_raw_mode(0o755)).expect("mkdir");
        at = openat(&at, &step, folder, Mode::empty()).expect("open");
    }
}

/// Runs `tag` or `verify` as a user whom modes stop.
fn run(sandbox: &Sandbox, args: &[&str]) -> Run {
    let mut command = as_ordinary_user(sandbox);
    fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o644)).expect("chmod");
    command.args([&args[..1], &["--key-file", "key", "--insecure-key-file"], &args[1..]].concat());
    Run::from(command.output().expect("run"))
}

#[test]
fn what_cannot_be_read_is_recorded_as_such() {
    let sandbox = Sandbox::tagged();
    fifo(&sandbox.path("t/fifo"));
    too_deep(&sandbox, "long");
    sandbox.write("t/unreadable", "secret");
    fs::set_permissions(sandbox.path("t/unreadable"), Permissions::from_mode(0o000)).expect("chmod");
    fs::set_permissions(sandbox.path("t/sub"), Permissions::from_mode(0o000)).expect("chmod");
    let run = |args: &[&str]| run(&sandbox, args);

    let failed = run(&["tag", "-o", "-", "t"]);
    assert_eq!((failed.status, failed.text()), (2, String::new()));
    let tagged = run(&["tag", "--keep-going", "-o", "-", "t"]);
    assert_eq!(tagged.status, 2);
    tagged.says("t/fifo: a FIFO").says("t/sub: Permission denied").says("t/unreadable: Permission denied");
    tagged.says("File name too long").says("tagged 2 entries, 6 bytes, 4 errors recorded, key id ");
    let text = tagged.text();
    let kinds: Vec<_> =
        text.split_once("\n\n").expect("records").1.lines().map(|line| &line[..9.min(line.len())]).collect();
    assert_eq!(kinds.iter().filter(|line| line.starts_with("error t/")).count(), 4, "{text}");

    sandbox.write("m2", &text);
    fs::set_permissions(sandbox.path("m2"), Permissions::from_mode(0o644)).expect("chmod");
    let verified = run(&["verify", "m2"]);
    assert_eq!(verified.status, 2, "{}", verified.err);
    let long = text.lines().find_map(|line| line.strip_prefix("error t/long/")).expect("the long name");
    let expected =
        format!("t/a: ok\nt/b: ok\nt/fifo: error\nt/long/{long}: error\nt/sub: error\nt/unreadable: error\n");
    verified.prints(&expected).says("t/sub: Permission denied").says("4 errors");
    let shown = run(&["show", "m2"]).good().text();
    assert!(shown.contains("\nfiles 2\nlinks 0\nerrors 4\n"), "{shown}");
    assert!(run(&["list", "m2"]).good().text().contains("error - - t/fifo\n"));

    // Errors that are gone are still errors: nothing is known of these files.
    fs::set_permissions(sandbox.path("t/unreadable"), Permissions::from_mode(0o644)).expect("chmod");
    fs::set_permissions(sandbox.path("t/sub"), Permissions::from_mode(0o755)).expect("chmod");
    fs::remove_dir_all(sandbox.path("t/long")).expect("rm");
    fs::remove_file(sandbox.path("t/fifo")).expect("rm");
    let verified = run(&["verify", "-q", "m2"]);
    assert_eq!(verified.status, 2, "{}", verified.err);
    let expected = format!(
        "t/fifo: missing\nt/long/{long}: folder-missing\nt/sub: error\nt/sub/.hidden: new\nt/unreadable: error\n"
    );
    verified.prints(&expected).says("t/unreadable: could not be read or copied when the manifest was made");
    // Accepting them repairs the manifest.
    let updated = sandbox.run(&["update", "--key-file", "key", "--insecure-key-file", "-q", "--all", "m2"]);
    assert_eq!(updated.good().text().matches(" (accepted)\n").count(), 5, "{}", updated.text());
    run(&["verify", "-q", "m2"]).good().prints("");
}

#[test]
fn a_file_that_is_open_for_writing_is_recorded_as_an_error() {
    let sandbox = Sandbox::tagged();
    let old = sandbox.read("m");
    let writer = OpenOptions::new().append(true).open(sandbox.path("t/a")).expect("open");
    sandbox.tag(&["-f", "-o", "m", "t"]).says("no manifest written: 1 of 3 files").says("(see --keep-going)");
    assert_eq!(sandbox.read("m"), old);
    let run = sandbox.tag(&["-f", "-k", "--json", "-o", "m", "t"]);
    assert_eq!(run.status, 2);
    assert!(run.text().starts_with(r#"{"kind":"error","path":"t/a","message":"not read"#), "{}", run.text());
    drop(writer);
    sandbox
        .verify(&["-q", "m"])
        .prints("t/a: error\n")
        .says("t/a: could not be read or copied when the manifest was made");
    // Only this file is in question.
    sandbox.verify(&["-q", "m", "t/b", "t/sub"]).good();
    let diff = sandbox.run(&["diff", "--key-file", "key", "m", "m"]);
    assert_eq!((diff.status, diff.text().as_str()), (2, "t/a: error\n"));
}

#[test]
fn keep_going_needs_something_to_record() {
    let sandbox = Sandbox::new();
    fifo(&sandbox.path("t/fifo"));
    let run = sandbox.tag(&["-k", "-o", "m", "t"]);
    assert_eq!(run.status, 2);
    run.says("no manifest written: no file was found, or filters left out all");
    assert!(!sandbox.path("m").exists());
    let refused = sandbox.tag(&["-k", "--manifest-version", "1", "-o", "m", "t"]);
    refused.trouble("manifests of version 1 record no errors: leave --keep-going out");
    sandbox.write("t/a", "");
    assert_eq!(sandbox.tag(&["-k", "-o", "m", "t", "none"]).status, 2);
    sandbox.verify(&["-q", "m"]).prints("none: missing\nt/fifo: error\n");
}

/// A writer that is done before long delays `tag`, and is no error.
#[test]
fn a_file_that_changes_for_a_moment_is_read_again() {
    let sandbox = Sandbox::tagged();
    // Large enough that the writer comes while it is read, by a user who can have no lease on it.
    let contents = vec![7; 200 << 20];
    sandbox.write("t/large", &contents);
    let again = thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..10 {
                thread::sleep(Duration::from_millis(5));
                let file = File::options().write(true).open(sandbox.path("t/large")).expect("open");
                file.set_modified(std::time::SystemTime::now()).expect("a time");
            }
        });
        run(&sandbox, &["tag", "-q", "-o", "-", "t"])
    });
    again.good();
    sandbox.write("m2", &again.out);
    sandbox.verify(&["--insecure-key-file", "-q", "m2"]).good().prints("");
}
