//! Composition without a modulus, and roots in F2.
use super::Poly;
use alloc::vec::Vec;

impl Poly {
    /// The composition a(b), of the degree deg a deg b: check degrees from untrusted input, as it takes memory for so
    /// many coefficients. Not constant time.
    ///
    /// With a = A^2 + X B^2, a(b) = A(b)^2 + b B(b)^2, where A and B have half the degree. So it takes log2(deg a)
    /// rounds. In each, polynomials with together about half as many coefficients as the result are multiplied by b.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let (a, b) = (Poly::from_exponents([3, 1]), Poly::from_exponents([2, 0]));
    /// assert_eq!(a.compose_vartime(&b), Poly::from_exponents([6, 4]));
    /// ```
    #[must_use]
    pub fn compose_vartime(&self, b: &Poly) -> Poly {
        if self.degree() <= Some(0) {
            return self.clone();
        }
        // The derivative of a is B^2.
        let halves = [self.even_part(), self.derivative().even_part()];
        let [even, odd] = halves.map(|half| half.compose_vartime(b).square());
        even + odd * b
    }

    /// The roots in F2 in ascending order, each with its multiplicity; `None` for 0. Roots in larger fields are those
    /// of the factors that [`factor_vartime`](Poly::factor_vartime) gives. It takes one
    /// [composition](Poly::compose_vartime) with X + 1.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// // X^2 (X + 1) (X^2 + X + 1)
    /// assert_eq!(Poly::from_exponents([5, 2]).roots_vartime(), Some(vec![(false, 2), (true, 1)]));
    /// ```
    #[must_use]
    pub fn roots_vartime(&self) -> Option<Vec<(bool, usize)>> {
        // The root 1 of a(X) is the root 0 of a(X + 1).
        let at_one = self.compose_vartime(&Poly::from(0b11));
        let roots = [(false, self.lowest_exponent()?), (true, at_one.lowest_exponent()?)];
        Some(roots.into_iter().filter(|&(_, multiplicity)| multiplicity > 0).collect())
    }

    /// The largest k for which X^k divides a; `None` for 0.
    fn lowest_exponent(&self) -> Option<usize> {
        let word = self.words.iter().position(|&word| word != 0)?;
        Some(64 * word + self.words[word].trailing_zeros() as usize)
    }
}
