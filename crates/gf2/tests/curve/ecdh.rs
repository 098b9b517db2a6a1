//! Wycheproof's ECDH tests of points and products. Those of DER are for a crate that reads keys.
use crate::common::{domain, hex, parse, scalar};
use crate::field_common::{backends, quick};
use carryless_gf2::curve::{self, AffinePoint, BinaryCurve, Curve};
use carryless_reference::BigUint;
use serde_json::Value;

/// The DER of the object identifier.
fn object_identifier(oid: &str) -> Vec<u8> {
    let last = oid.strip_prefix("1.3.132.0.").expect("SECG's tree").parse().expect("a number");
    vec![6, 5, 0x2b, 0x81, 4, 0, last]
}

/// The point in a SubjectPublicKeyInfo, `None` if its curve is another.
fn encoded_point<'a>(oid: &[u8], public: &'a [u8]) -> Option<&'a [u8]> {
    let start = public.windows(oid.len()).position(|part| part == oid)?;
    // A bit string of whole bytes.
    match &public[start + oid.len()..] {
        [3, 0x81, len, 0, point @ ..] | [3, len, 0, point @ ..] if usize::from(*len) == point.len() + 1 => {
            Some(point)
        }
        other => panic!("no bit string: {other:?}"),
    }
}

/// The coordinate x of d Q in big-endian bytes, if Q is a point and the product is not infinity, and whether Q is in the group of order n.
fn product<C: BinaryCurve>(curve: &Curve<C>, d: &BigUint, q: &[u8]) -> Option<(Vec<u8>, bool)> {
    let q = AffinePoint::<C>::from_sec1(q).ok()?;
    let product = curve.mul(&scalar(d), &q);
    let bytes = product.to_sec1_compressed().as_ref()[1..].to_vec();
    (!bytes.is_empty()).then(|| (bytes, curve.is_in_prime_order_group(&q).to_bool()))
}

fn check<C: BinaryCurve>(curve: &Curve<C>, test: &Value, d: &BigUint, q: &[u8]) {
    let found = product(curve, d, q);
    let is_low = test["flags"].as_array().expect("flags").contains(&"LowOrderPublic".into());
    match test["result"].as_str().expect("a result") {
        "invalid" => assert_eq!(found, None, "{test} on {curve:?}"),
        _ => assert_eq!(found, Some((hex(&test["shared"]), !is_low)), "{test} on {curve:?}"),
    }
}

fn wycheproof<C: BinaryCurve>(json: &str) {
    let (file, n) = (parse(json), domain::<C>().order);
    let oid = object_identifier(C::OID.expect("an object identifier"));
    let (mut ran, mut of_other_curves) = (0, 0);
    for group in file["testGroups"].as_array().expect("groups") {
        assert_eq!(group["curve"], C::NAME);
        let tests = group["tests"].as_array().expect("tests").iter();
        let no_der = tests.filter(|t| !t["flags"].as_array().expect("flags").contains(&"InvalidAsn".into()));
        for test in no_der.step_by(if quick() { 5 } else { 1 }) {
            let d = BigUint::from_bytes_be(&hex(&test["private"]));
            let public = hex(&test["public"]);
            let Some(q) = encoded_point(&oid, &public) else {
                assert_eq!(test["result"], "invalid");
                of_other_curves += 1;
                continue;
            };
            assert!(d < n);
            ran += 1;
            backends().into_iter().for_each(|cpu| check(&Curve::<C>::on(cpu), test, &d, q));
        }
    }
    assert!(ran > 4 && of_other_curves > 1, "{ran} and {of_other_curves}");
}

/// The files of Wycheproof that are there.
fn file<C: BinaryCurve>() -> Option<&'static str> {
    macro_rules! files {
        ($($name:literal)*) => {
            match C::NAME {
                $($name => Some(include_str!(concat!("../../../../vectors/wycheproof/ecdh_", $name, "_test.json"))),)*
                _ => None,
            }
        };
    }
    files! { "sect283k1" "sect283r1" "sect409k1" "sect409r1" "sect571k1" "sect571r1" }
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn wycheproof_files() {
    macro_rules! each {
        ($($curve:ident),*) => {
            $(
                if let Some(json) = file::<curve::$curve>() {
                    wycheproof::<curve::$curve>(json);
                }
            )*
        };
    }
    for_each_curve! { each }
}
