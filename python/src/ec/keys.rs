//! Keys without the types of their curves, and what they are made of.
use crate::error::{TagMismatch, system};
use carryless_ec::curve::BinaryCurve;
use carryless_ec::dstu4145;
use carryless_ec::ecdsa::{Signature, SignatureError, SigningKey, VerifyingKey};
use carryless_ec::{CurveId, CurveVisitor, KeyError, PointForm, PublicKey, SecretKey};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sha2::{Sha256, Sha384, Sha512};
use zeroize::Zeroizing;

pub(super) fn invalid(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Runs a visitor on the curve with this name. Raises ValueError, with the names of the curves of this build, if it does not have the curve.
pub(super) fn on<V: CurveVisitor>(name: &str, visitor: V) -> PyResult<V::Output> {
    CurveId::from_name(name).and_then(|id| id.dispatch_built(visitor)).ok_or_else(|| {
        let known: Vec<_> = CurveId::ALL.iter().filter(|id| id.is_built()).map(|id| id.name()).collect();
        PyValueError::new_err(format!("no curve {name}; there are {}", known.join(", ")))
    })
}

fn matches(verified: Result<(), SignatureError>) -> PyResult<()> {
    verified.map_err(|_| TagMismatch::new_err("the signature does not match"))
}

/// A public key without the type of its curve, which Python does not know.
pub(super) trait Public: Send + Sync {
    fn curve(&self) -> &'static str;
    fn sec1(&self, compressed: bool) -> Vec<u8>;
    fn pem(&self) -> Result<String, KeyError>;
    fn der(&self) -> Result<Vec<u8>, KeyError>;
    fn verify(&self, hash: &[u8], signature: &[u8], is_der: bool) -> PyResult<()>;
    fn verify_dstu4145(&self, hash: &[u8], signature: &[u8]) -> PyResult<()>;
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

    fn pem(&self) -> Result<String, KeyError> {
        self.to_public_key_pem(PointForm::Uncompressed)
    }

    fn der(&self) -> Result<Vec<u8>, KeyError> {
        self.to_public_key_der(PointForm::Uncompressed)
    }

    fn verify(&self, hash: &[u8], signature: &[u8], is_der: bool) -> PyResult<()> {
        // Bytes that are no signature are an error of the caller, not a mismatch.
        let read = if is_der { Signature::<C>::from_der } else { Signature::<C>::from_bytes };
        let signature = read(signature).map_err(invalid)?;
        // `verify_prehash` does not use the type of the hash function.
        matches(VerifyingKey::<C, Sha256>::new(*self).verify_prehash(hash, &signature))
    }

    fn verify_dstu4145(&self, hash: &[u8], signature: &[u8]) -> PyResult<()> {
        let signature = Signature::<C>::from_dstu_bytes(signature).map_err(invalid)?;
        matches(dstu4145::VerifyingKey::new(*self).verify_prehash(hash, &signature))
    }
}

/// A secret key without the type of its curve, which Python does not know.
pub(super) trait Secret: Send + Sync {
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes>;
    fn public(&self) -> Box<dyn Public>;
    fn exchange<'py>(&self, py: Python<'py>, public: &[u8]) -> PyResult<Bound<'py, PyBytes>>;
    fn sign(&self, hash: &[u8], function: &str, to_der: bool) -> PyResult<Vec<u8>>;
    fn sign_dstu4145(&self, hash: &[u8]) -> Vec<u8>;
    fn public_of_dstu4145(&self) -> Box<dyn Public>;
    fn pem(&self, form: Form) -> Result<Zeroizing<String>, KeyError>;
    fn der<'py>(&self, py: Python<'py>, form: Form) -> Result<Bound<'py, PyBytes>, KeyError>;
}

/// The structure of a key file.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Pkcs8,
    Sec1,
}

impl Form {
    pub(super) fn named(name: &str) -> PyResult<Form> {
        match name {
            "pkcs8" => Ok(Form::Pkcs8),
            "sec1" => Ok(Form::Sec1),
            _ => Err(PyValueError::new_err(format!("pkcs8 or sec1, not {name}"))),
        }
    }
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

    fn sign(&self, hash: &[u8], function: &str, to_der: bool) -> PyResult<Vec<u8>> {
        // Each `clone` of the key is wiped when its signer is dropped.
        let signature = match function {
            "sha256" => SigningKey::<C, Sha256>::new(self.clone()).sign_prehash(hash),
            "sha384" => SigningKey::<C, Sha384>::new(self.clone()).sign_prehash(hash),
            "sha512" => SigningKey::<C, Sha512>::new(self.clone()).sign_prehash(hash),
            _ => return Err(PyValueError::new_err(format!("sha256, sha384 or sha512, not {function}"))),
        };
        Ok(if to_der { signature.to_der() } else { signature.to_bytes() })
    }

    fn sign_dstu4145(&self, hash: &[u8]) -> Vec<u8> {
        dstu4145::SigningKey::<C, Sha256>::new(self.clone()).sign_prehash(hash).to_dstu_bytes()
    }

    fn public_of_dstu4145(&self) -> Box<dyn Public> {
        let signer = dstu4145::SigningKey::<C, Sha256>::new(self.clone());
        Box::new(*signer.verifying_key().public_key())
    }

    fn pem(&self, form: Form) -> Result<Zeroizing<String>, KeyError> {
        match form {
            Form::Pkcs8 => self.to_pkcs8_pem(),
            Form::Sec1 => self.to_sec1_pem(),
        }
    }

    fn der<'py>(&self, py: Python<'py>, form: Form) -> Result<Bound<'py, PyBytes>, KeyError> {
        let document = match form {
            Form::Pkcs8 => self.to_pkcs8_der(),
            Form::Sec1 => self.to_sec1_der(),
        }?;
        Ok(PyBytes::new(py, document.as_bytes()))
    }
}

/// What a key is made of.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// The number, or the point of SEC 1.
    Bytes(&'a [u8]),
    Pem(&'a str),
    Der(&'a [u8]),
}

impl Source<'_> {
    fn secret<C: BinaryCurve>(self) -> Result<SecretKey<C>, KeyError> {
        match self {
            Source::Bytes(bytes) => Ok(SecretKey::from_bytes(bytes)?),
            Source::Pem(text) => SecretKey::from_pem(text),
            // PKCS #8, or SEC 1 if it is none.
            Source::Der(bytes) => SecretKey::from_pkcs8_der(bytes).or_else(|error| {
                let other = SecretKey::from_sec1_der(bytes);
                if matches!(other, Err(KeyError::Der(_))) { Err(error) } else { other }
            }),
        }
    }

    fn public<C: BinaryCurve>(self) -> Result<PublicKey<C>, KeyError> {
        match self {
            Source::Bytes(bytes) => Ok(PublicKey::from_sec1(bytes)?),
            Source::Pem(text) => PublicKey::from_public_key_pem(text),
            Source::Der(bytes) => PublicKey::from_public_key_der(bytes),
        }
    }
}

pub(super) struct New;

impl CurveVisitor for New {
    type Output = PyResult<Box<dyn Secret>>;
    fn visit<C: BinaryCurve>(self) -> Self::Output {
        Ok(Box::new(SecretKey::<C>::try_generate(&mut getrandom::SysRng).map_err(system)?))
    }
}

pub(super) struct MakeSecret<'a>(pub(super) Source<'a>);

impl CurveVisitor for MakeSecret<'_> {
    type Output = Result<Box<dyn Secret>, KeyError>;
    fn visit<C: BinaryCurve>(self) -> Self::Output {
        Ok(Box::new(self.0.secret::<C>()?))
    }
}

pub(super) struct MakePublic<'a>(pub(super) Source<'a>);

impl CurveVisitor for MakePublic<'_> {
    type Output = Result<Box<dyn Public>, KeyError>;
    fn visit<C: BinaryCurve>(self) -> Self::Output {
        Ok(Box::new(self.0.public::<C>()?))
    }
}

/// Makes a key on the curve with this name, or on the one that its file names. Returns the curve, too.
pub(super) fn read<K, V: CurveVisitor<Output = Result<K, KeyError>>>(
    curve: Option<&str>,
    visitor: impl Fn() -> V,
) -> PyResult<(&'static str, K)> {
    let name = match curve {
        Some(name) => name,
        None => {
            // Each curve refuses files of others, and says which one they name.
            let any = CurveId::ALL.iter().find(|id| id.is_built());
            let first = any.map_or("", |id| id.name());
            match on(first, visitor())? {
                Err(KeyError::Curve { found, .. }) => CurveId::from_oid(found).map_or(first, CurveId::name),
                _ => first,
            }
        }
    };
    let key = on(name, visitor())?.map_err(invalid)?;
    // `on` accepted the name, so the default is never used.
    Ok((CurveId::from_name(name).map_or("", CurveId::name), key))
}
