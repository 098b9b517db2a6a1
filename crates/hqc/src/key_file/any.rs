//! Key files that name their scheme themselves.
use super::{KeyFileError, PrivateFile, PrivateForm, PublicFile, needed, private_from_pem, public_from_pem};
use super::{private_to_pem, public_to_pem, scheme_of};
use crate::any::{AnyDecapsulationKey, AnyEncapsulationKey};
use crate::decapsulation::DecapsulationKey;
use crate::encapsulation::EncapsulationKey;
use crate::scheme::{Scheme, SchemeId, SchemeVisitor};
use alloc::string::String;
use alloc::vec;
use der::SecretDocument;
use der::asn1::ObjectIdentifier;
use zeroize::Zeroizing;

/// Reads the key of a parsed file.
struct Read<'a, F>(&'a F);

impl SchemeVisitor for Read<'_, PublicFile<'_>> {
    type Output = Result<AnyEncapsulationKey, KeyFileError>;
    fn visit<K: Scheme>(self) -> Self::Output {
        EncapsulationKey::<K>::from_public_file(self.0).map(Into::into)
    }
}

impl SchemeVisitor for Read<'_, PrivateFile<'_>> {
    type Output = Result<AnyDecapsulationKey, KeyFileError>;
    fn visit<K: Scheme>(self) -> Self::Output {
        DecapsulationKey::<K>::from_private_file(self.0).map(Into::into)
    }
}

/// Runs a reader for the scheme of an object identifier. Only profile `nr` has identifiers.
fn read<T, V: SchemeVisitor<Output = Result<T, KeyFileError>>>(
    found: ObjectIdentifier,
    visitor: V,
) -> Result<T, KeyFileError> {
    let scheme: Option<SchemeId> = scheme_of(found);
    scheme.and_then(|scheme| scheme.dispatch_nr(visitor)).unwrap_or(Err(KeyFileError::Algorithm(found)))
}

impl AnyEncapsulationKey {
    /// Reads a SubjectPublicKeyInfo in DER, which names the scheme.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_public_key_der(der: &[u8]) -> Result<Self, KeyFileError> {
        let file = PublicFile::parse(der)?;
        read(file.identifier(), Read(&file))
    }

    /// Reads PEM with the label `PUBLIC KEY`.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_public_key_pem(text: &str) -> Result<Self, KeyFileError> {
        Self::from_public_key_der(&public_from_pem(text)?)
    }

    /// Writes a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// [`KeyFileError::NoIdentifier`] in profiles without object identifiers.
    pub fn to_public_key_der(&self) -> Result<SecretDocument, KeyFileError> {
        PublicFile::write(needed(self.scheme())?, self.as_bytes())
    }

    /// Writes PEM with the label `PUBLIC KEY`.
    ///
    /// # Errors
    /// [`KeyFileError::NoIdentifier`] in profiles without object identifiers.
    pub fn to_public_key_pem(&self) -> Result<Zeroizing<String>, KeyFileError> {
        public_to_pem(&self.to_public_key_der()?)
    }
}

impl AnyDecapsulationKey {
    /// Reads a PKCS #8 PrivateKeyInfo in DER, which names the scheme, in any [`PrivateForm`].
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, KeyFileError> {
        let file = PrivateFile::parse(der)?;
        read(file.identifier(), Read(&file))
    }

    /// Reads PEM with the label `PRIVATE KEY`.
    ///
    /// # Errors
    /// [`KeyFileError`] with the reason for the refusal.
    pub fn from_pkcs8_pem(text: &str) -> Result<Self, KeyFileError> {
        Self::from_pkcs8_der(&private_from_pem(text)?)
    }

    /// Writes a PKCS #8 PrivateKeyInfo in DER, without the public key. The document is wiped when dropped.
    ///
    /// # Errors
    /// [`KeyFileError::NoIdentifier`] in profiles without object identifiers.
    pub fn to_pkcs8_der(&self, form: PrivateForm) -> Result<SecretDocument, KeyFileError> {
        let identifier = needed(self.scheme())?;
        let mut bytes = Zeroizing::new(vec![0; self.scheme().sizes().decapsulation_key]);
        self.to_bytes_into(&mut bytes)?;
        PrivateFile::write(identifier, form, self.as_seed(), &bytes)
    }

    /// Writes PEM with the label `PRIVATE KEY`. The text is wiped when dropped.
    ///
    /// # Errors
    /// [`KeyFileError::NoIdentifier`] in profiles without object identifiers.
    pub fn to_pkcs8_pem(&self, form: PrivateForm) -> Result<Zeroizing<String>, KeyFileError> {
        private_to_pem(&self.to_pkcs8_der(form)?)
    }
}
