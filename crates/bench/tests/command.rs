//! The command from the outside: exit codes, files, messages.
use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carryless-bench")).args(arguments).output().expect("the command starts")
}

/// Runs one-shot Poly1305 on few lengths, for a moment each.
fn quick(more: &[&str]) -> Output {
    // Every CPU has both.
    let subjects = "carryless/best,carryless/portable";
    let common = ["poly1305", "--lengths", "16,4k", "--subjects", subjects, "--seconds", "0.01"];
    bench(&[&common[..], more].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_table_and_every_file() {
    // The process number keeps parallel runs apart.
    let folder = std::env::temp_dir().join(format!("carryless-bench-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the files");
    let path = |name: &str| folder.join(name).display().to_string();
    let (jsonl, csv, md, svg) = (path("a.jsonl"), path("a.csv"), path("a.md"), path("a.svg"));
    let files = ["--jsonl", &jsonl, "--csv", &csv, "--md", &md, "--svg", &svg];
    // The second run can only append records: all other files exist by then.
    for files in [&files[..], &files[..2]] {
        let output = quick(files);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("| 4096 |"));
    }
    let lines = |name: &str| std::fs::read_to_string(name).expect("a file was written").lines().count();
    // Two runs of two subjects at two lengths.
    assert_eq!(lines(&jsonl), 8, "a record grows");
    // A line of names, and four figures.
    assert_eq!(lines(&csv), 5);
    assert!(lines(&md) > 4 && lines(&svg) > 10);
    // All these files exist. Only JSON lines may be appended to, and only by records.
    for file in [["--jsonl", &md], ["--csv", &csv], ["--md", &jsonl], ["--svg", &svg]] {
        let output = quick(&file);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("exists already") && message.contains(file[1]), "{message}");
    }
    assert_eq!((lines(&jsonl), lines(&csv)), (8, 5), "nothing is lost");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn assertions_decide_the_exit_code() {
    // The bounds are far from every figure, so that a busy computer changes no verdict.
    let output = quick(&["--assert", "carryless/best <= 1000 @ 4k"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("ok: carryless/best @ 4096: "));
    let output =
        quick(&["--assert", "carryless/best <= 1000 @ 4k", "--assert", "carryless/best <= 0.0001 @ 4k"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("FAILED: carryless/best @ 4096: "));
    let output = quick(&["--assert", "carryless/best <= 1000 @ 5k"]);
    assert_eq!(output.status.code(), Some(2), "what was not measured does not hold");
}

/// A BRW hash is measured also in words, and beside the polyHash over the same prime.
#[test]
fn ways_and_the_hash_of_the_same_prime() {
    for prime in ["1305", "1271"] {
        let list = text(&bench(&["--list", &format!("decbrwhash{prime}")]).stdout);
        let listed = |name: &str| list.lines().any(|line| line == name);
        assert!(listed("carryless/portable/words-t2"), "{list}");
        assert!(listed(&format!("polyhash{prime}/best")), "{list}");
        // polyHash over the other prime would say nothing about this one.
        assert_eq!(list.matches("polyhash").count(), list.matches(&format!("polyhash{prime}/")).count());
    }
}

/// polyHash, which the BRW hashes should beat, runs in the same command, so that an assertion can compare
/// them.
#[test]
fn other_families_can_be_asserted_against() {
    let arguments = [
        "brwhash1305",
        "--lengths",
        "1k",
        "--seconds",
        "0.01",
        "--subjects",
        "carryless/best,polyhash1305/best",
    ];
    let output =
        bench(&[&arguments[..], &["--assert", "carryless/best <= 100 * polyhash1305/best @ 1k"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("| polyhash1305/best (other function) |"), "{table}");
    assert!(table.contains("ok: carryless/best @ 1024: "), "{table}");
}

#[test]
fn families_have_aliases_and_tables_their_own_options() {
    let list = |family: &str| text(&bench(&["--list", family]).stdout);
    assert!(list("decbrwhash1305").contains("carryless/best"));
    assert_eq!(list("decbrwhash1305"), list("decbrw4-1305"));
    assert_eq!(list("brwhash1305"), list("decbrw1-1305"));
    assert_eq!(list("decbrwhash1271"), list("decbrw4-1271"));
    for wrong in [
        &["paper001", "--lengths", "16"][..],
        &["--lengths", "16", "paper001"],
        &["poly1305", "--quick"],
        &[],
    ] {
        assert_eq!(bench(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let help = text(&bench(&["--help"]).stdout);
    assert!(
        ["paper000", "paper001", "paper002", "paper003"].iter().all(|paper| help.contains(paper)),
        "{help}"
    );
}

#[test]
fn every_mode_runs() {
    for (family, mode) in [
        ("poly1305", "prepared"),
        ("poly1305", "batch"),
        ("polyhash1305", "oneshot"),
        ("polyhash1305", "prepared"),
        ("decbrwhash1305", "oneshot"),
        ("decbrw3-1305", "oneshot"),
        ("polyhash1271", "oneshot"),
        ("decbrwhash1271", "oneshot"),
        ("decbrwhash1271", "prepared"),
        ("f2x-mul", "oneshot"),
        ("f2x-square", "oneshot"),
        ("f2x-mod-xn-1", "oneshot"),
    ] {
        let output =
            // 9 messages fill eight lanes and leave one.
            bench(&[family, "--mode", mode, "--batch", "9", "--lengths", "64,100", "--seconds", "0.01"]);
        assert_eq!(output.status.code(), Some(0), "{family} {mode}: {}", text(&output.stderr));
    }
}

#[test]
fn errors_are_one_line_and_exit_2() {
    for (arguments, message) in [
        (&["poly1305", "--subjects", "nobody"][..], "no subject 'nobody'"),
        (&["poly1305", "--lengths", "0"], "cycles per byte of no bytes"),
        (&["poly1305", "--seconds", "0"], "seconds must be positive"),
        (&["polyhash1305", "--mode", "batch"], "no call for a batch"),
        (&["f2x-square", "--mode", "prepared"], "no call with a prepared key"),
        (&["f2x-mul", "--mode", "batch"], "no call for a batch"),
        (&["f2x-mul", "--gf2x", "no-such-file"], "no-such-file: "),
        (&["f2x-mul", "--gf2x", "Cargo.toml"], "Cargo.toml: "),
        (&["poly1305", "--gf2x", "no-such-file"], "gf2x computes nothing of poly1305"),
        (&["polynomials", "--moduli", "sparse-128"], "no modulus sparse-128 in this build"),
        (&["polynomials", "--ntl", "no-such-file"], "no-such-file: "),
        (&["paper001", "--seconds", "0"], "seconds must be positive"),
        (&["paper003", "--seconds", "0"], "seconds must be positive"),
    ] {
        let output = bench(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr);
        assert!(
            error.starts_with("error: ") && error.contains(message) && error.lines().count() == 1,
            "{error}"
        );
    }
    assert_eq!(bench(&["sha1"]).status.code(), Some(2));
    assert_eq!(bench(&["poly1305", "--assert", "nonsense"]).status.code(), Some(2));
}
