//! Products modulo a sparse polynomial, by a plan for operands of its size.
use super::{Modulus, in_vectors};
use crate::poly::cyclic;
use crate::poly::modular::{Product, Short};
use crate::poly::plan::Plan;
use crate::poly::sizes::{SizeError, lengths, unwrap};
use carryless_lanes::ClmulCpu;

/// A product reduced in vectors. Behind a call, so that kernels are not compiled where products are asked for.
#[inline(never)]
fn product_in_vectors(cpu: ClmulCpu, short: &Short, a: &[u64], b: &[u64], out: &mut [u64]) {
    in_vectors(cpu, short, Product::each(a, b), out);
}

#[cfg(feature = "alloc")]
impl Modulus<'_> {
    /// `out = a b` modulo this polynomial, as one kernel. Returns false and writes nothing if there is no kernel for this
    /// modulus, or unless all three have its [`words`](Modulus::words).
    pub(crate) fn product_by_kernel(&self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) -> bool {
        match self.short() {
            Some(short) if [a.len(), b.len(), out.len()] == [self.words(); 3] => {
                product_in_vectors(cpu, &short, a, b, out);
                true
            }
            _ => false,
        }
    }
}

impl Plan {
    /// `out = a b mod m`, in constant time. Operands and `out` have the modulus's [`words`](Modulus::words), and so
    /// must the plan. Operands may have bits from X^n on. Overwrites all of `out`, and leaves secrets in `scratch`.
    ///
    /// # Panics
    /// If the plan or the slices have other sizes, or `scratch` has less than
    /// [`part_scratch_words`](Plan::part_scratch_words).
    #[inline]
    #[track_caller]
    pub fn mul_mod(&self, m: Modulus<'_>, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_mod(m, a, b, out, scratch));
    }

    /// [`mul_mod`](Plan::mul_mod), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then `out` is as it was.
    #[inline]
    pub fn try_mul_mod(
        &self,
        m: Modulus<'_>,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        match self.in_vectors(&m) {
            Some(short) if self.has_room(a, b, out, scratch) => {
                product_in_vectors(self.cpu(), short, a, b, out);
                Ok(())
            }
            // Wrong sizes come here as well: the checks there name the slice.
            _ => self.mul_mod_in_parts(m, a, b, out, scratch),
        }
    }

    /// Whether the slices have the lengths that [`mul_mod`](Plan::mul_mod) asks for.
    #[inline]
    fn has_room(&self, a: &[u64], b: &[u64], out: &[u64], scratch: &[u64]) -> bool {
        let [words, other] = self.words();
        let lengths = [(a, words), (b, other), (out, words)];
        lengths.into_iter().all(|(slice, words)| slice.len() == words)
            && scratch.len() >= self.part_scratch_words()
    }

    /// Computes the product into scratch, then its remainder; or returns the error.
    #[inline(never)]
    fn mul_mod_in_parts(
        &self,
        m: Modulus<'_>,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        self.fits(m, out)?;
        let product = self.product(a, b, scratch)?;
        self.remainder(m, product, out);
        Ok(())
    }

    /// `out = a b mod m`, for the operand b that [`prepare`](Plan::prepare) prepared. Otherwise as
    /// [`mul_mod`](Plan::mul_mod).
    ///
    /// # Panics
    /// As [`mul_mod`](Plan::mul_mod), or if `prepared` has not [`prepared_words`](Plan::prepared_words).
    #[track_caller]
    pub fn mul_mod_prepared(
        &self,
        m: Modulus<'_>,
        a: &[u64],
        prepared: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) {
        unwrap(self.try_mul_mod_prepared(m, a, prepared, out, scratch));
    }

    /// [`mul_mod_prepared`](Plan::mul_mod_prepared), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then `out` is as it was.
    pub fn try_mul_mod_prepared(
        &self,
        m: Modulus<'_>,
        a: &[u64],
        prepared: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        if self.in_vectors(&m).is_some() {
            // A plan that is one kernel prepares nothing: the prepared operand is the operand.
            return self.try_mul_mod(m, a, prepared, out, scratch);
        }
        self.fits(m, out)?;
        let (product, scratch) = self.split(scratch)?;
        self.try_mul_prepared(a, prepared, product, scratch)?;
        self.remainder(m, product, out);
        Ok(())
    }

    /// `out = a b mod X^n - 1`. With a prepared operand: [`mul_mod_prepared`](Plan::mul_mod_prepared) and
    /// `Modulus::new(&[n, 0])`.
    ///
    /// # Panics
    /// As [`mul_mod`](Plan::mul_mod), and if n is zero.
    #[track_caller]
    pub fn mul_mod_xn_1(&self, n: usize, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_mod_xn_1(n, a, b, out, scratch));
    }

    /// [`mul_mod_xn_1`](Plan::mul_mod_xn_1), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then `out` is as it was.
    pub fn try_mul_mod_xn_1(
        &self,
        n: usize,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        // For n = 0 these do not descend, so that `new` refuses them.
        let exponents = [n, 0];
        let modulus = Modulus::new(&exponents).ok_or(SizeError::Modulus)?;
        self.try_mul_mod(modulus, a, b, out, scratch)
    }

    /// Whether the operands of the plan and `out` are remainders modulo `m`.
    fn fits(&self, m: Modulus<'_>, out: &[u64]) -> Result<(), SizeError> {
        let expected = m.words();
        match self.words().into_iter().find(|&words| words != expected) {
            Some(found) => Err(SizeError::Length { expected, found }),
            None => lengths(&[(out, expected)]),
        }
    }

    /// The constants for reduction in vectors, if the plan is one kernel for operands of this modulus.
    #[inline]
    fn in_vectors<'a>(&self, m: &'a Modulus<'_>) -> Option<&'a Short> {
        if self.direct.is_some() && self.words() == [m.words(); 2] { m.short.as_ref() } else { None }
    }

    /// Reduces the product in place and writes `out`; modulo X^n - 1 in one pass.
    fn remainder(&self, m: Modulus<'_>, product: &mut [u64], out: &mut [u64]) {
        // Up to 128 bits the part above X^(2n) may reach X^n again, and one pass is not enough.
        if let (129.., [0]) = (m.degree, m.tail) {
            return cyclic::remainder(self.cpu(), m.degree, product, out);
        }
        m.reduce(self.cpu(), product);
        out.copy_from_slice(&product[..out.len()]);
    }
}
