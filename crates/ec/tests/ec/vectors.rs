//! Access to the JSON files of vectors. Every function panics if a file or field is missing or malformed.
use carryless_ec::SecretKey;
use carryless_ec::curve::BinaryCurve;
use serde_json::Value;
use std::path::Path;

pub(crate) fn read(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The array in the field of that name.
pub(crate) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no list {name}"))
}

/// The string in the field of that name.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no text {name}"))
}

/// The bytes of the hexadecimal string in the field of that name. Some files leave out the leading zeros of
/// numbers, so an odd number of digits gets one.
pub(crate) fn bytes(value: &Value, name: &str) -> Vec<u8> {
    let digits = text(value, name);
    let digits = if digits.len() % 2 == 1 { format!("0{digits}") } else { digits.to_owned() };
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// The number in the field of that name, big-endian in exactly `size` bytes. Leading zeros are added or
/// removed.
pub(crate) fn number(value: &Value, name: &str, size: usize) -> Vec<u8> {
    let bytes = bytes(value, name);
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let digits = &bytes[zeros..];
    [&vec![0; size - digits.len()], digits].concat()
}

/// The secret key in the field of that name, a big-endian number of any length.
pub(crate) fn secret<C: BinaryCurve>(value: &Value, name: &str) -> SecretKey<C> {
    SecretKey::from_bytes(&number(value, name, SecretKey::<C>::BYTES)).expect("a secret key")
}
