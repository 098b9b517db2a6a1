//! Points given by the coordinate x alone.
use super::{AffinePoint, BinaryCurve, Curve, ElementOf, PointError, Scalar};
use core::fmt;
use ctutils::{Choice, CtEq, CtOption, CtSelect};
use zeroize::Zeroize;

/// A point up to its sign: the coordinate x, which P and -P share. It is not infinity.
///
/// Multiplying it by k gives the coordinate x of k P, which is what ECDH needs. All operations are constant
/// time, including comparison with `==`. `Debug` prints no coordinates.
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
    /// The pair of points with this coordinate x.
    ///
    /// # Errors
    /// [`PointError::NotOnCurve`] if no point of the curve has this x: then it belongs to the quadratic twist.
    /// Whether it does is public.
    pub fn new(x: ElementOf<C>) -> Result<Self, PointError> {
        // An inversion and a half-trace tell whether there is a y; either of both serves. The sign is
        // dropped.
        AffinePoint::<C>::decompress(x, Choice::FALSE).map(|_| XOnlyPoint(x))
    }

    /// The point without its sign, or none for infinity.
    #[must_use]
    pub fn from_affine(p: &AffinePoint<C>) -> CtOption<Self> {
        CtOption::new(XOnlyPoint(*p.x()), !p.is_infinity())
    }

    /// The coordinate x, an element of the field.
    #[must_use]
    pub fn x(&self) -> &ElementOf<C> {
        &self.0
    }

    /// The point with this x for which y / x has this lowest bit, as [`AffinePoint::decompress`].
    ///
    /// # Errors
    /// [`PointError::NotOnCurve`] if x is 0 and the bit is set.
    pub fn to_affine(&self, bit: Choice) -> Result<AffinePoint<C>, PointError> {
        AffinePoint::decompress(self.0, bit)
    }

    /// The product k P without its sign, or none if it is infinity, by [`Curve::mul_x`] on
    /// the best backend. Constant time.
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
