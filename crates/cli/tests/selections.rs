//! Parts of trees: verifying them alone, lists of files, filters, and staying on one file system.
mod common;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Instant;

use common::{Run, Sandbox, fifo, name};

#[test]
fn a_part_of_a_tree_can_be_verified() {
    let sandbox = Sandbox::tagged();
    sandbox.write("t/subway", "");
    sandbox.write("t/sub/deep/x", "");
    sandbox.tag(&["-f", "-o", "m", "t"]).good();
    sandbox.verify(&["m", "t/sub"]).good().prints("t/sub/.hidden: ok\nt/sub/deep/x: ok\n");
    sandbox.verify(&["m", "./t/b", "t/a"]).good().prints("t/a: ok\nt/b: ok\n");
    assert_eq!(sandbox.verify(&["m", "."]).good().text(), sandbox.verify(&["m"]).text());
    // Differences outside of the part do not matter, those inside do.
    sandbox.write("t/a", "other");
    sandbox.write("t/sub/new", "");
    fs::remove_file(sandbox.path("t/sub/.hidden")).expect("rm");
    sandbox.verify(&["m", "t/sub/deep", "t/b"]).good().prints("t/b: ok\nt/sub/deep/x: ok\n");
    sandbox.verify(&["-q", "m", "t/sub"]).mismatch().prints("t/sub/.hidden: missing\nt/sub/new: new\n");
    sandbox.verify(&["-q", "m", "t/a"]).mismatch().prints("t/a: edited\n");
    // A mistyped name is an error: verifying nothing must not look like success.
    let run = sandbox.verify(&["m", "t/b", "t/su"]);
    assert_eq!(run.status, 2);
    run.says("t/su: neither in the manifest nor among the files that it covers");
    run.prints("t/su: error\nt/b: ok\n");
    assert_eq!(sandbox.verify(&["m", ""]).status, 2);
}

/// Filters apply to a part as to the whole: also those that match a folder above it.
#[test]
fn a_part_is_filtered_like_the_whole() {
    let sandbox = Sandbox::new();
    sandbox.write("t/target/sub/x", "");
    sandbox.write("t/keep/sub/x", "");
    sandbox.tag(&["-o", "m", "--exclude", "target", "t"]).good();
    sandbox.verify(&["m", "t/keep/sub"]).good().prints("t/keep/sub/x: ok\n");
    assert_eq!(sandbox.verify(&["m", "t/target/sub"]).status, 2);
}

#[test]
fn paths_can_come_from_a_list() {
    let sandbox = Sandbox::tagged();
    sandbox.write(name(b"t/new\nline\xff"), "");
    sandbox.write("list", "t/b\n./t/sub/\n");
    sandbox.tag(&["-o", "m1", "--files-from", "list", "t/a"]).good();
    sandbox.verify(&["m1"]).good().prints("t/a: ok\nt/b: ok\nt/sub/.hidden: ok\n");
    sandbox.write("list", b"t/new\nline\xff\0t/b\0");
    sandbox.tag(&["-o", "m2", "--files-from", "list", "-0"]).good();
    sandbox.verify(&["m2"]).good().prints("t/b: ok\nt/new\\nline\\xff: ok\n");
    let list = fs::File::open(sandbox.path("list")).expect("open");
    let args = ["tag", "--key-file", "key", "-o", "-", "--files-from", "-", "--null"];
    let run = Run::from(sandbox.command().args(args).stdin(list).output().expect("run"));
    assert_eq!(run.good().out, sandbox.read("m2"));
    sandbox.tag(&["-o", "m3", "--files-from", "none"]).trouble("none: cannot read the list of files");
    sandbox.write("list", "t/a\n\nt/b\n");
    sandbox.tag(&["-o", "m3", "--files-from", "list"]).trouble("list: name 2 is empty");
    sandbox.write("list", "");
    sandbox.tag(&["-o", "m3", "--files-from", "list"]).trouble("no file was found, or filters left out all");
    assert_eq!(sandbox.tag(&["-o", "m4", "-0", "t"]).status, 2);
    let both = ["tag", "--key-file", "-", "-o", "m4", "--files-from", "-"];
    sandbox.run(&both).trouble("key and list of files cannot both come");
}

#[cfg(target_os = "linux")]
#[test]
fn other_file_systems_can_be_left_out() {
    let sandbox = Sandbox::tagged();
    // /proc is never on the file system of a temporary folder.
    symlink("/proc/self/fdinfo", sandbox.path("t/other")).expect("symlink");
    symlink("sub", sandbox.path("t/same")).expect("symlink");
    let follow = ["--symlinks", "follow", "-o", "m2", "t"];
    assert_eq!(sandbox.tag(&follow).status, 2, "files in /proc cannot be tagged");
    sandbox.tag(&[&["-x"], &follow[..]].concat()).good();
    let expected = "t/a: ok\nt/b: ok\nt/same/.hidden: ok\nt/sub/.hidden: ok\n";
    sandbox.verify(&["m2"]).good().prints(expected);
    assert!(String::from_utf8_lossy(&sandbox.read("m2")).contains("\none-file-system yes\n"));
}

/// The base folder may be the current one, given by -C, or given by a link.
#[test]
fn patterns_with_a_slash_begin_at_the_folder() {
    let sandbox = Sandbox::tagged();
    symlink("t", sandbox.path("l")).expect("symlink");
    for folder in ["t", "l"] {
        let tag =
            |option, pattern| sandbox.tag(&["-C", folder, "-o", "-", option, pattern, "."]).good().text();
        let text = tag("--include", "sub/*");
        assert!(text.contains(" sub/.hidden\n") && !text.contains(" a\n"), "{text}");
        let text = tag("--exclude", "/a");
        assert!(text.contains(" sub/.hidden\n") && !text.contains(" a\n"), "{text}");
    }
}

/// A root above the folder is not part of that folder.
#[test]
fn a_part_does_not_reach_above_itself() {
    let sandbox = Sandbox::new();
    sandbox.write("here/t/a", "");
    sandbox.write("up/b", "");
    let m = "../m";
    let run = |args: &[&str]| {
        let mut command = sandbox.command();
        command.current_dir(sandbox.path("here")).args([args[0], "--key-file", "../key"]);
        Run::from(command.args(&args[1..]).output().expect("run"))
    };
    run(&["tag", "-o", m, "t", "../up"]).good();
    run(&["verify", m, "."]).good().prints("t/a: ok\n");
    run(&["verify", m, "../up"]).good().prints("../up/b: ok\n");
    run(&["verify", m, ".."]).good().prints("../up/b: ok\n");
    run(&["verify", m]).good().prints("../up/b: ok\nt/a: ok\n");
}

/// A mistake in a filter would show only when the files are needed, so it is an error at once.
#[test]
fn filters_that_can_match_nothing_are_errors() {
    let sandbox = Sandbox::new();
    for file in ["p/src/a.c", "p/src/deep/b.c", "p/other", "src", "ab/x", "ab/y"] {
        sandbox.write(file, "");
    }
    let here = std::fs::canonicalize(sandbox.path(".")).expect("a path");
    let here = here.to_str().expect("UTF-8");
    let (ab, ab_x) = (format!("{here}/ab"), format!("{here}/ab/x"));
    for (args, message) in [
        (&["--include", "p/src/", "p"][..], "--include p/src/: can match nothing"),
        (&["--include", "src/", "p"], "write **/src/**"),
        (&["--include", "src", "p"], "--include src: selects no file, only matches folders (p/src)"),
        (
            &["--include", "/p/src", "--include", "other", "p"],
            "to include what is below them, write /p/src/**",
        ),
        (&["--exclude", "ab/x", &ab], "--exclude ab/x: can match nothing"),
        (&["--exclude", &ab_x, &ab], "never matches below an absolute PATH"),
        (&["--include", "ab/*", &ab], "--include ab/*: can match nothing"),
        (&["--exclude", "ab/x", "p"], "no PATH leads to it"),
        (&["--exclude", "ab/x", "ab/x", "p"], "--exclude ab/x: can match nothing"),
    ] {
        sandbox.tag(&[&["-o", "m"], args].concat()).trouble(message);
        assert!(!sandbox.path("m").exists());
    }
    let names = |args: &[&str]| {
        let run = sandbox.tag(&[&["--metadata", "none", "-o", "-"], args].concat());
        let text = run.good().text();
        let names = text.lines().filter_map(|line| line.strip_prefix("file ")?.splitn(3, ' ').nth(2));
        names.map(String::from).collect::<Vec<_>>().join(" ")
    };
    // The patterns that the messages advise do what was meant.
    assert_eq!(names(&["--include", "p/src/**", "p"]), "p/src/a.c p/src/deep/b.c");
    assert_eq!(names(&["--include", "**/src/**", "p"]), "p/src/a.c p/src/deep/b.c");
    assert_eq!(names(&["--include", "/p/src/**", "p"]), "p/src/a.c p/src/deep/b.c");
    assert_eq!(names(&["--exclude", "ab/x", "ab"]), "ab/y");
    assert_eq!(names(&["--exclude", "/ab/x", "ab", &ab]), format!("{ab_x} {here}/ab/y ab/y"));
    assert_eq!(names(&["--exclude", "**/ab/x", &ab]), format!("{here}/ab/y"));
    // A filter that matches nothing in this tree, but could in another, is no error.
    assert_eq!(names(&["--exclude", "*.o", "--exclude", "ab/none", "ab"]), "ab/x ab/y");
    assert_eq!(names(&["--include", "src", "p", "src"]), "src");
    assert_eq!(names(&["--include", "x", "--include", "*.none", "ab"]), "ab/x");
}

#[test]
fn a_slash_after_a_file_is_an_error() {
    let sandbox = Sandbox::tagged();
    for path in ["t/a/", "t/a/.", "./t//a//"] {
        for options in [&[][..], &["--symlinks", "follow"]] {
            let run = sandbox.tag(&[options, &["-o", "m2", path]].concat());
            run.trouble(&format!("{path}: Not a directory, but its name ends in a slash"));
        }
    }
    assert!(!sandbox.path("m2").exists());
}

#[test]
fn a_list_with_other_line_ends_is_told() {
    let sandbox = Sandbox::tagged();
    sandbox.write("list", "t/a\r\nt/b\r\n");
    let run = sandbox.tag(&["--files-from", "list", "-o", "m2"]);
    run.trouble("list: its lines end with CR LF, not LF alone");
    // A name may end so, and others show that it is meant.
    sandbox.write("t/c\r", "");
    sandbox.write("list", "t/a\nt/c\r\n");
    sandbox.tag(&["--files-from", "list", "-o", "m2"]).good();
    sandbox.write("list", "t/c\r\0");
    sandbox.tag(&["--files-from", "list", "-0", "-f", "-o", "m2"]).good();
    sandbox.verify(&["m2"]).good().prints("t/c\\x0d: ok\n");
}

#[test]
fn verify_takes_its_paths_from_a_list() {
    let sandbox = Sandbox::tagged();
    sandbox.write("list", "./t/sub/\nt/b\n");
    sandbox.verify(&["m", "--files-from", "list"]).good().prints("t/b: ok\nt/sub/.hidden: ok\n");
    sandbox.write("list", "t/b\0");
    sandbox.verify(&["--files-from", "list", "-0", "m", "t/a"]).good().prints("t/a: ok\nt/b: ok\n");
    // Nothing does not mean everything.
    sandbox.write("list", "");
    sandbox.verify(&["--files-from", "list", "m"]).trouble("list: the list of files is empty").prints("");
    sandbox.write("list", "t/none\n");
    sandbox
        .verify(&["-q", "--files-from", "list", "--no-progress", "m"])
        .says("t/none: neither in the manifest");
    sandbox.write("list", "t/a\r\nt/b\r\n");
    sandbox.verify(&["--files-from", "list", "m"]).trouble("its lines end with CR LF").prints("");
    for args in [["--key-file", "-", "m"], ["--key-file", "key", "-"]] {
        let args = [&["verify", "--files-from", "-"], &args[..]].concat();
        sandbox.run(&args).trouble("cannot both come from standard input").prints("");
    }
}

/// Each PATH costs a search, and not a comparison with every record.
#[test]
fn many_paths_cost_little() {
    let sandbox = Sandbox::new();
    for i in 0..8000 {
        sandbox.write_quickly(&format!("t/{i}"));
    }
    sandbox.tag(&["-q", "-o", "m", "t"]).good();
    let list: String = (0..8000).map(|i| format!("t/{i}\n")).collect();
    sandbox.write("list", list);
    let time = |args: &[&str]| {
        let run = || {
            let start = Instant::now();
            sandbox.verify(args).good();
            start.elapsed()
        };
        (0..5).map(|_| run()).min().expect("runs")
    };
    let (whole, parts) = (time(&["-q", "m"]), time(&["-q", "--files-from", "list", "m"]));
    assert!(parts < 3 * whole, "{parts:?} for all PATHs one by one, {whole:?} for the whole");
}

/// Without random numbers, hash tables of the standard library would panic.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_system_without_random_numbers_is_an_error() {
    let sandbox = Sandbox::tagged();
    let source = "#include <errno.h>\n\
        long getrandom(void *b, unsigned long n, unsigned f) { errno = EIO; return -1; }\n";
    sandbox.write("none.c", source);
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o", "none.so", "none.c"]).current_dir(sandbox.path("."));
    assert!(compiler.status().expect("cc").success());
    for args in [
        &["keygen", "k"][..],
        &["tag", "--key-file", "key", "-o", "m2", "t"],
        &["verify", "--key-file", "key", "m"],
    ] {
        let run = sandbox.command().args(args).env("LD_PRELOAD", sandbox.path("none.so")).output();
        Run::from(run.expect("run")).trouble("the system gives no random numbers").prints("");
    }
}

/// A `.gitignore` that is a FIFO would be waited for, a device or a sparse file would fill the memory, and a link leads to
/// patterns that no manifest protects.
#[test]
fn gitignore_is_an_ordinary_file_of_bounded_size() {
    let sandbox = Sandbox::tagged();
    sandbox.write("patterns", "x*\n");
    sandbox.tag(&["-f", "-o", "m", "--gitignore", "t"]).good();
    for (folder, below) in
        [("t/sub", "t/sub/.hidden: error\n"), ("t", "t/a: error\nt/b: error\nt/sub/.hidden: error\n")]
    {
        let path = sandbox.path(format!("{folder}/.gitignore"));
        let refuses = |why: &str| {
            let reason = format!("{folder}: its .gitignore is {why}, so that the folder is not read");
            sandbox.tag(&["--skip-special", "-o", "m2", "--gitignore", "t"]).trouble(&reason);
            sandbox.write(format!("{folder}/x"), "hidden");
            let run = sandbox.verify(&["-q", "--ignore-new", "--ignore-missing", "m"]);
            assert_eq!((run.status, run.text()), (2, format!("{folder}: error\n{below}")));
            // Without --gitignore such a file means nothing.
            sandbox.tag(&["--skip-special", "-f", "-o", "m3", "t"]).good();
            fs::remove_file(&path).expect("rm");
            fs::remove_file(sandbox.path(format!("{folder}/x"))).expect("rm");
        };
        fifo(&path);
        refuses("not an ordinary file");
        symlink("/dev/zero", &path).expect("symlink");
        refuses("not an ordinary file");
        symlink(sandbox.path("patterns"), &path).expect("symlink");
        refuses("not an ordinary file");
        fs::File::create(&path).expect("create").set_len((1 << 20) + 1).expect("set_len");
        refuses("longer than 1 MiB");
        sandbox.write(format!("{folder}/.gitignore"), "#".repeat(1 << 20));
        sandbox.verify(&["-q", "--ignore-new", "m"]).good();
        fs::remove_file(&path).expect("rm");
    }
    sandbox.verify(&["-q", "m"]).good();
}
