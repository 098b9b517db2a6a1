//! Files of curves without groups.
//!
//! ECDSA and the keys of OpenSSL are in a list `vectors`. Multiples may come without schema, as an object
//! with a list of tests for each curve. Their numbers are hexadecimal, most significant digit first.
//!
//! A test has `k`, `x` and `y`. For an extension it has `x0`, `x1`, `y0` and `y1`; the coordinates are x0 +
//! x1 u and y0 + y1 u.
use anyhow::{Context as _, Result, bail, ensure};
use carryless_reference::BigUint;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::case::{Case, Test};
use super::curve_arithmetic::{Named, curve};
use super::curve_protocols;
use super::curves::{multiple, named};

/// A file whose tests are in one list.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListFile {
    algorithm: String,
    schema: String,
    number_of_tests: usize,
    vectors: Vec<Value>,
}

/// Reads the tests of a list, in order.
pub(super) fn parse_list(json: Map<String, Value>) -> Result<Vec<Test>> {
    let file: ListFile = serde_json::from_value(Value::Object(json)).context("not a file of test vectors")?;
    let (algorithm, read): (_, fn(Value) -> Result<Case>) = match &file.schema[..] {
        "carryless_ecdsa_v1" => (curve_protocols::ECDSA, curve_protocols::read_signature),
        "carryless_ec_interop_v1" => (curve_protocols::INTEROP, curve_protocols::read_interop),
        schema => bail!("unknown schema {schema:?}"),
    };
    ensure!(file.algorithm == algorithm, "unknown algorithm {:?}", file.algorithm);
    let (found, promised) = (file.vectors.len(), file.number_of_tests);
    // A file that was cut must not pass with fewer tests.
    ensure!(found == promised, "{found} tests found, but numberOfTests is {promised}");
    let tests = file.vectors.into_iter().enumerate().map(|(i, test)| {
        let id = format!("vectors[{i}]");
        // A test without a curve is an error in `read`.
        let comment = test["curve"].as_str().unwrap_or_default().to_owned();
        let case = read(test).with_context(|| id.clone())?;
        Ok(Test { id, comment, case })
    });
    tests.collect()
}

/// Returns whether all members of the object are lists named after curves.
pub(super) fn is_plain_file(json: &Map<String, Value>) -> bool {
    // `all` holds for an empty object, which is no file of curves.
    !json.is_empty() && json.iter().all(|(name, tests)| curve(name).is_some() && tests.is_array())
}

/// Reads the tests of all curves, in order.
pub(super) fn parse_plain(json: Map<String, Value>) -> Result<Vec<Test>> {
    let mut all = Vec::new();
    for (name, tests) in &json {
        let curve = named(name)?;
        for (i, test) in tests.as_array().into_iter().flatten().enumerate() {
            // Tests in these files have no numbers, so their place in the list names them.
            let id = format!("{name}[{i}]");
            let case = read(curve, test).with_context(|| id.clone())?;
            all.push(Test { id, comment: String::new(), case });
        }
    }
    Ok(all)
}

fn read(curve: &'static Named, test: &Value) -> Result<Case> {
    let bytes = curve.domain().curve.field.bytes();
    let number = |name: &str| {
        let digits = test[name].as_str().with_context(|| format!("no {name}"))?;
        // Other programs write numbers with and without the prefix.
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        // BigUint alone would also accept signs and underscores.
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        BigUint::parse_bytes(digits.as_bytes(), 16)
            .filter(|_| is_hex)
            .with_context(|| format!("{name} is no hexadecimal number"))
    };
    let element = |name: &str, len: usize| -> Result<Vec<u8>> {
        let mut element = number(name)?.to_bytes_le();
        ensure!(element.len() <= len, "{name} has more than {len} bytes");
        element.resize(len, 0);
        Ok(element)
    };
    let coordinate = |name: &str| match test[name].is_null() {
        false => element(name, bytes),
        true => {
            // Bytes are little-endian: the coefficient of u comes last.
            let half = |i| element(&format!("{name}{i}"), bytes / 2);
            Ok([half(0)?, half(1)?].concat())
        }
    };
    multiple(curve, number("k")?, Some([coordinate("x")?, coordinate("y")?]))
}
