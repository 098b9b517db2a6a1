//! Folders and links of a copy, and others who change them meanwhile.
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use super::common::{Sandbox, as_ordinary_user};
use super::{assert_verifies, copy, temporaries, tree, wait_for};

fn mode(sandbox: &Sandbox, name: &str) -> u32 {
    fs::metadata(sandbox.path(name)).expect("stat").mode() & 0o7777
}

fn set_mode(sandbox: &Sandbox, name: &str, mode: u32) {
    fs::set_permissions(sandbox.path(name), Permissions::from_mode(mode)).expect("chmod");
}

/// Neither contents nor permissions or times of what lies outside of the copy change.
#[test]
fn links_in_the_copy_lead_nowhere() {
    let sandbox = tree();
    set_mode(&sandbox, "t/sub", 0o777);
    fs::create_dir(sandbox.path("outside")).expect("mkdir");
    set_mode(&sandbox, "outside", 0o700);
    fs::create_dir(sandbox.path("d")).expect("mkdir");
    symlink("../outside", sandbox.path("d/sub")).expect("symlink");
    let before = fs::metadata(sandbox.path("outside")).expect("stat");
    copy(&sandbox, &["--keep-going", "t", "d"]).says("sub: is in the copy already and differs");
    let after = fs::metadata(sandbox.path("outside")).expect("stat");
    assert_eq!((after.mode(), after.mtime(), after.ctime()), (before.mode(), before.mtime(), before.ctime()));
    assert_eq!(
        (sandbox.list("outside").len(), sandbox.list("d")),
        (0, ["a", "b", "empty", "sub"].map(Into::into).into())
    );
}

/// A folder that becomes a link while files are copied to it.
#[test]
fn a_link_that_comes_into_the_copy_is_not_followed() {
    let sandbox = Sandbox::new();
    sandbox.write("t/sub/first", "");
    (0..2000).for_each(|i| sandbox.write_quickly(&format!("t/sub/{i}")));
    fs::create_dir(sandbox.path("outside")).expect("mkdir");
    set_mode(&sandbox, "outside", 0o700);
    let [from, to] = ["d/sub", "d/moved"].map(|name| sandbox.path(name));
    let other = thread::spawn(move || {
        wait_for(|| fs::rename(&from, &to).is_ok());
        symlink("../outside", &from).expect("symlink");
    });
    let run = copy(&sandbox, &["t", "d"]);
    other.join().expect("a thread");
    assert_ne!(run.status, 0, "{}", run.err);
    assert_eq!((sandbox.list("outside").len(), mode(&sandbox, "outside")), (0, 0o700), "{}", run.err);
}

/// Folders that were there keep their attributes, unless a copy that was killed has made them.
#[test]
fn folders_that_were_there_keep_their_permissions() {
    let sandbox = tree();
    set_mode(&sandbox, "t", 0o1777);
    set_mode(&sandbox, "t/sub", 0o750);
    for folder in ["d", "d/sub", "d/empty"] {
        fs::create_dir(sandbox.path(folder)).expect("mkdir");
        set_mode(&sandbox, folder, 0o711);
    }
    copy(&sandbox, &["t", "d"]).good();
    assert_eq!(["d", "d/sub", "d/empty"].map(|folder| mode(&sandbox, folder)), [0o711; 3]);
    // A new folder is closed to others until it is complete, and has the sticky bit.
    let large = sandbox.path("t/sub/huge");
    File::create(&large).expect("create").set_len(64 << 30).expect("set_len");
    let mut command = sandbox.command();
    let mut child = command.args(["copy", "--key-file", "key", "t", "e"]).spawn().expect("spawn");
    wait_for(|| temporaries(&sandbox, "e/sub") > 0);
    child.kill().expect("kill");
    child.wait().expect("wait");
    assert_eq!(["e", "e/sub", "e/empty"].map(|folder| mode(&sandbox, folder)), [0o1700; 3]);
    fs::remove_file(large).expect("rm");
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::open(sandbox.path("t")).expect("open").set_modified(time).expect("utimes");
    copy(&sandbox, &["t", "e"]).good();
    assert_eq!(["e", "e/sub"].map(|folder| mode(&sandbox, folder)), [0o1777, 0o750]);
    assert_eq!(fs::metadata(sandbox.path("e")).expect("stat").modified().expect("time"), time);
}

/// New names change the time of a folder: it comes back, also if the command ends early.
#[test]
fn folders_that_were_there_keep_their_times() {
    let sandbox = tree();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let set = |name: &str| File::open(sandbox.path(name)).expect("open").set_modified(time).expect("utimes");
    let has = |name: &str| {
        let found = fs::metadata(sandbox.path(name)).expect("stat").modified().expect("time");
        assert_eq!(found, time, "{name}");
    };
    super::common::fifo(&sandbox.path("t/sub/more"));
    ["t/sub", "t"].into_iter().for_each(set);
    copy(&sandbox, &["--keep-going", "t", "d"]).says("sub/more: a FIFO, not read");
    ["d/sub", "d"].into_iter().for_each(has);
    fs::remove_file(sandbox.path("t/sub/more")).expect("rm");
    ["t/sub/more", "t/more"].into_iter().for_each(|name| sandbox.write_quickly(name));
    copy(&sandbox, &["--force", "t", "d"]).good().says("4 there before");
    ["d/sub", "d"].into_iter().for_each(has);
    // A report that nobody can read ends the command.
    fs::create_dir(sandbox.path("t/many")).expect("mkdir");
    (0..2000).for_each(|i| sandbox.write_quickly(&format!("t/many/{i}")));
    fs::create_dir_all(sandbox.path("e/sub")).expect("mkdir");
    ["e/sub", "e"].into_iter().for_each(set);
    let full = File::options().write(true).open("/dev/full").expect("open");
    let mut command = sandbox.command();
    let run = command.args(["copy", "--key-file", "key", "--json", "t", "e"]).stdout(full).output();
    super::Run::from(run.expect("run")).says("No space left on device");
    ["e/sub", "e"].into_iter().for_each(has);
    assert_eq!(mode(&sandbox, "e/many"), 0o1700);
    copy(&sandbox, &["t", "e"]).good();
    ["e/sub", "e"].into_iter().for_each(has);
    assert_ne!(mode(&sandbox, "e/many") & 0o1000, 0o1000);
}

/// A signal that ends the command gives folders from before their times and permissions back, after incomplete files are
/// removed. Otherwise the next run would take those of the interrupted one for the original.
#[test]
fn folders_that_were_there_are_the_same_after_a_signal() {
    for signals in [&["TERM"][..], &["TERM", "USR1"]] {
        let sandbox = tree();
        File::create(sandbox.path("t/sub/huge")).expect("create").set_len(64 << 30).expect("set_len");
        fs::create_dir_all(sandbox.path("d/sub")).expect("mkdir");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_577_836_800);
        let mut command = as_ordinary_user(&sandbox);
        set_mode(&sandbox, "key", 0o644);
        set_mode(&sandbox, "d/sub", 0o500);
        for folder in ["d/sub", "d"].map(|folder| sandbox.path(folder)) {
            if fs::metadata(&folder).expect("stat").uid() == 0 {
                chown(&folder, Some(65534), Some(65534)).expect("chown");
            }
            File::open(&folder).expect("open").set_modified(time).expect("utimes");
        }
        let options = ["copy", "--key-file", "key", "--insecure-key-file", "t", "d"];
        let mut child = command.args(options).spawn().expect("spawn");
        wait_for(|| temporaries(&sandbox, "d/sub") > 0);
        for signal in signals {
            let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
            assert!(sent.expect("kill").success());
        }
        assert!(child.wait().expect("wait").signal().is_some());
        assert_eq!((temporaries(&sandbox, "d/sub"), mode(&sandbox, "d/sub")), (0, 0o500), "{signals:?}");
        for folder in ["d/sub", "d"] {
            let found = fs::metadata(sandbox.path(folder)).expect("stat").modified().expect("time");
            assert_eq!(found, time, "{folder} after {signals:?}");
        }
    }
}

/// A folder without permission to write to it is completed, and keeps its permissions.
#[test]
fn a_folder_that_forbids_writing_is_completed() {
    let sandbox = tree();
    copy(&sandbox, &["--exclude", "large", "-o", "m", "t", "d"]).good();
    for folder in ["d/sub", "d"] {
        set_mode(&sandbox, folder, 0o555);
    }
    // Root needs no permission.
    copy(&sandbox, &["t", "d"]).good().says("3 there before");
    assert_eq!(["d", "d/sub"].map(|folder| mode(&sandbox, folder)), [0o555; 2]);
    for folder in ["d", "d/sub"] {
        set_mode(&sandbox, folder, 0o755);
    }
    assert_verifies(&sandbox);
}

/// What an error of the walk has kept from being listed is missing, and nothing else.
#[test]
fn files_of_a_folder_with_an_error_are_copied() {
    let sandbox = tree();
    let changing = sandbox.path("t/sub/changing");
    let done = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&done);
    let other = thread::spawn(move || {
        while !ends.load(Ordering::Relaxed) {
            File::create(&changing).expect("create");
            fs::remove_file(&changing).expect("rm");
        }
    });
    // A walk may be lucky.
    let attempts = (0..20).map(|i| format!("d{i}"));
    let mut runs = attempts.map(|to| (copy(&sandbox, &["--keep-going", "t", &to]), to));
    let found = runs.find(|(run, _)| run.err.contains("sub: its entries changed again and again"));
    done.store(true, Ordering::Relaxed);
    other.join().expect("a thread");
    let (run, to) = found.expect("an error of the walk");
    let [file, manifest] = [format!("{to}/sub/large"), format!("{to}.carryless")];
    assert!(sandbox.path(&file).exists() && sandbox.path(&manifest).exists(), "{}", run.err);
}

/// A large file has its name as soon as it is synchronised.
#[test]
fn a_killed_copy_keeps_large_files() {
    let sandbox = tree();
    for (name, size) in [("t/large", 65 << 20), ("t/z", 64 << 30)] {
        File::create(sandbox.path(name)).expect("create").set_len(size).expect("set_len");
    }
    let mut child = sandbox.command();
    let mut child = child.args(["copy", "--key-file", "key", "t", "d"]).spawn().expect("spawn");
    wait_for(|| sandbox.path("d/large").exists());
    child.kill().expect("kill");
    child.wait().expect("wait");
    assert!(!sandbox.path("d/z").exists() && !sandbox.path("d.carryless").exists());
    fs::remove_file(sandbox.path("t/z")).expect("rm");
    copy(&sandbox, &["t", "d"]).good().says("1 there before");
}

/// Paths do not show where a folder is mounted twice.
#[test]
#[cfg(target_os = "linux")]
fn a_source_that_is_mounted_as_its_copy_is_found() {
    let mounts = |script: &str| {
        let sandbox = tree();
        fs::create_dir(sandbox.path("d")).expect("mkdir");
        let script = format!("{script} && exec \"$0\" copy --key-file key \"$1\" \"$2\"");
        let (from, to) = if script.contains("d/in") { ("t", "d/in/new") } else { ("t", "d") };
        let mut command = std::process::Command::new("unshare");
        let command = command.args([
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            &script,
            super::common::PROGRAM,
        ]);
        let run = command.args([from, to]).current_dir(sandbox.path(".")).output().expect("run");
        (super::Run::from(run), sandbox)
    };
    let (run, _sandbox) = mounts("mount --bind t d");
    if run.err.contains("unshare") || run.err.contains("mount") {
        // This system, or a sandbox, does not let everybody mount folders.
        return;
    }
    run.trouble("d: source and copy are the same folder");
    mounts("mount --bind t/sub d").0.trouble("d: the copy lies in its source ./t");
    mounts("mkdir d/in && mount --bind t d/in").0.trouble("the copy lies in its source");
}

/// Two names of one file are one copy, which a single write or a bad block destroys.
#[test]
fn a_hard_link_of_the_source_is_no_copy() {
    let sandbox = tree();
    fs::create_dir(sandbox.path("d")).expect("mkdir");
    fs::hard_link(sandbox.path("t/a"), sandbox.path("d/a")).expect("link");
    let run = copy(&sandbox, &["t", "d"]);
    assert_eq!((run.status, run.text().as_str()), (2, "a: error\n"), "{}", run.err);
    run.says("a: is the same file as in the source").says("no manifest written: 1 of 4");
    // A hard link within the copy is none of the source.
    fs::remove_file(sandbox.path("d/a")).expect("rm");
    sandbox.write("d/a", "hello\n");
    fs::hard_link(sandbox.path("d/a"), sandbox.path("d/again")).expect("link");
    sandbox.write("t/again", "hello\n");
    copy(&sandbox, &["t", "d"]).good().says("5 there before");
}

/// The manifest has the metadata of the copy.
#[test]
fn with_all_metadata_the_source_may_differ() {
    let sandbox = tree();
    set_mode(&sandbox, "t/a", 0o4755);
    copy(&sandbox, &["--metadata", "full", "t", "d"]).good();
    sandbox.verify(&["-q", "-C", "d", "d.carryless"]).good();
    sandbox.verify(&["-q", "-C", "t", "d.carryless"]).mismatch().prints("a: metadata\n");
}

/// A file in a folder that the source lacks may be somebody's. Folders that filters leave out are none of the copy.
#[test]
fn incomplete_files_elsewhere_are_reported_and_stay() {
    let sandbox = tree();
    let name = ".carryless-copy-abc234";
    for folder in ["sub", "empty", "other"] {
        sandbox.write(format!("d/{folder}/{name}"), "part");
    }
    copy(&sandbox, &["--exclude", "empty/", "t", "d"])
        .mismatch()
        .prints(&format!("other/{name}: new\n"))
        .says(&format!("other/{name}: temporary file of a copy that was killed or still runs, not removed"));
    assert_eq!(["d/sub", "d/empty", "d/other"].map(|folder| temporaries(&sandbox, folder)), [0, 1, 1]);
    symlink("part", sandbox.path(format!("d/{name}"))).expect("symlink");
    let run = copy(&sandbox, &["-f", "--exclude", "empty/", "--exclude", "other/", "t", "d"]);
    run.mismatch().prints(&format!("{name}: new\n"));
    assert!(!run.err.contains("temporary file"), "{}", run.err);
}

/// Neither incomplete files of another running copy are removed, nor files of the source with such names.
#[test]
fn only_incomplete_files_of_the_copy_are_removed() {
    let sandbox = tree();
    copy(&sandbox, &["t", "d"]).good();
    sandbox.write("d/sub/.carryless-copy-aB3xY9", "");
    let folder = File::open(sandbox.path("d")).expect("open");
    folder.lock().expect("lock");
    copy(&sandbox, &["-o", "m", "t/sub", "d/sub"]).mismatch().prints(".carryless-copy-aB3xY9: new\n");
    // The lock of a copy to a folder below.
    folder.unlock().expect("unlock");
    folder.lock_shared().expect("lock");
    copy(&sandbox, &["-o", "n", "t", "d"])
        .trouble("d: another command copies to it, or to a folder below it");
    drop(folder);
    sandbox.write("t/sub/.carryless-copy-aB3xY9", "");
    copy(&sandbox, &["-o", "n", "--exclude", ".carryless*", "t", "d"]).good();
    assert_eq!(temporaries(&sandbox, "d/sub"), 1);
    fs::remove_file(sandbox.path("t/sub/.carryless-copy-aB3xY9")).expect("rm");
    let run = copy(&sandbox, &["-o", "o", "--json", "t", "d"]);
    // All bytes of both folders are counted.
    run.good().says("6301468 bytes read");
    assert!(run.text().contains(r#""bytes":6301468"#), "{}", run.text());
    assert_eq!(temporaries(&sandbox, "d/sub"), 0);
}
