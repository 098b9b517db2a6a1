use carryless_gf2::algebra::Poly;

/// The first irreducible polynomial of the list.
fn first(list: impl Iterator<Item = Vec<usize>>) -> Option<Poly> {
    list.map(Poly::from_exponents).find(Poly::is_irreducible_vartime)
}

/// Against a search without shortcuts.
#[test]
fn least_ones_of_every_small_degree() {
    for n in 0..if cfg!(miri) { 10 } else { 200 } {
        let trinomial = first((1..n).map(|k| vec![n, k, 0]));
        assert_eq!(Poly::least_trinomial_vartime(n), trinomial, "{n}");
        let triples = (3..n).flat_map(|a| (2..a).flat_map(move |b| (1..b).map(move |c| (a, b, c))));
        let pentanomial = first(triples.map(|(a, b, c)| vec![n, a, b, c, 0]));
        assert_eq!(Poly::least_pentanomial_vartime(n), pentanomial, "{n}");
        let wanted = match n {
            0 => None,
            1 => Some(Poly::x()),
            _ => trinomial.or(pentanomial),
        };
        assert_eq!(Poly::find_irreducible_vartime(n), wanted, "{n}");
        assert_eq!(wanted.is_some(), n > 0);
    }
}

/// Those of curves of NIST, of degrees that NTL tabulates, and of three that its search finds.
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn known_ones() {
    let known: [&[usize]; 9] = [
        &[163, 7, 6, 3, 0],
        &[233, 74, 0],
        &[283, 12, 7, 5, 0],
        &[409, 87, 0],
        &[571, 10, 5, 2, 0],
        &[1024, 19, 6, 1, 0],
        &[2281, 715, 0],
        &[3000, 15, 12, 9, 0],
        &[4423, 271, 0],
    ];
    for exponents in known {
        let wanted = Poly::from_exponents(exponents.iter().copied());
        assert_eq!(Poly::find_irreducible_vartime(exponents[0]), Some(wanted));
    }
}

/// Whichever call is refused, the error comes back; with one more allowed than are asked for, the polynomial.
#[test]
fn stopped_searches_return_the_error() {
    let run = |limit: usize| {
        let mut calls = 0;
        Poly::try_find_irreducible_vartime(16, || {
            calls += 1;
            if calls <= limit { Ok(()) } else { Err(calls) }
        })
    };
    let total = (0..).find(|&limit| run(limit).is_ok()).expect("it ends");
    assert!(total > 16, "squares of the last trial count");
    for limit in 0..total {
        assert_eq!(run(limit), Err(limit + 1));
    }
    assert_eq!(run(total), Ok(Poly::find_irreducible_vartime(16)));
}
