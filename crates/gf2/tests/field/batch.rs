//! Inverses in batch and by Euclid's algorithm, against those by Itoh and Tsujii.
use crate::common::{backends, quick, random};
use crate::random::Random;
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords, Shape};

/// Batches of all lengths up to some groups of two vectors, with zeros in all places, one after the other, and in none.
fn batches<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64);
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let longest = 4 * cpu.lanes() + 3;
        let all: Vec<_> = (0..longest).map(|_| random::<F>(&mut rng).to_words()).collect();
        let inverses = one_by_one(&field, &all);
        for len in (0..=longest).step_by(if quick() { 3 } else { 1 }) {
            for zero in (0..=len).step_by(if quick() { 5 } else { 1 }) {
                let (mut a, mut want) = (all[..len].to_vec(), inverses[..len].to_vec());
                for row in [&mut a, &mut want] {
                    row.iter_mut()
                        .skip(zero)
                        .step_by(len.max(1))
                        .for_each(|words| *words = Default::default());
                }
                // What was there before is not seen.
                let mut out = all[..len].to_vec();
                field.batch_invert(&a, &mut out);
                assert_eq!(out, want, "{len} elements, the one at {zero} is 0, on {field:?}");
            }
        }
        multiples_of_the_modulus(&field);
        monomials(&field);
    }
}

/// Each bit by itself makes an element nonzero. The steps are odd, so that every place of a word occurs in fields of more than 64 bits.
fn monomials<F: BinaryField>(field: &Field<F>) {
    let step = if quick() { 37 } else { 1 + F::DEGREE / 320 * 2 };
    let all: Vec<_> = (0..F::DEGREE).step_by(step).map(monomial::<F>).collect();
    let mut inverses = all.clone();
    field.batch_invert(&all, &mut inverses);
    assert_eq!(inverses, one_by_one(field, &all), "{field:?}");
}

/// The words of z^i, for i below the degree.
fn monomial<F: BinaryField>(i: usize) -> FieldWords<F> {
    let mut words = FieldWords::<F>::default();
    words.as_mut()[i / 64] |= 1 << (i % 64);
    words
}

fn one_by_one<F: BinaryField>(field: &Field<F>, a: &[FieldWords<F>]) -> Vec<FieldWords<F>> {
    let inverse = |words: &_| field.invert_or_zero(&Element::from_words(*words).expect("reduced"));
    a.iter().map(|words| inverse(words).to_words()).collect()
}

/// f itself, and elements plus f, where the words have room for it: 0 by another name.
fn multiples_of_the_modulus<F: BinaryField>(field: &Field<F>) {
    if F::DEGREE % 64 == 0 {
        return;
    }
    let mut f = FieldWords::<F>::default();
    for e in F::TAIL.iter().chain([&F::DEGREE]) {
        f.as_mut()[e / 64] ^= 1 << (e % 64);
    }
    let mut plus_one = f;
    plus_one.as_mut()[0] ^= 1;
    let mut out = [plus_one; 3];
    field.batch_invert(&[f, plus_one, f], &mut out);
    let (zero, one) = (Element::<F>::zero().to_words(), Element::<F>::one().to_words());
    assert_eq!(out, [zero, one, zero], "{field:?}");
}

/// More than one block, each with its own inversion.
fn blocks<F: BinaryField>() {
    let mut rng = Random(1);
    let block = (1_usize << 14).div_ceil(F::Shape::WORDS);
    let a: Vec<_> = (0..2 * block + 5)
        .map(|i| if i % 1000 == 7 { Default::default() } else { random::<F>(&mut rng).to_words() })
        .collect();
    let field = Field::<F>::new();
    let mut inverses = a.clone();
    field.batch_invert(&a, &mut inverses);
    assert!(inverses == one_by_one(&field, &a));
}

fn euclid<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64 + 1);
    assert_eq!(Element::<F>::zero().invert_vartime(), None);
    let mut some = vec![Element::one(), Element::z()];
    some.extend((0..if quick() { 2 } else { 50 }).map(|_| random::<F>(&mut rng)));
    // All lengths of the operand, from which the shifts begin.
    some.extend(
        (1..F::DEGREE)
            .step_by(if quick() { 97 } else { 1 + F::DEGREE / 50 })
            .map(|i| Element::from_words(monomial::<F>(i)).expect("below z^m") + Element::one()),
    );
    for a in some.into_iter().filter(|a| !a.is_zero().to_bool()) {
        assert_eq!(a.invert_vartime(), a.invert().into_option(), "{:x?} in {}", a.as_words(), F::NAME);
    }
}

macro_rules! each {
    ($($field:ident),*) => { $(
        #[test]
        #[cfg_attr(miri, ignore = "Miri would take hours")]
        #[allow(non_snake_case)]
        fn $field() {
            batches::<carryless_gf2::field::$field>();
            euclid::<carryless_gf2::field::$field>();
        }
    )* };
}
for_each_field! { each }

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn more_than_one_block() {
    blocks::<carryless_gf2::field::Gf8>();
    blocks::<carryless_gf2::field::Gf163>();
}

#[test]
fn slices_of_different_lengths() {
    assert!(
        std::panic::catch_unwind(|| {
            let mut out = [[0; 4]; 2];
            Field::<carryless_gf2::field::Gf233>::new().batch_invert(&[[0; 4]; 3], &mut out);
        })
        .is_err()
    );
}
