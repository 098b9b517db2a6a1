//! Operations that return an error for slices of the wrong length, where their namesakes panic.
use super::DynField;
use crate::poly::SizeError;
use ctutils::Choice;

impl DynField {
    /// An error unless all slices have the length of an element.
    fn fit(&self, slices: &[&[u64]]) -> Result<(), SizeError> {
        let expected = self.words();
        match slices.iter().map(|slice| slice.len()).find(|&found| found != expected) {
            Some(found) => Err(SizeError::Length { expected, found }),
            None => Ok(()),
        }
    }
}

impl DynField {
    /// [`add`](DynField::add), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if a slice has another length than [`words`](DynField::words); then nothing was written.
    pub fn try_add(&self, a: &[u64], b: &[u64], out: &mut [u64]) -> Result<(), SizeError> {
        self.fit(&[a, b, out])?;
        self.add(a, b, out);
        Ok(())
    }

    /// [`mul`](DynField::mul), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if a slice has another length than [`words`](DynField::words); then nothing was written.
    pub fn try_mul(&self, a: &[u64], b: &[u64], out: &mut [u64]) -> Result<(), SizeError> {
        self.fit(&[a, b, out])?;
        self.mul(a, b, out);
        Ok(())
    }

    /// [`square`](DynField::square), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if a slice has another length than [`words`](DynField::words); then nothing was written.
    pub fn try_square(&self, a: &[u64], out: &mut [u64]) -> Result<(), SizeError> {
        self.fit(&[a, out])?;
        self.square(a, out);
        Ok(())
    }

    /// [`sqrt`](DynField::sqrt), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if a slice has another length than [`words`](DynField::words); then nothing was written.
    pub fn try_sqrt(&self, a: &[u64], out: &mut [u64]) -> Result<(), SizeError> {
        self.fit(&[a, out])?;
        self.sqrt(a, out);
        Ok(())
    }

    /// [`invert_or_zero`](DynField::invert_or_zero), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if a slice has another length than [`words`](DynField::words); then nothing was written.
    pub fn try_invert_or_zero(&self, a: &[u64], out: &mut [u64]) -> Result<(), SizeError> {
        self.fit(&[a, out])?;
        self.invert_or_zero(a, out);
        Ok(())
    }

    /// [`solve_unchecked`](DynField::solve_unchecked), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if a slice has another length than [`words`](DynField::words); then nothing was written.
    pub fn try_solve_unchecked(&self, c: &[u64], out: &mut [u64]) -> Result<(), SizeError> {
        self.fit(&[c, out])?;
        self.solve_unchecked(c, out);
        Ok(())
    }

    /// [`frobenius`](DynField::frobenius), by k mod m squarings, without a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if a slice has another length than [`words`](DynField::words); then nothing was written.
    pub fn try_frobenius(&self, a: &[u64], k: usize, out: &mut [u64]) -> Result<(), SizeError> {
        self.fit(&[a, out])?;
        self.frobenius(a, k, out);
        Ok(())
    }

    /// [`pow`](DynField::pow), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if the slice of an element has another length than
    /// [`words`](DynField::words); then nothing was written.
    pub fn try_pow(&self, a: &[u64], e: &[u64], out: &mut [u64]) -> Result<(), SizeError> {
        self.fit(&[a, out])?;
        self.pow(a, e, out);
        Ok(())
    }

    /// [`trace`](DynField::trace), with an error instead of a panic.
    ///
    /// # Errors
    /// [`SizeError::Length`] if `a` has another length than [`words`](DynField::words).
    pub fn try_trace(&self, a: &[u64]) -> Result<Choice, SizeError> {
        self.fit(&[a])?;
        Ok(self.trace(a))
    }
}
