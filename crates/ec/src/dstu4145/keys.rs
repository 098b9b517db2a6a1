//! Keys that sign and verify.
use super::{Signature, SignatureError, element_of_hash, number, pair};
use crate::ecdsa::{Nonces, leftmost_bits};
use crate::{PublicKey, SecretKey};
use alloc::vec;
use carryless_gf2::curve::{BinaryCurve, Curve, ElementOf, FieldElement, Scalar};
use carryless_lanes::cleared;
use core::fmt;
use core::marker::PhantomData;
use digest::Digest;
use digest::block_api::BlockSizeUser;
use signature::hazmat::{PrehashSigner, PrehashVerifier};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The additional data of nonces: other than those of ECDSA, which has none.
const DOMAIN: &[u8] = b"DSTU 4145";

/// A secret key that signs hashes. `D` is the hash function that derives nonces. The key is wiped when this is dropped.
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

    /// Signs a hash, in constant time, deterministically. The hash is public.
    ///
    /// The argument must be the hash of a message: for numbers that are no hashes, anyone can construct valid
    /// signatures.
    #[must_use]
    pub fn sign_prehash(&self, hash: &[u8]) -> Signature<C> {
        let h = element_of_hash::<C>(hash);
        // Hashes with the same h have the same signature, so h is what the nonce depends on.
        let mut seed = vec![0; ElementOf::<C>::BYTES];
        h.write_le_bytes(&mut seed);
        seed.extend_from_slice(DOMAIN);
        // The bytes of the key are a temporary, which is wiped at the end of this statement.
        let mut nonces = Nonces::<D>::new(&self.secret.to_bytes(), &seed);
        let mut nonce = Zeroizing::new(vec![0; Scalar::<C>::BYTES]);
        loop {
            nonces.next(&mut nonce);
            if let Some(signature) = sign_with_nonce(&self.curve, &self.secret, &h, &nonce) {
                return signature;
            }
        }
    }

    /// Computes the public key -d G, by a product in constant time.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey<C> {
        let point = *self.secret.public_key_on(&self.curve).as_point();
        // The inverse of a point of order n has order n.
        VerifyingKey::on(self.curve, PublicKey::of_multiple(-point))
    }
}

impl<C: BinaryCurve, D> fmt::Debug for SigningKey<C, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey<{}>(..)", C::NAME)
    }
}

impl<C: BinaryCurve, D> ZeroizeOnDrop for SigningKey<C, D> {}

impl<C: BinaryCurve, D: Digest + BlockSizeUser> PrehashSigner<Signature<C>> for SigningKey<C, D> {
    fn sign_prehash(&self, hash: &[u8]) -> Result<Signature<C>, signature::Error> {
        Ok(SigningKey::sign_prehash(self, hash))
    }
}

/// Signs with one nonce: its leftmost bits, as many as n has, are e.
///
/// Returns `None` unless 1 <= e < n, and if r or s is 0. That is public, and independent of the nonce that is used in
/// the end. Operators copy scalars: e and r d are in several places of the frame, all of which is cleared.
fn sign_with_nonce<C: BinaryCurve>(
    curve: &Curve<C>,
    secret: &SecretKey<C>,
    h: &ElementOf<C>,
    nonce: &[u8],
) -> Option<Signature<C>> {
    cleared::<1024, _>(|| {
        // Not reduced modulo n: the bias would reveal d from many signatures, by lattice reduction.
        let e = SecretKey::<C>::from_bytes(&leftmost_bits::<C>(nonce)).ok()?;
        let point = curve.mul_base(e.as_scalar());
        pair(h, point.x(), e.as_scalar(), secret.as_scalar())
    })
}

/// Returns whether r is the number of h x(s G + r Q). All inputs are public, and the time depends on them.
fn is_of_hash<C: BinaryCurve>(
    curve: &Curve<C>,
    public: &PublicKey<C>,
    hash: &[u8],
    signature: &Signature<C>,
) -> bool {
    let point = curve.mul_base_add_mul(signature.s(), signature.r(), public.as_point());
    let x = point.coordinates().map(|[x, _]| x);
    // No signature has infinity here.
    x.is_some_and(|x| number::<C>(&(element_of_hash::<C>(hash) * x)) == *signature.r())
}

/// A public key -d G that verifies signatures. All inputs are public, and the time depends on them.
#[derive(Clone)]
pub struct VerifyingKey<C: BinaryCurve> {
    public: PublicKey<C>,
    curve: Curve<C>,
}

impl<C: BinaryCurve> VerifyingKey<C> {
    /// Creates a verifier for the key -d G, on the best backend of this CPU.
    #[must_use]
    pub fn new(public: PublicKey<C>) -> Self {
        Self::on(Curve::new(), public)
    }

    /// Creates a verifier for the key -d G, on the backend of the caller's choice.
    #[must_use]
    pub fn on(curve: Curve<C>, public: PublicKey<C>) -> Self {
        VerifyingKey { public, curve }
    }

    /// Returns the public key under which signatures are verified.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey<C> {
        &self.public
    }

    /// Verifies a signature of a hash.
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

impl<C: BinaryCurve> fmt::Debug for VerifyingKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({:?})", self.public)
    }
}

impl<C: BinaryCurve> PrehashVerifier<Signature<C>> for VerifyingKey<C> {
    fn verify_prehash(&self, hash: &[u8], signature: &Signature<C>) -> Result<(), signature::Error> {
        Ok(VerifyingKey::verify_prehash(self, hash, signature)?)
    }
}
