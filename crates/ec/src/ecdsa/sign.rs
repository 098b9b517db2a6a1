//! Signing and verifying: FIPS 186-4, section 6, and SEC 1, section 4.1.
use super::{Nonces, Signature, SignatureError, leftmost_bits, x_mod_order};
use crate::{PublicKey, SecretKey};
use alloc::vec;
use carryless_gf2::curve::{BinaryCurve, Curve, Scalar};
use carryless_lanes::cleared;
use core::fmt;
use core::marker::PhantomData;
use digest::Digest;
use digest::block_api::BlockSizeUser;
use signature::hazmat::{PrehashSigner, PrehashVerifier};
use signature::{Signer, Verifier};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A secret key that signs messages hashed by `D`. The key is wiped when this is dropped.
#[derive(Clone)]
pub struct SigningKey<C: BinaryCurve, D> {
    secret: SecretKey<C>,
    curve: Curve<C>,
    hash: PhantomData<D>,
}

impl<C: BinaryCurve, D: Digest + BlockSizeUser> SigningKey<C, D> {
    /// Creates a signer that computes on the best backend of this CPU.
    #[must_use]
    pub fn new(secret: SecretKey<C>) -> Self {
        Self::on(Curve::new(), secret)
    }

    /// Creates a signer that computes on the backend of the caller's choice.
    #[must_use]
    pub fn on(curve: Curve<C>, secret: SecretKey<C>) -> Self {
        SigningKey { secret, curve, hash: PhantomData }
    }

    /// Signs a message, in constant time. The signature is deterministic (RFC 6979).
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Signature<C> {
        self.sign_prehash(&D::digest(message))
    }

    /// Signs a hash, in constant time. Its leftmost bits count, as many as n has. The hash may be of any
    /// function; `D` only derives the nonce.
    ///
    /// The argument must be the hash of a message: for numbers that are no hashes,
    /// anyone can construct valid signatures.
    #[must_use]
    pub fn sign_prehash(&self, hash: &[u8]) -> Signature<C> {
        // `bits2octets` of RFC 6979: the hash reduced modulo n, both for the signature and as an input of the
        // nonce.
        let e = Scalar::<C>::reduce_be_bytes(&leftmost_bits::<C>(hash));
        let mut bytes = Zeroizing::new(vec![0; Scalar::<C>::BYTES]);
        e.write_be_bytes(&mut bytes);
        // The bytes of the key are a temporary, which is wiped at the end of this statement.
        let mut nonces = Nonces::<D>::new(&self.secret.to_bytes(), &bytes);
        loop {
            // A candidate fails if it is n or larger, for some curves almost every second one. That r or s is
            // 0 does not happen in practice.
            nonces.next(&mut bytes);
            if let Some(signature) = sign_with_nonce(&self.curve, &self.secret, &e, &bytes) {
                return signature;
            }
        }
    }

    /// Computes the public key, by a product in constant time.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey<C, D> {
        VerifyingKey::on(self.curve, self.secret.public_key_on(&self.curve))
    }
}

impl<C: BinaryCurve, D> fmt::Debug for SigningKey<C, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey<{}>(..)", C::NAME)
    }
}

impl<C: BinaryCurve, D> ZeroizeOnDrop for SigningKey<C, D> {}

impl<C: BinaryCurve, D: Digest + BlockSizeUser> Signer<Signature<C>> for SigningKey<C, D> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature<C>, signature::Error> {
        Ok(SigningKey::sign(self, message))
    }
}

impl<C: BinaryCurve, D: Digest + BlockSizeUser> PrehashSigner<Signature<C>> for SigningKey<C, D> {
    fn sign_prehash(&self, hash: &[u8]) -> Result<Signature<C>, signature::Error> {
        Ok(SigningKey::sign_prehash(self, hash))
    }
}

/// Signs the hash `e` with one nonce: r = x(k G) mod n and s = (e + r d) / k. The number k is the leftmost
/// bits of `nonce`, as many as n has.
///
/// Returns `None` unless 1 <= k < n, and if r or s is 0. That is public, and independent of the nonce that
/// is used in the end.
///
/// No type of hash function is a parameter, so that each curve compiles this once. Operators copy scalars: k,
/// 1 / k and e + r d are in several places of the frame, all of which is cleared.
fn sign_with_nonce<C: BinaryCurve>(
    curve: &Curve<C>,
    secret: &SecretKey<C>,
    e: &Scalar<C>,
    nonce: &[u8],
) -> Option<Signature<C>> {
    cleared::<1024, _>(|| {
        // A nonce must not be reduced modulo n: the bias would reveal d from many signatures, by lattice
        // reduction.
        let k = SecretKey::<C>::from_bytes(&leftmost_bits::<C>(nonce)).ok()?;
        let r = x_mod_order(&curve.mul_base(k.as_scalar()));
        // Constant time: partial information about 1 / k reveals d as well.
        let inverse = k.as_scalar().invert().unwrap_or_default();
        // d = (s k - e) / r: whoever learns k has the key, so no time here may depend on k.
        let sum = r * *secret.as_scalar() + *e;
        Signature::from_scalars(r, sum * inverse).ok()
    })
}

/// Returns whether r = x((e / s) G + (r / s) P) mod n. All inputs are public, and the time depends on them.
///
/// No type of hash function is a parameter, so that each curve compiles this once.
#[inline(never)]
fn is_of_hash<C: BinaryCurve>(
    curve: &Curve<C>,
    public: &PublicKey<C>,
    hash: &[u8],
    signature: &Signature<C>,
) -> bool {
    let e = Scalar::<C>::reduce_be_bytes(&leftmost_bits::<C>(hash));
    // s is not 0: `Signature` refuses that, as FIPS 186-5 and SEC 1 require before anything is computed.
    let inverse = signature.s().invert_vartime().unwrap_or_default();
    let (base, key) = (e * inverse, *signature.r() * inverse);
    let point = curve.mul_base_add_mul(&base, &key, public.as_point());
    // For infinity `x_mod_order` returns 0, which differs from r: a signature has r from 1 to n - 1.
    x_mod_order(&point) == *signature.r()
}

/// A public key that verifies signatures of messages hashed by `D`. All inputs are public, and
/// the time depends on them.
#[derive(Clone)]
pub struct VerifyingKey<C: BinaryCurve, D> {
    public: PublicKey<C>,
    curve: Curve<C>,
    hash: PhantomData<D>,
}

impl<C: BinaryCurve, D: Digest> VerifyingKey<C, D> {
    /// Creates a verifier that computes on the best backend of this CPU.
    #[must_use]
    pub fn new(public: PublicKey<C>) -> Self {
        Self::on(Curve::new(), public)
    }

    /// Creates a verifier that computes on the backend of the caller's choice.
    #[must_use]
    pub fn on(curve: Curve<C>, public: PublicKey<C>) -> Self {
        VerifyingKey { public, curve, hash: PhantomData }
    }

    /// Returns the public key under which signatures are verified.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey<C> {
        &self.public
    }

    /// Verifies a signature of a message. `Ok` means that it is valid.
    ///
    /// # Errors
    /// [`SignatureError::Mismatch`] if the signature is not valid.
    pub fn verify(&self, message: &[u8], signature: &Signature<C>) -> Result<(), SignatureError> {
        self.verify_prehash(&D::digest(message), signature)
    }

    /// Verifies a signature of a hash. The leftmost bits of the hash count, as many as n has.
    ///
    /// # Errors
    /// [`SignatureError::Mismatch`] if the signature is not valid.
    pub fn verify_prehash(&self, hash: &[u8], signature: &Signature<C>) -> Result<(), SignatureError> {
        if is_of_hash(&self.curve, &self.public, hash, signature) {
            Ok(())
        } else {
            Err(SignatureError::Mismatch)
        }
    }
}

impl<C: BinaryCurve, D> fmt::Debug for VerifyingKey<C, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({:?})", self.public)
    }
}

impl<C: BinaryCurve, D: Digest> Verifier<Signature<C>> for VerifyingKey<C, D> {
    fn verify(&self, message: &[u8], signature: &Signature<C>) -> Result<(), signature::Error> {
        Ok(VerifyingKey::verify(self, message, signature)?)
    }
}

impl<C: BinaryCurve, D: Digest> PrehashVerifier<Signature<C>> for VerifyingKey<C, D> {
    fn verify_prehash(&self, hash: &[u8], signature: &Signature<C>) -> Result<(), signature::Error> {
        Ok(VerifyingKey::verify_prehash(self, hash, signature)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carryless_gf2::curve::{AffinePoint, Sect163k1};
    use std::vec::Vec;

    type C = Sect163k1;

    /// Returns the bytes of a nonce whose first 163 bits are this number. 163 bits are three more than whole bytes.
    fn nonce(number: &[u8]) -> Vec<u8> {
        let shifted = |i: usize| u16::from_be_bytes([number[i], *number.get(i + 1).unwrap_or(&0)]) << 5 >> 8;
        (0..number.len()).map(|i| shifted(i) as u8).collect()
    }

    #[test]
    fn nonces_and_sums_that_make_no_signature() {
        let (curve, secret) =
            (Curve::<C>::new(), SecretKey::from_scalar(Scalar::from_u64(77)).expect("a key"));
        let bytes = |k: Scalar<C>, add: u8| {
            let mut bytes = vec![0; Scalar::<C>::BYTES];
            k.write_be_bytes(&mut bytes);
            *bytes.last_mut().expect("it has bytes") += add;
            nonce(&bytes)
        };
        let sign = |e: Scalar<C>, nonce: &[u8]| sign_with_nonce(&curve, &secret, &e, nonce);
        let (one, last) = (Scalar::<C>::one(), -Scalar::<C>::one());
        let x = x_mod_order(&AffinePoint::<C>::generator());
        // k = 1: r = x(G), s = e + r d. k = n - 1: the same r, and the negative s.
        for (k, sign_of_s) in [(one, one), (last, last)] {
            let e = Scalar::from_u64(5);
            let expected = Signature::from_scalars(x, (e + x * *secret.as_scalar()) * sign_of_s).ok();
            assert_eq!(sign(e, &bytes(k, 0)), expected);
            assert!(expected.is_some());
        }
        // 0, n and all ones are no nonces; with e = -r d, s is 0.
        assert_eq!(sign(one, &bytes(Scalar::zero(), 0)), None);
        assert_eq!(sign(one, &bytes(last, 1)), None);
        assert_eq!(sign(one, &[0xff; 21]), None);
        assert_eq!(sign(-(x * *secret.as_scalar()), &bytes(one, 0)), None);
    }
}
