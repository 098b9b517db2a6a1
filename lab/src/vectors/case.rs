//! What vector files consist of: tests, groups of tests, and messages.
use anyhow::{Result, bail, ensure};
use carryless_gf2::ClmulCpu;
use carryless_hash::Cpu;
use carryless_reference::{P1271, P1305, Params};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::hex::{Budget, Bytes, Message, Rule};
use super::outcome::Outcome;

/// One test of a file.
pub(super) struct Test {
    /// Where it stands in the file, such as `tcId 17`.
    pub(super) id: String,
    /// The file's remark on it.
    pub(super) comment: String,
    pub(super) case: Case,
}

/// What a test asserts.
pub(super) enum Case {
    /// The Poly1305 tag of a message; or, if `valid` is false, a tag that must be refused.
    Mac { key: [u8; 32], msg: Vec<u8>, tag: [u8; 16], residue: Option<[u8; 17]>, valid: bool },
    /// A digest of polyHash, BRWHash or decBRWHash.
    Hash { function: Function, key: [u8; 16], msg: Message, digest: [u8; 16], residue: Option<[u8; 17]> },
    /// The residues of two messages and of one after the other.
    Combine(Box<Combine>),
    /// A test of a family of its own that machines for hashes run.
    OnHashes(Box<dyn Computed<Cpu>>),
    /// A test of a family of its own that machines for carry-less products run.
    OnProducts(Box<dyn Computed<ClmulCpu>>),
    /// A test of something that this program does not compute, with the reason.
    Other(String),
}

impl Case {
    /// Whether machines for carry-less products run it, and not those for hashes.
    pub(super) fn is_carryless(&self) -> bool {
        matches!(self, Case::OnProducts(_))
    }
}

/// A test that machines of type `M` run.
pub(super) trait Computed<M> {
    /// By every route through the library.
    fn on_machine(&self, machine: M) -> Outcome;

    /// By slow, simple arithmetic.
    fn on_reference(&self) -> Outcome;

    /// Whether it takes no more time than a fuzz target has for an input.
    #[cfg(any(test, feature = "fuzzing"))]
    fn is_small(&self) -> bool {
        true
    }
}

/// The most streams of a function that is named; none is implemented with as many.
const MOST_STREAMS: usize = 64;

/// A hash function.
#[derive(Clone, Copy)]
pub(super) struct Function {
    /// The prime.
    pub(super) params: &'static Params,
    /// The streams of c-decBRWHash, 1 for BRWHash; none for polyHash.
    pub(super) streams: Option<usize>,
}

impl Function {
    /// By its name, such as `4-decBRWHash1305`.
    pub(super) fn named(name: &str) -> Option<Function> {
        let (family, prime) = name.split_at_checked(name.len().checked_sub(4)?)?;
        let streams = match family {
            "polyHash" => None,
            "BRWHash" => Some(1),
            _ => Some(
                family
                    .strip_suffix("-decBRWHash")?
                    .parse()
                    .ok()
                    .filter(|c| (2..=MOST_STREAMS).contains(c))?,
            ),
        };
        Some(Function { params: params(prime)?, streams })
    }
}

/// The residues of A, B and A followed by B.
pub(super) struct Combine {
    pub(super) params: &'static Params,
    pub(super) key: [u8; 16],
    pub(super) a: Vec<u8>,
    pub(super) b: Vec<u8>,
    pub(super) blocks_b: u64,
    pub(super) residues: [[u8; 17]; 3],
    pub(super) digest: [u8; 16],
}

/// A group of tests, with the members that they share.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Group {
    /// Its type, which says what its tests compute.
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    /// Bits.
    pub(super) key_size: Option<u32>,
    /// Bits.
    pub(super) tag_size: Option<u32>,
    pub(super) tests: Vec<Value>,
    #[serde(flatten)]
    pub(super) others: Map<String, Value>,
}

/// Whether the tag of a test must be accepted.
pub(super) fn is_valid(result: &str) -> Result<bool> {
    match result {
        "valid" => Ok(true),
        "invalid" => Ok(false),
        other => bail!("unknown result {other:?}"),
    }
}

/// The prime with this suffix.
pub(super) fn params(name: &str) -> Option<&'static Params> {
    [&P1305, &P1271].into_iter().find(|params| params.name == name)
}

/// The message that a test writes down or gives the rule for, of the length it says.
pub(super) fn message(
    msg: Option<Bytes>,
    rule: Option<&Rule>,
    bits: Option<usize>,
    budget: &mut Budget,
) -> Result<Message> {
    let message = match (msg, rule) {
        (Some(Bytes(data)), None) => {
            let len = data.len();
            let message =
                bits.map_or_else(|| Message::of_bytes(data.clone()), |bits| Message::cut(data.clone(), bits));
            ensure!(
                len == message.bits.div_ceil(8) && message.data == data,
                "a message of {len} bytes, not msgBits"
            );
            message
        }
        (None, Some(rule)) => rule.message(budget).map_err(anyhow::Error::msg)?,
        _ => bail!("either msg or msgGen must be there"),
    };
    ensure!(bits.is_none_or(|bits| bits == message.bits), "msgBits and msgGen.bits differ");
    Ok(message)
}
