//! Division with remainder: word by word, or by products with an inverse of the divisor.
use super::sparse::Sparse;
use super::{Poly, newton, words};
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
        let dense = Divisor::with_blocks(divisor, if n < MANY { 1 } else { n })?;
        Some(Divisor { sparse: Sparse::new(divisor, n), ..dense })
    }

    /// Prepares a divisor for quotients in blocks of at most `block` words, and no more than the divisor has.
    fn with_blocks(divisor: &Poly, block: usize) -> Option<Divisor> {
        let degree = divisor.degree()?;
        let n = degree.div_ceil(64);
        // With the leading term at X^(64 n), a quotient's words need no shifts. `truncate` drops that term.
        let mut low = words::shl(&divisor.words, 64 * n - degree);
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

    /// Quotient and remainder of a: a = quotient divisor + remainder, where the remainder has a
    /// lower degree than the divisor.
    #[must_use]
    pub fn div_rem(&self, a: &Poly) -> (Poly, Poly) {
        if self.low.is_empty() {
            return (a.clone(), Poly::zero());
        }
        if a.degree() < Some(self.degree) {
            return (Poly::zero(), a.clone());
        }
        let (n, m) = (self.low.len(), self.inverse.len());
        // Divisor and dividend are both multiplied by X^shift: the quotient is the same, and the remainder is
        // shifted.
        let shift = 64 * n - self.degree;
        let mut r = words::shl(&a.words, shift);
        words::trim(&mut r);
        let quotient = r.len() - n;
        // Blocks of equal size, none longer than the inverse.
        let block = quotient.div_ceil(quotient.div_ceil(m));
        if block < MANY {
            words::schoolbook(&self.low, self.inverse[m - 1], &mut r);
        } else {
            r.resize(n + quotient.next_multiple_of(block), 0);
            self.divide(&mut r, block);
        }
        (Poly::from_words(&r[n..]), Poly::from(words::shr(&r[..n], shift)))
    }

    /// The remainder of a modulo the divisor, of lower degree than the divisor.
    #[must_use]
    pub fn rem(&self, a: &Poly) -> Poly {
        if a.degree() >= Some(self.degree) { self.reduce(a.words.clone()) } else { a.clone() }
    }

    /// The remainder of the polynomial in these words, which may have zeros on top.
    pub(super) fn reduce(&self, words: Vec<u64>) -> Poly {
        match &self.sparse {
            Some(sparse) => sparse.rem(words),
            None => self.div_rem(&Poly::from(words)).1,
        }
    }

    /// Whether remainders take shifts, not products.
    pub(super) fn is_sparse(&self) -> bool {
        self.sparse.is_some()
    }

    /// Divides `r`, of n words and whole blocks of m: the remainder replaces its first n
    /// words, the quotient the others.
    ///
    /// Let u be the m words on top. The m words of the quotient that cancel them are q = u + floor(u inverse /
    /// X^(64 m)), with the m top words of the inverse.
    fn divide(&self, r: &mut [u64], m: usize) {
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
            return Some(sparse.rem(self.words.clone()));
        }
        Some(self.div_rem(d)?.1)
    }
}
