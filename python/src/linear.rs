//! Elimination of matrices on arrays of words, for `carryless._linear`, which knows shapes.
use crate::bits::{pack, unpack};
use crate::field::Kernels;
use crate::input::Array;
use crate::polynomial::patient;
use carryless_gf2::linear::{Matrix, Plu};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Raises ValueError unless each array has the entries of its rows and columns, for GF(2) bytes.
fn fit(field: &Kernels, arrays: &[(&Array, [usize; 2])]) -> PyResult<()> {
    for (array, [rows, columns]) in arrays {
        let words = rows.checked_mul(*columns).and_then(|entries| entries.checked_mul(field.0.words()));
        if words != Some(array.len()) {
            return Err(PyValueError::new_err(format!("an array of other than {rows} x {columns} entries")));
        }
        if field.0.degree() == 1 {
            array.check_bytes()?;
        }
    }
    Ok(())
}

/// out = the matrix `a` with its first `until` columns in reduced row echelon form, by operations on whole rows. Returns the columns with pivots.
#[pyfunction]
fn row_reduce(
    py: Python<'_>,
    field: &Kernels,
    a: &Bound<'_, PyAny>,
    shape: [usize; 2],
    until: usize,
    out: &Bound<'_, PyAny>,
) -> PyResult<Vec<usize>> {
    let (a, mut out, [rows, columns]) = (Array::new(a)?, Array::new(out)?, shape);
    fit(field, &[(&a, shape), (&out, shape)])?;
    if until > columns {
        return Err(PyValueError::new_err(format!("{until} columns of {columns}")));
    }
    if field.0.degree() == 1 {
        let (a, out) = (a.bytes(), out.output_bytes(&[&a])?);
        field.check_bits(a)?;
        return patient(py, 64 * a.len(), |proceed| {
            let mut bits = pack(a, columns);
            // Without entries it has no row.
            let pivots = bits.try_row_reduce_vartime(until, proceed)?;
            unpack(&bits, out);
            Ok(pivots)
        });
    }
    let (a, mut out) = (a.words(), out.words());
    let (a, out) = (a.as_slice(), out.output(&[&a])?);
    field.check_reduced(a)?;
    patient(py, 64 * a.len(), |proceed| {
        let mut matrix = Matrix::from_words(&field.0, rows, columns, a.to_vec());
        let pivots = matrix.try_row_reduce_vartime(until, proceed)?;
        out.copy_from_slice(matrix.words());
        Ok(pivots)
    })
}

/// The triangles of a matrix `a`: lower upper is `a` with its rows in the order of the numbers that are returned.
#[pyfunction]
fn plu(
    py: Python<'_>,
    field: &Kernels,
    a: &Bound<'_, PyAny>,
    shape: [usize; 2],
    lower: &Bound<'_, PyAny>,
    upper: &Bound<'_, PyAny>,
) -> PyResult<Vec<usize>> {
    let (a, mut lower, mut upper) = (Array::new(a)?, Array::new(lower)?, Array::new(upper)?);
    let [rows, columns] = shape;
    fit(field, &[(&a, shape), (&lower, [rows, rows]), (&upper, shape)])?;
    if field.0.degree() == 1 && columns > 0 {
        lower.output_bytes(&[&a, &upper])?;
        let (a, lower, upper) = (a.bytes(), lower.output_bytes(&[])?, upper.output_bytes(&[&a])?);
        field.check_bits(a)?;
        return patient(py, 64 * a.len(), |proceed| {
            let found = pack(a, columns).try_plu_vartime(proceed)?;
            unpack(&found.lower, lower);
            unpack(&found.upper, upper);
            Ok(found.permutation)
        });
    }
    let (a, mut lower, mut upper) = (a.words(), lower.words(), upper.words());
    lower.output(&[&a, &upper])?;
    let (a, lower, upper) = (a.as_slice(), lower.output(&[])?, upper.output(&[&a])?);
    field.check_reduced(a)?;
    patient(py, 64 * a.len(), |proceed| {
        let found = Matrix::from_words(&field.0, rows, columns, a.to_vec()).try_plu_vartime(proceed)?;
        let Plu { permutation, lower: l, upper: u } = found;
        lower.copy_from_slice(l.words());
        upper.copy_from_slice(u.words());
        Ok(permutation)
    })
}

/// out = the characteristic polynomial of a matrix of n rows and columns, the coefficient of x^0 first.
#[pyfunction]
fn characteristic_poly(
    py: Python<'_>,
    field: &Kernels,
    a: &Bound<'_, PyAny>,
    n: usize,
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (a, out) = (Array::new(a)?, Array::new(out)?);
    fit(field, &[(&a, [n, n]), (&out, [n.saturating_add(1), 1])])?;
    let (a, mut out) = (a.words(), out.words());
    field.check_reduced(a.as_slice())?;
    let (a, out) = (a.as_slice(), out.output(&[&a])?);
    patient(py, 64 * a.len(), |proceed| {
        let matrix = Matrix::from_words(&field.0, n, n, a.to_vec());
        out.copy_from_slice(&matrix.try_characteristic_polynomial_vartime(proceed)?);
        Ok(())
    })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(row_reduce, module)?)?;
    module.add_function(wrap_pyfunction!(characteristic_poly, module)?)?;
    module.add_function(wrap_pyfunction!(plu, module)?)
}
