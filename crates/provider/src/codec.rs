//! Key files: SubjectPublicKeyInfo (RFC 5280) and PKCS #8 (RFC 5958) in DER and PEM.
//!
//! No standard says yet how HQC keys are written. As in RustCrypto's `hqc-kem`, the public key is the bit string,
//! and the private key is the seed as `[0] IMPLICIT OCTET STRING`, which is what RFC 9935 has for ML-KEM.
use crate::error::Error;
use der::asn1::{BitStringRef, ContextSpecific, ObjectIdentifier, OctetStringRef};
use der::pem::{LineEnding, PemLabel};
use der::{Decode, Encode, Reader, SecretDocument, SliceReader, TagMode, TagNumber};
use pkcs8::PrivateKeyInfoRef;
use spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

/// The tag of the seed.
const SEED: TagNumber = TagNumber(0);

/// The structure of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// SubjectPublicKeyInfo, of a public key.
    Public,
    /// PKCS #8's PrivateKeyInfo, of a private key.
    Private,
}

impl Form {
    fn label(self) -> &'static str {
        match self {
            Form::Public => SubjectPublicKeyInfoRef::PEM_LABEL,
            Form::Private => PrivateKeyInfoRef::PEM_LABEL,
        }
    }
}

/// Writes a SubjectPublicKeyInfo.
///
/// # Errors
/// If the DER would be too long, which no key of HQC is.
pub(crate) fn encode_public(oid: ObjectIdentifier, key: &[u8]) -> Result<SecretDocument, Error> {
    let algorithm = AlgorithmIdentifierRef { oid, parameters: None };
    let subject_public_key = BitStringRef::from_bytes(key)?;
    Ok(SecretDocument::encode_msg(&SubjectPublicKeyInfoRef { algorithm, subject_public_key })?)
}

/// Writes a PrivateKeyInfo with the seed. The document is wiped when dropped.
///
/// # Errors
/// If the DER would be too long, which no seed is.
pub(crate) fn encode_private(oid: ObjectIdentifier, seed: &[u8]) -> Result<SecretDocument, Error> {
    let value = OctetStringRef::new(seed)?;
    let inner = ContextSpecific { tag_number: SEED, tag_mode: TagMode::Implicit, value };
    let inner = Zeroizing::new(inner.to_der()?);
    let algorithm = AlgorithmIdentifierRef { oid, parameters: None };
    let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(&inner)?);
    Ok(SecretDocument::encode_msg(&info)?)
}

/// Writes a document as PEM. The text is wiped when dropped.
///
/// # Errors
/// None for documents of this module.
pub(crate) fn pem(form: Form, document: &SecretDocument) -> Result<Zeroizing<String>, Error> {
    Ok(document.to_pem(form.label(), LineEnding::LF)?)
}

/// Returns the key in a SubjectPublicKeyInfo, or `None` if that is another structure or of another algorithm.
///
/// # Errors
/// If the structure names this algorithm and is malformed.
pub(crate) fn decode_public(oid: ObjectIdentifier, der: &[u8]) -> Result<Option<&[u8]>, Error> {
    let Ok(info) = SubjectPublicKeyInfoRef::from_der(der) else { return Ok(None) };
    if info.algorithm.oid != oid {
        return Ok(None);
    }
    check_parameters(&info.algorithm)?;
    let whole = || Error::Encoding("the bits of the public key are not whole bytes".into());
    info.subject_public_key.as_bytes().ok_or_else(whole).map(Some)
}

/// Returns the seed in a PrivateKeyInfo and the public key beside it, if there is one, or `None` if that is
/// another structure or of another algorithm.
///
/// # Errors
/// If the structure names this algorithm and is malformed.
pub(crate) fn decode_private(oid: ObjectIdentifier, der: &[u8]) -> Result<Option<Private<'_>>, Error> {
    let Ok(info) = PrivateKeyInfoRef::from_der(der) else { return Ok(None) };
    if info.algorithm.oid != oid {
        return Ok(None);
    }
    check_parameters(&info.algorithm)?;
    let mut reader = SliceReader::new(info.private_key.as_bytes())?;
    let seed = ContextSpecific::<&OctetStringRef>::decode_implicit(&mut reader, SEED)?
        .ok_or_else(|| Error::Encoding("the private key is not a seed".into()))?;
    reader.finish()?;
    let public = info.public_key.as_ref().and_then(BitStringRef::as_bytes);
    Ok(Some(Private { seed: seed.value.as_bytes(), public }))
}

/// The contents of a PrivateKeyInfo.
#[derive(Debug)]
pub(crate) struct Private<'a> {
    /// Of any length. Secret.
    pub(crate) seed: &'a [u8],
    /// To be compared with the one of the seed.
    pub(crate) public: Option<&'a [u8]>,
}

fn check_parameters(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(), Error> {
    match algorithm.parameters {
        None => Ok(()),
        Some(_) => Err(Error::Encoding("the algorithm has parameters, and HQC has none".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pkcs8::{EncodePrivateKey as _, EncodePublicKey as _};

    const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.4.4");
    const OTHER: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.4.5");

    #[test]
    fn files_are_those_of_rustcrypto() {
        let seed = [7; 32];
        let key = crate::hqc::from_seed(carryless_hqc::SchemeId::Hqc1, &seed).expect("a seed");
        let (ek, dk) = hqc_kem::hqc128::generate_key_deterministic(&seed);
        let ours = encode_public(OID, key.public().bytes()).expect("a key");
        assert_eq!(ours.as_bytes(), ek.to_public_key_der().expect("a key").as_bytes());
        let ours = encode_private(OID, &seed).expect("a seed");
        assert_eq!(ours.as_bytes(), dk.to_pkcs8_der().expect("a key").as_bytes());
    }

    #[test]
    fn documents_of_others_are_left_to_them() {
        let public = encode_public(OTHER, &[1; 9]).expect("short");
        let private = encode_private(OTHER, &[1; 9]).expect("short");
        for der in [public.as_bytes(), private.as_bytes(), b"", b"0", &[0x30, 0x82, 1, 1, 0]] {
            assert_eq!(decode_public(OID, der), Ok(None));
            assert!(decode_private(OID, der).expect("no error").is_none());
        }
    }

    #[test]
    fn every_changed_byte_is_found_or_changes_the_key() {
        let document = encode_private(OID, &[0x55; 32]).expect("short");
        let der = document.as_bytes();
        for at in 0..der.len() {
            let mut changed = der.to_vec();
            changed[at] ^= 1;
            if let Ok(Some(private)) = decode_private(OID, &changed) {
                // The last 32 bytes are the seed; the number of the version may be 0 or 1.
                assert!(at >= der.len() - 32 || at == 4, "byte {at} was ignored");
                assert!(at == 4 || private.seed != [0x55; 32]);
            }
            assert!(decode_private(OID, &der[..at]).expect("no DER").is_none());
        }
    }
}
