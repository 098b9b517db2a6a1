//! Values at elements of a field GF(2^m).
use super::Poly;
use crate::field::DynField;
use crate::linear::BitMatrix;
use crate::univariate::FieldPoly;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

/// Words of the powers of points that are in memory at once: a second-level cache.
const POWERS: usize = 1 << 17;

/// Words of a cache line: products of matrices take as many columns at a time.
const LINE: usize = 8;

impl Poly {
    /// The values at points of a field, elements side by side.
    ///
    /// For n coefficients each point takes about 2 sqrt(n) products in the field, and n ceil(m / 64) sums of words, some 50 of them at
    /// once (baby steps and giant steps; the sums are a product of bit matrices). n is at most 2^m, as x^(2^m) = x. Of many elements
    /// of a small field, [`values_on_subspace`](Poly::values_on_subspace) is faster.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// use carryless_gf2::field::DynField;
    ///
    /// let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// // z is a root of the field's own polynomial, z + 1 is not.
    /// let f = Poly::from_exponents([8, 4, 3, 1, 0]);
    /// assert_eq!(f.values_vartime(&field, &[2, 3]), [0, 6]);
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    ///
    /// # Panics
    /// If there is a part of a point.
    #[must_use]
    #[track_caller]
    pub fn values_vartime(&self, field: &DynField, points: &[u64]) -> Vec<u64> {
        let Ok(values) = self.try_values_vartime(field, points, || Ok::<(), Infallible>(()));
        values
    }

    /// [`values_vartime`](Poly::values_vartime) for high degrees and many points, which take long: `proceed` is called before
    /// each step on up to 1 MiB.
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// If there is a part of a point.
    #[track_caller]
    pub fn try_values_vartime<E>(
        &self,
        field: &DynField,
        points: &[u64],
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<u64>, E> {
        let width = field.words();
        assert!(points.len().is_multiple_of(width), "points have {width} words");
        let steps = Steps::new(&self.on_field(field));
        let batch = (POWERS / (steps.baby * width)).max(LINE.div_ceil(width)) * width;
        let mut values = Vec::with_capacity(points.len());
        for points in points.chunks(batch) {
            values.extend(steps.values(field, points, &mut proceed)?);
        }
        Ok(values)
    }

    /// The values on an affine subspace of a field, by an additive transform: see [`FieldPoly::values_on_subspace`]. It takes memory
    /// for an element a coefficient. A degree from 2^m on is reduced before.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// use carryless_gf2::field::DynField;
    ///
    /// let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// let all = Poly::from_exponents([8, 4, 3, 1, 0]).values_on_subspace(&field, &[1, 2, 4, 8, 16, 32, 64, 128], &[0]);
    /// let roots: Vec<usize> = (0..256).filter(|&x| all.as_ref().is_some_and(|values| values[x] == 0)).collect();
    /// assert_eq!(roots, [2, 4, 16, 27, 77, 94, 228, 250]);
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    ///
    /// # Panics
    /// As [`FieldPoly::values_on_subspace`].
    #[must_use]
    #[track_caller]
    pub fn values_on_subspace(&self, field: &DynField, basis: &[u64], offset: &[u64]) -> Option<Vec<u64>> {
        let Ok(values) = self.try_values_on_subspace(field, basis, offset, || Ok::<(), Infallible>(()));
        values
    }

    /// [`values_on_subspace`](Poly::values_on_subspace) for many: see [`FieldPoly::try_values_on_subspace`].
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// As [`FieldPoly::values_on_subspace`].
    #[track_caller]
    pub fn try_values_on_subspace<E>(
        &self,
        field: &DynField,
        basis: &[u64],
        offset: &[u64],
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<u64>>, E> {
        let (width, a) = (field.words(), self.on_field(field));
        let mut words = vec![0; a.degree().map_or(0, |degree| degree + 1) * width];
        a.exponents().for_each(|i| words[i * width] = 1);
        FieldPoly::from_words(field, words).try_values_on_subspace(basis, offset, proceed)
    }

    /// The remainder modulo X^(2^m) + X, which has the same values on the field.
    fn on_field(&self, field: &DynField) -> Poly {
        let size = 1_usize.checked_shl(field.degree() as u32).unwrap_or(usize::MAX);
        match self.degree() {
            Some(degree) if degree >= size => {
                self.rem(&Poly::from_exponents([size, 1])).expect("the divisor is not 0")
            }
            _ => self.clone(),
        }
    }
}

/// A polynomial as a matrix: row j has the coefficients of X^(s j) to X^(s j + s - 1).
struct Steps {
    /// s, the number of baby steps: whole words, so that rows are words of the polynomial. Fewer if there are fewer coefficients.
    baby: usize,
    rows: BitMatrix,
}

impl Steps {
    /// With s about the square root of the number of coefficients, there are as many giant steps.
    fn new(a: &Poly) -> Steps {
        let len = a.degree().map_or(0, |degree| degree + 1);
        let baby = (64 * len.isqrt().div_ceil(64)).min(len).max(1);
        let rows = a.words().chunks(baby.div_ceil(64)).map(|row| {
            let mut row = row.to_vec();
            row.resize(baby.div_ceil(64), 0);
            row
        });
        Steps { baby, rows: BitMatrix::from_rows(baby, &rows.collect::<Vec<_>>()) }
    }

    /// The values at some points.
    fn values<E>(
        &self,
        field: &DynField,
        points: &[u64],
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<u64>, E> {
        let mut next = vec![0; points.len()];
        next.iter_mut().step_by(field.words()).for_each(|word| *word = 1);
        // Row i has the powers x^i. After the last, `next` has x^s.
        let mut powers: Vec<Vec<u64>> = Vec::with_capacity(self.baby);
        for _ in 0..self.baby {
            let mut product = vec![0; points.len()];
            field.mul_slices(&next, points, &mut product);
            powers.push(core::mem::replace(&mut next, product));
        }
        let powers = BitMatrix::from_rows(64 * points.len(), &powers);
        // Row j has the values of the coefficients of row j. Horner's rule at x^s joins them.
        let sums = self.rows.try_mul_vartime(&powers, &mut *proceed)?;
        let (mut values, mut products) = (vec![0; points.len()], vec![0; points.len()]);
        for j in (0..sums.rows()).rev() {
            proceed()?;
            field.mul_slices(&values, &next, &mut products);
            values
                .iter_mut()
                .zip(&products)
                .zip(sums.row(j))
                .for_each(|((value, product), sum)| *value = product ^ sum);
        }
        Ok(values)
    }
}
