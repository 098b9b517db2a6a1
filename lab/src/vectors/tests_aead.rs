//! Files of AEADs pass, the project's and Wycheproof's, and changes in them are noticed.
use super::tests::{run_file, run_on};
use carryless_cli::base::Exit;
use std::path::PathBuf;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors");

/// Files, with the numbers of tests that pass and are skipped.
// Wycheproof's skipped tests have nonces of other lengths.
const FILES: [(&str, usize, usize); 3] = [
    ("xchacha20_decbrw1305.json", 196, 0),
    ("wycheproof/chacha20_poly1305_test.json", 316, 9),
    ("wycheproof/xchacha20_poly1305_test.json", 306, 9),
];

#[test]
fn files_pass() {
    for (name, passed, skipped) in FILES {
        let (exit, out) = run_file(PathBuf::from(FOLDER).join(name), "portable", true, false).expect("runs");
        assert_eq!(exit, Exit::Good, "{out}");
        let line = format!("{passed} passed, 0 failed, {skipped} skipped");
        // One line is of the backend, one of the reference.
        assert_eq!(out.matches(&line).count(), 2, "{out}");
    }
}

#[test]
fn changes_are_seen() {
    let text = std::fs::read_to_string(format!("{FOLDER}/{}", FILES[0].0)).expect("the file");
    let first = |field: &str| {
        // 4 characters besides the name stand before the value: three quotes and the colon.
        let at = text.find(&format!("\"{field}\":\"")).expect("the field") + field.len() + 4;
        (at, text.as_bytes()[at])
    };
    for field in ["key", "iv", "tag"] {
        let (at, digit) = first(field);
        let mut changed = text.clone();
        changed.replace_range(at..at + 1, if digit == b'0' { "1" } else { "0" });
        let (exit, out) = run_on("portable", &changed, true, false).expect("runs");
        assert_eq!(exit, Exit::Mismatch, "{field}");
        assert_eq!(out.matches("195 passed, 1 failed").count(), 2, "{field}: {out}");
    }
    for (from, to, expected) in [
        ("XCHACHA20-DECBRW1305", "AES-GCM", "unknown algorithm \"AES-GCM\""),
        ("XCHACHA20-DECBRW1305", "CHACHA20-POLY1305", "a nonce of 24 bytes where 12 belong"),
        ("\"result\":\"valid\"", "\"result\":\"perhaps\"", "unknown result \"perhaps\""),
    ] {
        let error = run_on("portable", &text.replacen(from, to, 1), false, false).expect_err(expected);
        assert!(error.contains(expected), "{error}");
    }
}
