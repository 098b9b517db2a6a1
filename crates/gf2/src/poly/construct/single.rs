//! Single products that fill the lanes of a backend: KaratRec (paper 002, Algorithm 1) in one kernel.
//!
//! Operands may be shorter than the method's N blocks if it is [`Partial`]: the last vectors are loaded and stored
//! by masks, so that sizes between those of kernels need no padded copies of whole operands.
use super::passes::{Lines, fold, fold_partial, padded, xor};
use crate::poly::kernel::layout::{Job, Layout};
use crate::poly::kernel::leaf::{Lanes, Leaf, Products};
use carryless_lanes::{Clmul, ClmulKernel, SliceKernel};
use core::marker::PhantomData;

/// A method for one product of N blocks of 128 bits, `M = 2 N`.
pub(crate) trait Single<const N: usize, const M: usize>: Copy {
    /// The number of lanes of the backend that it is for.
    const LANES: usize;
    /// `out = a b`, for operands of 2N words.
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]);
}

/// A method for operands of equal size, more than half of 2N words and at most as many. It copies the last part at most.
pub(crate) trait Partial<const N: usize, const M: usize>: Copy {
    /// The number of lanes of the backend that it is for.
    const LANES: usize;
    /// `out = a b`. `out` has as many words as both.
    fn partial<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]);
}

/// A leaf on one lane; a wider backend uses the one that it has for one lane.
#[derive(Clone, Copy, Default)]
pub(crate) struct OneLane<L>(pub(crate) L);

impl<L: Leaf<N, M>, const N: usize, const M: usize> Single<N, M> for OneLane<L> {
    const LANES: usize = 1;

    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        self.0.products(s.one(), Job { a, b, out, layout: [0; 3] });
    }
}

/// A level of Karat2 on two lanes. A0 B0 and A1 B1 at once by `W`, then (A0 + A1)(B0 + B1) by `T`; a half has H blocks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Halves<W, T, const H: usize>(pub(crate) W, pub(crate) T);

impl<W, T, const H: usize, const N: usize, const M: usize> Single<N, M> for Halves<W, T, H>
where
    W: Lanes<H, N>,
    T: Single<H, N>,
{
    const LANES: usize = 2;

    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let Halves(lanes, third) = self;
        lanes.products(s, Job { a, b, out: &mut *out, layout: [N, N, M] });
        middle::<S, T, H, N, M>(s, third, a, b, out);
    }
}

/// A level of Karat2 whose three products are computed one after the other by `T`; a half has H blocks.
#[derive(Clone, Copy, Default)]
pub(crate) struct OneByOne<T, const H: usize>(pub(crate) T);

impl<T, const H: usize, const N: usize, const M: usize> Single<N, M> for OneByOne<T, H>
where
    T: Single<H, N>,
{
    const LANES: usize = T::LANES;

    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let ((a0, a1), (b0, b1)) = (a[..2 * N].split_at(N), b[..2 * N].split_at(N));
        let (low, high) = out[..2 * M].split_at_mut(M);
        self.0.product(s, a0, b0, low);
        self.0.product(s, a1, b1, high);
        middle::<S, T, H, N, M>(s, self.0, a, b, out);
    }
}

impl<T, const H: usize, const N: usize, const M: usize> Partial<N, M> for OneByOne<T, H>
where
    T: Single<H, N>,
{
    const LANES: usize = T::LANES;

    #[inline(always)]
    fn partial<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let ((a0, a1), (b0, b1)) = (a.split_at(N), b[..a.len()].split_at(N));
        let (a1, b1): (Lines<N>, Lines<N>) = (padded(s, a1), padded(s, b1));
        // R1 is not in `out`: a vector that was stored by a mask would be loaded again late.
        let (mut r1, (r0, high)) = (Lines([0; M]), out.split_at_mut(M));
        self.0.product(s, a0, b0, r0);
        self.0.product(s, &a1.0, &b1.0, &mut r1.0);
        let middle = of_sums::<S, T, H, N, M>(s, self.0, [a0, &a1.0], [b0, &b1.0]);
        fold_partial(s, r0, &r1.0, &middle.0, high);
    }
}

/// The rest of a level of Karat2, after A0 B0 and A1 B1 are side by side in `out`: the product of
/// the sums, and the fold.
#[inline(always)]
fn middle<S: Clmul, T: Single<H, N>, const H: usize, const N: usize, const M: usize>(
    s: S,
    third: T,
    a: &[u64],
    b: &[u64],
    out: &mut [u64],
) {
    let ((a0, a1), (b0, b1)) = (a[..2 * N].split_at(N), b[..2 * N].split_at(N));
    let middle = of_sums::<S, T, H, N, M>(s, third, [a0, a1], [b0, b1]);
    let (low, high) = out[..2 * M].split_at_mut(M);
    let ((l0, l1), (h0, h1)) = (low.split_at_mut(N), high.split_at_mut(N));
    let (m0, m1) = middle.0.split_at(N);
    fold(s, l0, l1, h0, h1, m0, m1);
}

/// The product of the sums of halves, (A0 + A1)(B0 + B1). A half has N words and a product of halves M: N and M count
/// words here, blocks in the type.
#[inline(always)]
pub(super) fn of_sums<S: Clmul, T: Single<H, N>, const H: usize, const N: usize, const M: usize>(
    s: S,
    third: T,
    [a0, a1]: [&[u64]; 2],
    [b0, b1]: [&[u64]; 2],
) -> Lines<M> {
    let (mut sum_a, mut sum_b, mut product) = (Lines([0; N]), Lines([0; N]), Lines([0; M]));
    xor(s, &mut sum_a.0, a0, a1);
    xor(s, &mut sum_b.0, b0, b1);
    third.product(s, &sum_a.0, &sum_b.0, &mut product.0);
    product
}

/// Schoolbook rows on as many lanes as there are blocks: all of B by one block of A after the other, Karatsuba's
/// method in every lane. The product in lane j of A_i has its place 128 (i + j) bits up:
///
/// ```text
/// lane j of row i: A_i B_j = low + X^64 middle + X^128 high        (middle = (l + h)(l + h) - low - high)
/// row i = sum of low + X^64 (low half of middle), and, of A_(i-1), high + (high half of middle)
/// ```
#[derive(Clone, Copy, Default)]
pub(crate) struct Rows;

impl Rows {
    /// The low and the high half of the product of N rows. If `PADDED`, operands may be shorter than 2N words.
    #[inline(always)]
    fn rows<S: Clmul, const N: usize, const PADDED: bool>(s: S, a: &[u64], b: &[u64]) -> [S::X; 2] {
        let zero = s.zero();
        let b = if PADDED { s.load_part(b) } else { s.load(b) };
        let sum_b = s.xor(b, s.swap(b));
        let (mut low, mut high, mut above) = (zero, zero, zero);
        let mut i = 0;
        while i < N {
            // Block i of A in every lane. Three carry-less products for each row, two moves of lanes but for i = 0,
            // where `lanes_from(N, ..)` is the whole row.
            let a = match PADDED {
                true => s.repeat_lane(s.one().load_part(&a[a.len().min(2 * i)..a.len().min(2 * i + 2)])),
                false => s.load_lanes(&a[2 * i..], 0),
            };
            let (ll, hh) = (s.mul_ll(a, b), s.mul_hh(a, b));
            let sums = s.mul_ll(s.xor(a, s.swap(a)), sum_b);
            let middle = s.xor(sums, s.xor(ll, hh));
            // Invariant: `above` is the part of the previous row that lies one block higher, so it meets this row
            // in the same lane.
            let row = s.xor(s.xor(above, ll), s.straddle(zero, middle));
            above = s.xor(hh, s.straddle(middle, zero));
            // Shifts the row up by i lanes: what stays goes to the low half of the product, what passes to the high
            // half.
            low = s.xor(low, s.lanes_from(N - i, zero, row));
            high = s.xor(high, s.lanes_from(N - i, row, zero));
            i += 1;
        }
        // The last `above` lies one block above row N - 1. Its lane j belongs N + j blocks up, which is lane j of the
        // high half.
        [low, s.xor(high, above)]
    }
}

impl<const N: usize, const M: usize> Single<N, M> for Rows {
    const LANES: usize = N;

    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let (a, out) = (&a[..2 * N], &mut out[..2 * M]);
        let [low, high] = Rows::rows::<S, N, false>(s, a, b);
        s.store(low, out);
        s.store(high, &mut out[2 * N..]);
    }
}

impl<const N: usize, const M: usize> Partial<N, M> for Rows {
    const LANES: usize = N;

    #[inline(always)]
    fn partial<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let [low, high] = Rows::rows::<S, N, true>(s, a, b);
        s.store(low, out);
        s.store_part(high, &mut out[2 * N..]);
    }
}

/// A method whose code is large enough to be a function of its own.
#[derive(Clone, Copy, Default)]
pub(super) struct Apart<T>(pub(super) T);

/// One product of N blocks by a [`Single`] method, as a kernel.
struct Product<'a, T, const N: usize, const M: usize>(T, &'a [u64], &'a [u64], &'a mut [u64]);

impl<T: Single<N, M>, const N: usize, const M: usize> ClmulKernel for Product<'_, T, N, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // Outlined by kernels for that many lanes alone: no code is generated for others.
        if S::K == T::LANES {
            self.0.product(s, self.1, self.2, self.3);
        }
    }
}

impl<T: Single<N, M>, const N: usize, const M: usize> Single<N, M> for Apart<T> {
    const LANES: usize = T::LANES;

    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        s.call_outlined(Product::<T, N, M>(self.0, a, b, out));
    }
}

impl<W: Lanes<N, M>, const N: usize, const M: usize> Lanes<N, M> for Apart<W> {
    #[inline(always)]
    fn products<S: Clmul, L: Layout>(self, s: S, job: Job<'_, L>) {
        s.call_outlined(Products::<L, W, N, M>(self.0, job));
    }
}

/// The kernel for one product of 2N words by a [`Single`] method.
pub(super) struct Whole<T, const N: usize, const M: usize>(PhantomData<T>);

impl<T: Single<N, M> + Default, const N: usize, const M: usize> SliceKernel for Whole<T, N, M> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        // Never called with another number of lanes: no code is generated.
        if S::K == T::LANES {
            T::default().product(s, a, b, out);
        }
    }
}

/// The kernel for one product of at most 2N words by a [`Partial`] method.
pub(super) struct Masked<T, const N: usize, const M: usize>(PhantomData<T>);

impl<T: Partial<N, M> + Default, const N: usize, const M: usize> SliceKernel for Masked<T, N, M> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        // Never called with another number of lanes: no code is generated.
        if S::K == T::LANES {
            T::default().partial(s, a, b, out);
        }
    }
}
