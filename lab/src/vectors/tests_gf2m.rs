//! Files of fields GF(2^m): what passes, fails and is refused.
use carryless_cli::base::Exit;
use std::path::PathBuf;

use carryless_gf2::ClmulCpu;

use super::tests::{run_file, run_on};

/// Returns a file with one test, in a group with these members.
fn file(group: &str, test: &str) -> String {
    format!(
        r#"{{"algorithm":"GF(2^m)","schema":"carryless_gf2m_v1","numberOfTests":1,
            "testGroups":[{{{group},"tests":[{{"tcId":3,"comment":"",{test}}}]}}]}}"#
    )
}

const OF_13_BITS: &str = r#""type":"Gf2mTest","m":13,"poly":[13,4,3,1,0]"#;
const OF_8_BITS: &str = r#""type":"Gf2mTest","m":8,"poly":[8,4,3,1,0]"#;
const OF_POLYNOMIALS: &str = r#""type":"IrreducibleTest""#;

const ODD: &str = r#""a":"5b1a","b":"370c","mul":"e401","sqr":"641c","sqrt":"ef07","trace":0,"halfTrace":"371f","inv":"a501",
    "k":5,"multiSqr":"3804","result":"valid""#;
const ZERO: &str = r#""a":"0000","b":"370c","mul":"0000","sqr":"0000","sqrt":"0000","trace":0,"halfTrace":"0000","inv":null,
    "k":3,"multiSqr":"0000","result":"valid""#;
/// FIPS 197 has the product of 0x53 and 0xca, 1.
const EVEN: &str = r#""a":"53","b":"ca","mul":"01","sqr":"b5","sqrt":"f7","trace":0,"halfTrace":null,"inv":"ca","k":3,
    "multiSqr":"16","result":"valid""#;
const IRREDUCIBLE: &str = r#""poly":[7,1,0],"irreducible":true,"result":"valid""#;
const REDUCIBLE: &str = r#""poly":[7,2,0],"irreducible":false,"result":"valid""#;

fn passes(group: &str, test: &str) {
    let (exit, out) = run_on("all", &file(group, test), true, false).expect(test);
    assert_eq!(exit, Exit::Good, "{out}");
    let subjects = ClmulCpu::available().count() + 1;
    assert_eq!(out.matches("1 passed, 0 failed, 0 skipped").count(), subjects, "{out}");
}

#[test]
fn right_values_pass() {
    passes(OF_13_BITS, ODD);
    passes(OF_13_BITS, ZERO);
    passes(OF_8_BITS, EVEN);
    // For even m the member may be null or missing.
    passes(OF_8_BITS, &change(EVEN, r#""halfTrace":null,"#, ""));
    passes(OF_POLYNOMIALS, IRREDUCIBLE);
    passes(OF_POLYNOMIALS, REDUCIBLE);
    // As in other schemas, a member that is not known is no error.
    passes(OF_8_BITS, &change(EVEN, r#""k":3"#, r#""unknown":1,"k":3"#));
}

/// Returns the output for a test that fails on every backend and by the reference.
fn failures(group: &str, test: &str) -> String {
    let (exit, out) = run_on("all", &file(group, test), true, false).expect(test);
    assert_eq!(exit, Exit::Mismatch, "{test}: {out}");
    let subjects = ClmulCpu::available().count() + 1;
    assert_eq!(out.matches("0 passed, 1 failed, 0 skipped").count(), subjects, "{test}: {out}");
    out
}

fn change(test: &str, from: &str, to: &str) -> String {
    let changed = test.replace(from, to);
    assert_ne!(changed, test);
    changed
}

/// `DynField`, the type of the field and the reference notice a wrong value of every kind, on every backend.
#[test]
fn falsified_values_fail() {
    let backends = ClmulCpu::available().count();
    for (test, from, to, routes) in [
        (ODD, r#""mul":"e4"#, r#""mul":"e5"#, &["product", "operands swapped"][..]),
        (ODD, r#""sqr":"64"#, r#""sqr":"65"#, &["square"]),
        (ODD, r#""sqrt":"ef"#, r#""sqrt":"ee"#, &["square root"]),
        (ODD, r#""trace":0"#, r#""trace":1"#, &["trace"]),
        (ODD, r#""halfTrace":"371f""#, r#""halfTrace":"361f""#, &["half-trace"]),
        (ODD, r#""inv":"a5"#, r#""inv":"a4"#, &["inverse"]),
        (ODD, r#""inv":"a501""#, r#""inv":null"#, &["has an inverse"]),
        (ZERO, r#""inv":null"#, r#""inv":"0100""#, &["has an inverse"]),
        (ODD, r#""multiSqr":"38"#, r#""multiSqr":"39"#, &["a^(2^k)"]),
        (ODD, r#""k":5"#, r#""k":4"#, &["a^(2^k)"]),
        (EVEN, r#""sqrt":"f7""#, r#""sqrt":"f6""#, &["square root"]),
    ] {
        let (group, name, field) = match test {
            EVEN => (OF_8_BITS, "8,4,3,1,0", "Gf8"),
            _ => (OF_13_BITS, "13,4,3,1,0", "Gf13"),
        };
        let out = failures(group, &change(test, from, to));
        for route in routes {
            for (by, count) in [("DynField: ", backends), (&format!("{field}: "), backends), ("", 1)] {
                let line = format!("FAILED Gf2mTest {name} tcId 3, {by}{route}: expected ");
                assert_eq!(out.matches(&line).count(), count, "{line} in {out}");
            }
        }
        // `DynField` and the type report on each backend, the reference once.
        assert_eq!(out.matches("FAILED ").count(), (2 * backends + 1) * routes.len(), "{from}: {out}");
    }
    for (test, from, to) in [(IRREDUCIBLE, "true", "false"), (REDUCIBLE, "false", "true")] {
        let out = failures(OF_POLYNOMIALS, &change(test, from, to));
        // The reference has no `DynField`.
        for (route, count) in [("irreducible", backends + 1), ("DynField", backends)] {
            let line = format!("FAILED IrreducibleTest tcId 3, {route}: expected ");
            assert_eq!(out.matches(&line).count(), count, "{line} in {out}");
        }
    }
}

#[test]
fn bad_tests_are_errors() {
    let poly = "[13,4,3,1,0]";
    for (group, test, expected) in [
        (
            OF_13_BITS,
            change(ODD, "5b1a", "5b3a"),
            "Gf2mTest 13,4,3,1,0 tcId 3: a is no element: it has more than 13 bits",
        ),
        (OF_13_BITS, change(ODD, "370c", "370c00"), "b is no element: 3 bytes where 2 belong"),
        (OF_13_BITS, change(ODD, "a501", "a5"), "inv is no element: 1 bytes where 2 belong"),
        (OF_13_BITS, change(ODD, "e401", "e40"), "bytes that are not pairs"),
        (OF_13_BITS, change(ODD, r#""halfTrace":"371f","#, ""), "no halfTrace"),
        (
            OF_8_BITS,
            change(EVEN, r#""halfTrace":null"#, r#""halfTrace":"01""#),
            "a halfTrace, where m is even",
        ),
        (OF_13_BITS, change(ODD, r#""inv":"a501","#, ""), "missing field `inv`"),
        (OF_13_BITS, change(ODD, r#""multiSqr":"3804","#, ""), "missing field `multiSqr`"),
        (OF_13_BITS, change(ODD, r#""trace":0"#, r#""trace":2"#), "a trace of 2"),
        (OF_13_BITS, change(ODD, r#""k":5"#, r#""k":14"#), "k is 14; a^(2^k) has k up to m = 13"),
        (OF_13_BITS, change(ODD, "valid", "fine"), "unknown result \"fine\""),
        (&change(OF_13_BITS, poly, "[13,3,4,1,0]"), ODD.into(), "the exponents of poly do not descend"),
        (&change(OF_13_BITS, poly, "[13,-4,0]"), ODD.into(), "poly: invalid value: integer `-4`"),
        (&change(OF_13_BITS, poly, "[]"), ODD.into(), "Gf2mTest tcId 3: poly has no exponents"),
        (&change(OF_13_BITS, poly, "[13,4,3,0]"), ODD.into(), "no field: the polynomial is reducible"),
        (&change(OF_13_BITS, poly, "[12,3,0]"), ODD.into(), "poly has degree 12, but m is 13"),
        (&change(OF_13_BITS, r#""m":13,"#, ""), ODD.into(), "its group has no m"),
        (&change(OF_13_BITS, "Gf2mTest", "Gf2mTests"), ODD.into(), "unknown type of group \"Gf2mTests\""),
        (OF_POLYNOMIALS, change(REDUCIBLE, "[7,2,0]", "[7,7,0]"), "the exponents of poly do not descend"),
        (OF_POLYNOMIALS, change(REDUCIBLE, "7", "1280"), "poly has degree 1280; at most 1279 is supported"),
        (OF_POLYNOMIALS, change(REDUCIBLE, "7", "-7"), "invalid value: integer `-7`"),
        (OF_POLYNOMIALS, change(REDUCIBLE, r#","irreducible":false"#, ""), "missing field `irreducible`"),
        (OF_POLYNOMIALS, change(REDUCIBLE, "\"valid\"", "\"invalid\""), "unknown result \"invalid\""),
    ] {
        let error = run_on("all", &file(group, &test), true, false).expect_err(expected);
        assert!(error.contains(expected), "{error:?} should say {expected:?}");
        assert_eq!(error.lines().count(), 1, "{error:?} is one line");
    }
    let error = run_on("portable", &file(OF_13_BITS, ODD), false, false).expect_err("a backend for hashes");
    assert!(error.contains("portable is no backend for carry-less products"), "{error}");
}

#[test]
fn the_project_file_passes() {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/gf2m.json"));
    let (exit, out) = run_file(path, "all", true, false).expect("runs");
    assert_eq!(exit, Exit::Good, "{out}");
    for name in ClmulCpu::available().map(ClmulCpu::name).chain(["reference"]) {
        assert!(out.contains(&format!("gf2m.json  {name}  159 passed, 0 failed, 0 skipped\n")), "{out}");
    }
}
