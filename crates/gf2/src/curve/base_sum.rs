//! k G + l Q as one sum in lambda coordinates, with a single inversion at the end.
use super::field::FieldArithmetic as _;
use super::field::words_of_point;
use super::{AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement as _, Scalar, koblitz};
use ctutils::{Choice, CtSelect};
use zeroize::Zeroize;

impl<C: BinaryCurve> Curve<C> {
    /// The sum k G + l Q on a curve without psi, in constant time but for special cases.
    ///
    /// If Q, l Q or the sum has no lambda, which becomes public, the sum is computed from affine points instead.
    pub(super) fn mul_base_add_mul_lambda(
        &self,
        k: &Scalar<C>,
        l: &Scalar<C>,
        q: &AffinePoint<C>,
    ) -> AffinePoint<C> {
        let mut words = l.to_words();
        let mut base = self.base().mul_projective(self, k);
        let mut key = if const { koblitz::serves::<C>() } {
            self.mul_koblitz_lambda(&words, q)
        } else {
            let mut ladder = self.ladder(&words, q.x());
            let product = self.recover_lambda(q, &ladder);
            ladder.zeroize();
            product
        };
        let mut sum = self.add_words(words_of_point(&base), words_of_point(&key));
        // The flags are combined before the only branch, so that it tells no more than whether any of them is
        // set.
        let is_special = has_no_product::<C>(q) | key[2].is_zero() | sum[2].is_zero();
        words.zeroize();
        base.zeroize();
        key.zeroize();
        if is_special.to_bool() {
            return self.mul_base(k).add_on(self, &self.mul(l, q));
        }
        let affine = self.affine(&sum, &self.invert_or_zero(&sum[2]));
        sum.zeroize();
        affine
    }

    /// The coordinates X, L, Z of k P, from P with x != 0, and from X and Z of k P and of (k + 1) P. Z is 0 if
    /// k P is infinity or of order two. Costs eleven products and a square.
    ///
    /// With y1 as in [`recover`](Curve::recover), lambda = x1 + y1 / x1 has the denominator X1 x Z1 Z2. With
    /// A = X1 + x Z1 and B = X2 + x Z2 its numerator is
    ///
    /// ```text
    /// X1^2 x Z2 + A (A B + (x^2 + y) Z1 Z2) + x y Z1^2 Z2
    /// ```
    fn recover_lambda(&self, p: &AffinePoint<C>, [x1, z1, x2, z2]: &[ElementOf<C>; 4]) -> [ElementOf<C>; 3] {
        let (f, x, y) = (self.field(), p.x(), p.y());
        let (xx, xz1, xz2, z1z2) = (f.square(x), f.mul(x, z1), f.mul(x, z2), f.mul(z1, z2));
        // A B + (x^2 + y) Z1 Z2 is x Z1 Z2 (y1 + y) / (x1 + x), the slope of `recover` over its denominator.
        // Over Z1 Z2, `a` and `b` are x1 + x and x2 + x. Products: x Z1, x Z2, Z1 Z2, X1 x Z2; A B and
        // (x^2 + y) Z1 Z2; X1 X1 x Z2, A times the sum, y Z1 Z2 and x Z1 times that; and Z.
        let (a, b, t) = (*x1 + xz1, *x2 + xz2, f.mul(x1, &xz2));
        let chords = f.mul(&a, &b) + f.mul(&(xx + *y), &z1z2);
        let x_out = f.mul(x1, &t);
        let l_out = x_out + f.mul(&a, &chords) + f.mul(&xz1, &f.mul(y, &z1z2));
        // If (k + 1) P is infinity, k P is -P: its coordinates over Z = x.
        let (product, negative) = ([x_out, l_out, f.mul(&t, z1)], [xx, xx + *x + *y, *x]);
        core::array::from_fn(|i| product[i].ct_select(&negative[i], z2.is_zero()))
    }
}

/// Whether multiples of Q may lack a lambda: for infinity and the point of order two, and on Koblitz curves for
/// the points of order 4, whose double has order two.
fn has_no_product<C: BinaryCurve>(q: &AffinePoint<C>) -> Choice {
    if const { koblitz::serves::<C>() } { koblitz::is_small(q) } else { q.x().is_zero() }
}
