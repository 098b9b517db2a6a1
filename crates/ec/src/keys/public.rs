//! Files of public keys: SubjectPublicKeyInfo, in DER and PEM.
use super::{EC_PUBLIC_KEY, KeyError, PointForm, check_algorithm, oid_of, pem};
use crate::PublicKey;
use alloc::string::String;
use alloc::vec::Vec;
use carryless_gf2::curve::{BinaryCurve, EncodedPoint};
use der::asn1::BitStringRef;
use der::pem::PemLabel as _;
use der::{Decode, Document, Encode};
use spki::{AlgorithmIdentifierRef, EncodePublicKey, SubjectPublicKeyInfoRef};

impl<C: BinaryCurve> PublicKey<C> {
    /// Reads a SubjectPublicKeyInfo (X.509, RFC 5480) in DER, with a point in either form. The key is validated fully.
    ///
    /// # Errors
    /// [`KeyError`] with the reason for the refusal.
    pub fn from_public_key_der(bytes: &[u8]) -> Result<Self, KeyError> {
        Self::from_info(&SubjectPublicKeyInfoRef::from_der(bytes)?)
    }

    /// Reads a SubjectPublicKeyInfo in PEM, with the label `PUBLIC KEY`. The key is validated fully.
    ///
    /// # Errors
    /// [`KeyError`] with the reason for the refusal.
    pub fn from_public_key_pem(text: &str) -> Result<Self, KeyError> {
        let (label, der) = pem::decode(text)?;
        // Checked before the bytes are parsed, so that a private key in the wrong place gets a clear error.
        if label != SubjectPublicKeyInfoRef::PEM_LABEL {
            return Err(KeyError::Label { expected: "public key" });
        }
        Self::from_public_key_der(&der)
    }

    /// Writes a SubjectPublicKeyInfo (X.509, RFC 5480) in DER, with a point in the given form.
    ///
    /// # Errors
    /// [`KeyError::NoIdentifier`] on a curve without an object identifier.
    pub fn to_public_key_der(&self, form: PointForm) -> Result<Vec<u8>, KeyError> {
        let (point, curve) = (self.encoded(form), oid_of::<C>()?);
        let algorithm = AlgorithmIdentifierRef { oid: EC_PUBLIC_KEY, parameters: Some((&curve).into()) };
        let subject_public_key = BitStringRef::from_bytes(point.as_ref())?;
        Ok(SubjectPublicKeyInfoRef { algorithm, subject_public_key }.to_der()?)
    }

    /// Writes a SubjectPublicKeyInfo in PEM, with the label `PUBLIC KEY` and a point in the given form.
    ///
    /// # Errors
    /// [`KeyError::NoIdentifier`] on a curve without an object identifier.
    pub fn to_public_key_pem(&self, form: PointForm) -> Result<String, KeyError> {
        let der = Document::try_from(self.to_public_key_der(form)?)?.into_secret();
        // `encode` returns a text that is wiped when dropped. This one is public, so it is moved out.
        Ok(core::mem::take(&mut *pem::encode::<SubjectPublicKeyInfoRef<'_>>(&der)?))
    }

    fn from_info(info: &SubjectPublicKeyInfoRef<'_>) -> Result<Self, KeyError> {
        check_algorithm::<C>(&info.algorithm)?;
        // `from_sec1` checks the point's order too, so that a file cannot bring in a point of low order.
        // RFC 5480, section 2.2: the bit string is the octets of the point, so it has no unused bits.
        Ok(Self::from_sec1(info.subject_public_key.as_bytes().ok_or(KeyError::Bits)?)?)
    }

    fn encoded(&self, form: PointForm) -> EncodedPoint {
        match form {
            PointForm::Uncompressed => self.to_sec1(),
            PointForm::Compressed => self.to_sec1_compressed(),
        }
    }
}

impl<C: BinaryCurve> TryFrom<SubjectPublicKeyInfoRef<'_>> for PublicKey<C> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        Self::from_info(&info).map_err(spki::Error::from)
    }
}

impl<C: BinaryCurve> EncodePublicKey for PublicKey<C> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        Ok(Document::try_from(self.to_public_key_der(PointForm::Uncompressed)?)?)
    }
}

impl From<KeyError> for spki::Error {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Der(error) | KeyError::Pem(error) => spki::Error::Asn1(error),
            KeyError::NoCurve => spki::Error::AlgorithmParametersMissing,
            KeyError::Algorithm(oid) | KeyError::Curve { found: oid, .. } => spki::Error::OidUnknown { oid },
            _ => spki::Error::KeyMalformed,
        }
    }
}
