//! The structures of the files, without their keys.
use super::KeyFileError;
use der::asn1::{BitStringRef, ContextSpecific, ObjectIdentifier, OctetStringRef};
use der::{Decode, Encode, Reader, SecretDocument, SliceReader, Tag, TagMode, TagNumber};
use pkcs8::PrivateKeyInfoRef;
use spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

/// The tag of a seed that stands alone.
const SEED: TagNumber = TagNumber(0);

/// The form of the private key in PKCS #8: those of ML-KEM in RFC 9935.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrivateForm {
    /// The seed: `[0] IMPLICIT OCTET STRING`. The shortest, and all that is needed.
    #[default]
    Seed,
    /// The key in full length: `OCTET STRING`.
    Expanded,
    /// A `SEQUENCE` of the seed and the key in full length, both `OCTET STRING`.
    Both,
}

/// A SubjectPublicKeyInfo whose algorithm may be any.
#[derive(Clone, Debug)]
pub struct PublicFile<'a>(SubjectPublicKeyInfoRef<'a>);

/// A PKCS #8 PrivateKeyInfo whose algorithm may be any.
#[derive(Clone, Debug)]
pub struct PrivateFile<'a>(PrivateKeyInfoRef<'a>);

/// What a private key file holds. Secret but for `public`. Lengths are not checked.
#[derive(Clone, Copy)]
pub(super) struct Private<'a> {
    pub(super) seed: Option<&'a [u8]>,
    pub(super) expanded: Option<&'a [u8]>,
    /// The encapsulation key beside it, which version 2 of the structure may have.
    pub(super) public: Option<&'a [u8]>,
}

impl<'a> PublicFile<'a> {
    /// Parses the outer structure.
    ///
    /// # Errors
    /// If the bytes are no DER of it, or more bytes follow.
    pub fn parse(der: &'a [u8]) -> Result<Self, KeyFileError> {
        Ok(PublicFile(SubjectPublicKeyInfoRef::from_der(der)?))
    }

    /// Returns the object identifier of the algorithm.
    #[must_use]
    pub fn identifier(&self) -> ObjectIdentifier {
        self.0.algorithm.oid
    }

    /// Returns the bytes of the encapsulation key, of any length.
    ///
    /// # Errors
    /// If the algorithm has parameters, or the key is not of whole bytes.
    pub fn key(&self) -> Result<&'a [u8], KeyFileError> {
        check_parameters(&self.0.algorithm)?;
        self.0.subject_public_key.as_bytes().ok_or(KeyFileError::Bits)
    }

    /// Writes the structure with a key.
    ///
    /// # Errors
    /// If the DER would be too long, which no key of HQC is.
    pub fn write(identifier: ObjectIdentifier, key: &[u8]) -> Result<SecretDocument, KeyFileError> {
        let algorithm = AlgorithmIdentifierRef { oid: identifier, parameters: None };
        let subject_public_key = BitStringRef::from_bytes(key)?;
        Ok(SecretDocument::encode_msg(&SubjectPublicKeyInfoRef { algorithm, subject_public_key })?)
    }
}

impl<'a> PrivateFile<'a> {
    /// Parses the outer structure.
    ///
    /// # Errors
    /// If the bytes are no DER of it, or more bytes follow.
    pub fn parse(der: &'a [u8]) -> Result<Self, KeyFileError> {
        Ok(PrivateFile(PrivateKeyInfoRef::from_der(der)?))
    }

    /// Returns the object identifier of the algorithm.
    #[must_use]
    pub fn identifier(&self) -> ObjectIdentifier {
        self.0.algorithm.oid
    }

    /// Parses the private key in one of its three forms.
    pub(super) fn private(&self) -> Result<Private<'a>, KeyFileError> {
        check_parameters(&self.0.algorithm)?;
        let mut reader = SliceReader::new(self.0.private_key.as_bytes())?;
        let (seed, expanded) = match Tag::peek(&reader)? {
            Tag::ContextSpecific { constructed: false, number: SEED } => {
                let seed = ContextSpecific::<&OctetStringRef>::decode_implicit(&mut reader, SEED)?;
                (seed.map(|seed| seed.value.as_bytes()), None)
            }
            Tag::OctetString => (None, Some(string(&mut reader)?)),
            Tag::Sequence => {
                reader.sequence(|both| Ok::<_, der::Error>((Some(string(both)?), Some(string(both)?))))?
            }
            _ => return Err(KeyFileError::Form),
        };
        reader.finish()?;
        let public = match &self.0.public_key {
            Some(public) => Some(public.as_bytes().ok_or(KeyFileError::Bits)?),
            None => None,
        };
        Ok(Private { seed, expanded, public })
    }

    /// Writes the structure with a private key in form `form`. The document is wiped when dropped.
    ///
    /// # Errors
    /// If the DER would be too long, which no key of HQC is.
    pub fn write(
        identifier: ObjectIdentifier,
        form: PrivateForm,
        seed: &[u8],
        expanded: &[u8],
    ) -> Result<SecretDocument, KeyFileError> {
        let (seed, expanded) = (OctetStringRef::new(seed)?, OctetStringRef::new(expanded)?);
        let inner = Zeroizing::new(match form {
            PrivateForm::Seed => {
                ContextSpecific { tag_number: SEED, tag_mode: TagMode::Implicit, value: seed }.to_der()?
            }
            PrivateForm::Expanded => expanded.to_der()?,
            PrivateForm::Both => [seed, expanded].to_der()?,
        });
        let algorithm = AlgorithmIdentifierRef { oid: identifier, parameters: None };
        let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(&inner)?);
        Ok(SecretDocument::encode_msg(&info)?)
    }
}

fn string<'a>(reader: &mut SliceReader<'a>) -> Result<&'a [u8], der::Error> {
    reader.decode::<&OctetStringRef>().map(OctetStringRef::as_bytes)
}

fn check_parameters(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(), KeyFileError> {
    if algorithm.parameters.is_none() { Ok(()) } else { Err(KeyFileError::Parameters) }
}
