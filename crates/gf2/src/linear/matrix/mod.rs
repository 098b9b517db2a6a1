//! Matrices over a field GF(2^m).
mod characteristic;
mod eliminate;

use super::elimination::{self, Eliminate};
use super::swap_rows;
use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, Mul};

/// A matrix over a field that is chosen when the program runs.
///
/// An entry has [`words`](DynField::words) words, as everywhere in [`DynField`]; those of a row are side by side.
#[derive(Clone)]
pub struct Matrix<'f> {
    field: &'f DynField,
    rows: usize,
    columns: usize,
    words: Vec<u64>,
}

impl<'f> Matrix<'f> {
    /// A matrix of zeros.
    ///
    /// # Panics
    /// If it has more than `usize::MAX` words.
    #[must_use]
    #[track_caller]
    pub fn zero(field: &'f DynField, rows: usize, columns: usize) -> Self {
        let words = rows.checked_mul(columns).and_then(|entries| entries.checked_mul(field.words()));
        Matrix { field, rows, columns, words: vec![0; words.expect("a matrix that fits in memory")] }
    }

    /// The matrix of n rows and columns with ones on the diagonal.
    #[must_use]
    pub fn identity(field: &'f DynField, n: usize) -> Self {
        elimination::identity(&Matrix::zero(field, 0, 0), n)
    }

    /// The matrix of these entries, row by row.
    ///
    /// # Panics
    /// If there are not [`words`](DynField::words) words for each entry, or an entry has a bit from z^m on.
    #[must_use]
    #[track_caller]
    pub fn from_words(field: &'f DynField, rows: usize, columns: usize, words: Vec<u64>) -> Self {
        let wanted = Matrix::zero(field, rows, columns).words.len();
        assert_eq!(words.len(), wanted, "{rows} x {columns} entries have {wanted} words");
        let unused = 64 * field.words() - field.degree();
        let reduced = |entry: &[u64]| entry.last().is_none_or(|top| top.leading_zeros() as usize >= unused);
        assert!(words.chunks_exact(field.words()).all(reduced), "an entry is not reduced");
        Matrix { field, rows, columns, words }
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &'f DynField {
        self.field
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All entries, row by row.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The entries of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[track_caller]
    pub fn row(&self, i: usize) -> &[u64] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        &self.words[i * self.stride()..][..self.stride()]
    }

    /// The entry in row i and column j.
    ///
    /// # Panics
    /// If there is no such entry.
    #[must_use]
    #[track_caller]
    pub fn get(&self, i: usize, j: usize) -> &[u64] {
        assert!(j < self.columns, "column {j} of {}", self.columns);
        &self.row(i)[j * self.field.words()..][..self.field.words()]
    }

    /// The matrix with rows and columns exchanged.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let mut out = Matrix::zero(self.field, self.columns, self.rows);
        for i in 0..self.rows {
            (0..self.columns).for_each(|j| out.copy_entry([j, i], self, [i, j]));
        }
        out
    }

    /// Makes this the reduced row echelon form. Returns the columns with pivots, ascending; pivot number i is the
    /// first entry of row i that is not 0, is 1, and is alone in its column.
    pub fn row_reduce_vartime(&mut self) -> Vec<usize> {
        self.eliminate_all(self.columns)
    }

    /// [`row_reduce_vartime`](Matrix::row_reduce_vartime) for large matrices, of the first `columns` columns: those after them follow by the same
    /// operations on whole rows, as A X = B is solved by the columns of B. `proceed` is called before each column.
    ///
    /// # Errors
    /// The first error of `proceed`. Then the rows still span the same space.
    ///
    /// # Panics
    /// If there are fewer columns.
    ///
    /// ```
    /// # use carryless_gf2::field::DynField;
    /// # use carryless_gf2::linear::Matrix;
    /// # let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// // 2 x = 1 in AES's field.
    /// let mut system = Matrix::from_words(&field, 1, 2, vec![2, 1]);
    /// assert_eq!(system.try_row_reduce_vartime(1, || Ok::<(), &str>(())), Ok(vec![0]));
    /// assert_eq!(system.words(), [1, 0x8d]);
    /// assert_eq!(system.try_row_reduce_vartime(1, || Err("interrupted")), Err("interrupted"));
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    #[track_caller]
    pub fn try_row_reduce_vartime<E>(
        &mut self,
        columns: usize,
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        assert!(columns <= self.columns, "{columns} columns of {}", self.columns);
        self.eliminate(columns, proceed)
    }

    /// The dimension of the space that the rows span.
    #[must_use]
    pub fn rank_vartime(&self) -> usize {
        elimination::rank(self)
    }

    /// The determinant, as the words of an element.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    #[track_caller]
    pub fn determinant_vartime(&self) -> Vec<u64> {
        assert_eq!(self.rows, self.columns, "only square matrices have determinants");
        let upper = self.plu_vartime().upper;
        let mut product = vec![0; self.field.words()];
        product[0] = 1;
        for i in 0..self.rows {
            // An exchange of rows changes the sign, which is 1 in characteristic 2.
            let before = product.clone();
            self.field.mul(&before, upper.get(i, i), &mut product);
        }
        product
    }

    /// The inverse, or `None` if there is none.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    #[track_caller]
    pub fn inverse_vartime(&self) -> Option<Self> {
        elimination::inverse(self)
    }

    /// A solution X of A X = B for this matrix A, or `None` if there is none. All others are its sums with elements
    /// of the [kernel](Matrix::null_space_vartime), column by column.
    ///
    /// # Panics
    /// If B has another number of rows, or is over another field.
    #[must_use]
    #[track_caller]
    pub fn solve_vartime(&self, b: &Self) -> Option<Self> {
        self.check_field(b);
        elimination::solve(self, b)
    }

    /// A basis of all x with A x = 0 for this matrix A, as rows.
    #[must_use]
    pub fn null_space_vartime(&self) -> Self {
        elimination::null_space(self)
    }

    /// Words of a row.
    fn stride(&self) -> usize {
        self.columns * self.field.words()
    }

    #[track_caller]
    fn check_field(&self, other: &Self) {
        assert_eq!(self.field.exponents(), other.field.exponents(), "matrices over the same field");
    }

    fn entry_mut(&mut self, i: usize, j: usize) -> &mut [u64] {
        let (stride, words) = (self.stride(), self.field.words());
        &mut self.words[i * stride + j * words..][..words]
    }

    fn swap_rows(&mut self, i: usize, j: usize) {
        let stride = self.stride();
        swap_rows(&mut self.words, stride, i, j);
    }
}

fn is_zero(element: &[u64]) -> bool {
    element.iter().all(|&word| word == 0)
}

impl<'f> Mul for &Matrix<'f> {
    type Output = Matrix<'f>;

    /// # Panics
    /// If the right matrix has not as many rows as the left one has columns, or is over another field.
    #[track_caller]
    fn mul(self, b: &Matrix<'f>) -> Matrix<'f> {
        self.check_field(b);
        assert_eq!(self.columns, b.rows, "as many rows on the right as columns on the left");
        let mut out = Matrix::zero(self.field, self.rows, b.columns);
        let (stride, mut multiple) = (b.stride(), vec![0; b.stride()]);
        for i in 0..self.rows {
            for k in 0..self.columns {
                self.field.scale_slice(b.row(k), self.get(i, k), &mut multiple);
                out.words[i * stride..].iter_mut().zip(&multiple).for_each(|(word, add)| *word ^= add);
            }
        }
        out
    }
}

impl<'f> Add for &Matrix<'f> {
    type Output = Matrix<'f>;

    /// # Panics
    /// If the shapes or the fields differ.
    #[track_caller]
    fn add(self, b: &Matrix<'f>) -> Matrix<'f> {
        self.check_field(b);
        assert_eq!(self.shape(), b.shape(), "matrices of the same shape");
        let words = self.words.iter().zip(&b.words).map(|(a, b)| a ^ b).collect();
        Matrix { words, ..*self }
    }
}

impl PartialEq for Matrix<'_> {
    fn eq(&self, b: &Self) -> bool {
        (self.field.exponents(), self.shape(), &self.words) == (b.field.exponents(), b.shape(), &b.words)
    }
}

impl Eq for Matrix<'_> {}

impl fmt::Debug for Matrix<'_> {
    /// A line for each row, each entry in hexadecimal with its top word first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Matrix({} x {}, GF(2^{}))", self.rows, self.columns, self.field.degree())?;
        for i in 0..self.rows {
            f.write_str("\n")?;
            for j in 0..self.columns {
                if j > 0 {
                    f.write_str(" ")?;
                }
                let mut words = self.get(i, j).iter().rev();
                words.next().map_or(Ok(()), |top| write!(f, "{top:x}"))?;
                words.try_for_each(|word| write!(f, "{word:016x}"))?;
            }
        }
        Ok(())
    }
}
