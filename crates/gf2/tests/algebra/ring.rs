use crate::common::{Random, samples};
use carryless_gf2::algebra::Poly;
use carryless_reference::gf2;

fn from(words: Vec<u64>) -> Poly {
    Poly::from(words)
}

#[test]
fn zero_one_x_and_words() {
    assert_eq!(Poly::zero().degree(), None);
    assert_eq!(Poly::zero(), Poly::from_words(&[0, 0]));
    assert!(Poly::zero().words().is_empty());
    assert_eq!((Poly::one().degree(), Poly::x().degree()), (Some(0), Some(1)));
    assert_eq!(Poly::monomial(128).words(), [0, 0, 1]);
    assert_eq!(Poly::from_words(&[5, 1, 0, 0]).into_words(), [5, 1]);
    assert_eq!(Poly::from_exponents([64, 2, 0, 64, 70, 70]), Poly::from(5));
    assert!(Poly::zero().is_zero() && Poly::one().is_one() && !Poly::x().is_one() && !Poly::one().is_zero());
}

#[test]
fn coefficients_are_read_and_set() {
    let mut a = Poly::zero();
    a.set_coefficient(300, false);
    assert!(a.is_zero());
    a.set_coefficient(300, true);
    a.set_coefficient(64, true);
    assert_eq!(a, Poly::from_exponents([300, 64]));
    assert!(a.coefficient(64) && !a.coefficient(63) && !a.coefficient(100_000));
    assert_eq!((a.weight(), a.exponents().collect::<Vec<_>>()), (2, vec![300, 64]));
    a.set_coefficient(300, false);
    assert_eq!(a.words(), [0, 1]);
    a.set_coefficient(64, false);
    assert!(a.is_zero());
}

#[test]
fn sums_and_products_are_those_of_the_reference() {
    let mut random = Random(1);
    let all = samples(&mut random);
    for a in &all {
        assert_eq!(a.square(), from(gf2::square(a.words())));
        for b in &all {
            assert_eq!(a * b, from(gf2::mul(a.words(), b.words())), "{a} times {b}");
            let size = a.words().len().max(b.words().len());
            let word = |p: &Poly, i: usize| p.words().get(i).copied().unwrap_or(0);
            let sum: Vec<u64> = (0..size).map(|i| word(a, i) ^ word(b, i)).collect();
            assert_eq!(a + b, from(sum.clone()));
            let mut changed = a.clone();
            changed -= b;
            assert_eq!((a - b, changed), (from(sum.clone()), from(sum)));
        }
    }
}

#[test]
fn operators_take_values_and_references() {
    let (a, b) = (Poly::from(6), Poly::from(3));
    for product in [&a * &b, a.clone() * &b, &a * b.clone(), a.clone() * b.clone()] {
        assert_eq!(product, Poly::from(10));
    }
    let mut power = a.clone();
    power *= &a;
    assert_eq!(power, a.square());
    assert_eq!([&a, &b, &b].into_iter().sum::<Poly>(), a);
    assert_eq!([&a, &b].into_iter().product::<Poly>(), Poly::from(10));
}

#[test]
fn shifts_are_products_and_quotients_by_powers_of_x() {
    let mut random = Random(2);
    for a in samples(&mut random) {
        for n in [0, 1, 63, 64, 65, 128, 200] {
            let shifted = &a << n;
            assert_eq!(shifted, &a * &Poly::monomial(n));
            assert_eq!(&shifted >> n, a);
            let low = a.truncate(n);
            assert!(low.degree() < Some(n) || low.is_zero());
            assert_eq!((&a >> n << n) + low, a, "{n}");
        }
    }
}

#[test]
fn reverse_derivative_and_values_by_coefficients() {
    let mut random = Random(3);
    for a in samples(&mut random) {
        let top = a.degree().unwrap_or(0);
        for n in [0, 1, 62, 63, 64, 65, top, top + 1, top + 64] {
            let kept = a.exponents().filter(|&i| i <= n).map(|i| n - i);
            assert_eq!(a.reverse(n), Poly::from_exponents(kept), "{a} at {n}");
        }
        let odd = a.exponents().filter(|i| i % 2 == 1).map(|i| i - 1);
        assert_eq!(a.derivative(), Poly::from_exponents(odd));
        assert_eq!(a.evaluate(true), a.rem(&Poly::from(3)).expect("not zero").is_one());
        assert_eq!(a.evaluate(false), a.rem(&Poly::x()).expect("not zero").is_one());
    }
}

#[test]
fn order_is_by_degree_then_from_the_top() {
    let mut sorted: Vec<Poly> = [&[][..], &[1], &[2], &[3], &[!0], &[0, 1], &[1, 1], &[0, 2], &[0, 0, 1]]
        .map(Poly::from_words)
        .into();
    let expected = sorted.clone();
    sorted.reverse();
    sorted.sort();
    assert_eq!(sorted, expected);
}
