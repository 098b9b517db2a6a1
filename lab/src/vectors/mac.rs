//! Tests of Poly1305, from the project and from Wycheproof.
use anyhow::{Result, bail, ensure};
use serde::Deserialize;
use serde_json::Value;

use super::case::{Case, Group, is_valid, message};
use super::hex::{Array, Budget, Bytes, Rule};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MacTest {
    key: Array<32>,
    msg: Option<Bytes>,
    msg_gen: Option<Rule>,
    tag: Array<16>,
    residue: Option<Array<17>>,
    result: String,
}

/// Reads a test. Other sizes of keys and tags than Poly1305's are skipped.
pub(super) fn read(group: &Group, test: Value, budget: &mut Budget) -> Result<Case> {
    // Wycheproof's schema of MACs covers other sizes, which Poly1305 does not have.
    for (what, bits, expected) in [("keys", group.key_size, 256), ("tags", group.tag_size, 128)] {
        match bits {
            None => bail!("its group does not say the size of its {what}"),
            Some(bits) if bits != expected => {
                return Ok(Case::Other(format!("{what} of {bits} bits; Poly1305 has {what} of {expected}")));
            }
            Some(_) => {}
        }
    }
    let test: MacTest = serde_json::from_value(test)?;
    let msg = message(test.msg, test.msg_gen.as_ref(), None, budget)?;
    ensure!(msg.bits.is_multiple_of(8), "a message of {} bits; Poly1305 takes whole bytes", msg.bits);
    // Wycheproof accepts either outcome, so there is nothing to check.
    if test.result == "acceptable" {
        return Ok(Case::Other("either result is acceptable".to_owned()));
    }
    let valid = is_valid(&test.result)?;
    Ok(Case::Mac {
        key: test.key.0,
        msg: msg.data,
        tag: test.tag.0,
        residue: test.residue.map(|r| r.0),
        valid,
    })
}
