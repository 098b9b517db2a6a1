//! Arithmetic modulo a polynomial.
use super::{Divisor, Poly};
use alloc::vec;

impl Divisor {
    /// a b modulo this polynomial: three products.
    #[must_use]
    pub fn mul_mod(&self, a: &Poly, b: &Poly) -> Poly {
        self.rem(&(a * b))
    }

    /// a^2 modulo this polynomial: two products.
    #[must_use]
    pub fn square_mod(&self, a: &Poly) -> Poly {
        self.rem(&a.square())
    }

    /// a^(2^k) modulo this polynomial: k squares.
    #[must_use]
    pub fn frobenius_mod(&self, a: &Poly, k: usize) -> Poly {
        (0..k).fold(self.rem(a), |power, _| self.square_mod(&power))
    }

    /// a^e modulo this polynomial, e in words, least significant first: a square for each bit of e, a product for each
    /// that is 1.
    #[must_use]
    pub fn pow_mod_vartime(&self, a: &Poly, e: &[u64]) -> Poly {
        let (a, e) = (self.rem(a), Poly::from_words(e));
        let bits = (0..e.degree().map_or(0, |top| top + 1)).rev();
        bits.fold(self.rem(&Poly::one()), |power, i| {
            let square = self.square_mod(&power);
            if e.coefficient(i) { self.mul_mod(&square, &a) } else { square }
        })
    }

    /// a(b) modulo this polynomial.
    ///
    /// Of the powers of b about twice the square root of deg a are computed: a = sum of a_j(X) X^(s j) with deg a_j < s; every a_j(b) is a
    /// sum of the powers b^0 to b^(s-1), and they are joined by Horner's rule at b^s.
    #[must_use]
    pub fn compose_mod_vartime(&self, a: &Poly, b: &Poly) -> Poly {
        let len = a.degree().map_or(0, |degree| degree + 1);
        let s = len.isqrt().max(1);
        let mut powers = vec![self.rem(&Poly::one())];
        for i in 0..s {
            powers.push(self.mul_mod(&powers[i], b));
        }
        let step = powers.pop().expect("b^s");
        (0..len.div_ceil(s)).rev().fold(Poly::zero(), |value, j| {
            let chosen = (0..s).filter(|i| a.coefficient(s * j + i)).map(|i| &powers[i]);
            self.mul_mod(&value, &step) + chosen.sum::<Poly>()
        })
    }
}

/// Each prepares f as a [`Divisor`]: who computes much modulo one f does so once. `None` if f is 0.
impl Poly {
    /// a b modulo f.
    #[must_use]
    pub fn mul_mod(&self, other: &Poly, f: &Poly) -> Option<Poly> {
        (self * other).rem(f)
    }

    /// a^2 modulo f.
    #[must_use]
    pub fn square_mod(&self, f: &Poly) -> Option<Poly> {
        self.square().rem(f)
    }

    /// a^(2^k) modulo f: k squares.
    #[must_use]
    pub fn frobenius_mod(&self, k: usize, f: &Poly) -> Option<Poly> {
        Some(Divisor::new(f)?.frobenius_mod(self, k))
    }

    /// a^e modulo f, e in words, least significant first. 0^0 is 1.
    #[must_use]
    pub fn pow_mod_vartime(&self, e: &[u64], f: &Poly) -> Option<Poly> {
        Some(Divisor::new(f)?.pow_mod_vartime(self, e))
    }

    /// a(b) modulo f: see [`Divisor::compose_mod_vartime`].
    #[must_use]
    pub fn compose_mod_vartime(&self, b: &Poly, f: &Poly) -> Option<Poly> {
        Some(Divisor::new(f)?.compose_mod_vartime(self, b))
    }
}
