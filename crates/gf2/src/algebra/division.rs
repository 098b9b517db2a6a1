//! Division with remainder: word by word, or by products with an inverse of the divisor.
use super::sparse::Sparse;
use super::words::{self, Buffer, Words};
use super::{Poly, newton};
use crate::poly::Modulus;
use alloc::vec::Vec;

/// The size in words, of the divisor and of the quotient, from which a [`Divisor`] computes quotients by products
/// with an inverse of many words. Below it, they come word by word. Measured on a Zen 3 processor.
const MANY: usize = 56;

/// The same threshold for a divisor that is used once, and so pays for its inverse.
const ONCE: usize = 120;

/// A divisor prepared for many divisions: shifted to whole words, with its inverse as a power series in 1/X.
///
/// It divides polynomials of any degree. Below twice its own degree, a remainder takes two products of its size. A
/// divisor with few terms, such as a trinomial or a pentanomial, takes shifts instead, in linear time. The
/// terms of a divisor are public.
///
/// ```
/// use carryless_gf2::algebra::{Divisor, Poly};
///
/// let f = Divisor::new(&Poly::from_exponents([233, 74, 0])).expect("not zero");
/// let a = f.rem(&Poly::monomial(233));
/// assert_eq!(a, Poly::from_exponents([74, 0]));
/// assert_eq!(f.square_mod(&a), Poly::from_exponents([148, 0]));
/// ```
#[derive(Clone, Debug)]
pub struct Divisor {
    poly: Poly,
    degree: usize,
    /// The divisor times X^s of degree 64 n, without its leading term: n words.
    low: Vec<u64>,
    /// The [`newton::inverse`] of the m top words of `low`. Quotients come in blocks of at most m words.
    inverse: Vec<u64>,
    /// The terms, if remainders are faster by shifts.
    sparse: Option<Sparse>,
}

impl Divisor {
    /// Prepares a divisor, at the cost of about two products of its size; `None` for 0.
    #[must_use]
    pub fn new(divisor: &Poly) -> Option<Divisor> {
        let n = divisor.words.len();
        // A short divisor is divided by word after word, for which one word of the inverse is enough.
        let dense = Divisor::with_blocks(divisor, if n < MANY { 1 } else { n })?;
        Some(Divisor { sparse: Sparse::new(divisor, n), ..dense })
    }

    /// Prepares a divisor for quotients in blocks of at most `block` words, and no more than the divisor has.
    fn with_blocks(divisor: &Poly, block: usize) -> Option<Divisor> {
        let degree = divisor.degree()?;
        let n = degree.div_ceil(64);
        // With the leading term at X^(64 n), a quotient's words need no shifts. `truncate` drops that term.
        let mut low = words::shl(&divisor.words, 64 * n - degree).into_vec();
        low.truncate(n);
        let inverse = if n == 0 { Vec::new() } else { newton::inverse(&low[n - block.min(n)..]) };
        Some(Divisor { poly: divisor.clone(), degree, low, inverse, sparse: None })
    }

    /// The divisor, as it was given to [`new`](Divisor::new).
    #[must_use]
    pub fn poly(&self) -> &Poly {
        &self.poly
    }

    /// The degree of the divisor; 0 for the divisor 1.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The divisor as a modulus for slices of words, which may be secret; `None` unless it has few terms.
    ///
    /// ```
    /// # use carryless_gf2::algebra::{Divisor, Poly};
    /// let f = Divisor::new(&Poly::from_exponents([127, 1, 0])).expect("not zero");
    /// let modulus = f.modulus().expect("three terms");
    /// assert_eq!(modulus.exponents().collect::<Vec<_>>(), [127, 1, 0]);
    /// assert_eq!(Divisor::from(modulus).poly(), f.poly());
    /// ```
    #[must_use]
    pub fn modulus(&self) -> Option<Modulus<'_>> {
        Some(self.sparse.as_ref()?.modulus())
    }

    /// Quotient and remainder of a: a = quotient divisor + remainder, where the remainder has a
    /// lower degree than the divisor.
    #[must_use]
    pub fn div_rem(&self, a: &Poly) -> (Poly, Poly) {
        if a.degree() < Some(self.degree) {
            return (Poly::zero(), a.clone());
        }
        let r = self.divide(a);
        (Poly::from_words(&r[self.low.len()..]), self.shifted_back(&r))
    }

    /// The quotient of a, of at least the divisor's degree, and below it the remainder times X^s in n words.
    fn divide(&self, a: &Poly) -> Words {
        let (n, m) = (self.low.len(), self.inverse.len());
        // Divisor and dividend are both multiplied by X^s: the quotient is the same, and the remainder is
        // shifted.
        let mut r = words::shl(&a.words, 64 * n - self.degree);
        words::trim(&mut r);
        if n == 0 {
            return r;
        }
        let quotient = r.len() - n;
        // Blocks of equal size, none longer than the inverse.
        let block = quotient.div_ceil(quotient.div_ceil(m));
        if block < MANY {
            words::schoolbook(&self.low, self.inverse[m - 1], &mut r);
        } else {
            r.resize(n + quotient.next_multiple_of(block), 0);
            self.divide_in_blocks(&mut r, block);
        }
        r
    }

    /// The remainder in what [`divide`](Divisor::divide) returned.
    fn shifted_back(&self, r: &[u64]) -> Poly {
        let n = self.low.len();
        Poly::trimmed(words::shr(&r[..n], 64 * n - self.degree))
    }

    /// The remainder of a modulo the divisor, of lower degree than the divisor.
    #[must_use]
    pub fn rem(&self, a: &Poly) -> Poly {
        match &self.sparse {
            Some(sparse) if a.degree() >= Some(self.degree) => sparse.rem(a),
            None if a.degree() >= Some(self.degree) => self.shifted_back(&self.divide(a)),
            _ => a.clone(),
        }
    }

    /// The remainder of the polynomial in these words, which may have zeros on top. They are undefined afterwards.
    pub(super) fn reduce(&self, words: &mut Buffer) -> Poly {
        match &self.sparse {
            Some(sparse) => sparse.reduce(words),
            None => self.rem(&words.take()),
        }
    }

    /// The divisor as a sparse polynomial, if remainders take shifts, not products.
    pub(super) fn sparse(&self) -> Option<&Sparse> {
        self.sparse.as_ref()
    }

    /// Divides `r`, of n words and whole blocks of m: the remainder replaces its first n
    /// words, the quotient the others.
    ///
    /// Let u be the m words on top. The m words of the quotient that cancel them are q = u + floor(u inverse /
    /// X^(64 m)), with the m top words of the inverse.
    fn divide_in_blocks(&self, r: &mut [u64], m: usize) {
        let n = self.low.len();
        let inverse = &self.inverse[self.inverse.len() - m..];
        for i in (n..r.len()).step_by(m).rev() {
            let (rest, u) = r[..i + m].split_at_mut(i);
            // Two products for each block: of m by m words for q, and of m by n words for q times the
            // divisor.
            let quotient = words::product(u, inverse);
            words::add_to(u, &quotient[m..]);
            // Here u has become q. The leading term of the divisor cancels the top words, so only `low` is
            // multiplied.
            words::add_to(&mut rest[i - n..], &words::product(u, &self.low));
        }
    }
}

/// The same polynomial as a divisor of polynomials of any degree, at the cost of [`Divisor::new`].
impl From<Modulus<'_>> for Divisor {
    fn from(modulus: Modulus<'_>) -> Divisor {
        Divisor::new(&Poly::from_exponents(modulus.exponents())).expect("a modulus has a leading term")
    }
}

impl Poly {
    /// Quotient and remainder: a = quotient d + remainder, where the remainder has a lower degree than d.
    /// `None` for d = 0.
    ///
    /// It takes words one by one if quotient or divisor is short. Otherwise it takes about four products of the
    /// quotient's size and, for each block of the quotient as long as the divisor, two of the divisor's.
    #[must_use]
    pub fn div_rem(&self, d: &Poly) -> Option<(Poly, Poly)> {
        let n = d.words.len();
        let quotient = (self.words.len() + 1).saturating_sub(n);
        // The block that `Divisor::div_rem` will take.
        let block = if quotient.min(n) < ONCE { 1 } else { quotient.div_ceil(quotient.div_ceil(n)) };
        Some(Divisor::with_blocks(d, block)?.div_rem(self))
    }

    /// The remainder modulo d; `None` for d = 0.
    #[must_use]
    pub fn rem(&self, d: &Poly) -> Option<Poly> {
        // A dividend of lower degree is the remainder: then it does not matter how many terms d has.
        if self.degree() >= d.degree()
            && let Some(sparse) = Sparse::new(d, d.words.len())
        {
            return Some(sparse.rem(self));
        }
        Some(self.div_rem(d)?.1)
    }
}
