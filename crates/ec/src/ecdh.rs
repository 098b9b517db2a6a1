//! ECDH (SEC 1, section 3.3.1; SP 800-56A without the cofactor).
use crate::{PublicKey, SecretKey};
use alloc::vec;
use alloc::vec::Vec;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement, PointError};
use carryless_lanes::cleared;
use core::fmt;
use ctutils::{Choice, CtEq};
use zeroize::{ZeroizeOnDrop, Zeroizing};

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
        // The frame of the product is cleared: x is in it in several places.
        cleared::<256, _>(|| self.agree(curve, point))
    }

    /// x of d times the point, most significant byte first. That the product is infinity is public.
    fn agree(&self, curve: &Curve<C>, point: &AffinePoint<C>) -> Result<SharedSecret, PointError> {
        let product = curve.mul(self.as_scalar(), point);
        if product.is_infinity().to_bool() {
            return Err(PointError::Infinity);
        }
        let mut bytes = Zeroizing::new(vec![0; ElementOf::<C>::BYTES]);
        product.x().write_le_bytes(&mut bytes);
        bytes.reverse();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_that_differ_in_a_bit_are_not_equal() {
        let secret = |bytes: &[u8]| SharedSecret(Zeroizing::new(bytes.to_vec()));
        let bytes = [0x5a; 21];
        assert_eq!(secret(&bytes), secret(&bytes));
        for bit in 0..8 * bytes.len() {
            let mut other = bytes;
            other[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(secret(&bytes), secret(&other), "bit {bit}");
        }
        assert_ne!(secret(&bytes), secret(&bytes[..20]));
    }
}
