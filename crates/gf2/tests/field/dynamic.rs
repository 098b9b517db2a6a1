//! Fields whose f is given at run time: the same values as those of types, and as the definitions.
use crate::common::{backends, modulus, quick, reduced};
use crate::random::Random;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::{BinaryField, DynField, DynFieldError, DynInverse, Element, Field};
use carryless_gf2::poly::{Modulus, SizeError};
use carryless_reference::gf2;

/// Random elements, 0, 1 and z, through every operation of both.
fn agrees<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64 + 7);
    let f = Poly::from_words(&modulus::<F>());
    for cpu in backends() {
        let (typed, field) = (Field::<F>::on(cpu), DynField::on(cpu, &f).expect("irreducible"));
        let mut out = vec![!0; field.words()];
        let mut some = vec![Element::<F>::zero(), Element::one(), Element::z()];
        for _ in 0..if quick() { 1 } else { 8 } {
            let words: Vec<u64> = (0..field.words()).map(|_| rng.word()).collect();
            some.push(Element::from_words(reduced::<F>(&words)).expect("reduced"));
        }
        for (a, b) in some.iter().zip(some.iter().cycle().skip(3)) {
            let (x, y) = (a.as_words(), b.as_words());
            field.mul(x, y, &mut out);
            assert_eq!(out, typed.mul(a, b).as_words(), "{field:?}");
            field.square(x, &mut out);
            assert_eq!(out, typed.square(a).as_words(), "{field:?}");
            field.sqrt(x, &mut out);
            assert_eq!(out, typed.sqrt(a).as_words(), "{field:?}");
            field.invert_or_zero(x, &mut out);
            assert_eq!(out, typed.invert_or_zero(a).as_words(), "{field:?}");
            field.solve_unchecked(x, &mut out);
            assert_eq!(out, typed.solve_unchecked(a).as_words(), "{field:?}");
            assert_eq!(field.trace(x).to_bool(), a.trace().to_bool(), "{field:?}");
            field.add(x, y, &mut out);
            assert_eq!(out, (*a + *b).as_words(), "{field:?}");
        }
    }
}

macro_rules! each {
    ($($field:ident),*) => {
        #[allow(non_snake_case)]
        mod agrees {
            $(
                #[test]
                #[cfg_attr(miri, ignore = "Miri would take hours")]
                fn $field() {
                    super::agrees::<carryless_gf2::field::$field>();
                }
            )*
        }
    };
}
for_each_field! { each }

/// An irreducible polynomial of this degree: random if `dense`, else with few terms, which may be near the top.
pub(crate) fn irreducible(m: usize, dense: bool, rng: &mut Random) -> Poly {
    loop {
        let mut f = if dense {
            Poly::from_words(&rng.words(m / 64 + 1)).truncate(m)
        } else {
            Poly::from_exponents((0..2).map(|_| 1 + rng.word() as usize % (m.max(2) - 1)))
        };
        f.set_coefficient(0, true);
        f.set_coefficient(m, true);
        // An even number of terms is divisible by z + 1.
        f.set_coefficient(1, f.coefficient(1) ^ (f.weight() % 2 == 0));
        if f.is_irreducible_vartime() {
            return f;
        }
    }
}

/// a mod f, with all words of an element.
pub(crate) fn remainder(a: &[u64], f: &Poly, words: usize) -> Vec<u64> {
    let (_, mut rest) = gf2::div_rem(a, f.words());
    rest.resize(words, 0);
    rest
}

/// Every operation on a and b, against the definitions. Operands may have bits from z^m on.
pub(crate) fn definitions(field: &DynField, f: &Poly, a: &[u64], b: &[u64]) {
    let (m, words) = (field.degree(), field.words());
    let new = || vec![!0; words];
    let (mut out, mut other) = (new(), new());
    let one = remainder(&[1], f, words);
    let a_reduced = remainder(a, f, words);
    field.mul(a, b, &mut out);
    assert_eq!(out, remainder(&gf2::mul(a, b), f, words), "{field:?}");
    field.square(a, &mut out);
    assert_eq!(out, remainder(&gf2::square(a), f, words), "{field:?}");
    field.sqrt(&out, &mut other);
    assert_eq!(other, a_reduced, "{field:?}");
    field.sqrt(a, &mut other);
    assert_eq!(remainder(&gf2::square(&other), f, words), a_reduced, "{field:?}");
    field.invert_or_zero(a, &mut out);
    let product = remainder(&gf2::mul(a, &out), f, words);
    assert_eq!(product, if a_reduced.iter().all(|w| *w == 0) { vec![0; words] } else { one }, "{field:?}");
    let mut by_maps = new();
    DynInverse::new(field).invert_or_zero(a, &mut by_maps);
    assert_eq!(by_maps, out, "{field:?}");
    // The conjugates, by the definition: a, a^2, ... a^(2^m) = a. So k counts modulo m.
    let square = |a: &Vec<u64>| Some(remainder(&gf2::square(a), f, words));
    let mut conjugates: Vec<_> =
        core::iter::successors(Some(a_reduced.clone()), square).take(m + 1).collect();
    assert_eq!(conjugates.pop().as_ref(), Some(&a_reduced), "{field:?}");
    for k in [m, 3 * m + 2, usize::MAX, usize::MAX - 1] {
        field.frobenius(a, k, &mut out);
        assert_eq!(out, conjugates[k % m], "2^{k} on {field:?}");
    }
    // a^(2^(m - 1) + 1) = sqrt(a) a.
    let mut e = vec![0; words];
    e[0] = 1;
    e[(m - 1) / 64] |= 1 << ((m - 1) % 64);
    field.pow(a, &e, &mut out);
    assert_eq!(out, remainder(&gf2::mul(&other, a), f, words), "{field:?}");
    // The sum of the conjugates is the trace; c = a^2 + a has trace 0 and the solutions a and a + 1.
    let mut sum = vec![0; words];
    for conjugate in &conjugates {
        sum.iter_mut().zip(conjugate).for_each(|(sum, c)| *sum ^= c);
    }
    assert_eq!(sum, remainder(&[u64::from(field.trace(a).to_u8())], f, words), "{field:?}");
    field.square(a, &mut out);
    field.add(&out, &a_reduced, &mut other);
    field.solve_unchecked(&other, &mut out);
    // The two solutions differ in this bit alone, and either will do.
    out[0] |= 1;
    let mut root = a_reduced;
    root[0] |= 1;
    assert_eq!(out, root, "{field:?}");
}

/// All degrees up to 64, and those around words and kernels, with f of few terms and of many.
fn random_fields_follow_the_definitions(dense: bool) {
    let mut rng = Random(5 + u64::from(dense));
    let large = [65, 96, 127, 128, 129, 180, 192, 193, 250, 256, 257, 319, 320, 383, 447, 448, 511, 512];
    let larger = [576, 640, 704];
    let degrees: Vec<usize> = match quick() {
        true => vec![2, 3, 17, 64, 65, 130],
        false => (2..=64).chain(large).chain(larger).collect(),
    };
    // A sum of five terms or fewer is seldom irreducible for large m: the time is that of the search.
    for m in degrees.into_iter().filter(|m| *m <= 640 || dense) {
        let f = irreducible(m, dense, &mut rng);
        for cpu in backends() {
            let field = DynField::on(cpu, &f).expect("irreducible");
            for _ in 0..if m > 64 { 1 } else { 4 } {
                let [a, b] = [rng.words(field.words()), rng.words(field.words())];
                definitions(&field, &f, &a, &b);
            }
            definitions(&field, &f, &vec![0; field.words()], &vec![!0; field.words()]);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn random_fields_of_few_terms_follow_the_definitions() {
    random_fields_follow_the_definitions(false);
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn random_fields_of_many_terms_follow_the_definitions() {
    random_fields_follow_the_definitions(true);
}

/// All elements of small fields, and all pairs.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn small_fields_whole() {
    for m in 1..if quick() { 4 } else { 8 } {
        // z alone is irreducible without the term 1.
        for tail in (u64::from(m > 1)..1 << m).step_by(if m > 1 { 2 } else { 1 }) {
            let f = Poly::from(1 << m | tail);
            let Ok(field) = DynField::new(&f) else {
                assert!(!f.is_irreducible_vartime());
                continue;
            };
            for a in 0..1 << m {
                definitions(&field, &f, &[a], &[!a]);
                for b in 0..1 << m {
                    let mut out = [!0];
                    field.mul(&[a], &[b], &mut out);
                    assert_eq!(out[..], remainder(&gf2::mul(&[a], &[b]), &f, 1), "{a} {b} in {field:?}");
                }
            }
        }
    }
}

/// Products are linear in each operand, so right if they are right on monomials: f with many terms, for each number of words.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn products_of_monomials() {
    let mut rng = Random(6);
    for words in (1..=10).chain([14, 20]) {
        let m = 64 * words - if words == 20 { 1 } else { rng.word() as usize % 64 };
        if quick() && m > 200 {
            continue;
        }
        let f = irreducible(m.max(2), true, &mut rng);
        let monomial = |i: usize| {
            let mut a = vec![0; words];
            a[i / 64] = 1 << (i % 64);
            a
        };
        let step = if quick() { 31 } else { 1 + words / 3 * 4 };
        for cpu in backends().into_iter().rev().take(if words > 6 { 1 } else { 2 }) {
            let field = DynField::on(cpu, &f).expect("irreducible");
            let mut out = vec![0; words];
            let mut power = remainder(&[1], &f, words);
            let mut powers = Vec::new();
            for _ in 0..128 * words {
                powers.push(power.clone());
                power = remainder(&gf2::mul(&power, &[2]), &f, words);
            }
            for i in (0..64 * words).step_by(step) {
                for j in (0..64 * words).step_by(step) {
                    field.mul(&monomial(i), &monomial(j), &mut out);
                    assert_eq!(out, powers[i + j], "z^{i} z^{j} in {field:?}");
                }
            }
        }
    }
}

#[test]
fn what_makes_no_field() {
    let error = |f: &[usize]| DynField::from_exponents(f).expect_err("no field");
    assert_eq!(error(&[]), DynFieldError::Degree { found: None });
    assert_eq!(error(&[3, 3]), DynFieldError::Degree { found: None });
    assert_eq!(error(&[0]), DynFieldError::Degree { found: Some(0) });
    assert_eq!(error(&[1280, 5, 0]), DynFieldError::Degree { found: Some(1280) });
    assert_eq!(error(&[usize::MAX, 0]), DynFieldError::Degree { found: Some(usize::MAX) });
    assert_eq!(error(&[233, 75, 0]), DynFieldError::Reducible);
    assert_eq!(error(&[64, 4, 3, 1]), DynFieldError::Reducible);
    let f = Modulus::new(&[64, 4, 3, 1, 0]).expect("descending");
    let field = DynField::from_modulus(f).expect("irreducible");
    assert_eq!((field.degree(), field.words(), field.exponents()), (64, 1, &[64, 4, 3, 1, 0][..]));
    assert_eq!(field, DynField::from_exponents(&[0, 1, 64, 3, 4]).expect("in any order"));
}

#[test]
#[should_panic(expected = "an element has 4 words")]
fn a_slice_of_another_length_is_no_element() {
    DynField::from_exponents(&[233, 74, 0]).expect("irreducible").square(&[0; 4], &mut [0; 3]);
}

/// The same values without panics, and errors for every slice that is no element.
#[test]
fn wrong_lengths_are_errors() {
    type Form<R> = fn(&DynField, &[u64], &mut [u64]) -> R;
    type Pair = (Form<Result<(), SizeError>>, Form<()>);
    let field = DynField::from_exponents(&[100, 15, 0]).expect("irreducible");
    let (a, b, mut out, mut expected) = ([5, 6], [7, 8], [0; 2], [0; 2]);
    let wrong = |found| Err(SizeError::Length { expected: 2, found });
    field.mul(&a, &b, &mut expected);
    assert_eq!((field.try_mul(&a, &b, &mut out), out), (Ok(()), expected));
    field.add(&a, &b, &mut expected);
    assert_eq!((field.try_add(&a, &b, &mut out), out), (Ok(()), expected));
    assert_eq!(field.try_mul(&a, &[], &mut out), wrong(0));
    assert_eq!(field.try_add(&a, &b, &mut [0; 3]), wrong(3));
    let unary: [Pair; 6] = [
        (DynField::try_square, DynField::square),
        (DynField::try_sqrt, DynField::sqrt),
        (DynField::try_invert_or_zero, DynField::invert_or_zero),
        (DynField::try_solve_unchecked, DynField::solve_unchecked),
        (|field, a, out| field.try_frobenius(a, 3, out), |field, a, out| field.frobenius(a, 3, out)),
        (|field, a, out| field.try_pow(a, &[9], out), |field, a, out| field.pow(a, &[9], out)),
    ];
    for (try_form, form) in unary {
        form(&field, &a, &mut expected);
        assert_eq!((try_form(&field, &a, &mut out), out), (Ok(()), expected));
        assert_eq!(try_form(&field, &a[..1], &mut out), wrong(1));
        assert_eq!(try_form(&field, &a, &mut [0; 1]), wrong(1));
        assert_eq!(out, expected, "nothing was written");
    }
    assert_eq!(field.try_trace(&a).map(|trace| trace.to_bool()), Ok(field.trace(&a).to_bool()));
    assert_eq!(field.try_trace(&a[1..]).err(), wrong(1).err());
}

/// Slices of every length around groups of lanes, chains and blocks: each result is that of one element. Zeros are among them, and elements with bits from
/// z^m on.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn slices_follow_single_operations() {
    let mut rng = Random(9);
    let degrees: &[usize] =
        if quick() { &[8, 100] } else { &[2, 8, 31, 32, 33, 64, 100, 128, 233, 320, 700] };
    for (&m, dense) in degrees.iter().zip([true, false].into_iter().cycle()).chain([(&100, true)]) {
        let f = irreducible(m, dense || m > 640, &mut rng);
        for cpu in backends() {
            let field = DynField::on(cpu, &f).expect("irreducible");
            for len in (0..if quick() { 10 } else { 20 }).chain([65, 300]) {
                for canonical in [true, false] {
                    slices(&field, len, canonical, &mut rng);
                }
            }
        }
    }
}

/// More than a block of inversions.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn long_slices_are_inverted() {
    for f in [&[8, 4, 3, 1, 0][..], &[100, 15, 0]] {
        let field = DynField::from_exponents(f).expect("irreducible");
        let len = if quick() { 100 } else { (1 << 14) / field.words() + 65 };
        slices(&field, len, true, &mut Random(10));
    }
}

fn slices(field: &DynField, len: usize, canonical: bool, rng: &mut Random) {
    let words = field.words();
    let mut elements = || {
        let mut all = rng.words(len * words);
        for element in all.chunks_exact_mut(words) {
            let copy = if rng.word().is_multiple_of(8) { vec![0; words] } else { element.to_vec() };
            element.copy_from_slice(&copy);
            if canonical {
                field.frobenius(&copy, 0, element);
            }
        }
        all
    };
    let (a, b) = (elements(), elements());
    let one = |operation: &dyn Fn(usize, &mut [u64])| {
        let mut out = vec![!0; a.len()];
        out.chunks_exact_mut(words).enumerate().for_each(|(i, out)| operation(i * words, out));
        out
    };
    let mut out = vec![!0; a.len()];
    field.mul_slices(&a, &b, &mut out);
    let products = one(&|at, out| field.mul(&a[at..at + words], &b[at..at + words], out));
    assert_eq!(out, products, "{field:?}, {len}");
    field.batch_invert(&a, &mut out);
    assert_eq!(out, one(&|at, out| field.invert_or_zero(&a[at..at + words], out)), "{field:?}, {len}");
    let mut sum = vec![!0; words];
    field.dot(&a, &b, &mut sum);
    let expected = products.chunks_exact(words).fold(vec![0; words], |mut sum, product| {
        sum.iter_mut().zip(product).for_each(|(sum, word)| *sum ^= word);
        sum
    });
    assert_eq!(sum, expected, "{field:?}, {len}");
    if let Some(by) = b.get(..words) {
        field.scale_slice(&a, by, &mut out);
        assert_eq!(out, one(&|at, out| field.mul(&a[at..at + words], by, out)), "{field:?}, {len}");
    }
}
