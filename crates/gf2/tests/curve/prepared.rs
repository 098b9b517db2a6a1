//! k G and prepared points: runs of small k and of k near n, powers of two and their neighbours, by sums of the reference.
use crate::common::{below, domain, point, points_of_low_order, scalar};
use crate::field_common::{backends, quick};
use crate::random::Random;
use carryless_gf2::curve::{self, AffinePoint, BinaryCurve, Curve, PointError, PreparedPoint};
use carryless_reference::BigUint;
use carryless_reference::curve::{Domain, Point};

/// Scalars k with k P, and n - k with its opposite.
fn multiples(domain: &Domain, p: &Point) -> Vec<(BigUint, Point)> {
    let (curve, n, one) = (&domain.curve, &domain.order, BigUint::from(1_u8));
    let mut all = vec![(BigUint::ZERO, Point::Infinity)];
    for i in 1..if quick() { 4_u8 } else { 70 } {
        all.push((i.into(), curve.add(&all[usize::from(i) - 1].1, p)));
    }
    let (mut power, mut multiple) = (BigUint::from(128_u8), curve.mul(&128_u8.into(), p));
    while power < n - 1_u8 {
        all.push((&power + &one, curve.add(&multiple, p)));
        all.push((&power - &one, curve.add(&multiple, &curve.negate(p))));
        all.push((power.clone(), multiple.clone()));
        (power, multiple) = (power << 1, curve.double(&multiple));
    }
    let opposites: Vec<_> = all.iter().map(|(k, product)| ((n - k) % n, curve.negate(product))).collect();
    all.extend(opposites);
    all
}

fn check<C: BinaryCurve>() {
    let (domain, mut rng) = (domain::<C>(), Random(u64::from(C::ORDER_BITS) + 17));
    let field = &domain.curve.field;
    let other = domain.curve.mul(&below(domain.order.bits() - 1, &mut rng), &domain.generator);
    for p in [&domain.generator, &other] {
        let ours = point::<C>(p, field);
        let multiples = multiples(&domain, p);
        for cpu in backends() {
            let curve = Curve::<C>::on(cpu);
            let prepared = PreparedPoint::new(&curve, &ours).expect("of prime order");
            for (number, product) in multiples.iter().step_by(if quick() { 23 } else { 1 }) {
                let (k, expected) = (scalar(number), point::<C>(product, field).coordinates());
                assert_eq!(prepared.mul(&curve, &k).coordinates(), expected, "{number} on {curve:?}");
                if *p == domain.generator {
                    assert_eq!(curve.mul_base(&k).coordinates(), expected, "{number} on {curve:?}");
                }
            }
        }
    }
}

fn points_that_cannot_be_prepared<C: BinaryCurve>() {
    let (domain, mut rng) = (domain::<C>(), Random(u64::from(C::ORDER_BITS) + 19));
    let curve = Curve::<C>::new();
    let error = |p: &AffinePoint<C>| PreparedPoint::new(&curve, p).err();
    for p in points_of_low_order(&domain, &mut rng) {
        let p = point::<C>(&p, &domain.curve.field);
        let expected = if p.is_infinity().to_bool() { PointError::Infinity } else { PointError::Order };
        assert_eq!(error(&p), Some(expected));
        let sum = p + AffinePoint::generator();
        assert_eq!(error(&sum), (!p.is_infinity().to_bool()).then_some(PointError::Order));
    }
}

macro_rules! each {
    ($($curve:ident),*) => {
        $(
            #[test]
            #[cfg_attr(miri, ignore = "Miri would take hours")]
            #[allow(non_snake_case, reason = "the name of the curve")]
            fn $curve() {
                check::<curve::$curve>();
                points_that_cannot_be_prepared::<curve::$curve>();
            }
        )*
    };
}
for_each_curve! { each }
