//! x -> x^(2^k) by a matrix for a part of x, where the matrix of the whole does not stay in the first level of caches.
//!
//! With g = z^(2^k) the image of x = low + high z^(64 w), for a lower part of w words, is low(g) + high(g) g^(64 w): the same matrix for both parts, which is read once, and a product.
//! Machines with bit matrices take the matrix of the whole. Three parts take more registers than AVX2 has.
use super::super::arithmetic::{add, load_constant, mul};
use super::super::reduce::{Blocks, window};
use super::super::unroll::unroll;
use super::super::{BinaryField, Field, Shape};
use super::kernel::{apply, by_masks};
use super::layout::Layout;
use super::{fill, powers_of_image};
use carryless_lanes::Clmul;
use core::marker::PhantomData;

/// Maps x -> x^(2^k) of a field, by tables for one machine.
pub(in super::super) struct Powers<F>(PhantomData<F>);

/// Words of the lower part, for elements of that many words: all of them where the matrix of the whole is small enough, or products take too long.
const fn words_of_part(words: usize) -> usize {
    if matches!(words, 7..=9) { words.div_ceil(2) } else { words }
}

impl<F: BinaryField> Powers<F> {
    const WORDS: usize = F::Shape::WORDS;
    const PART: usize = words_of_part(Self::WORDS);
    const IN_PARTS: bool = Self::PART < Self::WORDS;

    fn layout(affine: bool, lanes: usize) -> Layout {
        if affine {
            Layout::new::<F::Shape>(true, lanes)
        } else {
            Layout::of_part::<F::Shape>(lanes, Self::PART)
        }
    }

    /// Words of a table: the matrix, and g^(64 w) if it is of a part.
    pub(in super::super) fn words(affine: bool, lanes: usize) -> usize {
        let factor = if affine || !Self::IN_PARTS { 0 } else { Self::WORDS };
        Self::layout(affine, lanes).len() + factor
    }

    /// Fills the table of x -> x^(2^k).
    pub(in super::super) fn fill(field: &Field<F>, table: &mut [u64], k: usize) {
        let (affine, lanes) = (field.cpu().has_affine(), field.cpu().lanes());
        let layout = Self::layout(affine, lanes);
        let (matrix, factor) = table.split_at_mut(layout.len());
        let mut powers = powers_of_image(field, k);
        if affine || !Self::IN_PARTS {
            return fill(layout, matrix, powers);
        }
        matrix.fill(0);
        for i in 0..64 * Self::PART {
            layout.write(matrix, i, powers(i).as_words());
        }
        factor[..Self::WORDS].copy_from_slice(powers(64 * Self::PART).as_words());
    }

    /// The image of x, which may have 64 W bits.
    #[inline(always)]
    pub(in super::super) fn apply<S: Clmul>(s: S, x: Blocks<F, S::One>, table: &[u64]) -> Blocks<F, S::One> {
        if S::AFFINE || !Self::IN_PARTS {
            return apply::<F::Shape, S>(s, x, table);
        }
        let one = s.one();
        let (matrix, factor) = table.split_at(table.len() - Self::WORDS);
        let mut parts = [x; 2];
        unroll!(i < F::Shape::BLOCKS, {
            if 2 * i < Self::PART {
                parts[1].as_mut()[i] = window(one, x.as_ref(), (64 * Self::PART + 128 * i) as isize);
            }
        });
        let [low, high] = by_masks::<F::Shape, S, 2>(s, parts, Self::PART, matrix);
        add::<F, S::One>(one, low, mul::<F, S::One>(one, high, load_constant::<F, S::One>(one, factor)))
    }
}
