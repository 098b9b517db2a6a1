//! Tests of ECDSA and ECDH, and of their keys.
use anyhow::{Context as _, Result, ensure};
use carryless_reference::BigUint;
use carryless_reference::curve::keys;
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use super::case::Case;
use super::curve_arithmetic::{Arithmetic, Named, curve};
use super::curves::{OnCurve, named};
use super::hex::Bytes;
use super::outcome::Checks;

/// Member `algorithm` of files with ECDSA signatures and their nonces.
pub(super) const ECDSA: &str = "ECDSA (RFC 6979)";
/// Member `algorithm` of files with keys, secrets and signatures by OpenSSL.
pub(super) const INTEROP: &str = "EC keys, ECDH, ECDSA by OpenSSL";
/// Member `algorithm` of Wycheproof's files of ECDH.
pub(super) const ECDH: &str = "ECDH";

/// A signature, with the nonce that was used for it.
struct Signature {
    curve: &'static Named,
    hash: Vec<u8>,
    private: BigUint,
    /// The public key in SEC 1 encoding, uncompressed.
    public: Vec<u8>,
    nonce: BigUint,
    signature: [BigUint; 2],
}

#[derive(Deserialize)]
struct SignatureMembers {
    curve: String,
    hash: String,
    message: Bytes,
    private: Number,
    public_x: Number,
    public_y: Number,
    nonce: Number,
    r: Number,
    s: Number,
}

/// An integer in hexadecimal digits, most significant first.
struct Number(BigUint);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(input)?;
        // BigUint alone would also accept signs and underscores.
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = BigUint::parse_bytes(digits.as_bytes(), 16).filter(|_| is_hex);
        number.map(Number).ok_or_else(|| serde::de::Error::custom("no hexadecimal number"))
    }
}

/// Reads a test of `carryless_ecdsa_v1`.
pub(super) fn read_signature(test: Value) -> Result<Case> {
    let test: SignatureMembers = serde_json::from_value(test)?;
    let curve = named(&test.curve)?;
    let domain = curve.domain();
    // SEC 1, section 2.3.3: 04, then x and y, most significant byte first.
    let mut public = vec![4];
    for (name, coordinate) in [("public_x", &test.public_x), ("public_y", &test.public_y)] {
        let mut bytes = coordinate.0.to_bytes_le();
        let most = domain.curve.field.bytes();
        ensure!(bytes.len() <= most, "{name} has more than {most} bytes");
        bytes.resize(most, 0);
        public.extend(bytes.iter().rev());
    }
    for (name, scalar) in [("private", &test.private), ("nonce", &test.nonce)] {
        // A nonce out of range would be reduced modulo n, and the test would check a different nonce.
        ensure!(domain.is_scalar(&scalar.0), "{name} is not from 1 to n - 1");
    }
    let hash = hash(&test.hash, &test.message.0).with_context(|| format!("unknown hash {:?}", test.hash))?;
    Ok(Case::OnProducts(Box::new(Signature {
        curve,
        hash,
        private: test.private.0,
        public,
        nonce: test.nonce.0,
        signature: [test.r.0, test.s.0],
    })))
}

fn hash(name: &str, message: &[u8]) -> Option<Vec<u8>> {
    Some(match name {
        "sha224" => Sha224::digest(message).to_vec(),
        "sha256" => Sha256::digest(message).to_vec(),
        "sha384" => Sha384::digest(message).to_vec(),
        "sha512" => Sha512::digest(message).to_vec(),
        _ => return None,
    })
}

impl OnCurve for Signature {
    fn curve(&self) -> &'static Named {
        self.curve
    }

    fn check(&self, checks: &mut Checks, arithmetic: &dyn Arithmetic) {
        checks.bytes("public key", &self.public, &arithmetic.mul_base(&self.private));
        // With the nonce of the file: that RFC 6979 derives this one is a test of `carryless-ec`.
        let signature = arithmetic.sign(&self.private, &self.nonce, &self.hash).unwrap_or_default();
        for (name, expected, got) in
            [("r", &self.signature[0], &signature[0]), ("s", &self.signature[1], &signature[1])]
        {
            checks.bytes(name, &expected.to_bytes_be(), &got.to_bytes_be());
        }
        verify(checks, arithmetic, &self.public, &self.hash, &self.signature);
    }
}

/// Checks that a signature is valid, and not valid for another hash.
fn verify(
    checks: &mut Checks,
    arithmetic: &dyn Arithmetic,
    public: &[u8],
    hash: &[u8],
    signature: &[BigUint; 2],
) {
    // A verifier checks the key first, because the equation alone says nothing about a point off the curve.
    let verify = |hash: &[u8]| arithmetic.is_public_key(public) && arithmetic.verify(public, hash, signature);
    checks.accepted("verify", true, verify(hash));
    let mut other = hash.to_vec();
    // The leftmost bit counts on every curve, however many bits of the hash are cut off.
    other[0] ^= 0x80;
    checks.accepted("verify another hash", false, verify(&other));
}

/// Two key pairs, their shared secret, and a signature by the first key.
struct Interop {
    curve: &'static Named,
    oid: Vec<u8>,
    keys: [KeyMembers; 2],
    secret: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

#[derive(Deserialize)]
struct KeyMembers {
    pkcs8: Bytes,
    spki: Bytes,
    spki_compressed: Bytes,
    sec1: Bytes,
}

#[derive(Deserialize)]
struct InteropMembers {
    curve: String,
    keys: [KeyMembers; 2],
    ecdh_shared_secret: Bytes,
    signed_message: Bytes,
    signature_sha256_der_by_first_key: Bytes,
}

/// Reads a test of `carryless_ec_interop_v1`.
pub(super) fn read_interop(test: Value) -> Result<Case> {
    let test: InteropMembers = serde_json::from_value(test)?;
    let curve = named(&test.curve)?;
    let oid = curve.oid.and_then(keys::object_identifier).context("the curve has no object identifier")?;
    Ok(Case::OnProducts(Box::new(Interop {
        curve,
        oid,
        keys: test.keys,
        secret: test.ecdh_shared_secret.0,
        message: test.signed_message.0,
        signature: test.signature_sha256_der_by_first_key.0,
    })))
}

impl OnCurve for Interop {
    fn curve(&self) -> &'static Named {
        self.curve
    }

    fn check(&self, checks: &mut Checks, arithmetic: &dyn Arithmetic) {
        let pairs: Vec<_> = self.keys.iter().filter_map(|key| self.pair(checks, arithmetic, key)).collect();
        // A key that could not be read has failed its own checks.
        let [(d1, q1), (d2, q2)] = &pairs[..] else { return };
        for (d, q) in [(d1, q2), (d2, q1)] {
            // An empty secret differs from every expected one.
            let secret = secret(arithmetic, d, q).unwrap_or_default();
            checks.bytes("shared secret", &self.secret, &secret);
        }
        let Some((r, s)) = keys::signature(&self.signature) else {
            return checks.accepted("DER of the signature", true, false);
        };
        // The member of the file names this hash for all signatures.
        verify(checks, arithmetic, q1, &Sha256::digest(&self.message), &[r, s]);
    }
}

impl Interop {
    /// Returns the private key and the point of the public key. All encodings must be readable and agree.
    fn pair(
        &self,
        checks: &mut Checks,
        arithmetic: &dyn Arithmetic,
        key: &KeyMembers,
    ) -> Option<(BigUint, Vec<u8>)> {
        let sec1 = keys::private_key(&self.oid, &key.sec1.0);
        let pkcs8 = keys::pkcs8(&self.oid, &key.pkcs8.0).and_then(|key| keys::private_key(&self.oid, key));
        let full = keys::public_key(&self.oid, &key.spki.0);
        let compressed = keys::public_key(&self.oid, &key.spki_compressed.0);
        // All encodings are reported, before the first one that cannot be read ends the test.
        let all = [sec1.is_some(), pkcs8.is_some(), full.is_some(), compressed.is_some()];
        for (read, name) in all.into_iter().zip(["sec1", "pkcs8", "spki", "spki_compressed"]) {
            checks.accepted(name, true, read);
        }
        let ((number, point), pkcs8) = (sec1?, pkcs8?);
        checks.bytes("private key of pkcs8", number, pkcs8.0);
        checks.bytes("public key of pkcs8", point, pkcs8.1);
        checks.bytes("public key of spki", point, full?);
        checks.bytes("public key of spki_compressed", &arithmetic.compressed(point), compressed?);
        let d = BigUint::from_bytes_be(number);
        checks.accepted("private key below n", true, self.curve.domain().is_scalar(&d));
        checks.bytes("public key", point, &arithmetic.mul_base(&d));
        Some((d, point.to_vec()))
    }
}

/// Returns x of d Q, if Q can be a public key.
fn secret(arithmetic: &dyn Arithmetic, d: &BigUint, q: &[u8]) -> Option<Vec<u8>> {
    let product = arithmetic.is_public_key(q).then(|| arithmetic.mul(d, q))?;
    // Uncompressed: 4, x, y. Infinity is one byte, which leaves nothing.
    Some(product[1..=product.len() / 2].to_vec()).filter(|secret| !secret.is_empty())
}

/// A test of ECDH: a private key, the public key of the other party, and the expected result.
struct Agreement {
    curve: &'static Named,
    oid: Vec<u8>,
    public: Vec<u8>,
    private: BigUint,
    secret: Vec<u8>,
    expected: Expected,
}

/// The result that Wycheproof expects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Secret,
    Error,
    Either,
}

#[derive(Deserialize)]
struct AgreementMembers {
    public: Bytes,
    private: Bytes,
    shared: Bytes,
    result: String,
}

/// Reads a test of Wycheproof's ECDH files. Curve and encoding are members of its group.
pub(super) fn read_agreement(group: &Map<String, Value>, test: Value) -> Result<Case> {
    let member =
        |name| group.get(name).and_then(Value::as_str).with_context(|| format!("its group has no {name}"));
    let (name, encoding) = (member("curve")?, member("encoding")?);
    // Wycheproof has files for curves over prime fields in the same schema.
    let Some(curve) = curve(name) else {
        return Ok(Case::Other(format!("the curve {name} is not implemented")));
    };
    if encoding != "asn" {
        return Ok(Case::Other(format!("keys in the encoding {encoding} are not implemented")));
    }
    // Read only now: tests of other curves and encodings may have other members.
    let test: AgreementMembers = serde_json::from_value(test)?;
    let expected = match &test.result[..] {
        "valid" => Expected::Secret,
        "invalid" => Expected::Error,
        "acceptable" => Expected::Either,
        other => anyhow::bail!("unknown result {other:?}"),
    };
    let oid = curve.oid.and_then(keys::object_identifier).context("the curve has no object identifier")?;
    let private = BigUint::from_bytes_be(&test.private.0);
    // A private key out of range would be reduced modulo n, and the test would check a different key.
    ensure!(curve.domain().is_scalar(&private), "private is not from 1 to n - 1");
    let (public, secret) = (test.public.0, test.shared.0);
    Ok(Case::OnProducts(Box::new(Agreement { curve, oid, public, private, secret, expected })))
}

impl OnCurve for Agreement {
    fn curve(&self) -> &'static Named {
        self.curve
    }

    fn check(&self, checks: &mut Checks, arithmetic: &dyn Arithmetic) {
        let point = keys::public_key(&self.oid, &self.public);
        let found = point.and_then(|q| secret(arithmetic, &self.private, q));
        match (found, self.expected) {
            // `Either` (acceptable) allows a refusal, but no wrong secret.
            (Some(found), Expected::Secret | Expected::Either) => {
                checks.bytes("shared secret", &self.secret, &found);
            }
            (found, expected) => {
                checks.accepted("shared secret", expected == Expected::Secret, found.is_some());
            }
        }
    }
}
