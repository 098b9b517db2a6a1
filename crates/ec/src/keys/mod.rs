//! Key files: SubjectPublicKeyInfo (RFC 5480), ECPrivateKey (RFC 5915) and PKCS #8 (RFC 5958), in DER and
//! PEM.
//!
//! All readers are strict. They accept keys that name their curve, and refuse explicit parameters (compare
//! CVE-2020-0601).
mod pem;
mod private;
mod public;

use crate::{CurveId, SecretKeyError};
use carryless_gf2::curve::{BinaryCurve, PointError};
use core::fmt;
use der::{Tag, Tagged};
use pkcs8::ObjectIdentifier;
use spki::AlgorithmIdentifierRef;

/// `id-ecPublicKey` of X9.62, the algorithm of elliptic curve keys without restriction of their use.
const EC_PUBLIC_KEY: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");

/// The SEC 1 form of the point in a public key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointForm {
    /// The byte 4 and both coordinates.
    #[default]
    Uncompressed,
    /// The byte 2 or 3 and the x coordinate.
    Compressed,
}

/// The reason why a file or its bytes are no key of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The bytes are not DER of this structure: they are truncated, have another tag, or bytes follow.
    Der(der::Error),
    /// The text is not PEM.
    Pem(der::Error),
    /// The PEM contains a different structure.
    Label {
        /// Description of the expected structure: `private key` or `public key`.
        expected: &'static str,
    },
    /// The secret key is encrypted, which is not supported.
    Encrypted,
    /// The key belongs to another algorithm.
    Algorithm(ObjectIdentifier),
    /// The key does not name its curve.
    NoCurve,
    /// The curve is given by its coefficients, and not by its name.
    ExplicitParameters,
    /// The key is on another curve.
    Curve {
        /// Name of the curve that the key should be on.
        expected: &'static str,
        /// Object identifier of the curve that the key names.
        found: ObjectIdentifier,
    },
    /// The curve has no object identifier, so that no key can name it.
    NoIdentifier(&'static str),
    /// The number of a secret key is out of range.
    Secret(SecretKeyError),
    /// The point of a public key is not valid.
    Point(PointError),
    /// The bits of a public key are not whole bytes.
    Bits,
    /// The public key next to a secret key belongs to another secret key.
    PublicKeyMismatch,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyError::Der(error) => write!(f, "the key is not in the expected DER: {error}"),
            KeyError::Pem(error) => write!(f, "the key is not in PEM: {error}"),
            KeyError::Label { expected } => write!(f, "the PEM does not hold a {expected}"),
            KeyError::Encrypted => write!(f, "the secret key is encrypted, which is not supported"),
            KeyError::Algorithm(oid) => write!(f, "the key is not one of an elliptic curve, but of {oid}"),
            KeyError::NoCurve => write!(f, "the key does not name its curve"),
            KeyError::ExplicitParameters => {
                write!(f, "the key gives its curve by explicit parameters, not by name")
            }
            KeyError::Curve { expected, found } => match CurveId::from_oid(*found) {
                Some(id) => write!(f, "the key is on {id}, not on {expected}"),
                None => write!(f, "the key is on an unknown curve ({found}), not on {expected}"),
            },
            KeyError::NoIdentifier(name) => {
                write!(f, "{name} has no object identifier, so that no key can name it")
            }
            KeyError::Secret(error) => error.fmt(f),
            KeyError::Point(error) => write!(f, "no public key: {error}"),
            KeyError::Bits => write!(f, "no public key: its bits are not whole bytes"),
            KeyError::PublicKeyMismatch => write!(f, "the public key is not the one of the secret key"),
        }
    }
}

impl core::error::Error for KeyError {}

impl From<der::Error> for KeyError {
    fn from(error: der::Error) -> Self {
        KeyError::Der(error)
    }
}

impl From<SecretKeyError> for KeyError {
    fn from(error: SecretKeyError) -> Self {
        KeyError::Secret(error)
    }
}

impl From<PointError> for KeyError {
    fn from(error: PointError) -> Self {
        KeyError::Point(error)
    }
}

/// Returns the object identifier of the curve `C`, or [`KeyError::NoIdentifier`].
fn oid_of<C: BinaryCurve>() -> Result<ObjectIdentifier, KeyError> {
    let oid = C::OID.and_then(|oid| ObjectIdentifier::new(oid).ok());
    oid.ok_or(KeyError::NoIdentifier(C::NAME))
}

/// Returns `Ok` if the algorithm is an elliptic curve key on `C`, by name.
fn check_algorithm<C: BinaryCurve>(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(), KeyError> {
    if algorithm.oid != EC_PUBLIC_KEY {
        return Err(KeyError::Algorithm(algorithm.oid));
    }
    let parameters = algorithm.parameters.ok_or(KeyError::NoCurve)?;
    // RFC 5480 permits named curves only. Explicit parameters let an attacker choose the generator, and with
    // it a secret key for somebody else's public key (CVE-2020-0601).
    match parameters.tag() {
        Tag::ObjectIdentifier => check_curve::<C>(parameters.decode_as()?),
        Tag::Sequence => Err(KeyError::ExplicitParameters),
        _ => Err(KeyError::NoCurve),
    }
}

/// Returns `Ok` if `found` is the object identifier of `C`.
fn check_curve<C: BinaryCurve>(found: ObjectIdentifier) -> Result<(), KeyError> {
    if found == oid_of::<C>()? { Ok(()) } else { Err(KeyError::Curve { expected: C::NAME, found }) }
}
