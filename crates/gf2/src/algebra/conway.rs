//! Conway polynomials, from a table.
use super::Poly;
use alloc::vec;

impl Poly {
    /// The Conway polynomial of degree n, modulo which computer algebra systems represent GF(2^n); `None` for n that the table lacks. It has all
    /// n from 1 to 92 and 77 others up to 409.
    ///
    /// It is the least primitive polynomial (in the order of [`Poly`]) that is compatible with those of all divisors d of n: the power
    /// X^((2^n - 1) / (2^d - 1)) modulo it is a root of the one of degree d. The table is Frank Lübeck's.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let f = Poly::conway(8).expect("a degree up to 92");
    /// assert_eq!(f.to_string(), "X^8 + X^4 + X^3 + X^2 + 1");
    /// assert_eq!(Poly::conway(93), None);
    /// ```
    #[must_use]
    pub fn conway(n: usize) -> Option<Poly> {
        let mut entries = include_str!("conway.txt").lines().filter_map(|line| line.split_once(' '));
        let (_, tail) = entries.find(|(degree, _)| degree.parse() == Ok(n))?;
        let tail = u128::from_str_radix(tail, 16).ok()?;
        Some(Poly::monomial(n) + Poly::from(vec![tail as u64, (tail >> 64) as u64]))
    }
}
