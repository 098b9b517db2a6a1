//! Exceptions of the package. Bad arguments are the `ValueError`, `TypeError` and `BufferError` of Python.
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    carryless,
    TagMismatch,
    PyValueError,
    "A tag or signature is not that of the message under the key."
);

/// Makes an OSError, for a system that gives no random numbers.
#[cfg(any(feature = "hqc", feature = "curve"))]
pub(crate) fn system(error: impl std::fmt::Display) -> pyo3::PyErr {
    pyo3::exceptions::PyOSError::new_err(error.to_string())
}
