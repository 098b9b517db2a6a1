//! Tests of the kernels for backends with bit matrices, which this CPU may lack: `Count` runs them on the soft
//! backend.
use super::super::{Field, Gf127, Gf163, Gf233, Gf571};
use super::words::ApplyToWords;
use super::*;
use carryless_lanes::{Count, Soft, Tally};
use core::cell::Cell;
use std::vec::Vec;

fn counted<F: BinaryField, S: Clmul>(soft: S) -> Tally {
    let field = Field::<F>::new();
    let layout = Layout::new::<F::Shape>(true, S::K);
    let mut table = vec![0; layout.len()];
    let mut next = Element::<F>::one();
    // a -> a z, whose columns all differ, and a -> a^4.
    fill(layout, &mut table, |_| {
        next = field.mul(&next, &Element::z());
        next
    });
    let tally = Cell::new(Tally::default());
    // A linear map is determined by the images of all monomials, including those from z^m on.
    let bits = 64 * F::Shape::WORDS;
    let (mut inputs, mut wanted) = (Vec::new(), Vec::new());
    let mut power = Element::<F>::one();
    for i in 0..bits {
        let mut monomial = FieldWords::<F>::default();
        monomial.as_mut()[i / 64] = 1 << (i % 64);
        inputs.extend_from_slice(monomial.as_ref());
        power = field.mul(&power, &Element::z());
        wanted.extend_from_slice(power.as_words());
    }
    let mut out = vec![0; inputs.len()];
    Apply::<F, BY_MATRIX> { table: &table, a: &inputs, out: &mut out, of: PhantomData }
        .run(Count::new(soft, &tally));
    assert_eq!(out, wanted);
    let words = F::Shape::WORDS;
    for (a, wanted) in inputs.chunks_exact(words).zip(wanted.chunks_exact(words)) {
        ApplyToWords { table: &table, a, out: &mut out[..words] }.run(Count::new(soft, &tally));
        assert_eq!(&out[..words], wanted);
    }
    // Counts the matrices of a single element.
    let before = tally.get();
    Apply::<F, BY_MATRIX> { table: &table, a: &inputs[..words], out: &mut out[..words], of: PhantomData }
        .run(Count::new(soft, &tally));
    tally.get() - before
}

/// As `counted` for a -> a^(2^3), with a part of a in each lane.
fn counted_in_parts<F: BinaryField, S: Clmul>(soft: S) -> Tally {
    let field = Field::<F>::new();
    let mut table = vec![0; Powers::<F>::words(true, S::K)];
    Powers::<F>::fill_for(&field, true, S::K, &mut table, 3);
    let tally = Cell::new(Tally::default());
    let mut before = tally.get();
    for i in 0..64 * F::Shape::WORDS {
        let mut monomial = FieldWords::<F>::default();
        monomial.as_mut()[i / 64] = 1 << (i % 64);
        let (mut out, mut wanted) = ([FieldWords::<F>::default()], [FieldWords::<F>::default()]);
        field.square_slice(&[monomial], &mut wanted);
        let [mut square] = wanted.map(Element::<F>::from_canonical);
        (square, before) = (field.square(&field.square(&square)), tally.get());
        let out_words = F::Shape::flat_mut(&mut out);
        Apply::<F, BY_POWERS> { table: &table, a: monomial.as_ref(), out: out_words, of: PhantomData }
            .run(Count::new(soft, &tally));
        assert_eq!(out[0].as_ref(), square.as_words(), "z^{i} in {} lanes", S::K);
    }
    tally.get() - before
}

/// The number of matrices of a map with a part of 8 W / K bytes in each lane.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn powers_by_matrices_of_parts() {
    assert_eq!(counted_in_parts::<Gf233, _>(Soft::<4>).affine, 8 * 2 * 2);
    assert_eq!(counted_in_parts::<Gf233, _>(Soft::<2>).affine, 16 * 2 * 4);
    assert_eq!(counted_in_parts::<Gf233, _>(Soft::<1>).affine, 32 * 2 * 8);
    assert_eq!(counted_in_parts::<Gf127, _>(Soft::<4>).affine, 4 * 2);
    assert_eq!(counted_in_parts::<Gf163, _>(Soft::<4>).affine, 6 * 2 * 2);
    assert_eq!(counted_in_parts::<Gf571, _>(Soft::<2>).affine, 36 * 5 * 4);
    assert_eq!(counted_in_parts::<Gf571, _>(Soft::<4>).affine, 18 * 5 * 2);
}

fn counted_in_slices<F: BinaryField, S: Clmul>(soft: S) -> Tally {
    let field = Field::<F>::new();
    let many = slices::with_matrices(&LinearMap::frobenius(&field, 3));
    let a: Vec<_> = (0..16 * S::K)
        .map(|i| {
            let mut words = FieldWords::<F>::default();
            for (word, j) in words.as_mut().iter_mut().zip(1..) {
                *word = (0x9e37_79b9_7f4a_7c15_u64 ^ i as u64).wrapping_mul(2 * i as u64 + j);
            }
            words
        })
        .collect();
    let (mut out, mut wanted) = (a.clone(), a.clone());
    LinearMap::frobenius(&field, 3).apply_slice(&a, &mut wanted);
    let tally = Cell::new(Tally::default());
    slices::ApplyMany::<F> { table: &many, a: &a, out: &mut out }.run(Count::new(soft, &tally));
    assert_eq!(out, wanted);
    tally.get()
}

/// The number of matrices for 16 elements in each lane: ceil(m / 8)^2, with rows in whole groups of eight.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn slices_by_matrices() {
    assert_eq!(counted_in_slices::<Gf233, _>(Soft::<4>).affine, 32 * 30);
    assert_eq!(counted_in_slices::<Gf163, _>(Soft::<2>).affine, 24 * 21);
    assert_eq!(counted_in_slices::<Gf571, _>(Soft::<1>).affine, 72 * 72);
}

/// The images of all monomials of 64 W bits, and the number of matrices of one map: for each of 8 W bytes,
/// 8 / K vectors for each of ceil(W / 2) blocks.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn by_matrices() {
    assert_eq!(counted::<Gf233, _>(Soft::<4>).affine, 4 * 8 * 2 * 2);
    assert_eq!(counted::<Gf233, _>(Soft::<2>).affine, 4 * 8 * 2 * 4);
    assert_eq!(counted::<Gf233, _>(Soft::<1>).affine, 4 * 8 * 2 * 8);
    assert_eq!(counted::<Gf127, _>(Soft::<4>).affine, 2 * 8 * 2);
    assert_eq!(counted::<Gf163, _>(Soft::<4>).affine, 3 * 8 * 2 * 2);
    assert_eq!(counted::<Gf571, _>(Soft::<2>).affine, 9 * 8 * 5 * 4);
    assert_eq!(counted::<Gf571, _>(Soft::<4>).affine, 9 * 8 * 5 * 2);
}
