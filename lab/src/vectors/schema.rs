//! Reads vector files into tests.
use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::aead;
use super::case::{Case, Combine, Function, Group, Test, message, params};
#[cfg(feature = "curves")]
use super::curve_files;
#[cfg(feature = "curves")]
use super::curve_protocols;
#[cfg(feature = "curves")]
use super::curves;
use super::defects;
use super::f2x;
use super::gf2m;
use super::hex::{Array, Budget, Bytes, Rule};
use super::hqc;
use super::mac;
use super::nonce_mac;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    algorithm: String,
    schema: String,
    number_of_tests: usize,
    test_groups: Vec<Group>,
}

/// Returns the name of a test in a file of this schema.
fn name_of(group: &Group, schema: &str, id: u64) -> String {
    match (schema, &group.kind) {
        // Each group of these schemas counts anew.
        (F2X_SCHEMA, Some(kind)) => format!("{kind} tcId {id}"),
        (GF2M_SCHEMA, Some(kind)) => format!("{} tcId {id}", gf2m::label(kind, &group.others)),
        (HQC_SCHEMA | HQC_PARTS_SCHEMA, Some(kind)) => {
            format!("{} tcId {id}", hqc::label(kind, &group.others))
        }
        _ => format!("tcId {id}"),
    }
}

// Boxed, because some readers capture the function or the AEAD that the file names.
type Reader = Box<dyn Fn(&Group, Value, &mut Budget) -> Result<Case>>;

/// Reads the tests of a file, at least one. Messages by rules are limited by the budget.
pub(super) fn parse(text: &str, mut budget: Budget) -> Result<Vec<Test>> {
    // An empty file would otherwise be reported as bad JSON.
    ensure!(!text.trim().is_empty(), "the file is empty");
    let json: Map<String, Value> = serde_json::from_str(text).context("not a JSON object")?;
    // The file of defects and plain multiples of curves have no schema. They are recognised by their members.
    let tests = match defects::is_defects_file(&json) {
        true => defects::parse(json, &mut budget)?,
        // Recognised in every build, so that the error names the missing feature and not an unknown schema.
        false if json.get("schema").and_then(Value::as_str).is_some_and(is_of_curves) => {
            parse_curves(json, &mut budget)?
        }
        #[cfg(feature = "curves")]
        false if curve_files::is_plain_file(&json) => curve_files::parse_plain(json)?,
        false => parse_groups(json, &mut budget)?,
    };
    ensure!(!tests.is_empty(), "no tests in the file");
    Ok(tests)
}

fn parse_groups(json: Map<String, Value>, budget: &mut Budget) -> Result<Vec<Test>> {
    let file: File = serde_json::from_value(Value::Object(json)).context("not a file of test vectors")?;
    let reader = reader(&file.schema, &file.algorithm)?;
    // The number is the file's claim, so it must not reserve much memory.
    let mut tests = Vec::with_capacity(file.number_of_tests.min(1 << 16));
    let mut of_groups = Vec::new();
    for mut group in file.test_groups {
        of_groups.extend(test_of_group(&file.schema, &group)?);
        for test in std::mem::take(&mut group.tests) {
            let id = test["tcId"]
                .as_u64()
                .with_context(|| format!("the test after {} has no tcId", tests.len()))?;
            let id = name_of(&group, &file.schema, id);
            let comment = test["comment"].as_str().unwrap_or_default().to_owned();
            let case = reader(&group, test, budget).with_context(|| id.clone())?;
            tests.push(Test { id, comment, case });
        }
    }
    let (found, promised) = (tests.len(), file.number_of_tests);
    // A truncated or merged file must not pass with fewer tests than its author counted.
    ensure!(found == promised, "{found} tests found, but numberOfTests is {promised}");
    // Added after the comparison, because `numberOfTests` does not count them.
    tests.extend(of_groups);
    Ok(tests)
}

/// Returns the test that a group asserts by its own members. `numberOfTests` does not count it.
fn test_of_group(schema: &str, group: &Group) -> Result<Option<Test>> {
    // Only this schema has `responses` in its groups.
    if schema != HQC_SCHEMA {
        return Ok(None);
    }
    let id = hqc::label("responses", &group.others);
    let case = hqc::read_responses(&group.others).with_context(|| id.clone())?;
    Ok(Some(Test { id, comment: String::new(), case }))
}

/// Returns whether the schema is one of binary curves, for which this build may lack arithmetic (feature `curves`).
fn is_of_curves(schema: &str) -> bool {
    const SCHEMAS: &[&str] = &[
        "carryless_curves_v1",
        "carryless_ec_v1",
        "carryless_ecdsa_v1",
        "carryless_ec_interop_v1",
        "ecdh_test_schema.json",
        "ecdh_test_schema_v1.json",
    ];
    SCHEMAS.contains(&schema)
}

#[cfg(not(feature = "curves"))]
fn parse_curves(_: Map<String, Value>, _: &mut Budget) -> Result<Vec<Test>> {
    bail!("this command was built without the arithmetic of curves: build it with --features curves")
}

#[cfg(feature = "curves")]
fn parse_curves(json: Map<String, Value>, budget: &mut Budget) -> Result<Vec<Test>> {
    if json.contains_key("vectors") { curve_files::parse_list(json) } else { parse_groups(json, budget) }
}

const F2X_SCHEMA: &str = "carryless_f2x_v1";
const GF2M_SCHEMA: &str = "carryless_gf2m_v1";
const HQC_SCHEMA: &str = "carryless_hqc_v1";
const HQC_PARTS_SCHEMA: &str = "carryless_hqc_components_v1";

/// Makes a reader of tests that needs the type and the members of the group.
fn by_kind(read: fn(&str, &Map<String, Value>, Value) -> Result<Case>) -> Reader {
    Box::new(move |group, test, _| {
        read(group.kind.as_deref().context("its group has no type")?, &group.others, test)
    })
}

fn reader(schema: &str, algorithm: &str) -> Result<Reader> {
    let known: Option<Reader> = match schema {
        "carryless_mac_v1" | "mac_test_schema.json" | "mac_test_schema_v1.json" => {
            // Wycheproof writes POLY1305, but Poly1305 is the name elsewhere.
            algorithm.eq_ignore_ascii_case("POLY1305").then(|| Box::new(mac::read) as Reader)
        }
        "carryless_hash_v1" => Function::named(algorithm).map(|function| {
            Box::new(move |_: &Group, test, budget: &mut Budget| read_hash(function, test, budget)) as Reader
        }),
        "carryless_combine_v1" => {
            (algorithm == "polyHash segment combination").then(|| Box::new(read_combine) as Reader)
        }
        "carryless_nonce_mac_v1" => (algorithm == nonce_mac::ALGORITHM).then(|| {
            Box::new(|_: &Group, test, budget: &mut Budget| nonce_mac::read(test, budget)) as Reader
        }),
        "carryless_aead_v1" | "aead_test_schema.json" | "aead_test_schema_v1.json" => aead::named(algorithm)
            .map(|aead| Box::new(move |_: &Group, test, _: &mut Budget| aead::read(aead, test)) as Reader),
        F2X_SCHEMA => (algorithm == f2x::ALGORITHM).then(|| by_kind(|kind, _, test| f2x::read(kind, test))),
        GF2M_SCHEMA => (algorithm == gf2m::ALGORITHM).then(|| by_kind(gf2m::read)),
        HQC_SCHEMA => (algorithm == hqc::ALGORITHM).then(|| by_kind(hqc::read)),
        HQC_PARTS_SCHEMA => (algorithm == hqc::ALGORITHM).then(|| by_kind(hqc::read_part)),
        #[cfg(feature = "curves")]
        "carryless_curves_v1" => (algorithm == curves::ALGORITHM)
            .then(|| Box::new(|_: &Group, test, _: &mut Budget| curves::read_parameters(test)) as Reader),
        #[cfg(feature = "curves")]
        "carryless_ec_v1" => (algorithm == curves::ALGORITHM).then(|| {
            Box::new(|group: &Group, test, _: &mut Budget| curves::read_multiple(&group.others, test))
                as Reader
        }),
        #[cfg(feature = "curves")]
        "ecdh_test_schema.json" | "ecdh_test_schema_v1.json" => {
            (algorithm == curve_protocols::ECDH).then(|| {
                Box::new(|group: &Group, test, _: &mut Budget| {
                    curve_protocols::read_agreement(&group.others, test)
                }) as Reader
            })
        }
        _ => bail!("unknown schema {schema:?}"),
    };
    known.with_context(|| format!("unknown algorithm {algorithm:?}"))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HashTest {
    key: Array<16>,
    msg: Option<Bytes>,
    msg_gen: Option<Rule>,
    msg_bits: usize,
    tag: Array<16>,
    residue: Array<17>,
    result: String,
}

fn read_hash(function: Function, test: Value, budget: &mut Budget) -> Result<Case> {
    let test: HashTest = serde_json::from_value(test)?;
    ensure!(test.result == "valid", "unknown result {:?}", test.result);
    let msg = message(test.msg, test.msg_gen.as_ref(), Some(test.msg_bits), budget)?;
    let residue = Some(test.residue.0);
    // Keys out of range are refused here, so that `READ` in `reference` holds.
    function.params.key(&test.key.0)?;
    Ok(Case::Hash { function, key: test.key.0, msg, digest: test.tag.0, residue })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CombineTest {
    prime: String,
    key: Array<16>,
    msg_a: Bytes,
    msg_b: Bytes,
    blocks_b: u64,
    residue_a: Array<17>,
    residue_b: Array<17>,
    #[serde(rename = "residueAB")]
    residue_ab: Array<17>,
    tag: Array<16>,
    result: String,
}

fn read_combine(_: &Group, test: Value, _: &mut Budget) -> Result<Case> {
    let test: CombineTest = serde_json::from_value(test)?;
    ensure!(test.result == "valid", "unknown result {:?}", test.result);
    let params = params(&test.prime).with_context(|| format!("unknown prime {:?}", test.prime))?;
    // As in `read_hash`: keys out of range are errors of the file.
    params.key(&test.key.0)?;
    Ok(Case::Combine(Box::new(Combine {
        params,
        key: test.key.0,
        a: test.msg_a.0,
        b: test.msg_b.0,
        blocks_b: test.blocks_b,
        residues: [test.residue_a.0, test.residue_b.0, test.residue_ab.0],
        digest: test.tag.0,
    })))
}
