use carryless_gf2::algebra::{Divisor, Poly};

/// The number of powers of X modulo f in the bits of an integer, until one is 1; `None` if none is.
fn order(f: u64) -> Option<u64> {
    let n = f.ilog2();
    let (mut power, mut count) = (1, 0);
    while count < 1 << n {
        power <<= 1;
        power ^= if power >> n & 1 == 1 { f } else { 0 };
        count += 1;
        if power == 1 {
            return Some(count);
        }
    }
    None
}

/// X has the order 2^n - 1 only modulo primitive polynomials: others have fewer units.
#[test]
fn primitive_ones_of_small_degree() {
    for f in 2..if cfg!(miri) { 32 } else { 1 << 11 } {
        let wanted = order(f) == Some((1 << f.ilog2()) - 1);
        assert_eq!(Poly::from(f).is_primitive_vartime(), Some(wanted), "{f:#b}");
    }
    assert_eq!([0, 1].map(|c| Poly::from(c).is_primitive_vartime()), [Some(false); 2]);
    assert_eq!(Poly::from_exponents([65, 18, 0]).is_primitive_vartime(), None);
}

/// The first of the list by a search without shortcuts; larger ones from tables of shift registers.
#[test]
fn primitive_ones_are_found() {
    for n in 2..if cfg!(miri) { 6 } else { 17 } {
        let trinomials = (1..n).map(|k| vec![n, k, 0]);
        let pentanomials =
            (3..n).flat_map(|a| (2..a).flat_map(move |b| (1..b).map(move |c| vec![n, a, b, c, 0])));
        let mut all = trinomials.chain(pentanomials).map(Poly::from_exponents);
        let wanted = all.find(|f| order(f.words()[0]) == Some((1 << n) - 1));
        assert_eq!(Poly::find_primitive_vartime(n), wanted, "{n}");
    }
    let found = [0, 1, 65].map(Poly::find_primitive_vartime);
    assert_eq!(found, [None, Some(Poly::from(3)), None]);
    let known: &[&[usize]] =
        &[&[31, 3, 0], &[32, 7, 5, 3, 2, 1, 0], &[61, 5, 2, 1, 0], &[63, 1, 0], &[64, 4, 3, 1, 0]];
    for exponents in known.iter().filter(|_| !cfg!(miri)) {
        let f = Poly::from_exponents(exponents.iter().copied());
        assert_eq!(f.is_primitive_vartime(), Some(true), "{f}");
    }
}

/// Of 2^n - 1 with many divisors and of Mersenne's primes, also where X has the order (2^n - 1) / p for a large p.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn every_degree_has_one() {
    for n in 2..=Poly::MAX_PRIMITIVE_DEGREE {
        let f = Poly::find_primitive_vartime(n).expect("a degree from 1 to 64");
        assert!(f.weight() <= 5 && f.degree() == Some(n) && f.is_primitive_vartime() == Some(true), "{f}");
    }
}

/// The least in the order of integers that is primitive and compatible with those before.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn conway_polynomials_of_small_degree_by_their_definition() {
    let mut found: Vec<Poly> = vec![];
    for n in 1..=12 {
        let compatible = |f: &Poly| {
            let divisors = (1..n).filter(|d| n % d == 0);
            f.is_primitive_vartime() == Some(true) && divisors.into_iter().all(|d| is_root(f, &found[d - 1]))
        };
        let least = (1 << n..2 << n).map(Poly::from).find(compatible);
        assert_eq!(Poly::conway(n), least);
        found.extend(least);
    }
}

/// Whether g(X^e) is 0 modulo f, for e = (2^n - 1) / (2^d - 1) and the degrees n of f and d of g.
fn is_root(f: &Poly, g: &Poly) -> bool {
    let (n, d) = (f.degree().expect("not 0"), g.degree().expect("not 0"));
    let divisor = Divisor::new(f).expect("not 0");
    // e is the sum of 2^(d i): the product of the powers X^(2^(d i)).
    let (mut power, mut square) = (Poly::one(), divisor.rem(&Poly::x()));
    for _ in 0..n / d {
        power = divisor.mul_mod(&power, &square);
        (0..d).for_each(|_| square = divisor.mul_mod(&square, &square));
    }
    let value = (0..=d).rev().fold(Poly::zero(), |value, i| {
        let next = divisor.mul_mod(&value, &power);
        if g.coefficient(i) { next + Poly::one() } else { next }
    });
    value.is_zero()
}

/// The table has polynomials of the degrees that it says, irreducible, up to degree 64 primitive, and compatible.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn conway_polynomials_of_all_degrees() {
    let all: Vec<(usize, Poly)> = (0..=500).filter_map(|n| Some((n, Poly::conway(n)?))).collect();
    assert_eq!((all.len(), all[91].0, all[168].0), (169, 92, 409));
    for (n, f) in &all {
        assert!(
            f.degree() == Some(*n) && f.is_irreducible_vartime() && f.is_primitive_vartime() != Some(false),
            "{n}"
        );
        for (d, g) in all.iter().filter(|(d, _)| d < n && n % d == 0) {
            assert!(is_root(f, g), "{d} {n}");
        }
    }
}
