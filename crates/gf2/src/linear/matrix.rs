//! Matrices over a field GF(2^m).
use super::elimination::{self, Eliminate};
use super::{Plu, swap_rows};
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
        self.eliminate(self.columns)
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

    /// Triangles with P A = L U for this matrix A.
    #[must_use]
    pub fn plu_vartime(&self) -> Plu<Self> {
        let (mut upper, mut lower) = (self.clone(), Matrix::zero(self.field, self.rows, self.rows));
        let mut permutation: Vec<usize> = (0..self.rows).collect();
        let (mut inverse, mut factor) = (vec![0; self.field.words()], vec![0; self.field.words()]);
        for i in 0..self.rows.min(self.columns) {
            if let Some(found) = (i..self.rows).find(|&row| !is_zero(upper.get(row, i))) {
                [&mut upper, &mut lower].into_iter().for_each(|matrix| matrix.swap_rows(i, found));
                permutation.swap(i, found);
            }
            lower.set_one(i, i);
            self.field.invert_or_zero(upper.get(i, i), &mut inverse);
            for row in i + 1..self.rows {
                self.field.mul(upper.get(row, i), &inverse, &mut factor);
                upper.add_multiple(row, i, &factor);
                lower.entry_mut(row, i).copy_from_slice(&factor);
            }
        }
        (self.columns..self.rows).for_each(|i| lower.set_one(i, i));
        Plu { permutation, lower, upper }
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

    /// Adds `factor` times row `from` to another row.
    fn add_multiple(&mut self, to: usize, from: usize, factor: &[u64]) {
        if is_zero(factor) {
            return;
        }
        let mut multiple = vec![0; self.stride()];
        self.field.scale_slice(self.row(from), factor, &mut multiple);
        let at = to * multiple.len();
        self.words[at..].iter_mut().zip(&multiple).for_each(|(word, add)| *word ^= add);
    }
}

fn is_zero(element: &[u64]) -> bool {
    element.iter().all(|&word| word == 0)
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

    fn eliminate(&mut self, columns: usize) -> Vec<usize> {
        let (mut pivots, mut inverse) = (vec![], vec![0; self.field.words()]);
        for column in 0..columns {
            let row = pivots.len();
            let Some(found) = (row..self.rows).find(|&row| !is_zero(self.get(row, column))) else { continue };
            self.swap_rows(row, found);
            self.field.invert_or_zero(self.get(row, column), &mut inverse);
            let pivot = self.row(row).to_vec();
            let (stride, at) = (self.stride(), row * self.stride());
            self.field.scale_slice(&pivot, &inverse, &mut self.words[at..at + stride]);
            for other in (0..self.rows).filter(|&other| other != row) {
                let factor = self.get(other, column).to_vec();
                self.add_multiple(other, row, &factor);
            }
            pivots.push(column);
        }
        pivots
    }
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
