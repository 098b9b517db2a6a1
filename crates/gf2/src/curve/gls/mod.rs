//! k P on curves of Galbraith, Lin and Scott: by an endomorphism psi with psi^2 = -1, which costs a few additions in the field.
//!
//! A curve y^2 + x y = x^3 + u x^2 + b over GF(q^2), q = 2^m, with b in GF(q) has, with the conjugation x -> x^q and s = u or u + 1,
//!
//! ```text
//! psi(x, y) = (x^q, y^q + s x^q)    x -> x^q, lambda -> lambda^q + s
//! ```
//!
//! s differs in the sign of psi. (Oliveira, Lopez, Aranha, Rodriguez-Henriquez, 2013.) k is k1 + k2 psi ([`scalar`]); of both the digits to the base 16 are odd, and the doublings
//! are shared (Straus). One table serves both. The two products of each level of a formula run in two lanes, [`twins`].
//!
//! The curve has 2 n points, and N of order two. P is P0 or P0 + N with P0 of odd order; by the trace of x it is known which, as P0 = 2 Q has x = lambda^2 + lambda + a for lambda of Q. The kernels
//! find k P0 by [`formulas`] that have no exceptions, on the curve of the points (x^2, y^2); k P is that, and N more if k is odd and N is in P.
mod formulas;
mod kernels;
mod scalar;
#[cfg(test)]
mod tests;
mod twins;

#[cfg(feature = "alloc")]
use super::Counts;
use super::field::{FieldArithmetic, WordsMut};
use super::{AffinePoint, BinaryCurve, Curve, CurveField, ElementOf, FieldElement, Scalar};
use core::marker::PhantomData;
use ctutils::{Choice, CtEq, CtSelect};
#[cfg(feature = "alloc")]
use kernels::Sum;
use kernels::{Multiples, POINTS, PointWords, Straus};
use scalar::Digits;
#[cfg(feature = "alloc")]
pub(super) use scalar::WIDTH;
pub(super) use scalar::{Lattice, count};
use zeroize::Zeroize;

/// Of the functions of [`formulas`].
#[cfg(feature = "alloc")]
pub(super) const DOUBLE: Counts = Counts::new(4, 6);
/// Before the first doubling.
#[cfg(feature = "alloc")]
pub(super) const BEFORE_DOUBLE: Counts = Counts::new(1, 2);
#[cfg(feature = "alloc")]
pub(super) const ADD: Counts = Counts::new(9, 2);
#[cfg(feature = "alloc")]
pub(super) const ADD_AFFINE: Counts = Counts::new(9, 1);

type BaseOf<C> = <<C as BinaryCurve>::Field as CurveField>::Base;

/// Whether this is how k P is found: on curves that have psi and elements of at most four words.
pub(super) const fn serves<C: BinaryCurve>() -> bool {
    C::LATTICE.is_some() && C::Field::DEGREE < 128
}

/// k P0 + N, and whether N is in k P.
struct Product<C: BinaryCurve> {
    /// X, Z, T and S.
    point: [ElementOf<C>; 4],
    has_order_two: Choice,
}

impl<C: BinaryCurve> Curve<C> {
    /// k P on a curve with psi. The caller clears its frame.
    pub(super) fn mul_gls(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> AffinePoint<C> {
        self.affine_gls(&self.mul_gls_shifted(k, p))
    }

    /// k G + l Q on a curve with psi: one inversion after the sum.
    #[cfg(feature = "alloc")]
    pub(super) fn mul_base_add_mul_gls(
        &self,
        k: &Scalar<C>,
        l: &Scalar<C>,
        q: &AffinePoint<C>,
    ) -> AffinePoint<C> {
        let (f, mut base) = (self.field(), self.base().mul_projective(self, k));
        // lambda is L / Z: T = X Z, S = X (L + a Z). Infinity has X = L != 0.
        let [x, lambda, z] = base.each_ref().map(|coordinate| f.square(coordinate));
        let slope = lambda + f.mul(&Self::a_squared(), &z);
        let coordinates = [x, z, f.mul(&x, &z), f.mul(&x, &slope)];
        let mut product = self.mul_gls_shifted(l, q);
        let mut operands = [words_of(&coordinates), words_of(&product.point)];
        let mut sum = PointWords::default();
        self.run_twins(Sum::<BaseOf<C>> { operands: &operands, out: &mut sum, of: PhantomData });
        product.point = point_of(&sum);
        let affine = self.affine_gls(&product);
        base.zeroize();
        product.point.zeroize();
        operands.zeroize();
        sum.zeroize();
        affine
    }

    fn mul_gls_shifted(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> Product<C> {
        let mut words = k.to_words();
        let lattice = const { &C::LATTICE }.as_ref().expect("a curve with psi");
        let digits = Digits::new(lattice, &words, k.is_odd());
        words.zeroize();
        let has_order_two = !p.x().trace().ct_eq(&C::A.trace()) & !p.is_infinity();
        let mut points = [0; POINTS];
        let mut inverse = self.odd_multiples_gls(p, has_order_two, &mut points);
        let mut sum = PointWords::default();
        self.run_twins(Straus::<BaseOf<C>> {
            b: C::B.as_words()[0],
            points: &mut points,
            inverse: inverse.as_words(),
            digits: &digits,
            count: count(C::Field::DEGREE as u32),
            adds_one: lattice.adds_one(),
            out: &mut sum,
            of: PhantomData,
        });
        let point = point_of(&sum);
        points.zeroize();
        sum.zeroize();
        inverse.zeroize();
        Product { point, has_order_two: has_order_two & k.is_odd() }
    }

    /// The odd multiples of P0, shifted; returns 1 / the product of all Z.
    fn odd_multiples_gls(
        &self,
        p: &AffinePoint<C>,
        has_order_two: Choice,
        points: &mut [u64; POINTS],
    ) -> ElementOf<C> {
        let (f, b) = (self.field(), C::B);
        let (zero, one) = (ElementOf::<C>::default(), ElementOf::<C>::one());
        let (x, y) = (f.square(p.x()), f.square(p.y()));
        // P over Z = 1, or P + N over x; N for infinity.
        let shifted = has_order_two | p.is_infinity();
        let s = (f.square(&x) + f.mul(&Self::a_squared(), &x) + y).ct_select(&b, p.is_infinity());
        let [t, s] = [x, s + x.ct_select(&zero, shifted)].map(|c| f.mul(&b, &c).ct_select(&c, shifted));
        let [x, z] = [b.ct_select(&x, shifted), x.ct_select(&one, shifted)];
        let mut point = words_of(&[x, z, t, s]);
        let [mut product, _] = PointWords::default();
        self.run_twins(Multiples::<BaseOf<C>> {
            b: b.as_words()[0],
            point: &point,
            points,
            product: &mut product,
            of: PhantomData,
        });
        let mut all = ElementOf::<C>::default();
        all.words_mut().copy_from_slice(&product[..b.as_words().len()]);
        let inverse = self.invert_or_zero(&all);
        all.zeroize();
        point.zeroize();
        product.zeroize();
        inverse
    }

    /// a of the curve that the kernels know: u^2.
    fn a_squared() -> ElementOf<C> {
        C::A + ElementOf::<C>::one()
    }

    /// In two lanes, or on one.
    fn run_twins<K: carryless_lanes::ClmulKernel<Out = ()>>(&self, kernel: K) {
        if let Err(kernel) = self.cpu().call_on_two_lanes(kernel) {
            self.cpu().call_on_one_lane(kernel);
        }
    }

    /// k P, by 1 / T: x = X^2 / T, or b Z^2 / T without N; lambda + a = S / T, and 1 more without N. x and y are the roots.
    fn affine_gls(&self, Product { point: [x, z, t, s], has_order_two }: &Product<C>) -> AffinePoint<C> {
        let f = self.field();
        let mut inverse = self.invert_or_zero(t);
        let numerator = f.mul(&C::B, &f.square(z)).ct_select(&f.square(x), *has_order_two);
        let affine = f.mul(&numerator, &inverse);
        let slope = f.mul(&(*s + *t).ct_select(s, *has_order_two), &inverse) + Self::a_squared();
        inverse.zeroize();
        let y = f.mul(&affine, &(affine + slope));
        let sum = AffinePoint::from_coordinates_unchecked(f.sqrt(&affine), f.sqrt(&y));
        // T is 0 for N.
        let order_two = AffinePoint::from_coordinates_unchecked(ElementOf::<C>::default(), f.sqrt(&C::B));
        sum.ct_select(&AffinePoint::infinity().ct_select(&order_two, *has_order_two), t.is_zero())
    }
}

/// X and Z side by side, T and S.
fn words_of<E: FieldElement>(point: &[E; 4]) -> PointWords {
    let mut words = PointWords::default();
    for (words, pair) in words.iter_mut().zip(point.chunks(2)) {
        for (words, coordinate) in words.chunks_mut(pair[0].as_words().len()).zip(pair) {
            words.copy_from_slice(coordinate.as_words());
        }
    }
    words
}

/// What [`words_of`] wrote.
fn point_of<E: FieldElement>(words: &PointWords) -> [E; 4] {
    let mut point = [E::default(); 4];
    for (pair, words) in point.chunks_mut(2).zip(words) {
        for (coordinate, words) in pair.iter_mut().zip(words.chunks(E::default().as_words().len())) {
            coordinate.words_mut().copy_from_slice(words);
        }
    }
    point
}
