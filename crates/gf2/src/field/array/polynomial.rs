//! Sums of products: dot products, matrix times vector; values and interpolation of polynomials whose
//! coefficients are an array.
use super::blocks::{add_to, add_to_all, block_len, each};
use super::{Array, ArrayError};
use crate::field::operations::Field;
use crate::field::{BinaryField, Element};
use core::mem::swap;

/// The number of powers of a point that [`Array::evaluate`] computes before it begins.
const POWERS: usize = 64;

impl<F: BinaryField> Array<F> {
    /// The dot product with another array, with one reduction: see [`Field::dot`].
    ///
    /// # Errors
    /// [`ArrayError::Length`] if the arrays differ in length.
    pub fn dot(&self, other: &Self) -> Result<Element<F>, ArrayError> {
        other.expect_len(self.len())?;
        Ok(Field::new().dot(&self.words, &other.words))
    }

    /// The product of a matrix and a column vector. This array is the matrix, row by row; the result has `rows`
    /// elements, each of which takes one reduction.
    ///
    /// # Errors
    /// [`ArrayError::Length`] unless this array has `rows` times as many elements as `vector`.
    pub fn mul_vector(&self, rows: usize, vector: &Self) -> Result<Self, ArrayError> {
        let columns = vector.len();
        self.expect_len(rows.saturating_mul(columns))?;
        let (mut out, field) = (Array::zeros(rows), Field::<F>::new());
        let len = (block_len::<F>() / columns.max(1)).max(1);
        each::<F>(&mut out.words, len, |at, out| {
            for (row, out) in at.zip(out) {
                *out = field.dot(&self.words[row * columns..][..columns], &vector.words).to_words();
            }
        });
        Ok(out)
    }

    /// The value at x of the polynomial a\[0\] + a\[1\] X + a\[2\] X^2 + ...; 0 for an empty array. Constant time.
    ///
    /// This is Horner's rule over blocks of 64 coefficients. The value of a block is its dot product with the
    /// powers of x, so each coefficient costs one unreduced product.
    #[must_use]
    pub fn evaluate(&self, x: &Element<F>) -> Element<F> {
        let field = Field::<F>::new();
        let powers = powers(&field, x, self.len().min(POWERS));
        // x^64, or x^len for a shorter polynomial: the factor between the values of neighbouring blocks.
        let step = field.mul(&powers.get(powers.len() - 1).unwrap_or_default(), x);
        let mut value = Element::zero();
        for block in self.words.chunks(powers.len()).rev() {
            value = field.mul(&value, &step) + field.dot(block, &powers.words[..block.len()]);
        }
        value
    }

    /// The values of the polynomial at many points, by Horner's rule for as many points at a time
    /// as the backend has lanes.
    #[must_use]
    pub fn evaluate_many(&self, points: &Self) -> Self {
        let (mut values, field) = (Array::zeros(points.len()), Field::<F>::new());
        // The blocks are smaller than usual: two of values and one of points fit the first level of caches, and
        // each coefficient takes a pass over them.
        each::<F>(&mut values.words, block_len::<F>() / 8, |at, out| {
            let (points, mut next) = (&points.words[at], Array::<F>::zeros(out.len()));
            for coefficient in self.words.iter().rev() {
                field.mul_slices(out, points, &mut next.words);
                add_to_all::<F>(&mut next.words, coefficient);
                out.copy_from_slice(&next.words);
            }
        });
        values
    }

    /// The polynomial of degree below n that has these values at these n points (Lagrange): its n coefficients.
    ///
    /// It takes about 3 n^2 products, of which n^2 are summed before their reduction.
    ///
    /// ```
    /// use carryless_gf2::field::{Array, Element, Gf163};
    ///
    /// let polynomial: Array<Gf163> = (1..6).map(|i| Element::z().pow(i * i)).collect();
    /// let points: Array<Gf163> = (0..5).map(|i| Element::z().pow(i)).collect();
    /// let values = polynomial.evaluate_many(&points);
    /// assert_eq!(Array::interpolate(&points, &values)?, polynomial);
    /// # Ok::<(), carryless_gf2::field::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// [`ArrayError::Length`] if the arrays differ in length; [`ArrayError::EqualPoints`] if two points
    /// are equal. That becomes public.
    pub fn interpolate(points: &Self, values: &Self) -> Result<Self, ArrayError> {
        values.expect_len(points.len())?;
        let field = Field::<F>::new();
        // M is the product of all X + x. The weight of x is its value over M'(x), and M'(x) = D(x^2) is 0
        // only for equal points. Products: n^2 / 2 for M, n^2 / 2 for the values of D, which has n / 2
        // coefficients, and 2 n^2 for the sum of the weighted quotients.
        let product = product_of_roots(&field, points);
        let mut weights = derivative(&product).evaluate_many(&points.square());
        weights.invert_in_place().map_err(|error| match error {
            ArrayError::Zero { index } => ArrayError::EqualPoints { index },
            other => other,
        })?;
        weights.mul_in_place(values)?;
        Ok(weighted_quotients(&field, points, &product, &weights))
    }
}

/// The powers 1, x, x^2, ..., of which there are `len` but at least one. They double in number with each step.
fn powers<F: BinaryField>(field: &Field<F>, x: &Element<F>, len: usize) -> Array<F> {
    let mut powers = Array::zeros(len.max(1));
    powers.words[0] = Element::<F>::one().to_words();
    // Invariant: the first `done` powers are there, and factor = x^done. Each step multiplies them by the
    // factor.
    let (mut done, mut factor) = (1, *x);
    while done < len {
        let (from, to) = powers.words.split_at_mut(done);
        let count = done.min(to.len());
        field.scale_slice(&from[..count], &factor, &mut to[..count]);
        factor = field.square(&factor);
        done += count;
    }
    powers
}

/// The coefficients of the product of X + x over all points x: one more than there are points, the last of which is 1.
fn product_of_roots<F: BinaryField>(field: &Field<F>, points: &Array<F>) -> Array<F> {
    let mut product = Array::zeros(points.len() + 1);
    let mut scaled = Array::<F>::zeros(points.len() + 1);
    product.words[0] = Element::<F>::one().to_words();
    for (degree, x) in points.iter().enumerate() {
        // (X + x) p = X p + x p: the coefficients move up by one place, and x p is added.
        field.scale_slice(&product.words[..=degree], &x, &mut scaled.words[..=degree]);
        product.words.copy_within(..=degree, 1);
        product.words[0] = Default::default();
        add_to::<F>(&mut product.words[..=degree], &scaled.words[..=degree]);
    }
    product
}

/// The polynomial D with M'(X) = D(X^2): in characteristic 2 only odd powers contribute to the derivative.
fn derivative<F: BinaryField>(polynomial: &Array<F>) -> Array<F> {
    polynomial.iter().skip(1).step_by(2).collect()
}

/// The sum of w M / (X + x) over the points x and their weights w, for a monic M of which all x are roots.
///
/// Coefficients come from the highest down, for all quotients at once: coefficient k of M / (X + x) is x times
/// coefficient k + 1, plus coefficient k + 1 of M (synthetic division).
fn weighted_quotients<F: BinaryField>(
    field: &Field<F>,
    points: &Array<F>,
    product: &Array<F>,
    weights: &Array<F>,
) -> Array<F> {
    let mut sum = Array::zeros(points.len());
    let mut quotients: Array<F> = points.iter().map(|_| Element::one()).collect();
    let mut next = Array::zeros(points.len());
    for k in (0..points.len()).rev() {
        // Invariant: quotients[i] is coefficient k of M / (X + x_i).
        sum.words[k] = field.dot(&weights.words, &quotients.words).to_words();
        field.mul_slices(&quotients.words, &points.words, &mut next.words);
        add_to_all::<F>(&mut next.words, &product.words[k]);
        swap(&mut quotients, &mut next);
    }
    sum
}
