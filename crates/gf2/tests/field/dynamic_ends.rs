//! Fields whose f is given at run time, at the ends of what they take: many bits, many squarings, words that are zero, bits from z^m on.
use crate::common::{backends, quick};
use crate::dynamic::{definitions, irreducible, remainder};
use crate::random::Random;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use carryless_reference::gf2;

/// More than 1024 bits: the chain of an inversion has a run of 512 squarings. f of known trinomials, because a search would take seconds.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn fields_of_more_than_1024_bits_follow_the_definitions() {
    let mut rng = Random(11);
    let all = [&[1025, 294, 0][..], &[1088, 22, 21, 10, 0], &[1223, 255, 0], &[1279, 216, 0]];
    for exponents in all.into_iter().take(if quick() { 1 } else { 4 }) {
        let f = Poly::from_exponents(exponents.iter().copied());
        let field = DynField::new(&f).expect("irreducible");
        let [a, b] = [rng.words(field.words()), rng.words(field.words())];
        definitions(&field, &f, &a, &b);
    }
}

/// Counts of squarings around m and its multiples.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn frobenius_of_more_than_m_squarings() {
    let mut rng = Random(12);
    for m in [2, 8, 33, 64, 100, 233].into_iter().take(if quick() { 4 } else { 6 }) {
        let f = irreducible(m, true, &mut rng);
        for cpu in backends() {
            let field = DynField::on(cpu, &f).expect("irreducible");
            let (a, mut out) = (rng.words(field.words()), vec![!0; field.words()]);
            let mut expected = remainder(&a, &f, field.words());
            for k in 0..=3 * m + 2 {
                let near_a_multiple = (k + 2) % m < 5;
                if near_a_multiple || k < 5 {
                    field.frobenius(&a, k, &mut out);
                    assert_eq!(out, expected, "{k} squarings in {field:?}");
                }
                expected = remainder(&gf2::square(&expected), &f, field.words());
            }
        }
    }
}

/// Inverses together of elements of which some words are zero: for up to five words all patterns, for others all with one word that is not zero.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn elements_with_zero_words_are_inverted_together() {
    let mut rng = Random(13);
    for m in [64, 100, 128, 180, 233, 320, 700] {
        let f = irreducible(m, true, &mut rng);
        let field = DynField::new(&f).expect("irreducible");
        let words = field.words();
        let patterns: Vec<u64> = match words {
            0..6 => (0..1 << words).collect(),
            _ => (0..words).map(|i| 1 << i).chain([0]).collect(),
        };
        let mut a = Vec::new();
        for pattern in patterns {
            let random = rng.words(words);
            let element = (0..words).map(|i| random[i] * (pattern >> i & 1));
            a.extend(remainder(&element.collect::<Vec<_>>(), &f, words));
            // The lowest bit of each word alone.
            a.extend((0..words).map(|i| pattern >> i & 1));
        }
        let mut inverses = vec![!0; a.len()];
        field.batch_invert(&a, &mut inverses);
        for (a, inverse) in a.chunks_exact(words).zip(inverses.chunks_exact(words)) {
            let is_zero = a.iter().all(|word| *word == 0);
            let expected = remainder(&[u64::from(!is_zero)], &f, words);
            assert_eq!(remainder(&gf2::mul(a, inverse), &f, words), expected, "{a:x?} in {field:?}");
            assert_eq!(inverse.iter().all(|word| *word == 0), is_zero, "{a:x?} in {field:?}");
        }
    }
}

/// Operands with bits from z^m on, in all fields of one word whose products take lanes: products with the bit z^m in one operand or in both, alone and side by side.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn operands_with_the_bit_of_the_degree() {
    let mut rng = Random(14);
    for m in if quick() { 8..9 } else { 2..33 } {
        let f = irreducible(m, true, &mut rng);
        for cpu in backends() {
            let field = DynField::on(cpu, &f).expect("irreducible");
            let top = 1 << m;
            let some = [0, 1, 2, top - 1, rng.word() & (top - 1)];
            let operands: Vec<u64> = some.iter().flat_map(|a| [*a, a | top]).collect();
            for b in &operands {
                let mut out = vec![!0; operands.len()];
                let expected: Vec<u64> =
                    operands.iter().map(|a| remainder(&gf2::mul(&[*a], &[*b]), &f, 1)[0]).collect();
                field.mul_slices(&operands, &vec![*b; operands.len()], &mut out);
                assert_eq!(out, expected, "{b:x} in {field:?}");
                field.scale_slice(&operands, &[*b], &mut out);
                assert_eq!(out, expected, "scaled by {b:x} in {field:?}");
                for (a, expected) in operands.iter().zip(&expected) {
                    field.mul(&[*a], &[*b], &mut out[..1]);
                    assert_eq!(out[0], *expected, "{a:x} {b:x} in {field:?}");
                    // Alone, so that no other operand makes the whole slice take the other way.
                    field.mul_slices(&[*a], &[*b], &mut out[..1]);
                    assert_eq!(out[0], *expected, "slices of {a:x} and {b:x} in {field:?}");
                }
            }
        }
    }
}
