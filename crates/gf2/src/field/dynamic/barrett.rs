//! Products and reduction for any f, by products of polynomials through memory: no kernel is compiled for more than two words.
use super::super::constants::{barrett, first, sum};
use super::MOST;
use crate::poly::Plan;
use crate::poly::modular::ByConstants;
use carryless_lanes::ClmulCpu;

/// A polynomial of up to 2W words and zeros.
type Double = [u64; 2 * MOST];

/// The constants of f for elements of W words, n = 64 W.
#[derive(Clone, Copy)]
pub(super) struct Barrett {
    plan: Plan,
    /// X^(2n) div f X^(n - m), without its term X^n.
    quotient: [u64; MOST],
    /// f X^(n - m) without its term X^n.
    tail: [u64; MOST],
    /// n - m.
    unused: usize,
}

impl Barrett {
    pub(super) fn new(cpu: ClmulCpu, degree: usize, tail: &[usize]) -> Barrett {
        let words = degree.div_ceil(64);
        let unused = 64 * words - degree;
        Barrett {
            plan: Plan::on(cpu, words, words),
            quotient: first(&barrett(degree, tail, words)),
            tail: first(&sum(tail, unused)),
            unused,
        }
    }

    /// W.
    fn words(&self) -> usize {
        self.plan.words()[0]
    }

    /// For kernels.
    pub(super) fn constants(&self) -> ByConstants<'_> {
        let (quotient, tail) = (&self.quotient[..self.words()], &self.tail[..self.words()]);
        ByConstants { quotient, tail, unused: self.unused as u32 }
    }

    /// The carry-less products of words that a product takes, and its reduction.
    pub(super) fn clmuls(&self) -> [usize; 2] {
        let product = self.plan.clmuls();
        [product, 2 * product * (1 + usize::from(self.unused > 0))]
    }

    /// a b, for W words each.
    pub(super) fn product(&self, a: &[u64], b: &[u64]) -> Double {
        let mut product = [0; 2 * MOST];
        let out = &mut product[..2 * self.words()];
        // Up to ten words take no scratch, which takes longer to clear than they take to multiply.
        if self.plan.scratch_words() == 0 {
            self.plan.mul(a, b, out, &mut [])
        } else {
            self.long_product(a, b, out)
        }
        product
    }

    #[inline(never)]
    fn long_product(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        let mut scratch = [0; Plan::scratch_bound(MOST, MOST)];
        self.plan.mul(a, b, out, &mut scratch);
    }

    /// `out = c mod f`, for c of 2W words.
    pub(super) fn remainder(&self, c: &Double, out: &mut [u64]) {
        let mut rest = self.reduce(c);
        if self.unused > 0 {
            // x X^(n - m) modulo f X^(n - m) is the remainder times X^(n - m).
            let (up, down) = (self.unused, 64 - self.unused);
            let mut shifted = [0; 2 * MOST];
            for (i, &word) in rest.iter().enumerate() {
                shifted[i] |= word << up;
                shifted[i + 1] = word >> down;
            }
            rest = self.reduce(&shifted);
            for i in 0..MOST {
                rest[i] = rest[i] >> up | rest.get(i + 1).map_or(0, |next| next << down);
            }
        }
        out.copy_from_slice(&rest[..self.words()]);
    }

    /// What is congruent to c and has n bits. With H = c div X^n, M = X^(2n) div f' and f' = f X^(n - m), the quotient c div f' is H M div X^n. M and
    /// f' have the degree n, and products by X^n are sums.
    fn reduce(&self, c: &Double) -> [u64; MOST] {
        let w = self.words();
        let (mut quotient, mut rest) = ([0; MOST], [0; MOST]);
        let product = self.product(&c[w..2 * w], &self.quotient[..w]);
        for i in 0..w {
            quotient[i] = product[w + i] ^ c[w + i];
        }
        let product = self.product(&quotient[..w], &self.tail[..w]);
        for i in 0..w {
            rest[i] = product[i] ^ c[i];
        }
        rest
    }
}
