//! Points as bytes: both forms of special and random points against the reference, and what is no point.
use crate::common::{domain, point, points_of_low_order, random_point};
use crate::random::Random;
use carryless_gf2::curve::{self, AffinePoint, BinaryCurve, CurveField, PointError};
use carryless_reference::curve::{DecodeError, Domain, Point};

fn some_points(domain: &Domain) -> Vec<Point> {
    let mut rng = Random(domain.order.bits() + 13);
    let mut points = points_of_low_order(domain, &mut rng);
    points.extend([domain.generator.clone(), domain.curve.negate(&domain.generator)]);
    points.extend((0..8).map(|_| random_point(domain, &mut rng)));
    points
}

fn round_trips<C: BinaryCurve>() {
    let domain = domain::<C>();
    for p in some_points(&domain) {
        let ours = point::<C>(&p, &domain.curve.field);
        let [full, compressed] = [false, true].map(|compressed| domain.curve.encode(&p, compressed));
        assert_eq!(ours.to_sec1().as_ref(), full, "{p:?}");
        assert_eq!(ours.to_sec1_compressed().as_ref(), compressed, "{p:?}");
        for bytes in [full, compressed] {
            assert_eq!(AffinePoint::from_sec1(&bytes), Ok(ours), "{p:?}");
        }
    }
}

/// First bytes that name no form, and every wrong length of the forms that there are.
fn forms_and_lengths<C: BinaryCurve>() {
    let full = domain::<C>().curve.field.bytes();
    assert_eq!(AffinePoint::<C>::COORDINATE_BYTES, full);
    let from = AffinePoint::<C>::from_sec1;
    assert_eq!(from(&[]), Err(PointError::Empty));
    let g = AffinePoint::<C>::generator().to_sec1();
    for form in (0..=255).filter(|form| ![0, 2, 3, 4].contains(form)) {
        assert_eq!(from(&[form]), Err(PointError::Form(form)));
        let bytes = [&[form], &g.as_ref()[1..]].concat();
        assert_eq!(from(&bytes), Err(PointError::Form(form)));
        assert_eq!(from(&bytes[..=full]), Err(PointError::Form(form)));
    }
    for (form, expected) in [(0, 1), (2, 1 + full), (3, 1 + full), (4, 1 + 2 * full)] {
        for found in (1..2 * full + 20).filter(|found| *found != expected) {
            let mut bytes = vec![0; found];
            bytes[0] = form;
            assert_eq!(from(&bytes), Err(PointError::Length { expected, found }), "form {form}");
        }
    }
}

/// Every bit that no element has, in both coordinates and both forms.
fn coordinates_that_are_no_elements<C: BinaryCurve>() {
    let g = AffinePoint::<C>::generator();
    let (degree, len) = (<C::Field as CurveField>::BITS, AffinePoint::<C>::COORDINATE_BYTES);
    let halves = if degree == 254 { 2 } else { 1 };
    let (bits, bytes) = (degree / halves, len / halves);
    let mut tried = 0;
    for (half, bit) in (0..halves).flat_map(|half| (bits..8 * bytes).map(move |bit| (half, bit))) {
        let place = len - 1 - (half * bytes + bit / 8);
        for (encoded, coordinates) in [(g.to_sec1(), 2), (g.to_sec1_compressed(), 1)] {
            for coordinate in 0..coordinates {
                let mut wrong = encoded.as_ref().to_vec();
                wrong[1 + coordinate * len + place] ^= 1 << (bit % 8);
                assert_eq!(AffinePoint::<C>::from_sec1(&wrong), Err(PointError::Coordinate));
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 3 * (8 * len - degree));
}

/// One bit of a coordinate is wrong, or no point has the x; the reference says so as well.
fn points_that_are_not_on_the_curve<C: BinaryCurve>() {
    let (domain, g) = (domain::<C>(), AffinePoint::<C>::generator());
    let (mut on, mut off) = (0, 0);
    for encoded in [g.to_sec1(), g.to_sec1_compressed()] {
        for i in (0..8 * (encoded.as_ref().len() - 1)).step_by(7) {
            let mut bytes = encoded.as_ref().to_vec();
            bytes[1 + i / 8] ^= 1 << (i % 8);
            let ours = AffinePoint::<C>::from_sec1(&bytes);
            match domain.curve.decode(&bytes) {
                Ok(p) => {
                    assert_eq!(ours, Ok(point::<C>(&p, &domain.curve.field)));
                    on += 1;
                }
                Err(DecodeError::NotOnCurve) => {
                    assert_eq!(ours, Err(PointError::NotOnCurve));
                    off += 1;
                }
                Err(_) => assert_eq!(ours, Err(PointError::Coordinate)),
            }
        }
    }
    // A full point with one bit changed is never on the curve, half of the compressed ones are.
    assert!(on > 0 && off > 2 * on, "{on} and {off}");
}

/// The point of order two has one compressed form.
fn order_two<C: BinaryCurve>() {
    let mut bytes = vec![0; 1 + AffinePoint::<C>::COORDINATE_BYTES];
    bytes[0] = 2;
    let p = AffinePoint::<C>::from_sec1(&bytes).expect("a point");
    assert_eq!(p, -p);
    assert_eq!(p.to_sec1_compressed().as_ref(), bytes);
    bytes[0] = 3;
    assert_eq!(AffinePoint::<C>::from_sec1(&bytes), Err(PointError::NotOnCurve));
}

#[test]
fn errors_give_the_reason() {
    for (error, text) in [
        (PointError::Empty, "at least one byte"),
        (PointError::Form(6), "not 6"),
        (PointError::Length { expected: 22, found: 21 }, "22 bytes, not 21"),
        (PointError::Coordinate, "no element of the field"),
        (PointError::NotOnCurve, "not on the curve"),
    ] {
        assert!(error.to_string().contains(text), "{error}");
    }
}

macro_rules! each {
    ($($curve:ident),*) => {
        $(
            #[test]
            #[cfg_attr(miri, ignore = "Miri would take hours")]
            #[allow(non_snake_case, reason = "the name of the curve")]
            fn $curve() {
                round_trips::<curve::$curve>();
                forms_and_lengths::<curve::$curve>();
                coordinates_that_are_no_elements::<curve::$curve>();
                points_that_are_not_on_the_curve::<curve::$curve>();
                order_two::<curve::$curve>();
            }
        )*
    };
}
for_each_curve! { each }
