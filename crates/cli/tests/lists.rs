//! Lines and lists of sha256sum, b3sum, BSD and hashdeep.
#![cfg(feature = "lists")]
mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use common::{Run, Sandbox, fifo, name};

/// Digests of "abc" and of nothing, from FIPS 180-2 and the test vectors of BLAKE3.
const SHA256: [&str; 2] = [
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
];
const BLAKE3: [&str; 2] = [
    "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
    "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
];

/// A sandbox with the files `t/abc` and `t/empty`.
fn two() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t/abc", "abc");
    sandbox.write("t/empty", "");
    sandbox
}

fn verify_list(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(&[&["verify", "--list"], args].concat())
}

/// Runs a program of the system in the sandbox, and returns what it prints.
fn program(sandbox: &Sandbox, program: &str, args: &[&str]) -> Vec<u8> {
    let output = Command::new(program).args(args).current_dir(sandbox.path(".")).output().expect(program);
    assert!(output.status.success(), "{program}");
    output.stdout
}

#[test]
fn lists_of_all_programs_are_verified() {
    let sandbox = two();
    let gnu = |digests: [&str; 2]| format!("{}  t/abc\n{} *./t/empty\n", digests[0], digests[1]);
    let bsd = |name: &str, digests: [&str; 2]| {
        format!("{name} (t/abc) = {}\n{name} (t/empty) = {}\n", digests[0], digests[1])
    };
    let hashdeep = format!(
        "%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n## $ hashdeep -l t\n3,0,{},t/abc\n0,0,{},./t/empty\n",
        SHA256[0], SHA256[1]
    );
    for list in [gnu(SHA256), gnu(BLAKE3), bsd("SHA256", SHA256), bsd("BLAKE3", BLAKE3), hashdeep] {
        sandbox.write("t/abc", "abc");
        sandbox.write("list", &list);
        verify_list(&sandbox, &["list"]).good().prints("t/abc: ok\nt/empty: ok\n").says("list: 2 ok");
        verify_list(&sandbox, &["-q", "list"]).good().prints("");
        sandbox.write("t/abc", "abd");
        verify_list(&sandbox, &["list"]).mismatch().prints("t/abc: changed\nt/empty: ok\n");
        verify_list(&sandbox, &["list", "t/empty"]).good().prints("t/empty: ok\n");
        fs::remove_file(sandbox.path("t/abc")).expect("rm");
        verify_list(&sandbox, &["-q", "list"]).mismatch().prints("t/abc: missing\n");
        // Its folder has become a file.
        sandbox.write("t/abc", "abc");
        fs::rename(sandbox.path("t/abc"), sandbox.path("abc")).expect("mv");
        fs::remove_dir_all(sandbox.path("t")).expect("rm");
        sandbox.write("t", "no folder");
        verify_list(&sandbox, &["-q", "list"]).mismatch().prints("t/abc: missing\nt/empty: missing\n");
        fs::remove_file(sandbox.path("t")).expect("rm");
        sandbox.write("t/empty", "");
        verify_list(&sandbox, &["-q", "--ignore-missing", "list"]).good().prints("");
    }
}

/// Names of any bytes, in the escapes of coreutils, and large files.
#[test]
fn lists_of_sha256sum_are_read_as_it_prints_them() {
    let sandbox = Sandbox::new();
    let names: [&[u8]; 5] = [b"t/a\nb", b"t/back\\slash", b"t/cr\rx", b"t/\xff", b"t/ two  spaces"];
    for (i, file) in names.iter().enumerate() {
        sandbox.write(name(file), vec![b'x'; i * 700_000]);
    }
    for options in [&["-b"][..], &["--tag"], &["-t"]] {
        let args = [options, &["--"]].concat();
        let mut command = Command::new("sha256sum");
        command.args(args).args(names.map(name)).current_dir(sandbox.path("."));
        sandbox.write("list", command.output().expect("sha256sum").stdout);
        let run = verify_list(&sandbox, &["list"]);
        assert_eq!(run.good().text().lines().count(), 5, "{}", run.text());
    }
    // The lines of keyed tags have the same form.
    let tags = sandbox.tag(&["-q", "--format", "sha256sum", "t"]).good().out.clone();
    let theirs = program(&sandbox, "sh", &["-c", "sha256sum t/*"]);
    let names_of = |text: &[u8], digits: usize| -> Vec<Vec<u8>> {
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let mut names: Vec<_> = lines
            .map(|line| {
                let escaped = usize::from(line[0] == b'\\');
                [&line[..escaped], &line[escaped + digits..]].concat()
            })
            .collect();
        names.sort();
        names
    };
    assert_eq!(names_of(&tags, 32), names_of(&theirs, 64));
}

#[test]
fn keyed_tags_are_printed_as_lines() {
    let sandbox = two();
    let json = sandbox.tag(&["-q", "--json", "-o", "m", "t"]).good().text();
    let tag = |name: &str| {
        let line = json.lines().find(|line| line.contains(name)).expect("a line");
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        value["tag"].as_str().expect("a tag").to_owned()
    };
    let (abc, empty) = (tag("t/abc"), tag("t/empty"));
    for (format, expected) in [
        ("sha256sum", format!("{abc}  t/abc\n{empty}  t/empty\n")),
        ("b3", format!("{abc}  t/abc\n{empty}  t/empty\n")),
        (
            "bsd",
            format!(
                "4-decbrwhash1305-hchacha20 (t/abc) = {abc}\n4-decbrwhash1305-hchacha20 (t/empty) = {empty}\n"
            ),
        ),
    ] {
        sandbox.tag(&["--format", format, "t"]).good().prints(&expected);
        // With a manifest, both are written.
        sandbox.tag(&["-f", "--format", format, "-o", "m2", "t"]).good().prints(&expected);
        sandbox.run(&["diff", "--key-file", "key", "m", "m2"]).good().prints("");
    }
    sandbox.write(name(b"t/a\\\r\n"), "");
    let lines = sandbox.tag(&["--format", "b3", "t"]).good().text();
    assert!(lines.starts_with(&format!("\\{empty}  t/a\\\\\r\\n\n")), "{lines:?}");
    let lines = sandbox.tag(&["--format", "sha256sum", "t"]).good().text();
    assert!(lines.starts_with(&format!("\\{empty}  t/a\\\\\\r\\n\n")), "{lines:?}");
    sandbox.tag(&["--format", "b3", "-o", "-", "t"]).trouble("cannot both go to standard output");
    assert_eq!(sandbox.tag(&["t"]).status, 2);
    fifo(&sandbox.path("t/fifo"));
    assert_eq!(sandbox.tag(&["--format", "b3", "t"]).status, 2);
}

#[test]
fn lists_that_are_not_understood_are_errors() {
    let sandbox = two();
    for (list, reason) in [
        (format!("{}  t/abc\r\n", SHA256[0]), "list: its lines end with CR LF"),
        (format!("{}  t/abc\nhello\n", SHA256[0]), "list: line 2: \"hello\": not a line of sha256sum"),
        ("d41d8cd98f00b204e9800998ecf8427e  t/empty\n".into(), "line 1: "),
        (format!("{}  t/abc\n{}  ./t/abc\n", SHA256[0], SHA256[1]), "list: a file has two digests"),
    ] {
        sandbox.write("list", list);
        verify_list(&sandbox, &["list"]).trouble(reason).prints("");
        sandbox.tag(&["-o", "m", "--from-list", "list"]).trouble(reason).prints("");
    }
    sandbox.write("list", format!("{}  t\n{}  t/abc\n", SHA256[0], SHA256[0]));
    let run = verify_list(&sandbox, &["list"]);
    assert_eq!(run.status, 2);
    run.says("t: not an ordinary file").prints("t: error\nt/abc: ok\n");
    // No other option needs a list, and a list needs no key.
    assert_eq!(verify_list(&sandbox, &["--key-file", "key", "list"]).status, 2);
    assert_eq!(sandbox.run(&["verify", "list"]).status, 2);
    verify_list(&sandbox, &["-q", "list", "t/none"]).says("t/none: not in the list");
}

#[test]
fn a_list_leads_to_a_manifest() {
    let sandbox = two();
    let list = format!("{}  t/abc\n{}  t/empty\n", BLAKE3[0], BLAKE3[1]);
    sandbox.write("list", list);
    sandbox.write("t/other", "other");
    sandbox.tag(&["-o", "m", "--from-list", "list"]).good().says("tagged 2 entries");
    sandbox.verify(&["m"]).good().prints("t/abc: ok\nt/empty: ok\n");
    // With PATHs, these are recorded, and what the list has is checked.
    for level in ["none", "times", "full"] {
        sandbox
            .tag(&["-f", "-o", "m", "--metadata", level, "--from-list", "list", "t"])
            .good()
            .says("3 entries");
        sandbox.tag(&["-f", "-o", "m2", "--metadata", level, "t"]).good();
        sandbox.run(&["diff", "--key-file", "key", "m", "m2"]).good().prints("");
    }
    let before = sandbox.read("m");
    sandbox.write("t/abc", "abd");
    let run = sandbox.tag(&["-f", "-o", "m", "--from-list", "list", "t"]);
    assert_eq!(run.status, 2);
    run.says("t/abc: changed").says("no manifest written: 1 of 2 files are not as in list");
    fs::remove_file(sandbox.path("t/abc")).expect("rm");
    sandbox.tag(&["-f", "-o", "m", "--from-list", "list", "t"]).says("t/abc: missing");
    assert_eq!(sandbox.read("m"), before);
}

/// Whoever has no key checks files by the list, and the owner checks the list by the manifest.
#[test]
fn a_public_list_is_bound_to_its_manifest() {
    let sandbox = two();
    let gnu = |digests: [&str; 2]| format!("{}  t/abc\n{}  t/empty\n", digests[0], digests[1]);
    for (option, list, digests) in [("--public", "m.b3", BLAKE3), ("--public=sha256", "m.sha256", SHA256)] {
        sandbox.tag(&["-f", "-o", "m", option, "t"]).good().says("tagged 3 entries");
        assert_eq!(String::from_utf8(sandbox.read(list)).expect("UTF-8"), gnu(digests));
        let ok = format!("{list}: ok\nt/abc: ok\nt/empty: ok\n");
        sandbox.verify(&["m"]).good().prints(&ok);
        verify_list(&sandbox, &[list]).good().prints("t/abc: ok\nt/empty: ok\n");
        // A list that somebody else made.
        sandbox.write(list, gnu(digests).replace('a', "b"));
        sandbox.verify(&["-q", "m"]).mismatch().prints(&format!("{list}: edited\n"));
        sandbox.verify(&["-q", "m", list]).mismatch();
    }
    sandbox.tag(&["-f", "-o", "m", "--public=sha256", "t"]).good();
    program(&sandbox, "sha256sum", &["--strict", "-c", "m.sha256"]);
    sandbox.run(&["update", "--key-file", "key", "--all", "m"]).good();
}

#[test]
fn a_public_list_is_complete_or_as_before() {
    let sandbox = two();
    sandbox.tag(&["-o", "m", "--public", "t"]).good();
    let before = (sandbox.read("m"), sandbox.read("m.b3"));
    sandbox.tag(&["-o", "m2", "--public", "t"]).good();
    fs::remove_file(sandbox.path("m2")).expect("rm");
    sandbox
        .tag(&["-o", "m2", "--public", "t"])
        .trouble("m2.b3: exists already, not overwritten (--force replaces a list of digests)");
    sandbox.tag(&["-o", "-", "--public", "t"]).trouble("--public writes beside the manifest");
    assert_eq!(sandbox.tag(&["--format", "b3", "--public", "t"]).status, 2);
    // Only lists are replaced.
    sandbox.write("m2.b3", "somebody's file");
    sandbox
        .tag(&["-f", "-o", "m2", "--public", "t"])
        .trouble("m2.b3: not a list of digests, not overwritten");
    fifo(&sandbox.path("t/fifo"));
    assert_eq!(sandbox.tag(&["-f", "-o", "m", "--public", "t"]).status, 2);
    assert_eq!((sandbox.read("m"), sandbox.read("m.b3")), before);
    // A disk that has room for the list alone: the unit of `ulimit -f` is 512 or 1024 bytes, by the shell.
    let label = "x".repeat(1000);
    let limited = format!(
        "trap '' XFSZ; ulimit -f 1; exec \"$0\" tag --key-file key -f --label {label} -o m --public t/abc"
    );
    let mut shell = std::process::Command::new("sh");
    let shell = shell.args(["-c", &limited, env!("CARGO_BIN_EXE_carryless")]).current_dir(sandbox.path("."));
    let run = shell.output().expect("run");
    assert_eq!(run.status.code(), Some(2), "{run:?}");
    assert_eq!((sandbox.read("m"), sandbox.read("m.b3")), before);
    // With --keep-going, the list has what could be read.
    sandbox.tag(&["-f", "-k", "-o", "m", "--public", "t"]).says("tagged 3 entries, ");
    assert_eq!(sandbox.read("m.b3"), before.1);
    assert_eq!(sandbox.list("."), ["key", "m", "m.b3", "m2.b3", "t"]);
}

/// The list is recorded relative to the base folder, also if the manifest lies in the tree.
#[test]
fn a_public_list_travels_with_its_folder() {
    let sandbox = two();
    for _ in 0..2 {
        sandbox.tag(&["-f", "-C", "t", "-o", "t/m", "--public", "."]).good().says("tagged 3 entries");
    }
    fs::rename(sandbox.path("t"), sandbox.path("moved")).expect("mv");
    sandbox.verify(&["-C", "moved", "moved/m"]).good().prints("abc: ok\nempty: ok\nm.b3: ok\n");
    verify_list(&sandbox, &["-C", "moved", "moved/m.b3"]).good().prints("abc: ok\nempty: ok\n");
    // Elsewhere, it has an absolute path.
    sandbox.tag(&["-C", "moved", "-o", "away", "--public", "abc"]).good();
    let text = sandbox.verify(&["-C", "moved", "away"]).good().text();
    assert!(text.starts_with('/') && text.contains("/away.b3: ok\n"), "{text}");
}

/// A PATH may name the list that the command itself writes: it has one record, and is not missing.
#[test]
fn a_public_list_that_is_a_path_is_recorded_once() {
    let sandbox = two();
    sandbox.tag(&["-o", "m", "t"]).good();
    for force in [&["-f", "-k"][..], &["-f"]] {
        sandbox.tag(&[force, &["-o", "m", "--public", "t", "m.b3"]].concat()).good();
        sandbox.verify(&["m"]).good().prints("m.b3: ok\nt/abc: ok\nt/empty: ok\n");
        fs::remove_file(sandbox.path("m.b3")).expect("rm");
    }
}

#[test]
fn a_public_list_is_no_reason_for_a_manifest() {
    let sandbox = two();
    sandbox.tag(&["-q", "-o", "m", "--public", "t"]).good();
    let before = [sandbox.read("m"), sandbox.read("m.b3")];
    // As if the disk were not mounted.
    fs::remove_file(sandbox.path("t/abc")).expect("rm");
    fs::remove_file(sandbox.path("t/empty")).expect("rm");
    let run = sandbox.tag(&["-f", "-o", "m", "--public", "t"]);
    run.trouble("no manifest written: no file was found, or filters left out all");
    assert_eq!([sandbox.read("m"), sandbox.read("m.b3")], before);
}

/// It is empty, but no file of somebody else.
#[test]
fn an_empty_public_list_is_replaced() {
    let sandbox = Sandbox::new();
    sandbox.tag(&["--allow-empty", "-o", "m", "--public", "t"]).good();
    assert_eq!(sandbox.read("m.b3"), b"");
    sandbox.write("t/abc", "abc");
    sandbox.tag(&["-f", "-o", "m", "--public", "t"]).good();
    verify_list(&sandbox, &["m.b3"]).good().prints("t/abc: ok\n");
}

/// Bytes are those of the entries, however often they are read.
#[test]
fn a_summary_counts_bytes_once() {
    let sandbox = two();
    sandbox.tag(&["-o", "m", "t"]).good().says("tagged 2 entries, 3 bytes,");
    sandbox.tag(&["-f", "-o", "m", "--public", "t"]).good();
    let list = sandbox.read("m.b3").len();
    let run = sandbox.tag(&["-f", "-o", "m", "--public", "t"]);
    run.good().says(&format!("tagged 3 entries, {} bytes,", 3 + list));
}

#[test]
fn an_update_says_that_it_renews_no_list() {
    let sandbox = two();
    sandbox.tag(&["-o", "m", "--public", "t"]).good();
    let update = |args: &[&str]| sandbox.run(&[&["update", "--key-file", "key"], args].concat());
    assert!(!update(&["--all", "m"]).good().err.contains("renewed"));
    sandbox.write("t/abc", "abd");
    update(&["--all", "m"]).good().says("m.b3: not renewed: it has the digests of before");
    // Somebody else writes a list, and has it recorded.
    sandbox.write("t/abc", "abe");
    sandbox.write("m.b3", format!("{}  t/empty\n", BLAKE3[1]));
    assert!(!update(&["--all", "m"]).good().err.contains("renewed"));
}

/// The manifest lies in the folder that it records, by its absolute name or from elsewhere.
#[test]
fn a_public_list_has_the_name_that_its_root_gives() {
    let sandbox = two();
    let folder = sandbox.path("t").canonicalize().expect("a folder");
    let folder = folder.to_str().expect("UTF-8");
    for root in [folder, "t", "./t/../t"] {
        for _ in 0..2 {
            sandbox.tag(&["-q", "-f", "-o", "t/m", "--public", root]).good();
            let run = sandbox.verify(&["t/m"]);
            run.good();
            assert_eq!(run.text().lines().count(), 3, "{}", run.text());
        }
        fs::remove_file(sandbox.path("t/m")).expect("rm");
        fs::remove_file(sandbox.path("t/m.b3")).expect("rm");
    }
}

#[test]
fn a_listed_link_is_not_recorded_in_place_of_its_target() {
    let sandbox = two();
    symlink("abc", sandbox.path("t/l")).expect("symlink");
    sandbox.write("list", format!("{}  t/l\n", SHA256[0]));
    let run = sandbox.tag(&["-o", "m", "--from-list", "list"]);
    assert_eq!(run.status, 2);
    run.says("t/l: a symbolic link, of which the list has the target");
    assert!(!sandbox.path("m").exists());
    sandbox.tag(&["-q", "-o", "m", "--symlinks", "follow", "--from-list", "list"]).good();
    sandbox.verify(&["m"]).good().prints("t/l: ok\n");
}

#[test]
fn lists_of_both_programs_can_be_one() {
    let sandbox = two();
    sandbox.write("t/z", "abc");
    let [sha256, blake3] = [SHA256[0], BLAKE3[1]];
    sandbox.write("list", format!("{sha256}  t/abc\n{blake3}  t/empty\n{}  t/z\n", BLAKE3[0]));
    let run = sandbox.run(&["verify", "--list", "--threads", "1", "list"]);
    run.good().prints("t/abc: ok\nt/empty: ok\nt/z: ok\n");
    sandbox.write("t/z", "abd");
    verify_list(&sandbox, &["-q", "list"]).mismatch().prints("t/z: changed\n");
}
