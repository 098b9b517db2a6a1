//! Products by a polynomial with few coefficients, whose exponents are secret.
mod compare;
mod matrices;
#[cfg(test)]
mod tests;

use super::plan::Plan;
use super::sizes::{SizeError, enough, unwrap};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// The kernel for the sum of X^e over all exponents.
struct FromExponents<'a> {
    exponents: &'a [u32],
    out: &'a mut [u64],
}

impl ClmulKernel for FromExponents<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // A constant of the backend, so only one of the two is compiled for it.
        if S::AFFINE {
            matrices::sum(s, self.exponents, self.out);
        } else {
            compare::sum(s, self.exponents, self.out);
        }
    }
}

/// `out` = the sum of X^e over the exponents. Equal exponents cancel, and those beyond `out` are left out. Constant
/// time: every exponent is compared with all of `out`, so no address depends on one. Only the number of exponents
/// and the length of `out` are public.
///
/// With GFNI this is a product of bit matrices: one instruction multiplies those of eight exponents for a vector of
/// `out`, and a sum adds the product. Elsewhere three instructions add one exponent to a vector.
pub fn from_exponents(cpu: ClmulCpu, exponents: &[u32], out: &mut [u64]) {
    cpu.affine().call(FromExponents { exponents, out });
}

impl Plan {
    /// The number of words of scratch that [`mul_sparse`](Plan::mul_sparse) takes: the first operand
    /// and that of a product.
    #[must_use]
    pub fn sparse_scratch_words(&self) -> usize {
        self.scratch_words() + self.words()[0]
    }

    /// `out = a b`, a being the sum of X^e over the exponents ([`from_exponents`]). Exponents and b may be secret.
    /// In constant time a product with few coefficients is no cheaper than one with many: shifts by secret
    /// distances take longer than carry-less products. Leaves secrets in `scratch`.
    ///
    /// # Panics
    /// As [`mul`](Plan::mul), but with [`sparse_scratch_words`](Plan::sparse_scratch_words).
    #[track_caller]
    pub fn mul_sparse(&self, exponents: &[u32], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_sparse(exponents, b, out, scratch));
    }

    /// [`mul_sparse`](Plan::mul_sparse), with an error instead of a panic.
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
