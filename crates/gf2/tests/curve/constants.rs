//! The constants of all curves against `vectors/curves.json`, every parameter of which the tests of the reference check.
use crate::common::{bytes, file_name, hex, integer, number, parameters, parse};
use carryless_gf2::curve::{self, BinaryCurve, CurveField, Scalar};
use carryless_reference::BigUint;

fn check<C: BinaryCurve>() {
    let test = parameters::<C>();
    let degree = integer(&test["m"]) * if test["extension"] == true { 2 } else { 1 };
    assert_eq!(<C::Field as CurveField>::BITS, degree, "{}", C::NAME);
    let [x, y] = C::GENERATOR;
    for (name, element) in [("a", C::A), ("b", C::B), ("x", x), ("y", y)] {
        assert_eq!(bytes(&element), hex(&test[name]), "{name} of {}", C::NAME);
    }
    let n = BigUint::from_bytes_le(&hex(&test["n"]));
    assert_eq!(number(&-Scalar::<C>::one()) + 1_u8, n, "n of {}", C::NAME);
    assert_eq!(u64::from(C::ORDER_BITS), n.bits());
    assert_eq!(C::COFACTOR as usize, integer(&test["h"]));
    assert_eq!(C::OID, test["oid"].as_str(), "{}", C::NAME);
    assert_eq!(C::KOBLITZ, C::NAME.ends_with("k1"), "{}", C::NAME);
    if let Some(nist) = test["nist"].as_str() {
        assert!(C::ALIASES.contains(&nist), "{} is {nist}", C::NAME);
    }
}

#[test]
fn constants_of_all_curves() {
    macro_rules! each {
        ($($curve:ident),*) => {
            $(check::<curve::$curve>();)*
        };
    }
    carryless_gf2::for_each_curve! { each }
}

/// The file has these curves and no other, and no name belongs to two of them.
#[test]
fn names_of_all_curves() {
    macro_rules! names {
        ($($curve:ident),*) => {
            [$((file_name::<curve::$curve>(), curve::$curve::NAME, curve::$curve::ALIASES)),*]
        };
    }
    let curves = carryless_gf2::for_each_curve! { names };
    let file = parse(include_str!("../../../../vectors/curves.json"));
    let tests = file["testGroups"][0]["tests"].as_array().expect("tests");
    assert!(tests.iter().map(|test| &test["curve"]).eq(curves.iter().map(|(file, ..)| file)));
    let mut all: Vec<&str> =
        curves.iter().flat_map(|(_, name, aliases)| aliases.iter().copied().chain([*name])).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn names_of_nist() {
    assert_eq!(curve::NistK163::ALIASES[0], "K-163");
    assert_eq!(curve::NistB163::ALIASES[0], "B-163");
    assert_eq!(curve::NistK233::ALIASES[0], "K-233");
    assert_eq!(curve::NistB233::ALIASES[0], "B-233");
    assert_eq!(curve::NistK283::ALIASES[0], "K-283");
    assert_eq!(curve::NistB283::ALIASES[0], "B-283");
    assert_eq!(curve::NistK409::ALIASES[0], "K-409");
    assert_eq!(curve::NistB409::ALIASES[0], "B-409");
    assert_eq!(curve::NistK571::ALIASES[0], "K-571");
    assert_eq!(curve::NistB571::ALIASES[0], "B-571");
}
