//! Manifests that were damaged, edited or made for another purpose are refused.
mod common;

use common::{KEY, Run, Sandbox};

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
        // Masks that replace a digit or letter by another, change the case of a letter, or leave ASCII.
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
        (whole.replace("-v2", "-v0"), "manifest version \"v0\", this program reads v1 and v2"),
        (whole.replace("-v2", "-v3"), "manifest version \"v3\""),
        (whole.replace("-v2", "-v10"), "manifest version \"v10\""),
        (whole.replace("-v2", "-v1"), wrong),
        (whole.replace('\n', "\r\n"), "damaged: its line ends were converted to CR LF"),
        (String::new(), "the manifest is empty"),
        ("d41d8cd98f00b204e9800998ecf8427e  a\n".into(), "not a carryless manifest"),
        (without(3), "the header names no key"),
        (without(1), "the header names no algorithm"),
        (
            whole.replace("4-decbrwhash1305-hchacha20", "sha256"),
            "algorithm \"sha256\": unknown algorithm; there are 4-decbrwhash1305-hchacha20 and polyhash1305-hchacha20",
        ),
        // Each algorithm has keys of its own, so the MAC does not match.
        (whole.replace("4-decbrwhash1305-hchacha20", "polyhash1305-hchacha20"), wrong),
        (whole.replace("two-level-1048576", "two-level-1048577"), wrong),
        (whole.replace("two-level-1048576", "horner-16"), wrong),
    ];
    for (text, message) in cases {
        sandbox.write("edited", &text);
        sandbox.verify(&["edited"]).trouble(message).prints("");
    }
    sandbox.verify(&["absent"]).trouble("absent: cannot read the manifest");
}

/// The text with a right MAC, as another program with the key could make it.
fn sealed(text: &str) -> String {
    let digits = &KEY.split(':').nth(1).expect("the key's digits");
    let key: Vec<u8> =
        (0..32).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("digits")).collect();
    let mac = carryless_reference::decbrw_file_mac(&key[..].try_into().expect("32"), "mani", text.as_bytes());
    let digits: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text}mac {digits}\n")
}

/// The MAC is right, but files are cut in another way.
#[test]
fn another_segment_scheme_is_refused() {
    let sandbox = Sandbox::tagged();
    let whole = String::from_utf8(sandbox.read("m")).expect("UTF-8");
    let (text, _) = whole.rsplit_once("mac ").expect("a last line");
    assert_eq!(sealed(text), whole);
    sandbox.write("other", sealed(&text.replace("two-level-1048576", "two-level-65536")));
    let message = "\"segments two-level-65536\" is not supported with 4-decbrwhash1305-hchacha20, only \"segments two-level-1048576\"";
    sandbox.verify(&["other"]).trouble(message).prints("");
}

/// The text of a manifest of a small tree without its last line, made with these options.
fn text(sandbox: &Sandbox, options: &[&str]) -> String {
    let whole = sandbox.tag(&[options, &["-o", "-", "t"]].concat()).good().text();
    whole.rsplit_once("mac ").expect("a last line").0.to_owned()
}

/// Checks that a manifest is refused with a message, although its MAC is right.
#[track_caller]
fn refused(sandbox: &Sandbox, other: &str, message: &str) {
    sandbox.write("other", sealed(other));
    sandbox.verify(&["other"]).trouble(message).prints("");
}

/// The MAC is right, but the same contents are written in another form.
#[test]
fn only_the_canonical_form_is_read() {
    let sandbox = Sandbox::tagged();
    let text = text(&sandbox, &["--manifest-version", "1"]);
    // The MAC must be on a line of its own, and a name may have one record only.
    refused(&sandbox, text.trim_end(), "the last line is not the manifest's MAC");
    let last = text.lines().last().expect("a record");
    refused(&sandbox, &format!("{text}{last}\n"), "the records are not in order");
    let record = "malformed record";
    let header = "header lines are missing, in another order, or have unknown values";
    for (from, to, message) in [
        (" 5000 t", " 05000 t", record),
        (" 5000 t", " +5000 t", record),
        (" 0 t", " 00 t", record),
        (" t/a\n", " t/\\x61\n", record),
        (" t/a\n", " t/a\r\n", record),
        (" t/a\n", " t/a\n\n", record),
        (" t/a\n", " t/a\u{200b}\n", record),
        (" t/a\n", " t/a\nerror t/aa\n", record),
        ("root t\n", "root \\x74\n", "a malformed, needless or missing escape"),
        ("root t\n", "root t\r\n", "a malformed, needless or missing escape"),
        ("root t\n", "root t\nroot t\n", "the roots are not in order"),
        ("root t\n", "root t\nmetadata none\n", "unknown header line \"metadata\""),
        ("root t\n", "root t\nserial 1\n", "unknown header line \"serial\""),
        ("gitignore ignore\n", "gitignore no\n", header),
        ("gitignore ignore\n", "", header),
        ("gitignore ignore\n", "gitignore ignore\none-file-system no\n", header),
    ] {
        let other = text.replacen(from, to, 1);
        assert_ne!(other, text, "{from:?}");
        refused(&sandbox, &other, message);
    }
}

/// What version 2 adds has one form too.
#[test]
fn only_the_canonical_form_of_version_2_is_read() {
    let sandbox = Sandbox::tagged();
    let text = text(&sandbox, &["--metadata", "full"]);
    let (header, record) = text.split_once("\n\n").expect("a header");
    let (order, serial) = ("in another order, or unknown", "no valid serial number");
    let previous = "previous 2760acf1916c575bd5e0a3774e667b02";
    let date = header.lines().find(|line| line.starts_with("date ")).expect("a date");
    for (from, to, message) in [
        ("metadata full\n", "", "no line \"metadata\""),
        ("metadata full", "metadata all", "unknown value \"all\""),
        ("metadata full", "metadata Full", "unknown value"),
        (date, "date 2026-11-31T00:00:00Z", "no valid date"),
        (date, "date 1969-12-31T23:59:59Z", "no valid date"),
        (date, "serial 1", "no valid date"),
        ("serial 1", "serial 01", serial),
        ("serial 1", "serial 18446744073709551616", serial),
        ("serial 1", "serial 0", "the serial number is 0"),
        ("serial 1", "serial 2", "contradict each other"),
        ("serial 1", &format!("serial 1\n{previous}"), "contradict each other"),
        ("serial 1", &format!("serial 2\n{}", previous.to_uppercase()), order),
        ("serial 1", &format!("serial 2\n{previous}0"), order),
        ("serial 1", &format!("serial 2\n{previous}\nroot u"), order),
        ("serial 1", "serial 1\nserial 1", order),
        ("root t\nmetadata full", "metadata full\nroot t", "no valid date"),
        ("serial 1", "serial 1\nroot u", order),
    ] {
        let other = header.replacen(from, to, 1);
        assert_ne!(other, header, "{from:?}");
        refused(&sandbox, &format!("{other}\n\n{record}"), message);
    }
    let with = |line: &str| format!("{header}\n\n{line}\n");
    let tag = "2760acf1916c575bd5e0a3774e667b02";
    let good = format!("file {tag} 5 -1.000000000 2.000000003 7 0644 0 4294967295 t/a b");
    sandbox.write("other", sealed(&with(&good)));
    sandbox.verify(&["-q", "other", "t/a b"]).mismatch();
    for (from, to) in [
        ("-1.0", "-0.0"),
        ("-1.0", "-01.0"),
        ("-1.0", "9223372036854775808.0"),
        ("2.000000003", "2.00000003"),
        ("2.000000003", "2.0000000003"),
        (" 7 ", " 07 "),
        (" 7 ", " -7 "),
        (" 7 ", " 18446744073709551616 "),
        (" 0644 ", " 644 "),
        (" 0644 ", " 10644 "),
        (" 0644 ", " 0648 "),
        (" 0 4", " 00 4"),
        ("4294967295", "4294967296"),
        (" 0 4294967295", ""),
        (" t/a b", ""),
        ("file", "error"),
    ] {
        let other = good.replacen(from, to, 1);
        assert_ne!(other, good, "{from:?}");
        // In a line of `error` all that follows is a name.
        if from == "file" {
            sandbox.write("other", sealed(&with(&other)));
            sandbox.verify(&["-q", "other", "t"]).mismatch();
            continue;
        }
        refused(&sandbox, &with(&other), "malformed record");
    }
}

/// Reading stops at a limit, also for a device that never ends.
#[test]
fn manifests_are_bounded() {
    let sandbox = Sandbox::tagged();
    // `ulimit` limits memory, so that a missing limit of the command fails the test and not the computer.
    let script = "ulimit -v 4000000; exec \"$0\" verify --key-file key /dev/zero";
    let mut shell = std::process::Command::new("sh");
    let shell = shell.args(["-c", script, env!("CARGO_BIN_EXE_carryless")]).current_dir(sandbox.path("."));
    Run::from(shell.output().expect("run")).trouble("/dev/zero: not a carryless manifest");

    let mut long = sandbox.read("m");
    long.resize((1 << 20) + 1, b' ');
    sandbox.write("long", &long);
    let refused = "long: larger than 1 MiB (see --max-manifest-size)";
    sandbox.verify(&["--max-manifest-size", "1", "long"]).trouble(refused).prints("");
    sandbox.verify(&["--max-manifest-size", "2", "long"]).trouble("long: incomplete");
    sandbox.write("long", &long[..1 << 20]);
    sandbox.verify(&["--max-manifest-size", "1", "long"]).trouble("long: incomplete");
    assert_eq!(sandbox.verify(&["--max-manifest-size", "0", "m"]).status, 2);
    sandbox.verify(&["--max-manifest-size", "1", "-q", "m"]).good();
}

#[test]
fn a_manifest_can_come_from_standard_input_and_go_to_standard_output() {
    let sandbox = Sandbox::tagged();
    // In version 1, without a date.
    sandbox.tag(&["-f", "--manifest-version", "1", "-o", "m", "t"]).good();
    let run = sandbox.tag(&["--manifest-version", "1", "-o", "-", "t"]);
    assert_eq!(run.good().out, sandbox.read("m"));
    let manifest = std::fs::File::open(sandbox.path("m")).expect("open");
    let output = sandbox.command().args(["verify", "--key-file", "key", "-"]).stdin(manifest).output();
    assert!(output.expect("run").status.success());
}

/// Nobody has authenticated what these messages quote.
#[test]
fn messages_about_unknown_manifests_are_short() {
    let sandbox = Sandbox::tagged();
    let whole = String::from_utf8(sandbox.read("m")).expect("UTF-8");
    let long = "\u{1b}".repeat(1 << 20);
    for (known, message) in [("v2\n", "manifest version \"\\x1b"), ("4-decbrwhash1305", "algorithm \"\\x1b")]
    {
        sandbox.write("long", whole.replacen(known, &long, 1));
        let run = sandbox.verify(&["long"]);
        run.trouble(message).prints("");
        assert!(run.err.len() < 1000, "{} bytes", run.err.len());
    }
}
