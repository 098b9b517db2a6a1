//! ECDSA (FIPS 186-4, SEC 1) with the nonces of RFC 6979.
//!
//! ```
//! use carryless_ec::curve::NistK163;
//! use carryless_ec::ecdsa::{Signature, SigningKey, VerifyingKey};
//! use carryless_ec::{PublicKey, SecretKey};
//! use sha2::Sha256;
//!
//! let secret = SecretKey::<NistK163>::from_bytes(&[3; 21])?;
//! let signer = SigningKey::<NistK163, Sha256>::new(secret.clone());
//! let bytes = signer.sign(b"carryless").to_der();
//!
//! let verifier = VerifyingKey::<NistK163, Sha256>::new(secret.public_key());
//! verifier.verify(b"carryless", &Signature::from_der(&bytes)?)?;
//! assert!(verifier.verify(b"careless", &Signature::from_der(&bytes)?).is_err());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
mod nonce;
mod sign;
mod signature;

pub(crate) use nonce::Nonces;
pub use sign::{SigningKey, VerifyingKey};
pub use signature::{Signature, SignatureError};

use alloc::vec;
use alloc::vec::Vec;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, ElementOf, FieldElement, Scalar};
use zeroize::Zeroizing;

/// Returns the leftmost bits of a string, as many as n has, as a number in ceil(log2 n / 8) bytes. Shorter
/// strings are numbers as they are. This is `bits2int` of RFC 6979, section 2.3.2.
pub(crate) fn leftmost_bits<C: BinaryCurve>(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    let size = Scalar::<C>::BYTES;
    // Bytes beyond the length of n hold no bit that counts.
    let kept = &bytes[..bytes.len().min(size)];
    // n need not have whole bytes: the last bits of the last byte are shifted out.
    let shift = (8 * kept.len() as u32).saturating_sub(C::ORDER_BITS);
    let mut number = Zeroizing::new(vec![0; size]);
    let mut above = 0;
    for (out, byte) in number[size - kept.len()..].iter_mut().zip(kept) {
        *out = (u16::from_be_bytes([above, *byte]) >> shift) as u8;
        above = *byte;
    }
    number
}

/// Returns the x coordinate of a point, as an integer modulo n, or 0 for infinity. Whether the
/// point is infinity is public.
fn x_mod_order<C: BinaryCurve>(point: &AffinePoint<C>) -> Scalar<C> {
    let Some([x, _]) = point.coordinates() else { return Scalar::zero() };
    let mut bytes = Zeroizing::new(vec![0; ElementOf::<C>::BYTES]);
    // The field stores elements little-endian, and SEC 1 reads them as big-endian integers.
    x.write_le_bytes(&mut bytes);
    bytes.reverse();
    let (high, low) = bytes.split_at(bytes.len().saturating_sub(Scalar::<C>::BYTES));
    if high.is_empty() {
        return Scalar::reduce_be_bytes(low);
    }
    // Some cofactors have more than eight bits, so that n has fewer bytes than a coordinate. Then x is high
    // 256^b + low, where b is the number of bytes of n. 256^b has one byte more than a scalar, so it is made
    // of 256^(b-1) and 256.
    let mut radix = vec![0; Scalar::<C>::BYTES];
    radix[0] = 1;
    let radix = Scalar::reduce_be_bytes(&radix) * Scalar::from_u64(256);
    Scalar::reduce_be_bytes(high) * radix + Scalar::reduce_be_bytes(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carryless_gf2::curve::{C2tnb431r1, Sect163k1, Sect233k1};
    use std::string::String;

    #[test]
    fn the_first_bits_of_a_hash_are_kept() {
        // 163 bits of n: 160 bits are a number as they are, of 168 and more the first 163 remain.
        assert_eq!(leftmost_bits::<Sect163k1>(&[0xff; 20])[..], [&[0][..], &[0xff; 20]].concat());
        assert_eq!(leftmost_bits::<Sect163k1>(&[0xff; 21])[..], [&[7][..], &[0xff; 20]].concat());
        assert_eq!(leftmost_bits::<Sect163k1>(&[0xff; 64])[..], [&[7][..], &[0xff; 20]].concat());
        // 232 bits are whole bytes.
        let hash: Vec<u8> = (0..64).collect();
        assert_eq!(leftmost_bits::<Sect233k1>(&hash)[..], hash[..29]);
        assert_eq!(leftmost_bits::<Sect233k1>(&[])[..], [0; 29]);
    }

    #[test]
    fn a_coordinate_longer_than_the_order_is_reduced() {
        let g = AffinePoint::<C2tnb431r1>::generator();
        // x of the generator modulo n, by big integers elsewhere.
        let expected = "011f732dc6bf8f4077c4531f178214bbcf31d6542538b7873fe99e4b4d0d5e5607607a5c277680d6c602f97d0fee8e092a0678b549";
        let mut bytes = [0; 53];
        x_mod_order(&g).write_be_bytes(&mut bytes);
        assert_eq!(bytes.iter().map(|byte| std::format!("{byte:02x}")).collect::<String>(), expected);
        assert_eq!(x_mod_order(&AffinePoint::<C2tnb431r1>::infinity()), Scalar::zero());
    }
}
