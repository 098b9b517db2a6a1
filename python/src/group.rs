//! Orders and logarithms of elements, for arrays of `carryless.arrays`.
use crate::add_class;
use crate::field::Kernels;
use crate::input::Words;
use carryless_gf2::field::{Group, Logarithms};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Elements between two checks for signals where each takes many products, and where it is read from a table.
const BLOCK: usize = 1 << 8;
const TABLE_BLOCK: usize = 1 << 14;

/// Sets `out` to the result of an operation on each element, without the GIL. Returns whether an element has none. A signal ends it.
fn each(
    py: Python<'_>,
    [a, out]: [&Bound<'_, PyAny>; 2],
    block: usize,
    operation: impl Fn(u64) -> Option<u64> + Sync,
) -> PyResult<bool> {
    let (a, mut out) = (Words::new(a)?, Words::new(out)?);
    if a.len() != out.len() {
        return Err(PyValueError::new_err("arrays of different lengths"));
    }
    let mut missing = false;
    for (a, out) in a.as_slice().chunks(block).zip(out.output(&[&a])?.chunks_mut(block)) {
        py.detach(|| {
            for (&a, out) in a.iter().zip(out) {
                let result = operation(a);
                missing |= result.is_none();
                *out = result.unwrap_or(0);
            }
        });
        py.check_signals()?;
    }
    Ok(missing)
}

/// The multiplicative group of a field of degree 64 at most.
#[pyclass(frozen, name = "Group", module = "carryless._carryless")]
pub(crate) struct PyGroup(Group);

#[pymethods]
impl PyGroup {
    #[new]
    fn new(field: &Kernels) -> PyResult<Self> {
        let refused = || PyValueError::new_err("orders and logarithms are for fields of degree 64 at most");
        Group::new(&field.0).map(PyGroup).ok_or_else(refused)
    }

    /// The primes that divide 2^m - 1.
    fn prime_divisors(&self) -> Vec<u64> {
        self.0.prime_divisors().to_vec()
    }

    /// Whether logarithms come from a table.
    #[getter]
    fn has_table(&self) -> bool {
        self.0.has_table()
    }

    /// The least primitive element.
    fn generator(&self) -> u64 {
        self.0.generator_vartime()
    }

    /// out = the order of each element; whether one is 0, which has none.
    fn orders(&self, py: Python<'_>, a: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<bool> {
        each(py, [a, out], BLOCK, |element| self.0.order_of_vartime(element))
    }

    /// Logarithms to a base.
    fn logarithms(&self, py: Python<'_>, base: u64) -> PyResult<PyLogarithms> {
        let found = py.detach(|| self.0.logarithms_vartime(base));
        let block = if self.0.has_table() { TABLE_BLOCK } else { BLOCK };
        found.map(|logarithms| PyLogarithms { logarithms, block }).ok_or_else(|| {
            PyValueError::new_err("logarithms are for a base whose order has prime divisors up to 2^40")
        })
    }
}

/// Logarithms to one base.
#[pyclass(frozen, name = "Logarithms", module = "carryless._carryless")]
pub(crate) struct PyLogarithms {
    logarithms: Logarithms,
    block: usize,
}

#[pymethods]
impl PyLogarithms {
    /// out = the logarithm of each element; whether one is no power of the base.
    fn of(&self, py: Python<'_>, a: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<bool> {
        each(py, [a, out], self.block, |element| self.logarithms.of_vartime(element))
    }

    /// out = the order of each element; whether one is no power of the base.
    fn orders(&self, py: Python<'_>, a: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<bool> {
        each(py, [a, out], self.block, |element| self.logarithms.order_of_vartime(element))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<PyGroup>(module)?;
    add_class::<PyLogarithms>(module)
}
