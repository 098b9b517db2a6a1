//! Greatest common divisors, Bezout coefficients and inverses.
use super::Poly;
use super::euclid::{BY_WORDS, Euclid, unit};

/// The greatest common divisor g = u a + v b of a and b, with its coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bezout {
    /// The greatest common divisor of a and b.
    pub g: Poly,
    /// The factor of a, of lower degree than b / g unless that is 1.
    pub u: Poly,
    /// The factor of b, of lower degree than a / g unless that is 1.
    pub v: Poly,
}

impl Poly {
    /// The greatest common divisor; 0 for 0 and 0. Not constant time: the time depends on all coefficients of both.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let (a, b) = (Poly::from_exponents([4, 0]), Poly::from_exponents([3, 0]));
    /// assert_eq!(a.gcd_vartime(&b), Poly::from_exponents([1, 0]));
    /// ```
    #[must_use]
    pub fn gcd_vartime(&self, other: &Poly) -> Poly {
        // No columns: only the pair is needed, and that saves all products by quotients.
        let mut euclid = Euclid::<0>::new(self, other, [], BY_WORDS);
        euclid.reduce(0);
        let [g, _] = euclid.pair;
        g
    }

    /// The resultant in F2 as a bit: whether a and b are coprime. It is 0 if one of them is 0, whatever the other is,
    /// and 1 if both are constants that are not 0. It takes a gcd.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// assert!(Poly::from_exponents([2, 1, 0]).resultant_vartime(&Poly::x()));
    /// assert!(!Poly::one().resultant_vartime(&Poly::zero()));
    /// ```
    #[must_use]
    pub fn resultant_vartime(&self, other: &Poly) -> bool {
        // The gcd of 1 and 0 is 1, too.
        !self.is_zero() && !other.is_zero() && self.gcd_vartime(other).is_one()
    }

    /// The greatest common divisor g = u a + v b of a = `self` and b = `other`, with u and v. Not constant time:
    /// the time depends on all coefficients of both.
    ///
    /// u and v are those of least degree. For b = 0, u = 1 and v = 0; for a = 0, u = 0 and v = 1.
    #[must_use]
    pub fn xgcd_vartime(&self, other: &Poly) -> Bezout {
        if self.is_zero() {
            let v = Poly::from(u64::from(!other.is_zero()));
            return Bezout { g: other.clone(), u: Poly::zero(), v };
        }
        // One column instead of two through all divisions, at the price of one product and one division at
        // the end.
        let (g, v) = cofactor(self, other);
        // u a = g + v b: an exact division gives u.
        let rest = &g + &(&v * other);
        let (u, _) = rest.div_rem(self).expect("not zero");
        Bezout { g, u, v }
    }

    /// The inverse modulo f, of lower degree than f; `None` if there is none or f is 0. Not constant time: the time
    /// depends on all coefficients of both.
    ///
    /// Modulo 1 the inverse of everything is 0.
    #[must_use]
    pub fn inverse_mod_vartime(&self, f: &Poly) -> Option<Poly> {
        let (g, v) = cofactor(f, &self.rem(f)?);
        g.is_one().then_some(v)
    }
}

/// The greatest common divisor g of a and b, and v with g = v b modulo a. Only one column of the matrix is computed.
fn cofactor(a: &Poly, b: &Poly) -> (Poly, Poly) {
    let mut euclid = Euclid::new(a, b, [unit(1)], BY_WORDS);
    euclid.reduce(0);
    let ([g, _], [[v, _]]) = (euclid.pair, euclid.columns);
    (g, v)
}
