//! Matrices over GF(2).
use super::elimination::{self, Eliminate};
use super::product::{Rows, product};
use super::russians;
use super::{Plu, swap_rows, transpose};
use alloc::vec;
use alloc::vec::Vec;
use carryless_lanes::ClmulCpu;
use core::convert::Infallible;
use core::fmt;
use core::ops::{Add, AddAssign};

/// A matrix over GF(2), 64 entries in a word.
///
/// ```
/// use carryless_gf2::linear::BitMatrix;
///
/// // Rows 110 and 011, the first entry first.
/// let a = BitMatrix::from_rows(3, &[[0b011], [0b110]]);
/// assert_eq!(a.rank_vartime(), 2);
/// assert_eq!(a.null_space_vartime(), BitMatrix::from_rows(3, &[[0b111]]));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BitMatrix {
    rows: usize,
    columns: usize,
    /// Words of a row.
    stride: usize,
    /// The rows one after the other; bits after the last column are 0.
    words: Vec<u64>,
}

impl BitMatrix {
    /// A matrix of zeros.
    ///
    /// # Panics
    /// If it has more than `usize::MAX` words.
    #[must_use]
    #[track_caller]
    pub fn zero(rows: usize, columns: usize) -> BitMatrix {
        let stride = columns.div_ceil(64);
        let words = rows.checked_mul(stride).expect("a matrix that fits in memory");
        BitMatrix { rows, columns, stride, words: vec![0; words] }
    }

    /// The matrix of n rows and columns with ones on the diagonal.
    #[must_use]
    pub fn identity(n: usize) -> BitMatrix {
        elimination::identity(&BitMatrix::zero(0, 0), n)
    }

    /// The matrix whose entry in row i and column j is `entry(i, j)`.
    #[must_use]
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> bool) -> BitMatrix {
        let mut matrix = BitMatrix::zero(rows, columns);
        for i in 0..rows {
            for j in 0..columns {
                matrix.set(i, j, entry(i, j));
            }
        }
        matrix
    }

    /// The matrix of these rows. Bit j of word k is column 64 k + j.
    ///
    /// # Panics
    /// If a row has not just the words for `columns` bits, or a bit after the last column.
    #[must_use]
    #[track_caller]
    pub fn from_rows(columns: usize, rows: &[impl AsRef<[u64]>]) -> BitMatrix {
        let mut matrix = BitMatrix::zero(rows.len(), columns);
        for (i, row) in rows.iter().enumerate() {
            let row = row.as_ref();
            assert_eq!(row.len(), matrix.stride, "{columns} columns are {} words", matrix.stride);
            let unused = 64 * row.len() - columns;
            assert!(
                row.last().is_none_or(|last| last.leading_zeros() as usize >= unused),
                "row {i} has a bit after column {columns}"
            );
            matrix.words[i * matrix.stride..][..matrix.stride].copy_from_slice(row);
        }
        matrix
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

    /// A row as words: bit j of word k is column 64 k + j, and bits after the last column are 0.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[track_caller]
    pub fn row(&self, i: usize) -> &[u64] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        &self.words[i * self.stride..][..self.stride]
    }

    /// The entry in row i and column j.
    ///
    /// # Panics
    /// If there is no such entry.
    #[must_use]
    #[track_caller]
    pub fn get(&self, i: usize, j: usize) -> bool {
        assert!(j < self.columns, "column {j} of {}", self.columns);
        self.row(i)[j / 64] >> (j % 64) & 1 != 0
    }

    /// Sets the entry in row i and column j.
    ///
    /// # Panics
    /// If there is no such entry.
    #[track_caller]
    pub fn set(&mut self, i: usize, j: usize, entry: bool) {
        assert!(
            i < self.rows && j < self.columns,
            "entry {i}, {j} of {} rows, {} columns",
            self.rows,
            self.columns
        );
        let word = &mut self.words[i * self.stride + j / 64];
        *word = *word & !(1 << (j % 64)) | u64::from(entry) << (j % 64);
    }

    /// The matrix with rows and columns exchanged.
    #[must_use]
    pub fn transpose(&self) -> BitMatrix {
        let mut out = BitMatrix::zero(self.columns, self.rows);
        transpose::blocks(&self.words, self.stride, &mut out.words, out.stride);
        out
    }

    /// The product with a matrix on the right, by some n^3 / 384 sums of words for n rows and columns; from 4096 on, twice as
    /// many rows and columns take seven times as long instead of eight.
    ///
    /// # Panics
    /// If that matrix has not as many rows as this one has columns.
    #[must_use]
    #[track_caller]
    pub fn mul_vartime(&self, b: &BitMatrix) -> BitMatrix {
        let Ok(product) = self.try_mul_vartime(b, || Ok::<(), Infallible>(()));
        product
    }

    /// [`mul_vartime`](BitMatrix::mul_vartime) for large matrices: `proceed` is called before each of the products of fewer than 4096 rows or columns that it consists of.
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// If `b` has not as many rows as this one has columns.
    #[track_caller]
    pub fn try_mul_vartime<E>(
        &self,
        b: &BitMatrix,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<BitMatrix, E> {
        assert_eq!(self.columns, b.rows, "as many rows on the right as columns on the left");
        let [left, right] = [self, b].map(|matrix| Rows { words: &matrix.words, stride: matrix.stride });
        let mut out = BitMatrix::zero(self.rows, b.columns);
        // Without words there is nothing to multiply, and zeros are the product.
        if !left.words.is_empty() && !right.words.is_empty() {
            out.words = product(ClmulCpu::detect(), &left, &right, &mut proceed)?;
        }
        Ok(out)
    }

    /// Makes this the reduced row echelon form, by sums and exchanges of rows. Returns the columns with pivots,
    /// ascending; pivot number i is the first 1 of row i, and the only 1 of its column.
    pub fn row_reduce_vartime(&mut self) -> Vec<usize> {
        self.eliminate_all(self.columns)
    }

    /// [`row_reduce_vartime`](BitMatrix::row_reduce_vartime) for large matrices, of the first `columns` columns: those after them follow by the same
    /// operations on whole rows, as A X = B is solved by the columns of B. `proceed` is called before each 64 columns.
    ///
    /// # Errors
    /// The first error of `proceed`. Then the rows still span the same space.
    ///
    /// # Panics
    /// If there are fewer columns.
    ///
    /// ```
    /// # use carryless_gf2::linear::BitMatrix;
    /// // x + y = 1, y = 1, with the right sides in the third column.
    /// let mut system = BitMatrix::from_rows(3, &[[0b111], [0b110]]);
    /// let pivots = system.try_row_reduce_vartime(2, || Ok::<(), &str>(()))?;
    /// assert_eq!((pivots, system.get(0, 2), system.get(1, 2)), (vec![0, 1], false, true));
    /// assert_eq!(system.try_row_reduce_vartime(2, || Err("interrupted")), Err("interrupted"));
    /// # Ok::<(), &str>(())
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

    /// The determinant.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    #[track_caller]
    pub fn determinant_vartime(&self) -> bool {
        assert_eq!(self.rows, self.columns, "only square matrices have determinants");
        self.rank_vartime() == self.rows
    }

    /// The inverse, or `None` if there is none.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[must_use]
    #[track_caller]
    pub fn inverse_vartime(&self) -> Option<BitMatrix> {
        assert_eq!(self.rows, self.columns, "only square matrices have inverses");
        let mut inverse = self.clone();
        let places = russians::invert(ClmulCpu::detect(), &mut inverse.words, self.rows)?;
        // Columns are rows of the transpose, whose exchange moves words.
        let (columns, mut rows) = (inverse.transpose(), BitMatrix::zero(self.rows, self.rows));
        places.iter().enumerate().for_each(|(i, &place)| rows.copy_row(place, &columns, i));
        Some(rows.transpose())
    }

    /// A solution X of A X = B for this matrix A, or `None` if there is none. All others are its sums with elements
    /// of the [kernel](BitMatrix::null_space_vartime), column by column.
    ///
    /// # Panics
    /// If B has another number of rows.
    #[must_use]
    #[track_caller]
    pub fn solve_vartime(&self, b: &BitMatrix) -> Option<BitMatrix> {
        elimination::solve(self, b)
    }

    /// A basis of all x with A x = 0 for this matrix A, as rows.
    #[must_use]
    pub fn null_space_vartime(&self) -> BitMatrix {
        elimination::null_space(self)
    }

    /// Triangles with P A = L U for this matrix A, in n^3 / 64 steps on words.
    #[must_use]
    pub fn plu_vartime(&self) -> Plu<BitMatrix> {
        let Ok(plu) = self.try_plu_vartime(|| Ok::<(), Infallible>(()));
        plu
    }

    /// [`plu_vartime`](BitMatrix::plu_vartime) for large matrices: `proceed` is called before each row of U.
    ///
    /// # Errors
    /// The first error of `proceed`.
    pub fn try_plu_vartime<E>(
        &self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Plu<BitMatrix>, E> {
        let (mut upper, mut lower) = (self.clone(), BitMatrix::zero(self.rows, self.rows));
        let mut permutation: Vec<usize> = (0..self.rows).collect();
        for i in 0..self.rows.min(self.columns) {
            proceed()?;
            if let Some(found) = (i..self.rows).find(|&row| upper.get(row, i)) {
                [&mut upper, &mut lower].into_iter().for_each(|matrix| matrix.swap_rows(i, found));
                permutation.swap(i, found);
            }
            lower.set(i, i, true);
            for row in i + 1..self.rows {
                if upper.get(row, i) {
                    lower.set(row, i, true);
                    let (above, below) = upper.words.split_at_mut(row * self.stride);
                    let pivot = &above[i * self.stride..][..self.stride];
                    below.iter_mut().zip(pivot).for_each(|(word, add)| *word ^= add);
                }
            }
        }
        (self.columns..self.rows).for_each(|i| lower.set(i, i, true));
        Ok(Plu { permutation, lower, upper })
    }

    fn swap_rows(&mut self, i: usize, j: usize) {
        swap_rows(&mut self.words, self.stride, i, j);
    }
}

impl Eliminate for BitMatrix {
    fn shape(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    fn zeros(&self, rows: usize, columns: usize) -> Self {
        BitMatrix::zero(rows, columns)
    }

    fn set_one(&mut self, row: usize, column: usize) {
        self.set(row, column, true);
    }

    fn copy_entry(&mut self, [row, column]: [usize; 2], other: &Self, [i, j]: [usize; 2]) {
        self.set(row, column, other.get(i, j));
    }

    fn copy_row(&mut self, row: usize, other: &Self, from: usize) {
        self.words[row * self.stride..][..self.stride].copy_from_slice(other.row(from));
    }

    fn is_zero_row(&self, row: usize) -> bool {
        self.row(row).iter().all(|&word| word == 0)
    }

    fn beside(&self, right: &Self) -> Self {
        // The other matrix begins with a word, so that no bits move.
        let mut both = BitMatrix::zero(self.rows, 64 * self.stride + right.columns);
        for (i, row) in both.words.chunks_exact_mut(both.stride.max(1)).enumerate() {
            let (left, rest) = row.split_at_mut(self.stride);
            left.copy_from_slice(self.row(i));
            rest.copy_from_slice(right.row(i));
        }
        both
    }

    fn right(&self, columns: usize) -> Self {
        let mut right = BitMatrix::zero(self.rows, columns);
        let from = self.stride - right.stride;
        for (i, row) in right.words.chunks_exact_mut(right.stride.max(1)).enumerate() {
            row.copy_from_slice(&self.row(i)[from..]);
        }
        right
    }

    fn eliminate<E>(
        &mut self,
        columns: usize,
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        russians::eliminate(ClmulCpu::detect(), &mut self.words, self.stride, columns, proceed)
    }
}

impl AddAssign<&BitMatrix> for BitMatrix {
    /// # Panics
    /// If the shapes differ.
    #[track_caller]
    fn add_assign(&mut self, b: &BitMatrix) {
        assert_eq!(self.shape(), b.shape(), "matrices of the same shape");
        self.words.iter_mut().zip(&b.words).for_each(|(a, b)| *a ^= b);
    }
}

impl Add for &BitMatrix {
    type Output = BitMatrix;

    /// # Panics
    /// If the shapes differ.
    #[track_caller]
    fn add(self, b: &BitMatrix) -> BitMatrix {
        let mut sum = self.clone();
        sum += b;
        sum
    }
}

impl fmt::Debug for BitMatrix {
    /// A line of digits for each row, the first column first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BitMatrix({} x {})", self.rows, self.columns)?;
        for i in 0..self.rows {
            f.write_str("\n")?;
            (0..self.columns).try_for_each(|j| f.write_str(if self.get(i, j) { "1" } else { "0" }))?;
        }
        Ok(())
    }
}
