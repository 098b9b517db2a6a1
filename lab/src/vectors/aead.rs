//! Tests of authenticated encryption, from Wycheproof and from the project.
use anyhow::{Context as _, Result, ensure};
use carryless_aead::aead::{
    AeadInOut, ChaCha20Poly1305, Error, Nonce, XChaCha20DecBrw1305, XChaCha20Poly1305,
};
use carryless_hash::Cpu;
use carryless_reference::Aead;
use serde::Deserialize;
use serde_json::Value;

use super::case::{Case, Computed, is_valid};
use super::hex::{Array, Bytes};
use super::outcome::{Checks, Outcome};

/// Returns the AEAD with this name in files.
pub(super) fn named(algorithm: &str) -> Option<Aead> {
    match algorithm {
        // Wycheproof writes names in capitals, and the project's files follow it.
        "CHACHA20-POLY1305" => Some(Aead::ChaCha20Poly1305),
        "XCHACHA20-POLY1305" => Some(Aead::XChaCha20Poly1305),
        "XCHACHA20-DECBRW1305" => Some(Aead::XChaCha20DecBrw1305),
        _ => None,
    }
}

/// A test of one AEAD: a message, and its ciphertext and tag or a forgery.
struct AeadTest {
    aead: Aead,
    key: [u8; 32],
    nonce: Vec<u8>,
    ad: Vec<u8>,
    msg: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: [u8; 16],
    valid: bool,
}

#[derive(Deserialize)]
struct Fields {
    key: Array<32>,
    iv: Bytes,
    aad: Bytes,
    msg: Bytes,
    ct: Bytes,
    tag: Bytes,
    result: String,
}

/// Reads a test. A nonce of another size does not fit the library's type, so such tests are skipped.
pub(super) fn read(aead: Aead, test: Value) -> Result<Case> {
    let Fields { key, iv, aad, msg, ct, tag, result } = serde_json::from_value(test)?;
    let valid = is_valid(&result)?;
    let (nonce, expected) = (iv.0, aead.nonce_len());
    if nonce.len() != expected {
        // Only an invalid test may be skipped for its nonce. A valid one shows that the file is wrong.
        ensure!(!valid, "a nonce of {} bytes where {expected} belong", nonce.len());
        return Ok(Case::Other(format!("a nonce of {} bytes; its type has {expected}", nonce.len())));
    }
    let (ad, msg, ciphertext, found) = (aad.0, msg.0, ct.0, tag.0.len());
    let tag = tag.0.try_into().ok().with_context(|| format!("a tag of {found} bytes where 16 belong"))?;
    Ok(Case::OnHashes(Box::new(AeadTest { aead, key: key.0, nonce, ad, msg, ciphertext, tag, valid })))
}

impl Computed<Cpu> for AeadTest {
    fn on_backend(&self, cpu: Cpu) -> Outcome {
        match self.aead {
            Aead::ChaCha20Poly1305 => check(&ChaCha20Poly1305::on(cpu, &self.key), self),
            Aead::XChaCha20Poly1305 => check(&XChaCha20Poly1305::on(cpu, &self.key), self),
            Aead::XChaCha20DecBrw1305 => check(&XChaCha20DecBrw1305::on(cpu, &self.key), self),
        }
    }

    fn on_reference(&self) -> Outcome {
        let AeadTest { aead, key, nonce, ad, msg, ciphertext, tag, valid } = self;
        let mut checks = Checks::default();
        let opened = aead.open(key, nonce, ad, ciphertext, tag);
        checks.accepted("open", *valid, opened.is_some());
        if *valid {
            // Only a valid test has a plaintext and a tag that can be compared.
            checks.bytes("open", msg, &opened.unwrap_or_default());
            checks.bytes("tag", tag, &aead.seal(key, nonce, ad, msg).1);
        }
        checks.outcome()
    }
}

fn check<A: AeadInOut>(aead: &A, test: &AeadTest) -> Outcome {
    let AeadTest { ad, msg, ciphertext, tag, valid, .. } = test;
    // The length was checked when the file was read.
    let nonce = Nonce::<A>::try_from(&test.nonce[..]).unwrap_or_default();
    let mut checks = Checks::default();
    let mut buffer = ciphertext.clone();
    // The type of the tag has 16 bytes for all three, so the conversion cannot fail.
    let given = tag[..].try_into().unwrap_or_default();
    let opened = aead.decrypt_inout_detached(&nonce, ad, (&mut buffer[..]).into(), &given);
    checks.accepted("open", *valid, opened == Ok(()));
    // A forgery must leave the buffer as it was.
    checks.bytes("open", if opened == Err(Error) { ciphertext } else { msg }, &buffer);
    if *valid {
        let mut buffer = msg.clone();
        let tag_of = aead.encrypt_inout_detached(&nonce, ad, (&mut buffer[..]).into());
        checks.bytes("seal", ciphertext, &buffer);
        checks.bytes("tag", tag, &tag_of.unwrap_or_default());
    }
    checks.outcome()
}
