//! Tests of what the command accepts, refuses and reports.
use carryless_cli::base::Exit;
use std::path::PathBuf;

use super::hex::Budget;
use super::schema::parse;
use super::{VectorsArgs, run_to};

/// RFC 8439 section 2.5.2, in Wycheproof's form.
const KEY: &str = "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b";
const MSG: &str = "43727970746f6772617068696320466f72756d2052657365617263682047726f7570";
const TAG: &str = "a8061dc1305136c6c22b8baf0c0127a9";

fn mac_test(key: &str, tag: &str, result: &str) -> String {
    format!(
        r#"{{"tcId":7,"comment":"a remark","flags":[],"key":"{key}","msg":"{MSG}","tag":"{tag}","result":"{result}"}}"#
    )
}

fn mac_file(count: usize, sizes: &str, tests: &str) -> String {
    format!(
        r#"{{"algorithm":"POLY1305","schema":"mac_test_schema_v1.json","numberOfTests":{count},
            "testGroups":[{{"type":"MacTest",{sizes},"tests":[{tests}]}}]}}"#
    )
}

const SIZES: &str = r#""keySize":256,"tagSize":128"#;

/// Runs the command on a file with this content. Returns exit status and output, or the error.
fn run(content: &str, reference: bool, json: bool) -> Result<(Exit, String), String> {
    run_on("portable", content, reference, json)
}

/// Runs the command as [`run`] does, on the given backend.
pub(super) fn run_on(
    backend: &str,
    content: &str,
    reference: bool,
    json: bool,
) -> Result<(Exit, String), String> {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), content).expect("written");
    run_file(file.path().to_path_buf(), backend, reference, json)
}

pub(super) fn run_file(
    file: PathBuf,
    backend: &str,
    reference: bool,
    json: bool,
) -> Result<(Exit, String), String> {
    let args = VectorsArgs { backend: backend.to_owned(), reference, json, files: vec![file] };
    let mut out = Vec::new();
    let exit = run_to(&mut out, &args).map_err(|error| format!("{error:#}"))?;
    Ok((exit, String::from_utf8(out).expect("text")))
}

#[test]
fn right_and_wrong_tags() {
    let good = mac_file(1, SIZES, &mac_test(KEY, TAG, "valid"));
    let (exit, out) = run(&good, true, false).expect("runs");
    assert_eq!(exit, Exit::Good);
    let ends: Vec<&str> = out.lines().filter_map(|line| line.split_once("  ")).map(|(_, end)| end).collect();
    assert_eq!(ends, ["portable  1 passed, 0 failed, 0 skipped", "reference  1 passed, 0 failed, 0 skipped"]);
    // A wrong tag that is said to be right, and a right one that is said to be wrong: each subject must
    // object.
    let other = "b8061dc1305136c6c22b8baf0c0127a9";
    for bad in [mac_test(KEY, other, "valid"), mac_test(KEY, TAG, "invalid")] {
        let (exit, out) = run(&mac_file(1, SIZES, &bad), true, false).expect("runs");
        assert_eq!(exit, Exit::Mismatch);
        assert_eq!(out.matches("0 passed, 1 failed, 0 skipped").count(), 2, "{out}");
        for route in ["one-shot", "prepared key", "batch", "stream in pieces of 13", "verify a stream"] {
            assert!(out.contains(&format!("FAILED tcId 7 (a remark), {route}: expected ")), "{route}: {out}");
        }
    }
    let (exit, _) = run(&mac_file(1, SIZES, &mac_test(KEY, other, "invalid")), true, false).expect("runs");
    assert_eq!(exit, Exit::Good);
}

#[test]
fn json_lines_say_the_same() {
    let other = "b8061dc1305136c6c22b8baf0c0127a9";
    let tests =
        [mac_test(KEY, TAG, "valid"), mac_test(KEY, other, "valid"), mac_test(KEY, TAG, "acceptable")]
            .join(",");
    let (exit, out) = run(&mac_file(3, SIZES, &tests), false, true).expect("runs");
    assert_eq!((exit, out.lines().count()), (Exit::Mismatch, 1));
    let line: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(line["backend"], "portable");
    assert_eq!((&line["passed"], &line["failed"], &line["skipped"]), (&1.into(), &1.into(), &1.into()));
    assert_eq!(line["skip_reasons"]["either result is acceptable"], 1);
    assert_eq!((&line["failures"][0]["expected"], &line["failures"][0]["got"]), (&other.into(), &TAG.into()));
}

#[test]
fn bad_files_are_errors() {
    let test = mac_test(KEY, TAG, "valid");
    let good = mac_file(1, SIZES, &test);
    let cases = [
        (String::new(), "the file is empty"),
        ("\n".to_owned(), "the file is empty"),
        ("{".to_owned(), "not a JSON object"),
        ("[]".to_owned(), "not a JSON object"),
        ("{}".to_owned(), "not a file of test vectors"),
        (good.replace("POLY1305", "HMACSHA256"), "unknown algorithm \"HMACSHA256\""),
        (
            good.replace("mac_test_schema_v1.json", "kem_test_schema.json"),
            "unknown schema \"kem_test_schema.json\"",
        ),
        (mac_file(0, SIZES, ""), "no tests in the file"),
        (mac_file(2, SIZES, &test), "1 tests found, but numberOfTests is 2"),
        (mac_file(1, r#""keySize":256"#, &test), "does not say the size of its tags"),
        (mac_file(1, SIZES, &mac_test(&KEY[2..], TAG, "valid")), "tcId 7: 31 bytes where 32 belong"),
        (mac_file(1, SIZES, &mac_test(KEY, &TAG[1..], "valid")), "tcId 7: bytes that are not pairs"),
        (mac_file(1, SIZES, &mac_test(KEY, TAG, "perhaps")), "unknown result \"perhaps\""),
        (good.replace(r#""msg":"#, r#""message":"#), "either msg or msgGen must be there"),
        (good.replace(r#""tcId":7"#, r#""tcId":"seven""#), "has no tcId"),
        (mac_file(1, r#""keySize":256,"tagSize":64"#, &test), "all tests were skipped"),
    ];
    for (content, expected) in cases {
        let error = run(&content, true, false).expect_err(expected);
        assert!(error.contains(expected), "{error:?} should say {expected:?}");
    }
}

#[test]
fn bad_arguments_are_errors() {
    let missing = PathBuf::from("there is no such file");
    assert!(run_file(missing.clone(), "all", false, false).expect_err("no file").contains("cannot read"));
    // A device states no length, so reading itself must stop at the limit.
    let endless = run_file(PathBuf::from("/dev/zero"), "all", false, false).expect_err("no end");
    assert_eq!(endless, "/dev/zero: cannot read: longer than 64 MiB");
    let error = run_file(missing.clone(), "abacus", false, false).expect_err("no backend");
    assert!(error.contains("no backend is called \"abacus\""), "{error}");
    let absent = carryless_hash::Cpu::NAMES.iter().find(|name| carryless_hash::Cpu::named(name).is_err());
    // Backends are of several architectures, so every CPU lacks one.
    let absent = absent.expect("no CPU has all backends");
    let error = run_file(missing, absent, false, false).expect_err("no backend");
    assert!(error.contains(&format!("this CPU has no {absent}")), "{error}");
}

#[test]
fn tests_of_other_hashes_are_checked_when_read() {
    let hash = |test: &str| {
        format!(
            r#"{{"algorithm":"polyHash1305","schema":"carryless_hash_v1","numberOfTests":1,
                "testGroups":[{{"type":"HashTest","tests":[{test}]}}]}}"#
        )
    };
    let zeros = "00".repeat(16);
    let test = |msg: &str| {
        hash(&format!(
            r#"{{"tcId":1,"key":"{zeros}",{msg},"tag":"{zeros}","residue":"{zeros}00","result":"valid"}}"#
        ))
    };
    let parse = |text: &str| parse(text, Budget::new(1 << 20));
    assert!(parse(&test(r#""msgBits":9,"msg":"ff01""#)).is_ok());
    for bad in [
        // 02 sets the tenth bit of a message of nine.
        r#""msgBits":9,"msg":"ff02""#,
        r#""msgBits":9,"msg":"ff""#,
        r#""msgBits":8,"msg":"ff01""#,
        r#""msgBits":8,"msgGen":{"kind":"repeat","pattern":"00","bits":16}"#,
        r#""msgBits":8,"msg":"ff","msgGen":{"kind":"repeat","pattern":"ff","bits":8}"#,
        r#""msg":"ff""#,
    ] {
        assert!(parse(&test(bad)).is_err(), "{bad}");
    }
}

/// A short file cannot request much memory, in whatever way it states the length of a message.
#[test]
fn messages_of_a_file_are_bounded() {
    let zeros = "00".repeat(16);
    let hash = |generate: &str, bits: &str| {
        format!(
            r#"{{"algorithm":"polyHash1305","schema":"carryless_hash_v1","numberOfTests":1,"testGroups":[{{"tests":[
                {{"tcId":1,"key":"{zeros}","msgBits":{bits},"msgGen":{generate},"tag":"{zeros}","residue":"{zeros}00",
                "result":"valid"}}]}}]}}"#
        )
    };
    let repeat = |bits: &str| format!(r#"{{"kind":"repeat","pattern":"00","bits":{bits}}}"#);
    let defects = |digest: &str, defect: &str, ones: &str| {
        format!(
            r#"{{"vectors":[{digest}],"bit_length_vectors":[],"known_defect_vectors":[{defect}],
                "edge_poly1305_vectors_other_libs":{{"cases":[{ones}],"random_256B_ipsecmb_failures":[]}}}}"#
        )
    };
    let most = u64::MAX.to_string();
    let digest =
        |len: &str| format!(r#"{{"function":"polyHash1305",{len},"key":"{zeros}","digest":"{zeros}"}}"#);
    let defect = format!(
        r#"{{"function":"4-decBRWHash1305","key":"{zeros}","len":{most},"message":"all bytes 0xff","correct_digest":"{zeros}"}}"#
    );
    let ones = format!(r#"{{"r":1,"len":{most},"tag":"{zeros}"}}"#);
    for content in [
        // One bit more than 1 GiB.
        hash(&repeat("8589934593"), "8589934593"),
        hash(&repeat(&most), &most),
        defects(&digest(&format!(r#""bits":{most}"#)), "", ""),
        defects("", &defect, ""),
        defects("", "", &ones),
    ] {
        let error = run(&content, false, false).expect_err(&content);
        assert!(error.contains("the messages that the file generates are too long in all"), "{error}");
    }
    let error = run(&defects(&digest(&format!(r#""len":{most}"#)), "", ""), false, false);
    assert!(error.expect_err("8 len overflows").contains("neither len nor bits"));
    // An array has no members, and indexing it by a name would panic.
    let no_object = defects("", "", "").replace(r#"{"cases":[],"random_256B_ipsecmb_failures":[]}"#, "[1]");
    assert!(run(&no_object, false, false).expect_err("no object").contains("no cases"));
}

#[test]
fn tests_with_nonces_can_fail() {
    let file = |nonce: &str, msg: &str, tag: &str, result: &str| {
        format!(
            r#"{{"algorithm":"4-decBRWHash1305 + HChaCha20","schema":"carryless_nonce_mac_v1","numberOfTests":1,
                "testGroups":[{{"type":"NonceMacTest","tests":[{{"tcId":1,"key":"{KEY}","nonce":"{nonce}",
                "msg":"{msg}","tag":"{tag}","result":"{result}"}}]}}]}}"#
        )
    };
    let nonce = "00".repeat(16);
    // `TAG` is of Poly1305, and so wrong for this MAC.
    for (tag, result, passes) in [(TAG, "invalid", true), (TAG, "valid", false)] {
        let (exit, out) = run(&file(&nonce, MSG, tag, result), true, false).expect("runs");
        assert_eq!(exit == Exit::Good, passes, "{out}");
        for route in ["one-shot", "stream in pieces of 13", "verify", "verify a stream"] {
            assert_eq!(
                out.contains(&format!("FAILED tcId 1, {route}: expected ")),
                !passes,
                "{route}: {out}"
            );
        }
    }
    for bad in [
        file(&nonce[2..], MSG, TAG, "valid"),
        file(&nonce, "0", TAG, "valid"),
        file(&nonce, MSG, TAG, "acceptable"),
        file(&nonce, MSG, TAG, "valid").replace(" + ", " - "),
    ] {
        assert!(run(&bad, true, false).is_err(), "{bad}");
    }
}

/// The project's files pass on every backend and by big integers, and what is skipped is known.
#[test]
fn project_files_pass() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/");
    for (file, backend, reference) in [
        ("poly1305.json", "1768 passed, 0 failed, 0 skipped", "1768 passed, 0 failed, 0 skipped"),
        ("polyhash1305.json", "2725 passed, 0 failed, 0 skipped", "2725 passed, 0 failed, 0 skipped"),
        ("brwhash1305.json", "2724 passed, 0 failed, 0 skipped", "2724 passed, 0 failed, 0 skipped"),
        ("decbrw2_1305.json", "901 passed, 0 failed, 0 skipped", "901 passed, 0 failed, 0 skipped"),
        ("decbrw3_1305.json", "877 passed, 0 failed, 0 skipped", "877 passed, 0 failed, 0 skipped"),
        ("decbrw4_1305.json", "2503 passed, 0 failed, 0 skipped", "2503 passed, 0 failed, 0 skipped"),
        ("decbrw8_1305.json", "913 passed, 0 failed, 0 skipped", "913 passed, 0 failed, 0 skipped"),
        ("decbrw16_1305.json", "885 passed, 0 failed, 0 skipped", "885 passed, 0 failed, 0 skipped"),
        ("polyhash1271.json", "2820 passed, 0 failed, 0 skipped", "2820 passed, 0 failed, 0 skipped"),
        ("brwhash1271.json", "2818 passed, 0 failed, 0 skipped", "2818 passed, 0 failed, 0 skipped"),
        ("decbrw2_1271.json", "899 passed, 0 failed, 0 skipped", "899 passed, 0 failed, 0 skipped"),
        ("decbrw3_1271.json", "911 passed, 0 failed, 0 skipped", "911 passed, 0 failed, 0 skipped"),
        ("decbrw4_1271.json", "2533 passed, 0 failed, 0 skipped", "2533 passed, 0 failed, 0 skipped"),
        ("decbrw8_1271.json", "910 passed, 0 failed, 0 skipped", "910 passed, 0 failed, 0 skipped"),
        ("decbrw16_1271.json", "940 passed, 0 failed, 0 skipped", "940 passed, 0 failed, 0 skipped"),
        ("wegman_carter.json", "402 passed, 0 failed, 0 skipped", "402 passed, 0 failed, 0 skipped"),
        ("combine.json", "240 passed, 0 failed, 0 skipped", "240 passed, 0 failed, 0 skipped"),
        (
            "published_code_defects_and_vectors.json",
            "195 passed, 0 failed, 0 skipped",
            "195 passed, 0 failed, 0 skipped",
        ),
    ] {
        let (exit, out) =
            run_file(PathBuf::from(format!("{folder}{file}")), "all", true, false).expect("runs");
        assert_eq!(exit, Exit::Good, "{out}");
        for cpu in carryless_hash::Cpu::available() {
            assert!(out.contains(&format!("{file}  {}  {backend}\n", cpu.name())), "{out}");
        }
        assert!(out.contains(&format!("{file}  reference  {reference}\n")), "{out}");
    }
}
