//! Irreducible polynomials with three or five terms.
use super::Poly;
use super::distinct_degree::has_factor_of_low_degree;
use core::convert::Infallible;

impl Poly {
    /// The irreducible trinomial X^n + X^k + 1 with the least k, 0 < k < n; `None` if there is none, as for n = 8.
    ///
    /// Swan's theorem rules out more than half of all k at once, and every k if 8 divides n. Most of the others have
    /// a factor of low degree. The rest take the test of
    /// [`is_irreducible_vartime`](Poly::is_irreducible_vartime).
    #[must_use]
    pub fn least_trinomial_vartime(n: usize) -> Option<Poly> {
        trinomials(n).find(is_irreducible)
    }

    /// The irreducible pentanomial X^n + X^a + X^b + X^c + 1, n > a > b > c > 0, with the least a, then the least b,
    /// then the least c; `None` if there is none, as below n = 4.
    ///
    /// About 4 in n of them are irreducible. Most others have a factor of low degree. The rest take the test of
    /// [`is_irreducible_vartime`](Poly::is_irreducible_vartime).
    #[must_use]
    pub fn least_pentanomial_vartime(n: usize) -> Option<Poly> {
        pentanomials(n).find(is_irreducible)
    }

    /// An irreducible polynomial of degree n with few terms: the [least trinomial](Poly::least_trinomial_vartime), or
    /// else the [least pentanomial](Poly::least_pentanomial_vartime); X for n = 1. `None` for n = 0.
    ///
    /// These are the polynomials of NTL's `BuildSparseIrred`. It takes the time of both searches: 0.1 s for n = 5000.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let f = Poly::find_irreducible_vartime(163).expect("degree at least 1");
    /// assert_eq!(f.to_string(), "X^163 + X^7 + X^6 + X^3 + 1");
    /// ```
    #[must_use]
    pub fn find_irreducible_vartime(n: usize) -> Option<Poly> {
        match Poly::try_find_irreducible_vartime(n, || Ok::<(), Infallible>(())) {
            Ok(found) => found,
        }
    }

    /// The polynomial of [`find_irreducible_vartime`](Poly::find_irreducible_vartime), for large n, which take long:
    /// `proceed` is called before each trial, and in trials that find no factor of low degree before each further square
    /// modulo the polynomial.
    ///
    /// # Errors
    /// The first error of `proceed`, which ends the search.
    pub fn try_find_irreducible_vartime<E>(
        n: usize,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Poly>, E> {
        if n == 1 {
            return Ok(Some(Poly::x()));
        }
        for f in trinomials(n).chain(pentanomials(n)) {
            proceed()?;
            if try_is_irreducible(&f, &mut proceed)? {
                return Ok(Some(f));
            }
        }
        Ok(None)
    }
}

/// The trinomials X^n + X^k + 1 that may be irreducible, or their reversals, with ascending k.
pub(super) fn trinomials(n: usize) -> impl Iterator<Item = Poly> {
    // X^n + X^k + 1 and X^n + X^(n-k) + 1, its reversal, have factors of the same degrees and orders.
    let exponents = (1..=n / 2).filter(move |&k| !swan_even(n, k));
    exponents.map(move |k| Poly::from_exponents([n, k, 0]))
}

/// The pentanomials X^n + X^a + X^b + X^c + 1 with ascending a, then b, then c.
pub(super) fn pentanomials(n: usize) -> impl Iterator<Item = Poly> {
    let exponents = (3..n).flat_map(move |a| (2..a).flat_map(move |b| (1..b).map(move |c| [n, a, b, c, 0])));
    exponents.map(Poly::from_exponents)
}

/// Whether f is irreducible: factors of low degree first, because most polynomials have one.
pub(super) fn is_irreducible(f: &Poly) -> bool {
    match try_is_irreducible(f, || Ok::<(), Infallible>(())) {
        Ok(answer) => answer,
    }
}

/// The test of [`is_irreducible`]; `proceed` is called before each square after those for factors of low degree.
fn try_is_irreducible<E>(f: &Poly, proceed: impl FnMut() -> Result<(), E>) -> Result<bool, E> {
    Ok(!has_factor_of_low_degree(f) && f.try_is_irreducible_vartime(proceed)?)
}

/// Whether X^n + X^k + 1 has an even number of factors, counted with multiplicity, by the theorem of Swan (Pacific
/// Journal of Mathematics 12, 1962). Then it is reducible. 0 < k < n.
fn swan_even(n: usize, k: usize) -> bool {
    match (n % 2, k % 2) {
        // A square.
        (0, 0) => true,
        // n k / 2 modulo 4, without the product, which may be too large for 32 bits.
        (0, _) => n != 2 * k && (n % 8) * (k % 8) / 2 % 4 < 2,
        // The reversal has an even k.
        (_, 1) => swan_even(n, n - k),
        // Here k is even and n is odd, so that 2 n / k is a whole number only for k = 2 d, d a divisor of n.
        _ if (2 * n).is_multiple_of(k) => matches!(n % 8, 1 | 7),
        _ => matches!(n % 8, 3 | 5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Swan's theorem against the factors of all trinomials of small degree.
    #[test]
    fn numbers_of_factors_are_even_where_swan_says_so() {
        for n in 2..if cfg!(miri) { 8 } else { 48 } {
            for k in 1..n {
                let factors = Poly::from_exponents([n, k, 0]).factor_vartime().expect("not zero");
                let count: usize = factors.iter().map(|(_, multiplicity)| multiplicity).sum();
                assert_eq!(swan_even(n, k), count.is_multiple_of(2), "X^{n} + X^{k} + 1");
            }
        }
    }
}
