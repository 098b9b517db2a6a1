//! Batch inversion in a quadratic extension, by inverting norms.
use super::super::clear_frames;
use super::super::shape::Shape;
use super::operations::QuadraticField;
use super::{BinaryField, QuadraticWords};
use zeroize::Zeroize;

/// The number of elements inverted together. The inversion in the base field is then a small part of the work.
const BLOCK: usize = 128;

impl<F: BinaryField> QuadraticField<F> {
    /// Sets `out[i]` to 1 / `a[i]`, or to 0 if `a[i]` is 0, in constant time.
    ///
    /// 1 / a is the conjugate of a over its norm. The norms are inverted by
    /// [`Field::batch_invert`](super::super::Field::batch_invert), 128 at a time. Costs six products and a
    /// square of the base field for each element.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn batch_invert(&self, a: &[QuadraticWords<F>], out: &mut [QuadraticWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        let (mut norms, mut inverses) = ([F::Shape::ZERO; BLOCK], [F::Shape::ZERO; BLOCK]);
        let mut conjugates = [[F::Shape::ZERO; 2]; BLOCK];
        for (a, out) in a.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
            let (norms, inverses) = (&mut norms[..a.len()], &mut inverses[..a.len()]);
            // A norm is 0 only for a = 0, so zeros stay zeros and spoil no other inverse.
            self.norm_slice(a, norms);
            self.base().batch_invert(norms, inverses);
            let conjugates = &mut conjugates[..a.len()];
            conjugates.copy_from_slice(a);
            // The conjugate (a0 + a1) + a1 u. For a = 0 the norm and its inverse are 0, so the result is 0.
            for [low, high] in &mut *conjugates {
                low.as_mut().iter_mut().zip(high.as_ref()).for_each(|(low, high)| *low ^= high);
            }
            self.mul_base_slices(conjugates, inverses, out);
        }
        for words in norms.iter_mut().chain(&mut inverses).chain(conjugates.as_flattened_mut()) {
            words.zeroize();
        }
        clear_frames();
    }
}
