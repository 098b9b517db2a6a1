//! Signals while a manifest is written leave neither a temporary file nor half a manifest.
#![cfg(target_os = "linux")]
mod common;

use std::fs::File;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{Run, Sandbox};

/// Waits for the temporary file, which exists only while the manifest is written. Panics after a minute.
fn wait_for_temporary_file(sandbox: &Sandbox) {
    let start = Instant::now();
    while !sandbox.list(".").iter().any(|name| name.as_encoded_bytes().starts_with(b".carryless-")) {
        assert!(start.elapsed() < Duration::from_secs(60), "no temporary file");
        thread::sleep(Duration::from_millis(1));
    }
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(status.expect("kill").success());
}

fn with_large_file(size: u64) -> Sandbox {
    let sandbox = Sandbox::new();
    File::create(sandbox.path("t/large")).expect("create").set_len(size).expect("set_len");
    sandbox
}

#[test]
fn signals_end_the_command_and_leave_nothing_behind() {
    for (signal, number) in [
        ("HUP", 1),
        ("INT", 2),
        ("QUIT", 3),
        ("ABRT", 6),
        ("USR1", 10),
        ("USR2", 12),
        ("ALRM", 14),
        ("TERM", 15),
        ("XCPU", 24),
        ("VTALRM", 26),
        ("PROF", 27),
    ] {
        let sandbox = with_large_file(16 << 30);
        sandbox.write("m", "carryless-manifest-v0 old");
        // The tests themselves may run where signals are ignored, as under nohup.
        let mut command = Command::new("env");
        command.args([&format!("--default-signal={signal}"), env!("CARGO_BIN_EXE_carryless")]);
        command.args(["tag", "--key-file", "key", "--threads", "1", "-f", "-o", "m", "t"]);
        let mut child = command.current_dir(sandbox.path(".")).spawn().expect("spawn");
        wait_for_temporary_file(&sandbox);
        send(signal, &child);
        assert_eq!(child.wait().expect("wait").signal(), Some(number), "killed by SIG{signal} itself");
        assert_eq!(sandbox.list("."), ["key", "m", "t"], "SIG{signal}");
        assert_eq!(sandbox.read("m"), b"carryless-manifest-v0 old");
    }
}

/// Neither replaces the manifest of the other unread.
#[test]
fn of_two_first_manifests_one_is_written() {
    let sandbox = with_large_file(4 << 30);
    sandbox.write("small", "x");
    let mut first = sandbox.command();
    first.args(["tag", "--key-file", "key", "--threads", "1", "-q", "-f", "-o", "m", "t"]);
    let first = first.stderr(Stdio::piped()).spawn().expect("spawn");
    wait_for_temporary_file(&sandbox);
    sandbox.tag(&["-q", "-f", "-o", "m", "small"]).good();
    let manifest = sandbox.read("m");
    Run::from(first.wait_with_output().expect("wait")).trouble("m: exists already, not overwritten");
    assert_eq!(sandbox.read("m"), manifest);
}

/// Each takes minutes if it is let alone.
#[cfg(feature = "algebra")]
#[test]
fn signals_end_long_computations_at_once() {
    for operation in [
        ["irreducible", "400000,1279,216,3,0"],
        ["factor", "400000,1279,216,3,0"],
        ["find-irreducible", "400000"],
    ] {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_carryless"), "poly"]).args(operation);
        let mut child = command.stdout(Stdio::null()).spawn().expect("spawn");
        thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        send("INT", &child);
        assert_eq!(child.wait().expect("wait").signal(), Some(2), "{operation:?}");
        assert!(start.elapsed() < Duration::from_secs(10), "{operation:?}");
    }
}

/// Under nohup and in the background of scripts some signals are ignored.
#[test]
fn signals_that_the_caller_ignores_stay_ignored() {
    let sandbox = with_large_file(1 << 30);
    let script = "trap '' INT HUP; exec \"$0\" tag --key-file key --threads 1 -q -o m t";
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", script, env!("CARGO_BIN_EXE_carryless")]).current_dir(sandbox.path("."));
    let mut child = shell.spawn().expect("spawn");
    wait_for_temporary_file(&sandbox);
    send("INT", &child);
    send("HUP", &child);
    assert!(child.wait().expect("wait").success());
    sandbox.verify(&["-q", "m"]).good();
}

/// A write that exceeds the limit of file sizes is an error and leaves nothing behind.
#[test]
fn files_above_the_limit_are_an_error() {
    let sandbox = Sandbox::new();
    (0..100).for_each(|i| sandbox.write(format!("t/{i}"), "x"));
    sandbox.write("m", "carryless-manifest-v0 old");
    let limited = |arguments: &str| {
        // The unit of `ulimit -f` is 512 or 1024 bytes, by the shell. The manifest has more than 5000 bytes.
        let script = format!("ulimit -f 1; exec \"$0\" {arguments}");
        let mut shell = Command::new("env");
        shell.args(["--default-signal=XFSZ", "sh", "-c", &script, env!("CARGO_BIN_EXE_carryless")]);
        Run::from(shell.current_dir(sandbox.path(".")).output().expect("run"))
    };
    limited("tag --key-file key -q -f -o m t").trouble("m: cannot write: File too large");
    limited("tag --key-file key -q -o new t").trouble("new: cannot write: File too large");
    limited("tag --key-file key -q -o - t > out").trouble("File too large");
    assert_eq!(sandbox.list("."), ["key", "m", "out", "t"]);
    assert_eq!(sandbox.read("m"), b"carryless-manifest-v0 old");
}
