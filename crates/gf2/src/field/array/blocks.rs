//! Iteration over arrays in blocks, so that scratch memory stays small; with the feature `rayon` on several
//! threads.
use super::Array;
use crate::field::{BinaryField, FieldWords, Shape};
use core::ops::Range;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// The number of words of a block, 64 KiB. Two operands and a result of this size fit the second level of caches.
const BLOCK_WORDS: usize = 1 << 13;

/// The number of elements of a block.
pub(super) fn block_len<F: BinaryField>() -> usize {
    BLOCK_WORDS.div_ceil(F::Shape::WORDS)
}

/// Calls `f` for each block of up to `len` elements, with the range of its indices. In
/// parallel with the feature `rayon`.
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
    /// A new array with the results of `f`, which receives the indices of a block, its elements, and
    /// the place for the results.
    pub(super) fn map(
        &self,
        f: impl Fn(Range<usize>, &[FieldWords<F>], &mut [FieldWords<F>]) + Sync,
    ) -> Array<F> {
        let mut out = Array::zeros(self.len());
        each::<F>(&mut out.words, block_len::<F>(), |at, out| f(at.clone(), &self.words[at], out));
        out
    }

    /// [`map`](Array::map) in place: `f` reads a copy of each block, which is wiped afterwards.
    pub(super) fn map_in_place(
        &mut self,
        f: impl Fn(Range<usize>, &[FieldWords<F>], &mut [FieldWords<F>]) + Sync,
    ) {
        each::<F>(&mut self.words, block_len::<F>(), |at, block| {
            // Kernels write results to other memory than their operands. The copy is an array, so that its drop
            // wipes it.
            let copy = Array::<F> { words: block.to_vec() };
            f(at, &copy.words, block);
        });
    }
}

/// Adds `a[i]` to `sum[i]` for each i. The sums are canonical if the elements are.
pub(super) fn add_to<F: BinaryField>(sum: &mut [FieldWords<F>], a: &[FieldWords<F>]) {
    F::Shape::flat_mut(sum).iter_mut().zip(F::Shape::flat(a)).for_each(|(sum, a)| *sum ^= a);
}

/// Adds the element `a` to each element of `sum`.
pub(super) fn add_to_all<F: BinaryField>(sum: &mut [FieldWords<F>], a: &FieldWords<F>) {
    for sum in sum {
        sum.as_mut().iter_mut().zip(a.as_ref()).for_each(|(sum, a)| *sum ^= a);
    }
}
