//! DSTU 4145-2002, Ukraine's standard of signatures, for a given hash of a message.
//!
//! Its ten curves in polynomial basis are [`DstuM163`](crate::curve::DstuM163) to
//! [`DstuM431`](crate::curve::DstuM431). The public key is -d G: the *inverse* of
//! [`SecretKey::public_key`](crate::SecretKey::public_key). Signatures are the pairs (r, s) of [`ecdsa`](crate::ecdsa).
//!
//! ```text
//! h                          the hash's bits as an element of the field; 1 if they are all 0
//! r = low bits of h x(e G)   as many as n has, less one; e is the nonce
//! s = e + r d mod n
//! ```
//!
//! A hash is a string of bytes whose first bit is the lowest one of its first byte, as implementations of GOST 34.311
//! and DSTU 7564 return it. Its first m bits count. Hash functions and the standard's key files are not here.
//!
//! Nonces are uniform from 1 to n - 1. Those of the standard have one bit fewer than n, which for some of the curves
//! means that their highest bit is always 0. Here they follow from the key and the hash as in RFC 6979, with `DSTU 4145` as
//! additional data (section 3.6). Thus a key that also signs by ECDSA has other nonces there.
//!
//! ```
//! use carryless_ec::SecretKey;
//! use carryless_ec::curve::DstuM163;
//! use carryless_ec::dstu4145::{Signature, SigningKey};
//! use sha2::Sha256;
//!
//! let hash = [0x5a; 32]; // of a message
//! let signer = SigningKey::<DstuM163, Sha256>::new(SecretKey::from_bytes(&[3; 21])?);
//! let bytes = signer.sign_prehash(&hash).to_dstu_bytes();
//!
//! let verifier = signer.verifying_key();
//! verifier.verify_prehash(&hash, &Signature::from_dstu_bytes(&bytes)?)?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
mod keys;
#[cfg(test)]
mod tests;

pub use crate::ecdsa::{Signature, SignatureError};
pub use keys::{SigningKey, VerifyingKey};

use alloc::vec;
use alloc::vec::Vec;
use carryless_gf2::curve::{BinaryCurve, CurveField, ElementOf, FieldElement, Scalar};

/// Returns the element h of a hash: its first bits, as many as an element has, or 1 if they are all 0.
fn element_of_hash<C: BinaryCurve>(hash: &[u8]) -> ElementOf<C> {
    let mut bytes = hash.to_vec();
    bytes.resize(ElementOf::<C>::BYTES, 0);
    // Over a quadratic extension an element has two parts of m bits.
    let (size, m) = (C::Field::DEGREE.div_ceil(8), C::Field::DEGREE);
    bytes.chunks_exact_mut(size).for_each(|part| keep_low_bits(part, m));
    let element = ElementOf::<C>::from_le_bytes(&bytes).expect("no bits from z^m on");
    if element.is_zero().to_bool() { ElementOf::<C>::one() } else { element }
}

/// Returns the number of the low bits of an element, one bit fewer than n has.
fn number<C: BinaryCurve>(element: &ElementOf<C>) -> Scalar<C> {
    let mut bytes = vec![0; ElementOf::<C>::BYTES];
    element.write_le_bytes(&mut bytes);
    bytes.resize(Scalar::<C>::BYTES, 0);
    keep_low_bits(&mut bytes, C::ORDER_BITS as usize - 1);
    bytes.reverse();
    // It is below n.
    Scalar::reduce_be_bytes(&bytes)
}

/// Clears all bits of a number but its lowest `bits`. The least significant byte is the first.
fn keep_low_bits(bytes: &mut [u8], bits: usize) {
    for (i, byte) in bytes.iter_mut().enumerate() {
        let kept = bits.saturating_sub(8 * i).min(8);
        *byte &= ((1_u16 << kept) - 1) as u8;
    }
}

/// Returns the signature of the hash of which h was made, by a nonce e whose point e G has the coordinate x. `None` if r or s
/// is 0, which is public.
fn pair<C: BinaryCurve>(
    h: &ElementOf<C>,
    x: &ElementOf<C>,
    e: &Scalar<C>,
    d: &Scalar<C>,
) -> Option<Signature<C>> {
    let r = number::<C>(&(*h * *x));
    Signature::from_scalars(r, r * *d + *e).ok()
}

/// The encoding of DSTU 4145.
impl<C: BinaryCurve> Signature<C> {
    /// Reads r, then s, least significant bytes first, in halves of equal length.
    ///
    /// # Errors
    /// [`SignatureError`] if the number of bytes is odd or less than [`BYTES`](Signature::BYTES), or r or s is out of range.
    pub fn from_dstu_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        if bytes.len() < Self::BYTES || !bytes.len().is_multiple_of(2) {
            return Err(SignatureError::Length { expected: Self::BYTES, found: bytes.len() });
        }
        let size = Scalar::<C>::BYTES;
        let scalar = |half: &[u8]| {
            let (low, high) = half.split_at(size);
            let number: Vec<u8> = low.iter().rev().copied().collect();
            if high.iter().all(|byte| *byte == 0) { Scalar::from_be_bytes(&number).ok() } else { None }
        };
        let (r, s) = bytes.split_at(bytes.len() / 2);
        Self::from_scalars(scalar(r).ok_or(SignatureError::R)?, scalar(s).ok_or(SignatureError::S)?)
    }

    /// Returns r, then s, least significant bytes first, each in ceil(log2 n / 8) bytes.
    #[must_use]
    pub fn to_dstu_bytes(&self) -> Vec<u8> {
        let mut bytes = self.to_bytes();
        bytes.chunks_exact_mut(Scalar::<C>::BYTES).for_each(<[u8]>::reverse);
        bytes
    }
}
