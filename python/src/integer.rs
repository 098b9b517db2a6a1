//! Python's integers of any size as words of 64 bits.
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// Converts an int, or an object with `__index__`, to an int; a `TypeError` for anything else.
pub(crate) fn index<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(integer) = value.cast::<PyInt>() {
        return Ok(integer.clone());
    }
    // `operator.index` refuses floats, which `int()` would round.
    Ok(value.py().import("operator")?.call_method1("index", (value,))?.cast_into()?)
}

/// Converts a number of coefficients, which must not be negative. Numbers that are too large become the
/// largest `usize`, which no polynomial reaches.
pub(crate) fn count(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let integer = index(value)?;
    if integer.lt(0)? {
        return Err(PyValueError::new_err("a negative count"));
    }
    Ok(integer.extract().unwrap_or(usize::MAX))
}

/// The words of an integer, least significant first. A `ValueError` if it is negative.
pub(crate) fn to_words(integer: &Bound<'_, PyInt>) -> PyResult<Vec<u64>> {
    if integer.lt(0)? {
        return Err(PyValueError::new_err("a negative integer"));
    }
    // By methods of int: the stable ABI has no access to its digits.
    let bits: usize = integer.call_method0("bit_length")?.extract()?;
    let bytes = integer.call_method1("to_bytes", (8 * bits.div_ceil(64), "little"))?;
    Ok(from_bytes(bytes.cast::<PyBytes>()?.as_bytes()))
}

/// The integer with these words, least significant first.
pub(crate) fn from_words<'py>(py: Python<'py>, words: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &to_bytes(words)), "little"))
}

/// Words of bytes, both least significant first.
pub(crate) fn from_bytes(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).map(word).collect()
}

/// All bytes of the words, least significant first, with zeros at the end.
pub(crate) fn to_bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Raises MemoryError if there is no memory for a value of this many bits, such as a polynomial: otherwise its allocation
/// would end the process.
pub(crate) fn room(bits: usize) -> PyResult<()> {
    // Only a test: the memory is given back at once, and the real allocation follows.
    Vec::<u8>::new()
        .try_reserve_exact(bits / 8 + 1)
        .map_err(|_| PyMemoryError::new_err("not enough memory for the result"))
}
