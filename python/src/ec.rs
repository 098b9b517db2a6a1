//! ECDH and ECDSA on NIST's binary curves, with keys that know their curve.
use crate::error::{TagMismatch, system};
use crate::input::Bytes;
use carryless_ec::curve::BinaryCurve;
use carryless_ec::ecdsa::{Signature, SigningKey, VerifyingKey};
use carryless_ec::{CurveId, CurveVisitor, PointForm, PublicKey, SecretKey};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sha2::{Sha256, Sha384, Sha512};

fn invalid(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Runs a visitor on the curve with this name. Raises ValueError, with the names of the curves of this build, if it does not have the curve.
fn on<V: CurveVisitor>(name: &str, visitor: V) -> PyResult<V::Output> {
    CurveId::from_name(name).and_then(|id| id.dispatch_built(visitor)).ok_or_else(|| {
        let known: Vec<_> = CurveId::ALL.iter().filter(|id| id.is_built()).map(|id| id.name()).collect();
        PyValueError::new_err(format!("no curve {name}; there are {}", known.join(", ")))
    })
}

/// A public key without the type of its curve, which Python does not know.
trait Public: Send + Sync {
    fn curve(&self) -> &'static str;
    fn sec1(&self, compressed: bool) -> Vec<u8>;
    fn pem(&self) -> PyResult<String>;
    fn verify(&self, hash: &[u8], signature: &[u8]) -> PyResult<()>;
}

impl<C: BinaryCurve> Public for PublicKey<C> {
    fn curve(&self) -> &'static str {
        C::NAME
    }

    fn sec1(&self, compressed: bool) -> Vec<u8> {
        if compressed {
            self.to_sec1_compressed().as_ref().to_vec()
        } else {
            self.to_sec1().as_ref().to_vec()
        }
    }

    fn pem(&self) -> PyResult<String> {
        self.to_public_key_pem(PointForm::Uncompressed).map_err(invalid)
    }

    fn verify(&self, hash: &[u8], signature: &[u8]) -> PyResult<()> {
        // Bytes that are no signature are an error of the caller, not a mismatch.
        let signature = Signature::<C>::from_bytes(signature).map_err(invalid)?;
        // `verify_prehash` does not use the type of the hash function.
        let verified = VerifyingKey::<C, Sha256>::new(*self).verify_prehash(hash, &signature);
        verified.map_err(|_| TagMismatch::new_err("the signature does not match"))
    }
}

/// A secret key without the type of its curve, which Python does not know.
trait Secret: Send + Sync {
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes>;
    fn public(&self) -> Box<dyn Public>;
    fn exchange<'py>(&self, py: Python<'py>, public: &[u8]) -> PyResult<Bound<'py, PyBytes>>;
    fn sign(&self, hash: &[u8], function: &str) -> PyResult<Vec<u8>>;
}

impl<C: BinaryCurve> Secret for SecretKey<C> {
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &SecretKey::to_bytes(self))
    }

    fn public(&self) -> Box<dyn Public> {
        Box::new(self.public_key())
    }

    fn exchange<'py>(&self, py: Python<'py>, public: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let public = PublicKey::<C>::from_sec1(public).map_err(invalid)?;
        let secret = py.detach(|| self.diffie_hellman(&public)).map_err(invalid)?;
        Ok(PyBytes::new(py, secret.as_bytes()))
    }

    fn sign(&self, hash: &[u8], function: &str) -> PyResult<Vec<u8>> {
        // Each `clone` of the key is wiped when its signer is dropped.
        let signature = match function {
            "sha256" => SigningKey::<C, Sha256>::new(self.clone()).sign_prehash(hash),
            "sha384" => SigningKey::<C, Sha384>::new(self.clone()).sign_prehash(hash),
            "sha512" => SigningKey::<C, Sha512>::new(self.clone()).sign_prehash(hash),
            _ => return Err(PyValueError::new_err(format!("sha256, sha384 or sha512, not {function}"))),
        };
        Ok(signature.to_bytes())
    }
}

enum Make<'a> {
    New,
    Of(&'a [u8]),
    Pem(&'a str),
}

impl CurveVisitor for Make<'_> {
    type Output = PyResult<Box<dyn Secret>>;
    fn visit<C: BinaryCurve>(self) -> Self::Output {
        Ok(Box::new(match self {
            Make::New => SecretKey::<C>::try_generate(&mut getrandom::SysRng).map_err(system)?,
            Make::Of(bytes) => SecretKey::<C>::from_bytes(bytes).map_err(invalid)?,
            Make::Pem(text) => SecretKey::<C>::from_pem(text).map_err(invalid)?,
        }))
    }
}

struct MakePublic<'a>(Make<'a>);

impl CurveVisitor for MakePublic<'_> {
    type Output = PyResult<Box<dyn Public>>;
    fn visit<C: BinaryCurve>(self) -> Self::Output {
        Ok(Box::new(match self.0 {
            Make::Pem(text) => PublicKey::<C>::from_public_key_pem(text).map_err(invalid)?,
            Make::Of(bytes) => PublicKey::<C>::from_sec1(bytes).map_err(invalid)?,
            Make::New => return Err(PyValueError::new_err("a public key is made of a secret one")),
        }))
    }
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
        // Two errors: the curve may be unknown, and the bytes may be no point of it.
        py.detach(|| on(curve, MakePublic(Make::Of(&bytes)))?).map(EcPublicKey)
    }

    /// The key of a PEM text with the label PUBLIC KEY.
    #[staticmethod]
    fn from_pem(py: Python<'_>, curve: &str, text: &str) -> PyResult<Self> {
        py.detach(|| on(curve, MakePublic(Make::Pem(text)))?).map(EcPublicKey)
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
        self.0.pem()
    }

    /// Raises TagMismatch unless `signature`, r and s side by side, is one of this hash by the owner of the key.
    fn verify(&self, py: Python<'_>, hash: &Bound<'_, PyAny>, signature: &Bound<'_, PyAny>) -> PyResult<()> {
        let (hash, signature) = (Bytes::new(hash)?, Bytes::new(signature)?);
        let (hash, signature) = (hash.as_slice().to_vec(), signature.as_slice().to_vec());
        py.detach(|| self.0.verify(&hash, &signature))
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
        Self::made(py, curve, Make::New)
    }

    /// The key d, 1 <= d < n, most significant byte first; a ValueError if it is none.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, curve: &str, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        // Copied with the GIL held, as another thread may write to a bytearray; the copy is secret, too.
        let bytes = zeroize::Zeroizing::new(Bytes::new(data)?.as_slice().to_vec());
        Self::made(py, curve, Make::Of(&bytes))
    }

    /// The key of a PEM text: PKCS #8 or SEC 1.
    #[staticmethod]
    fn from_pem(py: Python<'_>, curve: &str, text: &str) -> PyResult<Self> {
        Self::made(py, curve, Make::Pem(text))
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

    /// ECDSA: a signature of the hash of a message, r and s side by side, with the nonce of RFC 6979 by a hash function.
    #[pyo3(signature = (hash, function = "sha256"))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        hash: &Bound<'py, PyAny>,
        function: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let hash = Bytes::new(hash)?.as_slice().to_vec();
        Ok(PyBytes::new(py, &py.detach(|| self.1.sign(&hash, function))?))
    }

    fn __repr__(&self) -> String {
        // No part of the key: such texts end up in logs.
        format!("<carryless.ec.SecretKey on {}>", self.0)
    }
}

impl EcSecretKey {
    fn made(py: Python<'_>, curve: &str, make: Make<'_>) -> PyResult<Self> {
        let key = py.detach(|| on(curve, make)?)?;
        // `on` accepted the name, so the default is never used.
        Ok(EcSecretKey(CurveId::from_name(curve).map_or("", CurveId::name), key))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EcPublicKey", module.py().get_type::<EcPublicKey>())?;
    module.add("EcSecretKey", module.py().get_type::<EcSecretKey>())
}
