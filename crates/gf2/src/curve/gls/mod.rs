//! k P on curves of Galbraith, Lin and Scott, by an endomorphism psi with psi^2 = -1 that costs a few additions
//! in the field.
//!
//! Let q = 2^m, and let y^2 + x y = x^3 + u x^2 + b be a curve over GF(q^2) with b in GF(q). With the
//! conjugation x -> x^q and with s = u or s = u + 1,
//!
//! ```text
//! psi(x, y) = (x^q, y^q + s x^q)    x -> x^q, lambda -> lambda^q + s
//! ```
//!
//! is an endomorphism; the choice of s is its sign (Oliveira, Lopez, Aranha, Rodriguez-Henriquez, 2013).
//! [`Digits`] writes k as k1 + k2 psi, with odd digits to the base 16 for both. They share the doublings
//! (Straus), and one table. Formulas have two products on each level, which run in two lanes.
//!
//! The curve has 2 n points, among them N of order two. P is P0 or P0 + N, with P0 of odd order. The trace of x
//! tells which: P0 = 2 Q has x = lambda^2 + lambda + a for lambda of Q, so Tr(x) = Tr(a). The kernels compute k
//! P0 by formulas without exceptions, on the curve of the points (x^2, y^2). k P is k P0, plus N if k is
//! odd and P = P0 + N.
#[cfg(test)]
mod tests;

#[cfg(feature = "alloc")]
use super::Counts;
use super::field::{FieldArithmetic, WordsMut};
use super::kernels::CurveKernels as _;
#[cfg(feature = "alloc")]
use super::kernels::gls::Sum;
use super::kernels::gls::scalar::Digits;
#[cfg(feature = "alloc")]
pub(super) use super::kernels::gls::scalar::WIDTH;
pub(super) use super::kernels::gls::scalar::{Lattice, count};
use super::kernels::gls::{Multiples, POINTS, PointWords, Straus};
use super::{AffinePoint, BinaryCurve, Curve, CurveField, ElementOf, FieldElement, Scalar};
use core::marker::PhantomData;
use ctutils::{Choice, CtEq, CtSelect};
use zeroize::Zeroize;

/// The costs of the formulas in [`kernels::gls`](super::kernels::gls), where a product by b counts as a product. This is one doubling.
#[cfg(feature = "alloc")]
pub(super) const DOUBLE: Counts = Counts::new(4, 6);
/// The additional cost of the first doubling of a chain.
#[cfg(feature = "alloc")]
pub(super) const BEFORE_DOUBLE: Counts = Counts::new(1, 2);
#[cfg(feature = "alloc")]
pub(super) const ADD: Counts = Counts::new(9, 2);
#[cfg(feature = "alloc")]
pub(super) const ADD_AFFINE: Counts = Counts::new(9, 1);

type BaseOf<C> = <<C as BinaryCurve>::Field as CurveField>::Base;

/// Whether k P is computed in this way: on curves that have psi, and elements of at most four words.
pub(super) const fn serves<C: BinaryCurve>() -> bool {
    C::LATTICE.is_some() && C::Field::DEGREE < 128
}

/// k P0 + N, and whether k P contains N.
struct Product<C: BinaryCurve> {
    /// The coordinates X, Z, T and S of the shifted point k P0 + N.
    point: [ElementOf<C>; 4],
    has_order_two: Choice,
}

impl<C: BinaryCurve> Curve<C> {
    /// The product k P on a curve with psi, for all k and P. The caller clears the stack.
    pub(super) fn mul_gls(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> AffinePoint<C> {
        self.affine_gls(&self.mul_gls_shifted(k, p))
    }

    /// The sum k G + l Q on a curve with psi, with one inversion after the sum.
    #[cfg(feature = "alloc")]
    pub(super) fn mul_base_add_mul_gls(
        &self,
        k: &Scalar<C>,
        l: &Scalar<C>,
        q: &AffinePoint<C>,
    ) -> AffinePoint<C> {
        let (f, mut base) = (self.field(), self.base().mul_projective(self, k));
        // To Pornin's coordinates on the curve of squares: with lambda = L / Z, T = X Z and S = X (L + a Z). At
        // infinity X = L != 0.
        let [x, lambda, z] = base.each_ref().map(|coordinate| f.square(coordinate));
        let slope = lambda + f.mul(&Self::a_squared(), &z);
        let coordinates = [x, z, f.mul(&x, &z), f.mul(&x, &slope)];
        let mut product = self.mul_gls_shifted(l, q);
        let mut operands = [words_of(&coordinates), words_of(&product.point)];
        let mut sum = PointWords::default();
        let kernel = Sum { operands: &operands, out: &mut sum, of: PhantomData };
        BaseOf::<C>::run_gls_sum(self.cpu(), kernel);
        product.point = point_of(&sum);
        let affine = self.affine_gls(&product);
        base.zeroize();
        product.point.zeroize();
        operands.zeroize();
        sum.zeroize();
        affine
    }

    /// The shifted product k P0 + N, and whether k P contains N.
    fn mul_gls_shifted(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> Product<C> {
        let mut words = k.to_words();
        // P may contain N or not, and may be infinity. All cases run through the same kernels, by selections
        // at both ends. k = 0 is no special case either: its digits are odd, and the sum is N, the shifted
        // infinity.
        let lattice = const { &C::LATTICE }.as_ref().expect("a curve with psi");
        let digits = Digits::new(lattice, &words, k.is_odd());
        words.zeroize();
        // P contains N exactly if Tr(x) differs from Tr(a).
        let has_order_two = !p.x().trace().ct_eq(&C::A.trace()) & !p.is_infinity();
        let mut points = [0; POINTS];
        let mut inverse = self.odd_multiples_gls(p, has_order_two, &mut points);
        let mut sum = PointWords::default();
        let kernel = Straus {
            b: C::B.as_words()[0],
            points: &mut points,
            inverse: inverse.as_words(),
            digits: &digits,
            count: count(C::Field::DEGREE as u32),
            adds_one: lattice.adds_one(),
            out: &mut sum,
            of: PhantomData,
        };
        BaseOf::<C>::run_gls_straus(self.cpu(), kernel);
        let point = point_of(&sum);
        points.zeroize();
        sum.zeroize();
        inverse.zeroize();
        Product { point, has_order_two: has_order_two & k.is_odd() }
    }

    /// Computes the odd multiples of P0, shifted by N, and returns 1 / the product of all their Z.
    fn odd_multiples_gls(
        &self,
        p: &AffinePoint<C>,
        has_order_two: Choice,
        points: &mut [u64; POINTS],
    ) -> ElementOf<C> {
        let (f, b) = (self.field(), C::B);
        let (zero, one) = (ElementOf::<C>::default(), ElementOf::<C>::one());
        let (x, y) = (f.square(p.x()), f.square(p.y()));
        // The shifted P0: P itself over Z = 1 if P contains N, else P + N over Z = x. For infinity it is N.
        // P + N is b Z : b (S + T) : X for X : S : Z, where Z = 1 and T = x here: X' = b, S' = b (s + x),
        // Z' = x, and T' = X' Z' = b x. N is 0 : b : 1 with T = 0: from x = 0, s = b.
        let shifted = has_order_two | p.is_infinity();
        let s = (f.square(&x) + f.mul(&Self::a_squared(), &x) + y).ct_select(&b, p.is_infinity());
        let [t, s] = [x, s + x.ct_select(&zero, shifted)].map(|c| f.mul(&b, &c).ct_select(&c, shifted));
        let [x, z] = [b.ct_select(&x, shifted), x.ct_select(&one, shifted)];
        let mut point = words_of(&[x, z, t, s]);
        let [mut product, _] = PointWords::default();
        let kernel =
            Multiples { b: b.as_words()[0], point: &point, points, product: &mut product, of: PhantomData };
        BaseOf::<C>::run_gls_multiples(self.cpu(), kernel);
        let mut all = ElementOf::<C>::default();
        all.words_mut().copy_from_slice(&product[..b.as_words().len()]);
        let inverse = self.invert_or_zero(&all);
        all.zeroize();
        point.zeroize();
        product.zeroize();
        inverse
    }

    /// The coefficient a of the curve on which the kernels compute: u^2 = u + 1.
    fn a_squared() -> ElementOf<C> {
        C::A + ElementOf::<C>::one()
    }

    /// The affine point k P, by 1 / T.
    ///
    /// With N, x = X^2 / T and lambda + a = S / T; without N, x = b Z^2 / T, and lambda is 1 more. The curve of
    /// the kernels has the squares of the coordinates, so square roots lead back.
    fn affine_gls(&self, Product { point: [x, z, t, s], has_order_two }: &Product<C>) -> AffinePoint<C> {
        let f = self.field();
        let mut inverse = self.invert_or_zero(t);
        // Adding N takes x to b / x on the curve of the kernels. For x = X / Z that is b Z^2 / T.
        let numerator = f.mul(&C::B, &f.square(z)).ct_select(&f.square(x), *has_order_two);
        // S / T is lambda + a, and 1 more without N, so `slope` is lambda and y = x (x + lambda). If T = 0,
        // the inverse is 0 and the last line replaces the result.
        let affine = f.mul(&numerator, &inverse);
        let slope = f.mul(&(*s + *t).ct_select(s, *has_order_two), &inverse) + Self::a_squared();
        inverse.zeroize();
        let y = f.mul(&affine, &(affine + slope));
        let sum = AffinePoint::from_coordinates_unchecked(f.sqrt(&affine), f.sqrt(&y));
        // T is 0 for the point N itself, where k P0 is infinity.
        let order_two = AffinePoint::from_coordinates_unchecked(ElementOf::<C>::default(), f.sqrt(&C::B));
        sum.ct_select(&AffinePoint::infinity().ct_select(&order_two, *has_order_two), t.is_zero())
    }
}

/// The words of X and Z side by side, then those of T and S.
fn words_of<E: FieldElement>(point: &[E; 4]) -> PointWords {
    let mut words = PointWords::default();
    for (words, pair) in words.iter_mut().zip(point.chunks(2)) {
        for (words, coordinate) in words.chunks_mut(pair[0].as_words().len()).zip(pair) {
            words.copy_from_slice(coordinate.as_words());
        }
    }
    words
}

/// The coordinates X, Z, T and S from the words that [`words_of`] writes.
fn point_of<E: FieldElement>(words: &PointWords) -> [E; 4] {
    let mut point = [E::default(); 4];
    for (pair, words) in point.chunks_mut(2).zip(words) {
        for (coordinate, words) in pair.iter_mut().zip(words.chunks(E::default().as_words().len())) {
            coordinate.words_mut().copy_from_slice(words);
        }
    }
    point
}
