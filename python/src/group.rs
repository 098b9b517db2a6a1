//! Orders and logarithms of elements, for arrays of `carryless.arrays`.
use crate::add_class;
use crate::field::Kernels;
use crate::input::Words;
use carryless_gf2::field::{Group, Logarithms};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Elements between two checks for signals.
const BLOCK: usize = 1 << 8;

/// Runs an operation on each element without the GIL. A signal ends it.
fn each<R: Send>(py: Python<'_>, a: &Words, operation: impl Fn(u64) -> R + Sync) -> PyResult<Vec<R>> {
    let mut results = Vec::new();
    for part in a.as_slice().chunks(BLOCK) {
        py.detach(|| results.extend(part.iter().map(|&element| operation(element))));
        py.check_signals()?;
    }
    Ok(results)
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

    /// The least primitive element.
    fn generator(&self) -> u64 {
        self.0.generator_vartime()
    }

    /// The order of each element, None for 0.
    fn orders(&self, py: Python<'_>, a: &Bound<'_, PyAny>) -> PyResult<Vec<Option<u64>>> {
        each(py, &Words::new(a)?, |element| self.0.order_of_vartime(element))
    }

    /// Logarithms to a base.
    fn logarithms(&self, py: Python<'_>, base: u64) -> PyResult<PyLogarithms> {
        let found = py.detach(|| self.0.logarithms_vartime(base));
        found.map(PyLogarithms).ok_or_else(|| {
            PyValueError::new_err("logarithms are for a base whose order has prime divisors up to 2^40")
        })
    }
}

/// Logarithms to one base.
#[pyclass(frozen, name = "Logarithms", module = "carryless._carryless")]
pub(crate) struct PyLogarithms(Logarithms);

#[pymethods]
impl PyLogarithms {
    /// The logarithm of each element, None for what is no power of the base.
    fn of(&self, py: Python<'_>, a: &Bound<'_, PyAny>) -> PyResult<Vec<Option<u64>>> {
        each(py, &Words::new(a)?, |element| self.0.of_vartime(element))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<PyGroup>(module)?;
    add_class::<PyLogarithms>(module)
}
