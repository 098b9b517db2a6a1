//! Public keys, validated when they are made.
use carryless_gf2::curve::{AffinePoint, BinaryCurve, EncodedPoint, PointError};
use core::fmt;

/// A public key: a point of the subgroup of order n, and not infinity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey<C: BinaryCurve>(AffinePoint<C>);

impl<C: BinaryCurve> PublicKey<C> {
    /// Validates a point fully and makes it a public key. Checking its order takes a product, about as
    /// long as a key agreement.
    ///
    /// # Errors
    /// [`PointError::Infinity`], or [`PointError::Order`] if n times the point is not infinity. Then its
    /// order divides the cofactor, or is a multiple of n.
    pub fn from_point(point: AffinePoint<C>) -> Result<Self, PointError> {
        if point.is_infinity().to_bool() {
            return Err(PointError::Infinity);
        }
        // A point outside this subgroup would reveal a secret key modulo its small order (small-subgroup
        // attack). All curves of this crate have such points.
        // SEC 1, section 3.2.2.1, step 4: n Q is infinity. An `AffinePoint` satisfies the equation already
        // (step 3).
        if point.is_in_prime_order_group().to_bool() { Ok(PublicKey(point)) } else { Err(PointError::Order) }
    }

    /// Reads a public key in SEC 1 encoding, section 2.3.4, and validates it fully. The bytes are 4 and both
    /// coordinates, or 2 or 3 and x. Each coordinate has ceil(m / 8) bytes, most significant first.
    ///
    /// # Errors
    /// [`PointError`] with the reason: no form of SEC 1, a wrong length, a coordinate outside the field, a
    /// point not on the curve, or an error of [`from_point`](PublicKey::from_point).
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, PointError> {
        Self::from_point(AffinePoint::from_sec1(bytes)?)
    }

    /// Makes a public key of d G without checks, where d is not 0 modulo n.
    pub(crate) fn of_multiple(point: AffinePoint<C>) -> Self {
        PublicKey(point)
    }

    /// Returns the uncompressed SEC 1 encoding: 4 and both coordinates, 1 + 2 ceil(m / 8) bytes.
    #[must_use]
    pub fn to_sec1(&self) -> EncodedPoint {
        self.0.to_sec1()
    }

    /// Returns the compressed SEC 1 encoding: 2 or 3 and x, 1 + ceil(m / 8) bytes. Reading it
    /// takes solving a quadratic equation.
    #[must_use]
    pub fn to_sec1_compressed(&self) -> EncodedPoint {
        self.0.to_sec1_compressed()
    }

    /// Returns the point in affine coordinates.
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
