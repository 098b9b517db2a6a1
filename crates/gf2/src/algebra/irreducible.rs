//! Rabin's test.
use super::{Divisor, Poly};
use alloc::vec::Vec;

impl Poly {
    /// Whether it is irreducible: of degree at least 1, and no product of two polynomials of lower degrees.
    ///
    /// f of degree n is irreducible if and only if f divides X^(2^n) - X and has no common divisor with
    /// X^(2^(n/p)) - X for any prime p that divides n. n squares modulo f at most.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// assert!(Poly::from_exponents([233, 74, 0]).is_irreducible_vartime());
    /// assert!(!Poly::from_exponents([233, 75, 0]).is_irreducible_vartime());
    /// ```
    #[must_use]
    pub fn is_irreducible_vartime(&self) -> bool {
        let n = match self.degree() {
            None | Some(0) => return false,
            Some(1) => return true,
            Some(n) => n,
        };
        if !self.evaluate(false) || !self.evaluate(true) {
            return false;
        }
        let Some(f) = Divisor::new(self) else { return false };
        let x = Poly::x();
        let (mut power, mut done) = (x.clone(), 0);
        for p in prime_divisors(n).into_iter().rev() {
            power = f.frobenius_mod(&power, n / p - done);
            done = n / p;
            if !self.gcd_vartime(&(&power + &x)).is_one() {
                return false;
            }
        }
        f.frobenius_mod(&power, n - done) == x
    }
}

/// The primes that divide n, in ascending order; n is not 0.
fn prime_divisors(mut n: usize) -> Vec<usize> {
    let (mut primes, mut p) = (Vec::new(), 2);
    while p * p <= n {
        if n.is_multiple_of(p) {
            primes.push(p);
        }
        while n.is_multiple_of(p) {
            n /= p;
        }
        p += 1;
    }
    primes.extend((n > 1).then_some(n));
    primes
}
