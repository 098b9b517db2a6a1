//! Square-free factorisation.
use super::Poly;
use alloc::vec::Vec;

impl Poly {
    /// The square-free factorisation: pairwise coprime polynomials without square factors, of degree at least 1, in
    /// ascending order of their multiplicities. f is the product of their powers. 1 has none, and 0 gives `None`.
    ///
    /// It takes up to log2(n) steps, each with a gcd of half the degree of the step before, and gcds of what they give.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// // X^2 (X + 1)^2 (X^2 + X + 1)
    /// let parts = Poly::from_exponents([6, 5, 3, 2]).square_free_vartime();
    /// assert_eq!(parts, Some(vec![(Poly::from(0b111), 1), (Poly::from(0b110), 2)]));
    /// ```
    #[must_use]
    pub fn square_free_vartime(&self) -> Option<Vec<(Poly, usize)>> {
        if self.is_zero() {
            return None;
        }
        // Over F2 every f is A^2 + X B^2, with f' = B^2. So gcd(f, f') = gcd(A, B)^2. With s = gcd(A, B), f / s^2 is
        // the product w of the irreducible factors whose multiplicity is odd. Repeated on s, this yields
        // f = w_0 w_1^2 w_2^4 ...: w_j has the factors whose multiplicity has bit j.
        let (mut f, mut parts, mut bit) = (self.clone(), Vec::new(), 1);
        // s^2 divides f, so the degree halves at least with every bit.
        while f.degree() > Some(0) {
            let s = f.even_part().gcd_vartime(&f.derivative().even_part());
            let w = exact_quotient(&f, &s.square());
            parts = refine(parts, w, bit);
            (f, bit) = (s, 2 * bit);
        }
        parts.sort_unstable_by_key(|&(_, multiplicity)| multiplicity);
        Some(parts)
    }
}

/// Splits coprime parts by w, which has no square factors: what they share with w gains `bit` in multiplicity, and
/// the rest of w becomes a part.
fn refine(parts: Vec<(Poly, usize)>, mut w: Poly, bit: usize) -> Vec<(Poly, usize)> {
    let mut refined = Vec::new();
    for (part, multiplicity) in parts {
        let common = part.gcd_vartime(&w);
        // Parts are coprime: what w shares with this one it shares with no other.
        w = exact_quotient(&w, &common);
        refined.push((exact_quotient(&part, &common), multiplicity));
        refined.push((common, multiplicity + bit));
    }
    refined.push((w, bit));
    // A part is 1 if all of its factors went elsewhere, and w is if all of its factors were in parts.
    refined.retain(|(part, _)| !part.is_one());
    refined
}

/// The quotient of a by its divisor d, which is not 0.
pub(super) fn exact_quotient(a: &Poly, d: &Poly) -> Poly {
    if d.is_one() {
        return a.clone();
    }
    a.div_rem(d).expect("a divisor of what is not zero").0
}
