//! How operations go through arrays: block by block, so that scratch memory is small, and on several threads with the feature `rayon`.
use super::Array;
use crate::field::operations::FieldWords;
use crate::field::{BinaryField, Shape};
use core::ops::Range;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// Words of a block: with two operands and a result of this size, all is in the second level of caches.
const BLOCK_WORDS: usize = 1 << 13;

/// The elements of a block.
pub(super) fn block_len<F: BinaryField>() -> usize {
    BLOCK_WORDS.div_ceil(F::Shape::WORDS)
}

/// `f` for blocks of up to `len` elements and their indices.
pub(super) fn each<F: BinaryField>(
    out: &mut [FieldWords<F>],
    len: usize,
    f: impl Fn(Range<usize>, &mut [FieldWords<F>]) + Sync,
) {
    let block = |(i, out): (usize, &mut [FieldWords<F>])| f(i * len..i * len + out.len(), out);
    #[cfg(feature = "rayon")]
    if out.len() > len {
        return out.par_chunks_mut(len).enumerate().for_each(block);
    }
    out.chunks_mut(len).enumerate().for_each(block);
}

impl<F: BinaryField> Array<F> {
    /// The array with the results of `f`, which takes the indices of a block and its elements, and writes the results.
    pub(super) fn map(
        &self,
        f: impl Fn(Range<usize>, &[FieldWords<F>], &mut [FieldWords<F>]) + Sync,
    ) -> Array<F> {
        let mut out = Array::zeros(self.len());
        each::<F>(&mut out.words, block_len::<F>(), |at, out| f(at.clone(), &self.words[at], out));
        out
    }

    /// The same in place, by a copy of each block.
    pub(super) fn map_in_place(
        &mut self,
        f: impl Fn(Range<usize>, &[FieldWords<F>], &mut [FieldWords<F>]) + Sync,
    ) {
        each::<F>(&mut self.words, block_len::<F>(), |at, block| {
            let copy = Array::<F> { words: block.to_vec() };
            f(at, &copy.words, block);
        });
    }
}

/// `sum[i] += a[i]`.
pub(super) fn add_to<F: BinaryField>(sum: &mut [FieldWords<F>], a: &[FieldWords<F>]) {
    F::Shape::flat_mut(sum).iter_mut().zip(F::Shape::flat(a)).for_each(|(sum, a)| *sum ^= a);
}

/// `sum[i] += a`.
pub(super) fn add_to_all<F: BinaryField>(sum: &mut [FieldWords<F>], a: &FieldWords<F>) {
    for sum in sum {
        sum.as_mut().iter_mut().zip(a.as_ref()).for_each(|(sum, a)| *sum ^= a);
    }
}
