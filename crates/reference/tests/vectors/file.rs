//! Reads the notation of the vector files.
use carryless_reference::{BigUint, P1271, P1305, Params};
use serde_json::Value;

/// Parses a vector file, which is one JSON value.
pub(crate) fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("JSON")
}

/// All tests of a file, whose number must be as stated; only every seventh for an emulator
/// (`CARRYLESS_QUICK=1`).
pub(crate) fn tests(file: &Value) -> impl Iterator<Item = &Value> {
    let groups = || file["testGroups"].as_array().expect("groups").iter();
    let tests = || groups().flat_map(|group| group["tests"].as_array().expect("tests"));
    assert_eq!(tests().count(), integer(&file["numberOfTests"]));
    let quick = std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1");
    tests().step_by(if quick { 7 } else { 1 })
}

/// The name of a function without its last four digits, and the prime that they stand for.
pub(crate) fn function(name: &str) -> (&str, &'static Params) {
    match name.split_at(name.len() - 4) {
        (name, "1305") => (name, &P1305),
        (name, "1271") => (name, &P1271),
        _ => panic!("{name}: which prime?"),
    }
}

pub(crate) fn hex(v: &Value) -> Vec<u8> {
    let digits = v.as_str().expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("a byte")).collect()
}

pub(crate) fn array<const N: usize>(v: &Value) -> [u8; N] {
    hex(v).try_into().expect("the right number of bytes")
}

pub(crate) fn number(v: &Value) -> BigUint {
    BigUint::from_bytes_le(&hex(v))
}

fn splitmix64(seed: u64, bytes: usize) -> Vec<u8> {
    let words = (1..=bytes.div_ceil(8) as u64).map(|i| {
        let s = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let z = (s ^ (s >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    });
    words.flat_map(u64::to_le_bytes).take(bytes).collect()
}

/// The message of a test: its bytes, or the rule that makes them.
pub(crate) fn message(test: &Value) -> Vec<u8> {
    let rule = &test["msgGen"];
    if rule.is_null() {
        return hex(&test["msg"]);
    }
    let bits = integer(&rule["bits"]);
    let msg: Vec<u8> = match rule["kind"].as_str().expect("a kind") {
        "splitmix64" => {
            let seed = rule["seed"].as_str().and_then(|s| s.strip_prefix("0x")).expect("a seed");
            splitmix64(u64::from_str_radix(seed, 16).expect("64 bits"), bits.div_ceil(8))
        }
        "repeat" => hex(&rule["pattern"]).into_iter().cycle().take(bits.div_ceil(8)).collect(),
        other => panic!("unknown rule {other}"),
    };
    cut(msg, bits)
}

pub(crate) fn integer(v: &Value) -> usize {
    v.as_u64().expect("an integer").try_into().expect("a size")
}

/// Clears the bits of the last byte beyond `bits`. `data` must have exactly the bytes that hold them.
pub(crate) fn cut(mut data: Vec<u8>, bits: usize) -> Vec<u8> {
    assert_eq!(data.len(), bits.div_ceil(8));
    if !bits.is_multiple_of(8) {
        *data.last_mut().expect("a byte") &= (1 << (bits % 8)) - 1;
    }
    data
}
