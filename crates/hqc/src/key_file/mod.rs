//! Key files: SubjectPublicKeyInfo (RFC 5280) and PKCS #8 (RFC 5958), in DER and PEM.
//!
//! No standard says yet how HQC keys are written. The public key is the bit string, and the private key has one of the
//! three forms that RFC 9935 gives for ML-KEM: [`PrivateForm`]. All three are read. RustCrypto's `hqc-kem` and
//! `carryless.so` for OpenSSL read and write the same files, with the seed.
//!
//! [`identifier`] has the object identifiers, which the standard will replace. Profiles `v5` and `2023` have none, so that no
//! file is taken for one of another profile.
//!
//! ```
//! use carryless_hqc::key_file::PrivateForm;
//! use carryless_hqc::{DecapsulationKey, Hqc1};
//!
//! let dk = DecapsulationKey::<Hqc1>::from_seed(&[1; 32]); // random bytes
//! let pem = dk.to_pkcs8_pem(PrivateForm::Seed)?; // -----BEGIN PRIVATE KEY-----
//! let again = DecapsulationKey::<Hqc1>::from_pkcs8_pem(&pem)?;
//! assert_eq!(again.encapsulation_key(), dk.encapsulation_key());
//! # Ok::<(), carryless_hqc::key_file::KeyFileError>(())
//! ```
mod any;
mod structure;

use crate::decapsulation::DecapsulationKey;
use crate::encapsulation::EncapsulationKey;
use crate::error::Error;
use crate::scheme::{Scheme, SchemeId};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use ctutils::CtEq as _;
use der::SecretDocument;
use der::asn1::ObjectIdentifier;
use der::pem::{LineEnding, PemLabel};
use pkcs8::PrivateKeyInfoRef;
use spki::SubjectPublicKeyInfoRef;
pub use structure::{PrivateFile, PrivateForm, PublicFile};
use zeroize::Zeroizing;

const ENCRYPTED_LABEL: &str = "ENCRYPTED PRIVATE KEY";

/// The object identifiers of HQC until NIST assigns some: those of RustCrypto's `hqc-kem`.
const IDENTIFIERS: [(SchemeId, ObjectIdentifier); 3] = [
    (SchemeId::Hqc1, ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.4.4")),
    (SchemeId::Hqc3, ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.4.5")),
    (SchemeId::Hqc5, ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.4.6")),
];

/// Returns the object identifier of a scheme in key files, or `None` for profiles `v5` and `2023`.
#[must_use]
pub fn identifier(scheme: SchemeId) -> Option<ObjectIdentifier> {
    IDENTIFIERS.iter().find(|(id, _)| *id == scheme).map(|(_, identifier)| *identifier)
}

/// Returns the scheme that an object identifier stands for, or `None`.
#[must_use]
pub fn scheme_of(identifier: ObjectIdentifier) -> Option<SchemeId> {
    IDENTIFIERS.iter().find(|(_, known)| *known == identifier).map(|(id, _)| *id)
}

/// The reason why a file holds no key of the scheme, or why none can be written. It contains no part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyFileError {
    /// The bytes are not DER of this structure: they are truncated, have another tag, or bytes follow.
    Der(der::Error),
    /// The text is not PEM.
    Pem(der::Error),
    /// The PEM has another label.
    Label {
        /// The label of the structure: `PRIVATE KEY` or `PUBLIC KEY`.
        expected: &'static str,
    },
    /// The private key is encrypted, which is not supported.
    Encrypted,
    /// The key belongs to another algorithm or parameter set, which this object identifier names.
    Algorithm(ObjectIdentifier),
    /// The algorithm has parameters, and HQC has none.
    Parameters,
    /// The scheme has no object identifier, so that no file can name it.
    NoIdentifier(SchemeId),
    /// The private key has none of the three forms.
    Form,
    /// The bits of a public key are not whole bytes.
    Bits,
    /// The bytes are no key of the scheme.
    Key(Error),
    /// The seed, the key in full length and the public key are not of one key.
    Mismatch,
}

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyFileError::Der(error) => write!(f, "the key is not in the expected DER: {error}"),
            KeyFileError::Pem(error) => write!(f, "the key is not in PEM: {error}"),
            KeyFileError::Label { expected } => write!(f, "the PEM does not hold a {expected}"),
            KeyFileError::Encrypted => f.write_str("the private key is encrypted, which is not supported"),
            KeyFileError::Algorithm(found) => match scheme_of(*found) {
                Some(id) => write!(f, "the key is one of {}, profile {}", id.name(), id.profile()),
                None => write!(f, "the key is not one of HQC, but of {found}"),
            },
            KeyFileError::Parameters => f.write_str("the algorithm has parameters, and HQC has none"),
            KeyFileError::NoIdentifier(id) => {
                let (name, profile) = (id.name(), id.profile());
                write!(f, "{name} in profile {profile} has no object identifier, so that no file can name it")
            }
            KeyFileError::Form => f.write_str("the private key is no seed and no key of HQC"),
            KeyFileError::Bits => f.write_str("the bits of the public key are not whole bytes"),
            KeyFileError::Key(error) => error.fmt(f),
            KeyFileError::Mismatch => f.write_str("the parts of the file belong to different keys"),
        }
    }
}

impl core::error::Error for KeyFileError {}

impl From<der::Error> for KeyFileError {
    fn from(error: der::Error) -> Self {
        KeyFileError::Der(error)
    }
}

impl From<Error> for KeyFileError {
    fn from(error: Error) -> Self {
        KeyFileError::Key(error)
    }
}

impl<K: Scheme> EncapsulationKey<K> {
    /// Reads a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_public_key_der(der: &[u8]) -> Result<Self, KeyFileError> {
        let file = PublicFile::parse(der)?;
        check_algorithm::<K>(file.identifier())?;
        Self::from_public_file(&file)
    }

    /// Reads PEM with the label `PUBLIC KEY`.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_public_key_pem(text: &str) -> Result<Self, KeyFileError> {
        Self::from_public_key_der(&public_from_pem(text)?)
    }

    /// Reads the key of a parsed file, whose algorithm the caller has checked.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_public_file(file: &PublicFile<'_>) -> Result<Self, KeyFileError> {
        Ok(Self::from_bytes(file.key()?)?)
    }

    /// Writes a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// [`KeyFileError::NoIdentifier`] in profiles without object identifiers.
    pub fn to_public_key_der(&self) -> Result<SecretDocument, KeyFileError> {
        PublicFile::write(needed(K::ID)?, self.as_bytes().as_ref())
    }

    /// Writes PEM with the label `PUBLIC KEY`.
    ///
    /// # Errors
    /// [`KeyFileError::NoIdentifier`] in profiles without object identifiers.
    pub fn to_public_key_pem(&self) -> Result<Zeroizing<String>, KeyFileError> {
        public_to_pem(&self.to_public_key_der()?)
    }
}

impl<K: Scheme> DecapsulationKey<K> {
    /// Reads a PKCS #8 PrivateKeyInfo in DER, in any [`PrivateForm`]. All parts of the file must belong to one key.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, KeyFileError> {
        let file = PrivateFile::parse(der)?;
        check_algorithm::<K>(file.identifier())?;
        Self::from_private_file(&file)
    }

    /// Reads PEM with the label `PRIVATE KEY`.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_pkcs8_pem(text: &str) -> Result<Self, KeyFileError> {
        Self::from_pkcs8_der(&private_from_pem(text)?)
    }

    /// Reads the key of a parsed file, whose algorithm the caller has checked.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_private_file(file: &PrivateFile<'_>) -> Result<Self, KeyFileError> {
        let private = file.private()?;
        let key = match (private.seed, private.expanded) {
            (Some(seed), _) => {
                let seed = Zeroizing::new(Error::array::<K, K::Seed>(crate::Kind::Seed, seed)?);
                Self::from_seed(&seed)
            }
            (None, Some(bytes)) => Self::from_bytes(bytes)?,
            (None, None) => return Err(KeyFileError::Form),
        };
        // A file that was changed in one of its parts must not pass for either key.
        let expanded = match private.expanded {
            Some(bytes) => in_full(&key)?.ct_eq(bytes).to_bool(),
            None => true,
        };
        let public =
            private.public.is_none_or(|public| public == key.encapsulation_key().as_bytes().as_ref());
        if expanded && public { Ok(key) } else { Err(KeyFileError::Mismatch) }
    }

    /// Writes a PKCS #8 PrivateKeyInfo in DER, without the public key. The document is wiped when dropped.
    ///
    /// # Errors
    /// [`KeyFileError::NoIdentifier`] in profiles without object identifiers.
    pub fn to_pkcs8_der(&self, form: PrivateForm) -> Result<SecretDocument, KeyFileError> {
        PrivateFile::write(needed(K::ID)?, form, self.as_seed().as_ref(), &in_full(self)?)
    }

    /// Writes PEM with the label `PRIVATE KEY`. The text is wiped when dropped.
    ///
    /// # Errors
    /// [`KeyFileError::NoIdentifier`] in profiles without object identifiers.
    pub fn to_pkcs8_pem(&self, form: PrivateForm) -> Result<Zeroizing<String>, KeyFileError> {
        private_to_pem(&self.to_pkcs8_der(form)?)
    }
}

/// The bytes of a key on the heap: the array that `to_bytes` returns leaves a copy on the stack.
fn in_full<K: Scheme>(key: &DecapsulationKey<K>) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut bytes = Zeroizing::new(vec![0; K::ID.sizes().decapsulation_key]);
    key.to_bytes_into(&mut bytes)?;
    Ok(bytes)
}

fn needed(scheme: SchemeId) -> Result<ObjectIdentifier, KeyFileError> {
    identifier(scheme).ok_or(KeyFileError::NoIdentifier(scheme))
}

fn check_algorithm<K: Scheme>(found: ObjectIdentifier) -> Result<(), KeyFileError> {
    if found == needed(K::ID)? { Ok(()) } else { Err(KeyFileError::Algorithm(found)) }
}

/// Writes a SubjectPublicKeyInfo as PEM.
///
/// # Errors
/// None for documents of this module.
pub fn public_to_pem(document: &SecretDocument) -> Result<Zeroizing<String>, KeyFileError> {
    document.to_pem(SubjectPublicKeyInfoRef::PEM_LABEL, LineEnding::LF).map_err(KeyFileError::Pem)
}

/// Writes a PrivateKeyInfo as PEM. The text is wiped when dropped.
///
/// # Errors
/// None for documents of this module.
pub fn private_to_pem(document: &SecretDocument) -> Result<Zeroizing<String>, KeyFileError> {
    document.to_pem(PrivateKeyInfoRef::PEM_LABEL, LineEnding::LF).map_err(KeyFileError::Pem)
}

fn public_from_pem(text: &str) -> Result<Zeroizing<Vec<u8>>, KeyFileError> {
    from_pem(text, SubjectPublicKeyInfoRef::PEM_LABEL)
}

fn private_from_pem(text: &str) -> Result<Zeroizing<Vec<u8>>, KeyFileError> {
    from_pem(text, PrivateKeyInfoRef::PEM_LABEL)
}

/// Decodes a text with one block of this label. The bytes are wiped when dropped, also those of a text that is refused:
/// `SecretDocument::from_pem` frees them as they are.
fn from_pem(text: &str, expected: &'static str) -> Result<Zeroizing<Vec<u8>>, KeyFileError> {
    let mut bytes = Zeroizing::new(vec![0; text.len()]);
    match der::pem::decode(text.as_bytes(), &mut bytes).map_err(|error| KeyFileError::Pem(error.into()))? {
        (label, der) if label == expected => {
            let len = der.len();
            bytes.truncate(len);
            Ok(bytes)
        }
        (ENCRYPTED_LABEL, _) => Err(KeyFileError::Encrypted),
        _ => Err(KeyFileError::Label { expected }),
    }
}
