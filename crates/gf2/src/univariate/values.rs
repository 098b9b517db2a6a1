//! Values at points, and polynomials with given values.
use super::FieldPoly;
use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

/// Bytes of products between two calls of `proceed`: less than a millisecond.
const STEP: usize = 1 << 18;

impl<'f> FieldPoly<'f> {
    /// The values at points, elements side by side: Horner's rule for all points at once.
    ///
    /// # Panics
    /// If there is a part of a point.
    #[must_use]
    #[track_caller]
    pub fn values(&self, points: &[u64]) -> Vec<u64> {
        let Ok(values) = self.try_values(points, || Ok::<(), Infallible>(()));
        values
    }

    /// [`values`](FieldPoly::values) for many: `proceed` is called before each coefficient, or before some.
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// If there is a part of a point.
    #[track_caller]
    pub fn try_values<E>(
        &self,
        points: &[u64],
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<u64>, E> {
        let (field, width) = (self.field, self.field.words());
        assert!(points.len().is_multiple_of(width), "points have {width} words");
        // Of short elements, several fit into a word.
        let packed = field.with_packed(points, |points| {
            let mut values = vec![0; points.len()];
            for coefficients in self.words.rchunks((STEP / points.len().max(1)).max(1)) {
                proceed()?;
                field.horner_packed(&points, coefficients, &mut values);
            }
            Ok(values)
        });
        if let Some(values) = packed {
            return values;
        }
        let (mut values, mut products) = (vec![0; points.len()], vec![0; points.len()]);
        for coefficient in self.words.rchunks_exact(width) {
            proceed()?;
            field.mul_slices(&values, points, &mut products);
            core::mem::swap(&mut values, &mut products);
            add_to_each(&mut values, coefficient);
        }
        Ok(values)
    }

    /// The polynomial of degree below n with these values at n points, all different (Newton's divided differences); `None` if two points are
    /// equal. Takes some 2 n^2 products.
    ///
    /// # Panics
    /// If there are not as many values as points.
    #[must_use]
    #[track_caller]
    pub fn interpolate_vartime(field: &'f DynField, points: &[u64], values: &[u64]) -> Option<Self> {
        let Ok(found) =
            FieldPoly::try_interpolate_vartime(field, points, values, || Ok::<(), Infallible>(()));
        found
    }

    /// [`interpolate_vartime`](FieldPoly::interpolate_vartime) for many points: `proceed` is called up to 2 n times.
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// If there are not as many values as points.
    #[track_caller]
    pub fn try_interpolate_vartime<E>(
        field: &'f DynField,
        points: &[u64],
        values: &[u64],
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        let width = field.words();
        assert_eq!(points.len(), values.len(), "as many values as points");
        let mut differences = values.to_vec();
        let (mut steps, mut inverses, mut quotients) =
            (points.to_vec(), vec![0; points.len()], vec![0; points.len()]);
        for order in (width..points.len()).step_by(width) {
            proceed()?;
            // Of the values from `order` on, in place of those of the order before.
            let rest = points.len() - order;
            steps[..rest].iter_mut().enumerate().for_each(|(i, step)| *step = points[order + i] ^ points[i]);
            if steps[..rest].chunks_exact(width).any(|step| step.iter().all(|&word| word == 0)) {
                return Ok(None);
            }
            field.batch_invert(&steps[..rest], &mut inverses[..rest]);
            let sums: Vec<u64> =
                (order..points.len()).map(|i| differences[i] ^ differences[i - width]).collect();
            field.mul_slices(&sums, &inverses[..rest], &mut quotients[..rest]);
            differences[order..].copy_from_slice(&quotients[..rest]);
        }
        let (mut words, mut scaled): (Vec<u64>, Vec<u64>) = (vec![], vec![]);
        for (difference, point) in differences.rchunks_exact(width).zip(points.rchunks_exact(width)) {
            proceed()?;
            // (X + point) times what there is, plus the difference.
            scaled.resize(words.len(), 0);
            field.scale_slice(&words, point, &mut scaled);
            words.splice(0..0, difference.iter().copied());
            words.iter_mut().zip(&scaled).for_each(|(word, add)| *word ^= add);
        }
        Ok(Some(FieldPoly::trimmed(field, words)))
    }
}

/// Adds an element to each of many.
fn add_to_each(elements: &mut [u64], element: &[u64]) {
    for out in elements.chunks_exact_mut(element.len()) {
        out.iter_mut().zip(element).for_each(|(word, add)| *word ^= add);
    }
}
