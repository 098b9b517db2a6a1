//! What follows from the reduced row echelon form, for entries of any field of characteristic 2.
use alloc::vec::Vec;
use core::convert::Infallible;

/// A matrix with an elimination of its own.
pub(super) trait Eliminate: Sized + Clone {
    /// The number of rows and of columns.
    fn shape(&self) -> [usize; 2];
    /// A matrix of zeros over the same field.
    fn zeros(&self, rows: usize, columns: usize) -> Self;
    /// Sets an entry to 1.
    fn set_one(&mut self, row: usize, column: usize);
    /// Copies the entry in row and column `from` of another matrix to row and column `to`.
    fn copy_entry(&mut self, to: [usize; 2], other: &Self, from: [usize; 2]);
    /// Copies a row of a matrix with as many columns.
    fn copy_row(&mut self, row: usize, other: &Self, from: usize);
    /// Whether all entries of a row are 0.
    fn is_zero_row(&self, row: usize) -> bool;
    /// This matrix with the columns of another to its right, perhaps after columns of zeros.
    fn beside(&self, right: &Self) -> Self;
    /// The last `columns` columns, if [`beside`](Eliminate::beside) put them there.
    fn right(&self, columns: usize) -> Self;
    /// Makes the first `columns` columns a reduced row echelon form by operations on whole rows. Returns the
    /// columns with pivots; pivot number i is in row i. Calls `proceed` between steps, and ends with its error.
    fn eliminate<E>(
        &mut self,
        columns: usize,
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<usize>, E>;

    /// [`eliminate`](Eliminate::eliminate) to the end.
    fn eliminate_all(&mut self, columns: usize) -> Vec<usize> {
        let Ok(pivots) = self.eliminate(columns, || Ok::<(), Infallible>(()));
        pivots
    }
}

pub(super) fn identity<M: Eliminate>(like: &M, n: usize) -> M {
    let mut identity = like.zeros(n, n);
    (0..n).for_each(|i| identity.set_one(i, i));
    identity
}

pub(super) fn rank<M: Eliminate>(a: &M) -> usize {
    let [_, columns] = a.shape();
    a.clone().eliminate_all(columns).len()
}

/// An X with A X = B, whose rows are 0 where A has no pivot.
#[track_caller]
pub(super) fn solve<M: Eliminate>(a: &M, b: &M) -> Option<M> {
    let ([rows, columns], [right_rows, right_columns]) = (a.shape(), b.shape());
    assert_eq!(rows, right_rows, "as many rows on the right as in the matrix");
    let mut both = a.beside(b);
    let pivots = both.eliminate_all(columns);
    let right = both.right(right_columns);
    // A row 0 = c with c not 0 has no solution.
    if (pivots.len()..rows).any(|row| !right.is_zero_row(row)) {
        return None;
    }
    let mut x = a.zeros(columns, right_columns);
    pivots.iter().enumerate().for_each(|(i, &pivot)| x.copy_row(pivot, &right, i));
    Some(x)
}

#[track_caller]
pub(super) fn inverse<M: Eliminate>(a: &M) -> Option<M> {
    let [rows, columns] = a.shape();
    assert_eq!(rows, columns, "only square matrices have inverses");
    solve(a, &identity(a, rows))
}

/// The basis of the kernel with a 1 in each column without pivot.
pub(super) fn null_space<M: Eliminate>(a: &M) -> M {
    let ([_, columns], mut reduced) = (a.shape(), a.clone());
    let pivots = reduced.eliminate_all(columns);
    let free: Vec<usize> = (0..columns).filter(|column| pivots.binary_search(column).is_err()).collect();
    let mut basis = a.zeros(free.len(), columns);
    for (row, &column) in free.iter().enumerate() {
        basis.set_one(row, column);
        // Pivot i is minus its row's entry in the free column, and in characteristic 2 minus is plus.
        for (i, &pivot) in pivots.iter().enumerate() {
            basis.copy_entry([row, pivot], &reduced, [i, column]);
        }
    }
    basis
}
