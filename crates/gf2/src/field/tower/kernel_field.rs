//! The arithmetic of quadratic extensions inside kernels of curves.
use super::super::arithmetic::mul_word;
use super::super::kernel_field::KernelField;
use super::super::shape::{BlockArray as _, Shape};
use super::super::unroll::unroll;
use super::BinaryField;
use super::arithmetic::{self, Pair};
use super::operations::Quadratic;
use carryless_lanes::Clmul;

impl<F: BinaryField> Quadratic<F> {
    /// The conjugate over the base field, (a0 + a1) + a1 u.
    #[inline(always)]
    pub(crate) fn conjugate<S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
        arithmetic::conjugate::<F, S>(s, a)
    }

    /// The product a b for a b of the base field with a single word, which is in the lower half of
    /// every lane: two short products.
    #[inline(always)]
    pub(crate) fn times_word<S: Clmul>(s: S, a: Pair<F, S>, b: S::X) -> Pair<F, S> {
        [mul_word::<F, S>(s, a[0], b), mul_word::<F, S>(s, a[1], b)]
    }

    /// Copies lane `lane` of a to every lane, on a backend with two. `lane` is public.
    #[inline(always)]
    pub(crate) fn repeat<S: Clmul>(s: S, mut a: Pair<F, S>, lane: usize) -> Pair<F, S> {
        unroll!(i < F::Shape::BLOCKS, {
            a[0].as_mut()[i] = s.permute_lanes(a[0].as_ref()[i], [lane; 4]);
            a[1].as_mut()[i] = s.permute_lanes(a[1].as_ref()[i], [lane; 4]);
        });
        a
    }

    /// The product a u = a1 + (a0 + a1) u, which takes one sum.
    #[inline(always)]
    pub(crate) fn times_u<S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
        [a[1], F::add(s, a[0], a[1])]
    }
}

impl<F: BinaryField> KernelField for Quadratic<F> {
    #[inline(always)]
    fn constant<S: Clmul>(s: S, words: &[u64]) -> Pair<F, S> {
        let (low, high) = words.split_at(words.len() / 2);
        [F::constant(s, low), F::constant(s, high)]
    }
    #[inline(always)]
    fn bit<S: Clmul>(s: S, bit: u64) -> Pair<F, S> {
        [F::bit(s, bit), F::bit(s, 0)]
    }
    #[inline(always)]
    fn add<S: Clmul>(s: S, a: Pair<F, S>, b: Pair<F, S>) -> Pair<F, S> {
        [F::add(s, a[0], b[0]), F::add(s, a[1], b[1])]
    }
    #[inline(always)]
    fn mul<S: Clmul>(s: S, a: Pair<F, S>, b: Pair<F, S>) -> Pair<F, S> {
        arithmetic::mul::<F, S>(s, a, b)
    }
    #[inline(always)]
    fn mul_add_mul<S: Clmul>(s: S, a: Pair<F, S>, b: Pair<F, S>, c: Pair<F, S>, d: Pair<F, S>) -> Pair<F, S> {
        arithmetic::mul_add_mul::<F, S>(s, a, b, c, d)
    }
    #[inline(always)]
    fn square<S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
        arithmetic::square::<F, S>(s, a)
    }
    #[inline(always)]
    fn sqrt<S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
        arithmetic::sqrt::<F, S>(s, a)
    }
    #[inline(always)]
    fn invert<S: Clmul>(s: S, a: Pair<F, S>) -> Pair<F, S> {
        arithmetic::invert::<F, S>(s, a)
    }
    #[inline(always)]
    fn load_rows<S: Clmul>(s: S, src: &[u64], row: usize) -> Pair<F, S> {
        arithmetic::load_rows::<F, S>(s, src, row)
    }
    #[inline(always)]
    fn lanes_from<S: Clmul>(s: S, from: usize, low: Pair<F, S>, high: Pair<F, S>) -> Pair<F, S> {
        [F::lanes_from(s, from, low[0], high[0]), F::lanes_from(s, from, low[1], high[1])]
    }
    #[inline(always)]
    fn select<S: Clmul>(s: S, mask: S::X, a: Pair<F, S>, b: Pair<F, S>) -> Pair<F, S> {
        [F::select(s, mask, a[0], b[0]), F::select(s, mask, a[1], b[1])]
    }
}
