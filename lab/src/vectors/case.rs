//! The contents of vector files: tests, groups of tests, and messages.
use anyhow::{Result, bail, ensure};
use carryless_gf2::ClmulCpu;
use carryless_hash::Cpu;
use carryless_reference::{P1271, P1305, Params};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::hex::{Budget, Bytes, Message, Rule};
use super::outcome::Outcome;

/// One test of a file, with its name and remark.
pub(super) struct Test {
    /// Name of the test in its file, such as `tcId 17`.
    pub(super) id: String,
    /// Remark of the file on this test.
    pub(super) comment: String,
    pub(super) case: Case,
}

/// The assertion of a test.
pub(super) enum Case {
    /// The Poly1305 tag of a message; if `valid` is false, a tag that must be refused.
    Mac { key: [u8; 32], msg: Vec<u8>, tag: [u8; 16], residue: Option<[u8; 17]>, valid: bool },
    /// A digest of polyHash, BRWHash or decBRWHash.
    Hash { function: Function, key: [u8; 16], msg: Message, digest: [u8; 16], residue: Option<[u8; 17]> },
    /// The residues of two messages and of their concatenation.
    // Boxed, because it is much larger than the other kinds.
    Combine(Box<Combine>),
    /// A test for the backends of hashes, with its own type.
    OnHashes(Box<dyn Computed<Cpu>>),
    /// A test for the backends of carry-less products, with its own type.
    OnProducts(Box<dyn Computed<ClmulCpu>>),
    /// A test of something that this program does not compute, with the reason for skipping it.
    Other(String),
}

impl Case {
    /// Returns whether the test runs on backends for carry-less products.
    pub(super) fn is_carryless(&self) -> bool {
        matches!(self, Case::OnProducts(_))
    }
}

/// A test that runs on backends of type `M`.
pub(super) trait Computed<M> {
    /// Computes the test by every route through the library.
    fn on_backend(&self, backend: M) -> Outcome;

    /// Computes the test by slow, simple arithmetic, independent of the library.
    fn on_reference(&self) -> Outcome;

    /// Returns whether the test is fast enough for a fuzz target.
    #[cfg(any(test, feature = "fuzzing"))]
    fn is_small(&self) -> bool {
        true
    }
}

/// Most streams of a function that is recognised by name. No implementation has as many.
const MAX_STREAMS: usize = 64;

/// A hash function: polyHash, BRWHash or decBRWHash over one of two primes.
#[derive(Clone, Copy)]
pub(super) struct Function {
    /// The prime, with the sizes of blocks, keys and digests.
    pub(super) params: &'static Params,
    /// Number of streams of c-decBRWHash, 1 for BRWHash, `None` for polyHash.
    pub(super) streams: Option<usize>,
}

impl Function {
    /// Returns the function with this name, such as `4-decBRWHash1305`.
    pub(super) fn named(name: &str) -> Option<Function> {
        // The names of both primes have four digits.
        let (family, prime) = name.split_at_checked(name.len().checked_sub(4)?)?;
        let streams = match family {
            "polyHash" => None,
            "BRWHash" => Some(1),
            _ => Some(
                family
                    .strip_suffix("-decBRWHash")?
                    .parse()
                    .ok()
                    // One stream has the name BRWHash.
                    .filter(|c| (2..=MAX_STREAMS).contains(c))?,
            ),
        };
        Some(Function { params: params(prime)?, streams })
    }
}

/// The residues of A, of B, and of A followed by B.
pub(super) struct Combine {
    pub(super) params: &'static Params,
    pub(super) key: [u8; 16],
    pub(super) a: Vec<u8>,
    pub(super) b: Vec<u8>,
    pub(super) blocks_b: u64,
    pub(super) residues: [[u8; 17]; 3],
    pub(super) digest: [u8; 16],
}

/// A group of tests, with the members they share.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Group {
    /// Type of the group, which determines what its tests compute.
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    /// Size of keys in bits.
    pub(super) key_size: Option<u32>,
    /// Size of tags in bits.
    pub(super) tag_size: Option<u32>,
    pub(super) tests: Vec<Value>,
    #[serde(flatten)]
    // Each schema has members of its own, which its reader looks up here.
    pub(super) others: Map<String, Value>,
}

/// Returns whether a test must be accepted, from its member `result`.
pub(super) fn is_valid(result: &str) -> Result<bool> {
    match result {
        "valid" => Ok(true),
        "invalid" => Ok(false),
        other => bail!("unknown result {other:?}"),
    }
}

/// Returns the parameters of the prime with this suffix, `1305` or `1271`.
pub(super) fn params(name: &str) -> Option<&'static Params> {
    [&P1305, &P1271].into_iter().find(|params| params.name == name)
}

/// Returns the message of a test, given in full or by a rule. Its length must be `bits`, if the test states one.
pub(super) fn message(
    msg: Option<Bytes>,
    rule: Option<&Rule>,
    bits: Option<usize>,
    budget: &mut Budget,
) -> Result<Message> {
    let message = match (msg, rule) {
        (Some(Bytes(data)), None) => {
            // The length before the cut, which `truncate` may hide.
            let len = data.len();
            let message =
                bits.map_or_else(|| Message::of_bytes(data.clone()), |bits| Message::cut(data.clone(), bits));
            // Cutting changes the bytes if bits beyond msgBits are set.
            ensure!(
                len == message.bits.div_ceil(8) && message.data == data,
                "a message of {len} bytes, not msgBits"
            );
            message
        }
        (None, Some(rule)) => rule.message(budget).map_err(anyhow::Error::msg)?,
        // With both, one of them would be ignored silently.
        _ => bail!("either msg or msgGen must be there"),
    };
    ensure!(bits.is_none_or(|bits| bits == message.bits), "msgBits and msgGen.bits differ");
    Ok(message)
}
