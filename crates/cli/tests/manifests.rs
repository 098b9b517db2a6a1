//! Manifests that were damaged, edited or made for something else.
mod common;

use common::Sandbox;

#[test]
fn every_truncation_is_an_error() {
    let sandbox = Sandbox::tagged();
    let whole = sandbox.read("m");
    for length in 0..whole.len() {
        sandbox.write("short", &whole[..length]);
        sandbox.verify(&["short"]).trouble("short: ").prints("");
    }
}

#[test]
fn every_flipped_bit_is_an_error() {
    let sandbox = Sandbox::tagged();
    let whole = sandbox.read("m");
    for at in 0..whole.len() {
        // One bit that makes another digit or letter, one that changes the case of letters, one that leaves ASCII.
        for mask in [1 << (at % 5), 0x20, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= mask;
            sandbox.write("flipped", bytes);
            sandbox.verify(&["flipped"]).trouble("flipped: ").prints("");
        }
    }
}

#[test]
fn edits_are_errors_and_say_so() {
    let sandbox = Sandbox::tagged();
    let whole = String::from_utf8(sandbox.read("m")).expect("UTF-8");
    let wrong = "its MAC is wrong";
    let incomplete = "the last line is not the manifest's MAC";
    let lines: Vec<_> = whole.lines().collect();
    let without = |i: usize| [&lines[..i], &lines[i + 1..]].concat().join("\n") + "\n";
    let last = lines.len() - 1;
    let cases = [
        (whole.replace("t/a", "t/A"), wrong),
        (whole.replace("symlinks record", "symlinks skip"), wrong),
        (whole.replace(" 5000 ", " 05000 "), wrong),
        (without(last - 1), wrong),
        (without(last), incomplete),
        (whole.clone() + "\n", incomplete),
        (whole.clone() + &whole, "its MAC is wrong"),
        (whole.replace("-v1", "-v0"), "manifest version \"v0\", this program reads v1 only"),
        (whole.replace("-v1", "-v2"), "manifest version \"v2\""),
        (whole.replace('\n', "\r\n"), "manifest version \"v1\\\\x0d\""),
        (String::new(), "the manifest is empty"),
        ("d41d8cd98f00b204e9800998ecf8427e  a\n".into(), "not a carryless manifest"),
        (without(3), "the header names no key"),
    ];
    for (text, message) in cases {
        sandbox.write("edited", &text);
        sandbox.verify(&["edited"]).trouble(message).prints("");
    }
    sandbox.verify(&["absent"]).trouble("absent: cannot read the manifest");
}

#[test]
fn a_manifest_can_come_from_standard_input_and_go_to_standard_output() {
    let sandbox = Sandbox::tagged();
    let run = sandbox.tag(&["-o", "-", "t"]);
    assert_eq!(run.good().out, sandbox.read("m"));
    let manifest = std::fs::File::open(sandbox.path("m")).expect("open");
    let output = sandbox.command().args(["verify", "--key-file", "key", "-"]).stdin(manifest).output();
    assert!(output.expect("run").status.success());
}
