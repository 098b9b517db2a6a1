//! Products that are added to a sum, of which only a part is wanted, or of which there are many.
use super::construct::add_to;
use super::plan::Plan;
use super::sizes::{SizeError, enough, lengths, unwrap};

impl Plan {
    /// The number of words of scratch that [`mul_add`](Plan::mul_add), [`mul_low`](Plan::mul_low),
    /// [`mul_high`](Plan::mul_high) and [`mul_mod`](Plan::mul_mod) take: a product and the scratch for it.
    #[must_use]
    #[inline]
    pub fn part_scratch_words(&self) -> usize {
        self.scratch_words() + self.words().iter().sum::<usize>()
    }

    /// `sum += a b`, in constant time. Costs a product and a pass over it.
    ///
    /// # Panics
    /// If `a` or `b` has another size than the plan's, `sum` has not as many words as both together, or
    /// `scratch` has less than [`part_scratch_words`](Plan::part_scratch_words).
    #[track_caller]
    pub fn mul_add(&self, a: &[u64], b: &[u64], sum: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_add(a, b, sum, scratch));
    }

    /// [`mul_add`](Plan::mul_add), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then nothing was written.
    pub fn try_mul_add(
        &self,
        a: &[u64],
        b: &[u64],
        sum: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        lengths(&[(sum, self.product_words())])?;
        add_to(self.cpu(), sum, self.product(a, b, scratch)?);
        Ok(())
    }

    /// The product modulo X^(64 n), for `out` of n words: its low words. Costs as much as the whole product.
    ///
    /// # Panics
    /// As [`mul_add`](Plan::mul_add), but `out` may be shorter.
    #[track_caller]
    pub fn mul_low(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_low(a, b, out, scratch));
    }

    /// [`mul_low`](Plan::mul_low), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then nothing was written.
    pub fn try_mul_low(
        &self,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        self.part(out)?;
        // Plans make whole products only, so a part costs as much.
        out.copy_from_slice(&self.product(a, b, scratch)?[..out.len()]);
        Ok(())
    }

    /// The high words of the product, as many as `out` has. Costs as much as the whole product.
    ///
    /// # Panics
    /// As [`mul_add`](Plan::mul_add), but `out` may be shorter.
    #[track_caller]
    pub fn mul_high(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_high(a, b, out, scratch));
    }

    /// [`mul_high`](Plan::mul_high), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then nothing was written.
    pub fn try_mul_high(
        &self,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        self.part(out)?;
        let product = self.product(a, b, scratch)?;
        out.copy_from_slice(&product[product.len() - out.len()..]);
        Ok(())
    }

    /// `out_i = a_i b_i`, for any number of products of the plan's sizes, one after the other in all three slices.
    /// Backends with several lanes compute several at once, if the plan is a chain and operands have its size.
    ///
    /// # Panics
    /// If the slices do not hold operands and products of the plan's sizes and equal number, or
    /// `scratch` has less than [`batch_scratch_words`](Plan::batch_scratch_words).
    #[track_caller]
    pub fn mul_batch(&self, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        unwrap(self.try_mul_batch(a, b, out, scratch));
    }

    /// [`mul_batch`](Plan::mul_batch), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError`]; then nothing was written.
    pub fn try_mul_batch(
        &self,
        a: &[u64],
        b: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) -> Result<(), SizeError> {
        let [a_words, b_words] = self.words();
        // An operand of no words does not give the number of products.
        let [of_a, of_b] = [(a, a_words), (b, b_words)].map(|(all, words)| all.len().checked_div(words));
        let count = of_a.or(of_b).unwrap_or(0);
        // All lengths are checked before anything is written.
        let wanted = [count * a_words, count * b_words, count * (a_words + b_words)];
        if [a.len(), b.len(), out.len()] != wanted {
            return Err(SizeError::Batch);
        }
        enough(scratch, self.batch_scratch_words())?;
        if a.is_empty() || b.is_empty() {
            out.fill(0);
            return Ok(());
        }
        if !self.mul_in_lanes(a, b, out, scratch) {
            let operands = a.chunks_exact(a_words).zip(b.chunks_exact(b_words));
            for ((a, b), out) in operands.zip(out.chunks_exact_mut(a_words + b_words)) {
                self.try_mul(a, b, out, scratch)?;
            }
        }
        Ok(())
    }

    /// The number of words of a product.
    fn product_words(&self) -> usize {
        self.words().iter().sum()
    }

    /// An error if `out` is longer than the product.
    fn part(&self, out: &[u64]) -> Result<(), SizeError> {
        match self.product_words() {
            expected if out.len() > expected => Err(SizeError::Length { expected, found: out.len() }),
            _ => Ok(()),
        }
    }

    /// Splits scratch into room for the product and the rest.
    pub(super) fn split<'a>(
        &self,
        scratch: &'a mut [u64],
    ) -> Result<(&'a mut [u64], &'a mut [u64]), SizeError> {
        enough(scratch, self.part_scratch_words())?;
        Ok(scratch.split_at_mut(self.product_words()))
    }

    /// Computes the product at the beginning of `scratch`, and returns it.
    pub(super) fn product<'a>(
        &self,
        a: &[u64],
        b: &[u64],
        scratch: &'a mut [u64],
    ) -> Result<&'a mut [u64], SizeError> {
        let (product, scratch) = self.split(scratch)?;
        self.try_mul(a, b, product, scratch)?;
        Ok(product)
    }
}
