//! DER of keys and signatures, as far as named elliptic curves need it: RFC 5480 (public keys), RFC 5915 and
//! RFC 5958 (private keys), RFC 3279 (signatures).
//!
//! All readers are strict: they return `None` for anything that is not DER, or has optional parts.
use num_bigint::BigUint;

const INTEGER: u8 = 2;
const BIT_STRING: u8 = 3;
const OCTETS: u8 = 4;
const OBJECT: u8 = 6;
const SEQUENCE: u8 = 0x30;

/// Content of the object identifier id-ecPublicKey, 1.2.840.10045.2.1.
const EC_PUBLIC_KEY: [u8; 7] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];

/// Takes a value with this tag from the front of `bytes`. Lengths have at most two bytes, in their shortest form.
fn take<'a>(bytes: &mut &'a [u8], tag: u8) -> Option<&'a [u8]> {
    let (header, len) = match **bytes {
        [found, len @ 0..=0x7f, ..] if found == tag => (2, usize::from(len)),
        [found, 0x81, len @ 0x80..=0xff, ..] if found == tag => (3, usize::from(len)),
        [found, 0x82, high @ 1..=0xff, low, ..] if found == tag => {
            (4, usize::from(high) << 8 | usize::from(low))
        }
        _ => return None,
    };
    let value = bytes.get(header..header + len)?;
    *bytes = &bytes[header + len..];
    Some(value)
}

/// Returns the value of this tag, if nothing follows it.
fn only(mut bytes: &[u8], tag: u8) -> Option<&[u8]> {
    take(&mut bytes, tag).filter(|_| bytes.is_empty())
}

/// Returns the content of a bit string of whole bytes.
fn bit_string(bytes: &[u8]) -> Option<&[u8]> {
    // The first byte is the number of unused bits in the last one.
    only(bytes, BIT_STRING)?.strip_prefix(&[0])
}

/// Takes a nonnegative integer in its shortest form.
fn integer(bytes: &mut &[u8]) -> Option<BigUint> {
    let digits = take(bytes, INTEGER)?;
    // Excluded: no byte, the sign bit of a negative number, and a zero byte that no sign bit requires.
    let is_short = !matches!(digits, [] | [0x80..=0xff, ..] | [0, 0..=0x7f, ..]);
    is_short.then(|| BigUint::from_bytes_be(digits))
}

/// Returns whether the algorithm is an elliptic curve key on the curve with this object identifier.
fn is_curve(mut algorithm: &[u8], oid: &[u8]) -> bool {
    take(&mut algorithm, OBJECT) == Some(&EC_PUBLIC_KEY) && only(algorithm, OBJECT) == Some(oid)
}

/// Encodes an object identifier in decimals and dots, such as `1.3.132.0.1`. Returns its
/// content, without tag and length.
#[must_use]
pub fn object_identifier(text: &str) -> Option<Vec<u8>> {
    let arcs: Vec<u32> = text.split('.').map(|arc| arc.parse().ok()).collect::<Option<_>>()?;
    let [first @ 0..=2, second @ 0..=39, rest @ ..] = &arcs[..] else { return None };
    // X.690, section 8.19.4: the first two arcs share one number.
    let mut bytes = vec![(40 * first + second) as u8];
    for arc in rest {
        // Digits in base 128, of which all but the last have the top bit set.
        let digits = 1 + arc.checked_ilog2().unwrap_or(0) / 7;
        bytes.extend((0..digits).rev().map(|i| (arc >> (7 * i) & 127 | u32::from(i > 0) << 7) as u8));
    }
    Some(bytes)
}

/// Returns the point in a SubjectPublicKeyInfo, as bytes, if the key is on the curve with this object identifier.
#[must_use]
pub fn public_key<'a>(oid: &[u8], der: &'a [u8]) -> Option<&'a [u8]> {
    let mut info = only(der, SEQUENCE)?;
    let algorithm = take(&mut info, SEQUENCE)?;
    bit_string(info).filter(|_| is_curve(algorithm, oid))
}

/// Returns the ECPrivateKey in a PrivateKeyInfo of PKCS #8, if the key is on this curve.
#[must_use]
pub fn pkcs8<'a>(oid: &[u8], der: &'a [u8]) -> Option<&'a [u8]> {
    let mut info = only(der, SEQUENCE)?;
    let is_version_1 = take(&mut info, INTEGER)? == [0];
    let algorithm = take(&mut info, SEQUENCE)?;
    only(info, OCTETS).filter(|_| is_version_1 && is_curve(algorithm, oid))
}

/// Returns the number and the point of an ECPrivateKey, as bytes. It must contain the public key, and
/// must not name another curve.
#[must_use]
pub fn private_key<'a>(oid: &[u8], der: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let mut key = only(der, SEQUENCE)?;
    let is_version_1 = take(&mut key, INTEGER)? == [1];
    let number = take(&mut key, OCTETS)?;
    // Without the tag `take` leaves the rest as it is, and the curve is that of the surrounding structure.
    let is_curve = take(&mut key, 0xa0).is_none_or(|parameters| only(parameters, OBJECT) == Some(oid));
    let point = bit_string(only(key, 0xa1)?)?;
    (is_version_1 && is_curve).then_some((number, point))
}

/// Returns r and s of an Ecdsa-Sig-Value.
#[must_use]
pub fn signature(der: &[u8]) -> Option<(BigUint, BigUint)> {
    let mut parts = only(der, SEQUENCE)?;
    let pair = (integer(&mut parts)?, integer(&mut parts)?);
    parts.is_empty().then_some(pair)
}
