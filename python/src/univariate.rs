//! Polynomials over GF(2^m) on arrays of coefficients, for `carryless.polynomials`, which knows shapes.
use crate::field::Kernels;
use crate::input::Words;
use crate::integer::to_words;
use crate::polynomial::patient;
use carryless_gf2::univariate::FieldPoly;
use pyo3::exceptions::{PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// The polynomial of an array. A ValueError for parts of coefficients, or if one is not reduced.
fn read<'f>(field: &'f Kernels, array: &Words) -> PyResult<FieldPoly<'f>> {
    if !array.len().is_multiple_of(field.0.words()) {
        return Err(PyValueError::new_err("a part of a coefficient"));
    }
    field.check_reduced(array.as_slice())?;
    Ok(FieldPoly::from_words(&field.0, array.as_slice().to_vec()))
}

/// out = the coefficients, and zeros after them. A ValueError if there are more.
fn write(found: &[u64], out: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut out = Words::new(out)?;
    if found.len() > out.len() {
        return Err(PyValueError::new_err("an output for fewer coefficients"));
    }
    let (used, rest) = out.output(&[])?.split_at_mut(found.len());
    used.copy_from_slice(found);
    rest.fill(0);
    Ok(())
}

/// Two polynomials, and the bits of their coefficients in memory.
fn read_two<'f>(
    field: &'f Kernels,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
) -> PyResult<([FieldPoly<'f>; 2], usize)> {
    let (a, b) = (read(field, &Words::new(a)?)?, read(field, &Words::new(b)?)?);
    let bits = 64 * (a.words().len() + b.words().len());
    Ok(([a, b], bits))
}

fn by_zero() -> PyErr {
    PyZeroDivisionError::new_err("division by the polynomial 0")
}

/// out = a b.
#[pyfunction]
fn poly_mul(
    py: Python<'_>,
    field: &Kernels,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let ([a, b], bits) = read_two(field, a, b)?;
    write(patient(py, bits, |_| Ok(&a * &b))?.words(), out)
}

/// The quotient and the remainder of a by d.
#[pyfunction]
fn poly_divmod(
    py: Python<'_>,
    field: &Kernels,
    a: &Bound<'_, PyAny>,
    d: &Bound<'_, PyAny>,
    quotient: &Bound<'_, PyAny>,
    rest: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let ([a, d], bits) = read_two(field, a, d)?;
    let (q, r) = patient(py, bits, |_| a.div_rem(&d).ok_or_else(by_zero))?;
    write(q.words(), quotient)?;
    write(r.words(), rest)
}

/// out = the monic greatest common divisor.
#[pyfunction]
fn poly_gcd(
    py: Python<'_>,
    field: &Kernels,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let ([a, b], bits) = read_two(field, a, b)?;
    write(patient(py, bits, |proceed| a.try_gcd_vartime(&b, proceed))?.words(), out)
}

/// out = a^e modulo f, for an exponent that is not negative.
#[pyfunction]
fn poly_pow(
    py: Python<'_>,
    field: &Kernels,
    a: &Bound<'_, PyAny>,
    e: &Bound<'_, PyInt>,
    f: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (([a, f], bits), e) = (read_two(field, a, f)?, to_words(e)?);
    let power = patient(py, bits + 64 * e.len(), |proceed| a.try_pow_mod_vartime(&e, &f, proceed))?;
    write(power.ok_or_else(by_zero)?.words(), out)
}

/// out = the values at points.
#[pyfunction]
fn poly_values(
    py: Python<'_>,
    field: &Kernels,
    a: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (a, points) = (read(field, &Words::new(a)?)?, Words::new(points)?);
    if !points.len().is_multiple_of(field.0.words()) {
        return Err(PyValueError::new_err("a part of a point"));
    }
    let points = points.as_slice();
    let bits = 64 * (a.words().len() + points.len());
    write(&patient(py, bits, |proceed| a.try_values(points, proceed))?, out)
}

/// out = the polynomial with these values at as many points; a ValueError if a point comes twice.
#[pyfunction]
fn poly_interpolate(
    py: Python<'_>,
    field: &Kernels,
    points: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (points, values) = (Words::new(points)?, Words::new(values)?);
    if points.len() != values.len() || !points.len().is_multiple_of(field.0.words()) {
        return Err(PyValueError::new_err("as many values as points"));
    }
    field.check_reduced(points.as_slice())?;
    field.check_reduced(values.as_slice())?;
    let (points, values) = (points.as_slice(), values.as_slice());
    let found = patient(py, 64 * points.len(), |proceed| {
        FieldPoly::try_interpolate_vartime(&field.0, points, values, proceed)
    })?;
    write(found.ok_or_else(|| PyValueError::new_err("a point comes twice"))?.words(), out)
}

/// Coefficients of a monic irreducible factor and its multiplicity, or a root and its multiplicity.
type Found = (Vec<u64>, usize);

fn of_zero() -> PyErr {
    PyValueError::new_err("0 has no factors, and every element as a root")
}

/// The words of the monic irreducible factors and their multiplicities; a ValueError for 0.
#[pyfunction]
fn poly_factor(py: Python<'_>, field: &Kernels, a: &Bound<'_, PyAny>) -> PyResult<Vec<Found>> {
    let a = read(field, &Words::new(a)?)?;
    // Each coefficient takes as many squares as an element has bits.
    let bits = field.0.degree() * a.words().len();
    let factors = patient(py, bits, |proceed| a.try_factor_vartime(proceed))?.ok_or_else(of_zero)?;
    Ok(factors.into_iter().map(|(factor, e)| (factor.words().to_vec(), e)).collect())
}

/// The words of the roots and their multiplicities; a ValueError for 0.
#[pyfunction]
fn poly_roots(py: Python<'_>, field: &Kernels, a: &Bound<'_, PyAny>) -> PyResult<Vec<Found>> {
    let a = read(field, &Words::new(a)?)?;
    let bits = field.0.degree() * a.words().len();
    patient(py, bits, |proceed| a.try_roots_vartime(proceed))?.ok_or_else(of_zero)
}

/// Whether a polynomial is irreducible.
#[pyfunction]
fn poly_is_irreducible(py: Python<'_>, field: &Kernels, a: &Bound<'_, PyAny>) -> PyResult<bool> {
    let a = read(field, &Words::new(a)?)?;
    let bits = field.0.degree() * a.words().len();
    patient(py, bits, |proceed| a.try_is_irreducible_vartime(proceed))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(poly_mul, module)?)?;
    module.add_function(wrap_pyfunction!(poly_divmod, module)?)?;
    module.add_function(wrap_pyfunction!(poly_gcd, module)?)?;
    module.add_function(wrap_pyfunction!(poly_pow, module)?)?;
    module.add_function(wrap_pyfunction!(poly_values, module)?)?;
    module.add_function(wrap_pyfunction!(poly_interpolate, module)?)?;
    module.add_function(wrap_pyfunction!(poly_factor, module)?)?;
    module.add_function(wrap_pyfunction!(poly_roots, module)?)?;
    module.add_function(wrap_pyfunction!(poly_is_irreducible, module)?)
}
