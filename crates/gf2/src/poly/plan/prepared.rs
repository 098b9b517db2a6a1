//! Products by a prepared operand: what does not depend on the other one is computed once.
use super::{Plan, Way};
use crate::poly::sizes::{SizeError, lengths, unwrap};

impl Plan {
    /// The words of a prepared second operand.
    #[must_use]
    pub fn prepared_words(&self) -> usize {
        match (self.direct, self.way) {
            (Some(_), _) => self.sizes[1],
            (_, Way::Zero) => 0,
            (_, Way::Pieces(pieces)) => pieces.prepared_words(),
            (_, Way::Fft(fft)) => fft.prepared_words(),
        }
    }

    /// Prepares a second operand for several products. A transform keeps its values, a chain the sums and values of
    /// Karat3, Karat5 and Toom3 at its top, a kernel the operand. The result is as secret as the operand, and good
    /// for plans equal to this one.
    ///
    /// # Panics
    /// If `b` has another size than the plan's, `prepared` has not
    /// [`prepared_words`](Plan::prepared_words), or `scratch` has less than [`scratch_words`](Plan::scratch_words).
    #[track_caller]
    pub fn prepare(&self, b: &[u64], prepared: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_prepare(b, prepared, scratch));
    }

    /// [`prepare`](Plan::prepare), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then nothing was written.
    pub fn try_prepare(&self, b: &[u64], prepared: &mut [u64], scratch: &mut [u64]) -> Result<(), SizeError> {
        lengths(&[(b, self.sizes[1]), (prepared, self.prepared_words())])?;
        let scratch = self.aligned(scratch)?;
        match (self.direct, &self.way) {
            (_, Way::Zero) => {}
            // A kernel has nothing to prepare: it reads the operand itself.
            (Some(_), _) => prepared.copy_from_slice(b),
            (_, Way::Pieces(pieces)) => pieces.prepare(self.cpu, b, prepared, scratch),
            (_, Way::Fft(fft)) => fft.prepare(self.cpu, b, prepared),
        }
        Ok(())
    }

    /// `out = a b`, for the operand b that [`prepare`](Plan::prepare) prepared. Otherwise as [`mul`](Plan::mul).
    ///
    /// # Panics
    /// As [`mul`](Plan::mul), or if `prepared` has not [`prepared_words`](Plan::prepared_words).
    #[track_caller]
    pub fn mul_prepared(&self, a: &[u64], prepared: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_prepared(a, prepared, out, scratch));
    }

    /// [`mul_prepared`](Plan::mul_prepared), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then nothing was written.
    pub fn try_mul_prepared(
        &self,
        a: &[u64],
        prepared: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        let [a_words, b_words] = self.sizes;
        lengths(&[(a, a_words), (prepared, self.prepared_words()), (out, a_words + b_words)])?;
        let scratch = self.aligned(scratch)?;
        match (self.direct, &self.way) {
            (_, Way::Zero) => out.fill(0),
            (Some(direct), _) => _ = direct.mul(a, prepared, out),
            (_, Way::Pieces(pieces)) => pieces.mul_prepared(self.cpu, a, prepared, out, scratch),
            (_, Way::Fft(fft)) => fft.mul_prepared(self.cpu, a, prepared, out, scratch),
        }
        Ok(())
    }
}
