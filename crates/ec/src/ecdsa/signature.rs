//! Signatures and their two encodings.
use alloc::vec;
use alloc::vec::Vec;
use carryless_gf2::curve::{BinaryCurve, Scalar};
use core::fmt;
use der::asn1::UintRef;
use der::{Decode, DecodeValue, Encode, EncodeValue, Header, Length, Reader, Sequence, Writer};

/// A signature: r and s, both at least 1 and below n.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature<C: BinaryCurve> {
    r: Scalar<C>,
    s: Scalar<C>,
}

/// Why bytes are no signature, or a signature is none of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureError {
    /// Not twice ceil(log2 n / 8) bytes.
    Length {
        /// Twice ceil(log2 n / 8).
        expected: usize,
        /// What there was.
        found: usize,
    },
    /// Not the DER of a sequence of two integers.
    Der(der::Error),
    /// r is 0, or n or more.
    R,
    /// s is 0, or n or more.
    S,
    /// The signature is not one of this message under this key.
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
    /// How many bytes the encoding of fixed size has.
    pub const BYTES: usize = 2 * Scalar::<C>::BYTES;

    /// The signature (r, s).
    ///
    /// # Errors
    /// [`SignatureError::R`] or [`SignatureError::S`] for zero.
    pub fn from_scalars(r: Scalar<C>, s: Scalar<C>) -> Result<Self, SignatureError> {
        if r.is_zero().to_bool() {
            Err(SignatureError::R)
        } else if s.is_zero().to_bool() {
            Err(SignatureError::S)
        } else {
            Ok(Signature { r, s })
        }
    }

    /// r.
    #[must_use]
    pub fn r(&self) -> &Scalar<C> {
        &self.r
    }

    /// s.
    #[must_use]
    pub fn s(&self) -> &Scalar<C> {
        &self.s
    }

    /// The signature with these bytes: r, then s, each in ceil(log2 n / 8) bytes, most significant first.
    ///
    /// # Errors
    /// [`SignatureError`] if there are not [`BYTES`](Signature::BYTES) of them, or r or s is out of range.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        if bytes.len() != Self::BYTES {
            return Err(SignatureError::Length { expected: Self::BYTES, found: bytes.len() });
        }
        let (r, s) = bytes.split_at(Scalar::<C>::BYTES);
        Self::from_scalars(scalar(r).ok_or(SignatureError::R)?, scalar(s).ok_or(SignatureError::S)?)
    }

    /// The bytes that [`from_bytes`](Signature::from_bytes) reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Self::BYTES];
        let (r, s) = bytes.split_at_mut(Scalar::<C>::BYTES);
        self.r.write_be_bytes(r);
        self.s.write_be_bytes(s);
        bytes
    }

    /// The signature in this DER, a sequence of the integers r and s, as X9.62 and OpenSSL write it.
    ///
    /// # Errors
    /// [`SignatureError`] for anything else but the one encoding that [`to_der`](Signature::to_der) writes, and if r or s is out of range.
    pub fn from_der(bytes: &[u8]) -> Result<Self, SignatureError> {
        let Integers { r, s } = Integers::from_der(bytes).map_err(SignatureError::Der)?;
        let r = scalar(r.as_bytes()).ok_or(SignatureError::R)?;
        let s = scalar(s.as_bytes()).ok_or(SignatureError::S)?;
        Self::from_scalars(r, s)
    }

    /// The sequence of the integers r and s in DER.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        let bytes = self.to_bytes();
        let (r, s) = bytes.split_at(Scalar::<C>::BYTES);
        let integer = |bytes| UintRef::new(bytes).expect("at most 72 bytes");
        Integers { r: integer(r), s: integer(s) }.to_der().expect("at most 151 bytes")
    }
}

/// The scalar of an integer of any length; none if it is not below n.
fn scalar<C: BinaryCurve>(bytes: &[u8]) -> Option<Scalar<C>> {
    let mut padded = vec![0; Scalar::<C>::BYTES];
    let start = padded.len().checked_sub(bytes.len())?;
    padded[start..].copy_from_slice(bytes);
    Scalar::from_be_bytes(&padded).ok()
}

/// `ECDSA-Sig-Value` of X9.62.
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
