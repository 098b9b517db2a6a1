//! Curves as the vectors have them, for the reference, and values of one form in the other.
use crate::field_common::quick;
use crate::random::Random;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, ElementOf, FieldElement, Scalar};
use carryless_reference::BigUint;
use carryless_reference::curve::{Curve, DecodeError, Domain, Element, Field, Point};
use serde_json::Value;

pub(crate) fn parse(json: &str) -> Value {
    serde_json::from_str(json).expect("JSON")
}

pub(crate) fn hex(v: &Value) -> Vec<u8> {
    let text = v.as_str().expect("hex");
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("hex")).collect()
}

pub(crate) fn integer(v: &Value) -> usize {
    v.as_u64().expect("a number") as usize
}

/// The name of a curve in vector files, which write `relic_b257`.
pub(crate) fn file_name<C: BinaryCurve>() -> String {
    C::NAME.replace('-', "_")
}

/// The parameters of a curve in `vectors/curves.json`.
pub(crate) fn parameters<C: BinaryCurve>() -> Value {
    let file = parse(include_str!("../../../../vectors/curves.json"));
    let tests = file["testGroups"][0]["tests"].as_array().expect("tests").clone();
    let mut of_curve = tests.into_iter().filter(|test| test["curve"] == file_name::<C>());
    let test = of_curve.next().expect("a curve of the file");
    assert!(of_curve.next().is_none());
    test
}

/// The same, for the reference.
pub(crate) fn domain<C: BinaryCurve>() -> Domain {
    let test = parameters::<C>();
    let f: Vec<usize> = test["poly"].as_array().expect("exponents").iter().map(integer).collect();
    let field = if test["extension"] == true { Field::extended(&f) } else { Field::new(&f) };
    let element = |name: &str| field.from_bytes(&hex(&test[name])).expect("an element");
    let (a, b, generator) = (element("a"), element("b"), Point::Affine(element("x"), element("y")));
    let order = BigUint::from_bytes_le(&hex(&test["n"]));
    Domain { curve: Curve { field, a, b }, generator, order, cofactor: integer(&test["h"]).into() }
}

pub(crate) fn bytes<E: FieldElement>(element: &E) -> Vec<u8> {
    let mut bytes = vec![0xff; E::BYTES];
    element.write_le_bytes(&mut bytes);
    bytes
}

pub(crate) fn scalar<C: BinaryCurve>(k: &BigUint) -> Scalar<C> {
    let mut bytes = k.to_bytes_le();
    bytes.resize(Scalar::<C>::BYTES, 0);
    bytes.reverse();
    Scalar::from_be_bytes(&bytes).expect("below n")
}

pub(crate) fn number<C: BinaryCurve>(k: &Scalar<C>) -> BigUint {
    let mut bytes = vec![0xff; Scalar::<C>::BYTES];
    k.write_be_bytes(&mut bytes);
    BigUint::from_bytes_be(&bytes)
}

pub(crate) fn point<C: BinaryCurve>(point: &Point, field: &Field) -> AffinePoint<C> {
    let element = |a: &Element| ElementOf::<C>::from_le_bytes(&field.to_bytes(a)).expect("an element");
    match point {
        Point::Infinity => AffinePoint::infinity(),
        Point::Affine(x, y) => AffinePoint::from_coordinates(element(x), element(y)).expect("on the curve"),
    }
}

/// A random number from 0 to 2^bits - 1.
pub(crate) fn below(bits: u64, rng: &mut Random) -> BigUint {
    let words = rng.words(bits.div_ceil(64) as usize);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes) >> (64 * words.len() as u64 - bits)
}

/// A point of the curve, of any order.
pub(crate) fn random_point(domain: &Domain, rng: &mut Random) -> Point {
    loop {
        let bytes: Vec<u8> = (0..domain.curve.field.bytes()).map(|_| rng.word() as u8).collect();
        match domain.curve.decode(&[&[2 + (rng.word() as u8 & 1)], &bytes[..]].concat()) {
            Ok(point) => return point,
            Err(error) => assert!(matches!(error, DecodeError::Coordinate | DecodeError::NotOnCurve)),
        }
    }
}

/// Points whose orders divide the cofactor: infinity, the point of order two, and n R for some R.
pub(crate) fn points_of_low_order(domain: &Domain, rng: &mut Random) -> Vec<Point> {
    let Curve { field, b, .. } = &domain.curve;
    let mut points = vec![Point::Infinity, Point::Affine(field.zero(), field.sqrt(b))];
    for _ in 0..if quick() { 1 } else { 3 } {
        let point = domain.curve.mul(&domain.order, &random_point(domain, rng));
        assert_eq!(domain.curve.mul(&domain.cofactor, &point), Point::Infinity);
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points
}
