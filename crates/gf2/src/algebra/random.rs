//! Random polynomials.
use super::Poly;
use super::sparse_irreducible::is_irreducible;
use alloc::vec::Vec;
use core::convert::Infallible;

impl Poly {
    /// A random polynomial of a degree below n, from ceil(n / 64) words of a generator: every one has the same
    /// chance if every word has.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// # let mut state = 1_u64;
    /// # let mut next = || { state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1); state };
    /// // With a generator of the crate `rand_core`: `|| rng.next_u64()`.
    /// let a = Poly::random(233, &mut next);
    /// assert!(a.degree() < Some(233));
    /// ```
    #[must_use]
    pub fn random(n: usize, mut word: impl FnMut() -> u64) -> Poly {
        Poly::trimmed((0..n.div_ceil(64)).map(|_| word()).collect()).truncate(n)
    }

    /// A random irreducible polynomial of degree n, dense: every one has the same chance if every word of the generator
    /// has. `None` for n = 0, and never for a generator that repeats one word.
    ///
    /// About one polynomial in n is irreducible. Most others have a factor of low degree. The rest take the
    /// test of [`is_irreducible_vartime`](Poly::is_irreducible_vartime).
    #[must_use]
    pub fn random_irreducible_vartime(n: usize, mut word: impl FnMut() -> u64) -> Option<Poly> {
        let Ok(found) = Poly::try_random_irreducible_vartime(n, || Ok::<u64, Infallible>(word()));
        found
    }

    /// [`random_irreducible_vartime`](Poly::random_irreducible_vartime) for a generator that may fail, and for large degrees,
    /// which take long.
    ///
    /// # Errors
    /// The first error of `word`, which ends the search.
    pub fn try_random_irreducible_vartime<E>(
        n: usize,
        mut word: impl FnMut() -> Result<u64, E>,
    ) -> Result<Option<Poly>, E> {
        if n == 0 {
            return Ok(None);
        }
        let leading = Poly::monomial(n);
        loop {
            let words = (0..n.div_ceil(64)).map(|_| word()).collect::<Result<Vec<u64>, E>>()?;
            let f = &leading + &Poly::from(words).truncate(n);
            if is_irreducible(&f) {
                return Ok(Some(f));
            }
        }
    }
}
