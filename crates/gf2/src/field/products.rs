//! Products of many elements by one element, and dot products. Constant time but for the lengths.
use super::arithmetic::{load, mul, store};
use super::blocks::{add_double, load_constant};
use super::element::Element;
use super::lanes::{Rest, run, whole};
use super::operations::Field;
use super::reduce::reduce;
use super::{BinaryField, FieldWords, Shape};
use carryless_lanes::{Clmul, ClmulCpu, SliceKernel};
use core::marker::PhantomData;
use zeroize::Zeroize;

impl<F: BinaryField> Field<F> {
    /// Sets `out[i]` to the product `a[i] by`, canonical.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn scale_slice(&self, a: &[FieldWords<F>], by: &Element<F>, out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        F::scale(self.cpu(), F::Shape::flat(a), by.as_words(), F::Shape::flat_mut(out));
    }

    /// The dot product, the sum of `a[i] b[i]`. The unreduced products are added, and their sum is reduced once.
    ///
    /// ```
    /// use carryless_gf2::field::{Element, Field, Gf127};
    ///
    /// // z z^126 + 1 z^63 = z^127 + z^63 = 1
    /// let sum = Field::<Gf127>::new().dot(&[[2, 0], [1, 0]], &[[0, 1 << 62], [1 << 63, 0]]);
    /// assert_eq!(sum, Element::one());
    /// ```
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[must_use]
    #[track_caller]
    pub fn dot(&self, a: &[FieldWords<F>], b: &[FieldWords<F>]) -> Element<F> {
        assert_eq!(a.len(), b.len(), "operands of the same length");
        let mut sum = Element::zero();
        F::add_dot(self.cpu(), F::Shape::flat(a), F::Shape::flat(b), sum.words_mut());
        sum
    }
}

/// Writes the products of elements side by side and the element `by`.
#[inline]
pub(super) fn scale<F: BinaryField>(cpu: ClmulCpu, a: &[u64], by: &[u64], out: &mut [u64]) {
    run::<Scale<F>>(cpu, a, by, out);
}

/// Adds the dot product of elements side by side to `sum`.
#[inline]
pub(super) fn add_dot<F: BinaryField>(cpu: ClmulCpu, a: &[u64], b: &[u64], sum: &mut [u64]) {
    run::<Dot<F>>(cpu, a, b, sum);
}

/// `out[i] = a[i] by` for all elements, where `b` has the words of `by`.
struct Scale<F>(PhantomData<F>);

impl<F: BinaryField> SliceKernel for Scale<F> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let (by, group) = (load_constant::<F, S>(s, b), S::K * F::Shape::WORDS);
        let (end, mut at) = (whole(a.len(), group), 0);
        while at < end {
            store::<F, S>(s, mul::<F, S>(s, load::<F, S>(s, &a[at..]), by), &mut out[at..]);
            at += group;
        }
        // The last group goes through a padded copy: no load or store leaves the slices.
        let mut rest = Rest::<F>::new(&a[end..]);
        let product = mul::<F, S>(s, load::<F, S>(s, rest.words()), by);
        store::<F, S>(s, product, rest.words());
        out[end..].copy_from_slice(&rest.words()[..a.len() - end]);
        rest.words().zeroize();
    }
}

/// The sum of `a[i] b[i]`. Each lane has a sum of its own, and the lanes are added at the end.
struct Dot<F>(PhantomData<F>);

impl<F: BinaryField> SliceKernel for Dot<F> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let (words, group) = (F::Shape::WORDS, S::K * F::Shape::WORDS);
        let (end, mut at) = (whole(a.len(), group), 0);
        let (mut rest, mut other) = (Rest::<F>::new(&a[end..]), Rest::<F>::new(&b[end..]));
        let (x, y) = (load::<F, S>(s, rest.words()), load::<F, S>(s, other.words()));
        // Starting with the products of the padded rest saves a special case: the padding adds 0.
        let mut sum = F::Shape::multiply(s, x, y);
        while at < end {
            // The sum stays unreduced, below X^(128 W - 1): addition never carries. Each lane has a sum of
            // its own, so no lanes move in the loop.
            let product = F::Shape::multiply(s, load::<F, S>(s, &a[at..]), load::<F, S>(s, &b[at..]));
            sum = add_double::<F, S>(s, sum, product);
            at += group;
        }
        // The sums of the lanes are congruent to canonical elements after the store; their xor is canonical
        // too.
        store::<F, S>(s, reduce::<F, S>(s, sum), rest.words());
        for lane in rest.words()[..group].chunks_exact(words) {
            out.iter_mut().zip(lane).for_each(|(out, word)| *out ^= word);
        }
        rest.words().zeroize();
        other.words().zeroize();
    }
}
