//! Arithmetic of GF(2^m) on arrays of words, for `carryless.fields`, which knows shapes.
use crate::add_class;
use crate::bits::{pack, unpack};
use crate::gf2x::GF2X;
use crate::input::{Array, Bytes, Words};
use crate::integer::to_words;
use crate::inversion::Inversion;
use crate::polynomial::patient;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::ops::BitXorAssign;

/// Words that are processed between two checks for signals: about a millisecond, if each element takes a
/// product.
const BLOCK: usize = 1 << 16;
/// Words between two checks for signals in operations that take as long as hundreds of products.
const SLOW_BLOCK: usize = 1 << 9;

/// A product of slices: `mul_slices` and the like.
type Product<T> = fn(&DynField, &[T], &[T], &mut [T]);

/// The kernels of a field. Arrays are contiguous, of numpy.uint64 with `words` of them for each element, or of integers of `width` bytes; results never share memory with
/// operands.
#[pyclass(frozen, module = "carryless._carryless")]
pub(crate) struct Kernels(pub(crate) DynField, pub(crate) Inversion);

impl Kernels {
    /// Raises ValueError unless all arrays have the same length, in whole elements of `unit` units.
    fn fit(unit: usize, lengths: &[usize]) -> PyResult<()> {
        if !lengths[0].is_multiple_of(unit) || lengths.iter().any(|len| *len != lengths[0]) {
            return Err(PyValueError::new_err("arrays of different lengths, or a part of an element"));
        }
        Ok(())
    }

    /// Bytes of a packed element if these arrays are of such: then kernels take their memory as it is.
    fn packed(&self, arrays: &[&Array]) -> Option<usize> {
        let bytes = self.0.packed_bytes().filter(|_| cfg!(target_endian = "little"))?;
        arrays.iter().all(|array| array.width() == bytes).then_some(bytes)
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
        self.check_none(self.unreduced(a))
    }

    /// [`check_reduced`](Kernels::check_reduced) for GF(2), with an element in a byte.
    pub(crate) fn check_bits(&self, a: &[u8]) -> PyResult<()> {
        self.check_none(a.iter().position(|bit| *bit > 1))
    }

    fn check_none(&self, unreduced: Option<usize>) -> PyResult<()> {
        let m = self.0.degree();
        let refused = |i| Err(PyValueError::new_err(format!("element {i} has bits from z^{m} on")));
        unreduced.map_or(Ok(()), refused)
    }

    /// out = a b, for as many elements of both or for one b.
    fn multiply<T: Sync + Send>(
        &self,
        py: Python<'_>,
        unit: usize,
        [a, b]: [&[T]; 2],
        out: &mut [T],
        [by_one, by_each]: [Product<T>; 2],
    ) -> PyResult<()> {
        let one = b.len() == unit;
        Self::fit(unit, &[a.len(), if one { a.len() } else { b.len() }, out.len()])?;
        each(py, a, out, BLOCK.max(unit) / unit * unit, |at, a, out| match one {
            // This kernel reads the one factor again for each element, so it needs no array of copies.
            true => by_one(&self.0, a, b, out),
            false => by_each(&self.0, a, &b[at..at + a.len()], out),
        })
    }

    /// out = the product of a matrix of `inner` columns and one of rows of `row` units.
    fn multiply_matrices<T: Copy + Default + BitXorAssign + Sync + Send>(
        &self,
        py: Python<'_>,
        unit: usize,
        [inner, row]: [usize; 2],
        [a, b]: [&[T]; 2],
        out: &mut [T],
        by_one: Product<T>,
    ) -> PyResult<()> {
        out.fill(T::default());
        if row == 0 {
            return Ok(());
        }
        let mut product = vec![T::default(); row];
        for (a, out) in a.chunks_exact(inner * unit).zip(out.chunks_exact_mut(row)) {
            py.detach(|| {
                // One element of `a` times a row of `b`, so that the kernel has many elements at a time.
                for (a, b) in a.chunks_exact(unit).zip(b.chunks_exact(row)) {
                    by_one(&self.0, b, a, &mut product);
                    out.iter_mut().zip(&product).for_each(|(sum, unit)| *sum ^= *unit);
                }
            });
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
        let (a, mut out, words) = (Words::new(a)?, Words::new(out)?, self.0.words());
        Self::fit(words, &[a.len(), out.len()])?;
        let step = SLOW_BLOCK.max(words) / words * words;
        each(py, a.as_slice(), out.output(&[&a])?, step, |_, a, out| {
            a.chunks_exact(words).zip(out.chunks_exact_mut(words)).for_each(|(a, out)| operation(a, out));
        })
    }
}

/// Runs `work` on corresponding parts of operand and output, of equal length, without the GIL. A signal ends it between two parts.
fn each<T: Sync + Send>(
    py: Python<'_>,
    a: &[T],
    out: &mut [T],
    step: usize,
    work: impl Fn(usize, &[T], &mut [T]) + Sync,
) -> PyResult<()> {
    for (i, (a, out)) in a.chunks(step).zip(out.chunks_mut(step)).enumerate() {
        // Signals are seen with the GIL only, so it is taken back between two parts.
        py.detach(|| work(i * step, a, out));
        py.check_signals()?;
    }
    Ok(())
}

/// Units of a row of the second matrix and of the product, for a first one of `inner` columns. A ValueError if the lengths do not fit.
fn row(unit: usize, inner: usize, [a, b]: [usize; 2], out: usize) -> PyResult<usize> {
    // `inner` = 0 makes both 0, and then all arrays must be empty.
    let row = b.checked_div(inner).unwrap_or(0);
    // A product that overflows is longer than any array.
    let step = inner.saturating_mul(unit);
    let rows = a.checked_div(step).unwrap_or(0);
    if !row.is_multiple_of(unit)
        || rows.checked_mul(step) != Some(a)
        || inner.checked_mul(row) != Some(b)
        || rows.checked_mul(row) != Some(out)
    {
        return Err(PyValueError::new_err("matrices whose shapes do not fit"));
    }
    Ok(row)
}

#[pymethods]
impl Kernels {
    #[new]
    fn new(f: &GF2X) -> PyResult<Self> {
        let field = DynField::new(&f.0).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Kernels(field, Inversion::default()))
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

    /// Bytes of an item of an array: 1, 2 or 4 for elements of up to 8, 16 or 32 bits, else 8, of which an element has `words`.
    #[getter]
    fn width(&self) -> usize {
        self.0.packed_bytes().unwrap_or(8)
    }

    /// Writes integers of a list or tuple to `out`. False, and `out` is meaningless, unless all are int and elements, of one word.
    fn integers(&self, values: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mut out = Words::new(out)?;
        if self.0.words() > 1 || values.len()? != out.len() {
            return Ok(false);
        }
        let above = self.0.degree() as u32;
        for (value, out) in values.try_iter()?.zip(out.output(&[])?) {
            let value = value?;
            let Ok(integer) = value.cast_exact::<PyInt>() else { return Ok(false) };
            match integer.extract::<u64>() {
                Ok(word) if word.checked_shr(above).unwrap_or(0) == 0 => *out = word,
                _ => return Ok(false),
            }
        }
        Ok(true)
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
        let (a, b, mut out) = (Array::new(a)?, Array::new(b)?, Array::new(out)?);
        if let Some(bytes) = self.packed(&[&a, &b, &out]) {
            let (factors, out) = ([a.bytes(), b.bytes()], out.output_bytes(&[&a, &b])?);
            return self.multiply(py, bytes, factors, out, [DynField::scale_packed, DynField::mul_packed]);
        }
        let (a, b, mut out) = (a.words(), b.words(), out.words());
        let (factors, out) = ([a.as_slice(), b.as_slice()], out.output(&[&a, &b])?);
        self.multiply(py, self.0.words(), factors, out, [DynField::scale_slice, DynField::mul_slices])
    }

    /// out = 1 / a, and 0 for 0.
    fn invert(&self, py: Python<'_>, a: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let (a, mut out) = (Array::new(a)?, Array::new(out)?);
        // An element takes a few products: many share one inversion.
        if let Some(bytes) = self.packed(&[&a, &out]) {
            Self::fit(bytes, &[a.bytes().len(), out.bytes().len()])?;
            let out = out.output_bytes(&[&a])?;
            let invert = |_, a: &[u8], out: &mut [u8]| self.0.batch_invert_packed(a, out);
            return each(py, a.bytes(), out, DynField::PACKED_BLOCK, invert);
        }
        let (a, mut out, words) = (a.words(), out.words(), self.0.words());
        Self::fit(words, &[a.len(), out.len()])?;
        let step = BLOCK / 4 / words * words;
        each(py, a.as_slice(), out.output(&[&a])?, step, |_, a, out| self.0.batch_invert(a, out))
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
        Self::fit(self.0.words(), &[a.len()])?;
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
        let (a, b, mut out) = (Array::new(a)?, Array::new(b)?, Array::new(out)?);
        if self.0.degree() == 1 {
            [&a, &b, &out].into_iter().try_for_each(Array::check_bytes)?;
            let (factors, out) = ([a.bytes(), b.bytes()], out.output_bytes(&[&a, &b])?);
            let row = row(1, inner, factors.map(<[u8]>::len), out.len())?;
            if row == 0 {
                return Ok(());
            }
            // Where operands have bits from z^1 on, the product is that of their low bits.
            return patient(py, 64 * (factors[0].len() + factors[1].len()), |proceed| {
                unpack(&pack(factors[0], inner).try_mul_vartime(&pack(factors[1], row), proceed)?, out);
                Ok(())
            });
        }
        if let Some(bytes) = self.packed(&[&a, &b, &out]) {
            let (factors, out) = ([a.bytes(), b.bytes()], out.output_bytes(&[&a, &b])?);
            let row = row(bytes, inner, factors.map(<[u8]>::len), out.len())?;
            return self.multiply_matrices(py, bytes, [inner, row], factors, out, DynField::scale_packed);
        }
        let (a, b, mut out) = (a.words(), b.words(), out.words());
        let (words, factors, out) = (self.0.words(), [a.as_slice(), b.as_slice()], out.output(&[&a, &b])?);
        let row = row(words, inner, factors.map(<[u64]>::len), out.len())?;
        self.multiply_matrices(py, words, [inner, row], factors, out, DynField::scale_slice)
    }

    /// The index of the first element that has bits from z^m on, if there is one.
    fn first_invalid(&self, a: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let a = Words::new(a)?;
        Self::fit(self.0.words(), &[a.len()])?;
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
