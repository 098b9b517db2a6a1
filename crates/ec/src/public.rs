//! Public keys.
use carryless_gf2::curve::{AffinePoint, BinaryCurve, EncodedPoint, PointError};
use core::fmt;

/// A public key: a multiple of the generator, not infinity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey<C: BinaryCurve>(AffinePoint<C>);

impl<C: BinaryCurve> PublicKey<C> {
    /// The key that is this point. Its order is checked by a product, which takes as long as a key agreement.
    ///
    /// # Errors
    /// [`PointError::Infinity`], or [`PointError::Order`] if n times the point is not infinity: it has low order, or its order is another multiple of n.
    pub fn from_point(point: AffinePoint<C>) -> Result<Self, PointError> {
        if point.is_infinity().to_bool() {
            return Err(PointError::Infinity);
        }
        if point.is_in_prime_order_group().to_bool() { Ok(PublicKey(point)) } else { Err(PointError::Order) }
    }

    /// The key with these bytes of SEC 1: 4 and both coordinates, or 2 or 3 and the first one, each in ceil(m / 8) bytes.
    ///
    /// # Errors
    /// [`PointError`] with the reason: no form of SEC 1, a wrong length, a coordinate that is no element of the field, a point that is not on the curve, and
    /// those of [`from_point`](PublicKey::from_point).
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, PointError> {
        Self::from_point(AffinePoint::from_sec1(bytes)?)
    }

    /// d G for a d that is not 0 modulo n.
    pub(crate) fn of_multiple(point: AffinePoint<C>) -> Self {
        PublicKey(point)
    }

    /// 4 and both coordinates.
    #[must_use]
    pub fn to_sec1(&self) -> EncodedPoint {
        self.0.to_sec1()
    }

    /// 2 or 3 and the first coordinate.
    #[must_use]
    pub fn to_sec1_compressed(&self) -> EncodedPoint {
        self.0.to_sec1_compressed()
    }

    /// The point.
    #[must_use]
    pub fn as_point(&self) -> &AffinePoint<C> {
        &self.0
    }
}

impl<C: BinaryCurve> TryFrom<AffinePoint<C>> for PublicKey<C> {
    type Error = PointError;

    fn try_from(point: AffinePoint<C>) -> Result<Self, PointError> {
        Self::from_point(point)
    }
}

impl<C: BinaryCurve> fmt::Debug for PublicKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey<{}>(", C::NAME)?;
        self.to_sec1_compressed().as_ref().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, ")")
    }
}
