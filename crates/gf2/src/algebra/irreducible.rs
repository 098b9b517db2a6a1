//! Rabin's test for irreducible polynomials.
use super::Poly;
use super::squares::Squares;
use alloc::vec::Vec;
use core::convert::Infallible;

impl Poly {
    /// Whether it is irreducible: of degree at least 1, and no product of two polynomials of lower degrees.
    ///
    /// By Rabin's theorem, f of degree n is irreducible if and only if f divides X^(2^n) - X and has no common
    /// divisor with X^(2^(n/p)) - X for any prime p that divides n. It takes at most n squares modulo f. A square takes
    /// two products, or linear time if f has few terms and its two highest exponents differ by 64 or more.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// assert!(Poly::from_exponents([233, 74, 0]).is_irreducible_vartime());
    /// assert!(!Poly::from_exponents([233, 75, 0]).is_irreducible_vartime());
    /// ```
    #[must_use]
    pub fn is_irreducible_vartime(&self) -> bool {
        match self.try_is_irreducible_vartime(|| Ok::<(), Infallible>(())) {
            Ok(answer) => answer,
        }
    }

    /// The test of [`is_irreducible_vartime`](Poly::is_irreducible_vartime), for large polynomials, which take
    /// long: `proceed` is called before each square.
    ///
    /// # Errors
    /// The first error of `proceed`, which ends the test.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let (f, mut squares) = (Poly::from_exponents([233, 74, 0]), 0);
    /// let answer = f.try_is_irreducible_vartime(|| {
    ///     squares += 1;
    ///     if squares <= 100 { Ok(()) } else { Err("interrupted") }
    /// });
    /// assert_eq!(answer, Err("interrupted"));
    /// ```
    pub fn try_is_irreducible_vartime<E>(
        &self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        match self.degree() {
            None | Some(0) => Ok(false),
            Some(1) => Ok(true),
            // Roots 0 and 1 are the factors X and X + 1; three of four polynomials have one of them and end here.
            _ if !self.evaluate(false) || !self.evaluate(true) => Ok(false),
            Some(n) => has_equal_degrees(self, n, &mut proceed),
        }
    }
}

/// Whether f is a product of different irreducible polynomials of degree d, at least 1. These are Rabin's conditions
/// with d in place of n: f divides X^(2^d) - X and is coprime to X^(2^(d/p)) - X for all primes p that divide d. It
/// takes d squares; `proceed` is called before each.
pub(super) fn has_equal_degrees<E>(
    f: &Poly,
    d: usize,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    let Some(modulus) = Squares::new(f, f) else { return Ok(false) };
    let mut squares = |power: Poly, count: usize| {
        (0..count).try_fold(power, |power, _| proceed().map(|()| modulus.square(&power)))
    };
    // Invariant: power = X^(2^done) mod f. So each condition takes only the squares that the one before has not
    // done.
    let x = modulus.f().rem(&Poly::x());
    let (mut power, mut done) = (x.clone(), 0);
    // Largest p first, so that d / p ascends and each power continues from the one before.
    for p in prime_divisors(d as u64, 1).into_iter().rev() {
        let count = d / p as usize;
        power = squares(power, count - done)?;
        done = count;
        if !f.gcd_vartime(&(&power + &x)).is_one() {
            return Ok(false);
        }
    }
    // The first condition last: it needs the highest power.
    Ok(squares(power, d - done)? == x)
}

/// The primes that divide n, in ascending order, by trial division; n is not 0. All of them are 1 modulo `step`, and
/// no other numbers are tried.
pub(super) fn prime_divisors(mut n: u64, step: u64) -> Vec<u64> {
    let (mut primes, mut p) = (Vec::new(), 1 + step);
    // Not p p <= n, which may overflow.
    while p <= n / p {
        if n.is_multiple_of(p) {
            primes.push(p);
        }
        while n.is_multiple_of(p) {
            n /= p;
        }
        p += step;
    }
    primes.extend((n > 1).then_some(n));
    primes
}
