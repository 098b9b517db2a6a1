//! A curve on a machine.
#[cfg(feature = "alloc")]
use super::PreparedPoint;
use super::field::{FieldArithmetic, WordsMut};
use super::ladder::Ladder;
use super::scalar::words_of;
use super::{AffinePoint, BinaryCurve, CurveField, ElementOf, FieldElement, Scalar};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use carryless_lanes::ClmulCpu;
use core::fmt;
use core::marker::PhantomData;
use ctutils::{Choice, CtOption, CtSelect};
use zeroize::Zeroize;

/// The arithmetic of a curve on one machine, which is looked for once. All functions run in constant time.
///
/// ```
/// use carryless_gf2::curve::{AffinePoint, Curve, NistK283, Scalar};
///
/// let curve = Curve::<NistK283>::new();
/// let p = curve.mul(&Scalar::from_u64(1000), &AffinePoint::generator());
/// assert_eq!(p, curve.mul_base(&Scalar::from_u64(1000)));
/// ```
#[derive(Clone, Copy)]
pub struct Curve<C: BinaryCurve> {
    cpu: ClmulCpu,
    field: <C::Field as CurveField>::Arithmetic,
}

impl<C: BinaryCurve> Curve<C> {
    /// On the best machine of this CPU.
    #[must_use]
    pub fn new() -> Curve<C> {
        Curve::on(ClmulCpu::detect())
    }

    /// On a machine of one's choice.
    #[must_use]
    pub fn on(cpu: ClmulCpu) -> Curve<C> {
        Curve { cpu, field: FieldArithmetic::on(cpu) }
    }

    /// The machine.
    #[must_use]
    pub fn cpu(&self) -> ClmulCpu {
        self.cpu
    }

    /// k P, for every k and every point P of the curve.
    #[must_use]
    pub fn mul(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> AffinePoint<C> {
        let mut words = k.to_words();
        let mut ladder = self.ladder(&words, p.x());
        let product = self.recover(p, &ladder);
        // Multiples of the point of order two, x = 0, are it and infinity.
        let of_order_two = AffinePoint::infinity().ct_select(p, k.is_odd());
        let product = product.ct_select(&of_order_two, p.x().is_zero());
        words.zeroize();
        ladder.zeroize();
        product
    }

    /// The coordinate x of k P from that of P; none if k P is infinity. Of an x that no point of the curve has, it is that of a point of the quadratic twist.
    #[must_use]
    pub fn mul_x(&self, k: &Scalar<C>, x: &ElementOf<C>) -> CtOption<ElementOf<C>> {
        let mut words = k.to_words();
        let mut ladder = self.ladder(&words, x);
        let [x1, z1, ..] = &ladder;
        let product = self.field.mul(x1, &self.field.invert_or_zero(z1));
        let product = CtOption::new(product, !z1.is_zero());
        words.zeroize();
        ladder.zeroize();
        product
    }

    /// k P from P, whose x is not 0, and X and Z of k P and (k + 1) P.
    ///
    /// With x1 = X1 / Z1 and x2 = X2 / Z2 (Lopez and Dahab, 1999):
    ///
    ///     y1 = (x1 + x) ((x1 + x)(x2 + x) + x^2 + y) / x + y
    ///
    /// All of it over x Z1 Z2: one inversion and ten products.
    fn recover(&self, p: &AffinePoint<C>, [x1, z1, x2, z2]: &[ElementOf<C>; 4]) -> AffinePoint<C> {
        let (f, x, y) = (&self.field, p.x(), p.y());
        let (xz1, xz2, z1z2) = (f.mul(x, z1), f.mul(x, z2), f.mul(z1, z2));
        let inverse = f.invert_or_zero(&f.mul(x, &z1z2));
        let affine = f.mul(&f.mul(x1, &xz2), &inverse);
        let chords = f.mul(&(*x1 + xz1), &(*x2 + xz2));
        let constant = f.mul(&(f.square(x) + *y), &z1z2);
        let slope = f.mul(&(chords + constant), &inverse);
        let product = AffinePoint::from_coordinates_unchecked(affine, f.mul(&slope, &(affine + *x)) + *y);
        // k P = -P if (k + 1) P is infinity.
        let product = product.ct_select(&-*p, z2.is_zero());
        product.ct_select(&AffinePoint::infinity(), z1.is_zero())
    }

    /// Its field on the same machine.
    pub(super) fn field(&self) -> &<C::Field as CurveField>::Arithmetic {
        &self.field
    }

    /// k G. With the feature `alloc` by tables that the first call makes, as [`PreparedPoint`](super::PreparedPoint) has them.
    #[must_use]
    pub fn mul_base(&self, k: &Scalar<C>) -> AffinePoint<C> {
        #[cfg(feature = "alloc")]
        return C::base().get_or_init(|| self.prepared_base()).mul(self, k);
        #[cfg(not(feature = "alloc"))]
        self.mul(k, &AffinePoint::generator())
    }

    #[cfg(feature = "alloc")]
    fn prepared_base(&self) -> Box<PreparedPoint<C>> {
        Box::new(PreparedPoint::of_prime_order(self, &AffinePoint::generator()))
    }

    /// Whether n times P is infinity.
    #[must_use]
    pub fn is_in_prime_order_group(&self, p: &AffinePoint<C>) -> Choice {
        let [_, z1, ..] = self.ladder(&words_of(&C::ORDER), p.x());
        p.is_infinity() | z1.is_zero()
    }

    /// X and Z of k P, then those of (k + 1) P.
    fn ladder(&self, k: &[u64], x: &ElementOf<C>) -> [ElementOf<C>; 4] {
        let (mut out, b) = ([ElementOf::<C>::default(); 4], C::B);
        let (x, out_words) = (x.as_words(), out.each_mut().map(WordsMut::words_mut));
        let (b, bits, of) = (b.as_words(), C::ORDER_BITS, PhantomData);
        if C::KOBLITZ {
            self.cpu.call_on_one_lane(Ladder::<C::Field, true> { b, x, k, bits, out: out_words, of });
        } else {
            self.cpu.call_on_one_lane(Ladder::<C::Field, false> { b, x, k, bits, out: out_words, of });
        }
        out
    }
}

impl<C: BinaryCurve> Default for Curve<C> {
    fn default() -> Curve<C> {
        Curve::new()
    }
}

impl<C: BinaryCurve> fmt::Debug for Curve<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Curve<{}>({})", C::NAME, self.cpu.name())
    }
}
