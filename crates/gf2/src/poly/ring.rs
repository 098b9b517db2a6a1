//! Squares, and products modulo X^n - 1.
use super::plan::Plan;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// (sum of a_i X^i)^2 = sum of a_i X^(2i): the bits of every word with zeros between them.
struct Square<'a>(&'a [u64], &'a mut [u64]);

impl ClmulKernel for Square<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Square(a, out) = self;
        for (a, out) in a.chunks_exact(2 * S::K).zip(out.chunks_exact_mut(4 * S::K)) {
            let x = s.load(a);
            s.store_lanes(s.square_l(x), out, 4);
            s.store_lanes(s.square_h(x), &mut out[2..], 4);
        }
    }
}

/// `out = a^2` on the best machine of this CPU. Linear in the size, without scratch.
///
/// # Panics
/// If `out` has not twice as many words as `a`.
pub fn square(a: &[u64], out: &mut [u64]) {
    square_on(ClmulCpu::detect(), a, out);
}

/// The same on a machine of one's choice.
///
/// # Panics
/// If `out` has not twice as many words as `a`.
pub fn square_on(cpu: ClmulCpu, a: &[u64], out: &mut [u64]) {
    assert_eq!(out.len(), 2 * a.len(), "a square is twice as long");
    let whole = a.len() - a.len() % (2 * cpu.lanes());
    cpu.call_clmul(Square(&a[..whole], &mut out[..2 * whole]));
    // What does not fill a vector, and the word that does not fill a lane.
    for (a, out) in a[whole..].chunks(2).zip(out[2 * whole..].chunks_mut(4)) {
        let (mut last, mut square) = ([0; 2], [0; 4]);
        last[..a.len()].copy_from_slice(a);
        cpu.narrow(1).call_clmul(Square(&last, &mut square));
        out.copy_from_slice(&square[..2 * a.len()]);
    }
}

/// c mod X^n - 1 for c of degree at most 2n - 2: what lies from X^n on is added at the bottom.
struct Fold<'a> {
    c: &'a [u64],
    n: usize,
    out: &'a mut [u64],
}

impl ClmulKernel for Fold<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        let Fold { c, n, out } = self;
        let (words, shift) = (n / 64, n % 64);
        let size = out.len();
        if shift == 0 {
            for ((out, low), high) in out.iter_mut().zip(c).zip(&c[words..]) {
                *out = low ^ high;
            }
            return;
        }
        let (first, second) = (&c[words..][..size], &c[words + 1..][..size]);
        for (((out, low), first), second) in out.iter_mut().zip(c).zip(first).zip(second) {
            *out = low ^ first >> shift ^ second << (64 - shift);
        }
        out[size - 1] &= !(!0 << shift);
    }
}

impl Plan {
    /// The words of scratch that [`mul_mod_xn_1`](Plan::mul_mod_xn_1) takes.
    #[must_use]
    pub fn mod_xn_1_scratch_words(&self) -> usize {
        self.scratch_words() + self.words().iter().sum::<usize>()
    }

    /// `out = a b mod X^n - 1`, for a plan of two times `ceil(n / 64)` words. The bits from n on are zero in operands and
    /// result; if they are not in an operand, the result is a polynomial of that size, but not the right one.
    ///
    /// # Panics
    /// If n is zero, the plan has other sizes, so have the slices, or `scratch` has less than
    /// [`mod_xn_1_scratch_words`](Plan::mod_xn_1_scratch_words).
    pub fn mul_mod_xn_1(&self, n: usize, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        let size = n.div_ceil(64);
        assert!(n > 0 && self.words() == [size; 2], "a plan for operands of n bits");
        assert_eq!(out.len(), size, "a result of n bits");
        let (product, scratch) = scratch.split_at_mut(2 * size);
        self.mul(a, b, product, scratch);
        self.cpu().call_clmul(Fold { c: product, n, out });
    }
}
