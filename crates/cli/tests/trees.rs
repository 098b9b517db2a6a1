//! What is found in a tree and what verification says about it.
mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use common::{Sandbox, fifo, name};

#[test]
fn ok_changed_missing_and_new() {
    let sandbox = Sandbox::tagged();
    sandbox.verify(&["m"]).good().prints("t/a: ok\nt/b: ok\nt/sub/.hidden: ok\n");
    sandbox.write("t/a", "hellO\n");
    fs::remove_file(sandbox.path("t/b")).expect("rm");
    sandbox.write("t/sub/c", "");
    let run = sandbox.verify(&["m"]);
    run.mismatch().prints("t/a: changed\nt/b: missing\nt/sub/.hidden: ok\nt/sub/c: new\n");
    run.says("1 ok, 1 changed, 1 missing, 1 new, 0 errors");
}

#[test]
fn a_file_of_another_size_is_changed() {
    let sandbox = Sandbox::tagged();
    for contents in ["hello", "hello\n\0", ""] {
        sandbox.write("t/a", contents);
        sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: changed\n");
    }
    sandbox.write("t/b", [0]);
    sandbox.write("t/a", "hello\n");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/b: changed\n");
}

#[test]
fn missing_and_new_can_be_ignored() {
    let sandbox = Sandbox::tagged();
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    sandbox.verify(&["--ignore-missing", "m"]).good().prints("t/b: ok\nt/sub/.hidden: ok\n");
    sandbox.write("t/new", "");
    sandbox.verify(&["--ignore-missing", "m"]).mismatch();
    sandbox.verify(&["--ignore-new", "-q", "m"]).mismatch().prints("t/a: missing\n");
    sandbox.verify(&["--ignore-new", "--ignore-missing", "-q", "m"]).good().prints("");
    fs::remove_dir_all(sandbox.path("t")).expect("rm");
    let run = sandbox.verify(&["--ignore-missing", "m"]);
    run.mismatch().says("no file was verified");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: missing\nt/b: missing\nt/sub/.hidden: missing\n");
}

#[test]
fn odd_names_survive() {
    let sandbox = Sandbox::new();
    let names: [&[u8]; 12] = [
        b"new\nline",
        b"back\\slash",
        b"\xff\xfe",
        b" leading",
        b"trailing ",
        b"tab\there",
        b"-o",
        b"#comment",
        b"a: ok",
        "kůň 猫".as_bytes(),
        b"\x1b[31mred",
        b"file 0 0 x",
    ];
    for bytes in names {
        sandbox.write(name(&[b"t/", bytes].concat()), bytes);
    }
    sandbox.tag(&["-o", "m", "t"]).good();
    assert!(!sandbox.read("m").iter().any(|b| b.is_ascii_control() && *b != b'\n'));
    let run = sandbox.verify(&["m"]);
    assert_eq!(run.good().text().lines().count(), names.len());
    assert!(run.text().contains("t/new\\nline: ok\n") && run.text().contains("t/\\xff\\xfe: ok\n"));
    let run = sandbox.verify(&["-z", "m"]);
    for bytes in names {
        let line = [b"t/", bytes, b": ok\0"].concat();
        assert!(run.out.windows(line.len()).any(|window| window == line), "{bytes:?}");
    }
    sandbox.write(name(b"t/new\nline"), "NEW\nLINE");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/new\\nline: changed\n");
}

#[test]
fn an_empty_folder_gives_an_empty_manifest() {
    let sandbox = Sandbox::new();
    sandbox.tag(&["-o", "m", "t"]).good();
    sandbox.verify(&["m"]).good().prints("");
    sandbox.verify(&["--strict", "m"]).trouble("no file was verified");
    sandbox.write("t/x", "");
    sandbox.verify(&["m"]).mismatch().prints("t/x: new\n");
}

#[test]
fn other_folders_can_be_the_base() {
    let sandbox = Sandbox::tagged();
    fs::create_dir(sandbox.path("copy")).expect("mkdir");
    fs::rename(sandbox.path("t"), sandbox.path("copy/t")).expect("mv");
    sandbox.verify(&["m"]).mismatch();
    sandbox.verify(&["-C", "copy", "m"]).good();
    sandbox.verify(&["-C", "nowhere", "m"]).trouble("nowhere: cannot open the folder");
    sandbox.tag(&["-C", "copy/t", "-o", "m2", "."]).good();
    sandbox.verify(&["-C", "copy/t", "m2"]).good().prints("a: ok\nb: ok\nsub/.hidden: ok\n");
}

#[test]
fn key_and_manifest_inside_the_tree_are_left_out() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "");
    sandbox.tag(&["-o", "m", "."]).good();
    sandbox.verify(&["m"]).good().prints("t/a: ok\n");
    sandbox.tag(&["-o", "m", "--force", "."]).good();
    sandbox.verify(&["m"]).good().prints("t/a: ok\n");
    // Another file of the same name is not left out.
    sandbox.write("t/key", "not the key");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/key: new\n");
}

#[test]
fn several_roots_files_and_folders_and_overlaps() {
    let sandbox = Sandbox::tagged();
    sandbox.write("t.txt", "");
    sandbox.write("other/x", "");
    sandbox.tag(&["-o", "m2", "t", "t/a", "other/../other", "t.txt"]).good();
    let expected = "other/../other/x: ok\nt.txt: ok\nt/a: ok\nt/b: ok\nt/sub/.hidden: ok\n";
    sandbox.verify(&["m2"]).good().prints(expected);
    sandbox.tag(&["-o", "m3", "t", "absent"]).trouble("absent: no such file or folder");
    assert!(!sandbox.path("m3").exists());
}

#[test]
fn patterns_choose_files_and_are_remembered() {
    let sandbox = Sandbox::new();
    for file in ["t/a.rs", "t/a.o", "t/target/b.rs", "t/sub/c.rs", "t/sub/.gitignore"] {
        sandbox.write(file, file);
    }
    sandbox.write("t/sub/.gitignore", "c.rs\n");
    let tagged = |args: &[&str]| {
        sandbox.tag(&[&["-f", "-o", "m", "t"], args].concat()).good();
        sandbox.verify(&["m"]).good().text().replace(": ok\n", " ")
    };
    assert_eq!(tagged(&[]), "t/a.o t/a.rs t/sub/.gitignore t/sub/c.rs t/target/b.rs ");
    assert_eq!(tagged(&["--gitignore"]), "t/a.o t/a.rs t/sub/.gitignore t/target/b.rs ");
    assert_eq!(tagged(&["--include", "*.rs"]), "t/a.rs t/sub/c.rs t/target/b.rs ");
    assert_eq!(tagged(&["--include", "*.rs", "--exclude", "target"]), "t/a.rs t/sub/c.rs ");
    assert_eq!(tagged(&["--exclude", "/t/sub"]), "t/a.o t/a.rs t/target/b.rs ");
    sandbox.write("t/new.o", "");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/new.o: new\n");
    for pattern in ["a[", "!x", "#x", "", " "] {
        for option in ["--include", "--exclude"] {
            sandbox.tag(&["-o", "m2", option, pattern, "t"]).trouble("not a usable pattern");
        }
    }
    for name in ["#x", "!x"] {
        sandbox.write(format!("t/{name}"), "");
        assert_eq!(tagged(&["--include", &format!("\\{name}")]), format!("t/{name} "));
    }
}

#[test]
fn symbolic_links_are_recorded_followed_or_skipped() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "a");
    sandbox.write("far/b", "b");
    symlink("a", sandbox.path("t/file")).expect("symlink");
    symlink("../far", sandbox.path("t/folder")).expect("symlink");
    let verified = |policy: &str| {
        sandbox.tag(&["-f", "-o", "m", "--symlinks", policy, "t"]).good();
        sandbox.verify(&["m"]).good().text().replace(": ok\n", " ")
    };
    assert_eq!(verified("skip"), "t/a ");
    assert_eq!(verified("follow"), "t/a t/file t/folder/b ");
    sandbox.write("far/b", "B");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/folder/b: changed\n");
    assert_eq!(verified("record"), "t/a t/file t/folder ");
    sandbox.write("far/b", "another");
    sandbox.verify(&["-q", "m"]).good();
    // A file that becomes a link to the same bytes, and a link that becomes a file.
    fs::rename(sandbox.path("t/a"), sandbox.path("t/z")).expect("mv");
    symlink("z", sandbox.path("t/a")).expect("symlink");
    fs::remove_file(sandbox.path("t/file")).expect("rm");
    sandbox.write("t/file", "a");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: changed\nt/file: changed\nt/z: new\n");
}

#[test]
fn a_folder_replaced_by_a_link_is_noticed() {
    let sandbox = Sandbox::tagged();
    fs::rename(sandbox.path("t/sub"), sandbox.path("moved")).expect("mv");
    symlink("../moved", sandbox.path("t/sub")).expect("symlink");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/sub: new\nt/sub/.hidden: missing\n");
}

#[test]
fn a_root_that_is_a_link_obeys_the_policy() {
    let sandbox = Sandbox::tagged();
    symlink("t", sandbox.path("l")).expect("symlink");
    sandbox.tag(&["-o", "m2", "l"]).good();
    sandbox.verify(&["m2"]).good().prints("l: ok\n");
    sandbox.tag(&["-f", "-o", "m2", "--symlinks", "follow", "l"]).good();
    sandbox.verify(&["m2"]).good().prints("l/a: ok\nl/b: ok\nl/sub/.hidden: ok\n");
}

#[test]
fn loops_and_dangling_links_are_errors_when_followed() {
    let sandbox = Sandbox::tagged();
    symlink("..", sandbox.path("t/sub/loop")).expect("symlink");
    let leads_back = "carryless: t/sub/loop: a loop: this symbolic link leads back to t\n";
    sandbox.tag(&["-o", "m2", "--symlinks", "follow", "t"]).trouble(leads_back);
    fs::remove_file(sandbox.path("t/sub/loop")).expect("rm");
    symlink("nowhere", sandbox.path("t/dangling")).expect("symlink");
    sandbox.tag(&["-o", "m2", "--symlinks", "follow", "t"]).trouble("carryless: t/dangling: No such file");
    assert!(!sandbox.path("m2").exists());
    sandbox.tag(&["-o", "m2", "t"]).good();
}

#[test]
fn fifos_sockets_and_devices_are_never_opened() {
    let sandbox = Sandbox::tagged();
    fifo(&sandbox.path("t/fifo"));
    sandbox.tag(&["-o", "m2", "t"]).trouble("t/fifo: a FIFO, not read");
    sandbox.verify(&["-q", "--ignore-new", "m"]).says("t/fifo: a FIFO").prints("t/fifo: error\n");
    assert_eq!(sandbox.verify(&["m"]).status, 2);
    sandbox.verify(&["--skip-special", "m"]).good();
    sandbox.tag(&["--skip-special", "-o", "m2", "t"]).good();
    sandbox.verify(&["m2"]).good();
    fs::remove_file(sandbox.path("t/fifo")).expect("rm");

    let _socket = UnixListener::bind(sandbox.path("t/socket")).expect("bind");
    sandbox.tag(&["-o", "m3", "t"]).trouble("t/socket: a socket");
    fs::remove_file(sandbox.path("t/socket")).expect("rm");
    sandbox.tag(&["-o", "m3", "/dev/null"]).trouble("/dev/null: a device");
    assert!(!sandbox.path("m3").exists());

    // A FIFO in the place of a file.
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    fifo(&sandbox.path("t/a"));
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: changed\n");
}

#[test]
fn mapped_files_have_the_same_tags() {
    let sandbox = Sandbox::new();
    let bytes: Vec<u8> = (0..(3 << 20) + 5_u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
    sandbox.write("t/large", &bytes);
    sandbox.write("t/whole", &bytes[..2 << 20]);
    sandbox.write("t/small", "hello");
    sandbox.write("t/empty", "");
    sandbox.tag(&["-o", "read", "t"]).good();
    sandbox.tag(&["--mmap", "-o", "mapped", "t"]).good();
    assert!(sandbox.read("read") == sandbox.read("mapped"));
    sandbox.verify(&["--mmap", "-q", "read"]).good().prints("");
    sandbox.write("t/large", [&bytes[..3 << 20], b"other"].concat());
    sandbox.verify(&["--mmap", "-q", "read"]).mismatch().prints("t/large: changed\n");
}
