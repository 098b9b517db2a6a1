//! Primitive polynomials: X generates the multiplicative group modulo them.
use super::irreducible::prime_divisors;
use super::sparse_irreducible::{is_irreducible, pentanomials, trinomials};
use super::{Divisor, Poly};
use alloc::vec::Vec;

impl Poly {
    /// The largest degree for which [`is_primitive_vartime`](Poly::is_primitive_vartime) answers: 64. Above it, the
    /// number of elements may have no factors that trial division finds.
    pub const MAX_PRIMITIVE_DEGREE: usize = 64;

    /// Whether it is primitive: irreducible of degree n, and the powers of X modulo it are all 2^n - 1 elements of its
    /// field but 0. `None` if the degree is above [`MAX_PRIMITIVE_DEGREE`](Poly::MAX_PRIMITIVE_DEGREE).
    ///
    /// X is not primitive, X + 1 is. Costs the factorisation of 2^n - 1, up to 0.1 s (for n = 61), and n squares modulo the
    /// polynomial for each prime divisor of that number.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// assert_eq!(Poly::from_exponents([8, 4, 3, 2, 0]).is_primitive_vartime(), Some(true));
    /// // The order of X divides 51.
    /// assert_eq!(Poly::from_exponents([8, 4, 3, 1, 0]).is_primitive_vartime(), Some(false));
    /// ```
    #[must_use]
    pub fn is_primitive_vartime(&self) -> Option<bool> {
        let n = self.degree().unwrap_or(0);
        if n > Poly::MAX_PRIMITIVE_DEGREE {
            return None;
        }
        Some(self.is_irreducible_vartime() && x_generates(self, &divisors_of_order(n)))
    }

    /// A primitive polynomial of degree n with few terms: the trinomial X^n + X^k + 1 with the least k, or else the
    /// pentanomial with the least exponents, in the order of
    /// [`least_pentanomial_vartime`](Poly::least_pentanomial_vartime); X + 1 for n = 1. `None` for n = 0 and above
    /// [`MAX_PRIMITIVE_DEGREE`](Poly::MAX_PRIMITIVE_DEGREE).
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let f = Poly::find_primitive_vartime(64).expect("a degree from 1 to 64");
    /// assert_eq!(f.to_string(), "X^64 + X^4 + X^3 + X + 1");
    /// ```
    #[must_use]
    pub fn find_primitive_vartime(n: usize) -> Option<Poly> {
        match n {
            1 => return Some(Poly::from(0b11)),
            2..=Poly::MAX_PRIMITIVE_DEGREE => {}
            _ => return None,
        }
        let primes = divisors_of_order(n);
        trinomials(n).chain(pentanomials(n)).find(|f| is_irreducible(f) && x_generates(f, &primes))
    }
}

/// Whether X has the order 2^n - 1 modulo an irreducible f of degree n, from 1 to 64. `primes`
/// are the [`divisors_of_order`] of n.
fn x_generates(f: &Poly, primes: &[u64]) -> bool {
    let (Some(n), Some(divisor)) = (f.degree(), Divisor::new(f)) else { return false };
    // Modulo f = X there are no powers of X but 0.
    f.coefficient(0) && primes.iter().all(|p| !divisor.x_power_mod_vartime(&[order(n) / p]).is_one())
}

/// The number 2^n - 1, for n from 0 to 64.
pub(crate) fn order(n: usize) -> u64 {
    u64::MAX.checked_shr(64 - n as u32).unwrap_or(0)
}

/// The primes that divide 2^n - 1, for n from 0 to 64. It takes up to 2^26 divisions, for n = 61.
pub(crate) fn divisors_of_order(n: usize) -> Vec<u64> {
    let (mut rest, mut primes) = (order(n), Vec::new());
    for d in (1..=n).filter(|&d| n.is_multiple_of(d)) {
        // Modulo a prime that divides 2^d - 1, but no 2^e - 1 for a smaller divisor e of n, 2 has the order d. So d
        // divides p - 1, and few numbers are tried.
        let found = prime_divisors(gcd(rest, order(d)), d as u64);
        for p in &found {
            while rest.is_multiple_of(*p) {
                rest /= p;
            }
        }
        primes.extend(found);
    }
    primes
}

/// The greatest common divisor of two numbers.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every divisor is prime by trial division without a step, and their powers give 2^n - 1.
    #[test]
    fn orders_are_products_of_their_divisors() {
        for n in 0..=if cfg!(miri) { 10 } else { 64 } {
            let (mut rest, primes) = (order(n), divisors_of_order(n));
            assert_eq!(u128::from(rest), (1 << n) - 1);
            for &p in &primes {
                // 2^61 - 1 takes too long, and is known.
                assert!(p == (1 << 61) - 1 || prime_divisors(p, 1) == [p], "{p} divides 2^{n} - 1");
                while rest.is_multiple_of(p) {
                    rest /= p;
                }
            }
            assert_eq!(rest.max(1), 1, "2^{n} - 1 has more than {primes:?}");
        }
    }
}
