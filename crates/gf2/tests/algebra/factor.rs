use crate::common::Random;
use carryless_gf2::algebra::Poly;
use std::collections::BTreeMap;

fn quick() -> bool {
    cfg!(miri) || std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1")
}

/// The factors of f: in ascending order, different, irreducible, and of product f.
fn factors(f: &Poly) -> Vec<(Poly, usize)> {
    let factors = f.factor_vartime().expect("not zero");
    assert!(factors.is_sorted_by(|a, b| a.0 < b.0), "{f}");
    for (factor, multiplicity) in &factors {
        assert!(factor.is_irreducible_vartime() && *multiplicity > 0, "{factor} of {f}");
    }
    let powers = factors.iter().flat_map(|(factor, e)| std::iter::repeat_n(factor, *e));
    assert!(powers.product::<Poly>() == *f, "{f}");
    factors
}

/// The product of two polynomials in the bits of integers.
fn product(a: u32, b: u32) -> u32 {
    (0..16).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i)
}

/// The least factor of degree at least 1 of every polynomial of degree up to `top`, by a sieve over integers.
fn least_factors(top: u32) -> Vec<u32> {
    let mut least = vec![0; 2 << top];
    // In ascending order, so that the first to reach a multiple is its least factor.
    for a in 2..2_u32 << top {
        if least[a as usize] == 0 {
            let cofactors = 1..(2_u32 << top) >> a.ilog2();
            for multiple in cofactors.map(|b| product(a, b) as usize) {
                if least[multiple] == 0 {
                    least[multiple] = a;
                }
            }
        }
    }
    least
}

/// Every polynomial of degree up to 14 has the factors that the sieve gives.
#[test]
fn all_of_small_degree() {
    let top = if cfg!(miri) { 5 } else { 14 };
    let least = least_factors(top);
    // A quotient by the least factor is the number whose product with it is f.
    let mut wanted = vec![BTreeMap::new(); 2 << top];
    for b in 1..2_u32 << top {
        for a in (2..(2 << top) >> b.ilog2()).filter(|&a| least[a as usize] == a) {
            let f = product(a, b) as usize;
            if least[f] == a && wanted[f].is_empty() {
                wanted[f] = wanted[b as usize].clone();
                *wanted[f].entry(a).or_insert(0) += 1;
            }
        }
    }
    for (f, wanted) in wanted.into_iter().enumerate().skip(1) {
        let wanted: Vec<(Poly, usize)> =
            wanted.into_iter().map(|(factor, e)| (Poly::from(u64::from(factor)), e)).collect();
        let f = Poly::from(f as u64);
        check_steps(&f, &wanted);
        assert_eq!(f.factor_vartime(), Some(wanted), "{f:#x}");
    }
}

/// The steps of a factorisation have the factors f is known to have, by multiplicity and by degree.
fn check_steps(f: &Poly, factors: &[(Poly, usize)]) {
    let product = |chosen: &dyn Fn(&(Poly, usize)) -> bool| {
        factors.iter().filter(|factor| chosen(factor)).map(|(factor, _)| factor).product::<Poly>()
    };
    let numbers = 1..=f.degree().expect("not zero");
    let parts =
        numbers.clone().map(|e| (product(&|factor| factor.1 == e), e)).filter(|(part, _)| !part.is_one());
    assert_eq!(f.square_free_vartime(), Some(parts.collect()), "{f:#x}");
    let degrees = numbers.map(|d| (product(&|factor| factor.0.degree() == Some(d)), d));
    let degrees = degrees.filter(|(part, _)| !part.is_one()).collect::<Vec<_>>();
    let square_free = factors.iter().all(|(_, e)| *e == 1);
    assert_eq!(f.distinct_degree_vartime(), square_free.then(|| degrees.clone()), "{f:#x}");
    for d in 0..6 {
        let equal = square_free && degrees.iter().all(|(_, degree)| *degree == d);
        let wanted = equal.then(|| factors.iter().map(|(factor, _)| factor.clone()).collect());
        assert_eq!(f.equal_degree_vartime(d), wanted, "{f:#x}, {d}");
    }
}

#[test]
fn special_ones() {
    let zero = Poly::zero();
    assert_eq!(zero.factor_vartime(), None);
    assert_eq!((zero.square_free_vartime(), zero.distinct_degree_vartime()), (None, None));
    assert_eq!(zero.equal_degree_vartime(1), None);
    assert_eq!(Poly::one().factor_vartime(), Some(vec![]));
    let (x, x_1) = (Poly::x(), Poly::from(3));
    assert_eq!(factors(&x), [(x.clone(), 1)]);
    assert_eq!(factors(&x_1), [(x_1.clone(), 1)]);
    for k in [2, 3, 4, 63, 64, 65, 1000, 1023, 1024] {
        assert_eq!(factors(&Poly::monomial(k)), [(x.clone(), k)]);
    }
    for k in [1, 2, 64, 512] {
        assert_eq!(factors(&Poly::from_exponents([k, 0])), [(x_1.clone(), k)]);
    }
    // An irreducible polynomial, its square, and its product with X.
    let f = Poly::from_exponents([163, 7, 6, 3, 0]);
    assert_eq!(factors(&f), [(f.clone(), 1)]);
    assert_eq!(factors(&f.square()), [(f.clone(), 2)]);
    assert_eq!(factors(&(&f.square() * &x)), [(x, 1), (f, 2)]);
}

#[test]
fn random_ones() {
    let mut random = Random(41);
    for i in 0..if cfg!(miri) { 3 } else { 1000 } {
        let degree = if cfg!(miri) { 20 } else { 300 };
        factors(&random.poly(i % degree + 1));
    }
    let large: &[usize] = if quick() { &[] } else { &[571, 1000, 2281, 4423] };
    for &degree in large {
        factors(&random.poly(degree));
        factors(&random.sparse(degree));
    }
}

/// Products of powers, with the factors of both and the sums of multiplicities.
#[test]
fn products_with_repeated_factors() {
    let mut random = Random(42);
    for _ in 0..if cfg!(miri) { 1 } else { 100 } {
        let (mut f, mut wanted) = (Poly::one(), BTreeMap::new());
        for _ in 0..3 {
            let (degree, e) = (1 + random.word() as usize % 20, 1 + random.word() as usize % 9);
            let a = random.poly(degree);
            f = (0..e).fold(f, |f, _| f * &a);
            for (factor, multiplicity) in factors(&a) {
                *wanted.entry(factor).or_insert(0) += e * multiplicity;
            }
        }
        assert_eq!(factors(&f), wanted.into_iter().collect::<Vec<_>>());
    }
}

/// The number of irreducible factors of X^n - 1 for odd n: a class modulo d under multiplication by 2 for each of
/// phi(d) / ord_d(2), over all d that divide n.
fn cosets(n: usize) -> usize {
    let mut seen = vec![false; n];
    (0..n)
        .filter(|&start| {
            !seen[start] && {
                mark(start, &mut seen);
                true
            }
        })
        .count()
}

fn mark(start: usize, seen: &mut [bool]) {
    let mut i = start;
    while !std::mem::replace(&mut seen[i], true) {
        i = 2 * i % seen.len();
    }
}

/// X^n - 1 has one factor for each cyclotomic coset, and for even n a power of each.
#[test]
fn cyclotomic_ones() {
    let all: Vec<usize> = (1..if cfg!(miri) { 16 } else { 256 }).collect();
    let large: &[usize] = if quick() { &[] } else { &[1023, 1365, 2047, 4095, 8191] };
    for n in all.into_iter().chain(large.iter().copied()) {
        let (odd, power) = (n >> n.trailing_zeros(), 1 << n.trailing_zeros());
        let factors = factors(&Poly::from_exponents([n, 0]));
        assert_eq!(factors.len(), cosets(odd), "X^{n} - 1");
        assert!(factors.iter().all(|(_, e)| *e == power), "X^{n} - 1");
    }
}

/// Trinomials, which are squared as sparse ones until little is left.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn trinomials() {
    for n in [127, 200, 571, 1001] {
        for k in [1, 2, 7, n / 3, n / 2, n - 64, n - 1] {
            factors(&Poly::from_exponents([n, k, 0]));
        }
    }
}

/// Two irreducible factors of one degree, which only equal-degree factorisation separates.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn two_of_equal_degree() {
    let (a, b) = (Poly::from_exponents([163, 7, 6, 3, 0]), Poly::from_exponents([163, 8, 2, 1, 0]));
    let product = &a * &b;
    assert_eq!(factors(&product), [(a.clone(), 1), (b.clone(), 1)]);
    assert_eq!(product.equal_degree_vartime(163), Some(vec![a.clone(), b.clone()]));
    assert_eq!(product.equal_degree_vartime(326), None);
    assert_eq!(product.distinct_degree_vartime(), Some(vec![(product, 163)]));
    assert_eq!(factors(&(&a * &b.square())), [(a, 1), (b, 2)]);
}

/// Whichever square is refused, the error comes back; with one more allowed than are asked for, the factors.
#[test]
fn stopped_ones_return_the_error() {
    let f = &Poly::from_exponents([30, 1, 0]) * &Poly::from_exponents([30, 29, 0]);
    let run = |limit: usize| {
        let mut squares = 0;
        f.try_factor_vartime(|| {
            squares += 1;
            if squares <= limit { Ok(()) } else { Err(squares) }
        })
    };
    assert_eq!(f.try_distinct_degree_vartime(|| Err(1)), Err(1));
    assert_eq!(f.try_equal_degree_vartime(30, || Err(1)), Err(1));
    let total = (0..).find(|&limit| run(limit).is_ok()).expect("it ends");
    assert!(total > 20);
    for limit in 0..total {
        assert_eq!(run(limit), Err(limit + 1));
    }
    assert_eq!(run(total), Ok(f.factor_vartime()));
}
