//! Key files: how they are made, where they are read from, and which are refused.
mod common;

use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use common::{KEY, Run, Sandbox, as_ordinary_user, fifo};

#[test]
fn keygen_makes_a_private_file_that_works() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "");
    sandbox.run(&["keygen", "new"]).good().says("id ");
    let mode = fs::metadata(sandbox.path("new")).expect("stat").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    sandbox.run(&["tag", "--key-file", "new", "-o", "m", "t"]).good();
    sandbox.run(&["verify", "--key-file", "new", "m"]).good();
}

#[test]
fn keygen_makes_another_key_each_time_and_overwrites_none() {
    let sandbox = Sandbox::new();
    sandbox.run(&["keygen", "one"]).good();
    sandbox.run(&["keygen", "two"]).good();
    let one = sandbox.read("one");
    assert_ne!(one, sandbox.read("two"));
    sandbox.run(&["keygen", "one"]).trouble("one: exists already");
    assert_eq!(one, sandbox.read("one"));
    sandbox.run(&["keygen", "none/one"]).trouble("none/one: cannot create");
    sandbox.run(&["keygen", "-"]).trouble("name a file");
    assert_eq!(sandbox.list("."), ["key", "one", "t", "two"]);
}

#[test]
fn keygen_tells_programs_the_id() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "");
    let run = sandbox.run(&["keygen", "--json", "new"]);
    let line: serde_json::Value = serde_json::from_slice(&run.good().out).expect("JSON");
    assert_eq!((&line["path"], run.err.as_str()), (&"new".into(), ""));
    sandbox
        .run(&["tag", "--key-file", "new", "-o", "m", "t"])
        .good()
        .says(line["key_id"].as_str().expect("an id"));
}

#[test]
fn unusable_keys_are_named_as_such() {
    let sandbox = Sandbox::tagged();
    let line = KEY.trim_end();
    let cases: [(&[u8], &str); 8] = [
        (b"", "the key is empty"),
        (b"\n", "does not begin with"),
        (&[7; 32], "does not begin with"),
        (&line.as_bytes()[..40], "truncated or of a wrong length"),
        (&line.as_bytes()[..line.len() - 1], "truncated or of a wrong length"),
        (format!("{line}0").leak().as_bytes(), "wrong length"),
        (line.replace("0f16", "0f17").leak().as_bytes(), "the key is damaged"),
        (line.replace("0f16", "0F16").leak().as_bytes(), "hexadecimal"),
    ];
    for (text, message) in cases {
        sandbox.write("bad", text);
        fs::set_permissions(sandbox.path("bad"), Permissions::from_mode(0o600)).expect("chmod");
        sandbox.run(&["verify", "--key-file", "bad", "m"]).trouble("bad: not a usable key").says(message);
        sandbox.run(&["tag", "--key-file", "bad", "-o", "m2", "t"]).trouble(message);
        assert!(!sandbox.path("m2").exists());
    }
    sandbox.write("bad", vec![b'x'; 5000]);
    fs::set_permissions(sandbox.path("bad"), Permissions::from_mode(0o600)).expect("chmod");
    sandbox.run(&["verify", "--key-file", "bad", "m"]).trouble("longer than 4096 bytes");
    sandbox.run(&["verify", "--key-file", "absent", "m"]).trouble("absent: cannot open the key");
    sandbox.run(&["verify", "--key-file", "t", "m"]).trouble("t: cannot read the key");
}

#[test]
fn a_key_that_others_may_read_is_refused() {
    let sandbox = Sandbox::tagged();
    for mode in [0o640, 0o604, 0o620, 0o644] {
        fs::set_permissions(sandbox.path("key"), Permissions::from_mode(mode)).expect("chmod");
        sandbox.verify(&["m"]).trouble("others may read").says(&format!("{mode:03o}"));
        sandbox.verify(&["--insecure-key-file", "m"]).good();
    }
    fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o400)).expect("chmod");
    sandbox.verify(&["m"]).good();
}

/// `chmod 600`, which is the advice for a key, would not help here.
#[test]
fn a_manifest_in_place_of_the_key_is_named_as_such() {
    let sandbox = Sandbox::tagged();
    sandbox.run(&["verify", "--key-file", "m", "key"]).trouble("m: this is a manifest, not a key");
}

#[test]
fn the_key_comes_from_standard_input_a_descriptor_or_a_fifo() {
    let sandbox = Sandbox::tagged();
    let key = || Stdio::from(File::open(sandbox.path("key")).expect("open"));
    let run = |args: &[&str]| Run::from(sandbox.command().args(args).stdin(key()).output().expect("run"));
    run(&["verify", "--key-file", "-", "m"]).good();
    run(&["verify", "--key-fd", "0", "m"]).good();
    sandbox.run(&["verify", "--key-fd", "77", "m"]).trouble("file descriptor 77: cannot open the key");
    sandbox.run(&["verify", "--key-file", "-", "m"]).trouble("standard input: not a usable key");
    for args in [["--key-file", "-"], ["--key-fd", "0"]] {
        run(&[&["verify"], &args[..], &["-"]].concat())
            .trouble("key and manifests cannot come from standard input together");
    }

    fifo(&sandbox.path("pipe"));
    let mut child = sandbox.command().args(["verify", "--key-file", "pipe", "m"]).spawn().expect("spawn");
    fs::write(sandbox.path("pipe"), KEY).expect("write");
    assert!(child.wait().expect("wait").success());
}

/// A socket has no path that could be opened, not even below /dev, so descriptors must be read directly.
#[test]
fn the_key_comes_from_a_socket() {
    let sandbox = Sandbox::tagged();
    for script in [
        r#"exec "$0" verify --key-file - m"#,
        r#"exec "$0" verify --key-fd 0 m"#,
        r#"exec "$0" verify --key-fd 7 m 7<&0 </dev/null"#,
    ] {
        let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
        (&ours).write_all(KEY.as_bytes()).expect("write");
        ours.shutdown(Shutdown::Write).expect("shutdown");
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_carryless")]).current_dir(sandbox.path("."));
        let run = Run::from(shell.stdin(Stdio::from(OwnedFd::from(theirs))).output().expect("run"));
        run.good().prints("t/a: ok\nt/b: ok\nt/sub/.hidden: ok\n");
    }
}

/// The main use of a descriptor: root opens the key file, and another user reads from it.
#[test]
fn a_descriptor_is_read_by_who_may_not_open_the_file() {
    let sandbox = Sandbox::tagged();
    for args in [["--key-file", "-"], ["--key-fd", "0"]] {
        let key = File::open(sandbox.path("key")).expect("open");
        let mut command = as_ordinary_user(&sandbox);
        command.args([&["verify"], &args[..], &["-q", "m"]].concat()).stdin(key);
        Run::from(command.output().expect("run")).good();
        // The second time nobody but root may open the file, so only the descriptor can be used.
        fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o000)).expect("chmod");
    }
}

/// A file behind a descriptor is checked like one that is opened by name, and is left out of the tree, too.
#[test]
fn files_behind_descriptors_are_treated_like_files() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "");
    let key = || File::open(sandbox.path("key")).expect("open");
    let run = |args: &[&str]| Run::from(sandbox.command().args(args).stdin(key()).output().expect("run"));
    run(&["tag", "--key-fd", "0", "-o", "m", "."]).good();
    run(&["verify", "--key-file", "-", "m"]).good().prints("t/a: ok\n");
    fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o644)).expect("chmod");
    run(&["verify", "--key-fd", "0", "m"]).trouble("file descriptor 0: others may read");
    run(&["verify", "--key-fd", "0", "--insecure-key-file", "m"]).good();
}

#[test]
fn a_key_is_needed_and_never_an_argument() {
    let sandbox = Sandbox::tagged();
    assert_eq!(sandbox.run(&["verify", "m"]).status, 2);
    assert_eq!(sandbox.run(&["verify", "--key", KEY, "m"]).status, 2);
    assert_eq!(sandbox.run(&["verify", "--key-file", "key", "--key-fd", "0", "m"]).status, 2);
}

#[test]
fn another_key_is_told_by_its_id() {
    let sandbox = Sandbox::tagged();
    sandbox.run(&["keygen", "other"]).good();
    let run = sandbox.run(&["verify", "--key-file", "other", "m"]);
    run.trouble("made with another key (id d27bd12377ec6434, this key is ");
}

/// Whoever may write to the folder of a key can replace it.
#[test]
fn a_key_that_others_may_replace_is_refused() {
    let sandbox = Sandbox::tagged();
    sandbox.write("k/key", KEY);
    let set = |name: &str, mode| {
        fs::set_permissions(sandbox.path(name), Permissions::from_mode(mode)).expect("chmod");
    };
    set("k/key", 0o600);
    symlink("k/key", sandbox.path("link")).expect("symlink");
    let verify = |key: &str| sandbox.run(&["verify", "-q", "--key-file", key, "m"]);
    for mode in [0o777, 0o1777, 0o702] {
        set("k", mode);
        verify("k/key")
            .trouble("k/key: its folder k: others may replace the key there")
            .says(&format!("{mode:04o}"));
        verify("link").trouble("others may replace the key there");
        sandbox.run(&["verify", "-q", "--key-file", "k/key", "--insecure-key-file", "m"]).good();
    }
    set("k", 0o755);
    verify("k/key").good();
    verify("link").good();
    // Here the file is in a safe folder, but the link to it is not.
    fs::create_dir(sandbox.path("open")).expect("mkdir");
    symlink("../k/key", sandbox.path("open/link")).expect("symlink");
    set("open", 0o777);
    verify("open/link").trouble("its folder open: others may replace the key there");
}

/// Tests files of other users, which only root can make.
#[cfg(target_os = "linux")]
#[test]
fn a_key_of_another_user_is_refused() {
    let sandbox = Sandbox::tagged();
    if rustix::process::geteuid().as_raw() != 0 {
        // Without root: another user's file that can be read at all is refused because others may read it.
        sandbox.run(&["verify", "--key-file", "/etc/passwd", "m"]).trouble("others may read");
        return;
    }
    sandbox.write("k/key", KEY);
    fs::set_permissions(sandbox.path("k/key"), Permissions::from_mode(0o600)).expect("chmod");
    let verify = || sandbox.run(&["verify", "-q", "--key-file", "k/key", "m"]);
    chown(sandbox.path("k/key"), Some(65534), None).expect("chown");
    verify().trouble("k/key: this key belongs to user 65534");
    sandbox.run(&["verify", "-q", "--key-file", "k/key", "--insecure-key-file", "m"]).good();
    chown(sandbox.path("k/key"), Some(0), None).expect("chown");
    verify().good();
    chown(sandbox.path("k"), Some(65534), None).expect("chown");
    verify().trouble("k/key: its folder k: it belongs to user 65534");
    // Folders writable for a group are refused, unless it is root's group or the user's own.
    chown(sandbox.path("k"), Some(0), Some(0)).expect("chown");
    fs::set_permissions(sandbox.path("k"), Permissions::from_mode(0o770)).expect("chmod");
    verify().good();
    chown(sandbox.path("k"), Some(0), Some(100)).expect("chown");
    verify().trouble("others may replace the key there");
    // Ownership does not matter for a descriptor: whoever opened it had the right to.
    chown(sandbox.path("k/key"), Some(65534), None).expect("chown");
    let key = File::open(sandbox.path("k/key")).expect("open");
    let output = sandbox.command().args(["verify", "-q", "--key-file", "-", "m"]).stdin(key).output();
    Run::from(output.expect("run")).good();
}
