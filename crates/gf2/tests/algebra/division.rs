use crate::common::{Random, samples};
use carryless_gf2::algebra::{Divisor, Poly};
use carryless_reference::gf2;

/// a = q d + r with deg r < deg d, which determines both.
fn check(a: &Poly, d: &Poly) {
    let (q, r) = a.div_rem(d).expect("not zero");
    assert!(r.degree() < d.degree(), "degrees {:?} by {:?}", a.degree(), d.degree());
    assert!(&(&q * d) + &r == *a, "degrees {:?} by {:?}", a.degree(), d.degree());
    let prepared = Divisor::new(d).expect("not zero");
    assert!(prepared.div_rem(a) == (q, r.clone()) && prepared.rem(a) == r);
}

#[test]
fn short_divisions_are_those_of_the_reference() {
    let mut random = Random(11);
    let all = samples(&mut random);
    for a in &all {
        for d in all.iter().filter(|d| !d.is_zero()) {
            let (q, r) = gf2::div_rem(a.words(), d.words());
            assert_eq!(a.div_rem(d), Some((Poly::from(q), Poly::from(r))), "{a} by {d}");
            assert_eq!(a.rem(d), a.div_rem(d).map(|(_, r)| r));
            check(a, d);
        }
    }
}

#[test]
fn nothing_is_divided_by_zero() {
    assert_eq!(Poly::x().div_rem(&Poly::zero()), None);
    assert_eq!(Poly::zero().rem(&Poly::zero()), None);
    assert!(Divisor::new(&Poly::zero()).is_none());
    let one = Divisor::new(&Poly::one()).expect("not zero");
    assert_eq!(one.div_rem(&Poly::x()), (Poly::x(), Poly::zero()));
    assert_eq!((one.degree(), one.poly()), (0, &Poly::one()));
}

/// Around the sizes from which the quotient comes by products, in one block and in several.
#[test]
fn long_divisions_hold() {
    let mut random = Random(12);
    let words: &[usize] = if cfg!(miri) { &[33] } else { &[31, 55, 56, 57, 64, 100, 119, 120, 121, 257] };
    for &d_words in words {
        for &q_words in words {
            for delta in [0, 1, 37, 63] {
                let d_degree = 64 * d_words + delta;
                let d = [random.poly(d_degree), random.sparse(d_degree), Poly::from_exponents(0..=d_degree)];
                for d in &d {
                    check(&random.poly(d_degree + 64 * q_words - delta), d);
                    check(&(d * &random.poly(64 * q_words - 1)), d);
                }
            }
        }
    }
}

#[test]
fn very_long_divisions_hold() {
    let mut random = Random(13);
    for (a, d) in [(100_000, 50_000), (300_000, 20_001), (262_144, 200_000), (400_000, 64)] {
        if !cfg!(miri) {
            check(&random.poly(a), &random.poly(d));
        }
    }
}
