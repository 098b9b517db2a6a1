//! Memory of Python objects as slices. All `unsafe` code of the package is here.
//!
//! While the GIL is released, another thread may write to memory that Rust reads. So [`Bytes`] keeps the GIL for
//! writable memory, or copies it first. [`Words`], arrays of numpy, are not copied: the caller must leave them alone, as
//! with numpy's own functions.
use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use zeroize::Zeroizing;

/// Up to this many bytes the GIL is not released, as that takes as long as hashing them.
const SHORT: usize = 4096;

/// Up to this many bytes of writable memory are hashed with the GIL, which takes less than to copy them: a millisecond at most on current machines.
const HELD: usize = 4 << 20;

/// Whether items of this format (PEP 3118) are numbers or bytes whose memory is their value: not pointers, characters, structures, or long doubles, which have padding.
fn plain(format: &[u8]) -> bool {
    // A mark of byte order says how to read the number, not which bytes it has.
    let item = match format {
        [b'@' | b'=' | b'<' | b'>' | b'!' | b'^', item @ ..] => item,
        item => item,
    };
    // A count in front repeats the item.
    let digits = item.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match &item[digits..] {
        [b'Z', part] => b"fd".contains(part),
        [kind] => b"?cbBhHiIlLqQnNefds".contains(kind),
        _ => false,
    }
}

/// The buffer of an object whose items are numbers or bytes; a `TypeError` if it has none.
fn buffer(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    let refused = |found: &str| -> PyResult<PyErr> {
        let name = object.get_type().name()?;
        Ok(PyTypeError::new_err(format!("an array of bytes or numbers is needed, not {name}{found}")))
    };
    let is_buffer_error = |error: &PyErr| error.is_instance_of::<PyBufferError>(object.py());
    let buffer = match PyUntypedBuffer::get(object) {
        // PyO3 needs strides, which some objects, such as those of ctypes, do not give. A memoryview adds
        // them, except for a single number.
        Err(error) if is_buffer_error(&error) => {
            match PyUntypedBuffer::get(PyMemoryView::from(object)?.as_any()) {
                Err(error) if is_buffer_error(&error) => return Err(refused("")?),
                buffer => buffer?,
            }
        }
        buffer => buffer?,
    };
    match plain(buffer.format().to_bytes()) {
        true => Ok(buffer),
        false => Err(refused(&format!(" with items of the format {:?}", buffer.format().to_string_lossy()))?),
    }
}

/// The objects of any iterable; `what` is its name in the error.
pub(crate) fn objects<'py>(iterable: &Bound<'py, PyAny>, what: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let Ok(iterator) = iterable.try_iter() else {
        let found = iterable.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{what} are an iterable of bytes-like objects, not {found}"
        )));
    };
    iterator.collect()
}

/// The memory of a bytes-like object, which is held until this is dropped.
pub(crate) enum Bytes<'a, 'py> {
    /// The common case, without the buffer protocol.
    Object(&'a Bound<'py, PyBytes>),
    /// Any other object with a contiguous buffer, which may be writable.
    Buffer(PyUntypedBuffer),
}

impl<'a, 'py> Bytes<'a, 'py> {
    /// Gets the memory of an object. A `TypeError` if it is not bytes-like, or its items are neither numbers
    /// nor bytes; a `BufferError` if it is not contiguous.
    pub(crate) fn new(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast_exact::<PyBytes>() {
            return Ok(Bytes::Object(bytes));
        }
        let buffer = buffer(object)?;
        if !buffer.is_c_contiguous() {
            return Err(PyBufferError::new_err("the buffer is not contiguous"));
        }
        Ok(Bytes::Buffer(buffer))
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Object(bytes) => bytes.as_bytes(),
            // The pointer of an empty buffer may be null, but that of a slice never is.
            Bytes::Buffer(buffer) if buffer.len_bytes() == 0 => &[],
            // SAFETY: the buffer holds as many bytes until it is released, which its drop does; the GIL is held wherever the slice of a writable one is used, so
            // that nobody writes (`run`).
            Bytes::Buffer(buffer) => unsafe {
                std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes())
            },
        }
    }

    fn is_writable(&self) -> bool {
        matches!(self, Bytes::Buffer(buffer) if !buffer.readonly())
    }

    /// Copies the bytes, if others might write to them while `work` of [`run`] reads them.
    fn copy(&self, long: bool) -> Option<Zeroizing<Vec<u8>>> {
        // Builds without the stable ABI may run without a GIL, and then nothing keeps others from writing.
        let shared = self.is_writable() && (long || cfg!(not(feature = "abi3")));
        shared.then(|| Zeroizing::new(self.as_slice().to_vec()))
    }

    /// Runs `work` on the bytes, without the GIL if there are more than [`SHORT`], or [`HELD`] of writable ones.
    pub(crate) fn run<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&[u8]) -> R + Send) -> R {
        let long = self.as_slice().len() > if self.is_writable() { HELD } else { SHORT };
        let copy = self.copy(long);
        run(py, long, copy.as_ref().map_or(self.as_slice(), |copy| copy), work)
    }

    /// Runs `work` on the bytes of many objects; otherwise as [`run`](Bytes::run), with all lengths together.
    pub(crate) fn run_all<R: Send>(
        py: Python<'_>,
        objects: &[Self],
        work: impl FnOnce(&[&[u8]]) -> R + Send,
    ) -> R {
        let limit = if objects.iter().any(Self::is_writable) { HELD } else { SHORT };
        let long = objects.iter().map(|object| object.as_slice().len()).sum::<usize>() > limit;
        let copies: Vec<_> = objects.iter().map(|object| object.copy(long)).collect();
        let pairs = objects.iter().zip(&copies);
        let slices: Vec<&[u8]> =
            pairs.map(|(object, copy)| copy.as_ref().map_or(object.as_slice(), |copy| copy)).collect();
        run(py, long, &slices[..], work)
    }

    /// Copies exactly N bytes, which may be secret and are wiped on drop. `what` is their name in the error.
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

/// Copies exactly N bytes of an object, as [`Bytes::array`] does.
pub(crate) fn array<const N: usize>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Zeroizing<[u8; N]>> {
    Bytes::new(object)?.array(what)
}

/// Makes the ValueError for a wrong number of bytes.
pub(crate) fn wrong_length(what: &str, expected: usize, found: usize) -> PyErr {
    PyValueError::new_err(format!("{what} has {expected} bytes, not {found}"))
}

/// A contiguous array of unsigned integers: `numpy.uint64`, or for elements of up to 32 bits `uint8`, `uint16` or `uint32`.
pub(crate) struct Array {
    buffer: PyUntypedBuffer,
    /// Bytes of an item.
    width: usize,
}

impl Array {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(object)?;
        let width = match ElementType::from_format(buffer.format()) {
            ElementType::UnsignedInteger { bytes: bytes @ (1 | 2 | 4) } => bytes,
            // An empty array need not be aligned, and with NumPy 2.5 it is not.
            ElementType::UnsignedInteger { bytes: 8 } if buffer.item_count() == 0 => 8,
            _ => {
                buffer.as_typed::<u64>()?;
                8
            }
        };
        // Slices know no strides, so the items must lie side by side.
        if buffer.is_c_contiguous() {
            Ok(Array { buffer, width })
        } else {
            Err(PyBufferError::new_err("the array is not contiguous"))
        }
    }

    /// The number of items.
    pub(crate) fn len(&self) -> usize {
        self.buffer.item_count()
    }

    /// Bytes of an item: 1, 2, 4 or 8.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    fn range(&self) -> std::ops::Range<usize> {
        let start = self.buffer.buf_ptr() as usize;
        start..start + self.buffer.len_bytes()
    }

    /// Raises ValueError if both share a byte.
    fn apart(&self, other: &Array) -> PyResult<()> {
        let (a, b) = (self.range(), other.range());
        if a.start < b.end && b.start < a.end {
            return Err(PyValueError::new_err("the output shares memory with an operand"));
        }
        Ok(())
    }

    /// A `BufferError` for a read-only output, a `ValueError` if it shares memory with an operand.
    fn check_output<'a>(&self, operands: impl IntoIterator<Item = &'a Array>) -> PyResult<()> {
        if self.buffer.readonly() {
            return Err(PyBufferError::new_err("the output is read-only"));
        }
        operands.into_iter().try_for_each(|operand| self.apart(operand))
    }

    /// The items as T, which is `u8` for any width, or `u64` for the width 8.
    fn items<T>(&self) -> &[T] {
        if self.buffer.item_count() == 0 {
            return &[];
        }
        // SAFETY: bytes, or words that are aligned (`as_typed` checks it), as many as the buffer has, which is not released before this is dropped; that nobody writes
        // to it meanwhile is the caller's promise in Python (book/src/python.md).
        unsafe {
            std::slice::from_raw_parts(self.buffer.buf_ptr().cast(), self.buffer.len_bytes() / size_of::<T>())
        }
    }

    /// As [`items`](Array::items), to write to.
    fn items_mut<T>(&mut self) -> &mut [T] {
        if self.buffer.item_count() == 0 {
            return &mut [];
        }
        // SAFETY: as above; the caller checked that the output is writable and apart from operands, and it is borrowed once.
        unsafe {
            std::slice::from_raw_parts_mut(
                self.buffer.buf_ptr().cast(),
                self.buffer.len_bytes() / size_of::<T>(),
            )
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.items()
    }

    /// A `ValueError` unless the items are bytes.
    pub(crate) fn check_bytes(&self) -> PyResult<()> {
        if self.width == 1 { Ok(()) } else { Err(PyValueError::new_err("entries of GF(2) are bytes")) }
    }

    /// The bytes to write to; errors as those of [`Words::output`].
    pub(crate) fn output_bytes(&mut self, operands: &[&Array]) -> PyResult<&mut [u8]> {
        self.check_output(operands.iter().copied())?;
        Ok(self.items_mut())
    }

    /// The items as words.
    pub(crate) fn words(self) -> Words {
        let bytes = self.bytes();
        // A loop for each width, which the compiler makes one of vectors.
        let wide = match self.width {
            1 => bytes.iter().copied().map(u64::from).collect(),
            2 => bytes.as_chunks().0.iter().map(|item| u16::from_ne_bytes(*item).into()).collect(),
            4 => bytes.as_chunks().0.iter().map(|item| u32::from_ne_bytes(*item).into()).collect(),
            _ => Vec::new(),
        };
        Words { array: self, wide, changed: false }
    }
}

/// A contiguous array of unsigned integers as words of 64 bits: those in memory, or a copy of narrower ones, which is written back on drop if it was an output.
pub(crate) struct Words {
    array: Array,
    /// The copy of items of fewer than 8 bytes.
    wide: Vec<u64>,
    /// Whether the copy was an output.
    changed: bool,
}

impl Words {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Array::new(object).map(Array::words)
    }

    pub(crate) fn len(&self) -> usize {
        self.array.len()
    }

    pub(crate) fn as_slice(&self) -> &[u64] {
        if self.array.width < 8 { &self.wide } else { self.array.items() }
    }

    /// The words as a slice to write to. A `BufferError` if they are read-only, a `ValueError` if they share
    /// memory with an operand. What is above the width of an item is lost.
    pub(crate) fn output<'a>(&'a mut self, operands: &[&Words]) -> PyResult<&'a mut [u64]> {
        self.array.check_output(operands.iter().map(|operand| &operand.array))?;
        if self.array.width == 8 {
            return Ok(self.array.items_mut());
        }
        self.changed = true;
        Ok(&mut self.wide)
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if !self.changed {
            return;
        }
        let (width, words) = (self.array.width, self.wide.iter());
        let out = self.array.items_mut::<u8>();
        match width {
            1 => out.iter_mut().zip(words).for_each(|(out, &word)| *out = word as u8),
            2 => out
                .as_chunks_mut()
                .0
                .iter_mut()
                .zip(words)
                .for_each(|(out, &word)| *out = (word as u16).to_ne_bytes()),
            _ => out
                .as_chunks_mut()
                .0
                .iter_mut()
                .zip(words)
                .for_each(|(out, &word)| *out = (word as u32).to_ne_bytes()),
        }
    }
}
