//! The file of published defects, which has its own format (vectors/README.md).
use anyhow::{Context as _, Error, Result, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::case::{Case, Function, Test};
use super::hex::{Array, Budget, Bytes, Message};

/// Returns whether the object has the parts of this file, and names no schema.
pub(super) fn is_defects_file(json: &Map<String, Value>) -> bool {
    !json.contains_key("schema")
        && ["vectors", "known_defect_vectors"].iter().all(|part| json.contains_key(*part))
}

/// Reads all parts of the file, in order.
pub(super) fn parse(mut json: Map<String, Value>, budget: &mut Budget) -> Result<Vec<Test>> {
    let mut take = |part: &str| json.remove(part).with_context(|| format!("no {part}"));
    let mut tests = read("vectors", take("vectors")?, |test| digest(test, budget))?;
    tests.extend(read("bit_length_vectors", take("bit_length_vectors")?, |test| digest(test, budget))?);
    let lost_carries = take("known_defect_vectors")?;
    tests.extend(read("known_defect_vectors", lost_carries, |test| lost_carry_of_brw(test, budget))?);
    let mut poly1305 = take("edge_poly1305_vectors_other_libs")?;
    tests.extend(read("cases", part(&mut poly1305, "cases")?, |test| all_ones(test, budget))?);
    tests.extend(read("random_256B", part(&mut poly1305, "random_256B_ipsecmb_failures")?, lost_carry)?);
    Ok(tests)
}

/// Reads one list of the file.
fn read<T: DeserializeOwned>(
    part: &str,
    list: Value,
    mut case: impl FnMut(T) -> Result<Case>,
) -> Result<Vec<Test>> {
    let list: Vec<T> = serde_json::from_value(list).with_context(|| part.to_owned())?;
    let tests = list.into_iter().enumerate().map(|(i, test)| {
        let id = format!("{part}[{i}]");
        let case = case(test).with_context(|| id.clone())?;
        Ok(Test { id, comment: String::new(), case })
    });
    tests.collect()
}

/// Removes a member from an object. Indexing would panic if the value is no object.
fn part(json: &mut Value, name: &str) -> Result<Value> {
    json.get_mut(name).map(Value::take).with_context(|| format!("no {name}"))
}

fn other(function: &str) -> Case {
    Case::Other(format!("{function} is not implemented"))
}

/// A digest of the message whose byte i is 131 i + 17 mod 256.
#[derive(Deserialize)]
struct Digest {
    function: String,
    len: Option<usize>,
    bits: Option<usize>,
    key: Array<16>,
    digest: Array<16>,
    /// The digest of the paper, where the published code computes another function.
    digest_paper_construction2: Option<Array<16>>,
}

fn digest(test: Digest, budget: &mut Budget) -> Result<Case> {
    let Some(function) = Function::named(&test.function) else {
        return Ok(other(&test.function));
    };
    // 8 len may overflow, which is an error instead of a short message.
    let bits = test.bits.or_else(|| test.len?.checked_mul(8)).context("neither len nor bits")?;
    let len = budget.spend(bits.div_ceil(8) as u64).map_err(Error::msg)?;
    let data = (0..len).map(|i| i.wrapping_mul(131).wrapping_add(17) as u8).collect();
    let Array(mut key) = test.key;
    if function.params.k < 128 {
        key[15] &= 0x3f; // as the file's conventions say; the key is published with all its bits
    }
    // The library follows the paper where code and paper differ.
    let Array(digest) = test.digest_paper_construction2.unwrap_or(test.digest);
    Ok(Case::Hash { function, key, msg: Message::cut(data, bits), digest, residue: None })
}

/// An input of decBRWHash on which published code loses a carry, and the right digest.
#[derive(Deserialize)]
struct Defect {
    function: String,
    key: Array<16>,
    len: usize,
    message: String,
    correct_digest: Array<16>,
}

fn lost_carry_of_brw(test: Defect, budget: &mut Budget) -> Result<Case> {
    let Some(function) = Function::named(&test.function) else {
        return Ok(other(&test.function));
    };
    let data = match &test.message[..] {
        "all bytes 0xff" => vec![0xff; budget.spend(test.len as u64).map_err(Error::msg)?],
        // By `Bytes`, so that these digits are checked as strictly as in other members.
        digits => serde_json::from_value::<Bytes>(Value::from(digits))?.0,
    };
    ensure!(data.len() == test.len, "{} bytes, not {}", data.len(), test.len);
    let (key, digest) = (test.key.0, test.correct_digest.0);
    function.params.key(&key)?;
    Ok(Case::Hash { function, key, msg: Message::of_bytes(data), digest, residue: None })
}

/// Poly1305 of bytes 0xff under a small r and s = 0.
#[derive(Deserialize)]
struct AllOnes {
    r: u8,
    len: usize,
    tag: Array<16>,
}

fn all_ones(test: AllOnes, budget: &mut Budget) -> Result<Case> {
    let mut key = [0; 32];
    // r is the first half of the key, with its least significant byte first.
    key[0] = test.r;
    let msg = vec![0xff; budget.spend(test.len as u64).map_err(Error::msg)?];
    Ok(Case::Mac { key, msg, tag: test.tag.0, residue: None, valid: true })
}

/// A random message of which published code loses a carry.
#[derive(Deserialize)]
struct LostCarry {
    key: Array<32>,
    message: Bytes,
    tag: Array<16>,
}

fn lost_carry(test: LostCarry) -> Result<Case> {
    Ok(Case::Mac { key: test.key.0, msg: test.message.0, tag: test.tag.0, residue: None, valid: true })
}
