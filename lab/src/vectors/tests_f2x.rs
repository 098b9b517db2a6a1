//! Files of products in F2\[X\]: what passes, fails and is refused.
use carryless_cli::base::Exit;
use std::path::PathBuf;

use carryless_gf2::ClmulCpu;

use super::tests::{run_file, run_on};

/// Returns a file with one test.
fn file(kind: &str, test: &str) -> String {
    format!(
        r#"{{"algorithm":"F2[X]","schema":"carryless_f2x_v1","numberOfTests":1,
            "testGroups":[{{"type":"{kind}","tests":[{{"tcId":3,"comment":"",{test}}}]}}]}}"#
    )
}

/// Tests of each type: the group, the members, and what to replace for a wrong value.
const CASES: [(&str, &str, [&str; 2]); 6] = [
    // 0x53 0xca = 0x3f7e.
    ("F2xMul", r#""sizeBits":8,"a":"53","b":"ca","product":"7e3f","result":"valid""#, ["7e3f", "7e3e"]),
    ("F2xSquare", r#""sizeBits":8,"a":"53","square":"0511","result":"valid""#, ["0511", "0501"]),
    // Modulo X^7 - 1: X^6 X = 1.
    ("F2xMulCyclic", r#""n":7,"a":"40","b":"02","product":"01","result":"valid""#, [r#""01""#, r#""02""#]),
    ("F2xInvCyclic", r#""n":7,"a":"40","inverse":"02","result":"valid""#, [r#""02""#, r#""03""#]),
    ("F2xInvCyclic", r#""n":7,"a":"03","inverse":null,"result":"invalid""#, [r#""03""#, r#""02""#]),
    // X^4 + 1 = (X + 1)^4 and X^3 + 1 = (X + 1) (X^2 + X + 1).
    ("F2xGcd", r#""a":"11","b":"09","gcd":"03","result":"valid""#, [r#""03""#, r#""07""#]),
];

#[test]
fn falsified_values_fail() {
    for (kind, good, [right, wrong]) in CASES {
        let (exit, out) = run_on("all", &file(kind, good), true, false).expect(kind);
        assert_eq!(exit, Exit::Good, "{out}");
        // Every backend, and the reference.
        let subjects = ClmulCpu::available().count() + 1;
        assert_eq!(out.matches("1 passed, 0 failed, 0 skipped").count(), subjects, "{out}");

        let bad = good.replace(right, wrong);
        // Without this a misprint in `CASES` would compare two right files.
        assert_ne!(bad, good);
        let (exit, out) = run_on("all", &file(kind, &bad), true, false).expect(kind);
        assert_eq!(exit, Exit::Mismatch, "{kind}: {out}");
        assert_eq!(out.matches("0 passed, 1 failed, 0 skipped").count(), subjects, "{kind}: {out}");
        assert!(out.contains(&format!("FAILED {kind} tcId 3, ")), "{out}");
    }
}

#[test]
fn bad_tests_are_errors() {
    let [product, _, cyclic, inverse, _, gcd] = CASES;
    let change = |(kind, test, _): (&'static str, &str, _), from, to| (kind, test.replace(from, to));
    for ((kind, test), expected) in [
        (change(product, "\"product\":\"7e3f\",", ""), "F2xMul tcId 3: no product"),
        (change(product, "\"b\":\"ca\",", ""), "no b"),
        (change(product, "53", "5"), "bytes that are not pairs"),
        (change(product, ":8", ":7"), "b has more than 7 bits"),
        (change(product, "\"valid\"", "\"invalid\""), "unknown result \"invalid\""),
        (change(product, "\"valid\"", "\"fine\""), "unknown result \"fine\""),
        (change(cyclic, "\"n\":7,", ""), "no n from 1 to 67108864"),
        (change(cyclic, ":7", ":0"), "no n from 1 to 67108864"),
        (change(cyclic, ":7", ":67108865"), "no n from 1 to 67108864"),
        (change(cyclic, ":7", ":6"), "a has more than 6 bits"),
        (change(inverse, "\"inverse\":\"02\"", "\"inverse\":null"), "no inverse"),
        (("F2xRoot", gcd.1.to_owned()), "unknown type of group \"F2xRoot\""),
    ] {
        let error = run_on("all", &file(kind, &test), true, false).expect_err(expected);
        assert!(error.contains(expected), "{error:?} should say {expected:?}");
    }
    let no_type = file("F2xGcd", gcd.1).replace("\"type\":\"F2xGcd\",", "");
    assert!(run_on("all", &no_type, false, false).expect_err("no type").contains("its group has no type"));
}

#[test]
fn each_kind_of_file_has_its_backends() {
    let test = file("F2xGcd", CASES[5].1);
    let (_, out) = run_on("soft", &test, false, true).expect("runs");
    assert_eq!(out.lines().count(), 1);
    assert!(out.contains(r#""backend":"soft","available":true,"passed":1"#), "{out}");
    let error = run_on("portable", &test, false, false).expect_err("a backend for hashes");
    assert!(error.contains("portable is no backend for carry-less products; there are soft, "), "{error}");
    // Backends are of several architectures, so every CPU lacks one.
    let absent = ClmulCpu::NAMES.iter().find(|name| ClmulCpu::named(name).is_err());
    let absent = absent.expect("no CPU has all backends");
    let (_, out) = run_on("all", &test, false, false).expect("runs");
    assert!(out.contains(&format!("{absent}  skipped (this CPU has no {absent})")), "{out}");
}

/// Of long values that differ, the part from the first difference is shown.
#[test]
fn long_values_are_shown_in_part() {
    let (zeros, a) = ("00".repeat(70), "01".repeat(70));
    // Byte 40 is the first wrong one. Operands of 70 bytes make values too long to be shown whole.
    let product = format!("{}02{}{zeros}", "01".repeat(40), "01".repeat(29));
    let test = format!(r#""a":"{a}","b":"01{}","product":"{product}","result":"valid""#, "00".repeat(69));
    let (exit, out) = run_on("soft", &file("F2xMul", &test), false, false).expect("runs");
    assert_eq!(exit, Exit::Mismatch);
    let (wrong, right) = (format!("02{}", "01".repeat(29)), "01".repeat(30));
    let shown = format!("expected {wrong} in bytes 40 to 69 of 70, got {right} in bytes 40 to 69 of 70");
    assert!(out.contains(&shown), "{out}");
}

#[test]
fn the_project_file_passes() {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/f2x.json"));
    let (exit, out) = run_file(path, "all", true, false).expect("runs");
    assert_eq!(exit, Exit::Good, "{out}");
    for name in ClmulCpu::available().map(ClmulCpu::name).chain(["reference"]) {
        assert!(out.contains(&format!("f2x.json  {name}  264 passed, 0 failed, 0 skipped\n")), "{out}");
    }
}
