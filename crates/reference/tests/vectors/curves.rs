//! Binary curves: the parameters of every curve, and multiples of base points.
use crate::file::{hex, integer, number, parse, tests};
use carryless_reference::BigUint;
use carryless_reference::curve::{Curve, Domain, Element, Field, Point, keys};
use serde_json::Value;

fn parameters() -> Value {
    parse(include_str!("../../../../vectors/curves.json"))
}

/// The curves of the file, by name.
fn curves(file: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let list = file["testGroups"][0]["tests"].as_array().expect("tests");
    list.iter().map(|test| (test["curve"].as_str().expect("a name"), test))
}

/// The curve with this name, as the file has it.
pub(crate) fn named(name: &str) -> Domain {
    let file = parameters();
    let (_, test) = curves(&file).find(|(curve, _)| *curve == name).expect("a curve of the file");
    domain(test)
}

/// The object identifier of a curve, as the contents of its DER.
pub(crate) fn object_identifier(name: &str) -> Vec<u8> {
    let file = parameters();
    let (_, test) = curves(&file).find(|(curve, _)| *curve == name).expect("a curve of the file");
    keys::object_identifier(test["oid"].as_str().expect("text")).expect("an object identifier")
}

fn domain(test: &Value) -> Domain {
    let exponents = test["poly"].as_array().expect("exponents").iter().map(integer);
    let f: Vec<usize> = exponents.collect();
    assert_eq!(f[0], integer(&test["m"]));
    let field = if test["extension"] == true { Field::extended(&f) } else { Field::new(&f) };
    let element = |name: &str| self::element(&field, &test[name]);
    let generator = Point::Affine(element("x"), element("y"));
    let (a, b) = (element("a"), element("b"));
    Domain {
        curve: Curve { field, a, b },
        generator,
        order: number(&test["n"]),
        cofactor: BigUint::from(integer(&test["h"])),
    }
}

fn element(field: &Field, v: &Value) -> Element {
    field.from_bytes(&hex(v)).expect("an element")
}

/// G is on the curve and has order n, a prime of which h n is the one multiple in the interval of Hasse: so the curve has h n points.
#[test]
fn parameters_of_all_curves() {
    let file = parameters();
    assert_eq!(curves(&file).count(), 37);
    for test in tests(&file) {
        let (name, domain) = (&test["curve"], domain(test));
        let Domain { curve, generator, order, cofactor } = &domain;
        assert!(curve.contains(generator), "{name}");
        assert_ne!(curve.b, curve.field.zero());
        assert_eq!(curve.mul(order, generator), Point::Infinity, "{name}");
        assert!(is_probable_prime(order), "{name}");
        let q = BigUint::from(1_u8) << curve.field.degree();
        let (points, middle) = (cofactor * order, &q + 1_u8);
        let distance = if points > middle { points - middle } else { middle - points };
        assert!(&distance * &distance <= &q * 4_u8, "{name}");
        assert!(order * order > &q * 16_u8, "{name}");
        // There is a point of order 4 if and only if the trace of a is 0.
        assert_eq!(curve.field.trace(&curve.a), !(cofactor % 4_u8).eq(&BigUint::ZERO), "{name}");
    }
}

/// Miller-Rabin with the bases 2, 3, 5, 7, 11 and 13. The numbers are published as primes.
fn is_probable_prime(n: &BigUint) -> bool {
    let one = BigUint::from(1_u8);
    let minus_one = n - 1_u8;
    let zeros = minus_one.trailing_zeros().expect("n > 1");
    let odd = &minus_one >> zeros;
    [2_u8, 3, 5, 7, 11, 13].into_iter().all(|base| {
        let mut power = BigUint::from(base).modpow(&odd, n);
        for _ in 1..zeros {
            if power == minus_one {
                return true;
            }
            power = if power == one { power } else { &power * &power % n };
        }
        power == one || power == minus_one
    })
}

/// Multiples of the base points of all curves.
#[test]
fn multiples_of_base_points() {
    let file = parse(include_str!("../../../../vectors/ec.json"));
    let quick = std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1");
    let mut names = Vec::new();
    for group in file["testGroups"].as_array().expect("groups") {
        let name = group["curve"].as_str().expect("a name");
        let Domain { curve, generator, order, .. } = named(name);
        for test in group["tests"].as_array().expect("tests").iter().step_by(if quick { 7 } else { 1 }) {
            let k = number(&test["k"]);
            assert!(k < order);
            let expected = match test["x"].is_null() {
                true => Point::Infinity,
                false => Point::Affine(element(&curve.field, &test["x"]), element(&curve.field, &test["y"])),
            };
            assert_eq!(curve.mul(&k, &generator), expected, "{name} tcId {}", test["tcId"]);
            let encoded = curve.encode(&expected, true);
            assert_eq!(curve.decode(&encoded), Ok(expected), "{name} tcId {}", test["tcId"]);
        }
        names.push(name);
    }
    let parameters = parameters();
    assert!(curves(&parameters).map(|(name, _)| name).eq(names));
}
