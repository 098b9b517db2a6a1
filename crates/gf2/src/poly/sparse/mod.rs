//! Products by a polynomial with few coefficients.
mod compare;
mod matrices;
#[cfg(test)]
mod tests;

use super::plan::Plan;
use super::sizes::{SizeError, enough, unwrap};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// The sum of X^e for all e.
struct FromExponents<'a> {
    exponents: &'a [u32],
    out: &'a mut [u64],
}

impl ClmulKernel for FromExponents<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        if S::AFFINE {
            matrices::sum(s, self.exponents, self.out);
        } else {
            compare::sum(s, self.exponents, self.out);
        }
    }
}

/// `out` = the sum of X^e over the exponents; equal ones cancel, and what lies above `out` is left out. Constant
/// time: every exponent passes over all of `out`, so that no address depends on one.
///
/// With GFNI this is a product of bit matrices: an instruction takes eight exponents to a vector of `out`, and a
/// sum adds it. Elsewhere three instructions take one exponent to a vector.
pub fn from_exponents(cpu: ClmulCpu, exponents: &[u32], out: &mut [u64]) {
    cpu.call_with_affine(FromExponents { exponents, out });
}

impl Plan {
    /// The words of scratch that [`mul_sparse`](Plan::mul_sparse) takes.
    #[must_use]
    pub fn sparse_scratch_words(&self) -> usize {
        self.scratch_words() + self.words()[0]
    }

    /// `out = a b`, a being the sum of X^e over the exponents, which are as secret as b ([`from_exponents`]). In
    /// constant time a product with few coefficients is no cheaper than one with many: shifts by secret distances
    /// take longer than carry-less products.
    ///
    /// # Panics
    /// As [`mul`](Plan::mul), but with [`sparse_scratch_words`](Plan::sparse_scratch_words).
    #[track_caller]
    pub fn mul_sparse(&self, exponents: &[u32], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_sparse(exponents, b, out, scratch));
    }

    /// [`mul_sparse`](Plan::mul_sparse) without a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then `out` is as it was.
    pub fn try_mul_sparse(
        &self,
        exponents: &[u32],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        enough(scratch, self.sparse_scratch_words())?;
        let (a, scratch) = scratch.split_at_mut(self.words()[0]);
        from_exponents(self.cpu(), exponents, a);
        self.try_mul(a, b, out, scratch)
    }
}
