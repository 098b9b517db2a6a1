use crate::common::{Random, samples};
use carryless_gf2::algebra::{Divisor, Poly};
use carryless_reference::gf2;

fn remainder(a: &[u64], f: &Poly) -> Poly {
    Poly::from(gf2::div_rem(a, f.words()).1)
}

#[test]
fn products_and_powers_are_those_of_the_reference() {
    let mut random = Random(31);
    let all = samples(&mut random);
    for f in all.iter().filter(|f| !f.is_zero()).step_by(3) {
        for (a, b) in all.iter().zip(all.iter().skip(7)) {
            let product = remainder(&gf2::mul(a.words(), b.words()), f);
            assert_eq!(a.mul_mod(b, f).as_ref(), Some(&product), "{a} times {b} modulo {f}");
            let mut square = remainder(&gf2::square(a.words()), f);
            assert_eq!(a.square_mod(f).as_ref(), Some(&square));
            // Two squares more: a^8, which three functions compute.
            for _ in 0..2 {
                square = remainder(&gf2::square(square.words()), f);
            }
            assert_eq!(a.frobenius_mod(3, f).as_ref(), Some(&square));
            assert_eq!(a.pow_mod_vartime(&[8], f), Some(square));
        }
    }
}

#[test]
fn powers_by_every_exponent() {
    let (mut random, f) = (Random(32), Poly::from_exponents([163, 7, 6, 3, 0]));
    let (a, divisor) = (random.poly(150), Divisor::new(&f).expect("not zero"));
    let mut power = Poly::one();
    for e in 0..if cfg!(miri) { 4 } else { 300 } {
        assert_eq!(divisor.pow_mod_vartime(&a, &[e, 0]), power, "{e}");
        power = divisor.mul_mod(&power, &a);
    }
    // a^(2^163 - 1) = 1 in the field.
    let order = [!0, !0, (1 << 35) - 1];
    assert_eq!(a.pow_mod_vartime(&order, &f), Some(Poly::one()));
    assert_eq!(a.frobenius_mod(163, &f), Some(a));
    assert_eq!(Poly::zero().pow_mod_vartime(&[], &f), Some(Poly::one()));
    assert_eq!(Poly::x().pow_mod_vartime(&[0], &Poly::one()), Some(Poly::zero()));
}

/// Small exponents against the remainder of X^e, large ones against the power of X.
#[test]
fn powers_of_x() {
    let mut random = Random(35);
    for f in [0, 1, 2, 8, 63, 64, 65, 163].map(|n| random.poly(n)) {
        for e in 0..if cfg!(miri) { 20 } else { 400 } {
            let wanted = remainder(Poly::monomial(e).words(), &f);
            assert_eq!(Poly::x_power_mod_vartime(&[e as u64, 0], &f), Some(wanted), "X^{e} modulo {f}");
        }
        let e = random.words(if cfg!(miri) { 1 } else { 4 });
        assert_eq!(Poly::x_power_mod_vartime(&e, &f), Poly::x().pow_mod_vartime(&e, &f), "modulo {f}");
        assert_eq!(Poly::x_power_mod_vartime(&[], &f), Poly::one().rem(&f));
    }
}

/// Where more squarings than the degree has are asked for, by compositions: modulo an irreducible polynomial k counts modulo its degree, modulo X^n a
/// large power is 0 or its constant, and modulo any f k squarings are k squarings.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn frobenius_by_any_count() {
    let mut random = Random(34);
    for f in
        [&[8, 4, 3, 1, 0][..], &[163, 7, 6, 3, 0], &[1, 0]].map(|f| Poly::from_exponents(f.iter().copied()))
    {
        let (n, divisor) = (f.degree().expect("not zero"), Divisor::new(&f).expect("not zero"));
        for k in [n + 1, 1025, 123_456, usize::MAX - 1, usize::MAX] {
            let a = random.poly(n + 40);
            let wanted = (0..k % n).fold(divisor.rem(&a), |power, _| divisor.square_mod(&power));
            assert_eq!(divisor.frobenius_mod(&a, k), wanted, "2^{k} modulo {f}");
        }
    }
    for n in [0, 1, 64, 65, 700] {
        let (f, a) = (Poly::monomial(n), random.poly(500));
        assert_eq!(a.frobenius_mod(usize::MAX, &f), a.truncate(1).rem(&f), "modulo X^{n}");
    }
    for f in [2, 63, 200].map(|n| random.poly(n)) {
        let (a, divisor) = (random.poly(190), Divisor::new(&f).expect("not zero"));
        let mut power = divisor.rem(&a);
        for k in 1..1100 {
            power = remainder(&gf2::square(power.words()), &f);
            if k % 97 == 0 || k > 1020 && k < 1030 {
                assert_eq!(divisor.frobenius_mod(&a, k), power, "2^{k} modulo {f}");
            }
        }
    }
}

#[test]
fn compositions_are_sums_of_powers() {
    let mut random = Random(33);
    for f in [1, 64, 163, 200].map(|n| random.poly(n)) {
        let divisor = Divisor::new(&f).expect("not zero");
        for degree in [0, 1, 2, 3, 8, 24, 25, 63] {
            let (a, b) = (random.poly(degree), random.poly(170));
            let powers = a.exponents().map(|e| divisor.pow_mod_vartime(&b, &[e as u64])).collect::<Vec<_>>();
            assert_eq!(a.compose_mod_vartime(&b, &f), Some(powers.iter().sum()), "{degree}");
        }
        assert_eq!(Poly::zero().compose_mod_vartime(&f, &f), Some(Poly::zero()));
    }
}

#[test]
fn nothing_is_computed_modulo_zero() {
    let (a, zero) = (Poly::x(), Poly::zero());
    assert_eq!(a.mul_mod(&a, &zero), None);
    assert_eq!(a.square_mod(&zero), None);
    assert_eq!(a.frobenius_mod(1, &zero), None);
    assert_eq!(a.pow_mod_vartime(&[1], &zero), None);
    assert_eq!(Poly::x_power_mod_vartime(&[1], &zero), None);
    assert_eq!(a.compose_mod_vartime(&a, &zero), None);
}

/// Every polynomial of degree up to 9, by trial division.
#[test]
fn irreducible_ones_of_small_degree() {
    let divides = |d: u64, f: u64| Poly::from(f).rem(&Poly::from(d)).expect("not zero").is_zero();
    for f in 0..if cfg!(miri) { 32 } else { 1 << 10 } {
        let half = 64 - u64::leading_zeros(f);
        let factor = (2..1 << half.div_ceil(2)).any(|d| d != f && divides(d, f));
        assert_eq!(Poly::from(f).is_irreducible_vartime(), f > 1 && !factor, "{f:#b}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn irreducible_ones_of_curves_and_their_like() {
    let known: [&[usize]; 7] = [
        &[113, 9, 0],
        &[163, 7, 6, 3, 0],
        &[233, 74, 0],
        &[283, 12, 7, 5, 0],
        &[409, 87, 0],
        &[571, 10, 5, 2, 0],
        &[2281, 715, 0],
    ];
    for exponents in known {
        let f = Poly::from_exponents(exponents.iter().copied());
        assert!(f.is_irreducible_vartime(), "{f}");
        assert!(!f.square().is_irreducible_vartime());
        assert!(!(&f + &Poly::x()).is_irreducible_vartime() || f.degree() == Some(1), "{f} + X");
    }
}

/// Products of two of equal degree, which divide X^(2^n) - X for their own degree 2m: only the common divisor tells.
#[test]
fn products_of_equal_degrees_are_reducible() {
    let (a, b) = (Poly::from_exponents([163, 7, 6, 3, 0]), Poly::from_exponents([163, 8, 2, 1, 0]));
    for (a, b) in [(a.clone(), b), (Poly::from(0b1011), Poly::from(0b1101)), (a, Poly::from(0b111))] {
        assert!(a.is_irreducible_vartime() && b.is_irreducible_vartime());
        let f = &a * &b;
        if a.degree() == b.degree() {
            let power = Poly::x().frobenius_mod(f.degree().expect("not zero"), &f);
            assert_eq!(power, Some(Poly::x()), "the first condition alone does not tell");
        }
        assert!(!f.is_irreducible_vartime());
        assert!(!(&f * &a).is_irreducible_vartime());
    }
}

/// Operands and moduli around 640 bits, which need no allocation and have kernels.
#[test]
fn sizes_around_those_without_an_allocation() {
    let mut random = Random(36);
    for n in [1, 63, 64, 65, 127, 128, 571, 575, 576, 577, 639, 640, 641, 703, 704, 1279, 1280, 1281] {
        // Every shape of the modulus: a kernel, shifts, and dense.
        let sparse = [n, n / 3, 0].into_iter().filter(|&i| i == n || i == 0 || n > 2);
        for f in [Poly::from_exponents(sparse), random.poly(n)] {
            let divisor = Divisor::new(&f).expect("not zero");
            for bits in [n - 1, n.saturating_sub(64), n / 2, n, 2 * n] {
                let (a, b) = (random.poly(bits), random.poly(n - 1));
                let product = remainder(&gf2::mul(a.words(), b.words()), &f);
                assert_eq!(divisor.mul_mod(&a, &b), product, "{a} times {b} modulo {f}");
                assert_eq!(divisor.square_mod(&a), remainder(&gf2::square(a.words()), &f), "{a} modulo {f}");
                let equal = Poly::from_words(&[a.words(), &[0; 3]].concat());
                assert!(equal == a && equal.into_words() == a.words(), "{bits} bits");
            }
        }
    }
}

/// A power that is stopped returns the error, and calls nothing more.
#[test]
fn powers_end_where_they_are_told_to() {
    let f = Divisor::new(&Poly::from_exponents([127, 1, 0])).expect("not zero");
    let e = [!0; 2];
    let mut calls = 0;
    let whole = f.try_pow_mod_vartime(&Poly::x(), &e, || {
        calls += 1;
        Ok::<(), usize>(())
    });
    assert_eq!(whole, Ok(f.pow_mod_vartime(&Poly::x(), &e)));
    for end in 0..calls {
        let mut left: usize = end;
        let stopped = f.try_pow_mod_vartime(&Poly::x(), &e, || {
            left = left.checked_sub(1).ok_or(end)?;
            Ok(())
        });
        assert_eq!(stopped, Err(end));
    }
}
