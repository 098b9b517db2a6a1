//! Files of secret keys: ECPrivateKey, alone and in PKCS #8.
use super::{EC_PUBLIC_KEY, KeyError, check_algorithm, check_curve, oid_of, pem};
use crate::{PublicKey, SecretKey};
use alloc::string::String;
use carryless_gf2::curve::{AffinePoint, BinaryCurve};
use der::asn1::OctetStringRef;
use der::pem::PemLabel as _;
use der::{Decode, ErrorKind, SecretDocument, Tag};
use pkcs8::{EncodePrivateKey, PrivateKeyInfoRef};
use sec1::{EcParameters, EcPrivateKey};
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

const ENCRYPTED_LABEL: &str = "ENCRYPTED PRIVATE KEY";

impl<C: BinaryCurve> SecretKey<C> {
    /// Reads a PKCS #8 `PrivateKeyInfo` in DER. If it contains a public key, that must belong to the secret key.
    ///
    /// # Errors
    /// [`KeyError`] with the reason for the refusal.
    pub fn from_pkcs8_der(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::from_info(&PrivateKeyInfoRef::from_der(bytes)?)
    }

    /// Writes a PKCS #8 `PrivateKeyInfo` in DER as OpenSSL does, with the public key. The
    /// document is wiped when dropped.
    ///
    /// # Errors
    /// [`KeyError::NoIdentifier`] on a curve without an object identifier.
    pub fn to_pkcs8_der(&self) -> Result<SecretDocument, KeyError> {
        let curve = oid_of::<C>()?;
        let algorithm = AlgorithmIdentifierRef { oid: EC_PUBLIC_KEY, parameters: Some((&curve).into()) };
        // In PKCS #8 the algorithm names the curve, so the inner structure does not repeat it.
        let inner = self.to_ec_private_key(None)?;
        // `inner` holds the secret and wipes itself; `info` borrows it.
        let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(inner.as_bytes())?);
        Ok(SecretDocument::encode_msg(&info)?)
    }

    /// Reads an `ECPrivateKey` of SEC 1 and RFC 5915 in DER, which must name its curve. If it contains a
    /// public key, that must belong to the secret key.
    ///
    /// # Errors
    /// [`KeyError`] with the reason for the refusal.
    pub fn from_sec1_der(bytes: &[u8]) -> Result<Self, KeyError> {
        let key = parse(bytes)?;
        // Optional in the ASN.1, since PKCS #8 names the curve outside. Alone, the structure must have it
        // (RFC 5915).
        if key.parameters.is_none() {
            return Err(KeyError::NoCurve);
        }
        Self::from_ec_private_key(&key)
    }

    /// Writes an `ECPrivateKey` of SEC 1 and RFC 5915 in DER as OpenSSL does, with the curve and the public
    /// key. The document is wiped when dropped.
    ///
    /// # Errors
    /// [`KeyError::NoIdentifier`] on a curve without an object identifier.
    pub fn to_sec1_der(&self) -> Result<SecretDocument, KeyError> {
        self.to_ec_private_key(Some(EcParameters::NamedCurve(oid_of::<C>()?)))
    }

    /// Reads PEM: PKCS #8 with the label `PRIVATE KEY`, or SEC 1 with `EC PRIVATE KEY`. A block
    /// `EC PARAMETERS` before it is skipped.
    ///
    /// # Errors
    /// [`KeyError`] with the reason for the refusal.
    pub fn from_pem(text: &str) -> Result<Self, KeyError> {
        let (label, der) = pem::decode(text)?;
        // The label decides. DER of the other structure behind it is refused.
        match label {
            PrivateKeyInfoRef::PEM_LABEL => Self::from_pkcs8_der(&der),
            EcPrivateKey::PEM_LABEL => Self::from_sec1_der(&der),
            ENCRYPTED_LABEL => Err(KeyError::Encrypted),
            _ => Err(KeyError::Label { expected: "private key" }),
        }
    }

    /// Writes PKCS #8 in PEM, with the label `PRIVATE KEY`. The text is wiped when dropped.
    ///
    /// # Errors
    /// [`KeyError::NoIdentifier`] on a curve without an object identifier.
    pub fn to_pkcs8_pem(&self) -> Result<Zeroizing<String>, KeyError> {
        pem::encode::<PrivateKeyInfoRef<'_>>(&self.to_pkcs8_der()?)
    }

    /// Writes SEC 1 in PEM, with the label `EC PRIVATE KEY`. The text is wiped when dropped.
    ///
    /// # Errors
    /// [`KeyError::NoIdentifier`] on a curve without an object identifier.
    pub fn to_sec1_pem(&self) -> Result<Zeroizing<String>, KeyError> {
        pem::encode::<EcPrivateKey<'_>>(&self.to_sec1_der()?)
    }

    fn from_info(info: &PrivateKeyInfoRef<'_>) -> Result<Self, KeyError> {
        check_algorithm::<C>(&info.algorithm)?;
        // The outer structure named the curve already, so the inner one need not.
        let key = Self::from_ec_private_key(&parse(info.private_key.as_bytes())?)?;
        // Version 2 of the structure (RFC 5958) may hold the public key outside of the inner structure.
        if let Some(public) = &info.public_key {
            key.check_public_key(public.as_bytes().ok_or(KeyError::Bits)?)?;
        }
        Ok(key)
    }

    fn from_ec_private_key(key: &EcPrivateKey<'_>) -> Result<Self, KeyError> {
        // Inside PKCS #8 the curve may be named twice. Both names must agree.
        if let Some(EcParameters::NamedCurve(oid)) = key.parameters {
            check_curve::<C>(oid)?;
        }
        // RFC 5915, section 3: ceil(log2 n / 8) bytes with leading zeros. Other lengths are refused.
        let secret = SecretKey::from_bytes(key.private_key)?;
        if let Some(public) = key.public_key {
            secret.check_public_key(public)?;
        }
        Ok(secret)
    }

    fn check_public_key(&self, bytes: &[u8]) -> Result<(), KeyError> {
        // A different point means that the file is damaged or was changed. The comparison takes a product by
        // the generator.
        let public = AffinePoint::from_sec1(bytes)?;
        if *self.public_key().as_point() == public { Ok(()) } else { Err(KeyError::PublicKeyMismatch) }
    }

    fn to_ec_private_key(&self, parameters: Option<EcParameters>) -> Result<SecretDocument, KeyError> {
        let (secret, public): (_, PublicKey<C>) = (self.to_bytes(), self.public_key());
        let public = public.to_sec1();
        // The secret stays in buffers that are wiped: `secret` here, and the document that is returned.
        let key = EcPrivateKey { private_key: &secret, parameters, public_key: Some(public.as_ref()) };
        Ok(SecretDocument::encode_msg(&key)?)
    }
}

/// Parses an `ECPrivateKey`. The crate `sec1` knows named curves only; its error for explicit parameters is translated.
fn parse(bytes: &[u8]) -> Result<EcPrivateKey<'_>, KeyError> {
    EcPrivateKey::from_der(bytes).map_err(|error| match error.kind() {
        ErrorKind::TagUnexpected { expected: Some(Tag::ObjectIdentifier), actual: Tag::Sequence } => {
            KeyError::ExplicitParameters
        }
        _ => KeyError::Der(error),
    })
}

impl<C: BinaryCurve> TryFrom<PrivateKeyInfoRef<'_>> for SecretKey<C> {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        Self::from_info(&info).map_err(pkcs8::Error::from)
    }
}

impl<C: BinaryCurve> EncodePrivateKey for SecretKey<C> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        Ok(SecretKey::to_pkcs8_der(self)?)
    }
}

impl From<KeyError> for pkcs8::Error {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Der(error) | KeyError::Pem(error) => pkcs8::Error::Asn1(error),
            KeyError::ExplicitParameters => pkcs8::Error::ParametersMalformed,
            // The errors of `pkcs8` are coarser: details are lost here, but no two meanings are mixed up.
            KeyError::Secret(_) | KeyError::PublicKeyMismatch => {
                pkcs8::Error::KeyMalformed(pkcs8::KeyError::Invalid)
            }
            other => pkcs8::Error::PublicKey(other.into()),
        }
    }
}
