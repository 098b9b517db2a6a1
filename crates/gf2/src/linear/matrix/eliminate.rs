//! Elimination and triangles over a field GF(2^m), row by row.
use super::super::{Plu, elimination::Eliminate};
use super::{Matrix, is_zero};
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

impl<'f> Matrix<'f> {
    /// Triangles with P A = L U for this matrix A.
    #[must_use]
    pub fn plu_vartime(&self) -> Plu<Self> {
        let Ok(plu) = self.try_plu_vartime(|| Ok::<(), Infallible>(()));
        plu
    }

    /// [`plu_vartime`](Matrix::plu_vartime) for large matrices: `proceed` is called before each row of U.
    ///
    /// # Errors
    /// The first error of `proceed`.
    pub fn try_plu_vartime<E>(&self, mut proceed: impl FnMut() -> Result<(), E>) -> Result<Plu<Self>, E> {
        let (mut upper, mut lower) = (self.clone(), Matrix::zero(self.field, self.rows, self.rows));
        let mut permutation: Vec<usize> = (0..self.rows).collect();
        let (mut inverse, mut factor) = (vec![0; self.field.words()], vec![0; self.field.words()]);
        let mut multiple = vec![0; self.stride()];
        for i in 0..self.rows.min(self.columns) {
            proceed()?;
            if let Some(found) = (i..self.rows).find(|&row| !is_zero(upper.get(row, i))) {
                [&mut upper, &mut lower].into_iter().for_each(|matrix| matrix.swap_rows(i, found));
                permutation.swap(i, found);
            }
            lower.set_one(i, i);
            self.field.invert_or_zero(upper.get(i, i), &mut inverse);
            for row in i + 1..self.rows {
                self.field.mul(upper.get(row, i), &inverse, &mut factor);
                upper.add_multiple(row, [i, i], &factor, &mut multiple);
                lower.entry_mut(row, i).copy_from_slice(&factor);
            }
        }
        (self.columns..self.rows).for_each(|i| lower.set_one(i, i));
        Ok(Plu { permutation, lower, upper })
    }

    /// Adds `factor` times row `from`, whose entries before column `column` are 0, to another row. `multiple` is room for a row.
    pub(super) fn add_multiple(
        &mut self,
        to: usize,
        [from, column]: [usize; 2],
        factor: &[u64],
        multiple: &mut [u64],
    ) {
        if is_zero(factor) {
            return;
        }
        let start = column * self.field.words();
        let (at, multiple) = (to * multiple.len() + start, &mut multiple[start..]);
        self.field.scale_slice(&self.row(from)[start..], factor, multiple);
        self.words[at..].iter_mut().zip(multiple).for_each(|(word, add)| *word ^= *add);
    }
}

impl Eliminate for Matrix<'_> {
    fn shape(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    fn zeros(&self, rows: usize, columns: usize) -> Self {
        Matrix::zero(self.field, rows, columns)
    }

    fn set_one(&mut self, row: usize, column: usize) {
        self.entry_mut(row, column)[0] = 1;
    }

    fn copy_entry(&mut self, [row, column]: [usize; 2], other: &Self, [i, j]: [usize; 2]) {
        self.entry_mut(row, column).copy_from_slice(other.get(i, j));
    }

    fn copy_row(&mut self, row: usize, other: &Self, from: usize) {
        let stride = self.stride();
        self.words[row * stride..][..stride].copy_from_slice(other.row(from));
    }

    fn is_zero_row(&self, row: usize) -> bool {
        is_zero(self.row(row))
    }

    fn beside(&self, right: &Self) -> Self {
        let mut both = Matrix::zero(self.field, self.rows, self.columns + right.columns);
        for (i, row) in both.words.chunks_exact_mut((self.stride() + right.stride()).max(1)).enumerate() {
            let (left, rest) = row.split_at_mut(self.stride());
            left.copy_from_slice(self.row(i));
            rest.copy_from_slice(right.row(i));
        }
        both
    }

    fn right(&self, columns: usize) -> Self {
        let mut right = Matrix::zero(self.field, self.rows, columns);
        let (stride, from) = (right.stride(), self.stride() - right.stride());
        for (i, row) in right.words.chunks_exact_mut(stride.max(1)).enumerate() {
            row.copy_from_slice(&self.row(i)[from..]);
        }
        right
    }

    fn eliminate<E>(
        &mut self,
        columns: usize,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        let (mut pivots, mut inverse) = (vec![], vec![0; self.field.words()]);
        let (mut factor, mut multiple) = (inverse.clone(), vec![0; self.stride()]);
        for column in 0..columns {
            proceed()?;
            let row = pivots.len();
            let Some(found) = (row..self.rows).find(|&row| !is_zero(self.get(row, column))) else { continue };
            self.swap_rows(row, found);
            self.field.invert_or_zero(self.get(row, column), &mut inverse);
            let pivot = self.row(row).to_vec();
            let (stride, at) = (self.stride(), row * self.stride());
            self.field.scale_slice(&pivot, &inverse, &mut self.words[at..at + stride]);
            for other in (0..self.rows).filter(|&other| other != row) {
                factor.copy_from_slice(self.get(other, column));
                self.add_multiple(other, [row, column], &factor, &mut multiple);
            }
            pivots.push(column);
        }
        Ok(pivots)
    }
}
