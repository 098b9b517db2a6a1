//! Linear algebra: matrices over GF(2) and over any field GF(2^m), for public data.
//!
//! | task | item |
//! |---|---|
//! | products | `mul_vartime` of bits, `&a * &b` over other fields |
//! | reduced row echelon form, rank | `row_reduce_vartime`, `rank_vartime` |
//! | A X = B, inverses | `solve_vartime`, `inverse_vartime` |
//! | kernel of a matrix | `null_space_vartime` |
//! | determinant | `determinant_vartime` |
//! | characteristic polynomial of a [`Matrix`] | `characteristic_polynomial_vartime` |
//! | P A = L U | `plu_vartime` |
//!
//! [`BitMatrix`] packs 64 entries of GF(2) in a word. Products and elimination take five to eight rows at a time from
//! tables of their sums (the method of four Russians): n^3 / 320 to n^3 / 512 additions of words for n rows and columns.
//! Large products recurse by Strassen's method.
//! [`Matrix`] is over a [`DynField`](crate::field::DynField); each takes n^3 products in the field.
//!
//! Functions whose names begin with `try_` ask the caller between steps whether to go on.
//!
//! Where a name ends in `_vartime`, the time depends on the entries: they must not be secret. Shapes that do not fit are a panic, matrices without
//! an inverse or systems without a solution `None`.
//!
//! ```
//! use carryless_gf2::field::DynField;
//! use carryless_gf2::linear::{BitMatrix, Matrix};
//!
//! let a = BitMatrix::from_fn(3, 3, |i, j| i <= j);
//! let inverse = a.inverse_vartime().expect("a triangle of ones is invertible");
//! assert_eq!(a.mul_vartime(&inverse), BitMatrix::identity(3));
//!
//! let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
//! let vandermonde = Matrix::from_words(&field, 2, 2, vec![1, 2, 1, 3]);
//! let secret = vandermonde.solve_vartime(&Matrix::from_words(&field, 2, 1, vec![0x10, 0x17])).expect("two points");
//! assert_eq!(secret.words(), [0x1e, 7]);
//! # Ok::<(), carryless_gf2::field::DynFieldError>(())
//! ```
mod bit_matrix;
mod elimination;
mod matrix;
mod product;
mod russians;
mod transpose;

pub use bit_matrix::BitMatrix;
pub use matrix::Matrix;

/// The triangles of a matrix A with P A = L U, for an A of n rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plu<M> {
    /// Row i of P A is row `permutation[i]` of A.
    pub permutation: alloc::vec::Vec<usize>,
    /// n rows and n columns, ones on the diagonal and zeros above.
    pub lower: M,
    /// The shape of A, zeros below the diagonal.
    pub upper: M,
}

/// Exchanges rows i and j of a matrix whose rows have `stride` words.
fn swap_rows(words: &mut [u64], stride: usize, i: usize, j: usize) {
    let (first, last) = (i.min(j), i.max(j));
    if first != last {
        let (above, below) = words.split_at_mut(last * stride);
        above[first * stride..][..stride].swap_with_slice(&mut below[..stride]);
    }
}
