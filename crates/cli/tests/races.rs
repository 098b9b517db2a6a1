//! Changes that others make to a tree while the command reads it.
mod common;

use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use common::{Run, Sandbox};

/// A sandbox with `t/a`, a sparse file of 2 GiB: reading it takes long enough for a change meanwhile.
fn with_large_file() -> Sandbox {
    let sandbox = Sandbox::new();
    File::create(sandbox.path("t/a")).expect("create").set_len(2 << 30).expect("set_len");
    sandbox.write("t/sub/x", "x");
    // A later change must fall into another tick of the file system's clock, or its times would show nothing.
    thread::sleep(Duration::from_millis(50));
    sandbox
}

/// Runs `tag` with one thread and calls `act` as soon as it reads the large file. What `act` returns is kept until the end.
fn tag_meanwhile<T>(sandbox: &Sandbox, act: impl FnOnce() -> T) -> Run {
    let args = ["tag", "--key-file", "key", "--threads", "1", "--progress", "json", "-o", "m", "t"];
    let mut child = sandbox.command().args(args).stderr(Stdio::piped()).spawn().expect("spawn");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut err = String::new();
    lines.read_line(&mut err).expect("a line of progress");
    assert!(err.contains("\"files\":0,"), "{err}");
    let kept = act();
    err.clear();
    lines.read_to_string(&mut err).expect("UTF-8");
    err = err.lines().filter(|line| !line.starts_with('{')).collect::<Vec<_>>().join("\n");
    let status = child.wait().expect("wait").code().expect("not killed by a signal");
    drop(kept);
    Run { status, out: Vec::new(), err }
}

/// Writes to the large file, sets back its time of modification, and returns it open.
fn write_and_set_back(sandbox: &Sandbox) -> File {
    let mut file = OpenOptions::new().write(true).open(sandbox.path("t/a")).expect("open");
    let modified = file.metadata().expect("stat").modified().expect("a time");
    file.write_all(b"changed").expect("write");
    file.set_times(FileTimes::new().set_modified(modified)).expect("utimes");
    file
}

#[test]
fn a_writer_that_sets_the_time_back_is_noticed() {
    let sandbox = with_large_file();
    let run = tag_meanwhile(&sandbox, || write_and_set_back(&sandbox));
    assert_eq!(run.status, 2, "{}", run.err);
    run.says("t/a: not read: a program has it open for writing");
    assert!(!sandbox.path("m").exists());
}

#[test]
fn a_file_with_a_writer_for_a_moment_is_read_again() {
    let sandbox = with_large_file();
    tag_meanwhile(&sandbox, || drop(write_and_set_back(&sandbox))).good();
    sandbox.verify(&["-q", "m"]).good().prints("");
}

#[test]
fn a_file_that_nobody_touches_is_tagged() {
    let sandbox = with_large_file();
    tag_meanwhile(&sandbox, || {}).good();
}

/// The change comes after the walk and before the file is opened.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_becomes_a_link_is_not_followed() {
    let swap = |sandbox: &Sandbox| {
        fs::rename(sandbox.path("t/sub"), sandbox.path("elsewhere")).expect("mv");
        symlink("../elsewhere", sandbox.path("t/sub")).expect("symlink");
    };
    let sandbox = with_large_file();
    let run = tag_meanwhile(&sandbox, || swap(&sandbox));
    assert_eq!(run.status, 2, "{}", run.err);
    run.says("t/sub/x: a symbolic link has come into its path");

    // The same if the walk found a link there and not a file.
    let sandbox = with_large_file();
    fs::remove_file(sandbox.path("t/sub/x")).expect("rm");
    symlink("inside", sandbox.path("t/sub/x")).expect("symlink");
    let run = tag_meanwhile(&sandbox, || swap(&sandbox));
    assert_eq!(run.status, 2, "{}", run.err);
    run.says("t/sub/x: a symbolic link has come into its path");
}

/// rayon would take any number of threads from the environment.
#[cfg(target_os = "linux")]
#[test]
fn the_environment_does_not_set_the_number_of_threads() {
    let sandbox = Sandbox::new();
    File::create(sandbox.path("t/a")).expect("create").set_len(1 << 30).expect("set_len");
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let mut command = sandbox.command();
    command.env("RAYON_NUM_THREADS", (processors + 200).to_string());
    let mut child = command.args(["tag", "--key-file", "key", "-qo", "m", "t"]).spawn().expect("spawn");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("wait").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let threads = text.lines().find_map(|line| line.strip_prefix("Threads:")?.trim().parse().ok());
        most = most.max(threads.unwrap_or(0));
        thread::sleep(Duration::from_millis(1));
    }
    assert!((1..processors + 100).contains(&most), "{most} threads on {processors} processors");
    assert!(child.wait().expect("wait").success());
}
