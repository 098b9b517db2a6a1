//! The KEM HQC, with keys that know their scheme.
use crate::error::system;
use crate::input::Bytes;
use carryless_hqc::{
    Array as _, Ciphertext, DecapsulationKey, EncapsulationKey, Message, Scheme, SchemeId, SchemeVisitor,
};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

/// The result of an encapsulation: ciphertext and shared secret.
type Encapsulated<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn invalid(error: carryless_hqc::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn scheme(name: &str, profile: &str) -> PyResult<SchemeId> {
    SchemeId::from_names(name, profile).ok_or_else(|| {
        let known: Vec<_> =
            SchemeId::ALL.iter().map(|id| format!("{} ({})", id.name(), id.profile())).collect();
        PyValueError::new_err(format!(
            "no scheme {name} in profile {profile}; there are {}",
            known.join(", ")
        ))
    })
}

/// An encapsulation key without the type of its scheme, which Python does not know.
trait Public: Send + Sync {
    fn bytes(&self) -> &[u8];
    fn encapsulate<'py>(&self, py: Python<'py>) -> PyResult<Encapsulated<'py>>;
}

impl<K: Scheme> Public for EncapsulationKey<K> {
    fn bytes(&self) -> &[u8] {
        self.as_bytes().as_ref()
    }

    fn encapsulate<'py>(&self, py: Python<'py>) -> PyResult<Encapsulated<'py>> {
        let (mut message, mut salt) = (Zeroizing::new(Message::<K>::zeroed()), [0; 16]);
        // Drawn here, so that a system without random numbers becomes an OSError. `encapsulate_with_rng`
        // cannot fail.
        getrandom::fill(message.as_mut()).and_then(|()| getrandom::fill(&mut salt)).map_err(system)?;
        let (ciphertext, secret) = py.detach(|| self.encapsulate_deterministic(&message, &salt));
        Ok((PyBytes::new(py, ciphertext.as_bytes().as_ref()), PyBytes::new(py, secret.as_bytes().as_ref())))
    }
}

/// A decapsulation key without the type of its scheme, which Python does not know.
trait Secret: Send + Sync {
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes>;
    fn public(&self) -> Box<dyn Public>;
    fn decapsulate<'py>(&self, py: Python<'py>, ciphertext: &[u8]) -> PyResult<Bound<'py, PyBytes>>;
}

impl<K: Scheme> Secret for DecapsulationKey<K> {
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, (*self.to_bytes()).as_ref())
    }

    fn public(&self) -> Box<dyn Public> {
        Box::new(self.encapsulation_key().clone())
    }

    fn decapsulate<'py>(&self, py: Python<'py>, ciphertext: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        // This copies the bytes, so that nobody can change them once the GIL is released.
        let ciphertext = Ciphertext::<K>::from_bytes(ciphertext).map_err(invalid)?;
        let secret = py.detach(|| DecapsulationKey::decapsulate(self, &ciphertext));
        Ok(PyBytes::new(py, secret.as_bytes().as_ref()))
    }
}

/// The public key of HQC: whoever has it makes a secret and the ciphertext that carries it to the holder of the decapsulation key.
#[pyclass(frozen, name = "EncapsulationKey", module = "carryless.hqc")]
pub(crate) struct HqcEncapsulationKey(SchemeId, Box<dyn Public>);

/// The secret key of HQC. It is wiped when it goes, is not pickled, and shows nothing of itself; `to_bytes` makes a copy that Python does not wipe.
#[pyclass(frozen, name = "DecapsulationKey", module = "carryless.hqc")]
pub(crate) struct HqcDecapsulationKey(SchemeId, Box<dyn Secret>);

/// Ways to make a decapsulation key: at random, or of its bytes.
enum Make<'a> {
    New,
    Of(&'a [u8]),
}

impl SchemeVisitor for Make<'_> {
    type Output = PyResult<Box<dyn Secret>>;
    fn visit<K: Scheme>(self) -> Self::Output {
        Ok(Box::new(match self {
            Make::New => {
                DecapsulationKey::<K>::try_generate_from_rng(&mut getrandom::SysRng).map_err(system)?
            }
            Make::Of(bytes) => DecapsulationKey::<K>::from_bytes(bytes).map_err(invalid)?,
        }))
    }
}

struct MakePublic<'a>(&'a [u8]);

impl SchemeVisitor for MakePublic<'_> {
    type Output = PyResult<Box<dyn Public>>;
    fn visit<K: Scheme>(self) -> Self::Output {
        Ok(Box::new(EncapsulationKey::<K>::from_bytes(self.0).map_err(invalid)?))
    }
}

#[pymethods]
impl HqcEncapsulationKey {
    /// The key of these bytes; a ValueError if they are none.
    #[staticmethod]
    #[pyo3(signature = (data, scheme = "HQC-1", profile = "nr"))]
    fn from_bytes(data: &Bound<'_, PyAny>, scheme: &str, profile: &str) -> PyResult<Self> {
        let id = self::scheme(scheme, profile)?;
        // The GIL is kept: the slice may be that of a bytearray, which others could write to.
        Ok(HqcEncapsulationKey(id, id.dispatch(MakePublic(Bytes::new(data)?.as_slice()))?))
    }

    /// The bytes of the key, which are public.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.1.bytes())
    }

    /// The name of the parameter set.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.name()
    }

    /// The profile: `nr` or `v5`.
    #[getter]
    fn profile(&self) -> &'static str {
        self.0.profile()
    }

    /// A ciphertext and the shared secret that it carries.
    fn encapsulate<'py>(&self, py: Python<'py>) -> PyResult<Encapsulated<'py>> {
        self.1.encapsulate(py)
    }

    fn __richcmp__(&self, other: &HqcEncapsulationKey, op: CompareOp) -> PyResult<bool> {
        // Equal bytes may belong to several profiles, whose keys are not the same.
        let equal = self.0 == other.0 && self.1.bytes() == other.1.bytes();
        match op {
            CompareOp::Eq => Ok(equal),
            CompareOp::Ne => Ok(!equal),
            _ => Err(pyo3::exceptions::PyTypeError::new_err("keys have no order")),
        }
    }

    fn __repr__(&self) -> String {
        format!("<carryless.hqc.EncapsulationKey of {} ({})>", self.scheme(), self.profile())
    }
}

#[pymethods]
impl HqcDecapsulationKey {
    /// A new key, of random numbers of the system.
    #[staticmethod]
    #[pyo3(signature = (scheme = "HQC-1", profile = "nr"))]
    fn generate(py: Python<'_>, scheme: &str, profile: &str) -> PyResult<Self> {
        let id = self::scheme(scheme, profile)?;
        Ok(HqcDecapsulationKey(id, py.detach(|| id.dispatch(Make::New))?))
    }

    /// The key of these bytes; a ValueError if they are none. It is made anew from its seed and compared.
    #[staticmethod]
    #[pyo3(signature = (data, scheme = "HQC-1", profile = "nr"))]
    fn from_bytes(data: &Bound<'_, PyAny>, scheme: &str, profile: &str) -> PyResult<Self> {
        let id = self::scheme(scheme, profile)?;
        // Nor here is the GIL released. It also saves a copy of the secret.
        Ok(HqcDecapsulationKey(id, id.dispatch(Make::Of(Bytes::new(data)?.as_slice()))?))
    }

    /// The bytes, which are secret.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.1.bytes(py)
    }

    /// The name of the parameter set.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.name()
    }

    /// The profile: `nr` or `v5`.
    #[getter]
    fn profile(&self) -> &'static str {
        self.0.profile()
    }

    /// The public key, which others need to send secrets.
    #[getter]
    fn encapsulation_key(&self) -> HqcEncapsulationKey {
        HqcEncapsulationKey(self.0, self.1.public())
    }

    /// The shared secret of a ciphertext. One that encapsulation did not make gives another secret, not an error; a ValueError if its length is wrong.
    fn decapsulate<'py>(
        &self,
        py: Python<'py>,
        ciphertext: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.1.decapsulate(py, Bytes::new(ciphertext)?.as_slice())
    }

    fn __repr__(&self) -> String {
        // No part of the key: such texts end up in logs.
        format!("<carryless.hqc.DecapsulationKey of {} ({})>", self.scheme(), self.profile())
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("HqcEncapsulationKey", module.py().get_type::<HqcEncapsulationKey>())?;
    module.add("HqcDecapsulationKey", module.py().get_type::<HqcDecapsulationKey>())
}
