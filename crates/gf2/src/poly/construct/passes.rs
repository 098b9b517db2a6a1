//! Passes over words: sums and foldings between the levels of a construction.
//!
//! Loops over plain words, which the compiler turns into whatever vectors the machine has: they are run through the
//! machine's door only so that it may.
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// `out = a + b`.
struct Add<'a>(&'a [u64], &'a [u64], &'a mut [u64]);

impl ClmulKernel for Add<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        let Add(a, b, out) = self;
        for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
            *out = a ^ b;
        }
    }
}

/// `out = a + b`, as many words as the shortest has.
#[inline]
pub(super) fn add(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
    cpu.call_clmul(Add(a, b, out));
}

/// `out += a`.
struct AddTo<'a>(&'a mut [u64], &'a [u64]);

impl ClmulKernel for AddTo<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        for (out, a) in self.0.iter_mut().zip(self.1) {
            *out ^= a;
        }
    }
}

/// `out += a`, as many words as the shorter has.
#[inline]
pub(crate) fn add_to(cpu: ClmulCpu, out: &mut [u64], a: &[u64]) {
    cpu.call_clmul(AddTo(out, a));
}

/// Sums of halves for Karatsuba's method, of both operands of several products.
pub(super) struct Sums<'a> {
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
    pub(super) strides: [usize; 2],
    /// Words of a half.
    pub(super) half: usize,
    /// `half` words a product, one after the other.
    pub(super) sum_a: &'a mut [u64],
    pub(super) sum_b: &'a mut [u64],
}

impl ClmulKernel for Sums<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        let Sums { a, b, strides, half, sum_a, sum_b } = self;
        for (i, out) in sum_a.chunks_exact_mut(half).enumerate() {
            let (low, high) = a[i * strides[0]..][..2 * half].split_at(half);
            for ((out, low), high) in out.iter_mut().zip(low).zip(high) {
                *out = low ^ high;
            }
        }
        for (i, out) in sum_b.chunks_exact_mut(half).enumerate() {
            let (low, high) = b[i * strides[1]..][..2 * half].split_at(half);
            for ((out, low), high) in out.iter_mut().zip(low).zip(high) {
                *out = low ^ high;
            }
        }
    }
}

/// From R0, R1 (side by side in `out`) and R2 to R0 + (R0 + R1 + R2) X^h + R1 X^(2h), for several products.
pub(super) struct Fold<'a> {
    pub(super) out: &'a mut [u64],
    pub(super) stride: usize,
    /// Words of h.
    pub(super) half: usize,
    /// R2: `2 half` words a product, one after the other.
    pub(super) middle: &'a [u64],
}

impl ClmulKernel for Fold<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        let Fold { out, stride, half: h, middle } = self;
        for (i, middle) in middle.chunks_exact(2 * h).enumerate() {
            let (low, high) = out[i * stride..][..4 * h].split_at_mut(2 * h);
            let ((l0, l1), (h0, h1)) = (low.split_at_mut(h), high.split_at_mut(h));
            let (m0, m1) = middle.split_at(h);
            let (l0, h1) = (&l0[..h], &h1[..h]);
            let (l1, h0) = (&mut l1[..h], &mut h0[..h]);
            let (m0, m1) = (&m0[..h], &m1[..h]);
            for j in 0..h {
                let shared = l1[j] ^ h0[j];
                l1[j] = shared ^ l0[j] ^ m0[j];
                h0[j] = shared ^ h1[j] ^ m1[j];
            }
        }
    }
}

/// The part of m-way Karatsuba that the products R_i of equal parts give, e words a part:
/// (sum of R_i Y^i)(1 + Y + .. + Y^(m - 1)), Y = X^(64 e).
///
/// With U = sum of R_i Y^i, of m + 1 parts, part t of the result is U_0 + .. + U_t below Y^m, and U_(t - m + 1) + .. + U_m
/// from there on.
pub(super) struct Windows<'a> {
    /// `2 m e` words.
    pub(super) out: &'a mut [u64],
    /// R_0, R_1, ..: `2 e` words each.
    pub(super) equal: &'a [u64],
    pub(super) part: usize,
}

impl ClmulKernel for Windows<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        let Windows { out, equal, part: e } = self;
        let m = equal.len() / (2 * e);
        // Part t of U is part 2t of the products (the low part of R_t) plus part 2t - 1 (the high part of R_(t - 1)).
        out[..e].copy_from_slice(&equal[..e]);
        for t in 1..m {
            let (before, out) = out[(t - 1) * e..][..2 * e].split_at_mut(e);
            let (high, low) = equal[(2 * t - 1) * e..][..2 * e].split_at(e);
            for (((out, before), high), low) in out.iter_mut().zip(before).zip(high).zip(low) {
                *out = *before ^ high ^ low;
            }
        }
        out[(2 * m - 1) * e..][..e].copy_from_slice(&equal[(2 * m - 1) * e..][..e]);
        for t in (m..2 * m - 1).rev() {
            let (out, after) = out[t * e..][..2 * e].split_at_mut(e);
            let (high, low) = equal[(2 * (t + 1 - m) - 1) * e..][..2 * e].split_at(e);
            for (((out, after), high), low) in out.iter_mut().zip(after).zip(high).zip(low) {
                *out = *after ^ high ^ low;
            }
        }
    }
}
