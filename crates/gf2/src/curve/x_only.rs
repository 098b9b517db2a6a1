//! Points by the coordinate x alone.
use super::{AffinePoint, BinaryCurve, Curve, ElementOf, PointError, Scalar};
use core::fmt;
use ctutils::{Choice, CtEq, CtOption, CtSelect};
use zeroize::Zeroize;

/// P or -P, but not infinity: the coordinate x, which both have. k times it is the coordinate x of k P, which is what ECDH takes. All operations are constant time,
/// comparison with `==` included; `Debug` prints no coordinate.
///
/// ```
/// use carryless_gf2::curve::{AffinePoint, NistK163, Scalar, XOnlyPoint};
///
/// let g = AffinePoint::<NistK163>::generator();
/// let x = XOnlyPoint::from_affine(&g).expect("not infinity");
/// let product = x.mul(&Scalar::from_u64(7)).expect("not infinity");
/// assert_eq!(Some(product), XOnlyPoint::from_affine(&(g * Scalar::from_u64(7))).into_option());
/// ```
#[derive(Clone, Copy)]
pub struct XOnlyPoint<C: BinaryCurve>(ElementOf<C>);

impl<C: BinaryCurve> XOnlyPoint<C> {
    /// The points with this x.
    ///
    /// # Errors
    /// [`PointError::NotOnCurve`] if the curve has none, but its quadratic twist. Which it is, is public.
    pub fn new(x: ElementOf<C>) -> Result<Self, PointError> {
        AffinePoint::<C>::decompress(x, Choice::FALSE).map(|_| XOnlyPoint(x))
    }

    /// P without the sign; none at infinity.
    #[must_use]
    pub fn from_affine(p: &AffinePoint<C>) -> CtOption<Self> {
        CtOption::new(XOnlyPoint(*p.x()), !p.is_infinity())
    }

    /// x.
    #[must_use]
    pub fn x(&self) -> &ElementOf<C> {
        &self.0
    }

    /// The point with this x whose y / x has this lowest bit, as [`AffinePoint::decompress`].
    ///
    /// # Errors
    /// [`PointError::NotOnCurve`] if x is 0 and the bit is set.
    pub fn to_affine(&self, bit: Choice) -> Result<AffinePoint<C>, PointError> {
        AffinePoint::decompress(self.0, bit)
    }

    /// k P without the sign; none if that is infinity. [`Curve::mul_x`] on the best machine.
    #[must_use]
    pub fn mul(&self, k: &Scalar<C>) -> CtOption<Self> {
        Curve::new().mul_x(k, &self.0).map(XOnlyPoint)
    }
}

impl<C: BinaryCurve> CtEq for XOnlyPoint<C> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl<C: BinaryCurve> CtSelect for XOnlyPoint<C> {
    fn ct_select(&self, other: &Self, choice: Choice) -> Self {
        XOnlyPoint(self.0.ct_select(&other.0, choice))
    }
}

impl<C: BinaryCurve> PartialEq for XOnlyPoint<C> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl<C: BinaryCurve> Eq for XOnlyPoint<C> {}

impl<C: BinaryCurve> fmt::Debug for XOnlyPoint<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "XOnlyPoint<{}>(..)", C::NAME)
    }
}

impl<C: BinaryCurve> Zeroize for XOnlyPoint<C> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
