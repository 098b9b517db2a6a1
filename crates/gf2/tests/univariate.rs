//! Polynomials over fields against the textbook's on single coefficients.
#[path = "common/random.rs"]
mod random;

use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use carryless_gf2::univariate::FieldPoly;
use random::Random;

/// Of one bit, within a half, a word and words, and whole words.
fn fields() -> Vec<DynField> {
    let all: [&[usize]; 8] = [
        &[1, 0],
        &[2, 1, 0],
        &[8, 4, 3, 1, 0],
        &[32, 7, 3, 2, 0],
        &[33, 10, 0],
        &[64, 4, 3, 1, 0],
        &[65, 18, 0],
        &[163, 7, 6, 3, 0],
    ];
    all.into_iter().map(|f| DynField::from_exponents(f).expect("irreducible")).collect()
}

fn elements(field: &DynField, random: &mut Random, n: usize) -> Vec<u64> {
    let mut words = random.words(n * field.words());
    let unused = 64 * field.words() - field.degree();
    words.chunks_exact_mut(field.words()).for_each(|element| element[field.words() - 1] >>= unused);
    words
}

/// A polynomial with n coefficients, of which the last is 1.
fn monic<'f>(field: &'f DynField, random: &mut Random, n: usize) -> FieldPoly<'f> {
    let mut words = elements(field, random, n);
    if n > 0 {
        words[(n - 1) * field.words()..].fill(0);
        words[(n - 1) * field.words()] = 1;
    }
    FieldPoly::from_words(field, words)
}

fn textbook<'f>(a: &FieldPoly<'f>, b: &FieldPoly<'f>) -> FieldPoly<'f> {
    let (field, width) = (a.field(), a.field().words());
    let (mut out, mut product) = (vec![0; a.words().len() + b.words().len()], vec![0; width]);
    for (i, x) in a.words().chunks_exact(width).enumerate() {
        for (j, y) in b.words().chunks_exact(width).enumerate() {
            field.mul(x, y, &mut product);
            out[(i + j) * width..].iter_mut().zip(&product).for_each(|(word, add)| *word ^= add);
        }
    }
    FieldPoly::from_words(field, out)
}

#[test]
fn products_and_quotients_are_the_textbooks() {
    let mut random = Random(1);
    for field in &fields() {
        for [m, n] in [[0, 0], [0, 3], [1, 1], [1, 9], [2, 2], [7, 5], [40, 64], [65, 3], [70, 71]] {
            let (a, b) = (monic(field, &mut random, m), monic(field, &mut random, n));
            let a = FieldPoly::from_words(field, [a.words(), &elements(field, &mut random, 1)].concat());
            let product = &a * &b;
            assert_eq!(product, textbook(&a, &b), "{m} {n} {field:?}");
            assert_eq!(product, &b * &a);
            assert_eq!(&(&a + &b) + &b, a);
            let rest = FieldPoly::from_words(field, elements(field, &mut random, n.saturating_sub(1)));
            let divided = (&product + &rest).div_rem(&b);
            assert_eq!(divided, (n > 0).then_some((a, rest)), "{m} {n} {field:?}");
        }
    }
}

/// Around the length from which divisions take products with an inverse.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn long_quotients() {
    let mut random = Random(2);
    for field in [&fields()[2], &fields()[6]] {
        for [quotient, divisor] in [[128, 128], [129, 129], [129, 400], [400, 129], [300, 5], [513, 257]] {
            let scale = [3].into_iter().chain(vec![0; field.words() - 1]).collect();
            let scale = FieldPoly::from_words(field, scale);
            let d = &monic(field, &mut random, divisor) * &scale;
            let q = FieldPoly::from_words(field, elements(field, &mut random, quotient));
            let r = FieldPoly::from_words(field, elements(field, &mut random, divisor - 1));
            assert_eq!((&(&q * &d) + &r).div_rem(&d), Some((q.clone(), r.clone())), "{quotient} {divisor}");
            // Powers are those by one product after the other.
            let mut power =
                FieldPoly::from_words(field, [1].into_iter().chain(vec![0; field.words() - 1]).collect());
            for e in 0..6 {
                assert_eq!(q.pow_mod_vartime(&[e], &d).as_ref(), Some(&power), "{e}");
                power = (&power * &q).div_rem(&d).expect("not 0").1;
            }
        }
    }
}

/// Products of random polynomials and of their powers. Over GF(2) factors are those of `Poly`.
#[test]
fn factors_and_roots() {
    let mut random = Random(5);
    for field in &fields() {
        let one = FieldPoly::from_words(field, [&[1], &vec![0; field.words() - 1][..]].concat());
        let [a, b, c] = [2, 4, 7].map(|n| monic(field, &mut random, n));
        for f in [a.clone(), &(&a * &a) * &b, &(&(&b * &b) * &(&b * &c)) * &(&c * &a), one.clone()] {
            let factors = f.factor_vartime().expect("not 0");
            let powers = factors.iter().flat_map(|(factor, e)| std::iter::repeat_n(factor, *e));
            assert_eq!(powers.fold(one.clone(), |product, factor| &product * factor), f, "{field:?}");
            assert!(factors.iter().all(|(factor, _)| factor.is_irreducible_vartime()), "{field:?}");
            assert!(factors.windows(2).all(|pair| pair[0].0 != pair[1].0), "{field:?}");
            assert!(factors.is_sorted_by_key(|(factor, _)| factor.degree()));
            assert_eq!(f.is_irreducible_vartime(), factors.len() == 1 && factors[0].1 == 1);
            let linear = factors.iter().filter(|(factor, _)| factor.degree() == Some(1));
            let mut expected: Vec<_> =
                linear.map(|(factor, e)| (factor.words()[..field.words()].to_vec(), *e)).collect();
            expected.sort_by(|(x, _), (y, _)| x.iter().rev().cmp(y.iter().rev()));
            assert_eq!(f.roots_vartime(), Some(expected), "{field:?}");
            if field.degree() == 1 {
                let bits = |f: &FieldPoly<'_>| {
                    Poly::from_exponents((0..f.words().len()).filter(|&i| f.words()[i] == 1))
                };
                let binary = bits(&f).factor_vartime().expect("not 0");
                let mut found: Vec<_> = factors.iter().map(|(factor, e)| (bits(factor), *e)).collect();
                found.sort_unstable();
                assert_eq!(found, binary);
            }
        }
        let zero = FieldPoly::from_words(field, vec![]);
        assert_eq!((zero.factor_vartime(), zero.roots_vartime()), (None, None));
        assert!(!zero.is_irreducible_vartime() && !one.is_irreducible_vartime());
        assert_eq!(a.try_factor_vartime(|| Err("stopped")), Err("stopped"));
        assert_eq!(a.try_roots_vartime(|| Err("stopped")), Err("stopped"));
    }
}

/// X^q - X has every element as a root, once; X^(2 q) - X^2 twice.
#[test]
fn all_elements_are_roots() {
    let field = DynField::from_exponents(&[5, 2, 0]).expect("irreducible");
    let mut words = vec![0; 33];
    (words[1], words[32]) = (1, 1);
    let f = FieldPoly::from_words(&field, words);
    assert_eq!(f.derivative(), FieldPoly::from_words(&field, vec![1]));
    let roots = |e| (0..32).map(|root| (vec![root], e)).collect::<Vec<_>>();
    assert_eq!(f.roots_vartime(), Some(roots(1)));
    assert_eq!((&f * &f).roots_vartime(), Some(roots(2)));
    let pair = FieldPoly::from_words(&field, vec![0, 1, 1]);
    assert_eq!(pair.factor_vartime().map(|factors| factors.len()), Some(2));
    // (X^3 + X + 5)' = X^2 + 1, and constants have the derivative 0.
    let cubic = FieldPoly::from_words(&field, vec![5, 1, 0, 1]);
    assert_eq!(cubic.derivative(), FieldPoly::from_words(&field, vec![1, 0, 1]));
    assert_eq!(cubic.derivative().derivative().derivative().degree(), None);
}

/// Packed elements of 1, 2 and 4 bytes, and words. Points may have bits from z^m on.
#[test]
fn values_at_many_points_are_those_of_single_ones() {
    let mut random = Random(4);
    let exponents: [&[usize]; 7] = [
        &[1, 0],
        &[8, 4, 3, 1, 0],
        &[11, 2, 0],
        &[16, 5, 3, 1, 0],
        &[21, 2, 0],
        &[32, 7, 3, 2, 0],
        &[40, 5, 4, 3, 0],
    ];
    for field in exponents.map(|exponents| DynField::from_exponents(exponents).expect("irreducible")) {
        let coefficients = elements(&field, &mut random, 7);
        let points = random.words(150);
        let value = |point: &u64| {
            coefficients.iter().rev().fold(0, |value, coefficient| {
                let mut product = [0];
                field.mul(&[value], &[*point], &mut product);
                product[0] ^ coefficient
            })
        };
        let expected: Vec<u64> = points.iter().map(value).collect();
        assert_eq!(
            FieldPoly::from_words(&field, coefficients.clone()).values(&points),
            expected,
            "{field:?}"
        );
    }
}

#[test]
fn divisors_values_and_interpolation() {
    let mut random = Random(3);
    for field in &fields() {
        let width = field.words();
        let [a, b, c] = [9, 6, 7].map(|n| monic(field, &mut random, n));
        let common = (&a * &c).gcd_vartime(&(&b * &c));
        assert!((&a * &c).div_rem(&common).is_some_and(|(_, rest)| rest.degree().is_none()));
        assert!(common.div_rem(&c).is_some_and(|(_, rest)| rest.degree().is_none()));
        assert_eq!(common.words()[common.words().len() - width], 1);
        let zero = FieldPoly::from_words(field, vec![]);
        assert_eq!(
            (zero.gcd_vartime(&zero), zero.gcd_vartime(&a), a.gcd_vartime(&zero)),
            (zero.clone(), a.clone(), a.clone())
        );
        assert_eq!((a.div_rem(&zero), a.pow_mod_vartime(&[1], &zero)), (None, None));
        // Fermat: every element is a root of X^q - X. Modulo a polynomial with different roots X^q is X.
        if field.degree() <= 8 {
            let points: Vec<u64> = (0..1 << field.degree().min(5)).collect();
            let roots = points.iter().map(|&x| FieldPoly::from_words(field, vec![x, 1]));
            let all = roots.reduce(|product, root| &product * &root).expect("not empty");
            let x = FieldPoly::from_words(field, vec![0, 1]);
            assert_eq!(
                x.pow_mod_vartime(&[1 << field.degree()], &all),
                Some(x.div_rem(&all).expect("not 0").1)
            );
            assert!(all.values(&points).iter().all(|&value| value == 0));
        }
        let n = if field.degree() == 1 { 2 } else { 4 };
        let mut points = elements(field, &mut random, n);
        points.chunks_exact_mut(width).enumerate().for_each(|(i, point)| point[0] = i as u64);
        let values = elements(field, &mut random, n);
        let found = FieldPoly::interpolate_vartime(field, &points, &values).expect("different points");
        assert!(found.degree().is_none_or(|degree| degree < n));
        assert_eq!(found.values(&points), values, "{field:?}");
        points.copy_within(0..width, (n - 1) * width);
        assert_eq!(FieldPoly::interpolate_vartime(field, &points, &values), None);
        assert_eq!(FieldPoly::interpolate_vartime(field, &[], &[]), Some(zero));
    }
}

/// Shorter than the subspace, as long, and longer, which takes the remainder.
#[test]
fn values_on_subspaces() {
    let mut random = Random(5);
    for field in &fields() {
        let width = field.words();
        let dimension = field.degree().min(6);
        let basis: Vec<u64> = (0..dimension)
            .flat_map(|i| {
                let mut element = elements(field, &mut random, 1);
                // Bit i is the last one that is set of the lowest, so that they are linearly independent.
                element[0] = element[0] >> dimension << dimension | 1 << i | element[0] & ((1 << i) - 1);
                element
            })
            .collect();
        let offset = elements(field, &mut random, 1);
        let mut points = offset.clone();
        for element in basis.chunks_exact(width) {
            let with_it: Vec<u64> = points.iter().zip(element.iter().cycle()).map(|(a, b)| a ^ b).collect();
            points.extend(with_it);
        }
        for n in [0, 1, 2, 3, 5, 16, 31, 63, 64, 65, 95, 96, 97, 300] {
            let a = FieldPoly::from_words(field, elements(field, &mut random, n));
            assert_eq!(a.values_on_subspace(&basis, &offset), Some(a.values(&points)), "{n} {field:?}");
        }
    }
}

#[test]
fn a_caller_ends_long_computations() {
    let field = DynField::from_exponents(&[8, 4, 3, 1, 0]).expect("irreducible");
    let mut random = Random(4);
    let [a, b] = [9, 6].map(|n| monic(&field, &mut random, n));
    let stop = || Err("stopped");
    assert_eq!(a.try_gcd_vartime(&b, stop), Err("stopped"));
    assert_eq!(a.try_pow_mod_vartime(&[2], &b, stop), Err("stopped"));
    assert_eq!(a.try_values(&[1, 2], stop), Err("stopped"));
    assert_eq!(a.try_values_on_subspace(&[1, 2], &[0], stop), Err("stopped"));
    assert_eq!(FieldPoly::try_interpolate_vartime(&field, &[1, 2], &[3, 4], stop), Err("stopped"));
    assert_eq!(a.try_pow_mod_vartime(&[], &b, stop), Ok(Some(FieldPoly::from_words(&field, vec![1]))));
}

#[test]
fn what_does_not_fit_is_refused() {
    let [small, other, long] =
        [&[4, 1, 0][..], &[4, 3, 0], &[65, 18, 0]].map(|f| DynField::from_exponents(f).expect("irreducible"));
    let a = FieldPoly::from_words(&small, vec![1, 2]);
    let b = FieldPoly::from_words(&other, vec![1, 2]);
    let refused: [&dyn Fn(); 8] = [
        &|| _ = FieldPoly::from_words(&small, vec![16]),
        &|| _ = FieldPoly::from_words(&long, vec![1]),
        &|| _ = &a * &b,
        &|| _ = &a + &b,
        &|| _ = a.div_rem(&b),
        &|| _ = a.pow_mod_vartime(&[1], &b),
        &|| _ = FieldPoly::from_words(&long, vec![]).values(&[1]),
        &|| _ = FieldPoly::interpolate_vartime(&small, &[1], &[]),
    ];
    for (i, call) in refused.iter().enumerate() {
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err(), "{i}");
    }
}
