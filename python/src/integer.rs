//! Python's integers of any size, as words.
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// An int, or what an object with `__index__` is; a `TypeError` for anything else.
pub(crate) fn index<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(integer) = value.cast::<PyInt>() {
        return Ok(integer.clone());
    }
    Ok(value.py().import("operator")?.call_method1("index", (value,))?.cast_into()?)
}

/// A number of coefficients that is not negative; the largest `usize` for all that are larger, which no polynomial has.
pub(crate) fn count(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let integer = index(value)?;
    if integer.lt(0)? {
        return Err(PyValueError::new_err("a negative count"));
    }
    Ok(integer.extract().unwrap_or(usize::MAX))
}

/// The words of an integer that is not negative, least significant first.
pub(crate) fn to_words(integer: &Bound<'_, PyInt>) -> PyResult<Vec<u64>> {
    if integer.lt(0)? {
        return Err(PyValueError::new_err("a negative integer"));
    }
    let bits: usize = integer.call_method0("bit_length")?.extract()?;
    let bytes = integer.call_method1("to_bytes", (8 * bits.div_ceil(64), "little"))?;
    Ok(from_bytes(bytes.cast::<PyBytes>()?.as_bytes()))
}

/// The integer with these words.
pub(crate) fn from_words<'py>(py: Python<'py>, words: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &to_bytes(words)), "little"))
}

/// Bytes, least significant first, in words.
pub(crate) fn from_bytes(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).map(word).collect()
}

/// All bytes of the words.
pub(crate) fn to_bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A `MemoryError` if there is no memory for a polynomial with this many bits.
pub(crate) fn room(bits: usize) -> PyResult<()> {
    Vec::<u8>::new()
        .try_reserve_exact(bits / 8 + 1)
        .map_err(|_| PyMemoryError::new_err("the polynomial is too long"))
}
