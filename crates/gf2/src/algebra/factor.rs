//! Factorisation into irreducible polynomials.
use super::Poly;
use super::distinct_degree::distinct_degree;
use super::equal_degree::{Random, equal_degree};
use alloc::vec::Vec;
use core::convert::Infallible;

impl Poly {
    /// The irreducible factors in ascending order, each with its multiplicity. 1 has none, and 0 gives `None`.
    ///
    /// It takes at most n/2 squares modulo f of degree n, and n/8 products modulo f; and if several factors have
    /// the same degree d, about 2 d squares for each. A square takes two products, or linear time if f has few terms
    /// and its two highest exponents differ by 64 or more.
    ///
    /// The steps are square-free, distinct-degree and equal-degree factorisation (Cantor and Zassenhaus). The last one
    /// takes random polynomials, from a generator that the polynomial seeds: the result is exact, and
    /// only the time depends on them.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let f = Poly::from_exponents([9, 8, 1, 0]);
    /// let factors = f.factor_vartime().expect("not zero");
    /// let text: Vec<_> = factors.iter().map(|(factor, e)| format!("({factor})^{e}")).collect();
    /// assert_eq!(text.join(" "), "(X + 1)^9");
    /// ```
    #[must_use]
    pub fn factor_vartime(&self) -> Option<Vec<(Poly, usize)>> {
        match self.try_factor_vartime(|| Ok::<(), Infallible>(())) {
            Ok(factors) => factors,
        }
    }

    /// The factors of [`factor_vartime`](Poly::factor_vartime), for large polynomials, which take long: `proceed` is
    /// called before each square modulo f or a divisor of f, and before each composition.
    ///
    /// # Errors
    /// The first error of `proceed`, which ends the factorisation.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let (f, mut squares) = (Poly::from_exponents([571, 5, 0]), 0);
    /// let factors = f.try_factor_vartime(|| {
    ///     squares += 1;
    ///     if squares <= 10 { Ok(()) } else { Err("interrupted") }
    /// });
    /// assert_eq!(factors, Err("interrupted"));
    /// ```
    pub fn try_factor_vartime<E>(
        &self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<(Poly, usize)>>, E> {
        if self.is_zero() {
            return Ok(None);
        }
        let (mut random, mut factors) = (Random::new(self), Vec::new());
        for (part, multiplicity) in self.square_free() {
            let mut irreducible = Vec::new();
            for (degree, product) in distinct_degree(&part, &mut proceed)? {
                equal_degree(product, degree, &part, &mut random, &mut proceed, &mut irreducible)?;
            }
            factors.extend(irreducible.into_iter().map(|factor| (factor, multiplicity)));
        }
        factors.sort_unstable();
        Ok(Some(factors))
    }
}
