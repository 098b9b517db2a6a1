//! Keys in DER: those of OpenSSL, and the public keys of Wycheproof's ECDH files.
use crate::curves::{named, object_identifier};
use crate::file::{hex, parse, tests};
use carryless_reference::BigUint;
use carryless_reference::curve::{Domain, Point, keys};
use sha2::{Digest, Sha256};

fn public_key(domain: &Domain, oid: &[u8], der: &[u8]) -> Option<Point> {
    domain.curve.decode(keys::public_key(oid, der)?).ok()
}

fn private_key(domain: &Domain, oid: &[u8], der: &[u8]) -> Option<(BigUint, Point)> {
    let (number, point) = keys::private_key(oid, der)?;
    assert_eq!(number.len() as u64, domain.order.bits().div_ceil(8));
    Some((BigUint::from_bytes_be(number), domain.curve.decode(point).ok()?))
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
            let pkcs8 = hex(&key["pkcs8"]);
            let other = private_key(&domain, &oid, keys::pkcs8(&oid, &pkcs8).expect("a key"));
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
        let (r, s) = keys::signature(&signature).expect("a signature");
        let hash = Sha256::digest(hex(&t["signed_message"]));
        assert!(domain.verify(&q1, &hash, &r, &s), "{name}");
        assert!(!domain.verify(&q2, &hash, &r, &s), "{name}");
    }
}

/// Keys of another curve, truncated keys, and keys followed by a byte are refused.
#[test]
fn damaged_keys() {
    let file = parse(include_str!("../../../../vectors/ec_openssl.json"));
    let (t, oid, other) =
        (&file["vectors"][0], object_identifier("sect163k1"), object_identifier("sect163r2"));
    let key = |member: &str| hex(&t["keys"][0][member]);
    let (spki, pkcs8, sec1) = (key("spki"), key("pkcs8"), key("sec1"));
    let signature = hex(&t["signature_sha256_der_by_first_key"]);
    let read = |oid: &[u8], [spki, pkcs8, sec1, signature]: [&[u8]; 4]| {
        let inner = keys::pkcs8(oid, pkcs8);
        let private = keys::private_key(oid, sec1);
        (
            keys::public_key(oid, spki).is_some(),
            inner.is_some(),
            private.is_some(),
            keys::signature(signature).is_some(),
        )
    };
    let all = [&spki[..], &pkcs8, &sec1, &signature];
    assert_eq!(read(&oid, all), (true, true, true, true));
    assert_eq!(read(&other, all), (false, false, false, true));
    for cut in 0..signature.len().max(pkcs8.len()) {
        let cut = all.map(|der| &der[..cut.min(der.len() - 1)]);
        assert_eq!(read(&oid, cut), (false, false, false, false));
    }
    let longer = all.map(|der| [der, &[0]].concat());
    assert_eq!(read(&oid, longer.each_ref().map(|der| &der[..])), (false, false, false, false));
    // An integer with a superfluous zero, a negative one, and a length in two bytes that needs one.
    assert_eq!(keys::signature(&[0x30, 7, 2, 2, 0, 1, 2, 1, 1]), None);
    assert_eq!(keys::signature(&[0x30, 6, 2, 1, 0x80, 2, 1, 1]), None);
    assert_eq!(keys::signature(&[0x30, 0x81, 6, 2, 1, 1, 2, 1, 1]), None);
    assert_eq!(keys::signature(&[0x30, 6, 2, 1, 1, 2, 1, 2]), Some((1_u8.into(), 2_u8.into())));
    assert_eq!(keys::object_identifier("1.2.840.10045.2.1"), Some(vec![0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1]));
    assert_eq!(keys::object_identifier("1.2.x"), None);
    assert_eq!(keys::object_identifier("3.1"), None);
}

/// Runs a file of Wycheproof. Valid keys give its secrets; invalid ones and points of low order are refused.
/// Bad DER that it calls acceptable is refused or gives the right secret.
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
                let json = include_str!(concat!(
                    "../../../../vectors/wycheproof/ecdh_",
                    stringify!($curve),
                    "_test.json"
                ));
                wycheproof(json, stringify!($curve));
            }
        )*
    };
}

wycheproof! { sect283k1 sect283r1 sect409k1 sect409r1 sect571k1 sect571r1 }
