//! The files in `vectors/`, by every route on every backend.
use crate::common::{Rng, backends, expect_poly1305, expect_polyhash1305, pick};
use carryless_hash::decbrwhash1305::{self, Streams};
use carryless_hash::polyhash1305::{self, PreparedKey};
use carryless_hash::{Tag, TagMismatch, poly1305};
use serde_json::Value;

/// All tests of a file; fewer, evenly chosen, for an emulator.
pub(crate) fn tests(json: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(json).expect("a vector file");
    let groups = file["testGroups"].as_array().expect("groups");
    let tests: Vec<Value> =
        groups.iter().flat_map(|g| g["tests"].as_array().expect("tests").clone()).collect();
    assert_eq!(Some(tests.len() as u64), file["numberOfTests"].as_u64());
    tests.into_iter().step_by(pick(1, 7, 97)).collect()
}

pub(crate) fn hex(v: &Value) -> Vec<u8> {
    let digits = v.as_str().expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("a byte")).collect()
}

pub(crate) fn array<const N: usize>(v: &Value) -> [u8; N] {
    hex(v).try_into().expect("the right number of bytes")
}

/// The message of a test, if it is whole bytes.
fn message(test: &Value) -> Option<Vec<u8>> {
    let (msg, bits) = bit_string(test);
    bits.is_multiple_of(8).then_some(msg)
}

/// The message of a test, and its length in bits.
pub(crate) fn bit_string(test: &Value) -> (Vec<u8>, u64) {
    let rule = &test["msgGen"];
    if rule.is_null() {
        let msg = hex(&test["msg"]);
        let bits = test["msgBits"].as_u64().unwrap_or(8 * msg.len() as u64);
        return (msg, bits);
    }
    let bits = rule["bits"].as_u64().expect("a length");
    let len = bits.div_ceil(8) as usize;
    let mut msg: Vec<u8> = match rule["kind"].as_str().expect("a kind") {
        "splitmix64" => {
            let seed = rule["seed"].as_str().and_then(|s| s.strip_prefix("0x")).expect("a seed");
            Rng(u64::from_str_radix(seed, 16).expect("64 bits")).bytes(len)
        }
        "repeat" => hex(&rule["pattern"]).into_iter().cycle().take(len).collect(),
        other => panic!("unknown rule {other}"),
    };
    // Unused bits of the last byte are zero in the format.
    if let (Some(last), used @ 1..) = (msg.last_mut(), bits % 8) {
        *last &= (1 << used) - 1;
    }
    (msg, bits)
}

#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn poly1305_file() {
    let (mut valid, mut invalid) = (0, 0);
    for t in tests(include_str!("../../../../vectors/poly1305.json")) {
        let (key, msg, tag) = (array(&t["key"]), message(&t).expect("whole bytes"), array(&t["tag"]));
        if msg.len() > pick(usize::MAX, 5_000, 200) {
            continue;
        }
        if t["result"] == "valid" {
            expect_poly1305(&key, &msg, tag);
            valid += 1;
        } else {
            assert_eq!(poly1305::verify(&key, &msg, &Tag::from(tag)), Err(TagMismatch), "test {}", t["tcId"]);
            invalid += 1;
        }
    }
    assert!(valid >= pick(1751, 200, 10) && invalid >= pick(17, 1, 0), "{valid} valid, {invalid} invalid");
}

#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn polyhash1305_file() {
    let mut done = 0;
    for t in tests(include_str!("../../../../vectors/polyhash1305.json")) {
        let (msg, bits) = bit_string(&t);
        if msg.len() > pick(usize::MAX, 5_000, 200) {
            continue;
        }
        let (key, want) = (array(&t["key"]), array(&t["tag"]));
        if bits.is_multiple_of(8) {
            expect_polyhash1305(&key, &msg, want);
        }
        for &cpu in backends() {
            let got = polyhash1305::digest_bits_on(cpu, &key, &msg, bits);
            assert_eq!(got, Ok(want), "test {} on {}", t["tcId"], cpu.name());
        }
        done += 1;
    }
    assert!(done >= pick(2725, 350, 15), "{done}");
}

#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn combine_file() {
    let mut done = 0;
    for t in tests(include_str!("../../../../vectors/combine.json")) {
        if t["prime"] != "1305" {
            continue;
        }
        let (a, b) = (hex(&t["msgA"]), hex(&t["msgB"]));
        for &cpu in crate::common::backends() {
            let prepared = PreparedKey::on(cpu, &array(&t["key"]));
            let (a, b) = (prepared.segment(&a), prepared.segment(&b));
            assert_eq!(a.digest()[..], hex(&t["residueA"])[..16], "test {}, {}", t["tcId"], cpu.name());
            assert_eq!(b.digest()[..], hex(&t["residueB"])[..16], "test {}, {}", t["tcId"], cpu.name());
            let joined = a.join(&b).expect("whole blocks").digest();
            assert_eq!(joined, array(&t["tag"]), "test {}, {}", t["tcId"], cpu.name());
        }
        done += 1;
    }
    assert!(done >= pick(120, 12, 1), "{done}");
}

/// BRWHash1305 and c-decBRWHash1305, messages of bytes and of bits, on every backend.
#[test]
#[cfg_attr(miri, ignore = "reading the files takes Miri minutes")]
fn brw_files() {
    let files = [
        (1, include_str!("../../../../vectors/brwhash1305.json")),
        (2, include_str!("../../../../vectors/decbrw2_1305.json")),
        (3, include_str!("../../../../vectors/decbrw3_1305.json")),
        (4, include_str!("../../../../vectors/decbrw4_1305.json")),
        (8, include_str!("../../../../vectors/decbrw8_1305.json")),
        (16, include_str!("../../../../vectors/decbrw16_1305.json")),
    ];
    for (c, file) in files {
        let streams = Streams::try_from(c).expect("a known number of streams");
        for t in tests(file) {
            let (key, want) = (array(&t["key"]), array::<16>(&t["tag"]));
            let (msg, bits) = bit_string(&t);
            if msg.len() > pick(usize::MAX, 5_000, 200) {
                continue;
            }
            for &cpu in backends() {
                let got = decbrwhash1305::digest_bits_on(cpu, streams, &key, &msg, bits);
                assert_eq!(got, Ok(want), "test {} of {c} streams on {}", t["tcId"], cpu.name());
            }
        }
    }
}
