//! Codes and shift registers on arrays of words, for `carryless.codes`, which knows shapes.
use crate::add_class;
use crate::field::Kernels;
use crate::input::{Bytes, Words};
use crate::integer::room;
use crate::polynomial::patient;
use carryless_gf2::codes::{
    Bch, CodeError, FibonacciLfsr, GaloisLfsr, ReedSolomon, TooManyErrors, try_berlekamp_massey_vartime,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Symbols that are coded between two checks for signals, at least a word: some milliseconds, but a second for a word of 65,535 symbols with
/// 32,768 of parity.
const BLOCK: usize = 1 << 14;

/// Bits of a code's tables, roots and generator for each symbol of a word, and more.
const TABLES: usize = 8 * 64;

enum Kind {
    ReedSolomon(ReedSolomon),
    Bch(Bch),
}

/// A code. Arrays are contiguous, of numpy.uint64, with a symbol in each word and words of the code side by side.
#[pyclass(frozen, module = "carryless._carryless")]
pub(crate) struct Code(Kind);

/// Why a code was not made: there is none, or a signal came.
struct Failure(PyErr);

impl From<CodeError> for Failure {
    fn from(error: CodeError) -> Failure {
        Failure(PyValueError::new_err(error.to_string()))
    }
}

/// Makes a code of length n, unless its tables do not fit into memory. A signal ends it.
fn make(
    py: Python<'_>,
    n: usize,
    new: impl FnOnce(&mut dyn FnMut() -> Result<(), Failure>) -> Result<Kind, Failure> + Send,
) -> PyResult<Code> {
    let bits = TABLES.saturating_mul(n);
    room(bits)?;
    patient(py, bits, |proceed| new(&mut || proceed().map_err(Failure)).map_err(|failure| failure.0))
        .map(Code)
}

impl Code {
    fn encoded(&self, message: &[u64]) -> Vec<u64> {
        match &self.0 {
            Kind::ReedSolomon(code) => code.encode(message),
            Kind::Bch(code) => code.encode(message),
        }
    }

    fn corrected(&self, word: &mut [u64], erasures: &[usize]) -> Result<usize, TooManyErrors> {
        match &self.0 {
            Kind::ReedSolomon(code) => code.decode_vartime(word, erasures),
            Kind::Bch(code) => code.decode_vartime(word, erasures),
        }
    }

    fn is_wrong(&self, word: &[u64]) -> bool {
        match &self.0 {
            Kind::ReedSolomon(code) => code.detect(word),
            Kind::Bch(code) => code.detect(word),
        }
    }

    /// Raises ValueError unless an array has whole words of `len` symbols, all of them reduced.
    fn fit(&self, array: &[u64], len: usize) -> PyResult<()> {
        let (bits, what) = match &self.0 {
            Kind::ReedSolomon(code) => (code.field().degree(), "symbol"),
            Kind::Bch(_) => (1, "bit"),
        };
        if !array.len().is_multiple_of(len) {
            return Err(PyValueError::new_err(format!("an array of other than words of {len} {what}s")));
        }
        match array.iter().position(|&symbol| bits < 64 && symbol >> bits != 0) {
            Some(i) => Err(PyValueError::new_err(format!("{what} {i} is not below 2^{bits}"))),
            None => Ok(()),
        }
    }

    /// Words that are coded between two checks for signals.
    fn step(&self) -> usize {
        BLOCK.div_ceil(self.n())
    }
}

#[pymethods]
impl Code {
    /// The Reed-Solomon code of length n and dimension k whose roots are consecutive powers of alpha from alpha^first on.
    #[staticmethod]
    fn reed_solomon(
        py: Python<'_>,
        field: &Kernels,
        n: usize,
        k: usize,
        alpha: u64,
        first: u64,
    ) -> PyResult<Code> {
        make(py, n, |proceed| {
            ReedSolomon::try_new(&field.0, n, k, alpha, first, proceed).map(Kind::ReedSolomon)
        })
    }

    /// The binary BCH code of length n and designed distance d.
    #[staticmethod]
    fn bch(py: Python<'_>, field: &Kernels, n: usize, d: usize, alpha: u64, first: u64) -> PyResult<Code> {
        make(py, n, |proceed| Bch::try_new(&field.0, n, d, alpha, first, proceed).map(Kind::Bch))
    }

    /// The binary BCH code of length n and dimension k.
    #[staticmethod]
    fn bch_with_dimension(
        py: Python<'_>,
        field: &Kernels,
        n: usize,
        k: usize,
        alpha: u64,
        first: u64,
    ) -> PyResult<Code> {
        make(py, n, |proceed| Bch::try_with_dimension(&field.0, n, k, alpha, first, proceed).map(Kind::Bch))
    }

    /// Symbols of a word.
    #[getter]
    fn n(&self) -> usize {
        match &self.0 {
            Kind::ReedSolomon(code) => code.length(),
            Kind::Bch(code) => code.length(),
        }
    }

    /// Symbols of a message.
    #[getter]
    fn k(&self) -> usize {
        match &self.0 {
            Kind::ReedSolomon(code) => code.dimension(),
            Kind::Bch(code) => code.dimension(),
        }
    }

    /// The designed distance.
    #[getter]
    fn d(&self) -> usize {
        match &self.0 {
            Kind::ReedSolomon(code) => code.distance(),
            Kind::Bch(code) => code.distance(),
        }
    }

    /// The generator polynomial, the coefficient of x^0 first.
    fn generator(&self) -> Vec<u64> {
        match &self.0 {
            Kind::ReedSolomon(code) => code.generator().into_iter().rev().collect(),
            Kind::Bch(code) => {
                let generator = code.generator();
                (0..=code.length() - code.dimension()).map(|i| generator.coefficient(i).into()).collect()
            }
        }
    }

    /// out = the codewords of messages.
    fn encode(&self, py: Python<'_>, messages: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let (messages, mut out) = (Words::new(messages)?, Words::new(out)?);
        let (k, n) = (self.k(), self.n());
        self.fit(messages.as_slice(), k)?;
        if out.len() / n != messages.len() / k || !out.len().is_multiple_of(n) {
            return Err(PyValueError::new_err("an output for another number of codewords"));
        }
        let (messages, out) = (messages.as_slice(), out.output(&[&messages])?);
        for (messages, out) in messages.chunks(k * self.step()).zip(out.chunks_mut(n * self.step())) {
            py.detach(|| {
                let pairs = messages.chunks_exact(k).zip(out.chunks_exact_mut(n));
                pairs.for_each(|(message, out)| out.copy_from_slice(&self.encoded(message)));
            });
            py.check_signals()?;
        }
        Ok(())
    }

    /// Corrects words in place. Returns how many symbols changed in each, or -1 where it could not be corrected. `erasures` has a byte for each
    /// symbol, 1 where it may be wrong; or it is empty.
    fn decode(
        &self,
        py: Python<'_>,
        words: &Bound<'_, PyAny>,
        erasures: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<i64>> {
        let (mut words, erasures) = (Words::new(words)?, Bytes::new(erasures)?);
        let (n, mut counts) = (self.n(), Vec::new());
        self.fit(words.as_slice(), n)?;
        let erasures = erasures.as_slice().to_vec();
        if !erasures.is_empty() && erasures.len() != words.len() {
            return Err(PyValueError::new_err("as many erasures as symbols"));
        }
        for (i, words) in words.output(&[])?.chunks_mut(n * self.step()).enumerate() {
            let at = i * n * self.step();
            py.detach(|| {
                for (i, word) in words.chunks_exact_mut(n).enumerate() {
                    let marks = erasures.get(at + i * n..at + i * n + n).unwrap_or_default();
                    let places: Vec<usize> = (0..marks.len()).filter(|&i| marks[i] != 0).collect();
                    counts.push(self.corrected(word, &places).map_or(-1, |count| count as i64));
                }
            });
            py.check_signals()?;
        }
        Ok(counts)
    }

    /// For each word whether it is no codeword, as bytes of 0 or 1.
    fn detect(&self, py: Python<'_>, words: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
        let (words, mut wrong) = (Words::new(words)?, Vec::new());
        self.fit(words.as_slice(), self.n())?;
        for words in words.as_slice().chunks(self.n() * self.step()) {
            py.detach(|| {
                wrong.extend(words.chunks_exact(self.n()).map(|word| u8::from(self.is_wrong(word))))
            });
            py.check_signals()?;
        }
        Ok(wrong)
    }
}

enum Register {
    Fibonacci(FibonacciLfsr),
    Galois(GaloisLfsr),
}

/// A linear-feedback shift register.
#[pyclass(module = "carryless._carryless")]
pub(crate) struct Lfsr(Register);

#[pymethods]
impl Lfsr {
    #[new]
    fn new(field: &Kernels, connection: Vec<u64>, state: Vec<u64>, is_galois: bool) -> PyResult<Lfsr> {
        if field.0.words() > 1 || connection.first() != Some(&1) {
            return Err(PyValueError::new_err(
                "a field of degree 64 at most and a feedback polynomial with the constant term 1",
            ));
        }
        if state.is_empty() || state.len() != connection.len() - 1 {
            return Err(PyValueError::new_err(format!("a state has {} elements", connection.len() - 1)));
        }
        field.check_reduced(&connection)?;
        field.check_reduced(&state)?;
        Ok(Lfsr(match is_galois {
            false => Register::Fibonacci(FibonacciLfsr::new(&field.0, &connection, &state)),
            true => Register::Galois(GaloisLfsr::new(&field.0, &connection, &state)),
        }))
    }

    /// The elements of the state.
    fn state(&self) -> Vec<u64> {
        match &self.0 {
            Register::Fibonacci(register) => register.state().to_vec(),
            Register::Galois(register) => register.state().to_vec(),
        }
    }

    /// out = the next terms of the sequence. A signal ends it.
    fn step(&mut self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut out = Words::new(out)?;
        let taps = self.state().len();
        for out in out.output(&[])?.chunks_mut(BLOCK.div_ceil(taps)) {
            py.detach(|| match &mut self.0 {
                Register::Fibonacci(register) => out.iter_mut().zip(register).for_each(|(o, term)| *o = term),
                Register::Galois(register) => out.iter_mut().zip(register).for_each(|(o, term)| *o = term),
            });
            py.check_signals()?;
        }
        Ok(())
    }
}

/// The connection polynomial of the shortest recurrence of a sequence.
#[pyfunction]
fn berlekamp_massey(py: Python<'_>, field: &Kernels, sequence: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let sequence = Words::new(sequence)?;
    if field.0.words() > 1 {
        return Err(PyValueError::new_err("a field of degree 64 at most"));
    }
    field.check_reduced(sequence.as_slice())?;
    let sequence = sequence.as_slice();
    // A term takes one product for each term before it.
    let bits = sequence.len().saturating_mul(sequence.len());
    patient(py, bits, |proceed| try_berlekamp_massey_vartime(&field.0, sequence, proceed))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<Code>(module)?;
    add_class::<Lfsr>(module)?;
    module.add_function(wrap_pyfunction!(berlekamp_massey, module)?)
}
