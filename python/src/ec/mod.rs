//! ECDH, ECDSA and DSTU 4145 on binary curves, with keys that know their curve.
mod keys;

use crate::input::Bytes;
use carryless_ec::CurveId;
use keys::{Form, MakePublic, MakeSecret, New, Public, Secret, Source, invalid, on, read};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use zeroize::Zeroizing;

/// The bytes of a hash and the name of its function: of a hash object such as `hashlib.sha256()`, or as they are given.
fn hash_of(hash: &Bound<'_, PyAny>, function: Option<&str>) -> PyResult<(Vec<u8>, String)> {
    let is_object = hash.hasattr("digest")?;
    let name = match function {
        Some(name) => name.to_owned(),
        None if is_object => hash.getattr("name")?.extract()?,
        None => "sha256".to_owned(),
    };
    let digest = if is_object { hash.call_method0("digest")? } else { hash.clone() };
    Ok((Bytes::new(&digest)?.as_slice().to_vec(), name))
}

/// A public key on a binary curve: a point of prime order, which is checked when it is made.
#[pyclass(frozen, name = "PublicKey", module = "carryless.ec")]
pub(crate) struct EcPublicKey(Box<dyn Public>);

/// A secret key on a binary curve. It is wiped when it goes, is not pickled, and shows nothing of itself; `to_bytes` makes a copy that Python does not wipe.
#[pyclass(frozen, name = "SecretKey", module = "carryless.ec")]
pub(crate) struct EcSecretKey(&'static str, Box<dyn Secret>);

#[pymethods]
impl EcPublicKey {
    /// The key with these bytes of SEC 1, in either form; a ValueError if they are none.
    #[staticmethod]
    fn from_sec1(py: Python<'_>, curve: &str, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = Bytes::new(data)?;
        // A copy, because another thread may write to a bytearray while the GIL is released.
        let bytes = bytes.as_slice().to_vec();
        Self::made(py, Some(curve), Source::Bytes(&bytes))
    }

    /// The key of a PEM text with the label PUBLIC KEY, on this curve; on the one that it names, if `curve` is None.
    #[staticmethod]
    fn from_pem(py: Python<'_>, curve: Option<&str>, text: &str) -> PyResult<Self> {
        Self::made(py, curve, Source::Pem(text))
    }

    /// The key of a SubjectPublicKeyInfo in DER, as of PEM.
    #[staticmethod]
    fn from_der(py: Python<'_>, curve: Option<&str>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = Bytes::new(data)?.as_slice().to_vec();
        Self::made(py, curve, Source::Der(&bytes))
    }

    /// The name of the curve.
    #[getter]
    fn curve(&self) -> &'static str {
        self.0.curve()
    }

    /// The bytes of SEC 1.
    #[pyo3(signature = (*, compressed = false))]
    fn to_sec1<'py>(&self, py: Python<'py>, compressed: bool) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.sec1(compressed))
    }

    /// The key as PEM text with the label PUBLIC KEY, with an uncompressed point.
    fn to_pem(&self) -> PyResult<String> {
        self.0.pem().map_err(invalid)
    }

    /// The key as SubjectPublicKeyInfo in DER, with an uncompressed point.
    fn to_der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.der().map_err(invalid)?))
    }

    /// The coordinates x and y as integers, the bits of polynomials.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let bytes = self.0.sec1(false);
        // After the byte 4, both have the same length, most significant byte first.
        let (x, y) = bytes[1..].split_at(bytes.len() / 2);
        let number =
            |bytes| py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, bytes), "big"));
        Ok((number(x)?, number(y)?))
    }

    /// Raises TagMismatch unless `signature` is one of this hash by the owner of the key: r and s side by side, or in DER. The hash is bytes or a hash object.
    #[pyo3(signature = (hash, signature, *, der = false))]
    fn verify(
        &self,
        py: Python<'_>,
        hash: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        der: bool,
    ) -> PyResult<()> {
        let (hash, _) = hash_of(hash, Some(""))?;
        let signature = Bytes::new(signature)?.as_slice().to_vec();
        py.detach(|| self.0.verify(&hash, &signature, der))
    }

    /// Raises TagMismatch unless `signature` is one of this hash by DSTU 4145: r and s side by side, least significant bytes first. The key is
    /// `SecretKey.dstu4145_public_key`.
    fn verify_dstu4145(
        &self,
        py: Python<'_>,
        hash: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (hash, _) = hash_of(hash, Some(""))?;
        let signature = Bytes::new(signature)?.as_slice().to_vec();
        py.detach(|| self.0.verify_dstu4145(&hash, &signature))
    }

    fn __richcmp__(&self, other: &EcPublicKey, op: CompareOp) -> PyResult<bool> {
        // Public keys have one compressed form each, so their bytes decide.
        let equal = self.curve() == other.curve() && self.0.sec1(true) == other.0.sec1(true);
        match op {
            CompareOp::Eq => Ok(equal),
            CompareOp::Ne => Ok(!equal),
            _ => Err(PyTypeError::new_err("keys have no order")),
        }
    }

    fn __repr__(&self) -> String {
        let bytes = self.0.sec1(true);
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("<carryless.ec.PublicKey on {}: {digits}>", self.curve())
    }
}

#[pymethods]
impl EcSecretKey {
    /// A new key, of random numbers of the system.
    #[staticmethod]
    fn generate(py: Python<'_>, curve: &str) -> PyResult<Self> {
        let key = py.detach(|| on(curve, New)?)?;
        Ok(EcSecretKey(CurveId::from_name(curve).map_or("", CurveId::name), key))
    }

    /// The key d, 1 <= d < n, most significant byte first; a ValueError if it is none.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, curve: &str, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        // Copied with the GIL held, as another thread may write to a bytearray; the copy is secret, too.
        let bytes = Zeroizing::new(Bytes::new(data)?.as_slice().to_vec());
        Self::made(py, Some(curve), Source::Bytes(&bytes))
    }

    /// The key of a PEM text, PKCS #8 or SEC 1, on this curve; on the one that it names, if `curve` is None.
    #[staticmethod]
    fn from_pem(py: Python<'_>, curve: Option<&str>, text: &str) -> PyResult<Self> {
        Self::made(py, curve, Source::Pem(text))
    }

    /// The key of PKCS #8 or SEC 1 in DER, as of PEM.
    #[staticmethod]
    fn from_der(py: Python<'_>, curve: Option<&str>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = Zeroizing::new(Bytes::new(data)?.as_slice().to_vec());
        Self::made(py, curve, Source::Der(&bytes))
    }

    /// The name of the curve.
    #[getter]
    fn curve(&self) -> &'static str {
        self.0
    }

    /// The bytes, which are secret.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.1.bytes(py)
    }

    /// The public key d G, computed anew each time.
    #[getter]
    fn public_key(&self, py: Python<'_>) -> EcPublicKey {
        EcPublicKey(py.detach(|| self.1.public()))
    }

    /// ECDH: the x coordinate of the shared point, most significant byte first. Derive keys from it by a KDF.
    fn exchange<'py>(&self, py: Python<'py>, public: &EcPublicKey) -> PyResult<Bound<'py, PyBytes>> {
        // Coordinates of another curve could happen to lie on this one, or fail with a misleading error.
        if public.curve() != self.0 {
            return Err(PyValueError::new_err(format!("keys on {} and {}", self.0, public.curve())));
        }
        // Through bytes, as the types of both curves are hidden. Reading them validates the key again.
        self.1.exchange(py, &public.0.sec1(false))
    }

    /// The key as PEM text, which is secret: `form` is pkcs8 or sec1.
    #[pyo3(signature = (form = "pkcs8"))]
    fn to_pem<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyString>> {
        let text = self.1.pem(Form::named(form)?).map_err(invalid)?;
        Ok(PyString::new(py, &text))
    }

    /// The key in DER, which is secret, as in PEM.
    #[pyo3(signature = (form = "pkcs8"))]
    fn to_der<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyBytes>> {
        self.1.der(py, Form::named(form)?).map_err(invalid)
    }

    /// ECDSA: a signature of the hash of a message, r and s side by side or in DER. The hash is bytes or a hash object. Nonces are those of RFC 6979 by a hash
    /// function, by default that of the object, or sha256.
    #[pyo3(signature = (hash, function = None, *, der = false))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        hash: &Bound<'py, PyAny>,
        function: Option<&str>,
        der: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (hash, function) = hash_of(hash, function)?;
        Ok(PyBytes::new(py, &py.detach(|| self.1.sign(&hash, &function, der))?))
    }

    /// DSTU 4145: a signature of the hash of a message, r and s side by side, least significant bytes first. The hash is bytes or a hash object; its first
    /// bits count, from the lowest one of the first byte on. Nonces follow from key and hash by SHA-256.
    fn sign_dstu4145<'py>(&self, py: Python<'py>, hash: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let (hash, _) = hash_of(hash, Some(""))?;
        Ok(PyBytes::new(py, &py.detach(|| self.1.sign_dstu4145(&hash))))
    }

    /// The public key -d G of DSTU 4145, computed anew each time.
    #[getter]
    fn dstu4145_public_key(&self, py: Python<'_>) -> EcPublicKey {
        EcPublicKey(py.detach(|| self.1.public_of_dstu4145()))
    }

    fn __repr__(&self) -> String {
        // No part of the key: such texts end up in logs.
        format!("<carryless.ec.SecretKey on {}>", self.0)
    }
}

impl EcPublicKey {
    fn made(py: Python<'_>, curve: Option<&str>, source: Source<'_>) -> PyResult<Self> {
        py.detach(|| read(curve, || MakePublic(source))).map(|(_, key)| EcPublicKey(key))
    }
}

impl EcSecretKey {
    fn made(py: Python<'_>, curve: Option<&str>, source: Source<'_>) -> PyResult<Self> {
        py.detach(|| read(curve, || MakeSecret(source))).map(|(name, key)| EcSecretKey(name, key))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EcPublicKey", module.py().get_type::<EcPublicKey>())?;
    module.add("EcSecretKey", module.py().get_type::<EcSecretKey>())
}
