//! Products and reduction for any f of any size, on polynomials in memory. No kernel is compiled for more than
//! two words.
use super::super::constants::{barrett, first, sum};
use super::MAX_WORDS;
use crate::poly::Plan;
use crate::poly::modular::ByConstants;
use carryless_lanes::ClmulCpu;

/// A polynomial of up to 2 W words, padded with zeros.
type Double = [u64; 2 * MAX_WORDS];

/// The constants of f for Barrett's method, for elements of W words and n = 64 W.
#[derive(Clone, Copy)]
pub(super) struct Barrett {
    plan: Plan,
    /// The words of X^(2n) div f X^(n - m), without its leading term X^n.
    quotient: [u64; MAX_WORDS],
    /// The words of f X^(n - m), without its leading term X^n.
    tail: [u64; MAX_WORDS],
    /// The number n - m of unused bits of the last word, 0 to 63.
    unused: usize,
}

impl Barrett {
    /// The constants of f = z^degree + the sum of z^e over `tail`, for products on this backend.
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

    /// W, the number of 64-bit words of an element.
    fn words(&self) -> usize {
        self.plan.words()[0]
    }

    /// The constants in the form that kernels take.
    pub(super) fn constants(&self) -> ByConstants<'_> {
        let (quotient, tail) = (&self.quotient[..self.words()], &self.tail[..self.words()]);
        ByConstants { quotient, tail, unused: self.unused as u32 }
    }

    /// The numbers of carry-less products of words: of one product, and of its reduction.
    pub(super) fn clmuls(&self) -> [usize; 2] {
        let product = self.plan.clmuls();
        [product, 2 * product * (1 + usize::from(self.unused > 0))]
    }

    /// The product a b of W words each, not reduced.
    pub(super) fn product(&self, a: &[u64], b: &[u64]) -> Double {
        let mut product = [0; 2 * MAX_WORDS];
        let out = &mut product[..2 * self.words()];
        // For up to ten words the plan needs no scratch memory, and clearing some would take longer than the
        // product.
        if self.plan.scratch_words() == 0 {
            self.plan.mul(a, b, out, &mut [])
        } else {
            self.long_product(a, b, out)
        }
        product
    }

    #[inline(never)]
    fn long_product(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        let mut scratch = [0; Plan::scratch_bound(MAX_WORDS, MAX_WORDS)];
        self.plan.mul(a, b, out, &mut scratch);
    }

    /// Sets `out` to c mod f, canonical, for c of 2 W words.
    pub(super) fn remainder(&self, c: &Double, out: &mut [u64]) {
        let mut rest = self.reduce(c);
        if self.unused > 0 {
            // (x X^(n - m)) mod (f X^(n - m)) is (x mod f) X^(n - m): shift up, reduce once more, and shift
            // down.
            let (up, down) = (self.unused, 64 - self.unused);
            let mut shifted = [0; 2 * MAX_WORDS];
            for (i, &word) in rest.iter().enumerate() {
                shifted[i] |= word << up;
                shifted[i + 1] = word >> down;
            }
            rest = self.reduce(&shifted);
            for i in 0..MAX_WORDS {
                rest[i] = rest[i] >> up | rest.get(i + 1).map_or(0, |next| next << down);
            }
        }
        out.copy_from_slice(&rest[..self.words()]);
    }

    /// Reduces c, of 2 W words, to a polynomial of n bits that is congruent modulo f.
    ///
    /// With H = c div X^n, f' = f X^(n - m) and M = X^(2n) div f', the quotient c div f' is H M div X^n, exactly. The
    /// constants leave out the leading terms X^n of M and f'; the products by X^n are the sums in the loops.
    fn reduce(&self, c: &Double) -> [u64; MAX_WORDS] {
        let w = self.words();
        let (mut quotient, mut rest) = ([0; MAX_WORDS], [0; MAX_WORDS]);
        // H M is H X^n plus H times the constant, so the quotient by X^n is H plus the upper half of the
        // product.
        let product = self.product(&c[w..2 * w], &self.quotient[..w]);
        for i in 0..w {
            quotient[i] = product[w + i] ^ c[w + i];
        }
        // Only the lower W words of c + Q f' are wanted: those above cancel, because Q is exact.
        let product = self.product(&quotient[..w], &self.tail[..w]);
        for i in 0..w {
            rest[i] = product[i] ^ c[i];
        }
        rest
    }
}
