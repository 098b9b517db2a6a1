//! Polynomials over F2 as immutable values.
use crate::add_class;
use crate::input::Bytes;
use crate::integer::{count, from_bytes, from_words, index, room, to_bytes, to_words};
use crate::polynomial::{divided, divisor, patient, power, run, text};
use carryless_gf2::algebra::Poly;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A polynomial over F2: an immutable value of any degree, for public data. GF2X(0b100011) and GF2X("X^5 + X + 1") are the same.
#[pyclass(frozen, module = "carryless", from_py_object)]
#[derive(Clone)]
pub(crate) struct GF2X(pub(crate) Poly);

/// Converts the argument of GF2X: an int, a str, another GF2X, or an object with `__index__`.
fn polynomial(value: &Bound<'_, PyAny>) -> PyResult<GF2X> {
    if let Ok(string) = value.extract::<String>() {
        return text(&string).map(GF2X);
    }
    if let Ok(other) = value.extract::<GF2X>() {
        return Ok(other);
    }
    if !value.hasattr("__index__")? {
        let found = value.get_type().name()?;
        let why = format!("a polynomial is made of an int, a str or a GF2X, not of {found}");
        return Err(PyTypeError::new_err(why));
    }
    Ok(GF2X(Poly::from(to_words(&index(value)?)?)))
}

#[pymethods]
impl GF2X {
    #[new]
    #[pyo3(signature = (value = GF2X(Poly::zero())), text_signature = "(value=0)")]
    fn new(#[pyo3(from_py_with = polynomial)] value: GF2X) -> Self {
        value
    }

    /// The sum of X^i over the exponents i, in any order; one that comes twice cancels.
    #[classmethod]
    fn from_exponents(_: &Bound<'_, PyType>, exponents: &Bound<'_, PyAny>) -> PyResult<Self> {
        let exponents =
            exponents.try_iter()?.map(|exponent| count(&exponent?)).collect::<PyResult<Vec<_>>>()?;
        // An exception instead of an abort, which a lack of memory would be in Rust.
        room(exponents.iter().copied().max().unwrap_or(0))?;
        Ok(GF2X(Poly::from_exponents(exponents)))
    }

    /// Bit i of byte j is the coefficient of X^(8 j + i).
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(GF2X(Poly::from(from_bytes(Bytes::new(data)?.as_slice()))))
    }

    /// From an array of coefficients, 0 or 1, that of X^0 first.
    #[classmethod]
    fn from_numpy(_: &Bound<'_, PyType>, coefficients: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = coefficients.py();
        let numpy = py.import("numpy")?;
        if coefficients.is_instance(&numpy.getattr("ma")?.getattr("MaskedArray")?)? {
            return Err(PyTypeError::new_err("coefficients are an array without a mask"));
        }
        let array = numpy.call_method1("asarray", (coefficients,))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        // Kinds of numpy: bool, int and unsigned int. An empty list becomes an array of floats, which is
        // harmless.
        if !"biu".contains(&kind) && array.getattr("size")?.extract::<usize>()? != 0 {
            let found = array.getattr("dtype")?;
            return Err(PyTypeError::new_err(format!("coefficients are integers, not {found}")));
        }
        let bits = array.call_method1("astype", ("bool",))?;
        // Only 0 and 1 survive the conversion to bool and back.
        let same = numpy.call_method1("array_equal", (&array, &bits))?.is_truthy()?;
        if !same || array.getattr("ndim")?.extract::<usize>()? != 1 {
            return Err(PyValueError::new_err("coefficients are a one-dimensional array of 0 and 1"));
        }
        let packed = numpy.call_method1("packbits", (bits, py.None(), "little"))?;
        Ok(GF2X(Poly::from(from_bytes(Bytes::new(&packed)?.as_slice()))))
    }

    /// The coefficients as an array of numpy.uint8, that of X^0 first; none for 0.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numpy = py.import("numpy")?;
        let bytes = numpy.call_method1("frombuffer", (self.to_bytes(py), "uint8"))?;
        let count = self.0.degree().map_or(0, |degree| degree + 1);
        numpy.call_method1("unpackbits", (bytes, py.None(), count, "little"))
    }

    /// The fewest bytes that hold the coefficients: bit i of byte j is that of X^(8 j + i).
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let len = self.0.degree().map_or(0, |degree| degree / 8 + 1);
        PyBytes::new(py, &to_bytes(self.0.words())[..len])
    }

    /// The exponents of the terms, the highest first.
    fn exponents(&self) -> Vec<usize> {
        self.0.exponents().collect()
    }

    /// The degree; -1 for 0.
    #[getter]
    fn degree(&self) -> isize {
        self.0.degree().map_or(-1, |degree| degree as isize)
    }

    /// How many coefficients are 1.
    #[getter]
    fn weight(&self) -> usize {
        self.0.weight()
    }

    /// The coefficient of X^i, 0 or 1.
    fn coefficient(&self, i: &Bound<'_, PyAny>) -> PyResult<u8> {
        Ok(u8::from(self.0.coefficient(count(i)?)))
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_words(py, self.0.words())
    }

    fn __bool__(&self) -> bool {
        !self.0.is_zero()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("GF2X({:#x})", self.0)
    }

    fn __hash__(&self) -> u64 {
        // Its keys are fixed, so a value has the same hash in every process, as ints have.
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    /// By degree, then by the highest coefficient that differs.
    fn __richcmp__(&self, other: &GF2X, op: CompareOp) -> bool {
        op.matches(self.0.cmp(&other.0))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        // For pickle and copy: an immutable value is made anew from its bytes.
        (slf.get_type().getattr("from_bytes")?, (slf.get().to_bytes(py),)).into_pyobject(py)
    }

    fn __add__(&self, other: &GF2X) -> GF2X {
        GF2X(&self.0 + &other.0)
    }

    fn __sub__(&self, other: &GF2X) -> GF2X {
        GF2X(&self.0 + &other.0)
    }

    fn __xor__(&self, other: &GF2X) -> GF2X {
        GF2X(&self.0 + &other.0)
    }

    fn __neg__(&self) -> GF2X {
        // In characteristic 2 every polynomial is its own negative.
        self.clone()
    }

    fn __pos__(&self) -> GF2X {
        self.clone()
    }

    fn __mul__(&self, py: Python<'_>, other: &GF2X) -> GF2X {
        GF2X(run(py, [&self.0, &other.0], || &self.0 * &other.0))
    }

    fn __divmod__(&self, py: Python<'_>, other: &GF2X) -> PyResult<(GF2X, GF2X)> {
        divided(py, &self.0, &other.0).map(|(quotient, rest)| (GF2X(quotient), GF2X(rest)))
    }

    fn __floordiv__(&self, py: Python<'_>, other: &GF2X) -> PyResult<GF2X> {
        divided(py, &self.0, &other.0).map(|(quotient, _)| GF2X(quotient))
    }

    fn __mod__(&self, py: Python<'_>, other: &GF2X) -> PyResult<GF2X> {
        divided(py, &self.0, &other.0).map(|(_, rest)| GF2X(rest))
    }

    fn __lshift__(&self, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        let (n, degree) = (count(n)?, self.0.degree().unwrap_or(0));
        room(degree.checked_add(n).ok_or_else(|| PyOverflowError::new_err("the degree is too large"))?)?;
        // 0 << n is 0 for every n, without memory for n bits.
        Ok(GF2X(if self.0.is_zero() { Poly::zero() } else { &self.0 << n }))
    }

    fn __rshift__(&self, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        Ok(GF2X(&self.0 >> count(n)?))
    }

    /// a^e, or pow(a, e, f) for a^e modulo f, where e may be negative if a has an inverse.
    fn __pow__(&self, py: Python<'_>, e: &Bound<'_, PyAny>, f: Option<&GF2X>) -> PyResult<GF2X> {
        let e = &index(e)?;
        let Some(f) = f else {
            let large = || PyOverflowError::new_err("the degree is too large");
            return match (self.0.degree().unwrap_or(0), Poly::from(to_words(e)?).words()) {
                (_, []) => Ok(GF2X(Poly::one())),
                // 0 and 1 have powers of every exponent.
                (0, _) => Ok(self.clone()),
                (degree, &[e]) => {
                    room(usize::try_from(e).ok().and_then(|e| degree.checked_mul(e)).ok_or_else(large)?)?;
                    power(py, &self.0, e).map(GF2X)
                }
                // An exponent of several words is too large for any result.
                _ => Err(large()),
            };
        };
        if e.lt(0)? {
            // a^(-e) = (1/a)^e, as `pow` of integers has it since Python 3.8.
            return self.inverse(py, f)?.__pow__(py, &e.neg()?, Some(f));
        }
        let (e, f) = (to_words(e)?, divisor(&f.0)?);
        let bits = f.degree().saturating_add(64 * e.len());
        patient(py, bits, |proceed| f.try_pow_mod_vartime(&self.0, &e, proceed)).map(GF2X)
    }

    /// The square, in linear time.
    fn square(&self) -> GF2X {
        GF2X(self.0.square())
    }

    /// The derivative: terms of even exponent vanish.
    fn derivative(&self) -> GF2X {
        GF2X(self.0.derivative())
    }

    /// The remainder modulo X^n: the terms below X^n.
    fn truncate(&self, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        Ok(GF2X(self.0.truncate(count(n)?)))
    }

    /// X^n a(1/X) without what lies below X^0.
    fn reverse(&self, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        let n = count(n)?;
        room(n)?;
        Ok(GF2X(self.0.reverse(n)))
    }

    /// The greatest common divisor; 0 if both are 0.
    fn gcd(&self, py: Python<'_>, other: &GF2X) -> GF2X {
        GF2X(run(py, [&self.0, &other.0], || self.0.gcd_vartime(&other.0)))
    }

    /// (d, s, t) with d = s self + t other the greatest common divisor.
    fn xgcd(&self, py: Python<'_>, other: &GF2X) -> (GF2X, GF2X, GF2X) {
        let bezout = run(py, [&self.0, &other.0], || self.0.xgcd_vartime(&other.0));
        (GF2X(bezout.g), GF2X(bezout.u), GF2X(bezout.v))
    }

    /// The inverse modulo f; a ValueError if there is none.
    fn inverse(&self, py: Python<'_>, f: &GF2X) -> PyResult<GF2X> {
        // For its error alone: the inverse below does not tell f = 0 from a common factor.
        divisor(&f.0)?;
        let inverse = run(py, [&self.0, &f.0], || self.0.inverse_mod_vartime(&f.0));
        inverse.map(GF2X).ok_or_else(|| PyValueError::new_err("not invertible modulo f"))
    }

    /// Whether it is irreducible (Rabin's test).
    fn is_irreducible(&self, py: Python<'_>) -> PyResult<bool> {
        let degree = self.0.degree().unwrap_or(0);
        patient(py, degree, |proceed| self.0.try_is_irreducible_vartime(proceed))
    }

    /// Whether it is irreducible and X has the order 2^n - 1 modulo it; a ValueError above the degree n = 64.
    fn is_primitive(&self, py: Python<'_>) -> PyResult<bool> {
        py.detach(|| self.0.is_primitive_vartime()).ok_or_else(no_order)
    }

    /// The irreducible polynomial of degree n with few terms: the least trinomial, or else the least pentanomial.
    #[staticmethod]
    fn find_irreducible(py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        let n = count(n)?;
        room(n)?;
        let found = patient(py, n, |proceed| Poly::try_find_irreducible_vartime(n, proceed))?;
        let why = || PyValueError::new_err(format!("no irreducible polynomial of degree {n} has few terms"));
        found.map(GF2X).ok_or_else(why)
    }

    /// The primitive polynomial of degree n with few terms, n from 1 to 64.
    #[staticmethod]
    fn find_primitive(py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        let n = count(n)?;
        py.detach(|| Poly::find_primitive_vartime(n)).map(GF2X).ok_or_else(no_order)
    }

    /// The Conway polynomial of degree n, which `galois` and computer algebra systems take for GF(2^n); a ValueError for n that the
    /// table lacks. It has 1 to 92 and others up to 409.
    #[staticmethod]
    fn conway(n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        let n = count(n)?;
        let why = || PyValueError::new_err(format!("no Conway polynomial of degree {n} is in the table"));
        Poly::conway(n).map(GF2X).ok_or_else(why)
    }

    /// The irreducible factors in ascending order, each with its multiplicity; a ValueError for 0.
    fn factor(&self, py: Python<'_>) -> PyResult<Vec<(GF2X, usize)>> {
        let degree = self.0.degree().unwrap_or(0);
        let factors = patient(py, degree, |proceed| self.0.try_factor_vartime(proceed))?;
        let factors = factors.ok_or_else(|| PyValueError::new_err("0 has no factorisation"))?;
        Ok(factors.into_iter().map(|(factor, multiplicity)| (GF2X(factor), multiplicity)).collect())
    }

    /// The roots 0 and 1, each with its multiplicity; a ValueError for 0.
    fn roots(&self, py: Python<'_>) -> PyResult<Vec<(u8, usize)>> {
        let roots = run(py, [&self.0, &self.0], || self.0.roots_vartime());
        let roots = roots.ok_or_else(|| PyValueError::new_err("everything is a root of 0"))?;
        Ok(roots.into_iter().map(|(root, multiplicity)| (u8::from(root), multiplicity)).collect())
    }

    /// The resultant, 0 or 1; 0 if one of the two is 0.
    fn resultant(&self, py: Python<'_>, other: &GF2X) -> u8 {
        u8::from(run(py, [&self.0, &other.0], || self.0.resultant_vartime(&other.0)))
    }

    /// The composition self(b), without a modulus; an error if its degree needs too much memory.
    fn compose(&self, py: Python<'_>, b: &GF2X) -> PyResult<GF2X> {
        let degrees = [&self.0, &b.0].map(|poly| poly.degree().unwrap_or(0));
        room(degrees[0].saturating_mul(degrees[1]))?;
        Ok(GF2X(py.detach(|| self.0.compose_vartime(&b.0))))
    }

    /// The composition self(b) modulo f.
    fn compose_mod(&self, py: Python<'_>, b: &GF2X, f: &GF2X) -> PyResult<GF2X> {
        let f = divisor(&f.0)?;
        let bits = self.0.degree().unwrap_or(0) + f.degree();
        Ok(GF2X(patient(py, bits, |proceed| f.try_compose_mod_vartime(&self.0, &b.0, proceed))?))
    }

    /// The minimal polynomial modulo f: the m of least degree with m(self) = 0 modulo f.
    fn min_poly_mod(&self, py: Python<'_>, f: &GF2X) -> PyResult<GF2X> {
        let f = divisor(&f.0)?;
        let bits = self.0.degree().unwrap_or(0) + f.degree();
        Ok(GF2X(patient(py, bits, |proceed| f.try_min_poly_mod_vartime(&self.0, proceed))?))
    }

    /// The trace modulo f, 0 or 1: the sum of the values of self at the roots of f.
    fn trace_mod(&self, py: Python<'_>, f: &GF2X) -> PyResult<u8> {
        let f = divisor(&f.0)?;
        Ok(u8::from(run(py, [&self.0, f.poly()], || f.trace_mod(&self.0))))
    }

    /// The product with another polynomial modulo X^n.
    fn mul_trunc(&self, py: Python<'_>, other: &GF2X, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        let n = count(n)?;
        Ok(GF2X(run(py, [&self.0, &other.0], || self.0.mul_trunc(&other.0, n))))
    }

    /// The inverse 1 / self of power series modulo X^n; a ValueError if the coefficient of X^0 is 0.
    fn inverse_series(&self, py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        GF2X(Poly::one()).div_series(py, self, n)
    }

    /// The quotient self / d of power series modulo X^n; a ValueError if the coefficient of X^0 of d is 0.
    fn div_series(&self, py: Python<'_>, d: &GF2X, n: &Bound<'_, PyAny>) -> PyResult<GF2X> {
        let n = count(n)?;
        room(n)?;
        let quotient = py.detach(|| self.0.div_series(&d.0, n));
        quotient.map(GF2X).ok_or_else(|| PyValueError::new_err("not invertible: the coefficient of X^0 is 0"))
    }
}

/// The error of a degree n for which 2^n - 1 is not factored.
fn no_order() -> PyErr {
    let top = Poly::MAX_PRIMITIVE_DEGREE;
    PyValueError::new_err(format!("primitive polynomials are known for degrees from 1 to {top}"))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class::<GF2X>(module)
}
