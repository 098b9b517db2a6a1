use carryless_gf2::algebra::Poly;

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
