//! Files of binary curves: what passes, fails and is refused.
use carryless_cli::base::Exit;
use std::path::PathBuf;

use carryless_gf2::ClmulCpu;

use super::tests::{run_file, run_on};

/// 2 G on sect113r1, in the form of `carryless_ec_v1`.
const MULTIPLE: &str = r#"{"algorithm":"binary curves","schema":"carryless_ec_v1","numberOfTests":1,"testGroups":[{"type":"ScalarMultiplication",
    "curve":"sect113r1","tests":[{"tcId":3,"comment":"","k":"02","x":"114eba406646368de9227cfe05e701","y":"68a2ae7a41c5c6fe5145dca2d29d01",
    "result":"valid"}]}]}"#;

/// The same multiple without schema, as an object with the curve's name.
const PLAIN: &str =
    r#"{"sect113r1":[{"k":"2","x":"1e705fe7c22e98d36466640ba4e11","y":"19dd2a2dc4551fec6c5417aaea268"}]}"#;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/");

fn file(name: &str) -> String {
    std::fs::read_to_string(format!("{FOLDER}{name}")).expect(name)
}

fn change(test: &str, from: &str, to: &str) -> String {
    let changed = test.replacen(from, to, 1);
    // Without this a test would pass on a file that no longer has `from`.
    assert_ne!(changed, test, "{from}");
    changed
}

#[test]
fn project_files_pass() {
    for (name, passed) in [
        ("curves.json", 37),
        ("ec.json", 628),
        ("ecdsa_rfc6979.json", 60),
        ("ec_openssl.json", 10),
        ("wycheproof/ecdh_sect283k1_test.json", 267),
        ("wycheproof/ecdh_sect571r1_test.json", 257),
    ] {
        let (exit, out) =
            run_file(PathBuf::from(format!("{FOLDER}{name}")), "all", false, false).expect(name);
        assert_eq!(exit, Exit::Good, "{out}");
        for cpu in ClmulCpu::available() {
            let line = format!("{name}  {}  {passed} passed, 0 failed, 0 skipped\n", cpu.name());
            assert!(out.contains(&line), "{line} in {out}");
        }
    }
}

/// The library on every backend and the reference notice a wrong value of every kind.
#[test]
fn falsified_values_fail() {
    let curves = file("curves.json");
    let line =
        |file: &str, start: &str| file.lines().find(|line| line.contains(start)).expect(start).to_owned();
    let of_one = |algorithm: &str, schema: &str, rest: &str| {
        format!(r#"{{"algorithm":"{algorithm}","schema":"{schema}","numberOfTests":1,{rest}}}"#)
    };
    let parameters = line(&curves, r#""curve":"sect113r1""#);
    let parameters = of_one(
        "binary curves",
        "carryless_curves_v1",
        // The line is an element of a list and may end with a comma.
        &format!(r#""testGroups":[{{"type":"BinaryCurve","tests":[{}]}}]"#, parameters.trim_end_matches(',')),
    );
    for (content, from, to, route) in [
        (MULTIPLE, r#""x":"11"#, r#""x":"12"#, "k G"),
        (MULTIPLE, r#""k":"02""#, r#""k":"03""#, "k P for P = G"),
        (PLAIN, r#""k":"2""#, r#""k":"3""#, "k G"),
        (PLAIN, r#""y":"19"#, r#""y":"18"#, "compressed and decompressed"),
        (&parameters, r#""y":"86"#, r#""y":"87"#, "base point as a public key"),
        (&parameters, r#""n":"6f"#, r#""n":"6e"#, "(n - 1) G"),
    ] {
        let (exit, out) = run_on("all", &change(content, from, to), true, false).expect(to);
        assert_eq!(exit, Exit::Mismatch, "{out}");
        // Every backend, and the reference.
        let subjects = ClmulCpu::available().count() + 1;
        assert_eq!(out.matches("0 passed, 1 failed, 0 skipped").count(), subjects, "{out}");
        assert!(out.contains(&format!(", {route}: expected ")), "{route}: {out}");
    }
}

#[test]
fn falsified_protocols_fail() {
    for (name, from, to, route) in [
        ("ecdsa_rfc6979.json", r#""r": "27"#, r#""r": "26"#, "r: "),
        ("ecdsa_rfc6979.json", r#""s": "1e"#, r#""s": "1d"#, "verify: expected accepted, got refused"),
        ("ecdsa_rfc6979.json", r#""message": "73"#, r#""message": "74"#, "s: "),
        ("ec_openssl.json", r#"secret": "04"#, r#"secret": "05"#, "shared secret: "),
        ("ec_openssl.json", r#"message": "63"#, r#"message": "62"#, "verify: expected accepted, got refused"),
        ("ec_openssl.json", r#""spki": "30"#, r#""spki": "31"#, "spki: expected accepted, got refused"),
        ("wycheproof/ecdh_sect283k1_test.json", r#""shared": "05"#, r#""shared": "06"#, "shared secret: "),
        (
            "wycheproof/ecdh_sect283k1_test.json",
            r#""result": "valid""#,
            r#""result": "invalid""#,
            "shared secret: expected refused, got accepted",
        ),
    ] {
        // One backend is enough here: the whole files run on all of them above.
        let (exit, out) = run_on("soft", &change(&file(name), from, to), false, false).expect(to);
        assert_eq!(exit, Exit::Mismatch, "{from}: {out}");
        assert!(out.contains(" 1 failed, 0 skipped\n") && out.contains(route), "{route} in {out}");
    }
}

#[test]
fn bad_tests_are_errors() {
    for (content, from, to, expected) in [
        (MULTIPLE, "sect113r1", "secp256r1", "no curve is called \"secp256r1\""),
        (MULTIPLE, r#""x":"11"#, r#""x":"1111"#, "16 bytes where 15 belong"),
        (MULTIPLE, r#""k":"02""#, r#""k":"ffffffffffffffffffffffffffffffff""#, "k is not below the order"),
        (MULTIPLE, "valid", "invalid", "unknown result \"invalid\""),
        (PLAIN, r#""k":"2""#, r#""k":"x""#, "sect113r1[0]: k is no hexadecimal number"),
        (PLAIN, r#""y":"#, r#""z":"#, "no y0"),
    ] {
        let error = run_on("all", &change(content, from, to), true, false).expect_err(expected);
        assert!(error.contains(expected), "{error:?} should say {expected:?}");
        assert_eq!(error.lines().count(), 1, "{error:?} is one line");
    }
}
