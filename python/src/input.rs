//! What Python objects hold in memory, as slices. All `unsafe` code of the package is here.
//!
//! While the GIL is released another thread may write to memory that Rust reads. So [`Bytes`] copies what is writable before; [`Words`], which are arrays of numpy,
//! are the caller's to leave alone, as they are for numpy's own functions.
use pyo3::buffer::{PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

/// Up to so many bytes are worked on without releasing the GIL, which costs as much as hashing them.
const SHORT: usize = 4096;

/// A bytes-like object.
pub(crate) enum Bytes<'a, 'py> {
    /// The common case, without the buffer protocol.
    Object(&'a Bound<'py, PyBytes>),
    /// Anything else, contiguous.
    Buffer(PyUntypedBuffer),
}

impl<'a, 'py> Bytes<'a, 'py> {
    /// A `TypeError` or `BufferError` if the object is not bytes-like or not contiguous.
    pub(crate) fn new(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast_exact::<PyBytes>() {
            return Ok(Bytes::Object(bytes));
        }
        let buffer = PyUntypedBuffer::get(object)?;
        if !buffer.is_c_contiguous() {
            return Err(PyBufferError::new_err("the buffer is not contiguous"));
        }
        Ok(Bytes::Buffer(buffer))
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Object(bytes) => bytes.as_bytes(),
            Bytes::Buffer(buffer) if buffer.len_bytes() == 0 => &[],
            // SAFETY: the buffer holds as many bytes until it is released, which its drop does; the GIL is held wherever the slice of a writable one is used, so
            // that nobody writes (`run`).
            Bytes::Buffer(buffer) => unsafe {
                std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes())
            },
        }
    }

    /// A copy, if others might write to the bytes while `work` of [`run`] reads them.
    fn copy(&self, long: bool) -> Option<Zeroizing<Vec<u8>>> {
        let writable = matches!(self, Bytes::Buffer(buffer) if !buffer.readonly());
        // Builds without the stable ABI may have no GIL, and then nothing that keeps others from writing.
        (writable && (long || cfg!(not(feature = "abi3")))).then(|| Zeroizing::new(self.as_slice().to_vec()))
    }

    /// Runs `work` on the bytes, without the GIL if they are many.
    pub(crate) fn run<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&[u8]) -> R + Send) -> R {
        let long = self.as_slice().len() > SHORT;
        let copy = self.copy(long);
        run(py, long, copy.as_ref().map_or(self.as_slice(), |copy| copy), work)
    }

    /// Runs `work` on the bytes of many objects, without the GIL if they are many in all.
    pub(crate) fn run_all<R: Send>(
        py: Python<'_>,
        objects: &[Self],
        work: impl FnOnce(&[&[u8]]) -> R + Send,
    ) -> R {
        let long = objects.iter().map(|object| object.as_slice().len()).sum::<usize>() > SHORT;
        let copies: Vec<_> = objects.iter().map(|object| object.copy(long)).collect();
        let pairs = objects.iter().zip(&copies);
        let slices: Vec<&[u8]> =
            pairs.map(|(object, copy)| copy.as_ref().map_or(object.as_slice(), |copy| copy)).collect();
        run(py, long, &slices[..], work)
    }

    /// Exactly N bytes, a secret; `what` is their name in the error.
    pub(crate) fn array<const N: usize>(&self, what: &str) -> PyResult<Zeroizing<[u8; N]>> {
        match <[u8; N]>::try_from(self.as_slice()) {
            Ok(array) => Ok(Zeroizing::new(array)),
            Err(_) => Err(wrong_length(what, N, self.as_slice().len())),
        }
    }
}

fn run<T: Sync + ?Sized, R: Send>(
    py: Python<'_>,
    long: bool,
    input: &T,
    work: impl FnOnce(&T) -> R + Send,
) -> R {
    if long { py.detach(|| work(input)) } else { work(input) }
}

/// N bytes of an object.
pub(crate) fn array<const N: usize>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Zeroizing<[u8; N]>> {
    Bytes::new(object)?.array(what)
}

/// The error of a length.
pub(crate) fn wrong_length(what: &str, expected: usize, found: usize) -> PyErr {
    PyValueError::new_err(format!("{what} has {expected} bytes, not {found}"))
}

/// A contiguous array of 64-bit words: `numpy.uint64`.
pub(crate) struct Words(PyBuffer<u64>);

impl Words {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = PyBuffer::<u64>::get(object)?;
        if buffer.is_c_contiguous() {
            Ok(Words(buffer))
        } else {
            Err(PyBufferError::new_err("the array is not contiguous"))
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.item_count()
    }

    fn range(&self) -> std::ops::Range<usize> {
        let start = self.0.buf_ptr() as usize;
        start..start + self.0.len_bytes()
    }

    /// An error if both have bytes in common.
    fn apart(&self, other: &Words) -> PyResult<()> {
        let (a, b) = (self.range(), other.range());
        if a.start < b.end && b.start < a.end {
            return Err(PyValueError::new_err("the output shares memory with an operand"));
        }
        Ok(())
    }

    pub(crate) fn as_slice(&self) -> &[u64] {
        if self.len() == 0 {
            return &[];
        }
        // SAFETY: an aligned buffer (`PyBuffer::get` checks it) of as many words, which is not released before this is dropped; that nobody writes to it
        // meanwhile is the caller's promise in Python (docs/python.md).
        unsafe { std::slice::from_raw_parts(self.0.buf_ptr().cast(), self.len()) }
    }

    /// Words to be written to. A `BufferError` if they are read-only, a `ValueError` if they share memory with an operand.
    pub(crate) fn output<'a>(&'a mut self, operands: &[&Words]) -> PyResult<&'a mut [u64]> {
        if self.0.readonly() {
            return Err(PyBufferError::new_err("the output is read-only"));
        }
        operands.iter().try_for_each(|operand| self.apart(operand))?;
        if self.len() == 0 {
            return Ok(&mut []);
        }
        // SAFETY: as above; the output is writable, apart from the operands, and borrowed once.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0.buf_ptr().cast(), self.len()) })
    }
}
