//! Files of HQC: what passes, fails and is refused.
use carryless_cli::base::Exit;
use std::path::PathBuf;

use carryless_gf2::ClmulCpu;
use serde_json::{Value, json};

use super::tests::{run_file, run_on};

const KEM: &str = include_str!("../../../vectors/hqc_nr.json");
const PARTS: &str = include_str!("../../../vectors/hqc_components.json");

/// SHA-256 of the first response of HQC-1 in profile NR, computed by an independent program.
const RESPONSE: &str = "0f1f4fd014b32492ec6490d2ad9e9f75ccc0c2b27d72f34918c7f73f9698c2e4";

/// Returns a file with the first group of a type, reduced to its first test.
fn file(text: &str, kind: &str) -> Value {
    let mut file: Value = serde_json::from_str(text).expect("JSON");
    let groups = file["testGroups"].as_array().expect("groups");
    let mut group = groups.iter().find(|group| group["type"] == kind).expect("a group").clone();
    group["tests"].as_array_mut().expect("tests").truncate(1);
    if kind == "HqcKemTest" {
        // One response is enough, because each takes the whole KEM on every backend.
        group["responses"] = json!({"count": 1, "sha256": RESPONSE});
        let reject = &mut group["tests"][0]["reject"];
        // One rejection is enough: each takes two decapsulations on every backend.
        reject.as_array_mut().expect("a list").truncate(1);
    }
    file["testGroups"] = json!([group]);
    file["numberOfTests"] = json!(1);
    file
}

fn kem() -> Value {
    file(KEM, "HqcKemTest")
}

fn part(kind: &str) -> Value {
    file(PARTS, kind)
}

/// Changes a value in the group, found by its JSON pointer.
fn change(mut file: Value, pointer: &str, value: Value) -> String {
    let place = file["testGroups"][0].pointer_mut(pointer).expect("it is there");
    // A change that changes nothing would test nothing.
    assert_ne!(*place, value, "{pointer}");
    *place = value;
    file.to_string()
}

/// Changes the first digit of a string or the first number of a list, found by its JSON pointer.
fn falsify(file: Value, pointer: &str) -> String {
    let changed = match &file["testGroups"][0].pointer(pointer).expect("it is there") {
        Value::String(text) => {
            let digit = if text.starts_with('0') { "1" } else { "0" };
            json!(format!("{digit}{}", &text[1..]))
        }
        Value::Number(number) => match number.as_u64().expect("a position or a byte") {
            // 1 ^ 1 is 0, and a member `xor` of 0 is an error of the file.
            1 => json!(2),
            number => json!(number ^ 1),
        },
        other => panic!("{other}"),
    };
    change(file, pointer, changed)
}

#[test]
fn right_values_pass() {
    let backends = ClmulCpu::available().count();
    for (file, count) in [
        // The test, and the responses of its group.
        (kem(), 2),
        (part("HqcProduct"), 1),
        (part("HqcSample"), 1),
        (part("HqcCode"), 1),
        (part("HqcReedMuller"), 1),
        (part("HqcTrace"), 1),
    ] {
        let (exit, out) = run_on("all", &file.to_string(), false, false).expect("runs");
        assert_eq!(exit, Exit::Good, "{out}");
        let line = format!("{count} passed, 0 failed, 0 skipped");
        assert_eq!(out.matches(&line).count(), backends, "{out}");
    }
}

/// Every route notices a wrong value of every kind that it computes, on every backend.
#[test]
fn falsified_values_fail() {
    let backends = ClmulCpu::available().count();
    let kem_routes: [(&str, &[&str]); 8] = [
        ("/tests/0/dk", &["decapsulation key"]),
        ("/tests/0/ct", &["ciphertext", "ciphertext by the expanded key"]),
        (
            "/tests/0/ss",
            &[
                "secret of encapsulation",
                "secret of encapsulation by the expanded key",
                "decapsulation",
                "decapsulation by the expanded key",
            ],
        ),
        (
            "/tests/0/reject/0/ss",
            &["rejection with byte 0 changed", "rejection with byte 0 changed by the expanded key"],
        ),
        ("/tests/0/unclean/ss", &["secret by the unclean key", "secret by the expanded unclean key"]),
        (
            "/tests/0/unclean/ctSha256",
            &[
                "SHA-256 of ciphertext by the unclean key",
                "SHA-256 of ciphertext by the expanded unclean key",
            ],
        ),
        ("/tests/0/reject/0/xor", &["rejection with byte 0 changed"]),
        ("/responses/sha256", &["SHA-256 of the responses"]),
    ];
    let part_routes = [
        ("HqcProduct", "/tests/0/product", "product"),
        ("HqcProduct", "/tests/0/a", "operands swapped"),
        ("HqcSample", "/tests/0/uniformSha256", "SHA-256 of h"),
        ("HqcSample", "/tests/0/rejection/0/0", "rejection"),
        ("HqcSample", "/tests/0/rejection/1/65", "rejection"),
        ("HqcSample", "/tests/0/rejectionV5/1/0", "rejectionV5"),
        ("HqcSample", "/tests/0/fixed/0/74", "fixed"),
        ("HqcSample", "/tests/0/fixed/1/0", "fixed"),
        ("HqcSample", "/tests/0/fixedV5/1/0", "fixedV5"),
        ("HqcCode", "/tests/0/codeword", "SHA-256 of the symbols' codewords"),
        ("HqcCode", "/tests/0/concatenatedSha256", "SHA-256 of the codeword"),
        ("HqcCode", "/tests/0/msg", "message from 0 errors"),
        ("HqcReedMuller", "/tests/0/decoded", "symbols"),
        ("HqcTrace", "/tests/0/secretSeed", "secretSeed"),
        ("HqcTrace", "/tests/0/sigma", "sigma"),
        ("HqcTrace", "/tests/0/publicSeed", "publicSeed"),
        ("HqcTrace", "/tests/0/y/3", "y"),
        ("HqcTrace", "/tests/0/x/0", "x"),
        ("HqcTrace", "/tests/0/hSha256", "SHA-256 of h"),
        ("HqcTrace", "/tests/0/sSha256", "SHA-256 of s"),
        ("HqcTrace", "/tests/0/keyHash", "keyHash"),
        ("HqcTrace", "/tests/0/theta", "r1"),
        ("HqcTrace", "/tests/0/r2/0", "r2"),
        ("HqcTrace", "/tests/0/e/0", "e"),
        ("HqcTrace", "/tests/0/codeword", "SHA-256 of the symbols' codewords"),
        ("HqcTrace", "/tests/0/concatenatedSha256", "SHA-256 of the codeword"),
        ("HqcTrace", "/tests/0/uSha256", "SHA-256 of u"),
        ("HqcTrace", "/tests/0/salt", "SHA-256 of v"),
        ("HqcTrace", "/tests/0/receivedSha256", "SHA-256 of the received word"),
        ("HqcTrace", "/tests/0/m", "SHA-256 of u"),
    ];
    let kem = kem_routes.iter().flat_map(|(pointer, routes)| {
        let test = match *pointer {
            "/responses/sha256" => "responses HQC-1 nr",
            _ => "HqcKemTest HQC-1 nr tcId 1 (response 0)",
        };
        routes.iter().map(move |route| (falsify(kem(), pointer), format!("{test}, {route}")))
    });
    let parts = part_routes.iter().map(|(kind, pointer, route)| {
        (falsify(part(kind), pointer), format!("{kind} HQC-1 nr tcId 1, {route}"))
    });
    for (text, route) in kem.chain(parts) {
        let (exit, out) = run_on("all", &text, false, false).expect(&route);
        assert_eq!(exit, Exit::Mismatch, "{route}: {out}");
        let line = format!("FAILED {route}: expected ");
        // A name may stand for several comparisons of one backend.
        assert!(out.matches(&line).count() >= backends, "{line}: {out}");
    }
}

#[test]
fn bad_tests_are_errors() {
    // One byte more than a ciphertext of HQC-1.
    let long = "00".repeat(4434);
    for (file, pointer, value, expected) in [
        (kem(), "/tests/0/seed", json!("00"), "HqcKemTest HQC-1 nr tcId 1: seed has 1 bytes where 32 belong"),
        (kem(), "/tests/0/m", json!(RESPONSE), "m has 32 bytes where 16 belong"),
        (kem(), "/tests/0/salt", json!("00"), "1 bytes where 16 belong"),
        (kem(), "/tests/0/dk", json!("0"), "bytes that are not pairs"),
        (kem(), "/tests/0/dk", Value::Null, "either dk or dkSha256 must be there"),
        (kem(), "/tests/0/ct", json!(long), "ct has 4434 bytes where 4433 belong"),
        (kem(), "/tests/0/ss", json!(""), "ss has 0 bytes where 32 belong"),
        (kem(), "/tests/0/reject/0/byte", json!(4433), "reject: byte 4433 of 4433"),
        (kem(), "/tests/0/reject/0/byte", json!(-1), "invalid value"),
        (kem(), "/tests/0/reject/0/xor", json!(256), "invalid value"),
        (kem(), "/tests/0/reject/0/xor", json!(0), "reject: byte 0 is not changed"),
        (kem(), "/tests/0/reject/0/ss", json!("00"), "reject: ss has 1 bytes where 32 belong"),
        (kem(), "/tests/0/reject", Value::Null, "invalid type: null"),
        // n = 17669 leaves five bits of the last byte to coefficients, and 16 changes the fifth.
        (kem(), "/tests/0/unclean/xor", json!(16), "unclean: xor 16 changes a coefficient, or nothing"),
        (kem(), "/tests/0/unclean/xor", json!(0), "unclean: xor 0 changes a coefficient, or nothing"),
        (kem(), "/tests/0/unclean/ctSha256", Value::Null, "unclean: either ct or ctSha256 must be there"),
        (kem(), "/tests/0/result", json!("fine"), "unknown result \"fine\""),
        (kem(), "/scheme", json!("HQC-2"), "no scheme \"HQC-2\" in profile \"nr\""),
        (kem(), "/profile", json!("2023"), "no scheme \"HQC-1\" in profile \"2023\""),
        (kem(), "/profile", json!(5), "its group has no profile"),
        (kem(), "/type", json!("HqcTest"), "unknown type of group \"HqcTest\""),
        (kem(), "/responses", Value::Null, "responses HQC-1 nr: "),
        (kem(), "/responses/count", json!(0), "0 responses; from 1 to 10000 are supported"),
        (kem(), "/responses/count", json!(10_001), "10001 responses; from 1 to 10000"),
        (kem(), "/responses/sha256", json!("00"), "1 bytes where 32 belong"),
        (
            part("HqcProduct"),
            "/tests/0/a",
            json!("00"),
            "HqcProduct HQC-1 nr tcId 1: a has 1 bytes where 2209",
        ),
        (part("HqcSample"), "/tests/0/rejection/0", json!([1]), "rejection has 1 positions where 66 belong"),
        (
            part("HqcSample"),
            "/tests/0/fixedV5/1/7",
            // n of HQC-1 is the least number out of range.
            json!(17_669),
            "fixedV5 has a position that is not below 17669",
        ),
        (part("HqcSample"), "/tests/0/fixed/1", Value::Null, "invalid type: null"),
        (part("HqcCode"), "/tests/0/errors", json!(16), "16 errors are too many to be corrected"),
        (part("HqcCode"), "/tests/0/received", json!("00"), "received has 1 bytes where 46 belong"),
        (part("HqcReedMuller"), "/tests/0/received", json!("00"), "received has 1 bytes where 2208 belong"),
        (part("HqcTrace"), "/tests/0/theta", json!("00"), "theta has 1 bytes where 32 belong"),
        (part("HqcTrace"), "/tests/0/y", json!([]), "y has 0 positions where 66 belong"),
        (part("HqcTrace"), "/tests/0/result", json!("invalid"), "unknown result \"invalid\""),
        (part("HqcTrace"), "/type", json!("HqcTraces"), "unknown type of group \"HqcTraces\""),
    ] {
        let error = run_on("all", &change(file, pointer, value), false, false).expect_err(expected);
        assert!(error.contains(expected), "{error:?} should say {expected:?}");
        assert_eq!(error.lines().count(), 1, "{error:?} is one line");
    }
    let error = run_on("portable", &kem().to_string(), false, false).expect_err("a backend for hashes");
    assert!(error.contains("portable is no backend for carry-less products"), "{error}");
    let mut none = kem();
    none["algorithm"] = json!("HQC-1");
    let error = run_on("all", &none.to_string(), false, false).expect_err("an algorithm");
    assert!(error.contains("unknown algorithm \"HQC-1\""), "{error}");
}

#[test]
fn the_reference_has_no_hqc() {
    let (exit, out) = run_on("soft", &kem().to_string(), true, false).expect("runs");
    assert_eq!(exit, Exit::Good, "{out}");
    assert!(
        out.contains("reference  0 passed, 0 failed, 2 skipped\n    2 skipped: there is no slow HQC"),
        "{out}"
    );
}

#[test]
fn the_project_files_pass() {
    for (file, count) in [("hqc_nr", 21), ("hqc_v5", 21), ("hqc_2023", 21), ("hqc_components", 48)] {
        let path = format!("{}/../vectors/{file}.json", env!("CARGO_MANIFEST_DIR"));
        let (exit, out) = run_file(PathBuf::from(path), "all", false, false).expect("runs");
        assert_eq!(exit, Exit::Good, "{out}");
        for cpu in ClmulCpu::available() {
            let line = format!("{file}.json  {}  {count} passed, 0 failed, 0 skipped\n", cpu.name());
            assert!(out.contains(&line), "{line}: {out}");
        }
    }
}
