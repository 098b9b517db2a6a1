//! Packed elements: each result is that of one element, in every storage and on every backend.
use crate::common::{backends, quick};
use crate::dynamic::irreducible;
use crate::random::Random;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;

fn modulus(m: usize, dense: bool, rng: &mut Random) -> Poly {
    // z + 1 has an even number of terms.
    if m == 1 { Poly::from(3) } else { irreducible(m, dense, rng) }
}

/// Words as packed elements.
fn pack(words: &[u64], bytes: usize) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(bytes)).collect()
}

/// Random elements, an eighth of them 0, with all bits of their storage if not `canonical`.
fn elements(field: &DynField, len: usize, canonical: bool, rng: &mut Random) -> Vec<u64> {
    let bits = if canonical { field.degree() } else { 8 * field.packed_bytes().expect("packed") };
    let mut element = || if rng.word().is_multiple_of(8) { 0 } else { rng.word() >> (64 - bits) };
    (0..len).map(|_| element()).collect()
}

fn agrees(field: &DynField, len: usize, canonical: bool, rng: &mut Random) {
    let bytes = field.packed_bytes().expect("packed");
    let (a, b) = (elements(field, len, canonical, rng), elements(field, len, canonical, rng));
    let one = |operation: &dyn Fn(usize, &mut [u64])| {
        let mut out = [0];
        let mut result = |i| {
            operation(i, &mut out);
            out[0]
        };
        pack(&(0..len).map(&mut result).collect::<Vec<u64>>(), bytes)
    };
    let what = format!("{len} elements, {canonical}, of {field:?}");
    let (x, y, mut out) = (pack(&a, bytes), pack(&b, bytes), vec![!0; len * bytes]);
    field.mul_packed(&x, &y, &mut out);
    assert_eq!(out, one(&|i, out| field.mul(&a[i..i + 1], &b[i..i + 1], out)), "products of {what}");
    field.batch_invert_packed(&x, &mut out);
    assert_eq!(out, one(&|i, out| field.invert_or_zero(&a[i..i + 1], out)), "inverses of {what}");
    if len > 0 {
        field.scale_packed(&x, &y[..bytes], &mut out);
        assert_eq!(out, one(&|i, out| field.mul(&a[i..i + 1], &b[..1], out)), "multiples of {what}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn packed_elements_follow_single_operations() {
    let mut rng = Random(39);
    let degrees: Vec<usize> = if quick() { vec![1, 7, 8, 11, 16, 17, 32] } else { (1..=32).collect() };
    for (m, dense) in degrees.into_iter().zip([true, false].into_iter().cycle()) {
        let f = modulus(m, dense, &mut rng);
        for cpu in backends() {
            let field = DynField::on(cpu, &f).expect("irreducible");
            // Around a vector, a row of vectors, and several.
            for len in (0..5).chain([15, 63, 64, 65, 130, 255, 257, 700]) {
                for canonical in [true, false] {
                    agrees(&field, len, canonical, &mut rng);
                }
            }
        }
    }
}

/// More than a block of inversions, and elements of all values.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn long_slices_of_packed_elements() {
    for f in [&[8, 4, 3, 1, 0][..], &[16, 5, 3, 1, 0]] {
        let field = DynField::from_exponents(f).expect("irreducible");
        let bytes = field.packed_bytes().expect("packed");
        agrees(&field, if quick() { 1000 } else { (1 << 17) / bytes + 65 }, true, &mut Random(40));
        let every: Vec<u64> = (0..1 << field.degree()).collect();
        let (packed, mut inverses) = (pack(&every, bytes), vec![0; every.len() * bytes]);
        field.batch_invert_packed(&packed, &mut inverses);
        let mut products = vec![0; every.len() * bytes];
        field.mul_packed(&packed, &inverses, &mut products);
        let ones: Vec<u64> = every.iter().map(|a| u64::from(*a != 0)).collect();
        assert_eq!(products, pack(&ones, bytes));
    }
}

#[test]
fn elements_of_longer_fields_are_not_packed() {
    let field = DynField::from_exponents(&[33, 13, 0]).expect("irreducible");
    assert_eq!(field.packed_bytes(), None);
    for (m, bytes) in [(1, 1), (8, 1), (9, 2), (16, 2), (17, 4), (32, 4)] {
        let field = DynField::new(&modulus(m, true, &mut Random(m as u64))).expect("irreducible");
        assert_eq!(field.packed_bytes(), Some(bytes));
    }
}

#[test]
#[should_panic(expected = "a packed element has 2 bytes")]
fn a_part_of_a_packed_element() {
    let field = DynField::from_exponents(&[16, 5, 3, 1, 0]).expect("irreducible");
    field.mul_packed(&[0; 3], &[0; 3], &mut [0; 3]);
}
