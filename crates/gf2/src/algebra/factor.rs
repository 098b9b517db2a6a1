//! Factorisation into irreducible polynomials.
use super::Poly;
use super::distinct_degree::distinct_degree;
use super::equal_degree::equal_degree;
use super::irreducible::has_equal_degrees;
use crate::random::Random;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::convert::Infallible;

impl Poly {
    /// The irreducible factors in ascending order, each with its multiplicity. 1 has none, and 0 gives `None`.
    ///
    /// It takes at most n/2 squares modulo f of degree n, and n/8 products modulo f; and if several factors have
    /// the same degree d, about 2 d squares for each. A square takes two products, or linear time if f has few terms
    /// and its two highest exponents differ by 64 or more.
    ///
    /// The steps are [square-free](Poly::square_free_vartime), [distinct-degree](Poly::distinct_degree_vartime) and
    /// [equal-degree](Poly::equal_degree_vartime) factorisation (Cantor and Zassenhaus). The last one draws random
    /// polynomials, from a generator that the polynomial seeds: the result is exact, and only the time depends on them.
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
    /// called before each long step, such as a square modulo f or a composition of two polynomials modulo f.
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
        let Some(parts) = self.square_free_vartime() else { return Ok(None) };
        let (mut random, mut factors) = (Random::new(self), Vec::new());
        for (part, multiplicity) in parts {
            let mut irreducible = Vec::new();
            for (degree, product) in distinct_degree(&part, &mut proceed)? {
                equal_degree(product, degree, &part, &mut random, &mut proceed, &mut irreducible)?;
            }
            factors.extend(irreducible.into_iter().map(|factor| (factor, multiplicity)));
        }
        // Random polynomials decide in which order factors of one degree are found.
        factors.sort_unstable();
        Ok(Some(factors))
    }

    /// The distinct-degree factorisation: for each degree of an irreducible factor, in ascending order, the product of
    /// the factors of that degree, with the degree. `None` for 0, and if a factor comes twice; apply this to the parts of
    /// [`square_free_vartime`](Poly::square_free_vartime), which have each factor once.
    ///
    /// It takes at most n/2 squares and n/8 products modulo f of degree n.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let parts = Poly::from_exponents([15, 0]).distinct_degree_vartime().expect("no square factors");
    /// let degrees: Vec<_> = parts.iter().map(|(part, degree)| (part.degree().unwrap_or(0), *degree)).collect();
    /// assert_eq!(degrees, [(1, 1), (2, 2), (12, 4)]);
    /// ```
    #[must_use]
    pub fn distinct_degree_vartime(&self) -> Option<Vec<(Poly, usize)>> {
        match self.try_distinct_degree_vartime(|| Ok::<(), Infallible>(())) {
            Ok(parts) => parts,
        }
    }

    /// The parts of [`distinct_degree_vartime`](Poly::distinct_degree_vartime): `proceed` is called before each square.
    ///
    /// # Errors
    /// The first error of `proceed`, which ends the factorisation.
    pub fn try_distinct_degree_vartime<E>(
        &self,
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<(Poly, usize)>>, E> {
        // A factor that comes twice divides the derivative as well.
        if self.is_zero() || !self.gcd_vartime(&self.derivative()).is_one() {
            return Ok(None);
        }
        // A degree may come twice: an interval of degrees may find a factor of a higher degree by chance, and the
        // search the others later.
        let mut products = BTreeMap::new();
        for (degree, part) in distinct_degree(self, proceed)? {
            *products.entry(degree).or_insert_with(Poly::one) *= &part;
        }
        Ok(Some(products.into_iter().map(|(degree, product)| (product, degree)).collect()))
    }

    /// The equal-degree factorisation: the irreducible factors in ascending order, if all are different and of degree
    /// d, as in the parts of [`distinct_degree_vartime`](Poly::distinct_degree_vartime). 1 has none. All other polynomials
    /// give `None`.
    ///
    /// It takes d squares modulo f to tell, and about 2 d for each factor. It draws random polynomials, as does
    /// [`factor_vartime`](Poly::factor_vartime).
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// // (X^3 + X + 1)(X^3 + X^2 + 1)
    /// let f = Poly::from_exponents([6, 5, 4, 3, 2, 1, 0]);
    /// assert_eq!(f.equal_degree_vartime(3), Some(vec![Poly::from(0b1011), Poly::from(0b1101)]));
    /// assert_eq!(f.equal_degree_vartime(2), None);
    /// ```
    #[must_use]
    pub fn equal_degree_vartime(&self, d: usize) -> Option<Vec<Poly>> {
        match self.try_equal_degree_vartime(d, || Ok::<(), Infallible>(())) {
            Ok(factors) => factors,
        }
    }

    /// The factors of [`equal_degree_vartime`](Poly::equal_degree_vartime): `proceed` is called before each long step, as
    /// in [`try_factor_vartime`](Poly::try_factor_vartime).
    ///
    /// # Errors
    /// The first error of `proceed`, which ends the factorisation.
    pub fn try_equal_degree_vartime<E>(
        &self,
        d: usize,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<Poly>>, E> {
        let Some(n) = self.degree() else { return Ok(None) };
        let mut factors = Vec::new();
        if n > 0 {
            // Cheap, and it excludes d = 0.
            if !n.is_multiple_of(d) || !has_equal_degrees(self, d, &mut proceed)? {
                return Ok(None);
            }
            equal_degree(self.clone(), d, self, &mut Random::new(self), &mut proceed, &mut factors)?;
        }
        factors.sort_unstable();
        Ok(Some(factors))
    }
}
