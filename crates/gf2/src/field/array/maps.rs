//! x^(2^k) and solutions of x^2 + x = c for each element of an array. Large arrays use a bit matrix made for
//! the call.
use super::{Array, ArrayError};
use crate::field::map::{LinearMap, SliceMap};
use crate::field::operations::Field;
use crate::field::{BinaryField, FieldWords};
use alloc::boxed::Box;

impl<F: BinaryField> Array<F> {
    /// The powers x^(2^k) of all elements x, in order. k is public.
    ///
    /// Computed by k mod m squarings each. From 8 m elements and 8 + m / 32 squarings on, a [`SliceMap`] is
    /// made and applied instead; it takes up to 32 ceil(m / 8)^2 bytes during the call.
    #[must_use]
    pub fn frobenius(&self, k: usize) -> Self {
        let power = Frobenius::<F>::new(self.len(), k);
        self.map(|_, a, out| power.run(a, out))
    }

    /// Raises each element to the power 2^k, as [`frobenius`](Array::frobenius) but in place.
    pub fn frobenius_in_place(&mut self, k: usize) {
        let power = Frobenius::<F>::new(self.len(), k);
        self.map_in_place(|_, a, out| power.run(a, out));
    }

    /// For each element a, an x with x^2 + x = a; the other solution is x + 1. From 8 m elements on by a [`SliceMap`].
    ///
    /// # Errors
    /// [`ArrayError::NoSolution`] with the index of the first element of trace 1. The index becomes public.
    pub fn solve_quadratic(&self) -> Result<Self, ArrayError> {
        self.expect_solutions()?;
        Ok(self.solve_unchecked())
    }

    /// Replaces each element by a solution, as [`solve_quadratic`](Array::solve_quadratic) but in place.
    ///
    /// # Errors
    /// [`ArrayError::NoSolution`] with the index of the first element of trace 1; then nothing was changed.
    pub fn solve_quadratic_in_place(&mut self) -> Result<(), ArrayError> {
        self.expect_solutions()?;
        self.solve_unchecked_in_place();
        Ok(())
    }

    /// The solutions for all elements in constant time. For an element of trace 1, which has
    /// none, the result is meaningless.
    #[must_use]
    pub fn solve_unchecked(&self) -> Self {
        let solution = Solution::<F>::new(self.len());
        self.map(|_, a, out| solution.run(a, out))
    }

    /// Replaces each element by a solution, as [`solve_unchecked`](Array::solve_unchecked) but in place.
    pub fn solve_unchecked_in_place(&mut self) {
        let solution = Solution::<F>::new(self.len());
        self.map_in_place(|_, a, out| solution.run(a, out));
    }

    /// [`ArrayError::NoSolution`] with the index of the first element of trace 1, if there is one.
    fn expect_solutions(&self) -> Result<(), ArrayError> {
        self.first(|a| a.trace()).map_or(Ok(()), |index| Err(ArrayError::NoSolution { index }))
    }
}

/// Whether making and applying a matrix is faster than this number of squarings of each element.
///
/// Measured on Zen 3: applying a map takes the time of 5 squarings at 127 bits and of 11 at 571; making it
/// takes that of 2 m to 7 m maps.
fn matrix_pays<F: BinaryField>(len: usize, squarings: usize) -> bool {
    len >= 8 * F::DEGREE && squarings >= 8 + F::DEGREE / 32
}

type Table<F> = SliceMap<F, Box<[u64]>>;

/// The map x -> x^(2^k), by squarings or by a matrix.
enum Frobenius<F: BinaryField> {
    Squarings(Field<F>, usize),
    Matrix(Table<F>),
}

impl<F: BinaryField> Frobenius<F> {
    fn new(len: usize, k: usize) -> Self {
        let (field, k) = (Field::new(), k % F::DEGREE);
        if matrix_pays::<F>(len, k) {
            Frobenius::Matrix(SliceMap::new(&LinearMap::frobenius(&field, k)))
        } else {
            Frobenius::Squarings(field, k)
        }
    }

    fn run(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        match self {
            Frobenius::Matrix(map) => map.apply_slice(a, out),
            Frobenius::Squarings(field, k) => {
                // `out` and `power` take turns; the last copy also covers k = 0.
                let mut power = Array::<F> { words: a.to_vec() };
                for _ in 0..*k {
                    field.square_slice(&power.words, out);
                    power.words.copy_from_slice(out);
                }
                out.copy_from_slice(&power.words);
            }
        }
    }
}

/// The map from c to a solution x of x^2 + x = c, by squarings or by a matrix.
enum Solution<F: BinaryField> {
    Squarings(Field<F>),
    Matrix(Table<F>),
}

impl<F: BinaryField> Solution<F> {
    fn new(len: usize) -> Self {
        let field = Field::new();
        if matrix_pays::<F>(len, F::DEGREE - 1) {
            Solution::Matrix(SliceMap::new(&LinearMap::solution(&field)))
        } else {
            Solution::Squarings(field)
        }
    }

    fn run(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        match self {
            Solution::Matrix(map) => map.apply_slice(a, out),
            Solution::Squarings(field) => field.solve_slice(a, out),
        }
    }
}
