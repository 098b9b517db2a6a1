//! Points by their coordinates.
use super::{BinaryCurve, Curve, ElementOf, FieldArithmetic, FieldElement, Scalar};
use core::fmt;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use ctutils::{Choice, CtEq, CtSelect};
use zeroize::Zeroize;

/// A point of a curve, by its coordinates x and y, or infinity. All operations are constant time, comparison with `==` included; `Debug` prints the
/// curve and no coordinate.
///
/// Operators look for the machine at each call; [`Curve`] does it once.
#[derive(Clone, Copy)]
pub struct AffinePoint<C: BinaryCurve> {
    /// 0 at infinity, as y.
    x: ElementOf<C>,
    y: ElementOf<C>,
    infinity: Choice,
}

/// Why bytes or coordinates are no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PointError {
    /// Not as many bytes as this form has.
    Length {
        /// How many bytes a point has whose first byte is this one.
        expected: usize,
        /// What there was.
        found: usize,
    },
    /// There are no bytes.
    Empty,
    /// The first byte names no form of SEC 1: 0, 2, 3 or 4.
    Form(u8),
    /// A coordinate is no element of the field.
    Coordinate,
    /// The coordinates do not satisfy the curve's equation, or no y belongs to this x.
    NotOnCurve,
    /// The point at infinity, where it is of no use.
    Infinity,
    /// The point is not in the group that the generator generates: n times the point is not infinity.
    Order,
}

impl fmt::Display for PointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PointError::Length { expected, found } => {
                write!(f, "a point in this form has {expected} bytes, not {found}")
            }
            PointError::Empty => write!(f, "a point has at least one byte"),
            PointError::Form(first) => write!(f, "the first byte of a point is 0, 2, 3 or 4, not {first}"),
            PointError::Coordinate => write!(f, "a coordinate is no element of the field"),
            PointError::NotOnCurve => write!(f, "the point is not on the curve"),
            PointError::Infinity => write!(f, "the point is infinity"),
            PointError::Order => write!(f, "the point is not in the group of prime order"),
        }
    }
}

impl core::error::Error for PointError {}

impl<C: BinaryCurve> AffinePoint<C> {
    /// The generator G, of order n.
    #[must_use]
    pub fn generator() -> Self {
        let [x, y] = C::GENERATOR;
        Self::from_coordinates_unchecked(x, y)
    }

    /// The point at infinity, the neutral element.
    #[must_use]
    pub fn infinity() -> Self {
        AffinePoint { x: ElementOf::<C>::default(), y: ElementOf::<C>::default(), infinity: Choice::TRUE }
    }

    /// The point with these coordinates. It need not be a multiple of G where h > 1: see [`is_in_prime_order_group`](Self::is_in_prime_order_group).
    ///
    /// # Errors
    /// [`PointError::NotOnCurve`]. Whether they satisfy the equation is public.
    pub fn from_coordinates(x: ElementOf<C>, y: ElementOf<C>) -> Result<Self, PointError> {
        let right = x.square() * (x + C::A) + C::B;
        if y.square() + x * y == right {
            Ok(Self::from_coordinates_unchecked(x, y))
        } else {
            Err(PointError::NotOnCurve)
        }
    }

    pub(super) fn from_coordinates_unchecked(x: ElementOf<C>, y: ElementOf<C>) -> Self {
        AffinePoint { x, y, infinity: Choice::FALSE }
    }

    /// The point with this x whose y / x has this lowest bit; the point of order two for x = 0, which has bit 0 only. Whether there is one is public.
    ///
    /// With y = x t the equation is t^2 + t = x + a + b / x^2.
    ///
    /// # Errors
    /// [`PointError::NotOnCurve`] if no point has this x, or x is 0 and the bit is set.
    pub fn decompress(x: ElementOf<C>, bit: Choice) -> Result<Self, PointError> {
        let Some(inverse) = x.invert().into_option() else {
            return Self::of_order_two(bit);
        };
        let solution = (x + C::A + C::B * inverse.square()).solve_quadratic();
        let t = solution.into_option().ok_or(PointError::NotOnCurve)?;
        let t = t.ct_select(&(t + ElementOf::<C>::one()), t.lowest_bit() ^ bit);
        Ok(Self::from_coordinates_unchecked(x, x * t))
    }

    /// (0, sqrt(b)).
    fn of_order_two(bit: Choice) -> Result<Self, PointError> {
        let y = C::B.sqrt();
        if bit.to_bool() {
            return Err(PointError::NotOnCurve);
        }
        Ok(Self::from_coordinates_unchecked(ElementOf::<C>::default(), y))
    }

    /// x and y; none at infinity. Whether it is infinity is public.
    #[must_use]
    pub fn coordinates(&self) -> Option<[ElementOf<C>; 2]> {
        if self.infinity.to_bool() { None } else { Some([self.x, self.y]) }
    }

    /// x, and 0 at infinity. By reference, for points that are secret: [`coordinates`](AffinePoint::coordinates) makes copies.
    #[must_use]
    pub fn x(&self) -> &ElementOf<C> {
        &self.x
    }

    /// y, and 0 at infinity.
    #[must_use]
    pub fn y(&self) -> &ElementOf<C> {
        &self.y
    }

    /// The lowest bit of y / x, by which SEC 1 tells P from -P; 0 for x = 0.
    #[must_use]
    pub fn sign(&self) -> Choice {
        let inverse = self.x.invert().unwrap_or_default();
        (self.y * inverse).lowest_bit()
    }

    /// Whether it is infinity.
    #[must_use]
    pub fn is_infinity(&self) -> Choice {
        self.infinity
    }

    /// Whether n times the point is infinity. Every point of the curve is in this group or h is not 1; all curves here have h > 1.
    #[must_use]
    pub fn is_in_prime_order_group(&self) -> Choice {
        Curve::<C>::new().is_in_prime_order_group(self)
    }

    /// 2 P.
    #[must_use]
    pub fn double(&self) -> Self {
        *self + *self
    }

    /// (x^2, y^2), for Koblitz curves, which this maps to themselves: the Frobenius endomorphism phi, with phi^2(P) + 2 P = phi(P) if a = 1, and -phi(P) if a = 0. Other curves do
    /// not compile.
    ///
    /// ```compile_fail
    /// use carryless_gf2::curve::{AffinePoint, NistB163};
    ///
    /// let _ = AffinePoint::<NistB163>::generator().frobenius();
    /// ```
    #[must_use]
    pub fn frobenius(&self) -> Self {
        const { assert!(C::KOBLITZ, "the squares of coordinates are those of a point on Koblitz curves only") };
        AffinePoint { x: self.x.square(), y: self.y.square(), infinity: self.infinity }
    }

    /// P + Q by the definition, for all P and Q: an inversion, two products and a square.
    ///
    /// The slope of the line through P and Q is (y1 + y2) / (x1 + x2), that of the tangent at P is x1 + y1 / x1. The sum is infinity for x1 = x2 unless P = Q, and
    /// for P = Q = (0, sqrt(b)), whose tangent is vertical.
    pub(super) fn add_on(&self, curve: &Curve<C>, other: &Self) -> Self {
        let f = curve.field();
        let (dx, dy) = (self.x + other.x, self.y + other.y);
        let equal = dx.is_zero() & dy.is_zero();
        let denominator = dx.ct_select(&self.x, equal);
        let slope = f.mul(&dy.ct_select(&self.y, equal), &curve.invert_or_zero(&denominator));
        let slope = slope + ElementOf::<C>::default().ct_select(&self.x, equal);
        let x = f.square(&slope) + slope + dx + C::A;
        let y = f.mul(&slope, &(self.x + x)) + x + self.y;
        let sum = AffinePoint { x, y, infinity: Choice::FALSE };
        let sum = sum.ct_select(&Self::infinity(), denominator.is_zero());
        sum.ct_select(other, self.infinity).ct_select(self, other.infinity)
    }

    fn sum(&self, other: &Self) -> Self {
        self.add_on(&Curve::new(), other)
    }
}

impl<C: BinaryCurve> CtEq for AffinePoint<C> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.x.ct_eq(&other.x) & self.y.ct_eq(&other.y) & self.infinity.ct_eq(&other.infinity)
    }
}

impl<C: BinaryCurve> CtSelect for AffinePoint<C> {
    fn ct_select(&self, other: &Self, choice: Choice) -> Self {
        AffinePoint {
            x: self.x.ct_select(&other.x, choice),
            y: self.y.ct_select(&other.y, choice),
            infinity: self.infinity.ct_select(&other.infinity, choice),
        }
    }
}

impl<C: BinaryCurve> PartialEq for AffinePoint<C> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl<C: BinaryCurve> Eq for AffinePoint<C> {}

impl<C: BinaryCurve> Default for AffinePoint<C> {
    fn default() -> Self {
        Self::infinity()
    }
}

impl<C: BinaryCurve> Neg for AffinePoint<C> {
    type Output = Self;
    fn neg(self) -> Self {
        AffinePoint { y: self.x + self.y, ..self }
    }
}

impl<C: BinaryCurve> Add for AffinePoint<C> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.sum(&other)
    }
}

impl<C: BinaryCurve> Sub for AffinePoint<C> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.sum(&-other)
    }
}

impl<C: BinaryCurve> AddAssign for AffinePoint<C> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<C: BinaryCurve> SubAssign for AffinePoint<C> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<C: BinaryCurve> Mul<Scalar<C>> for AffinePoint<C> {
    type Output = Self;
    fn mul(self, k: Scalar<C>) -> Self {
        Curve::new().mul(&k, &self)
    }
}

impl<C: BinaryCurve> MulAssign<Scalar<C>> for AffinePoint<C> {
    fn mul_assign(&mut self, k: Scalar<C>) {
        *self = *self * k;
    }
}

impl<C: BinaryCurve> fmt::Debug for AffinePoint<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AffinePoint<{}>(..)", C::NAME)
    }
}

impl<C: BinaryCurve> Zeroize for AffinePoint<C> {
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
        self.infinity = Choice::TRUE;
    }
}
