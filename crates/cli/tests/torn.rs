//! Files that are written while they are tagged, and folders whose entries move. A tag must be that of
//! contents that existed, and a manifest must have every file that was there throughout.
//!
//! `CARRYLESS_RACES=all` makes as many runs as a release needs: 12, 40 and 30.
#![allow(unsafe_code, reason = "shared maps, which nobody shortens")]
mod common;

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Run, Sandbox, as_ordinary_user};

/// The number of runs: `few`, or `all` if `CARRYLESS_RACES` asks for it.
fn runs(few: usize, all: usize) -> usize {
    if std::env::var("CARRYLESS_RACES").is_ok_and(|value| value == "all") { all } else { few }
}

/// The tag of the only file of a manifest.
fn tag_in(manifest: &str) -> String {
    let line = manifest.lines().find_map(|line| line.strip_prefix("file "));
    line.and_then(|line| line.split(' ').next()).expect("a file").to_owned()
}

/// A sandbox with the file `t/w`, whose contents are all `a` or all `b`, and the tags of both.
struct Flipping {
    sandbox: Sandbox,
    contents: [Vec<u8>; 2],
    tags: [String; 2],
}

impl Flipping {
    fn new(size: usize) -> Self {
        let sandbox = Sandbox::new();
        let contents = [vec![b'a'; size], vec![b'b'; size]];
        let tags = [0, 1].map(|i| {
            sandbox.write("t/w", &contents[i]);
            tag_in(&sandbox.tag(&["-o", "-", "t"]).good().text())
        });
        Self { sandbox, contents, tags }
    }

    fn command(&self) -> Command {
        let mut command = self.sandbox.command();
        command.args(["tag", "--key-file", "key", "-o", "-", "t"]);
        command
    }

    /// Whether a run succeeded with a tag that is neither of the two: the file was torn, half `a` and half
    /// `b`.
    fn is_torn(&self, run: &Run) -> bool {
        assert!([0, 2].contains(&run.status), "{}", run.err);
        run.status == 0 && !self.tags.contains(&tag_in(&run.text()))
    }

    /// Runs the command while one long write replaces the contents.
    fn run_within_a_write(&self, mut command: Command, to: usize) -> Run {
        let path = self.sandbox.path("t/w");
        self.sandbox.write("t/w", &self.contents[1 - to]);
        thread::sleep(Duration::from_millis(50));
        thread::scope(|scope| {
            scope.spawn(|| {
                let file = OpenOptions::new().write(true).open(&path).expect("open");
                file.write_all_at(&self.contents[to], 0).expect("write");
            });
            thread::sleep(Duration::from_millis(15));
            Run::from(command.output().expect("run"))
        })
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_within_a_long_write_is_never_tagged_torn() {
    let flipping = Flipping::new(300 << 20);
    let torn = (0..runs(2, 12)).filter(|i| {
        let run = flipping.run_within_a_write(flipping.command(), i % 2);
        flipping.is_torn(&run)
    });
    assert_eq!(torn.count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_in_a_shared_map_is_never_tagged_torn() {
    let flipping = Flipping::new(24 << 20);
    let file = OpenOptions::new().read(true).write(true).open(flipping.sandbox.path("t/w")).expect("open");
    // SAFETY: nobody shortens the file.
    let mut map = unsafe { memmap2::MmapMut::map_mut(&file) }.expect("map");
    drop(file);
    let stop = AtomicBool::new(false);
    let mut outcomes = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            for i in (0..2).cycle().take_while(|_| !stop.load(Ordering::Relaxed)) {
                map.copy_from_slice(&flipping.contents[i]);
            }
        });
        for i in 0..runs(6, 40) {
            let mut command = flipping.command();
            if i % 2 == 1 {
                command.arg("--mmap");
            }
            outcomes.push(Run::from(command.output().expect("run")));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(outcomes.iter().filter(|run| flipping.is_torn(run)).count(), 0);
    // The descriptor is closed, but the map still counts as a writer.
    outcomes[0].says("t/w: not read: a program has it open for writing");
}

/// A user can have no lease on another's file. There --twice notices the writer, by a second reading.
#[cfg(target_os = "linux")]
#[test]
fn two_readings_tell_of_a_long_write() {
    let flipping = Flipping::new(300 << 20);
    fs::set_permissions(flipping.sandbox.path("key"), Permissions::from_mode(0o644)).expect("chmod");
    for i in 0..runs(2, 12) {
        let mut command = as_ordinary_user(&flipping.sandbox);
        command.args(["tag", "--key-file", "key", "--insecure-key-file", "--twice", "-o", "-", "t"]);
        let run = flipping.run_within_a_write(command, i % 2);
        assert!(!flipping.is_torn(&run), "{}", run.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_a_lease_are_counted_unless_read_twice() {
    let sandbox = Sandbox::tagged();
    fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o644)).expect("chmod");
    // The owner of the files can have leases on them. Root runs the command as another user, who cannot.
    let owner = rustix::process::geteuid().as_raw() != 0;
    let run = |args: &[&str]| {
        let key = ["--key-file", "key", "--insecure-key-file"];
        let mut command = as_ordinary_user(&sandbox);
        Run::from(command.arg(args[0]).args(key).args(&args[1..]).output().expect("run"))
    };
    let warning = "no lease could be had on 3 files: a writer may go unnoticed there (see --twice)";
    for args in [&["tag", "-o", "-", "t"][..], &["verify", "m"]] {
        let alone = run(args);
        assert_eq!(alone.good().err.contains(warning), !owner, "{}", alone.err);
        let twice = run(&[&args[..1], &["--twice"], &args[1..]].concat());
        assert!(!twice.good().err.contains("lease"), "{}", twice.err);
        assert_eq!(alone.out, twice.out);
    }
    assert_eq!(run(&["verify", "-q", "m"]).good().err, "");
    fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o600)).expect("chmod");
    fs::set_permissions(sandbox.path("."), Permissions::from_mode(0o755)).expect("chmod");
    assert!(!sandbox.tag(&["-o", "-", "t"]).good().err.contains("lease"));
}

/// Even if the descriptor is idle: it could write at any time.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_open_for_writing_is_an_error() {
    let sandbox = Sandbox::tagged();
    let writer = OpenOptions::new().append(true).open(sandbox.path("t/a")).expect("open");
    let message = "t/a: not read: a program has it open for writing";
    let run = sandbox.tag(&["-o", "m2", "t"]);
    assert_eq!(run.status, 2);
    run.says(message).says("no manifest written: 1 of 3 files");
    assert!(!sandbox.path("m2").exists());
    let run = sandbox.verify(&["-q", "m"]);
    assert_eq!(run.status, 2);
    run.says(message).prints("t/a: error\n");
    drop(writer);
    sandbox.verify(&["-q", "m"]).good();
    // A different size proves a change, whoever has the file open.
    let mut writer = OpenOptions::new().append(true).open(sandbox.path("t/a")).expect("open");
    writer.write_all(b"more").expect("write");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: edited\n");
}

/// A program that opens a file for writing while it is read waits only until the command gives up its lease.
#[cfg(target_os = "linux")]
#[test]
fn writers_do_not_wait_for_long() {
    let sandbox = Sandbox::new();
    File::create(sandbox.path("t/a")).expect("create").set_len(1 << 40).expect("set_len");
    let args = ["tag", "--key-file", "key", "-o", "m", "t"];
    let mut child = sandbox.command().args(args).stderr(Stdio::piped()).spawn().expect("spawn");
    let inode = format!(":{} ", fs::metadata(sandbox.path("t/a")).expect("stat").ino());
    let is_lease = |line: &str| line.contains("LEASE") && line.contains(&inode);
    while !fs::read_to_string("/proc/locks").expect("locks").lines().any(is_lease) {
        assert!(child.try_wait().expect("wait").is_none(), "it reads for hours");
        thread::sleep(Duration::from_millis(1));
    }
    let (start, mut longest) = (Instant::now(), Duration::ZERO);
    // The command tries again after a writer, so that it meets several.
    while child.try_wait().expect("wait").is_none() {
        let opened = Instant::now();
        drop(OpenOptions::new().write(true).open(sandbox.path("t/a")).expect("open"));
        longest = longest.max(opened.elapsed());
        if start.elapsed() > Duration::from_secs(100) {
            child.kill().expect("kill");
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert!(longest < Duration::from_secs(20), "{longest:?}");
    let run = Run::from(child.wait_with_output().expect("output"));
    assert_eq!(run.status, 2);
    run.says("t/a: ").says("for writing");
}

const FILES: usize = 400;

/// A sandbox of many small files.
fn many_files() -> Sandbox {
    let sandbox = Sandbox::new();
    (0..FILES).for_each(|i| sandbox.write(format!("t/f{i}"), ""));
    sandbox
}

fn entries(run: &Run) -> usize {
    run.text().lines().filter(|line| line.starts_with("file ")).count()
}

/// Renames file number `i` and back at once: the folder has as many files at any time.
fn rename_and_back(folder: &Path, i: usize) {
    let (here, there) = (folder.join(format!("t/f{}", i % FILES)), folder.join("t/renamed"));
    fs::rename(&here, &there).expect("mv");
    fs::rename(&there, &here).expect("mv");
}

/// Moves file number `i` out of the folder and back at once.
fn move_away_and_back(folder: &Path, i: usize) {
    let (here, away) = (folder.join(format!("t/f{}", i % FILES)), folder.join("away"));
    fs::rename(&here, &away).expect("mv");
    fs::rename(&away, &here).expect("mv");
}

#[test]
fn no_manifest_lacks_a_file_that_moves() {
    let sandbox = many_files();
    let folder = sandbox.path(".");
    let stop = AtomicBool::new(false);
    let outcomes: Vec<Run> = thread::scope(|scope| {
        scope.spawn(|| {
            (0..).take_while(|_| !stop.load(Ordering::Relaxed)).for_each(|i| rename_and_back(&folder, i));
        });
        let outcomes = (0..runs(5, 30)).map(|_| sandbox.tag(&["-o", "-", "t"])).collect();
        stop.store(true, Ordering::Relaxed);
        outcomes
    });
    for run in outcomes {
        assert!([0, 2].contains(&run.status), "{}", run.err);
        assert!(run.status == 2 || entries(&run) == FILES, "{} entries", entries(&run));
    }
}

/// Moves files away and back for 60 ms. Returns whether it never paused for as long as the command takes for rest, nor ended
/// after the command gives up.
fn keep_moving(folder: &Path) -> bool {
    let (start, mut last, mut longest) = (Instant::now(), Instant::now(), Duration::ZERO);
    for i in 0.. {
        move_away_and_back(folder, i);
        longest = longest.max(last.elapsed());
        last = Instant::now();
        if start.elapsed() > Duration::from_millis(60) {
            break;
        }
    }
    longest < Duration::from_millis(10) && start.elapsed() < Duration::from_millis(120)
}

/// A folder that changes during the listing is listed again, and tagged completely once it rests.
#[test]
fn a_folder_that_settles_is_listed_again() {
    let sandbox = many_files();
    let folder = sandbox.path(".");
    let mut settled = 0;
    for _ in 0..100 {
        thread::scope(|scope| {
            let mover = scope.spawn(|| keep_moving(&folder));
            let run = sandbox.tag(&["-o", "-", "t"]);
            // On a busy computer the mover may have to wait: such a run shows nothing.
            if mover.join().expect("no panic") {
                assert_eq!(entries(run.good()), FILES, "{}", run.err);
                settled += 1;
            }
        });
        if settled == runs(3, 10) {
            return;
        }
    }
    panic!("the computer is too busy: {settled} folders rested in time");
}
