//! Exhaustive tests on curves over GF(2^5) to GF(2^9): all points, all pairs, all scalars, by the code of the
//! large curves.
use super::digits::{hex, is_digit, is_gls, is_koblitz};
use super::gls::Lattice;
use super::kernels::CurveKernels;
use super::list::{curves, element};
use super::words::words_of;
use super::*;
use crate::field::small::{Gf5, Gf7, Gf9, Gf23};
use crate::field::{BinaryField, Element, Gf8};
use carryless_lanes::ClmulCpu;
use crypto_bigint::U64;
use ctutils::Choice;
use once_cell::race::OnceBox;
use sealed::SealedCurve;
use std::vec::Vec;

#[expect(unreachable_pub, reason = "the macro is for public types")]
#[cfg_attr(
    not(carryless_fields = "128"),
    allow(dead_code, reason = "some have tests in a part of their own only")
)]
mod small {
    use super::*;

    super::curves! {
        /// 44 points: a Koblitz curve over GF(2^5) with a = 0.
        E44: "e44", [], None, Gf5, U64, h = 4, a = ["0"], b = ["1"], x = ["4"], y = ["16"], n = "000000000000000b";
        /// 22 points: a Koblitz curve over GF(2^5) with a = 1.
        E22: "e22", [], None, Gf5, U64, h = 2, a = ["1"], b = ["1"], x = ["a"], y = ["18"], n = "000000000000000b";
        /// 34 points over GF(2^5); a and b are neither 0 nor 1.
        E34: "e34", [], None, Gf5, U64, h = 2, a = ["3"], b = ["2"], x = ["3"], y = ["1"], n = "0000000000000011";
        /// 142 points: a Koblitz curve over GF(2^7) with a = 1.
        E142: "e142", [], None, Gf7, U64, h = 2, a = ["1"], b = ["1"], x = ["65"], y = ["59"], n = "0000000000000047";
        /// 116 points over GF(2^7), with a = 0 and h = 4.
        E116: "e116", [], None, Gf7, U64, h = 4, a = ["0"], b = ["5"], x = ["8"], y = ["9"], n = "000000000000001d";
        /// 272 points over GF(2^8), whose degree is even, with h = 16.
        E272: "e272", [], None, Gf8, U64, h = 16, a = ["1"], b = ["7"], x = ["f9"], y = ["4"], n = "0000000000000011";
        /// 508 points: a Koblitz curve over GF(2^9) with a = 0.
        E508: "e508", [], None, Gf9, U64, h = 4, a = ["0"], b = ["1"], x = ["160"], y = ["1d2"], n = "000000000000007f";
        /// 482 points over GF(2^9); a and b are neither 0 nor 1.
        E482: "e482", [], None, Gf9, U64, h = 2, a = ["3"], b = ["2"], x = ["3"], y = ["1"], n = "00000000000000f1";
        /// 550 points over GF(2^9), with the large cofactor h = 50.
        E550: "e550", [], None, Gf9, U64, h = 50, a = ["1"], b = ["7"], x = ["179"], y = ["1b7"], n = "000000000000000b";
        /// 8383412 points: the smallest with a = 0 on which k P is found by digits to the base tau.
        E8383412: "e8383412", [], None, Gf23, U64, h = 4, a = ["0"], b = ["1"], x = ["2f1934"], y = ["33fdc9"], n = "00000000001ffaed";
    }
}
use small::*;

/// All points of the curve, found by its equation; infinity comes first.
fn points<F: BinaryField + CurveKernels, C: BinaryCurve<Field = F>>() -> Vec<AffinePoint<C>> {
    let elements = || (0..1 << F::DEGREE).map(|bits| element_of::<F>(bits));
    let finite = elements().flat_map(|x| elements().map(move |y| [x, y]));
    let finite = finite.filter_map(|[x, y]| AffinePoint::from_coordinates(x, y).ok());
    core::iter::once(AffinePoint::infinity()).chain(finite).collect()
}

fn element_of<F: BinaryField>(bits: u16) -> Element<F> {
    Element::from_bytes(&bits.to_le_bytes()[..F::BYTES]).expect("at most m bits")
}

/// The index of a point in the list of all points.
fn index_of<C: BinaryCurve>(points: &[AffinePoint<C>], p: &AffinePoint<C>) -> usize {
    points.iter().position(|q| q == p).expect("sums of points are points of the curve")
}

/// Sums of all pairs, by index: a commutative group with infinity as 0. Associativity is checked for the sums
/// with a generator of the largest subgroup and with a point outside of it.
fn group<F: BinaryField + CurveKernels, C: BinaryCurve<Field = F>>(points: &[AffinePoint<C>]) {
    let sums: Vec<Vec<usize>> =
        points.iter().map(|p| points.iter().map(|q| index_of(points, &(*p + *q))).collect()).collect();
    let outside = points.iter().position(|p| !p.is_in_prime_order_group().to_bool()).expect("h > 1");
    for (i, p) in points.iter().enumerate() {
        assert_eq!(sums[0][i], i);
        assert_eq!(sums[i][index_of(points, &-*p)], 0);
        assert_eq!(index_of(points, &p.double()), sums[i][i]);
        for j in 0..points.len() {
            assert_eq!(sums[i][j], sums[j][i]);
            for k in [index_of(points, &AffinePoint::generator()), outside] {
                assert_eq!(sums[sums[i][j]][k], sums[i][sums[j][k]]);
            }
        }
    }
}

/// All multiples of all points against repeated addition, on one backend.
fn multiples<F: BinaryField + CurveKernels, C: BinaryCurve<Field = F>>(
    cpu: ClmulCpu,
    points: &[AffinePoint<C>],
    order: u64,
) {
    let curve = Curve::<C>::on(cpu);
    for p in points {
        let mut sum = AffinePoint::infinity();
        let prepared = PreparedPoint::new(&curve, p);
        for k in 0..order {
            let scalar = Scalar::from_u64(k);
            assert_eq!(curve.mul(&scalar, p), sum, "{} on {}: {k}", C::NAME, cpu.name());
            if let Some([x, _]) = p.coordinates() {
                let expected = sum.coordinates().map(|[x, _]| x);
                assert_eq!(curve.mul_x(&scalar, &x).into_option(), expected, "{}: x of {k} P", C::NAME);
            }
            // Entries of tables are sums and differences of 1, 4, 16, 64 and 256, or twice that: multiples of
            // 11 are among them, which no table may hold.
            if let (Ok(prepared), true) = (&prepared, order > 11) {
                assert_eq!(prepared.mul(&curve, &scalar), sum, "{} on {}: comb, {k}", C::NAME, cpu.name());
            }
            sum += *p;
        }
        batch(&curve, p, order);
        let in_group = sum.is_infinity().to_bool();
        assert_eq!(curve.is_in_prime_order_group(p).to_bool(), in_group);
        match prepared {
            Ok(_) => assert!(in_group && !p.is_infinity().to_bool()),
            Err(PointError::Infinity) => assert!(p.is_infinity().to_bool()),
            Err(error) => assert!(error == PointError::Order && !in_group),
        }
    }
}

/// Multiples in batches, and sums k G + l P of two products.
fn batch<C: BinaryCurve>(curve: &Curve<C>, p: &AffinePoint<C>, order: u64) {
    let scalars: Vec<Scalar<C>> = (0..order).map(Scalar::from_u64).collect();
    let expected: Vec<AffinePoint<C>> = scalars.iter().map(|k| curve.mul(k, p)).collect();
    for len in [1, 2, 3, 5, scalars.len()] {
        let mut out = std::vec![AffinePoint::infinity(); len];
        curve.mul_batch(&scalars[..len], &std::vec![*p; len], &mut out);
        assert_eq!(out, expected[..len], "{} on {}: {len} together", C::NAME, curve.cpu().name());
    }
    if order > 11 {
        for (k, product) in scalars.iter().zip(&expected) {
            let sum = curve.mul_base_add_mul(&(*k + *k), k, p);
            assert_eq!(sum, curve.mul(&(*k + *k), &AffinePoint::generator()) + *product);
        }
    }
}

/// Sums of products of pairs of points, among them equal points and opposite ones.
fn sums_of_products<C: BinaryCurve>(cpu: ClmulCpu, points: &[AffinePoint<C>], order: u64) {
    let curve = Curve::<C>::on(cpu);
    let mut i = 0;
    for p in points {
        for q in points.iter().step_by(points.len() / 20).chain([p, &-*p]) {
            i += 1;
            let k = [7 * i, 5 * i + 3, i + 1].map(Scalar::<C>::from_u64);
            let expected =
                (0..3).fold(AffinePoint::infinity(), |sum, j| sum + curve.mul(&k[j], &[*p, *q, *p][j]));
            assert_eq!(curve.sum_of_products_vartime(&k, &[*p, *q, *p]), expected, "{curve:?}: {i}");
        }
        let (k, last) = (Scalar::from_u64(i % order), Scalar::from_u64(order - 1));
        assert_eq!(curve.sum_of_products_vartime(&[k], &[*p]), curve.mul(&k, p));
        assert_eq!(curve.sum_of_products_vartime(&[last], &[*p]), curve.mul(&last, p));
    }
    assert_eq!(curve.sum_of_products_vartime(&[], &[]), AffinePoint::infinity());
}

/// Sums of all pairs of the prime-order group in lambda coordinates, and points by x alone.
fn other_coordinates<C: BinaryCurve>(points: &[AffinePoint<C>]) {
    let mut group = Vec::new();
    for p in points {
        match LambdaPoint::from_affine(p) {
            Ok(lambda) => group.push((*p, lambda)),
            Err(error) => {
                assert!(error == PointError::Order && !p.is_in_prime_order_group().to_bool());
            }
        }
        let x = XOnlyPoint::from_affine(p).into_option();
        assert_eq!(x, p.coordinates().map(|[x, _]| XOnlyPoint::new(x).expect("an x of the curve")));
        if let Some(x) = x {
            assert_eq!(x.to_affine(p.sign()), Ok(*p));
            let product = x.mul(&Scalar::from_u64(3)).into_option().map(|product| *product.x());
            assert_eq!(product, (*p * Scalar::from_u64(3)).coordinates().map(|[x, _]| x));
        }
    }
    assert_eq!(group.len() as u64, words_of(&C::ORDER)[0]);
    for (p, p_lambda) in &group {
        assert_eq!((p_lambda.to_affine(), p_lambda.is_infinity().to_bool()), (*p, p.is_infinity().to_bool()));
        let sums: Vec<_> = group.iter().map(|(_, q)| *p_lambda + *q).collect();
        let mut affine = std::vec![*p; sums.len()];
        Curve::new().normalize(&sums, &mut affine);
        for (i, (q, q_lambda)) in group.iter().enumerate() {
            assert_eq!(affine[i], *p + *q);
            assert_eq!(sums[i] == sums[0], q.is_infinity().to_bool());
            assert_eq!(sums[i] - *q_lambda, *p_lambda);
        }
        assert_eq!(p_lambda.double().to_affine(), p.double());
    }
}

/// phi^2 + 2 = mu phi, and phi(P + Q) = phi(P) + phi(Q).
fn frobenius<F: BinaryField + CurveKernels, C: BinaryCurve<Field = F>>() {
    let points = points::<F, C>();
    let a_is_zero = C::A == Element::zero();
    for (i, p) in points.iter().enumerate() {
        let phi = p.frobenius();
        assert!(points.contains(&phi));
        // mu is -1 for a = 0 and 1 for a = 1.
        assert_eq!(phi.frobenius() + p.double(), if a_is_zero { -phi } else { phi });
        let q = points[(7 * i + 3) % points.len()];
        assert_eq!((*p + q).frobenius(), phi + q.frobenius());
        assert_eq!((0..F::DEGREE).fold(*p, |p, _| p.frobenius()), *p);
    }
}

#[test]
fn frobenius_on_koblitz_curves() {
    frobenius::<Gf5, E44>();
    frobenius::<Gf5, E22>();
    #[cfg(carryless_fields = "128")]
    {
        frobenius::<Gf7, E142>();
        frobenius::<Gf9, E508>();
    }
}

/// Encodes and decodes all points, and decompresses every x with both bits.
fn bytes<F: BinaryField + CurveKernels, C: BinaryCurve<Field = F>>(points: &[AffinePoint<C>]) {
    for p in points {
        assert_eq!(AffinePoint::from_sec1(p.to_sec1().as_ref()), Ok(*p));
        assert_eq!(AffinePoint::from_sec1(p.to_sec1_compressed().as_ref()), Ok(*p));
    }
    for x in 0..1 << F::DEGREE {
        for bit in 0..2 {
            let decompressed = AffinePoint::<C>::decompress(element_of::<F>(x), Choice::from_u8_lsb(bit));
            let expected = points.iter().find(|p| {
                p.coordinates().is_some_and(|[found, _]| found == element_of::<F>(x))
                    && p.sign().to_u8() == bit
            });
            assert_eq!(decompressed.ok().as_ref(), expected);
        }
    }
}

fn all<F: BinaryField + CurveKernels, C: BinaryCurve<Field = F>>() {
    let (points, order) = (points::<F, C>(), words_of(&C::ORDER)[0]);
    assert_eq!(points.len() as u64, u64::from(C::COFACTOR) * order);
    assert!(AffinePoint::<C>::generator().is_in_prime_order_group().to_bool());
    group(&points);
    bytes(&points);
    other_coordinates(&points);
    for cpu in ClmulCpu::available() {
        multiples(cpu, &points, order);
        sums_of_products(cpu, &points, order);
    }
}

macro_rules! exhaustive {
    ($($(#[$given:meta])* $test:ident: $field:ty, $curve:ty;)*) => { $(
        $(#[$given])*
        #[test]
        fn $test() {
            all::<$field, $curve>();
        }
    )* };
}

// Each curve is compiled for every backend, so those whose kind another curve covers run only in `cargo xtask
// curves small`.
exhaustive! {
    #[cfg(carryless_fields = "128")] e44: Gf5, E44;
    e22: Gf5, E22;
    e34: Gf5, E34;
    #[cfg(carryless_fields = "128")] e142: Gf7, E142;
    #[cfg(carryless_fields = "128")] e116: Gf7, E116;
    #[cfg(carryless_fields = "128")] e272: Gf8, E272;
    #[cfg(carryless_fields = "128")] e508: Gf9, E508;
    #[cfg(carryless_fields = "128")] e482: Gf9, E482;
    #[cfg(carryless_fields = "128")] e550: Gf9, E550;
}

/// The product k P by doublings and complete additions, for comparison.
fn multiple<C: BinaryCurve>(k: u64, p: &AffinePoint<C>) -> AffinePoint<C> {
    (0..64).rev().fold(AffinePoint::infinity(), |sum, i| {
        let double = sum.double();
        if k >> i & 1 == 1 { double + *p } else { double }
    })
}

/// The points of order 1, 2 and 4, whose multiples are selected, and their sums with a generator. The curves above are
/// too small for digits to the base tau, and the smallest named Koblitz curve has a = 1, so no point of order 4.
#[test]
fn points_of_small_order_and_digits_to_the_base_tau() {
    type C = E8383412;
    const { assert!(koblitz::serves::<C>()) }
    let order = words_of(&C::ORDER)[0];
    let element = |bits: u32| Element::<Gf23>::from_bytes(&bits.to_le_bytes()[..3]).expect("23 bits");
    let point = |[x, y]: [u32; 2]| AffinePoint::<C>::from_coordinates(element(x), element(y));
    let small = [[0, 1], [1, 0], [1, 1]].map(|xy| point(xy).expect("on the curve"));
    let g = AffinePoint::generator();
    let mut points = std::vec![AffinePoint::infinity(), g, -g, g.frobenius()];
    points.extend(small.iter().flat_map(|t| [*t, g + *t]));
    let scalars = (0..20).chain([1000, 654_321]).chain(order - 20..order);
    // Neighbouring pairs have different points, so that a mistake in the order of results shows.
    let pairs: Vec<(u64, AffinePoint<C>)> =
        scalars.flat_map(|k| points.iter().map(move |p| (k, *p))).collect();
    let k: Vec<Scalar<C>> = pairs.iter().map(|(k, _)| Scalar::from_u64(*k)).collect();
    let p: Vec<AffinePoint<C>> = pairs.iter().map(|(_, p)| *p).collect();
    let expected: Vec<AffinePoint<C>> = pairs.iter().map(|(k, p)| multiple(*k, p)).collect();
    let base: Vec<AffinePoint<C>> = pairs.iter().rev().map(|(k, _)| multiple(*k, &g)).collect();
    for cpu in ClmulCpu::available() {
        let curve = Curve::<C>::on(cpu);
        let mut out = std::vec![g; k.len()];
        curve.mul_batch(&k, &p, &mut out);
        assert_eq!(out, expected, "together on {}", cpu.name());
        for (i, pair) in pairs.iter().enumerate() {
            let what = std::format!("{pair:?} on {}", cpu.name());
            assert_eq!(curve.mul(&k[i], &p[i]), expected[i], "{what}");
            let sum = curve.mul_base_add_mul(&k[k.len() - 1 - i], &k[i], &p[i]);
            assert_eq!(sum, expected[i] + base[i], "a multiple of G and {what}");
            assert_eq!(curve.sum_of_products_vartime(&k[i..=i], &p[i..=i]), expected[i], "vartime: {what}");
        }
    }
}
