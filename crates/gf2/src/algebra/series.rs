//! Power series modulo X^n: products, squares, inverses and quotients.
use super::{Poly, newton};

impl Poly {
    /// The product a b modulo X^n, at the cost of one product of polynomials of degree below n.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let a = Poly::from(0b111);
    /// assert_eq!(a.mul_trunc(&Poly::from(0b11), 2), Poly::one());
    /// ```
    #[must_use]
    pub fn mul_trunc(&self, other: &Poly, n: usize) -> Poly {
        // Cut before the product, too: no coefficient from X^n on comes down.
        (self.truncate(n) * other.truncate(n)).truncate(n)
    }

    /// The square a^2 modulo X^n, in linear time.
    #[must_use]
    pub fn square_trunc(&self, n: usize) -> Poly {
        // Coefficient i goes to 2 i, so only the lower half reaches below X^n.
        self.truncate(n.div_ceil(2)).square().truncate(n)
    }

    /// The inverse 1 / a modulo X^n: the first n coefficients of a power series. `None` if the coefficient of X^0 is
    /// 0, as then there is no inverse, unless n is 0: modulo X^0 everything is 0.
    ///
    /// It takes two products of polynomials of degree below n, by Newton's iteration. The time depends on n and on
    /// whether there is an inverse.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let a = Poly::from_exponents([1, 0]);
    /// assert_eq!(a.inverse_series(4), Some(Poly::from_exponents([3, 2, 1, 0])));
    /// assert_eq!(Poly::x().inverse_series(4), None);
    /// ```
    #[must_use]
    pub fn inverse_series(&self, n: usize) -> Option<Poly> {
        if n == 0 {
            return Some(Poly::zero());
        }
        if !self.coefficient(0) {
            return None;
        }
        // In 1/X, a is X^(64 m) + t divided by X^(64 m). Its inverse to that precision has the words of `newton` below
        // a leading 1.
        let m = (n - 1).div_ceil(64).max(1);
        let mut inverse = newton::inverse(&self.reverse(64 * m).words[..m]);
        inverse.push(1);
        Some(Poly::from(inverse).reverse(64 * m).truncate(n))
    }

    /// The quotient a / d of power series modulo X^n, by the inverse of d and one product. `None` if d
    /// has no [inverse](Poly::inverse_series).
    #[must_use]
    pub fn div_series(&self, d: &Poly, n: usize) -> Option<Poly> {
        Some(self.mul_trunc(&d.inverse_series(n)?, n))
    }
}
