use crate::common::{Random, samples};
use carryless_gf2::algebra::{Bezout, Poly};
use carryless_reference::gf2;

/// g = u a + v b divides a and b, and u and v are those of least degree.
fn check(a: &Poly, b: &Poly) -> Poly {
    let Bezout { g, u, v, .. } = a.xgcd_vartime(b);
    assert!(&u * a + &v * b == g, "degrees {:?} and {:?}", a.degree(), b.degree());
    assert!(a.gcd_vartime(b) == g && b.gcd_vartime(a) == g);
    if g.is_zero() {
        assert!(a.is_zero() && b.is_zero());
        return g;
    }
    let [(a_g, a_rest), (b_g, b_rest)] = [a, b].map(|p| p.div_rem(&g).expect("not zero"));
    assert!(a_rest.is_zero() && b_rest.is_zero());
    assert!(u.degree() < b_g.degree() || b_g.degree() <= Some(0));
    assert!(v.degree() < a_g.degree() || a_g.degree() <= Some(0));
    g
}

#[test]
fn short_ones_are_those_of_the_reference() {
    let mut random = Random(21);
    let all = samples(&mut random);
    for a in &all {
        for b in &all {
            assert_eq!(check(a, b), Poly::from(gf2::gcd(a.words(), b.words())), "{a}, {b}");
        }
    }
}

/// Products with a common factor, also where quotients are as long as everything.
#[test]
fn common_factors_are_found() {
    let mut random = Random(22);
    let sizes: &[usize] = if cfg!(miri) { &[100] } else { &[100, 900, 1500, 3000, 6100, 9000, 20_000] };
    for &a in sizes {
        for &b in sizes {
            for g in [0, 1, 64, 700, 5000] {
                let factor = random.poly(g);
                let pairs = [(random.poly(a), random.poly(b)), (random.sparse(a), random.sparse(b))];
                for (a, b) in pairs {
                    let own = check(&a, &b);
                    assert!(check(&(&a * &factor), &(&b * &factor)) == own * &factor);
                }
            }
        }
    }
}

/// All degrees of a around the threshold between words and halves, and around multiples of it.
#[test]
fn borders_of_halves_hold() {
    let mut random = Random(23);
    for base in [4000, 8000, 12_000, 24_000] {
        for a in (base - 70..base + 140).step_by(if cfg!(miri) { 1000 } else { 7 }) {
            check(&random.poly(a), &random.poly(a - 1));
            check(&random.poly(a), &random.poly(a / 2 + 3));
        }
    }
}

/// (X^m - 1, X^n - 1) has the common divisor X^gcd(m, n) - 1; neighbours of Fibonacci's sequence have quotients X only.
#[test]
fn known_common_divisors() {
    let unity = |n: usize| Poly::monomial(n) + Poly::one();
    for (m, n, g) in [(0, 5, 5), (64, 48, 16), (10_000, 6400, 400), (12_345, 12_344, 1)] {
        assert!(check(&unity(m), &unity(n)) == unity(g), "{m}, {n}");
    }
    let (mut a, mut b) = (Poly::one(), Poly::x());
    for _ in 0..if cfg!(miri) { 100 } else { 8000 } {
        (a, b) = (b.clone(), (&b << 1) + &a);
    }
    assert!(check(&b, &a).is_one());
}

#[test]
fn very_long_ones_hold() {
    let mut random = Random(24);
    if !cfg!(miri) {
        let (a, b, g) = (random.poly(100_000), random.poly(99_937), random.poly(30_000));
        assert!(check(&(&a * &g), &(&b * &g)).degree() >= g.degree());
        check(&a, &random.poly(1000));
    }
}

#[test]
fn inverses() {
    let mut random = Random(25);
    let field = Poly::from_exponents([233, 74, 0]);
    for a in samples(&mut random) {
        match a.inverse_mod_vartime(&field) {
            Some(inverse) => {
                assert!(inverse.degree() < field.degree());
                assert_eq!(a.mul_mod(&inverse, &field), Some(Poly::one()));
            }
            None => assert_eq!(a.rem(&field), Some(Poly::zero())),
        }
    }
    for n in [1021, 12_323, 57_637] {
        if cfg!(miri) {
            break;
        }
        // An odd number of terms: no factor X + 1, and 2 generates the units modulo these n.
        let (f, mut a) = (Poly::monomial(n) + Poly::one(), random.poly(n - 1));
        a.set_coefficient(0, a.evaluate(true) == a.coefficient(0));
        let inverse = a.inverse_mod_vartime(&f).expect("a unit");
        assert!(a.mul_mod(&inverse, &f) == Some(Poly::one()), "{n}");
        assert_eq!((a + Poly::one()).inverse_mod_vartime(&f), None);
    }
}

#[test]
fn where_there_is_no_inverse() {
    let f = Poly::from_exponents([4, 0]);
    assert_eq!(Poly::from(3).inverse_mod_vartime(&f), None);
    assert_eq!(Poly::zero().inverse_mod_vartime(&f), None);
    assert_eq!(Poly::one().inverse_mod_vartime(&Poly::zero()), None);
    assert_eq!(Poly::x().inverse_mod_vartime(&Poly::one()), Some(Poly::zero()));
    assert_eq!(Poly::x().inverse_mod_vartime(&f), Some(Poly::monomial(3)));
}

/// The determinant of Sylvester's matrix of a and b, which are not 0, by elimination over F2.
fn sylvester(a: u32, b: u32) -> bool {
    let [m, n] = [a, b].map(u32::ilog2);
    let mut rows: Vec<u32> = (0..n).map(|i| a << i).chain((0..m).map(|i| b << i)).collect();
    for column in 0..m + n {
        let Some(i) = rows.iter().position(|row| row >> column & 1 == 1) else { return false };
        let pivot = rows.swap_remove(i);
        rows.iter_mut().filter(|row| **row >> column & 1 == 1).for_each(|row| *row ^= pivot);
    }
    true
}

/// All polynomials of degree up to 6.
#[test]
fn resultants_are_determinants() {
    let limit = if cfg!(miri) { 16 } else { 128 };
    for a in 0..limit {
        for b in 0..limit {
            let wanted = a != 0 && b != 0 && sylvester(a, b);
            let [f, g] = [a, b].map(|bits| Poly::from(u64::from(bits)));
            assert_eq!(f.resultant_vartime(&g), wanted, "{f} and {g}");
        }
    }
}
