//! Single elements of GF(2^m), without an array.
use crate::add_class;
use crate::field::Kernels;
use crate::gf2x::GF2X;
use crate::integer::{from_words, index, to_words};
use pyo3::exceptions::{PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

/// A single element of a field, an immutable value: made by `F.element(5)`. Operators take elements, int and GF2X; the time of products does not depend on
/// elements, that of conversions does.
#[pyclass(frozen, module = "carryless._carryless")]
pub(crate) struct Element {
    /// The `Field`.
    field: Py<PyAny>,
    kernels: Py<Kernels>,
    words: Box<[u64]>,
}

/// The words of an integer, as many as an element has; a ValueError for one that is no element.
fn words_of(kernels: &Kernels, integer: &Bound<'_, PyInt>) -> PyResult<Box<[u64]>> {
    // The common case, without Python's methods.
    let mut words = match integer.extract::<u64>() {
        Ok(word) => vec![word],
        Err(_) => to_words(integer)?,
    };
    words.resize(words.len().max(kernels.0.words()), 0);
    if words.len() > kernels.0.words() || kernels.check_reduced(&words).is_err() {
        let m = kernels.0.degree();
        return Err(PyValueError::new_err(format!("{integer} is no element: elements are below 2^{m}")));
    }
    Ok(words.into())
}

impl Element {
    fn kernels(&self) -> &Kernels {
        self.kernels.get()
    }

    fn with(&self, py: Python<'_>, words: Box<[u64]>) -> Element {
        Element { field: self.field.clone_ref(py), kernels: self.kernels.clone_ref(py), words }
    }

    /// The result of an operation that writes to an element.
    fn computed(&self, py: Python<'_>, operation: impl FnOnce(&mut [u64])) -> Element {
        let mut words = vec![0; self.words.len()].into_boxed_slice();
        operation(&mut words);
        self.with(py, words)
    }

    /// An operand; `None` for what is no element of any field.
    fn operand(&self, value: &Bound<'_, PyAny>) -> PyResult<Option<Box<[u64]>>> {
        if let Ok(other) = value.cast::<Element>() {
            let other = other.get();
            return match other.kernels.as_ptr() == self.kernels.as_ptr()
                || other.kernels().0 == self.kernels().0
            {
                true => Ok(Some(other.words.clone())),
                false => Err(PyTypeError::new_err("elements of another field")),
            };
        }
        if let Ok(integer) = value.cast::<PyInt>() {
            return words_of(self.kernels(), integer).map(Some);
        }
        if let Ok(polynomial) = value.cast::<GF2X>() {
            let integer = index(&from_words(value.py(), polynomial.get().0.words())?)?;
            return words_of(self.kernels(), &integer).map(Some);
        }
        Ok(None)
    }

    fn product(&self, py: Python<'_>, other: &[u64]) -> Element {
        self.computed(py, |out| self.kernels().0.mul(&self.words, other, out))
    }

    fn inverse_of(&self, a: &[u64]) -> PyResult<Box<[u64]>> {
        if a.iter().all(|&word| word == 0) {
            return Err(PyZeroDivisionError::new_err("0 has no inverse"));
        }
        let mut inverse = vec![0; a.len()].into_boxed_slice();
        self.kernels().1.invert(&self.kernels().0, a, &mut inverse);
        Ok(inverse)
    }
}

/// Runs an operation with the other operand, or returns NotImplemented, so that Python asks that one.
fn binary(
    a: &Element,
    value: &Bound<'_, PyAny>,
    operation: impl FnOnce(&[u64]) -> PyResult<Element>,
) -> PyResult<Py<PyAny>> {
    let py = value.py();
    match a.operand(value)? {
        Some(b) => Ok(operation(&b)?.into_pyobject(py)?.into_any().unbind()),
        None => Ok(py.NotImplemented()),
    }
}

#[pymethods]
impl Element {
    #[new]
    fn new(field: Py<PyAny>, kernels: Py<Kernels>, value: &Bound<'_, PyAny>) -> PyResult<Element> {
        let words = words_of(kernels.get(), &index(value)?)?;
        Ok(Element { field, kernels, words })
    }

    /// The field.
    #[getter]
    fn field(&self, py: Python<'_>) -> Py<PyAny> {
        self.field.clone_ref(py)
    }

    fn __add__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(self, other, |b| Ok(self.with(py, self.words.iter().zip(b).map(|(a, b)| a ^ b).collect())))
    }

    fn __radd__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__add__(py, other)
    }

    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__add__(py, other)
    }

    fn __rsub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__add__(py, other)
    }

    fn __mul__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(self, other, |b| Ok(self.product(py, b)))
    }

    fn __rmul__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__mul__(py, other)
    }

    fn __truediv__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(self, other, |b| Ok(self.product(py, &self.inverse_of(b)?)))
    }

    fn __rtruediv__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        binary(self, other, |b| Ok(self.inv(py)?.product(py, b)))
    }

    fn __pow__(
        &self,
        py: Python<'_>,
        exponent: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Element> {
        if modulo.is_some() {
            return Err(PyTypeError::new_err("powers of elements take no modulus"));
        }
        let e = index(exponent)?;
        if e.lt(0)? {
            return self.inv(py)?.__pow__(py, &e.neg()?, None);
        }
        let e = to_words(&e)?;
        Ok(self.computed(py, |out| self.kernels().0.pow(&self.words, &e, out)))
    }

    fn __neg__(&self, py: Python<'_>) -> Element {
        self.with(py, self.words.clone())
    }

    fn __pos__(&self, py: Python<'_>) -> Element {
        self.with(py, self.words.clone())
    }

    /// 1 / a; a ZeroDivisionError for 0.
    fn inv(&self, py: Python<'_>) -> PyResult<Element> {
        Ok(self.with(py, self.inverse_of(&self.words)?))
    }

    /// The square.
    fn square(&self, py: Python<'_>) -> Element {
        self.computed(py, |out| self.kernels().0.square(&self.words, out))
    }

    /// The square root.
    fn sqrt(&self, py: Python<'_>) -> Element {
        self.computed(py, |out| self.kernels().0.sqrt(&self.words, out))
    }

    /// The trace over F2, 0 or 1.
    fn trace(&self) -> u8 {
        self.kernels().0.trace(&self.words).to_u8()
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_words(py, &self.words)
    }

    fn __bool__(&self) -> bool {
        self.words.iter().any(|&word| word != 0)
    }

    /// Elements of one field, and integers, by their values. Nothing else is equal.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.operand(other).ok().flatten().is_some_and(|words| words == self.words)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        from_words(py, &self.words)?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = from_words(py, &self.words)?;
        Ok(format!("{}.element({})", self.field.bind(py).repr()?, value.call_method1("__format__", ("#x",))?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let made = self.field.bind(py).getattr("element")?;
        Ok((made, PyTuple::new(py, [from_words(py, &self.words)?])?))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<Element>(module)
}
