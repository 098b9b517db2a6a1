//! The products and tables of paper 004 for processors without carry-less multiplication, against the operations of the field.
use crate::common::{backends, quick, random};
use crate::random::Random;
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords, Shape};
use carryless_gf2::papers;

/// The elements with bits among four neighbouring ones, which are looked up together: all values at all places.
fn nibbles<F: BinaryField>() -> impl Iterator<Item = Element<F>> {
    let places = (0..16 * F::Shape::WORDS).step_by(if quick() { 7 } else { 1 });
    places.flat_map(|i| (0..16_u64).map(move |u| (i, u))).filter_map(|(i, u)| {
        let mut words = FieldWords::<F>::default();
        words.as_mut()[i / 16] = u << (4 * (i % 16));
        Element::from_words(words).ok()
    })
}

fn products<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64);
    let mut top = FieldWords::<F>::default();
    top.as_mut().fill(!0);
    top.as_mut()[F::Shape::WORDS - 1] >>= 64 * F::Shape::WORDS - F::DEGREE;
    let top = Element::from_words(top).expect("below z^m");
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let check = |a: &Element<F>, b: &Element<F>| {
            let (want, what) = (field.mul(a, b), (a.to_words(), b.to_words()));
            assert_eq!(papers::mul_by_comb_vartime(cpu, a, b), want, "comb of {what:x?} on {field:?}");
            assert_eq!(
                papers::mul_by_shuffles_vartime(cpu, a, b),
                want,
                "shuffles of {what:x?} on {field:?}"
            );
        };
        check(&top, &top);
        let other = random::<F>(&mut rng);
        for a in nibbles() {
            check(&a, &other);
            check(&other, &a);
        }
    }
}

/// a^(2^k) and half-traces by tables, of all values of four neighbouring bits and of random elements, against squarings and the field's solutions.
fn tables<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64 + 1);
    let elements: Vec<Element<F>> = nibbles().chain((0..20).map(|_| random(&mut rng))).collect();
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        for k in [0, 1, 5, F::DEGREE - 1] {
            let mut memory = vec![FieldWords::<F>::default(); papers::NibbleTable::<F, ()>::LEN];
            let table = papers::NibbleTable::<F, _>::frobenius_in(&field, memory.as_mut_slice(), k);
            for a in &elements {
                let want = (0..k).fold(*a, |power, _| field.square(&power));
                let what = (k, a.to_words());
                assert_eq!(table.apply_vartime(a), want, "look-ups of {what:x?} on {field:?}");
                assert_eq!(table.apply(a), want, "selections of {what:x?} on {field:?}");
            }
        }
        if F::DEGREE % 2 == 1 {
            let mut memory = vec![FieldWords::<F>::default(); papers::HalfTraceTable::<F, ()>::LEN];
            let table = papers::HalfTraceTable::<F, _>::new_in(&field, memory.as_mut_slice());
            for c in &elements {
                let what = c.to_words();
                assert_eq!(table.apply_vartime(c), field.solve_unchecked(c), "{what:x?} on {field:?}");
            }
        }
    }
}

macro_rules! each {
    ($($field:ident),*) => { $(
        #[test]
        #[cfg_attr(miri, ignore = "Miri would take hours")]
        #[allow(non_snake_case)]
        fn $field() {
            products::<carryless_gf2::field::$field>();
            tables::<carryless_gf2::field::$field>();
        }
    )* };
}
for_each_field! { each }
