//! What a command leaves out or hints at: temporary files of killed runs, and names in two Unicode forms.
mod common;

use std::fs;

use common::Sandbox;

#[test]
fn tag_leaves_out_temporary_files_and_verify_reports_them() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "a");
    let (half, empty) = ("t/.carryless-aB3xY9", "t/.carryless-000000");
    let list = "t/.carryless-lists0";
    sandbox.write(list, format!("{}  t/a\n", "0a".repeat(32)));
    sandbox.write(half, "carryless-manifest-v2\nalg");
    sandbox.write(empty, "");
    let left_out = "temporary file of a command that was killed or still runs, left out";
    let run = sandbox.tag(&["-o", "t/m", "t"]);
    for name in [half, empty, list] {
        run.good().says(&format!("{name}: {left_out}"));
    }
    assert!(run.err.contains("tagged 1 entry"), "{}", run.err);
    // Anybody can write such a file: `verify` hides none.
    let found = format!("{empty}: new\n{half}: new\n{list}: new\n");
    sandbox.verify(&["-q", "t/m"]).mismatch().prints(&found);
    assert_eq!(sandbox.verify(&["--status", "t/m"]).mismatch().err, "");
    let update = ["update", "--key-file", "key", "--all", "t/m"];
    sandbox.run(&update).good().prints("").says(&format!("{half}: {left_out}"));
    for name in [half, empty, list] {
        fs::remove_file(sandbox.path(name)).expect("rm");
    }
    // Nothing else is left out for such a name: other contents, other names, other folders, links.
    for (name, contents) in [
        ("t/.carryless-secret", "contents"),
        ("t/.carryless-toolong", ""),
        ("t/.carryless-ab-cd1", ""),
        ("t/sub/.carryless-aB3xY9", "carryless-manifest-v2\n"),
    ] {
        sandbox.write(name, contents);
        sandbox.verify(&["-q", "t/m"]).mismatch().prints(&format!("{name}: new\n"));
        fs::remove_file(sandbox.path(name)).expect("rm");
    }
    std::os::unix::fs::symlink("a", sandbox.path("t/.carryless-linked")).expect("symlink");
    sandbox.verify(&["-q", "t/m"]).mismatch().prints("t/.carryless-linked: new\n");
    // With the manifest elsewhere, they are files like any other.
    sandbox.tag(&["-o", "m", "t"]).good().says("tagged 3 entries");
}

/// A manifest that was made elsewhere records such files. They are no leftovers of its own.
#[test]
fn recorded_files_with_such_names_are_verified() {
    let sandbox = Sandbox::new();
    let name = "t/.carryless-aB3xY9";
    sandbox.write("t/a", "a");
    sandbox.write(name, "");
    sandbox.tag(&["-o", "m", "t"]).good().says("tagged 2 entries");
    fs::rename(sandbox.path("m"), sandbox.path("t/m")).expect("mv");
    let run = sandbox.verify(&["t/m"]);
    run.good().prints(&format!("{name}: ok\nt/a: ok\n"));
    assert!(!run.err.contains("left out"), "{}", run.err);
    sandbox.write("t/a", "b");
    sandbox.run(&["update", "--key-file", "key", "--all", "t/m"]).good().says("1 ok, 1 changed");
    fs::remove_file(sandbox.path(name)).expect("rm");
    sandbox.verify(&["-q", "t/m"]).mismatch().prints(&format!("{name}: missing\n"));
}

/// A name as NFC and as NFD is two names, which look like one.
#[test]
fn names_in_two_unicode_forms_are_hinted_at() {
    let sandbox = Sandbox::new();
    let (composed, decomposed) = ("t/caf\u{e9}", "t/cafe\u{301}");
    let hint =
        format!("{composed} and {decomposed}: two names that seem to differ only in their Unicode form");
    sandbox.write(composed, "coffee");
    let run = sandbox.tag(&["-o", "old", "t"]);
    assert!(!run.good().err.contains("Unicode"), "{}", run.err);
    fs::rename(sandbox.path(composed), sandbox.path(decomposed)).expect("mv");
    sandbox.verify(&["old"]).mismatch().says(&hint);
    sandbox.tag(&["-o", "new", "t"]).good();
    sandbox.run(&["diff", "--key-file", "key", "old", "new"]).mismatch().says(&hint);
    sandbox.write(decomposed, "tea");
    sandbox.verify(&["old"]).mismatch().says(&hint);
    assert_eq!(sandbox.verify(&["-q", "new"]).mismatch().err.matches("Unicode").count(), 0);
    sandbox.write(composed, "coffee");
    sandbox.tag(&["-o", "both", "t"]).good().says(&hint);
    sandbox.tag(&["-q", "-f", "-o", "both", "t"]).good();
}
