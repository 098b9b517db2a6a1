//! ECDH: SEC 1, section 3.3.1, and SP 800-56A without the cofactor.
use crate::{PublicKey, SecretKey};
use alloc::vec;
use alloc::vec::Vec;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement, PointError};
use carryless_lanes::cleared;
use core::fmt;
use ctutils::{Choice, CtEq};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The shared secret of ECDH: the x coordinate of a point, in ceil(m / 8) bytes, most significant first.
/// Wiped when dropped; `==` takes constant time.
///
/// It is not uniformly distributed and thus no key itself. Derive keys from it by a KDF such as HKDF.
#[derive(Clone)]
pub struct SharedSecret(Zeroizing<Vec<u8>>);

impl SharedSecret {
    /// Returns the bytes of x, most significant first.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl<C: BinaryCurve> SecretKey<C> {
    /// Computes the secret shared with the owner of `public`, in constant time. The owner computes it
    /// from this key's public key.
    ///
    /// # Errors
    /// [`PointError::Infinity`] if d times the point is infinity. No public key gives that, as its order is n.
    pub fn diffie_hellman(&self, public: &PublicKey<C>) -> Result<SharedSecret, PointError> {
        // A `PublicKey` has order n, since it was validated in full. So the product needs no cofactor (SEC
        // 1, section 3.3.1).
        self.diffie_hellman_unvalidated(&Curve::new(), public.as_point())
    }

    /// Computes the shared secret with any point of the curve, on the backend of the caller's choice. Constant time.
    ///
    /// A point of low order reveals d modulo that order to anyone who sees the secret, or a message under a
    /// key derived from it. Use this function only with keys that are used once, or after validating the
    /// point in another way (partial validation in SP 800-56A).
    ///
    /// # Errors
    /// [`PointError::Infinity`] if d times the point is infinity.
    pub fn diffie_hellman_unvalidated(
        &self,
        curve: &Curve<C>,
        point: &AffinePoint<C>,
    ) -> Result<SharedSecret, PointError> {
        // The product leaves x in several places of its frame, which is cleared afterwards.
        cleared::<256, _>(|| self.agree(curve, point))
    }

    /// Computes the x coordinate of d times the point, most significant byte first. Whether the
    /// product is infinity is public.
    fn agree(&self, curve: &Curve<C>, point: &AffinePoint<C>) -> Result<SharedSecret, PointError> {
        let product = curve.mul(self.as_scalar(), point);
        // SEC 1 requires this check. At infinity `x` returns 0, which everybody would know.
        if product.is_infinity().to_bool() {
            return Err(PointError::Infinity);
        }
        let mut bytes = Zeroizing::new(vec![0; ElementOf::<C>::BYTES]);
        // The field stores elements with the least significant byte first; SEC 1, section 2.3.5, has the
        // opposite order.
        product.x().write_le_bytes(&mut bytes);
        bytes.reverse();
        Ok(SharedSecret(bytes))
    }
}

impl CtEq for SharedSecret {
    fn ct_eq(&self, other: &Self) -> Choice {
        // Secrets of different lengths belong to different curves; lengths are public.
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
