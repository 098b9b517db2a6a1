//! Failures while files are read or written give one clear line, the right status, and leave nothing half
//! done.
mod common;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{Run, Sandbox, as_ordinary_user};

/// Part of the message about a file that changes. As root these tests run the command under another user id,
/// which can have no lease on the file and notices the change only by its size or times.
fn change_message() -> &'static str {
    if rustix::process::geteuid().as_raw() == 0 { "changed while it was read" } else { "for writing" }
}

/// Runs the command while a large sparse file below `t` is appended to continuously.
fn run_while_growing(sandbox: &Sandbox, args: &[&str]) -> Run {
    let mut command = as_ordinary_user(sandbox);
    fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o644)).expect("chmod");
    let mut child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("spawn");
    let mut file = OpenOptions::new().append(true).open(sandbox.path("t/large")).expect("open");
    while child.try_wait().expect("wait").is_none() {
        file.write_all(b"more").expect("append");
        thread::sleep(Duration::from_millis(1));
    }
    Run::from(child.wait_with_output().expect("output"))
}

#[test]
fn a_file_that_changes_while_it_is_read_stops_the_manifest() {
    let sandbox = Sandbox::tagged();
    let old = sandbox.read("m");
    let file = File::create(sandbox.path("t/large")).expect("create");
    file.set_len(1 << 30).expect("set_len");
    let args = ["tag", "--key-file", "key", "--insecure-key-file", "-o", "m", "--force", "t"];
    let run = run_while_growing(&sandbox, &args);
    assert_eq!(run.status, 2, "{}", run.err);
    assert_eq!(run.err.lines().count(), 2);
    run.says("t/large: ").says(change_message()).says("no manifest written: 1 of 4 files");
    assert_eq!(sandbox.read("m"), old, "the old manifest is untouched");
    assert_eq!(sandbox.list("."), ["carryless", "key", "m", "t"], "nothing is left behind");
}

#[test]
fn a_file_that_shrinks_while_it_is_read_is_an_error() {
    let sandbox = Sandbox::tagged();
    let file = File::create(sandbox.path("t/large")).expect("create");
    file.set_len(1 << 30).expect("set_len");
    let mut command = as_ordinary_user(&sandbox);
    fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o644)).expect("chmod");
    command.args(["tag", "--key-file", "key", "--insecure-key-file", "-o", "m2", "t"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("spawn");
    let mut length = 1 << 30;
    while child.try_wait().expect("wait").is_none() {
        length -= 1;
        file.set_len(length).expect("set_len");
        thread::sleep(Duration::from_millis(1));
    }
    let run = Run::from(child.wait_with_output().expect("output"));
    assert_eq!((run.status, run.err.lines().count()), (2, 2), "{}", run.err);
    run.says("t/large: ").says(change_message()).says("no manifest written");
    assert_eq!(sandbox.list("."), ["carryless", "key", "m", "t"]);
}

#[test]
fn the_key_is_never_overwritten_by_a_manifest() {
    let sandbox = Sandbox::tagged();
    let key = sandbox.read("key");
    sandbox.tag(&["-f", "-o", "key", "t"]).trouble("key: not a carryless manifest, not overwritten");
    sandbox.tag(&["-f", "-o", "t/../key", "t"]).trouble("not a carryless manifest");
    assert_eq!(sandbox.read("key"), key);
}

#[test]
fn a_base_that_is_no_folder_is_named() {
    let sandbox = Sandbox::tagged();
    sandbox.tag(&["-o", "m2", "-C", "none", "t"]).trouble("none: cannot open the folder: No such file");
    sandbox.tag(&["-o", "m2", "-C", "key", "t"]).trouble("key: cannot open the folder");
}

#[test]
fn existing_manifests_are_overwritten_by_force_only() {
    let sandbox = Sandbox::tagged();
    let old = sandbox.read("m");
    sandbox.write("t/new", "");
    sandbox.tag(&["-o", "m", "t"]).trouble("m: exists already, not overwritten");
    assert_eq!(sandbox.read("m"), old);
    sandbox.tag(&["-o", "m", "--force", "t"]).good();
    assert_ne!(sandbox.read("m"), old);
    sandbox.tag(&["-o", "t", "--force", "t"]).trouble("t: not an ordinary file");
    // Nobody is told to replace a key or a folder by force.
    for other in ["key", "t"] {
        sandbox
            .tag(&["-o", other, "t"])
            .trouble("it is not a manifest, so --force would not replace it either");
    }
    let run = sandbox.tag(&["-o", "none/m", "t"]);
    run.trouble("none/m: cannot create the file: No such file");
    assert!(!run.err.contains(".carryless-"), "the temporary name says nothing to the user: {}", run.err);
    assert_eq!(sandbox.list("."), ["key", "m", "t"]);
}

/// With `tag -f -o *` the shell could put any file in the place of the manifest.
#[test]
fn nothing_but_a_manifest_is_ever_overwritten() {
    let sandbox = Sandbox::tagged();
    for contents in [&b"\xff\xd8\xff\xe0 a photo"[..], b"carryless-manifest", b"x", b"carryless-key-v1:"] {
        sandbox.write("photo", contents);
        sandbox.tag(&["-f", "-o", "photo", "t"]).trouble("photo: not a carryless manifest, not overwritten");
        assert_eq!(sandbox.read("photo"), contents);
    }
    sandbox.write("photo", "");
    sandbox.tag(&["-f", "-o", "photo", "t"]).trouble("photo: not a carryless manifest but an empty file");
    assert_eq!(sandbox.read("photo"), b"");
    // Manifests may be overwritten, also damaged ones and those of a later version.
    sandbox.write("photo", "carryless-manifest-v9\n");
    sandbox.tag(&["-f", "-o", "photo", "t"]).good();
    sandbox.verify(&["photo"]).good();
    symlink("photo", sandbox.path("link")).expect("symlink");
    sandbox.tag(&["-f", "-o", "link", "t"]).trouble("link: not an ordinary file");
}

/// A full disk is simulated by a limit on the size of files.
#[test]
fn a_manifest_that_does_not_fit_leaves_nothing_behind() {
    let sandbox = Sandbox::tagged();
    let old = sandbox.read("m");
    for i in 0..100 {
        sandbox.write(format!("t/{i}"), "");
    }
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" tag --key-file key -f -o m t";
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", limited, env!("CARGO_BIN_EXE_carryless")]).current_dir(sandbox.path("."));
    let run = Run::from(shell.output().expect("run"));
    run.trouble("m: cannot write: ");
    assert!(!run.err.contains(".carryless-"), "{}", run.err);
    assert_eq!(sandbox.read("m"), old, "the old manifest is untouched");
    assert_eq!(sandbox.list("."), ["key", "m", "t"]);
}

#[test]
fn a_manifest_has_the_permissions_of_any_new_file() {
    let sandbox = Sandbox::tagged();
    File::create(sandbox.path("any")).expect("create");
    let mode = |name| fs::metadata(sandbox.path(name)).expect("stat").mode();
    assert_eq!(mode("m"), mode("any"));
}

/// Runs the command as a user with no special rights, with a key that this user may read.
fn run_as_ordinary_user(sandbox: &Sandbox, args: &[&str]) -> Run {
    let mut command = as_ordinary_user(sandbox);
    fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o644)).expect("chmod");
    Run::from(command.args(args).stdin(Stdio::null()).output().expect("run"))
}

/// A folder may permit new files and yet refuse to be opened, which synchronising it requires.
#[test]
fn a_folder_that_cannot_be_opened_is_refused_before_anything_is_replaced() {
    let sandbox = Sandbox::tagged();
    let old = sandbox.read("m");
    sandbox.write("o/m", &old);
    fs::set_permissions(sandbox.path("o/m"), Permissions::from_mode(0o666)).expect("chmod");
    fs::set_permissions(sandbox.path("o"), Permissions::from_mode(0o333)).expect("chmod");
    let key = ["tag", "--key-file", "key", "--insecure-key-file"];
    for rest in [&["-f", "-o", "o/m", "t"], &["-q", "-o", "o/new", "t"]] {
        let run = run_as_ordinary_user(&sandbox, &[&key[..], rest].concat());
        run.trouble(&format!("{}: cannot create the file: Permission denied", rest[2]));
    }
    fs::set_permissions(sandbox.path("o"), Permissions::from_mode(0o755)).expect("chmod");
    assert_eq!(sandbox.read("o/m"), old);
    assert_eq!(sandbox.list("o"), ["m"]);
}

#[test]
fn a_manifest_that_is_replaced_keeps_its_permissions() {
    let sandbox = Sandbox::tagged();
    for mode in [0o600, 0o640, 0o444] {
        fs::set_permissions(sandbox.path("m"), Permissions::from_mode(mode)).expect("chmod");
        sandbox.tag(&["-f", "-o", "m", "t"]).good();
        assert_eq!(fs::metadata(sandbox.path("m")).expect("stat").mode() & 0o7777, mode);
    }
}

#[test]
fn unreadable_files_and_folders() {
    let sandbox = Sandbox::tagged();
    let key = ["--key-file", "key", "--insecure-key-file"];
    let tag = [&["tag"], &key[..], &["-o", "m2", "t"]].concat();
    let verify = [&["verify"], &key[..], &["-q", "m"]].concat();
    run_as_ordinary_user(&sandbox, &verify).good();

    fs::set_permissions(sandbox.path("t/a"), Permissions::from_mode(0o000)).expect("chmod");
    let run = run_as_ordinary_user(&sandbox, &tag);
    assert_eq!((run.status, run.err.lines().count()), (2, 2), "{}", run.err);
    run.says("t/a: Permission denied").says("no manifest written");
    assert!(!sandbox.path("m2").exists());
    let run = run_as_ordinary_user(&sandbox, &verify);
    assert_eq!(run.status, 2);
    run.says("t/a: Permission denied").prints("t/a: error\n");
    fs::set_permissions(sandbox.path("t/a"), Permissions::from_mode(0o644)).expect("chmod");

    fs::set_permissions(sandbox.path("t/sub"), Permissions::from_mode(0o000)).expect("chmod");
    run_as_ordinary_user(&sandbox, &tag).trouble("carryless: t/sub: Permission denied");
    let run = run_as_ordinary_user(&sandbox, &verify);
    assert_eq!(run.status, 2);
    run.says("carryless: t/sub: Permission denied").prints("t/sub: error\nt/sub/.hidden: error\n");
    let run = run_as_ordinary_user(&sandbox, &[&verify[..], &["--json"]].concat());
    assert!(run.text().starts_with(r#"{"path":"t/sub","status":"error","message":"Permission denied"#));
    fs::set_permissions(sandbox.path("t/sub"), Permissions::from_mode(0o755)).expect("chmod");
}

#[test]
fn wrong_command_lines_exit_with_2() {
    let sandbox = Sandbox::tagged();
    let cases: [&[&str]; 7] = [
        &[],
        &["tga"],
        &["tag", "--key-file", "key", "-o", "m2"],
        &["tag", "--key-file", "key", "t"],
        &["tag", "--key-file", "key", "-o", "m2", "--threads", "0", "t"],
        &["tag", "--key-file", "key", "-o", "m2", "--backend", "abacus", "t"],
        &["tag", "--key-file", "key", "-o", "m2", ""],
    ];
    for args in cases {
        assert_eq!(sandbox.run(args).status, 2, "{args:?}");
    }
    sandbox.run(&["--version"]).good();
    sandbox.run(&["help", "verify"]).good();
}

#[test]
fn memory_stays_small_however_large_the_file() {
    let sandbox = Sandbox::new();
    File::create(sandbox.path("t/large")).expect("create").set_len(2 << 30).expect("set_len");
    let mut child =
        sandbox.command().args(["tag", "--key-file", "key", "-q", "-o", "m", "t"]).spawn().expect("spawn");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().expect("wait").is_none() {
        // A process that is being torn down has no such line.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kib);
        thread::sleep(Duration::from_millis(2));
    }
    let peak = peak.expect("a figure from the system");
    assert!(peak < 64 << 10, "{peak} KiB");
}
