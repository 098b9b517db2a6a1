//! Sums of products: dot product, matrix by vector; polynomials whose coefficients are an array: values, interpolation.
use super::blocks::{add_to, add_to_all, block_len, each};
use super::{Array, ArrayError};
use crate::field::operations::Field;
use crate::field::{BinaryField, Element};
use core::mem::swap;

/// Powers of a point that [`Array::evaluate`] makes before it begins.
const POWERS: usize = 64;

impl<F: BinaryField> Array<F> {
    /// The sum of the products of elements, with one reduction: [`Field::dot`].
    ///
    /// # Errors
    /// [`ArrayError::Length`].
    pub fn dot(&self, other: &Self) -> Result<Element<F>, ArrayError> {
        other.expect_len(self.len())?;
        Ok(Field::new().dot(&self.words, &other.words))
    }

    /// The product of a matrix, which is this array row by row, by a column: `rows` elements, each with one reduction.
    ///
    /// # Errors
    /// [`ArrayError::Length`] if this array has not as many elements as `rows` rows of the length of `vector`.
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

    /// The value at x of the polynomial a\[0\] + a\[1\] X + a\[2\] X^2 + ...; 0 without coefficients.
    ///
    /// Horner's rule by blocks of 64 coefficients, whose value is their dot product with the powers of x: one unreduced product for each coefficient.
    #[must_use]
    pub fn evaluate(&self, x: &Element<F>) -> Element<F> {
        let field = Field::<F>::new();
        let powers = powers(&field, x, self.len().min(POWERS));
        let step = field.mul(&powers.get(powers.len() - 1).unwrap_or_default(), x);
        let mut value = Element::zero();
        for block in self.words.chunks(powers.len()).rev() {
            value = field.mul(&value, &step) + field.dot(block, &powers.words[..block.len()]);
        }
        value
    }

    /// The values of the polynomial at many points, by Horner's rule for as many of them at a time as the machine has lanes.
    #[must_use]
    pub fn evaluate_many(&self, points: &Self) -> Self {
        let (mut values, field) = (Array::zeros(points.len()), Field::<F>::new());
        // Two blocks of values and one of points in the first level of caches; every block is a product for each coefficient.
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

    /// The coefficients of the polynomial with fewer terms than there are points that has these values at these points (Lagrange). Takes time and
    /// work as the square of their number, about 3.5 n^2 products.
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
    /// [`ArrayError::Length`]; [`ArrayError::EqualPoints`] if two points are equal, which becomes public.
    pub fn interpolate(points: &Self, values: &Self) -> Result<Self, ArrayError> {
        values.expect_len(points.len())?;
        let field = Field::<F>::new();
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

/// 1, x, x^2, ...: at least one, if `len` is 0.
fn powers<F: BinaryField>(field: &Field<F>, x: &Element<F>, len: usize) -> Array<F> {
    let mut powers = Array::zeros(len.max(1));
    powers.words[0] = Element::<F>::one().to_words();
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

/// The coefficients of the product of X + x over the points x.
fn product_of_roots<F: BinaryField>(field: &Field<F>, points: &Array<F>) -> Array<F> {
    let mut product = Array::zeros(points.len() + 1);
    let mut scaled = Array::<F>::zeros(points.len() + 1);
    product.words[0] = Element::<F>::one().to_words();
    for (degree, x) in points.iter().enumerate() {
        field.scale_slice(&product.words[..=degree], &x, &mut scaled.words[..=degree]);
        product.words.copy_within(..=degree, 1);
        product.words[0] = Default::default();
        add_to::<F>(&mut product.words[..=degree], &scaled.words[..=degree]);
    }
    product
}

/// D with D(X^2) the derivative of this polynomial: its odd coefficients.
fn derivative<F: BinaryField>(polynomial: &Array<F>) -> Array<F> {
    polynomial.iter().skip(1).step_by(2).collect()
}

/// The sum of w M / (X + x) over the points x and their weights w, for a monic M with these roots.
///
/// The coefficients of the quotients come from the highest down, all those of one power of X at once: one is x times the one before, plus that of M.
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
        sum.words[k] = field.dot(&weights.words, &quotients.words).to_words();
        field.mul_slices(&quotients.words, &points.words, &mut next.words);
        add_to_all::<F>(&mut next.words, &product.words[k]);
        swap(&mut quotients, &mut next);
    }
    sum
}
