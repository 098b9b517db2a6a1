//! Signatures, and their encodings: of fixed size, and in DER.
use alloc::vec;
use alloc::vec::Vec;
use carryless_gf2::curve::{BinaryCurve, Scalar};
use core::fmt;
use der::asn1::UintRef;
use der::{Decode, DecodeValue, Encode, EncodeValue, Header, Length, Reader, Sequence, Writer};

/// A signature (r, s), where both numbers are at least 1 and below n.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature<C: BinaryCurve> {
    r: Scalar<C>,
    s: Scalar<C>,
}

/// The reason why bytes are no signature, or a signature is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureError {
    /// The number of bytes is not twice ceil(log2 n / 8).
    Length {
        /// Bytes of a signature: twice ceil(log2 n / 8).
        expected: usize,
        /// Bytes that were passed to the reader.
        found: usize,
    },
    /// The bytes are not the DER of a sequence of two integers.
    Der(der::Error),
    /// r is not in the range from 1 to n - 1.
    R,
    /// s is not in the range from 1 to n - 1.
    S,
    /// The signature is not valid for this message and this key.
    Mismatch,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureError::Length { expected, found } => {
                write!(f, "a signature has {expected} bytes, not {found}")
            }
            SignatureError::Der(error) => write!(f, "the signature is not in DER: {error}"),
            SignatureError::R => write!(f, "r of the signature is 0, or not below the order of the curve"),
            SignatureError::S => write!(f, "s of the signature is 0, or not below the order of the curve"),
            SignatureError::Mismatch => write!(f, "the signature does not match the message and the key"),
        }
    }
}

impl core::error::Error for SignatureError {}

impl From<SignatureError> for signature::Error {
    fn from(error: SignatureError) -> Self {
        signature::Error::from_source(error)
    }
}

impl<C: BinaryCurve> Signature<C> {
    /// Number of bytes of the encoding of fixed size: twice ceil(log2 n / 8).
    pub const BYTES: usize = 2 * Scalar::<C>::BYTES;

    /// Makes a signature of the scalars r and s.
    ///
    /// # Errors
    /// [`SignatureError::R`] or [`SignatureError::S`] if one of them is zero.
    pub fn from_scalars(r: Scalar<C>, s: Scalar<C>) -> Result<Self, SignatureError> {
        // (0, 0) would match every message under every key: the verifier takes 1 / 0 as 0, so the sum of
        // points is infinity, whose x counts as 0 (compare CVE-2022-21449).
        if r.is_zero().to_bool() {
            Err(SignatureError::R)
        } else if s.is_zero().to_bool() {
            Err(SignatureError::S)
        } else {
            Ok(Signature { r, s })
        }
    }

    /// Returns r, the x coordinate of the nonce's point modulo n.
    #[must_use]
    pub fn r(&self) -> &Scalar<C> {
        &self.r
    }

    /// Returns s, which depends on the message and the secret key.
    #[must_use]
    pub fn s(&self) -> &Scalar<C> {
        &self.s
    }

    /// Reads a signature of fixed size: r, then s, each in ceil(log2 n / 8) bytes, most significant first.
    ///
    /// # Errors
    /// [`SignatureError`] if there are not [`BYTES`](Signature::BYTES) bytes, or r or s is out of range.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        if bytes.len() != Self::BYTES {
            return Err(SignatureError::Length { expected: Self::BYTES, found: bytes.len() });
        }
        let (r, s) = bytes.split_at(Scalar::<C>::BYTES);
        Self::from_scalars(scalar(r).ok_or(SignatureError::R)?, scalar(s).ok_or(SignatureError::S)?)
    }

    /// Returns the encoding of fixed size, which [`from_bytes`](Signature::from_bytes) reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Self::BYTES];
        let (r, s) = bytes.split_at_mut(Scalar::<C>::BYTES);
        self.r.write_be_bytes(r);
        self.s.write_be_bytes(s);
        bytes
    }

    /// Reads a signature in DER: a sequence of the integers r and s, as X9.62 and OpenSSL write it.
    ///
    /// # Errors
    /// [`SignatureError`] if the bytes differ from the one encoding that [`to_der`](Signature::to_der)
    /// writes, or r or s is out of range.
    pub fn from_der(bytes: &[u8]) -> Result<Self, SignatureError> {
        // Strict DER: other encodings of the same numbers would make signatures malleable.
        let Integers { r, s } = Integers::from_der(bytes).map_err(SignatureError::Der)?;
        let r = scalar(r.as_bytes()).ok_or(SignatureError::R)?;
        let s = scalar(s.as_bytes()).ok_or(SignatureError::S)?;
        Self::from_scalars(r, s)
    }

    /// Returns the encoding in DER: a sequence of the integers r and s.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        let bytes = self.to_bytes();
        let (r, s) = bytes.split_at(Scalar::<C>::BYTES);
        // `UintRef` strips leading zeros, and writes one back where the top bit would make the number
        // negative.
        let integer = |bytes| UintRef::new(bytes).expect("at most 72 bytes");
        Integers { r: integer(r), s: integer(s) }.to_der().expect("at most 151 bytes")
    }
}

/// Returns the scalar of an integer, most significant byte first, or `None` if it is n or larger.
fn scalar<C: BinaryCurve>(bytes: &[u8]) -> Option<Scalar<C>> {
    // Signatures are public, so this copy is not wiped.
    let mut padded = vec![0; Scalar::<C>::BYTES];
    // A DER integer has no leading zeros, so that more bytes than n has mean a larger number.
    let start = padded.len().checked_sub(bytes.len())?;
    padded[start..].copy_from_slice(bytes);
    Scalar::from_be_bytes(&padded).ok()
}

/// `ECDSA-Sig-Value` of X9.62: SEQUENCE { r INTEGER, s INTEGER }.
struct Integers<'a> {
    r: UintRef<'a>,
    s: UintRef<'a>,
}

impl<'a> DecodeValue<'a> for Integers<'a> {
    type Error = der::Error;

    fn decode_value<R: Reader<'a>>(reader: &mut R, _: Header) -> der::Result<Self> {
        Ok(Integers { r: reader.decode()?, s: reader.decode()? })
    }
}

impl EncodeValue for Integers<'_> {
    fn value_len(&self) -> der::Result<Length> {
        self.r.encoded_len()? + self.s.encoded_len()?
    }

    fn encode_value(&self, writer: &mut impl Writer) -> der::Result<()> {
        self.r.encode(writer)?;
        self.s.encode(writer)
    }
}

impl<'a> Sequence<'a> for Integers<'a> {}

impl<C: BinaryCurve> TryFrom<&[u8]> for Signature<C> {
    type Error = SignatureError;

    fn try_from(bytes: &[u8]) -> Result<Self, SignatureError> {
        Self::from_bytes(bytes)
    }
}

impl<C: BinaryCurve> From<Signature<C>> for Vec<u8> {
    fn from(signature: Signature<C>) -> Vec<u8> {
        Signature::to_bytes(&signature)
    }
}

impl<C: BinaryCurve> signature::SignatureEncoding for Signature<C> {
    type Repr = Vec<u8>;
}

impl<C: BinaryCurve> fmt::Debug for Signature<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature<{}>(", C::NAME)?;
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, ")")
    }
}
