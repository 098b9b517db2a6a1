//! Minimal polynomials and traces modulo f.
//!
//! The residue of a polynomial b modulo f of degree n is the coefficient of X^(n-1) of b mod f. It is the coefficient
//! of X^-1 of b / f as a series in 1/X. Every linear map from F2[X] / f to F2 is b -> residue of w b for one w.
use super::euclid::{BY_WORDS, Euclid, unit};
use super::{Divisor, Poly};
use crate::random::Random;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

impl Divisor {
    /// The minimal polynomial of a modulo this f: the m of least degree with m(a) = 0 modulo f. It is exact for every
    /// f, irreducible or not, and 1 for f = 1.
    ///
    /// It takes about 6 sqrt(n) products modulo f of degree n, n^2 / 32 operations on words, and a half-gcd of degree
    /// 2 n, with 1.5 sqrt(n) polynomials in memory. It may repeat this, seldom more than twice. It is Shoup's algorithm
    /// (ISSAC 1999), with random polynomials from a generator that f seeds. They decide how often it repeats, not what
    /// it finds.
    ///
    /// ```
    /// # use carryless_gf2::algebra::{Divisor, Poly};
    /// let f = Divisor::new(&Poly::from_exponents([8, 4, 3, 1, 0])).expect("not zero");
    /// // X^51 is 1, so X^17 lies in the field of 4 elements. 0x53 lies in no field smaller than that of f.
    /// assert_eq!(f.min_poly_mod_vartime(&Poly::monomial(17)).degree(), Some(2));
    /// assert_eq!(f.min_poly_mod_vartime(&Poly::from(0x53)).degree(), Some(8));
    /// ```
    #[must_use]
    pub fn min_poly_mod_vartime(&self, a: &Poly) -> Poly {
        match self.try_min_poly_mod_vartime(a, || Ok::<(), Infallible>(())) {
            Ok(m) => m,
        }
    }

    /// The polynomial of [`min_poly_mod_vartime`](Divisor::min_poly_mod_vartime), for large degrees, which take long:
    /// `proceed` is called before each product modulo f, and as often while residues are computed. The half-gcd at the end is
    /// one step.
    ///
    /// # Errors
    /// The first error of `proceed`, which ends the computation.
    pub fn try_min_poly_mod_vartime<E>(
        &self,
        a: &Poly,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Poly, E> {
        let (a, mut random) = (self.rem(a), Random::new(self.poly()));
        // With m so far, b = m(a). What annihilates b completes m, and the polynomial of any sequence of residues of
        // w b a^i divides that. At the end b is 0, so nothing is missing.
        let (mut m, mut b) = (Poly::one(), self.rem(&Poly::one()));
        while !b.is_zero() {
            let w = random.poly(self.degree());
            let residues = self.residues(&self.mul_mod(&w, &b), &a, &mut proceed)?;
            let factor = recurrence(&residues, self.degree());
            b = self.mul_mod(&b, &self.try_compose_mod_vartime(&factor, &a, &mut proceed)?);
            m = m * factor;
        }
        Ok(m)
    }

    /// The trace of a modulo this f: that of the matrix of multiplication by a, in F2. It is the sum of a over the
    /// roots of f, with their multiplicities; for irreducible f, a + a^2 + a^4 + .. + a^(2^(n-1)). 0 for f = 1.
    ///
    /// It takes three products. The sums s_k of k-th powers of the roots are Newton's: f' / f = sum of s_k
    /// X^(-k-1). So the trace is the residue of a f'.
    ///
    /// ```
    /// # use carryless_gf2::algebra::{Divisor, Poly};
    /// let f = Divisor::new(&Poly::from_exponents([8, 4, 3, 1, 0])).expect("not zero");
    /// assert!(f.trace_mod(&Poly::monomial(5)));
    /// assert!(!f.trace_mod(&Poly::one()));
    /// ```
    #[must_use]
    pub fn trace_mod(&self, a: &Poly) -> bool {
        let product = self.mul_mod(a, &self.poly().derivative());
        self.degree() > 0 && product.coefficient(self.degree() - 1)
    }

    /// The residues of w a^i for i below 2 n, n the degree: the residue of w a^i is the coefficient of
    /// X^(2 n - 1 - i).
    ///
    /// It takes baby and giant steps: with s about sqrt(2 n), the products a^i for i < s and w a^(s j). The residue
    /// of c d is the sum of c_k times the residue of X^k d, and those of X^k d for all k are the quotient of d X^n
    /// by f.
    fn residues<E>(
        &self,
        w: &Poly,
        a: &Poly,
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Poly, E> {
        // A recurrence of order n is determined by 2 n terms.
        let (n, len) = (self.degree(), 2 * self.degree());
        let s = len.isqrt().max(1);
        let (mut power, mut functionals) = (self.rem(&Poly::one()), Vec::new());
        for _ in 0..s {
            proceed()?;
            // The coefficient of X^(n-1-k) of the quotient is the residue of X^k d.
            functionals.push(self.div_rem(&(&power << n)).0.reverse(n.saturating_sub(1)));
            power = self.mul_mod(&power, a);
        }
        let (mut giant, mut residues) = (w.clone(), vec![0; len.div_ceil(64)]);
        for i in 0..len {
            if i % s == 0 {
                proceed()?;
                if i > 0 {
                    giant = self.mul_mod(&giant, &power);
                }
            }
            let place = len - 1 - i;
            residues[place / 64] |= u64::from(is_odd_product(&giant, &functionals[i % s])) << (place % 64);
        }
        Ok(Poly::from(residues))
    }
}

/// Whether a and b have an odd number of common terms.
fn is_odd_product(a: &Poly, b: &Poly) -> bool {
    let sum = a.words.iter().zip(&b.words).fold(0, |sum, (a, b)| sum ^ a & b);
    sum.count_ones() % 2 == 1
}

/// The polynomial of the shortest linear recurrence of a sequence s_0, .., s_(2n-1), if its degree is at most n:
/// s_i is the coefficient of X^(2n-1-i).
///
/// It is what the algorithm of Berlekamp and Massey finds, by Euclid's on X^(2n) and the sequence. The cofactor of
/// the first remainder of a degree below n is the denominator v of the best fraction u / v near the series sum of
/// s_i X^(-i-1).
fn recurrence(sequence: &Poly, n: usize) -> Poly {
    let mut euclid = Euclid::new(&Poly::monomial(2 * n), sequence, [unit(1)], BY_WORDS);
    euclid.reduce(n);
    let [[_, denominator]] = euclid.columns;
    denominator
}

impl Poly {
    /// The minimal polynomial of this element modulo f, by [`Divisor::min_poly_mod_vartime`]; `None` if f is 0.
    #[must_use]
    pub fn min_poly_mod_vartime(&self, f: &Poly) -> Option<Poly> {
        Some(Divisor::new(f)?.min_poly_mod_vartime(self))
    }

    /// The trace of this element modulo f, by [`Divisor::trace_mod`]; `None` if f is 0.
    #[must_use]
    pub fn trace_mod(&self, f: &Poly) -> Option<bool> {
        Some(Divisor::new(f)?.trace_mod(self))
    }
}
