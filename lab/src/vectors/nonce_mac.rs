//! Tests of the Wegman-Carter MAC, which takes a nonce.
use anyhow::{Result, ensure};
use carryless_aead::wegman_carter::{Nonce, WegmanCarter};
use carryless_hash::{Cpu, Tag};
use serde::Deserialize;
use serde_json::Value;

use super::case::{Case, Computed, is_valid, message};
use super::hex::{Array, Budget, Bytes, Rule};
use super::outcome::{Checks, Outcome};
use super::pieces::{pieces, stream_name};

/// Member `algorithm` of these files.
pub(super) const ALGORITHM: &str = "4-decBRWHash1305 + HChaCha20";

/// A test of one tag, valid or forged.
struct NonceMac {
    key: [u8; 32],
    nonce: [u8; 16],
    msg: Vec<u8>,
    tag: [u8; 16],
    valid: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NonceMacTest {
    key: Array<32>,
    nonce: Array<16>,
    msg: Option<Bytes>,
    msg_gen: Option<Rule>,
    tag: Array<16>,
    result: String,
}

/// Reads a test. Messages must be whole bytes.
pub(super) fn read(test: Value, budget: &mut Budget) -> Result<Case> {
    let test: NonceMacTest = serde_json::from_value(test)?;
    let msg = message(test.msg, test.msg_gen.as_ref(), None, budget)?;
    ensure!(msg.bits.is_multiple_of(8), "a message of {} bits; the MAC takes whole bytes", msg.bits);
    Ok(Case::OnHashes(Box::new(NonceMac {
        key: test.key.0,
        nonce: test.nonce.0,
        msg: msg.data,
        tag: test.tag.0,
        valid: is_valid(&test.result)?,
    })))
}

impl Computed<Cpu> for NonceMac {
    fn on_backend(&self, cpu: Cpu) -> Outcome {
        let NonceMac { key, nonce, msg, tag, valid } = self;
        let (mac, nonce, tag) = (WegmanCarter::on(cpu, key), Nonce::from_bytes(*nonce), Tag::from(*tag));
        let stream = |piece: usize| {
            let mut stream = mac.stream(&nonce);
            msg.chunks(piece).for_each(|piece| stream.update(piece));
            stream
        };
        let mut checks = Checks::default();
        checks.accepted("verify", *valid, mac.verify(&nonce, msg, &tag).is_ok());
        // A piece of this size is the whole message.
        checks.accepted("verify a stream", *valid, stream(usize::MAX).verify(&tag).is_ok());
        // A forgery has no right tag to compare with.
        if *valid {
            checks.bytes("one-shot", tag.as_bytes(), mac.tag(&nonce, msg).as_bytes());
            for piece in pieces(msg.len()) {
                checks.bytes(stream_name(piece), tag.as_bytes(), stream(piece).finalize().as_bytes());
            }
        }
        checks.outcome()
    }

    fn on_reference(&self) -> Outcome {
        let mut checks = Checks::default();
        let got = carryless_reference::wegman_carter(&self.key, &self.nonce, &self.msg);
        if self.valid {
            checks.bytes("tag", &self.tag, &got);
        } else {
            // The reference has no verification: a forgery is refused by a different tag.
            checks.accepted("tag", false, got == self.tag);
        }
        checks.outcome()
    }
}
