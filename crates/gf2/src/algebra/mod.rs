//! Polynomials over F2 as values: [`Poly`], of any degree, with ring arithmetic, division and Euclid's algorithm.
//!
//! | task | item |
//! |---|---|
//! | sums, products, shifts | the operators, [`Poly::square`] |
//! | quotient and remainder | [`Poly::div_rem`]; many by one divisor: [`Divisor`] |
//! | greatest common divisors | [`Poly::gcd_vartime`], [`Poly::xgcd_vartime`], [`Poly::resultant_vartime`] |
//! | inverses | [`Poly::inverse_mod_vartime`] |
//! | arithmetic modulo f | [`Poly::mul_mod`] and its neighbours; much by one f: [`Divisor::mul_mod`] |
//! | test for irreducibility | [`Poly::is_irreducible_vartime`] |
//! | power series modulo X^n | [`Poly::mul_trunc`], [`Poly::square_trunc`], [`Poly::inverse_series`], [`Poly::div_series`] |
//! | minimal polynomials, traces | [`Poly::min_poly_mod_vartime`], [`Poly::trace_mod`] |
//! | an irreducible polynomial | [`Poly::find_irreducible_vartime`], [`Poly::random_irreducible_vartime`] |
//! | a primitive polynomial | [`Poly::find_primitive_vartime`], [`Poly::is_primitive_vartime`] |
//! | the Conway polynomial of a degree | [`Poly::conway`] |
//! | steps of factorisation | [`Poly::square_free_vartime`], [`Poly::distinct_degree_vartime`], [`Poly::equal_degree_vartime`] |
//! | factorisation, roots | [`Poly::factor_vartime`], [`Poly::roots_vartime`] |
//! | composition | [`Poly::compose_vartime`] |
//! | values at elements of a field; at all | [`Poly::values_vartime`]; [`Poly::values_on_subspace`] |
//! | text | `Display`, `LowerHex`, `FromStr` |
//!
//! # Costs
//! M(n) is a product of n words.
//!
//! | operation | cost |
//! |---|---|
//! | division, short quotient or divisor | words of the quotient times words of the divisor |
//! | division, longer | 2 M(m) for an inverse of m words (Newton), then 2 M(m) for each m words of the quotient |
//! | remainder by a prepared [`Divisor`] | 2 M(n), after 2 M(n) once; linear for a few terms |
//! | gcd, short; long | quadratic (Lehmer); O(M(n) log n) (half-gcd) |
//! | gcd with coefficients, inverse | a third more |
//! | inverse modulo X^n | 2 M(n/64) (Newton) |
//! | minimal polynomial modulo f; trace | 6 sqrt(n) products modulo f and n^2 / 32 steps on words; 3 products |
//! | test for irreducibility | n squares modulo f, linear for sparse f, and a gcd for each prime divisor of n (Rabin) |
//! | factorisation | up to n/2 squares and n/8 products modulo f; for equal degrees d, 2 d squares for each factor |
//! | values at k points; at all 2^m elements | 2 k sqrt(n) products in the field; m 2^(m - 1) |
//! | sparse irreducible polynomial of degree n | about n/4 trials, most of them short |
//!
//! The divisor is shifted to the degree 64 n. The inverse of its m top words t is X^(64 m) + J =
//! floor(X^(128 m) / (X^(64 m) + t)). With u the m top words of the dividend, the quotient is
//! u + floor(u J / X^(64 m)) exactly, because the part that the floor leaves out has a degree below 0.
mod composition;
mod conway;
mod distinct_degree;
mod division;
mod equal_degree;
mod euclid;
mod factor;
mod gcd;
mod irreducible;
mod minimal;
mod modular;
mod newton;
mod primitive;
mod random;
mod ring;
#[cfg(feature = "serde")]
mod serde;
mod series;
mod sparse;
mod sparse_irreducible;
mod squarefree;
mod squares;
mod text;
mod values;
mod word_gcd;
mod words;

pub use division::Divisor;
pub use gcd::Bezout;
pub(crate) use primitive::{divisors_of_order, order};
pub use text::ParsePolyError;

use alloc::vec::Vec;
use core::cmp::Ordering;
use smallvec::smallvec;
use words::Words;

/// A polynomial over F2 of any degree, in words without zeros on top.
///
/// # For public values
/// The memory that a polynomial takes follows its degree, so the degree of every `Poly` is public: of operands, of
/// results, and of remainders on the way. The time of functions without `_vartime` depends on degrees, and on the
/// terms of a modulus. A function that ends in `_vartime` takes time by other coefficients too, and so do
/// comparisons, hashing and text. Nothing is wiped. Secrets belong in slices of fixed size ([`crate::poly`]).
///
/// # Order
/// Polynomials are ordered by degree, then by the highest coefficient that differs: the order of the
/// integers with the same bits.
///
/// ```
/// use carryless_gf2::algebra::Poly;
///
/// let f: Poly = "X^8 + X^4 + X^3 + X + 1".parse()?;
/// let a: Poly = "0x53".parse()?;
/// let inverse = a.inverse_mod_vartime(&f).expect("f is irreducible");
/// assert_eq!(format!("{inverse:#x}"), "0xca");
/// assert_eq!(a.mul_mod(&inverse, &f), Some(Poly::one()));
/// # Ok::<(), carryless_gf2::algebra::ParsePolyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Poly {
    /// Words of 64 coefficients, least significant first; the last one is not zero.
    words: Words,
}

impl Poly {
    /// The polynomial in these words, which may have zeros on top.
    fn trimmed(mut words: Words) -> Poly {
        words::trim(&mut words);
        Poly { words }
    }

    /// The polynomial in these words, which may have zeros on top.
    fn from_inline(words: [u64; words::INLINE]) -> Poly {
        Poly { words: Words::from_buf_and_len(words, words::trimmed(&words)) }
    }

    /// The polynomial 0, which has no words and no degree.
    #[must_use]
    pub const fn zero() -> Poly {
        Poly { words: Words::new_const() }
    }

    /// The polynomial 1, of degree 0.
    #[must_use]
    pub fn one() -> Poly {
        Poly::monomial(0)
    }

    /// The polynomial X, of degree 1.
    #[must_use]
    pub fn x() -> Poly {
        Poly::monomial(1)
    }

    /// The polynomial X^n, in n/64 + 1 words of memory.
    #[must_use]
    pub fn monomial(n: usize) -> Poly {
        let mut words: Words = smallvec![0; n / 64 + 1];
        words[n / 64] = 1 << (n % 64);
        Poly { words }
    }

    /// The polynomial in these words, least significant first: bit i of word j is the coefficient of X^(64 j + i).
    /// Zeros on top are dropped.
    #[must_use]
    pub fn from_words(words: &[u64]) -> Poly {
        Poly::trimmed(words[..words::trimmed(words)].into())
    }

    /// The sum of X^i over the exponents i, in any order. An exponent that comes twice cancels.
    ///
    /// It takes memory for the highest exponent, and at most an eighth more: check exponents from untrusted input.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// assert_eq!(Poly::from_exponents([5, 1, 0]).to_string(), "X^5 + X + 1");
    /// ```
    #[must_use]
    pub fn from_exponents(exponents: impl IntoIterator<Item = usize>) -> Poly {
        let mut words = Words::new();
        for i in exponents {
            let needed = i / 64 + 1;
            if words.len() < needed {
                if words.capacity() < needed {
                    // `resize` would round up to a power of two, twice the memory that a caller expects.
                    words.reserve_exact(needed + needed / 8 - words.len());
                }
                words.resize(needed, 0);
            }
            words[i / 64] ^= 1 << (i % 64);
        }
        Poly::trimmed(words)
    }

    /// The words, least significant first; the last one is not zero, and 0 has none.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, least significant first; the last one is not zero. Without a copy from 11 words on.
    #[must_use]
    pub fn into_words(self) -> Vec<u64> {
        self.words.into_vec()
    }

    /// The degree; `None` for 0.
    #[must_use]
    pub fn degree(&self) -> Option<usize> {
        let top = self.words.last()?;
        Some(64 * (self.words.len() - 1) + top.ilog2() as usize)
    }

    /// Whether the polynomial is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether the polynomial is 1.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.words[..] == [1]
    }

    /// The coefficient of X^i: false above the degree.
    #[must_use]
    pub fn coefficient(&self, i: usize) -> bool {
        self.words.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// Sets the coefficient of X^i; above the degree the memory grows to i/64 + 1 words.
    pub fn set_coefficient(&mut self, i: usize, value: bool) {
        if self.words.len() <= i / 64 {
            if !value {
                return;
            }
            self.words.resize(i / 64 + 1, 0);
        }
        self.words[i / 64] &= !(1 << (i % 64));
        self.words[i / 64] |= u64::from(value) << (i % 64);
        words::trim(&mut self.words);
    }

    /// The number of coefficients that are 1.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The exponents i whose X^i has the coefficient 1, the highest first.
    pub fn exponents(&self) -> impl Iterator<Item = usize> + '_ {
        (0..64 * self.words.len()).rev().filter(|&i| self.coefficient(i))
    }
}

/// The polynomial in these words, least significant first. Zeros on top are dropped.
impl From<Vec<u64>> for Poly {
    fn from(words: Vec<u64>) -> Poly {
        Poly::trimmed(Words::from_vec(words))
    }
}

/// The polynomial in one word: bit i is the coefficient of X^i.
impl From<u64> for Poly {
    fn from(word: u64) -> Poly {
        Poly::trimmed(smallvec![word])
    }
}

impl Ord for Poly {
    fn cmp(&self, other: &Poly) -> Ordering {
        // No word on top is zero, so more words mean a higher degree.
        let by_size = self.words.len().cmp(&other.words.len());
        by_size.then_with(|| self.words.iter().rev().cmp(other.words.iter().rev()))
    }
}

impl PartialOrd for Poly {
    fn partial_cmp(&self, other: &Poly) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
