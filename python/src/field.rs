//! Arithmetic of GF(2^m) on arrays of words, for `carryless.fields`, which knows shapes.
use crate::add_class;
use crate::bits::{pack, unpack};
use crate::gf2x::GF2X;
use crate::input::{Bytes, Words};
use crate::integer::to_words;
use crate::polynomial::patient;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// Words that are processed between two checks for signals: about a millisecond, if each element takes a
/// product.
const BLOCK: usize = 1 << 16;
/// Words between two checks for signals in operations that take as long as hundreds of products.
const SLOW_BLOCK: usize = 1 << 9;

/// The kernels of a field. Arrays are contiguous, of numpy.uint64, with `words` of them for each element; results never share memory with operands.
#[pyclass(frozen, module = "carryless._carryless")]
pub(crate) struct Kernels(pub(crate) DynField);

impl Kernels {
    /// Raises ValueError unless all arrays have the same length, in whole elements.
    fn fit(&self, arrays: &[&Words]) -> PyResult<()> {
        let len = arrays[0].len();
        if !len.is_multiple_of(self.0.words()) || arrays.iter().any(|array| array.len() != len) {
            return Err(PyValueError::new_err("arrays of different lengths, or a part of an element"));
        }
        Ok(())
    }

    /// The index of the first element that has bits from z^m on, if there is one.
    fn unreduced(&self, a: &[u64]) -> Option<usize> {
        // Only the last word of an element has room for bits from z^m on; for m a multiple of 64 none.
        let last = |element: &[u64]| element[element.len() - 1];
        match self.0.degree() % 64 {
            0 => None,
            above => a.chunks_exact(self.0.words()).position(|element| last(element) >> above != 0),
        }
    }

    /// Raises ValueError for elements that have bits from z^m on.
    pub(crate) fn check_reduced(&self, a: &[u64]) -> PyResult<()> {
        match self.unreduced(a) {
            None => Ok(()),
            Some(i) => {
                let m = self.0.degree();
                Err(PyValueError::new_err(format!("element {i} has bits from z^{m} on")))
            }
        }
    }

    /// Runs `work` on corresponding parts of `a` and the output, without the GIL. A signal ends it between
    /// two parts.
    fn each(
        &self,
        py: Python<'_>,
        a: &Words,
        mut out: Words,
        block: usize,
        work: impl Fn(usize, &[u64], &mut [u64]) + Sync,
    ) -> PyResult<()> {
        self.fit(&[a, &out])?;
        // Whole elements, at least one.
        let step = block.max(self.0.words()) / self.0.words() * self.0.words();
        let parts = a.as_slice().chunks(step).zip(out.output(&[a])?.chunks_mut(step));
        for (i, (a, out)) in parts.enumerate() {
            // Signals are seen with the GIL only, so it is taken back between two parts.
            py.detach(|| work(i * step, a, out));
            py.check_signals()?;
        }
        Ok(())
    }

    /// Runs an operation on each element of `a`, and writes the results to the output.
    fn map(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        out: &Bound<'_, PyAny>,
        operation: impl Fn(&[u64], &mut [u64]) + Sync,
    ) -> PyResult<()> {
        let words = self.0.words();
        self.each(py, &Words::new(a)?, Words::new(out)?, SLOW_BLOCK, |_, a, out| {
            a.chunks_exact(words).zip(out.chunks_exact_mut(words)).for_each(|(a, out)| operation(a, out));
        })
    }
}

#[pymethods]
impl Kernels {
    #[new]
    fn new(f: &GF2X) -> PyResult<Self> {
        DynField::new(&f.0).map(Kernels).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The degree m of the field.
    #[getter]
    fn degree(&self) -> usize {
        self.0.degree()
    }

    /// Words of an element, ceil(m / 64).
    #[getter]
    fn words(&self) -> usize {
        self.0.words()
    }

    /// The polynomial f, by which elements are reduced.
    #[getter]
    fn modulus(&self) -> GF2X {
        GF2X(Poly::from_exponents(self.0.exponents().iter().copied()))
    }

    /// out = a b, for as many elements of both or for one b.
    fn mul(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (a, b, mut out) = (Words::new(a)?, Words::new(b)?, Words::new(out)?);
        // `each` checks the output against `a` only.
        out.output(&[&b])?;
        let one = b.len() == self.0.words();
        self.fit(&[&a, if one { &a } else { &b }])?;
        let b = b.as_slice();
        self.each(py, &a, out, BLOCK, |at, a, out| match one {
            // This kernel reads the one factor again for each element, so it needs no array of copies.
            true => self.0.scale_slice(a, b, out),
            false => self.0.mul_slices(a, &b[at..at + a.len()], out),
        })
    }

    /// out = 1 / a, and 0 for 0.
    fn invert(&self, py: Python<'_>, a: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        // An element takes a few products: many share one inversion.
        self.each(py, &Words::new(a)?, Words::new(out)?, BLOCK / 4, |_, a, out| self.0.batch_invert(a, out))
    }

    /// out = a^(2^k) for each element, by k mod m squarings.
    fn frobenius(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        k: usize,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let k = k % self.0.degree();
        self.map(py, a, out, |a, out| self.0.frobenius(a, k, out))
    }

    /// out = sqrt(a), the only square root of each element.
    fn sqrt(&self, py: Python<'_>, a: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        self.map(py, a, out, |a, out| self.0.sqrt(a, out))
    }

    /// out = x with x^2 + x = a where the trace of a is 0.
    fn solve(&self, py: Python<'_>, a: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        // Where the trace is 1, nothing useful is written. The caller looks at the traces.
        self.map(py, a, out, |a, out| self.0.solve_unchecked(a, out))
    }

    /// out = a^e, for an exponent that is not negative.
    fn pow(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        e: &Bound<'_, PyInt>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let e = to_words(e)?;
        self.map(py, a, out, |a, out| self.0.pow(a, &e, out))
    }

    /// The traces, a byte of 0 or 1 for each element.
    fn trace(&self, py: Python<'_>, a: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
        let a = Words::new(a)?;
        self.fit(&[&a])?;
        let mut traces = Vec::new();
        for part in a.as_slice().chunks(SLOW_BLOCK * self.0.words()) {
            let part = part.chunks_exact(self.0.words());
            py.detach(|| traces.extend(part.map(|element| self.0.trace(element).to_u8())));
            py.check_signals()?;
        }
        Ok(traces)
    }

    /// out = the product of a matrix of `inner` columns and one of as many rows.
    fn matmul(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        inner: usize,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (a, b, mut out) = (Words::new(a)?, Words::new(b)?, Words::new(out)?);
        let words = self.0.words();
        // `inner` = 0 makes both 0, and then all arrays must be empty.
        let row = b.len().checked_div(inner).unwrap_or(0);
        // A product that overflows is longer than any array.
        let step = inner.saturating_mul(words);
        let rows = a.len().checked_div(step).unwrap_or(0);
        if !row.is_multiple_of(words)
            || rows.checked_mul(step) != Some(a.len())
            || inner.checked_mul(row) != Some(b.len())
            || rows.checked_mul(row) != Some(out.len())
        {
            return Err(PyValueError::new_err("matrices whose shapes do not fit"));
        }
        let (a, b, out) = (a.as_slice(), b.as_slice(), out.output(&[&a, &b])?);
        out.fill(0);
        if row == 0 {
            return Ok(());
        }
        if self.0.degree() == 1 {
            // Where operands have bits from z^1 on, the product is that of their low bits.
            let low = |words: &[u64]| words.iter().map(|word| word & 1).collect::<Vec<u64>>();
            return patient(py, 64 * (a.len() + b.len()), |proceed| {
                let product = pack(&low(a), inner).try_mul_vartime(&pack(&low(b), row), proceed)?;
                unpack(&product, out);
                Ok(())
            });
        }
        let mut product = vec![0; row];
        for (a, out) in a.chunks_exact(inner * words).zip(out.chunks_exact_mut(row)) {
            py.detach(|| {
                // One element of `a` times a row of `b`, so that the kernel has many elements at a time.
                for (a, b) in a.chunks_exact(words).zip(b.chunks_exact(row)) {
                    self.0.scale_slice(b, a, &mut product);
                    out.iter_mut().zip(&product).for_each(|(sum, word)| *sum ^= word);
                }
            });
            py.check_signals()?;
        }
        Ok(())
    }

    /// The index of the first element that has bits from z^m on, if there is one.
    fn first_invalid(&self, a: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let a = Words::new(a)?;
        self.fit(&[&a])?;
        Ok(self.unreduced(a.as_slice()))
    }

    /// out = elements read from bytes, `bytes` for each, least significant first; as `first_invalid` after that.
    fn read(&self, data: &Bound<'_, PyAny>, bytes: usize, out: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let (data, mut words) = (Bytes::new(data)?, Words::new(out)?);
        let data = data.as_slice();
        if bytes == 0
            || bytes > 8 * self.0.words()
            || data.len() % bytes != 0
            || words.len() != data.len() / bytes * self.0.words()
        {
            return Err(PyBufferError::new_err("not as many bytes as the elements have"));
        }
        let elements = words.output(&[])?.chunks_exact_mut(self.0.words());
        for (element, bytes) in elements.zip(data.chunks_exact(bytes)) {
            element.fill(0);
            for (i, byte) in bytes.iter().enumerate() {
                element[i / 8] |= u64::from(*byte) << (8 * (i % 8));
            }
        }
        self.first_invalid(out)
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<Kernels>(module)
}
