//! The KEM HQC, with keys that know their scheme.
use crate::error::system;
use crate::input::Bytes;
use carryless_hqc::SchemeId;
use carryless_hqc::any::{AnyDecapsulationKey, AnyEncapsulationKey, FromBytes, FromSeed, PublicFromBytes};
use carryless_hqc::key_file::{KeyFileError, PrivateForm};
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

fn invalid_file(error: KeyFileError) -> PyErr {
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

fn form(name: &str) -> PyResult<PrivateForm> {
    match name {
        "seed" => Ok(PrivateForm::Seed),
        "expanded" => Ok(PrivateForm::Expanded),
        "both" => Ok(PrivateForm::Both),
        _ => Err(PyValueError::new_err(format!("no form {name}; there are seed, expanded, both"))),
    }
}

/// Random bytes of the system, wiped when dropped. A system that has none is an OSError.
fn random(len: usize) -> PyResult<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; len]);
    getrandom::fill(&mut bytes).map_err(system)?;
    Ok(bytes)
}

/// The public key of HQC: whoever has it makes a secret and the ciphertext that carries it to the holder of the decapsulation key.
#[pyclass(frozen, name = "EncapsulationKey", module = "carryless.hqc")]
pub(crate) struct HqcEncapsulationKey(AnyEncapsulationKey);

/// The secret key of HQC. It is wiped when it goes, is not pickled, and shows nothing of itself; `to_bytes` and `to_pem` make copies that Python does not wipe.
#[pyclass(frozen, name = "DecapsulationKey", module = "carryless.hqc")]
pub(crate) struct HqcDecapsulationKey(AnyDecapsulationKey);

#[pymethods]
impl HqcEncapsulationKey {
    /// The key of these bytes; a ValueError if they are none.
    #[staticmethod]
    #[pyo3(signature = (data, scheme = "HQC-1", profile = "nr"))]
    fn from_bytes(data: &Bound<'_, PyAny>, scheme: &str, profile: &str) -> PyResult<Self> {
        let id = self::scheme(scheme, profile)?;
        // The GIL is kept: the slice may be that of a bytearray, which others could write to.
        let key = id.dispatch(PublicFromBytes(Bytes::new(data)?.as_slice()));
        key.map(HqcEncapsulationKey).map_err(invalid)
    }

    /// The key in a SubjectPublicKeyInfo, which names the scheme; a ValueError if there is none.
    #[staticmethod]
    fn from_der(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = AnyEncapsulationKey::from_public_key_der(Bytes::new(data)?.as_slice());
        key.map(HqcEncapsulationKey).map_err(invalid_file)
    }

    /// The key of a PEM text with the label PUBLIC KEY.
    #[staticmethod]
    fn from_pem(text: &str) -> PyResult<Self> {
        AnyEncapsulationKey::from_public_key_pem(text).map(HqcEncapsulationKey).map_err(invalid_file)
    }

    /// The bytes of the key, which are public.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_bytes())
    }

    /// The key as SubjectPublicKeyInfo. Only profile `nr` has object identifiers for it; a ValueError for others.
    fn to_der<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let document = self.0.to_public_key_der().map_err(invalid_file)?;
        Ok(PyBytes::new(py, document.as_bytes()))
    }

    /// The key as PEM text with the label PUBLIC KEY.
    fn to_pem(&self) -> PyResult<String> {
        Ok(self.0.to_public_key_pem().map_err(invalid_file)?.to_string())
    }

    /// The name of the parameter set.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.scheme().name()
    }

    /// The profile: `nr`, `v5` or `2023`.
    #[getter]
    fn profile(&self) -> &'static str {
        self.0.scheme().profile()
    }

    /// The same key with what every encapsulation needs computed once. It takes 29 to 95 KB.
    fn expand(&self, py: Python<'_>) -> Self {
        HqcEncapsulationKey(py.detach(|| self.0.expand()))
    }

    /// A ciphertext and the shared secret that it carries.
    fn encapsulate<'py>(&self, py: Python<'py>) -> PyResult<Encapsulated<'py>> {
        let sizes = self.0.scheme().sizes();
        let random = random(sizes.randomness)?;
        let mut ciphertext = vec![0; sizes.ciphertext];
        let mut secret = Zeroizing::new(vec![0; sizes.shared_secret]);
        py.detach(|| self.0.encapsulate(&random, &mut ciphertext, &mut secret)).map_err(invalid)?;
        Ok((PyBytes::new(py, &ciphertext), PyBytes::new(py, &secret)))
    }

    fn __richcmp__(&self, other: &HqcEncapsulationKey, op: CompareOp) -> PyResult<bool> {
        match op {
            CompareOp::Eq => Ok(self.0 == other.0),
            CompareOp::Ne => Ok(self.0 != other.0),
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
        let seed = random(id.sizes().seed)?;
        py.detach(|| id.dispatch(FromSeed(&seed))).map(HqcDecapsulationKey).map_err(invalid)
    }

    /// The key of a seed of random bytes; a ValueError if the length is wrong.
    #[staticmethod]
    #[pyo3(signature = (seed, scheme = "HQC-1", profile = "nr"))]
    fn from_seed(seed: &Bound<'_, PyAny>, scheme: &str, profile: &str) -> PyResult<Self> {
        let id = self::scheme(scheme, profile)?;
        // The GIL is kept here and below, as for encapsulation keys. It also saves a copy of the secret.
        let key = id.dispatch(FromSeed(Bytes::new(seed)?.as_slice()));
        key.map(HqcDecapsulationKey).map_err(invalid)
    }

    /// The key of these bytes; a ValueError if they are none. It is made anew from its seed and compared.
    #[staticmethod]
    #[pyo3(signature = (data, scheme = "HQC-1", profile = "nr"))]
    fn from_bytes(data: &Bound<'_, PyAny>, scheme: &str, profile: &str) -> PyResult<Self> {
        let id = self::scheme(scheme, profile)?;
        let key = id.dispatch(FromBytes(Bytes::new(data)?.as_slice()));
        key.map(HqcDecapsulationKey).map_err(invalid)
    }

    /// The key in a PKCS #8 PrivateKeyInfo, which names the scheme, in any of its three forms; a ValueError if there is none.
    #[staticmethod]
    fn from_der(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = AnyDecapsulationKey::from_pkcs8_der(Bytes::new(data)?.as_slice());
        key.map(HqcDecapsulationKey).map_err(invalid_file)
    }

    /// The key of a PEM text with the label PRIVATE KEY.
    #[staticmethod]
    fn from_pem(text: &str) -> PyResult<Self> {
        AnyDecapsulationKey::from_pkcs8_pem(text).map(HqcDecapsulationKey).map_err(invalid_file)
    }

    /// The bytes, which are secret.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.0.scheme().sizes().decapsulation_key, |out| {
            self.0.to_bytes_into(out).map_err(invalid)
        })
    }

    /// The seed of which the key is made. Secret, and the shortest form of the key.
    fn to_seed<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_seed())
    }

    /// The key as PKCS #8 PrivateKeyInfo in form `seed`, `expanded` or `both`. Only profile `nr` has object identifiers for it; a ValueError for others.
    #[pyo3(signature = (form = "seed"))]
    fn to_der<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyBytes>> {
        let document = self.0.to_pkcs8_der(self::form(form)?).map_err(invalid_file)?;
        Ok(PyBytes::new(py, document.as_bytes()))
    }

    /// The key as PEM text with the label PRIVATE KEY, in form `seed`, `expanded` or `both`.
    #[pyo3(signature = (form = "seed"))]
    fn to_pem<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, pyo3::types::PyString>> {
        let text = self.0.to_pkcs8_pem(self::form(form)?).map_err(invalid_file)?;
        Ok(pyo3::types::PyString::new(py, &text))
    }

    /// The name of the parameter set.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.scheme().name()
    }

    /// The profile: `nr`, `v5` or `2023`.
    #[getter]
    fn profile(&self) -> &'static str {
        self.0.scheme().profile()
    }

    /// The public key, which others need to send secrets.
    #[getter]
    fn encapsulation_key(&self) -> HqcEncapsulationKey {
        HqcEncapsulationKey(self.0.encapsulation_key().clone())
    }

    /// The same key with what every decapsulation needs computed once. It takes 42 to 139 KB.
    fn expand(&self, py: Python<'_>) -> Self {
        HqcDecapsulationKey(py.detach(|| self.0.expand()))
    }

    /// The shared secret of a ciphertext. One that encapsulation did not make gives another secret, not an error; a ValueError if its length is wrong.
    fn decapsulate<'py>(
        &self,
        py: Python<'py>,
        ciphertext: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        // Copied, so that nobody can change the bytes once the GIL is released.
        let ciphertext = Bytes::new(ciphertext)?.as_slice().to_vec();
        let mut secret = Zeroizing::new(vec![0; self.0.scheme().sizes().shared_secret]);
        py.detach(|| self.0.decapsulate(&ciphertext, &mut secret)).map_err(invalid)?;
        Ok(PyBytes::new(py, &secret))
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
