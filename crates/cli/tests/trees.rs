//! Contents of trees: which entries are tagged, and which differences verification reports.
mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use common::{Run, Sandbox, fifo, name};

#[test]
fn ok_changed_missing_and_new() {
    let sandbox = Sandbox::tagged();
    sandbox.verify(&["m"]).good().prints("t/a: ok\nt/b: ok\nt/sub/.hidden: ok\n");
    sandbox.write("t/a", "hellO\n");
    fs::remove_file(sandbox.path("t/b")).expect("rm");
    sandbox.write("t/sub/c", "");
    let run = sandbox.verify(&["m"]);
    run.mismatch().prints("t/a: edited\nt/b: missing\nt/sub/.hidden: ok\nt/sub/c: new\n");
    run.says("1 ok, 1 changed, 1 missing, 1 new, 0 errors");
}

#[test]
fn a_file_of_another_size_is_changed() {
    let sandbox = Sandbox::tagged();
    for contents in ["hello", "hello\n\0", ""] {
        sandbox.write("t/a", contents);
        sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: edited\n");
    }
    sandbox.write("t/b", [0]);
    sandbox.write("t/a", "hello\n");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/b: edited\n");
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
    let all = "t/a: folder-missing\nt/b: folder-missing\nt/sub/.hidden: folder-missing\n";
    sandbox.verify(&["-q", "m"]).mismatch().prints(all);
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
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/new\\nline: edited\n");
}

#[test]
fn an_empty_folder_gives_an_empty_manifest_if_that_is_allowed() {
    let sandbox = Sandbox::new();
    sandbox.tag(&["--allow-empty", "-o", "m", "t"]).good();
    sandbox.verify(&["m"]).trouble("m: the manifest has no entries").prints("");
    sandbox.verify(&["--strict", "m"]).trouble("m: the manifest has no entries").prints("");
    sandbox.verify(&["--allow-empty", "m"]).good().prints("");
    sandbox.write("t/x", "");
    sandbox.verify(&["m"]).trouble("m: the manifest has no entries").prints("");
    sandbox.verify(&["--allow-empty", "m"]).mismatch().prints("t/x: new\n");
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
    // A different file of the same name is not left out.
    sandbox.write("t/key", "not the key");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/key: new\n");
}

/// Only the key and the manifest themselves are left out, not symbolic or hard links to them elsewhere.
#[test]
fn links_to_key_and_manifest_are_reported() {
    let sandbox = Sandbox::tagged();
    symlink("../key", sandbox.path("t/key")).expect("symlink");
    symlink("../../m", sandbox.path("t/sub/m")).expect("symlink");
    fs::hard_link(sandbox.path("m"), sandbox.path("t/m")).expect("link");
    fs::hard_link(sandbox.path("key"), sandbox.path("t/sub/key")).expect("link");
    let expected = "t/key: new\nt/m: new\nt/sub/key: new\nt/sub/m: new\n";
    sandbox.verify(&["-q", "m"]).mismatch().prints(expected);
    let manifest = sandbox.tag(&["-o", "-", "t"]).good().text();
    for line in ["link t/key\t../key\n", "link t/sub/m\t../../m\n", " t/m\n", " t/sub/key\n"] {
        assert!(manifest.contains(line), "{line} not in {manifest}");
    }
    let manifest = sandbox.tag(&["-o", "-", "--symlinks", "follow", "t"]).good().text();
    assert!(manifest.contains(" t/key\n") && manifest.contains(" t/sub/m\n"), "{manifest}");
}

#[test]
fn a_key_that_is_named_by_a_link_is_left_out_with_the_link() {
    let sandbox = Sandbox::new();
    symlink("../key", sandbox.path("t/alias")).expect("symlink");
    let run = sandbox.run(&["tag", "--key-file", "t/alias", "--allow-empty", "-o", "m", "."]);
    run.good().says("tagged 0 entries");
}

/// As an argument `-` means standard input or output. A file of this name in the tree is a file like others.
#[test]
fn a_file_named_by_a_hyphen_is_a_file_like_others() {
    let sandbox = Sandbox::tagged();
    fs::create_dir(sandbox.path("b")).expect("mkdir");
    sandbox.write("b/-", "");
    let mut command = sandbox.command();
    let command = command
        .args(["tag", "--key-file", "../key", "--metadata", "none", "-o", "-", "."])
        .current_dir(sandbox.path("b"));
    let run = Run::from(command.output().expect("run"));
    assert!(run.good().text().contains(" 0 -\n"), "{}", run.text());
}

/// A closing slash follows the link, as with `find` and `tar`.
#[test]
fn a_link_with_a_slash_is_the_folder_behind_it() {
    let sandbox = Sandbox::tagged();
    symlink("t", sandbox.path("cur")).expect("symlink");
    sandbox.tag(&["-o", "m1", "cur"]).good().says("tagged 1 entry, 0 bytes");
    for path in ["cur/", "cur/.", "cur//", "./cur/./"] {
        for policy in ["record", "skip"] {
            sandbox.tag(&["-f", "-o", "m2", "--symlinks", policy, path]).good().says("tagged 3 entries");
            sandbox.verify(&["m2"]).good().prints("cur/a: ok\ncur/b: ok\ncur/sub/.hidden: ok\n");
        }
    }
    sandbox.write("t/a", "other");
    sandbox.write("t/new", "");
    sandbox.verify(&["-q", "m2"]).mismatch().prints("cur/a: edited\ncur/new: new\n");
    // Links below it are still recorded as links. Links above it are followed.
    symlink("a", sandbox.path("t/link")).expect("symlink");
    sandbox.tag(&["-f", "-o", "m2", "cur/sub", "cur/link", "cur/", "cur"]).good();
    let expected = "cur: ok\ncur/a: ok\ncur/b: ok\ncur/link: ok\ncur/new: ok\ncur/sub/.hidden: ok\n";
    sandbox.verify(&["m2"]).good().prints(expected);
    // For a folder the slash makes no difference, and its names have none.
    sandbox.tag(&["-f", "-o", "m2", "t/sub/"]).good();
    assert!(String::from_utf8_lossy(&sandbox.read("m2")).contains("\nroot t/sub\n"));
    symlink("a", sandbox.path("t/file")).expect("symlink");
    sandbox.tag(&["-o", "m3", "t/file/"]).trouble("t/file/: Not a directory");
}

#[test]
fn a_file_replaced_by_a_folder_is_changed() {
    let sandbox = Sandbox::tagged();
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    sandbox.write("t/a/inside", "");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: kind\nt/a/inside: new\n");
    // Also if something new has its contents: no option ignores another kind.
    sandbox.write("t/z", "hello\n");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: kind\nt/a/inside: new\nt/z: new\n");
    let ignoring = sandbox.verify(&["-q", "--ignore-new", "--ignore-missing", "m"]);
    ignoring.mismatch().prints("t/a: kind\n");
}

#[test]
fn nothing_to_tag_is_an_error_and_the_old_manifest_stays() {
    let sandbox = Sandbox::tagged();
    let old = sandbox.read("m");
    // An empty folder, as a mount point whose disk is not mounted.
    fs::rename(sandbox.path("t"), sandbox.path("disk")).expect("mv");
    fs::create_dir(sandbox.path("t")).expect("mkdir");
    let refused = "no manifest written: no file was found, or filters left out all (--allow-empty writes one without entries)";
    sandbox.tag(&["-f", "-o", "m", "t"]).trouble(refused);
    assert_eq!(sandbox.read("m"), old);
    sandbox.tag(&["-o", "m2", "t"]).trouble(refused);
    sandbox.tag(&["-o", "-", "t"]).trouble(refused).prints("");
    sandbox.write("t/a", "");
    sandbox.tag(&["-q", "-o", "m2", "--include", "*.none", "t"]).trouble(refused);
    sandbox.tag(&["-q", "-o", "m2", "--exclude", "*", "t"]).trouble(refused);
    assert_eq!(sandbox.list("."), ["disk", "key", "m", "t"]);
    assert_eq!(sandbox.tag(&["-q", "-o", "m3", "t"]).good().err, "");
}

#[test]
fn verification_in_the_wrong_folder_says_so() {
    let sandbox = Sandbox::tagged();
    fs::create_dir(sandbox.path("else")).expect("mkdir");
    sandbox.verify(&["-C", "else", "-q", "m"]).mismatch().says("is this the right folder? see -C");
    sandbox.verify(&["-C", "else", "--strict", "m"]).says("no file was verified (is this the right folder?");
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    assert!(!sandbox.verify(&["-q", "m"]).mismatch().err.contains("right folder"));
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
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/folder/b: edited\n");
    assert_eq!(verified("record"), "t/a t/file t/folder ");
    sandbox.write("far/b", "another");
    sandbox.verify(&["-q", "m"]).good();
    // A file that becomes a link to the same bytes, and a link that becomes a file.
    fs::rename(sandbox.path("t/a"), sandbox.path("t/z")).expect("mv");
    symlink("z", sandbox.path("t/a")).expect("symlink");
    fs::remove_file(sandbox.path("t/file")).expect("rm");
    sandbox.write("t/file", "a");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: kind\nt/file: kind\nt/z: new\n");
}

#[test]
fn a_folder_replaced_by_a_link_is_noticed() {
    let sandbox = Sandbox::tagged();
    fs::rename(sandbox.path("t/sub"), sandbox.path("moved")).expect("mv");
    symlink("../moved", sandbox.path("t/sub")).expect("symlink");
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/sub: new\nt/sub/.hidden: kind\n");
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

    // A FIFO replaces a file: opening it would wait forever.
    fs::remove_file(sandbox.path("t/a")).expect("rm");
    fifo(&sandbox.path("t/a"));
    sandbox.verify(&["-q", "m"]).mismatch().prints("t/a: kind\n");
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
    sandbox.verify(&["--mmap", "-q", "read"]).mismatch().prints("t/large: edited\n");
}
