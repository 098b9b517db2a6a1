//! Points of the prime-order group in lambda coordinates: sums without inversions.
use super::operations::{BATCH, clear_frames};
use super::{AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement, PointError};
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use ctutils::{Choice, CtEq, CtSelect};
use zeroize::Zeroize;

/// A point of the group that the generator generates, by X, L and Z: x = X / Z and x + y / x = L / Z, and Z = 0 at infinity (Oliveira, López, Aranha and Rodríguez-Henríquez,
/// 2013). A sum takes 16 products and no inversion. All operations are constant time, comparison with `==` included; `Debug` prints no coordinate.
///
/// Points outside of that group have no place here, because the point of order two has no lambda.
///
/// Operators look for the machine at each call; [`Curve`] does it once.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use carryless_gf2::curve::{AffinePoint, Curve, LambdaPoint, NistB163, Scalar};
///
/// let curve = Curve::<NistB163>::new();
/// let multiples = [2, 3, 5].map(|k| curve.mul_base_lambda(&Scalar::from_u64(k)));
/// let sum: LambdaPoint<NistB163> = multiples.into_iter().sum();
/// assert_eq!(sum.to_affine(), AffinePoint::generator() * Scalar::from_u64(10));
/// // One inversion for many points.
/// let mut affine = [AffinePoint::infinity(); 3];
/// curve.normalize(&multiples, &mut affine);
/// assert_eq!(affine[2], AffinePoint::generator() * Scalar::from_u64(5));
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct LambdaPoint<C: BinaryCurve>(pub(super) [ElementOf<C>; 3]);

impl<C: BinaryCurve> LambdaPoint<C> {
    /// The point at infinity, the neutral element.
    #[must_use]
    pub fn infinity() -> Self {
        let (zero, one) = (ElementOf::<C>::default(), ElementOf::<C>::one());
        LambdaPoint([one, one, zero])
    }

    /// The generator G, of order n.
    #[must_use]
    pub fn generator() -> Self {
        Self::from_prime_order(&AffinePoint::generator())
    }

    /// The same point. It takes k P for k = n to see that it is in the group.
    ///
    /// # Errors
    /// [`PointError::Order`] if it is not in the group that G generates. Whether it is, is public.
    pub fn from_affine(p: &AffinePoint<C>) -> Result<Self, PointError> {
        match p.is_in_prime_order_group().to_bool() {
            true => Ok(Self::from_prime_order(p)),
            false => Err(PointError::Order),
        }
    }

    /// Over Z = x: lambda = (x^2 + y) / x.
    pub(super) fn from_prime_order(p: &AffinePoint<C>) -> Self {
        let square = p.x().square();
        LambdaPoint([square, square + *p.y(), *p.x()]).ct_select(&Self::infinity(), p.is_infinity())
    }

    /// The same point by x and y, for an inversion: [`Curve::normalize`] shares one among many points.
    #[must_use]
    pub fn to_affine(&self) -> AffinePoint<C> {
        Curve::new().to_affine(self)
    }

    /// Whether it is infinity.
    #[must_use]
    pub fn is_infinity(&self) -> Choice {
        self.0[2].is_zero()
    }

    /// 2 P.
    #[must_use]
    pub fn double(&self) -> Self {
        *self + *self
    }
}

impl<C: BinaryCurve> Curve<C> {
    /// P + Q, for all P and Q.
    #[must_use]
    pub fn add(&self, p: &LambdaPoint<C>, q: &LambdaPoint<C>) -> LambdaPoint<C> {
        let [p, q] = [p, q].map(|point| point.0.each_ref().map(FieldElement::as_words));
        LambdaPoint(self.add_words(p, q))
    }

    /// The same point by x and y.
    #[must_use]
    pub fn to_affine(&self, p: &LambdaPoint<C>) -> AffinePoint<C> {
        self.affine(&p.0, &self.invert_or_zero(&p.0[2]))
    }

    /// `out[i]` is `p[i]` by x and y, with one inversion for 16 of them.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn normalize(&self, p: &[LambdaPoint<C>], out: &mut [AffinePoint<C>]) {
        assert_eq!(p.len(), out.len(), "results for all points");
        for (p, out) in p.chunks(BATCH).zip(out.chunks_mut(BATCH)) {
            let mut inverses = [ElementOf::<C>::default(); BATCH];
            for (inverse, p) in inverses.iter_mut().zip(p) {
                *inverse = p.0[2];
            }
            self.invert_all(&mut inverses[..p.len()]);
            for ((out, p), inverse) in out.iter_mut().zip(p).zip(&inverses) {
                *out = self.affine(&p.0, inverse);
            }
            inverses.zeroize();
        }
        clear_frames();
    }
}

impl<C: BinaryCurve> CtEq for LambdaPoint<C> {
    /// By cross products; infinity has Z = 0 and X not 0.
    fn ct_eq(&self, other: &Self) -> Choice {
        let ([x1, l1, z1], [x2, l2, z2]) = (self.0, other.0);
        let same = (x1 * z2).ct_eq(&(x2 * z1)) & (l1 * z2).ct_eq(&(l2 * z1));
        same & z1.is_zero().ct_eq(&z2.is_zero())
    }
}

impl<C: BinaryCurve> CtSelect for LambdaPoint<C> {
    fn ct_select(&self, other: &Self, choice: Choice) -> Self {
        LambdaPoint(core::array::from_fn(|i| self.0[i].ct_select(&other.0[i], choice)))
    }
}

impl<C: BinaryCurve> PartialEq for LambdaPoint<C> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).to_bool()
    }
}

impl<C: BinaryCurve> Eq for LambdaPoint<C> {}

impl<C: BinaryCurve> Default for LambdaPoint<C> {
    fn default() -> Self {
        Self::infinity()
    }
}

impl<C: BinaryCurve> From<&LambdaPoint<C>> for AffinePoint<C> {
    fn from(p: &LambdaPoint<C>) -> Self {
        p.to_affine()
    }
}

impl<C: BinaryCurve> Neg for LambdaPoint<C> {
    type Output = Self;
    fn neg(self) -> Self {
        let [x, l, z] = self.0;
        LambdaPoint([x, l + z, z])
    }
}

impl<C: BinaryCurve> Add for LambdaPoint<C> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Curve::new().add(&self, &other)
    }
}

impl<C: BinaryCurve> Sub for LambdaPoint<C> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<C: BinaryCurve> AddAssign for LambdaPoint<C> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<C: BinaryCurve> SubAssign for LambdaPoint<C> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<C: BinaryCurve> Sum for LambdaPoint<C> {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        let curve = Curve::new();
        points.fold(Self::infinity(), |sum, p| curve.add(&sum, &p))
    }
}

impl<C: BinaryCurve> fmt::Debug for LambdaPoint<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LambdaPoint<{}>(..)", C::NAME)
    }
}

impl<C: BinaryCurve> Zeroize for LambdaPoint<C> {
    /// Leaves infinity.
    fn zeroize(&mut self) {
        self.0.zeroize();
        *self = Self::infinity();
    }
}
