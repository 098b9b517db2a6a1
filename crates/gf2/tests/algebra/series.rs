use crate::common::{DEGREES, Random, samples};
use carryless_gf2::algebra::Poly;
use carryless_reference::gf2;

/// The numbers of coefficients to try.
fn precisions() -> impl Iterator<Item = usize> {
    DEGREES.into_iter().filter(|&n| !cfg!(miri) || n < 70)
}

/// The inverse of a modulo X^n bit by bit: what is left of 1 loses its lowest term by a shifted a.
fn inverse_bit_by_bit(a: &Poly, n: usize) -> Poly {
    let (mut rest, mut inverse) = (Poly::one(), Poly::zero());
    for i in 0..n {
        if rest.coefficient(i) {
            rest += &(a << i);
            inverse.set_coefficient(i, true);
        }
    }
    inverse
}

#[test]
fn truncated_products_are_those_of_the_reference() {
    let mut random = Random(61);
    let all = samples(&mut random);
    for n in precisions() {
        for (a, b) in all.iter().zip(all.iter().cycle().skip(5)) {
            let low =
                |words: Vec<u64>| Poly::from_exponents(Poly::from(words).exponents().filter(|&i| i < n));
            assert_eq!(a.mul_trunc(b, n), low(gf2::mul(a.words(), b.words())), "{a} times {b} modulo X^{n}");
            assert_eq!(a.square_trunc(n), low(gf2::square(a.words())), "{a} modulo X^{n}");
        }
    }
}

#[test]
fn inverses_of_series() {
    let mut random = Random(62);
    for a in samples(&mut random) {
        for n in precisions() {
            let unit = n == 0 || a.coefficient(0);
            assert_eq!(a.inverse_series(n), unit.then(|| inverse_bit_by_bit(&a, n)), "{a} modulo X^{n}");
            let quotient = random.poly(100).div_series(&a, n);
            assert_eq!(quotient.is_some(), unit, "{a} modulo X^{n}");
        }
    }
}

/// Around the size from which the inverse comes by Newton's iteration: its product with the divisor is the dividend.
#[test]
fn long_quotients_of_series() {
    let mut random = Random(63);
    let sizes: &[usize] =
        if cfg!(miri) { &[130] } else { &[2048, 2049, 2050, 2111, 2112, 2113, 4160, 9000, 50_000] };
    for &n in sizes {
        for degree in [n / 3, n - 1, 2 * n] {
            let (a, mut d) = (random.poly(degree), random.poly(degree));
            d.set_coefficient(0, true);
            let quotient = a.div_series(&d, n).expect("a unit");
            assert!(
                quotient.degree() < Some(n) && (quotient * &d).truncate(n) == a.truncate(n),
                "{n}, {degree}"
            );
            assert!((d.inverse_series(n).expect("a unit") * &d).truncate(n).is_one(), "{n}, {degree}");
        }
    }
}
