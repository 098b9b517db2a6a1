//! k P on all backends: `vectors/ec.json`, and the definition for random and special k and P.
use crate::common::{
    below, domain, file_name, hex, number, parse, point, points_of_low_order, random_point, scalar,
};
use crate::field_common::{backends, quick};
use crate::random::Random;
use carryless_gf2::curve::{self, AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement, Scalar};
use carryless_reference::BigUint;
use carryless_reference::curve::{Domain, Point};
use serde_json::Value;

fn element<C: BinaryCurve>(v: &Value) -> ElementOf<C> {
    ElementOf::<C>::from_le_bytes(&hex(v)).expect("an element")
}

/// k P in every way, with x of P and of the product if they are not infinity.
fn check<C: BinaryCurve>(k: &Scalar<C>, p: &AffinePoint<C>, expected: &AffinePoint<C>, what: &str) {
    for cpu in backends() {
        let curve = Curve::<C>::on(cpu);
        assert_eq!(curve.cpu().name(), cpu.name());
        let product = curve.mul(k, p);
        assert_eq!(product, *expected, "{what} on {curve:?}");
        // Equality is of the type's own making; the coordinates are what others see.
        assert_eq!(product.coordinates(), expected.coordinates(), "{what} on {curve:?}");
        if *p == AffinePoint::generator() {
            assert_eq!(curve.mul_base(k).coordinates(), expected.coordinates(), "{what} on {curve:?}");
            #[cfg(feature = "alloc")]
            {
                let lambda = curve.mul_base_lambda(k);
                assert_eq!(curve.to_affine(&lambda), *expected, "{what} on {curve:?}");
                assert_eq!(
                    curve.to_affine(&curve.add(&lambda, &lambda)),
                    *expected + *expected,
                    "{what} on {curve:?}"
                );
            }
        }
        #[cfg(feature = "alloc")]
        {
            let sum = curve.sum_of_products_vartime(&[*k, *k, -*k], &[*p, AffinePoint::generator(), *p]);
            let expected_sum = *expected + curve.mul_base(k) + curve.mul(&-*k, p);
            assert_eq!(sum.coordinates(), expected_sum.coordinates(), "products with {what} on {curve:?}");
        }
        let Some([x, _]) = p.coordinates() else { continue };
        let product = curve.mul_x(k, &x).into_option();
        assert_eq!(product, expected.coordinates().map(|[x, _]| x), "x of {what} on {curve:?}");
    }
}

/// The multiples of G in the file.
fn of_the_generator<C: BinaryCurve>() {
    let file = parse(include_str!("../../../../vectors/ec.json"));
    let mut groups = file["testGroups"].as_array().expect("groups").iter();
    let group = groups.rfind(|group| group["curve"] == file_name::<C>()).expect("a group");
    let tests = group["tests"].as_array().expect("tests");
    assert!(tests.len() >= 16);
    for test in tests.iter().step_by(if quick() { 5 } else { 1 }) {
        let mut k = hex(&test["k"]);
        k.reverse();
        let k = Scalar::<C>::from_be_bytes(&k).expect("below n");
        let expected = match test["x"].is_null() {
            true => AffinePoint::infinity(),
            false => AffinePoint::from_coordinates(element::<C>(&test["x"]), element::<C>(&test["y"]))
                .expect("on the curve"),
        };
        check(&k, &AffinePoint::generator(), &expected, &format!("tcId {}", test["tcId"]));
    }
}

/// Scalars at both ends of the range and around n / 2, and two random ones.
fn scalars(domain: &Domain, rng: &mut Random) -> Vec<BigUint> {
    let n = &domain.order;
    let mut all: Vec<BigUint> = (0..8_u8).map(BigUint::from).collect();
    all.extend([n >> 1, (n >> 1) + 1_u8, n - 2_u8, n - 1_u8]);
    all.extend((0..2).map(|_| below(n.bits() - 1, rng)));
    all
}

/// k, P and k P.
struct Product<C: BinaryCurve> {
    k: Scalar<C>,
    p: AffinePoint<C>,
    of_reference: Point,
    kp: AffinePoint<C>,
}

impl<C: BinaryCurve> Product<C> {
    fn new(domain: &Domain, k: &BigUint, p: &Point) -> Self {
        let (field, of_reference) = (&domain.curve.field, domain.curve.mul(k, p));
        Product { k: scalar(k), p: point(p, field), kp: point(&of_reference, field), of_reference }
    }
}

fn against_the_definition<C: BinaryCurve>() {
    let (domain, mut rng) = (domain::<C>(), Random(u64::from(C::ORDER_BITS) + 7));
    let mut points = points_of_low_order(&domain, &mut rng);
    let random = random_point(&domain, &mut rng);
    points.extend([domain.curve.add(&domain.generator, &points[1]), domain.curve.negate(&random), random]);
    let (step, mut products) = (if quick() { 3 } else { 1 }, Vec::new());
    for p in points.into_iter().step_by(step) {
        for k in scalars(&domain, &mut rng).into_iter().step_by(step) {
            let product = Product::<C>::new(&domain, &k, &p);
            check(&product.k, &product.p, &product.kp, &format!("{k} times {p:?}"));
            products.push(product);
        }
    }
    let of_generator = scalars(&domain, &mut rng).into_iter().step_by(step);
    let of_generator: Vec<_> =
        of_generator.map(|k| Product::<C>::new(&domain, &k, &domain.generator)).collect();
    sums_with_the_generator(&domain, &of_generator, &products);
    products.extend(of_generator);
    together(&products);
}

/// Products side by side. Every one comes into every lane, next to one of another point and with another scalar.
fn together<C: BinaryCurve>(products: &[Product<C>]) {
    // Those of one point are neighbours in the list, so that columns of it are taken.
    let columns = products.len().isqrt();
    let mut order: Vec<usize> = (0..products.len()).collect();
    order.sort_by_key(|i| (i % columns, i / columns));
    for cpu in backends() {
        let curve = Curve::<C>::on(cpu);
        for shift in 0..cpu.lanes() {
            order.rotate_left(1);
            // Numbers of results around groups of lanes, and around those with one inversion.
            let lens = if shift == 0 { &[1, 2, 3, 5, 15, 17, order.len()][..] } else { &[order.len()] };
            // Quick runs have 15 products.
            for &len in lens.iter().filter(|len| **len <= order.len()) {
                let of = |i: &usize| &products[*i];
                let k: Vec<_> = order[..len].iter().map(|i| of(i).k).collect();
                let p: Vec<_> = order[..len].iter().map(|i| of(i).p).collect();
                let mut out = vec![AffinePoint::generator(); len];
                curve.mul_batch(&k, &p, &mut out);
                for (i, (out, at)) in out.iter().zip(&order).enumerate() {
                    let Product { k, p, kp, .. } = of(at);
                    assert_eq!(
                        out.coordinates(),
                        kp.coordinates(),
                        "{i} of {len}: {} {p:?}, {curve:?}",
                        number(k)
                    );
                }
            }
        }
    }
}

/// k G + l Q: each l Q with some k G, and the sums that the formulas treat apart, k G + k G and k G - k G.
fn sums_with_the_generator<C: BinaryCurve>(domain: &Domain, base: &[Product<C>], others: &[Product<C>]) {
    let some = others.iter().enumerate().map(|(i, other)| (&base[i * i % base.len()], other));
    let equal = base.iter().map(|product| (product, product));
    let pairs: Vec<_> = some.chain(equal).collect();
    let of_reference = |(a, b): &(&Product<C>, &Product<C>)| {
        let sum = domain.curve.add(&a.of_reference, &b.of_reference);
        point::<C>(&sum, &domain.curve.field)
    };
    let expected: Vec<AffinePoint<C>> = pairs.iter().map(of_reference).collect();
    for cpu in backends() {
        let curve = Curve::<C>::on(cpu);
        for ((a, b), expected) in pairs.iter().zip(&expected) {
            let sum = curve.mul_base_add_mul(&a.k, &b.k, &b.p);
            let [k, l] = [a, b].map(|product| number(&product.k));
            assert_eq!(sum.coordinates(), expected.coordinates(), "{k} G + {l} {:?} on {curve:?}", b.p);
        }
        for Product { k, p, .. } in base {
            assert!(curve.mul_base_add_mul(k, &-*k, p).is_infinity().to_bool(), "{} on {curve:?}", number(k));
        }
    }
}

/// Which points are in the group that G generates.
fn prime_order<C: BinaryCurve>() {
    let (domain, mut rng) = (domain::<C>(), Random(u64::from(C::ORDER_BITS) + 9));
    let (mut points, mut seen) = (points_of_low_order(&domain, &mut rng), [0; 2]);
    points.extend([domain.generator.clone(), domain.curve.add(&domain.generator, &points[1])]);
    points.extend((0..if quick() { 2 } else { 8 }).map(|_| random_point(&domain, &mut rng)));
    for p in points {
        let expected = domain.curve.mul(&domain.order, &p) == Point::Infinity;
        seen[usize::from(expected)] += 1;
        let p = point::<C>(&p, &domain.curve.field);
        for cpu in backends() {
            let curve = Curve::<C>::on(cpu);
            assert_eq!(curve.is_in_prime_order_group(&p).to_bool(), expected, "{p:?} on {curve:?}");
        }
    }
    assert!(seen[0] > 1 && seen[1] > 1, "{seen:?}");
}

macro_rules! each {
    ($($curve:ident),*) => {
        $(
            #[test]
            #[cfg_attr(miri, ignore = "Miri would take hours")]
            #[allow(non_snake_case, reason = "the name of the curve")]
            fn $curve() {
                of_the_generator::<curve::$curve>();
                against_the_definition::<curve::$curve>();
                prime_order::<curve::$curve>();
            }
        )*
    };
}
for_each_curve! { each }
