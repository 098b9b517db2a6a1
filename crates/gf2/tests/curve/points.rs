//! Sums of points by the definition: all pairs of special and random points.
use crate::common::{domain, point, points_of_low_order, random_point, scalar};
use crate::random::Random;
use carryless_gf2::curve::{
    self, AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement, LambdaPoint, PointError, Scalar,
    XOnlyPoint,
};
use carryless_reference::BigUint;
use carryless_reference::curve::Point;
use ctutils::{Choice, CtSelect};
use zeroize::Zeroize;

fn sums<C: BinaryCurve>() {
    let (domain, mut rng) = (domain::<C>(), Random(u64::from(C::ORDER_BITS) + 11));
    let reference = &domain.curve;
    let ours = |p: &Point| point::<C>(p, &reference.field);
    let mut points = points_of_low_order(&domain, &mut rng);
    let random = random_point(&domain, &mut rng);
    points.extend([domain.generator.clone(), reference.negate(&domain.generator)]);
    points.extend([reference.double(&random), reference.add(&random, &points[1]), random]);
    for p in &points {
        let a = ours(p);
        assert_eq!((-a).coordinates(), ours(&reference.negate(p)).coordinates());
        assert_eq!(a.double().coordinates(), ours(&reference.double(p)).coordinates(), "2 {p:?}");
        assert_eq!(a.is_infinity().to_bool(), *p == Point::Infinity);
        assert_eq!(a * scalar::<C>(&BigUint::from(3_u8)), a + a + a);
        for q in &points {
            let b = ours(q);
            assert_eq!((a + b).coordinates(), ours(&reference.add(p, q)).coordinates(), "{p:?} + {q:?}");
            assert_eq!((a - b).coordinates(), ours(&reference.add(p, &reference.negate(q))).coordinates());
            assert_eq!(a == b, p == q, "{p:?} and {q:?}");
            assert_eq!(a.ct_select(&b, Choice::TRUE), b);
            assert_eq!(a.ct_select(&b, Choice::FALSE), a);
        }
    }
}

/// In lambda coordinates, and by x alone.
fn other_coordinates<C: BinaryCurve>() {
    let (curve, g) = (Curve::<C>::new(), AffinePoint::<C>::generator());
    let points =
        [AffinePoint::infinity(), g, -g, g.double(), g * Scalar::from_u64(1000), g * -Scalar::from_u64(9)];
    let lambda = points.map(|p| LambdaPoint::from_affine(&p).expect("a multiple of G"));
    for (p, p_lambda) in points.iter().zip(&lambda) {
        for (q, q_lambda) in points.iter().zip(&lambda) {
            assert_eq!((*p_lambda + *q_lambda).to_affine(), *p + *q);
            assert_eq!((*p_lambda - *q_lambda).to_affine(), *p - *q);
            assert_eq!(p_lambda == q_lambda, p == q);
            assert_eq!(p_lambda.ct_select(q_lambda, Choice::TRUE), *q_lambda);
        }
        let x = XOnlyPoint::from_affine(p).into_option();
        assert_eq!(x.map(|x| *x.x()), p.coordinates().map(|[x, _]| x));
        assert!(x.is_none_or(|x| x.to_affine(p.sign()) == Ok(*p)));
    }
    // More than one inversion serves.
    let many: Vec<_> = (0..40).map(|i| lambda[i % lambda.len()] + lambda[i / 8]).collect();
    let mut affine = vec![g; many.len()];
    curve.normalize(&many, &mut affine);
    for (p, sum) in affine.iter().zip(&many) {
        assert_eq!(*p, sum.to_affine());
    }
    assert_eq!(lambda.iter().copied().sum::<LambdaPoint<C>>().to_affine(), points[3] + points[4] + points[5]);
    assert_eq!(LambdaPoint::from_affine(&(g + of_order_two())), Err(PointError::Order));
    let mut secret = lambda[4];
    secret.zeroize();
    assert_eq!(secret, LambdaPoint::default());
    assert_eq!(format!("{secret:?}"), format!("LambdaPoint<{}>(..)", C::NAME));
}

/// The point of order two, (0, sqrt(b)).
fn of_order_two<C: BinaryCurve>() -> AffinePoint<C> {
    AffinePoint::decompress(ElementOf::<C>::default(), Choice::FALSE).expect("on every curve")
}

fn coordinates<C: BinaryCurve>() {
    let (g, [x, y]) = (AffinePoint::<C>::generator(), C::GENERATOR);
    assert_eq!(g.coordinates(), Some([x, y]));
    assert_eq!(AffinePoint::from_coordinates(x, y), Ok(g));
    assert_eq!(AffinePoint::from_coordinates(x, x + y), Ok(-g));
    let one = ElementOf::<C>::one();
    for (x, y) in [(x, y + one), (x + one, y), (y, x), (ElementOf::<C>::default(), C::B.sqrt() + one)] {
        assert_eq!(AffinePoint::<C>::from_coordinates(x, y), Err(PointError::NotOnCurve));
    }
    assert_eq!(AffinePoint::<C>::default(), AffinePoint::infinity());
    assert_eq!(AffinePoint::<C>::infinity().coordinates(), None);
    let mut secret = g;
    secret.zeroize();
    assert_eq!(secret, AffinePoint::infinity());
    assert_eq!(format!("{g:?}"), format!("AffinePoint<{}>(..)", C::NAME));
}

macro_rules! each {
    ($($curve:ident),*) => {
        $(
            #[test]
            #[cfg_attr(miri, ignore = "Miri would take hours")]
            #[allow(non_snake_case, reason = "the name of the curve")]
            fn $curve() {
                sums::<curve::$curve>();
                coordinates::<curve::$curve>();
                other_coordinates::<curve::$curve>();
            }
        )*
    };
}
for_each_curve! { each }
