//! Characteristic polynomials, by Hessenberg's form.
use super::{Matrix, is_zero};
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

impl Matrix<'_> {
    /// The characteristic polynomial det(x I - A) of this matrix A: the words of n + 1 coefficients, that of x^0 first. Costs about n^3 products.
    ///
    /// # Panics
    /// If the matrix is not square.
    ///
    /// ```
    /// # use carryless_gf2::field::DynField;
    /// # use carryless_gf2::linear::Matrix;
    /// let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// // The companion matrix of x^2 + 3 x + 2.
    /// let companion = Matrix::from_words(&field, 2, 2, vec![0, 2, 1, 3]);
    /// assert_eq!(companion.characteristic_polynomial_vartime(), [2, 3, 1]);
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn characteristic_polynomial_vartime(&self) -> Vec<u64> {
        let Ok(found) = self.try_characteristic_polynomial_vartime(|| Ok::<(), Infallible>(()));
        found
    }

    /// [`characteristic_polynomial_vartime`](Matrix::characteristic_polynomial_vartime) for large matrices: `proceed` is called 2 n times.
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[track_caller]
    pub fn try_characteristic_polynomial_vartime<E>(
        &self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<u64>, E> {
        assert_eq!(self.rows, self.columns, "only square matrices have characteristic polynomials");
        let mut form = self.clone();
        for column in 0..self.columns {
            proceed()?;
            form.clear_below_subdiagonal(column);
        }
        form.characteristic_of_hessenberg(proceed)
    }

    /// Makes the entries below the subdiagonal of a column 0, by a matrix similar to this one.
    fn clear_below_subdiagonal(&mut self, column: usize) {
        let (next, words) = (column + 1, self.field.words());
        let Some(found) = (next..self.rows).find(|&row| !is_zero(self.get(row, column))) else { return };
        self.swap_rows(next, found);
        self.swap_columns(next, found);
        let (mut inverse, mut factors) = (vec![0; words], vec![0; self.stride()]);
        self.field.invert_or_zero(self.get(next, column), &mut inverse);
        let mut multiple = vec![0; self.stride()];
        // Rows r + f_r times row `next`, and what makes this similar: column `next` plus f_r times columns r.
        for row in next + 1..self.rows {
            let factor = &mut factors[row * words..][..words];
            self.field.mul(self.get(row, column), &inverse, factor);
            self.add_multiple(row, [next, column], factor, &mut multiple);
        }
        for row in 0..self.rows {
            let mut sum = vec![0; words];
            self.field.dot(self.row(row), &factors, &mut sum);
            self.entry_mut(row, next).iter_mut().zip(sum).for_each(|(word, add)| *word ^= add);
        }
    }

    fn swap_columns(&mut self, i: usize, j: usize) {
        let words = self.field.words();
        for row in self.words.chunks_exact_mut((self.columns * words).max(1)) {
            (0..words).for_each(|word| row.swap(i * words + word, j * words + word));
        }
    }

    /// The characteristic polynomial of a matrix with zeros below the subdiagonal: those p_k of its first k rows and columns, one after the other, where
    /// p_(k + 1) = x p_k + sum over i from 0 to k of h_(i, k) s_(i + 1) .. s_k p_i for the subdiagonal's s_i = h_(i, i - 1).
    fn characteristic_of_hessenberg<E>(
        &self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<u64>, E> {
        let words = self.field.words();
        let mut one = vec![0; words];
        one[0] = 1;
        let (mut all, mut multiple) = (vec![one.clone()], vec![0; self.stride() + words]);
        for k in 0..self.columns {
            proceed()?;
            let mut next = [&vec![0; words][..], &all[k]].concat();
            let (mut chain, mut factor) = (one.clone(), vec![0; words]);
            for i in (0..=k).rev() {
                self.field.mul(&chain, self.get(i, k), &mut factor);
                let (lower, multiple) = (&all[i], &mut multiple[..all[i].len()]);
                self.field.scale_slice(lower, &factor, multiple);
                next.iter_mut().zip(multiple).for_each(|(word, add)| *word ^= *add);
                if i > 0 {
                    let before = chain.clone();
                    self.field.mul(&before, self.get(i, i - 1), &mut chain);
                }
            }
            all.push(next);
        }
        Ok(all.pop().unwrap_or(one))
    }
}
