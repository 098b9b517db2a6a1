//! Manifests with the right result, for other implementations: `vectors/manifests/manifests.json`.
//!
//! This test makes the file: the texts stand below, the MACs come from the slow definitions.
//! `CARRYLESS_BLESS=1 cargo test -p carryless-cli --test manifest_vectors` writes it.
mod common;

use std::path::Path;

use carryless_reference::{decbrw_file_mac, polyhash_file_mac};
use common::{KEY, Sandbox};
use serde_json::{Value, json};

/// Whether readers must accept a manifest.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    Valid,
    Invalid,
    /// The last bit of the MAC is wrong.
    WrongMac,
}
use Expected::{Invalid, Valid, WrongMac};

const V1: &str = "carryless-manifest-v1\nalgorithm 4-decbrwhash1305-hchacha20\nsegments two-level-1048576\nkey-id d27bd12377ec6434\n";
const V2: &str = "carryless-manifest-v2\nalgorithm 4-decbrwhash1305-hchacha20\nsegments two-level-1048576\nkey-id d27bd12377ec6434\n";
const POLY: &str =
    "carryless-manifest-v2\nalgorithm polyhash1305-hchacha20\nsegments horner-16\nkey-id d27bd12377ec6434\n";
const SCOPE: &str = "symlinks record\nspecials refuse\ngitignore ignore\nroot t\n";
const DATE: &str = "date 2026-11-29T11:18:25Z\n";
const TAG: &str = "c5aef9d9c96d80d608c0cc397f9bd9a4";

fn header(level: &str) -> String {
    format!("{V2}{SCOPE}metadata {level}\n{DATE}serial 1\n\n")
}

fn mac(text: &str) -> String {
    let digits = KEY.split(':').nth(1).expect("the key's digits");
    let key = std::array::from_fn(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("digits"));
    let mac = if text.contains("\nalgorithm polyhash1305") { polyhash_file_mac } else { decbrw_file_mac };
    mac(&key, "mani", text.as_bytes()).iter().map(|byte: &u8| format!("{byte:02x}")).collect()
}

/// All manifests without their last line, each with a remark.
fn texts() -> Vec<(&'static str, String, Expected)> {
    let times = header("times");
    let file = |fields: &str| format!("{times}file {TAG} 16 {fields} t/a\n");
    let full =
        |fields: &str| format!("{}file {TAG} 16 1.000000000 1.000000000 2 {fields} t/a\n", header("full"));
    let edition = |lines: &str| format!("{V2}{SCOPE}{lines}\n");
    let first = file("1.000000000 1.000000000 2");
    let previous = format!("previous {}\n", mac(&first));
    vec![
        ("version 1", format!("{V1}{SCOPE}\nfile {TAG} 16 t/a\nlink t/link\t../nowhere\n"), Valid),
        ("no metadata", format!("{}file {TAG} 18446744073709551615 t/a b\n", header("none")), Valid),
        ("the first of a chain", first.clone(), Valid),
        (
            "its successor",
            format!("{V2}{SCOPE}metadata times\n{DATE}serial 2\n{previous}\nerror t/a\n"),
            Valid,
        ),
        (
            "the other algorithm",
            format!("{POLY}{SCOPE}metadata none\n{DATE}serial 1\n\nfile {TAG} 16 t/a\n"),
            Valid,
        ),
        (
            "a label, filters, two roots",
            format!(
                "{V2}label a\\nb\nsymlinks skip\nspecials skip\ngitignore obey\none-file-system yes\ninclude *.rs\nexclude \\\\*\nroot t\nroot u\nmetadata none\n{DATE}serial 1\n\nfile {TAG} 0 t/\\\\\\xff\n"
            ),
            Valid,
        ),
        ("times before 1970", file("-1.500000000 -9223372036854775808.000000000 0"), Valid),
        (
            "late times, a large inode",
            file("9223372036854775807.999999999 0.000000001 18446744073709551615"),
            Valid,
        ),
        ("all metadata", full("4755 0 4294967295"), Valid),
        ("no entries", times.clone(), Valid),
        ("the last date", edition("metadata none\ndate 9999-12-31T23:59:59Z\nserial 1\n"), Valid),
        ("a wrong MAC", first.clone(), WrongMac),
        ("version 3", first.replace("-v2", "-v3"), Invalid),
        ("version 1 with a date", format!("{V1}{SCOPE}{DATE}\n"), Invalid),
        ("version 1 with an error", format!("{V1}{SCOPE}\nerror t/a\n"), Invalid),
        ("version 2 without metadata", edition(&format!("{DATE}serial 1\n")), Invalid),
        ("unknown metadata", first.replace("metadata times", "metadata all"), Invalid),
        ("metadata before the roots", format!("{V2}metadata none\n{SCOPE}{DATE}serial 1\n\n"), Invalid),
        ("date after serial", edition(&format!("metadata none\nserial 1\n{DATE}")), Invalid),
        ("a day that November lacks", first.replace("11-29", "11-31"), Invalid),
        ("29 February in a common year", first.replace("11-29", "02-29"), Invalid),
        ("a leap second", first.replace("11:18:25", "23:59:60"), Invalid),
        ("a date before 1970", first.replace("2026", "1969"), Invalid),
        ("a date without Z", first.replace("25Z", "25"), Invalid),
        ("serial 0", first.replace("serial 1", "serial 0"), Invalid),
        ("serial 01", first.replace("serial 1", "serial 01"), Invalid),
        ("serial 2 without previous", first.replace("serial 1", "serial 2"), Invalid),
        ("serial 1 with previous", first.replace("serial 1\n", &format!("serial 1\n{previous}")), Invalid),
        (
            "serial 2^64",
            first.replace("serial 1\n", &format!("serial 18446744073709551616\n{previous}")),
            Invalid,
        ),
        (
            "previous in upper case",
            first.replace("serial 1\n", &format!("serial 2\nprevious {}\n", TAG.to_uppercase())),
            Invalid,
        ),
        (
            "a line after previous",
            first.replace("serial 1\n", &format!("serial 2\n{previous}x y\n")),
            Invalid,
        ),
        ("-0 seconds", file("-0.500000000 1.000000000 2"), Invalid),
        ("eight digits of nanoseconds", file("1.00000000 1.000000000 2"), Invalid),
        ("seconds with a plus sign", file("+1.000000000 1.000000000 2"), Invalid),
        ("seconds of 2^63", file("9223372036854775808.000000000 1.000000000 2"), Invalid),
        ("an inode of 2^64", file("1.000000000 1.000000000 18446744073709551616"), Invalid),
        ("a field too few", file("1.000000000 1.000000000"), Invalid),
        ("a mode of three digits", full("755 0 0"), Invalid),
        ("a mode of five digits", full("10644 0 0"), Invalid),
        ("an owner of 2^32", full("0644 4294967296 0"), Invalid),
        ("a group with a leading zero", full("0644 0 00"), Invalid),
        ("a needless escape", first.replace("t/a\n", "t/\\x61\n"), Invalid),
        ("a name twice", format!("{first}error t/a\n"), Invalid),
        ("names out of order", format!("{first}error s\n"), Invalid),
    ]
}

/// The vector file.
fn file() -> String {
    let texts = texts();
    let test = |(id, (comment, text, expected)): (usize, &(&str, String, Expected))| {
        let mut mac = mac(text);
        if *expected == WrongMac {
            let last = mac.pop().and_then(|digit| digit.to_digit(16)).expect("a digit");
            mac.push(char::from_digit(last ^ 1, 16).expect("a digit"));
        }
        let result = if *expected == Valid { "valid" } else { "invalid" };
        json!({"tcId": id + 1, "comment": comment, "manifest": format!("{text}mac {mac}\n"), "result": result})
    };
    let tests: Vec<Value> = texts.iter().enumerate().map(test).collect();
    let file = json!({
        "algorithm": "carryless manifests",
        "schema": "carryless_manifest_v1",
        "generatorVersion": "1",
        "numberOfTests": tests.len(),
        "header": ["Invalid manifests have a right MAC, but for the one with a wrong one."],
        "notes": {},
        "testGroups": [{"type": "Manifest", "keyFile": KEY, "tests": tests}],
    });
    serde_json::to_string_pretty(&file).expect("JSON") + "\n"
}

#[test]
fn the_file_is_that_of_the_definitions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/manifests/manifests.json");
    let expected = file();
    if std::env::var_os("CARRYLESS_BLESS").is_some() {
        std::fs::write(&path, &expected).expect("write");
    }
    let found = std::fs::read_to_string(&path).expect("the file");
    assert!(found == expected, "{}: run this test with CARRYLESS_BLESS=1", path.display());
}

#[test]
fn manifests_are_read_or_refused() {
    let sandbox = Sandbox::new();
    let file: Value = serde_json::from_str(&file()).expect("JSON");
    for test in file["testGroups"][0]["tests"].as_array().expect("tests") {
        let manifest = test["manifest"].as_str().expect("a manifest");
        sandbox.write("m", manifest);
        let run = sandbox.run(&["show", "--key-file", "key", "m"]);
        if test["result"] == "valid" {
            run.good();
        } else {
            run.trouble("m: ").prints("");
        }
    }
}

/// The example of the page that specifies the format.
#[test]
fn the_example_of_the_page_is_valid() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/formats.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let example =
        page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let (text, last) = example.rsplit_once("mac ").expect("a last line");
    assert_eq!(last, format!("{}\n", mac(text)));
    let sandbox = Sandbox::new();
    sandbox.write("m", example);
    sandbox.run(&["show", "--key-file", "key", "m"]).good();
}
