//! ECDH (SEC 1, section 3.3.1; SP 800-56A without the cofactor).
use crate::{PublicKey, SecretKey};
use alloc::vec;
use alloc::vec::Vec;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement, PointError};
use core::fmt;
use ctutils::{Choice, CtEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The x coordinate of a point that two parties share, in ceil(m / 8) bytes, most significant first. It is wiped when dropped; `==` is constant time.
///
/// It is not uniformly distributed: keys are derived from it by a KDF, such as HKDF.
#[derive(Clone)]
pub struct SharedSecret(Zeroizing<Vec<u8>>);

impl SharedSecret {
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl<C: BinaryCurve> SecretKey<C> {
    /// The secret that the owner of `public` computes from this key's public key.
    ///
    /// # Errors
    /// [`PointError::Infinity`] if d times the point is infinity, which no public key gives, as its order is n.
    pub fn diffie_hellman(&self, public: &PublicKey<C>) -> Result<SharedSecret, PointError> {
        self.diffie_hellman_unvalidated(&Curve::new(), public.as_point())
    }

    /// The same on a machine of one's choice, and with any point of the curve.
    ///
    /// A point of low order shows d modulo that order to whoever sees the secret, or a message under a key derived from it. This
    /// function is for protocols whose keys are used once, and for those that validate the point in another way; SP 800-56A calls it partial validation.
    ///
    /// # Errors
    /// [`PointError::Infinity`] if d times the point is infinity.
    pub fn diffie_hellman_unvalidated(
        &self,
        curve: &Curve<C>,
        point: &AffinePoint<C>,
    ) -> Result<SharedSecret, PointError> {
        let mut product = curve.mul(self.as_scalar(), point);
        let coordinates = product.coordinates();
        product.zeroize();
        let [mut x, mut y] = coordinates.ok_or(PointError::Infinity)?;
        let mut bytes = Zeroizing::new(vec![0; ElementOf::<C>::BYTES]);
        x.write_le_bytes(&mut bytes);
        bytes.reverse();
        x.zeroize();
        y.zeroize();
        Ok(SharedSecret(bytes))
    }
}

impl CtEq for SharedSecret {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.as_bytes().ct_eq(other.as_bytes())
    }
}

impl PartialEq for SharedSecret {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl Eq for SharedSecret {}

impl ZeroizeOnDrop for SharedSecret {}

impl fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedSecret({} bytes)", self.0.len())
    }
}
