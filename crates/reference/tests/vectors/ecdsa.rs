//! Signatures with known nonces.
use crate::curves::named;
use crate::file::{hex, parse};
use carryless_reference::BigUint;
use carryless_reference::curve::Point;
use serde_json::Value;
use sha2::{Digest, Sha256, Sha512};

/// An integer, most significant digit first.
fn big_endian(v: &Value) -> BigUint {
    BigUint::parse_bytes(v.as_str().expect("digits").as_bytes(), 16).expect("hexadecimal digits")
}

fn hash(name: &Value, msg: &[u8]) -> Vec<u8> {
    match name.as_str().expect("a name") {
        "sha256" => Sha256::digest(msg).to_vec(),
        "sha512" => Sha512::digest(msg).to_vec(),
        other => panic!("{other} is not known"),
    }
}

/// Signing gives the (r, s) of the file, which verifies, and for no other message. The vectors of one curve; with
/// `CARRYLESS_QUICK` the first of them.
fn deterministic_signatures(curve: &str) {
    let file = parse(include_str!("../../../../vectors/ecdsa_rfc6979.json"));
    let vectors = file["vectors"].as_array().expect("a list");
    assert_eq!(vectors.len(), 60);
    let vectors: Vec<_> = vectors.iter().filter(|t| t["curve"] == curve).collect();
    assert_eq!(vectors.len(), 6);
    let quick = std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1");
    let domain = named(curve);
    for t in vectors.into_iter().take(if quick { 1 } else { 6 }) {
        let [d, x, y, k, r, s] =
            ["private", "public_x", "public_y", "nonce", "r", "s"].map(|name| big_endian(&t[name]));
        let element = |n: &BigUint| {
            let mut bytes = n.to_bytes_le();
            bytes.resize(domain.curve.field.bytes(), 0);
            domain.curve.field.from_bytes(&bytes).expect("an element")
        };
        let q = Point::Affine(element(&x), element(&y));
        assert_eq!(domain.curve.mul(&d, &domain.generator), q, "{t}");
        let digest = hash(&t["hash"], &hex(&t["message"]));
        assert_eq!(domain.sign(&d, &k, &digest), Some((r.clone(), s.clone())), "{t}");
        assert!(domain.verify(&q, &digest, &r, &s), "{t}");
        let mut other = digest;
        other[0] ^= 0x80;
        assert!(!domain.verify(&q, &other, &r, &s), "{t}");
    }
}

macro_rules! tests {
    ($($curve:ident)*) => {
        $(
            #[test]
            fn $curve() {
                deterministic_signatures(stringify!($curve));
            }
        )*
    };
}

tests! { sect163k1 sect163r2 sect233k1 sect233r1 sect283k1 sect283r1 sect409k1 sect409r1 sect571k1 sect571r1 }
