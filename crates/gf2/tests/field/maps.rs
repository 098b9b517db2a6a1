//! Linear maps by bit matrices: on all polynomials of four neighbouring terms, of 64 W bits, against squarings and solutions.
use crate::common::{backends, bits, fours, powers, quick};
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords, LinearMap, PreparedInverse, SliceMap};

/// a^(2^k) for few and for all but few squarings. The first exponents are checked by the reference's powers of z, the others by squarings.
fn frobenius<F: BinaryField>() {
    let (inputs, _): (Vec<_>, Vec<_>) = fours::<F>().into_iter().unzip();
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let mut wanted = inputs.clone();
        LinearMap::frobenius(&field, 0).apply_slice(&inputs, &mut wanted);
        let last = if quick() { 2 } else { F::DEGREE.min(200) };
        let mut squares = wanted.clone();
        for k in 1..=last {
            field.square_slice(&wanted, &mut squares);
            core::mem::swap(&mut wanted, &mut squares);
            if [1, 2, 7, last].contains(&k) {
                let mut images = inputs.clone();
                LinearMap::frobenius(&field, k).apply_slice(&inputs, &mut images);
                assert_eq!(images, wanted, "2^{k} on {field:?}");
            }
        }
        let mut roots = inputs.clone();
        LinearMap::frobenius(&field, F::DEGREE - 1).apply_slice(&inputs, &mut roots);
        field.sqrt_slice(&inputs, &mut wanted);
        assert_eq!(roots, wanted, "roots on {field:?}");
    }
}

/// The identity in memory of the caller, one element at a time and many: monomials become what they are modulo f, by the reference.
fn identity<F: BinaryField>() {
    let powers = powers::<F>(bits::<F>());
    let monomials: Vec<_> = (0..bits::<F>()).map(crate::common::monomial::<F>).collect();
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let element = |i: usize| Element::<F>::from_words(powers[i]).expect("reduced");
        let mut memory = vec![!0; LinearMap::words(&field) + 1];
        let map = LinearMap::<F, _>::from_images_in(&field, memory.as_mut_slice(), element);
        let mut images = monomials.clone();
        map.apply_slice(&monomials, &mut images);
        assert_eq!(images, powers, "{field:?}");
        for i in (0..F::DEGREE).step_by(if quick() { 31 } else { 1 }) {
            assert_eq!(map.apply(&element(i)), element(i), "{field:?}");
        }
        assert_eq!(memory.last(), Some(&!0), "no word more is written");
    }
}

/// All polynomials of four neighbouring terms by the table for slices, as one by one; slices of all lengths up to some groups.
fn slices<F: BinaryField>() {
    let (inputs, _): (Vec<_>, Vec<_>) = fours::<F>().into_iter().unzip();
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let map = LinearMap::frobenius(&field, 3);
        let mut memory = vec![!0; SliceMap::<F, ()>::words(cpu) + 1];
        let many = SliceMap::new_in(&map, memory.as_mut_slice());
        let (mut wanted, mut images) = (inputs.clone(), inputs.clone());
        map.apply_slice(&inputs, &mut wanted);
        many.apply_slice(&inputs, &mut images);
        assert_eq!(images, wanted, "{field:?}");
        let most = if quick() { 3 } else { 140.min(inputs.len()) };
        for len in 0..most {
            let from = inputs.len() - len;
            let mut images = vec![FieldWords::<F>::default(); len];
            many.apply_slice(&inputs[from..], &mut images);
            assert_eq!(images, wanted[from..], "{len} on {field:?}");
        }
        assert_eq!(memory.last(), Some(&!0), "no word more is written");
    }
}

/// Solutions of x^2 + x = c by a matrix, for all c = z^i and others.
fn solutions<F: BinaryField>() {
    let some: Vec<FieldWords<F>> = powers::<F>(F::DEGREE).into_iter().step_by(11).collect();
    for cpu in backends().into_iter().filter(|_| !quick() || F::DEGREE < 200) {
        let field = Field::<F>::on(cpu);
        let map = LinearMap::solution(&field);
        for words in &some {
            let a = Element::<F>::from_words(*words).expect("reduced");
            let a = a + field
                .mul(&a, &some.last().map(|&b| Element::from_words(b).expect("reduced")).expect("one"));
            assert_eq!(map.apply(&a), field.solve_unchecked(&a), "{field:?}");
            let c = field.square(&a) + a;
            let x = map.apply(&c);
            assert!(x == a || x == a + Element::one(), "{field:?}");
        }
    }
}

/// Inverses by maps, of 0, 1 and elements with many terms, are inverses; the heap and memory of the caller hold the same.
fn inverses<F: BinaryField>() {
    let some: Vec<FieldWords<F>> = powers::<F>(4 * F::DEGREE).into_iter().rev().step_by(53).collect();
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let mut memory = vec![!0; PreparedInverse::words(&field) + 1];
        let prepared = PreparedInverse::<F, _>::new_in(&field, memory.as_mut_slice());
        assert_eq!(prepared.invert_or_zero(&Element::zero()), Element::zero());
        assert!(!prepared.invert(&Element::zero()).is_some().to_bool());
        let on_heap = PreparedInverse::new(&field);
        let mut a = Element::<F>::one();
        for words in &some {
            let inverse = prepared.invert(&a).expect("not zero");
            assert_eq!(field.mul(&a, &inverse), Element::one(), "{field:?}");
            assert_eq!(on_heap.invert_or_zero(&a), inverse);
            let b = Element::<F>::from_words(*words).expect("reduced") + Element::one();
            a = if b.is_zero().to_bool() { a } else { field.mul(&a, &b) };
        }
        assert_eq!(memory.last(), Some(&!0), "no word more is written");
    }
}

macro_rules! each {
    ($($field:ident),*) => {
        #[allow(non_snake_case)]
        mod maps {
            $(
                #[test]
                #[cfg_attr(miri, ignore = "Miri would take hours")]
                fn $field() {
                    super::identity::<carryless_gf2::field::$field>();
                    super::frobenius::<carryless_gf2::field::$field>();
                    super::slices::<carryless_gf2::field::$field>();
                    super::solutions::<carryless_gf2::field::$field>();
                    super::inverses::<carryless_gf2::field::$field>();
                }
            )*
        }
    };
}
for_each_field! { each }
