use crate::common::Random;
use carryless_gf2::algebra::{Divisor, Poly};

/// The minimal polynomial by linear algebra: the first linear relation of 1, a, a^2, ... modulo f.
fn by_elimination(a: &Poly, f: &Divisor) -> Poly {
    // Rows are powers, reduced by those before, each with the relation that gave it.
    let mut rows: Vec<(Poly, Poly)> = Vec::new();
    let mut power = f.rem(&Poly::one());
    for i in 0.. {
        let (mut row, mut relation) = (power.clone(), Poly::monomial(i));
        for (other, its_relation) in &rows {
            if other.degree().is_some_and(|degree| row.coefficient(degree)) {
                row += other;
                relation += its_relation;
            }
        }
        if row.is_zero() {
            return relation;
        }
        rows.push((row, relation));
        power = f.mul_mod(&power, a);
    }
    unreachable!("n + 1 powers depend on each other")
}

/// Irreducible and reducible f, with repeated factors, and elements of all kinds.
#[test]
fn minimal_polynomials_are_those_by_elimination() {
    let mut random = Random(51);
    let rounds = if cfg!(miri) { 1 } else { 12 };
    for degree in [1, 2, 3, 5, 8, 30, 64, 65, 100].into_iter().filter(|&n| !cfg!(miri) || n < 9) {
        for _ in 0..rounds {
            let a = random.poly(degree);
            let product = random.poly(degree / 2) * random.poly(degree / 3).square();
            for f in [a.clone(), a.square(), product, Poly::monomial(degree)] {
                let divisor = Divisor::new(&f).expect("not zero");
                for b in [random.poly(degree), a.clone(), Poly::x(), Poly::one(), Poly::zero()] {
                    let wanted = by_elimination(&divisor.rem(&b), &divisor);
                    assert_eq!(b.min_poly_mod_vartime(&f), Some(wanted), "{b} modulo {f}");
                }
            }
        }
    }
    assert_eq!(Poly::x().min_poly_mod_vartime(&Poly::one()), Some(Poly::one()));
    assert_eq!(Poly::x().min_poly_mod_vartime(&Poly::zero()), None);
}

/// The minimal polynomial of X is f itself; that of an element of a subfield has a lower degree.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn minimal_polynomials_of_large_degree() {
    let mut random = Random(52);
    for degree in [571, 2000, 5000] {
        let f = random.poly(degree);
        assert!(Poly::x().min_poly_mod_vartime(&f) == Some(f));
    }
    let f = Poly::find_irreducible_vartime(510).expect("degree above 0");
    let divisor = Divisor::new(&f).expect("not zero");
    // The trace to GF(2^102): b + b^(2^102) + b^(2^204) + ...
    let b = random.poly(500);
    let trace = (0..5).map(|i| divisor.frobenius_mod(&b, 102 * i)).collect::<Vec<_>>().iter().sum::<Poly>();
    let m = divisor.min_poly_mod_vartime(&trace);
    assert_eq!(m.degree(), Some(102));
    assert!(m.is_irreducible_vartime() && divisor.compose_mod_vartime(&m, &trace).is_zero());
}

/// The trace is the sum of the diagonal of the matrix of multiplication.
#[test]
fn traces_are_those_of_matrices() {
    let mut random = Random(53);
    for n in [0, 1, 2, 3, 8, 63, 64, 65, 130].into_iter().filter(|&n| !cfg!(miri) || n < 9) {
        for f in [random.poly(n), random.poly(n / 2).square(), Poly::monomial(n)] {
            let divisor = Divisor::new(&f).expect("not zero");
            for a in [random.poly(n), random.poly(2 * n + 3), Poly::one(), Poly::x(), Poly::zero()] {
                let diagonal =
                    (0..divisor.degree()).filter(|&i| divisor.mul_mod(&Poly::monomial(i), &a).coefficient(i));
                assert_eq!(a.trace_mod(&f), Some(diagonal.count() % 2 == 1), "{a} modulo {f}");
            }
        }
    }
    assert_eq!(Poly::x().trace_mod(&Poly::zero()), None);
}
