//! Keys in DER: those of OpenSSL, and the public keys of Wycheproof's ECDH files.
use crate::curves::{named, object_identifier};
use crate::file::{hex, parse, tests};
use carryless_reference::BigUint;
use carryless_reference::curve::{Domain, Point};
use sha2::{Digest, Sha256};

const INTEGER: u8 = 2;
const BIT_STRING: u8 = 3;
const OCTETS: u8 = 4;
const OBJECT: u8 = 6;
const SEQUENCE: u8 = 0x30;
const EC_PUBLIC_KEY: [u8; 7] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];

/// Takes a value with this tag from the front. Lengths of more than two bytes do not occur.
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

/// The same, and nothing after it.
fn only(mut bytes: &[u8], tag: u8) -> Option<&[u8]> {
    take(&mut bytes, tag).filter(|_| bytes.is_empty())
}

/// The public key of a SubjectPublicKeyInfo for this curve.
fn public_key(domain: &Domain, oid: &[u8], der: &[u8]) -> Option<Point> {
    let mut info = only(der, SEQUENCE)?;
    let mut algorithm = take(&mut info, SEQUENCE)?;
    let is_ec = take(&mut algorithm, OBJECT)? == EC_PUBLIC_KEY;
    let is_curve = only(algorithm, OBJECT)? == oid;
    bit_string(domain, only(info, BIT_STRING)?).filter(|_| is_ec && is_curve)
}

/// A point, in whole bytes.
fn bit_string(domain: &Domain, bits: &[u8]) -> Option<Point> {
    bits.strip_prefix(&[0]).and_then(|bytes| domain.curve.decode(bytes).ok())
}

/// The keys of an ECPrivateKey of SEC 1, which names its curve or is said to be for this one.
fn private_key(domain: &Domain, oid: &[u8], der: &[u8]) -> Option<(BigUint, Point)> {
    let mut key = only(der, SEQUENCE)?;
    assert_eq!(take(&mut key, INTEGER)?, [1]);
    let octets = take(&mut key, OCTETS)?;
    assert_eq!(octets.len() as u64, domain.order.bits().div_ceil(8));
    if let Some(parameters) = take(&mut key, 0xa0) {
        assert_eq!(only(parameters, OBJECT)?, oid);
    }
    let public = bit_string(domain, only(only(key, 0xa1)?, BIT_STRING)?)?;
    Some((BigUint::from_bytes_be(octets), public))
}

/// The ECPrivateKey in a PrivateKeyInfo of PKCS #8.
fn pkcs8<'a>(oid: &[u8], der: &'a [u8]) -> Option<&'a [u8]> {
    let mut info = only(der, SEQUENCE)?;
    assert_eq!(take(&mut info, INTEGER)?, [0]);
    let mut algorithm = take(&mut info, SEQUENCE)?;
    assert_eq!(take(&mut algorithm, OBJECT)?, EC_PUBLIC_KEY);
    assert_eq!(only(algorithm, OBJECT)?, oid);
    only(info, OCTETS)
}

/// All encodings of OpenSSL's keys hold the same keys; secrets agree in both directions; signatures verify.
#[test]
fn keys_of_openssl() {
    let file = parse(include_str!("../../../../vectors/ec_openssl.json"));
    let vectors = file["vectors"].as_array().expect("a list");
    assert_eq!(vectors.len(), 10);
    for t in vectors {
        let name = t["curve"].as_str().expect("a name");
        let (domain, oid) = (named(name), object_identifier(name));
        let keys = t["keys"].as_array().expect("keys").iter().map(|key| {
            let (d, q) = private_key(&domain, &oid, &hex(&key["sec1"])).expect("a key");
            let other = private_key(&domain, &oid, pkcs8(&oid, &hex(&key["pkcs8"])).expect("a key"));
            assert_eq!(other, Some((d.clone(), q.clone())), "{name}");
            for member in ["spki", "spki_compressed"] {
                assert_eq!(public_key(&domain, &oid, &hex(&key[member])).as_ref(), Some(&q), "{name}");
            }
            assert_eq!(domain.curve.mul(&d, &domain.generator), q, "{name}");
            (d, q)
        });
        let [(d1, q1), (d2, q2)] = <[_; 2]>::try_from(keys.collect::<Vec<_>>()).expect("two keys");
        let secret = Some(hex(&t["ecdh_shared_secret"]));
        assert_eq!(
            (domain.shared_secret(&d1, &q2), domain.shared_secret(&d2, &q1)),
            (secret.clone(), secret)
        );
        let signature = hex(&t["signature_sha256_der_by_first_key"]);
        let mut parts = only(&signature, SEQUENCE).expect("a signature");
        let [r, s] = [INTEGER; 2].map(|tag| BigUint::from_bytes_be(take(&mut parts, tag).expect("a number")));
        assert!(parts.is_empty());
        let hash = Sha256::digest(hex(&t["signed_message"]));
        assert!(domain.verify(&q1, &hash, &r, &s), "{name}");
        assert!(!domain.verify(&q2, &hash, &r, &s), "{name}");
    }
}

/// A file of Wycheproof: its secrets are found, and what is invalid is refused; so are points of low order. Of keys in bad DER, which it calls
/// acceptable, those that are read at all give the right secret.
fn wycheproof(json: &str, curve: &str) {
    let file = parse(json);
    let (domain, oid) = (named(curve), object_identifier(curve));
    for group in file["testGroups"].as_array().expect("groups") {
        assert_eq!((&group["curve"], &group["encoding"]), (&curve.into(), &"asn".into()));
    }
    let (mut agreed, mut refused) = (0, 0);
    for t in tests(&file) {
        let d = BigUint::from_bytes_be(&hex(&t["private"]));
        let secret = public_key(&domain, &oid, &hex(&t["public"])).and_then(|q| domain.shared_secret(&d, &q));
        let flags = t["flags"].as_array().expect("flags");
        let expected = hex(&t["shared"]);
        let is_low_order = flags.contains(&"LowOrderPublic".into());
        match t["result"].as_str().expect("a result") {
            "valid" => assert_eq!(secret, Some(expected), "{t}"),
            "invalid" => assert_eq!(secret, None, "{t}"),
            "acceptable" if is_low_order => assert_eq!(secret, None, "{t}"),
            "acceptable" if flags.contains(&"CompressedPoint".into()) => {
                assert_eq!(secret, Some(expected), "{t}");
            }
            "acceptable" => assert!(secret.as_ref().is_none_or(|secret| *secret == expected), "{t}"),
            other => panic!("{other} is not known"),
        }
        agreed += usize::from(secret.is_some());
        refused += usize::from(secret.is_none());
    }
    assert!(agreed > 2 && refused > 20, "{agreed} and {refused}");
}

macro_rules! wycheproof {
    ($($curve:ident)*) => {
        $(
            #[test]
            fn $curve() {
                wycheproof(
                    include_str!(concat!("../../../../vectors/wycheproof/ecdh_", stringify!($curve), "_test.json")),
                    stringify!($curve),
                );
            }
        )*
    };
}

wycheproof! { sect283k1 sect283r1 sect409k1 sect409r1 sect571k1 sect571r1 }
