//! Binary BCH codes.
use super::divider::Divider;
use super::roots::Roots;
use super::symbols::{power, with_roots};
use super::{CodeError, TooManyErrors};
use crate::algebra::Poly;
use crate::field::DynField;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// A binary BCH code: words of n bits, one in each `u64`, of which the first k are the message.
///
/// Its codewords are those of a Reed-Solomon code over GF(2^m) whose symbols are 0 and 1. So it corrects all words with 2 e + s below its
/// designed distance, for e errors and s erasures.
///
/// ```
/// use carryless_gf2::codes::Bch;
/// use carryless_gf2::field::DynField;
///
/// let field = DynField::from_exponents(&[4, 1, 0])?;
/// let code = Bch::with_dimension(&field, 15, 7, 2, 1)?;
/// assert_eq!(code.distance(), 5);
/// let word = code.encode(&[1, 0, 1, 1, 0, 0, 1]);
/// let mut received = word.clone();
/// received[2] ^= 1;
/// received[9] ^= 1;
/// assert_eq!((code.decode_vartime(&mut received, &[]), received), (Ok(2), word));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bch {
    roots: Roots,
    generator: Poly,
    /// For up to 512 bits of parity.
    divider: Option<Divider>,
}

impl Bch {
    /// The code of length n whose roots are alpha^first to alpha^(first + d - 2) and their conjugates. n is at most the order of alpha.
    /// Its [distance](Bch::distance) may be above d.
    ///
    /// # Errors
    /// [`CodeError`] if d is not from 2 to n or leaves no bit for a message, two of the first n powers of alpha
    /// are equal, or m is above 64.
    pub fn new(field: &DynField, n: usize, d: usize, alpha: u64, first: u64) -> Result<Bch, CodeError> {
        Bch::try_new(field, n, d, alpha, first, || Ok(()))
    }

    /// [`new`](Bch::new) for long codes: `proceed` is called for each root. The generator takes (n - k)^2 / 2 products.
    ///
    /// # Errors
    /// Those of [`new`](Bch::new), and the first error of `proceed`.
    pub fn try_new<E: From<CodeError>>(
        field: &DynField,
        n: usize,
        d: usize,
        alpha: u64,
        first: u64,
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Bch, E> {
        if d < 2 || d > n {
            return Err(CodeError::Distance { n, d }.into());
        }
        let code = Bch::gather(field, n, alpha, first, |consecutive, _| consecutive >= d - 1, proceed)?;
        code.ok_or(CodeError::Distance { n, d }.into())
    }

    /// The code of dimension k with the most consecutive roots from alpha^first on; otherwise as [`new`](Bch::new).
    ///
    /// # Errors
    /// [`CodeError`] if no such code has dimension k, two of the first n powers of alpha are equal, or m is above 64.
    pub fn with_dimension(
        field: &DynField,
        n: usize,
        k: usize,
        alpha: u64,
        first: u64,
    ) -> Result<Bch, CodeError> {
        Bch::try_with_dimension(field, n, k, alpha, first, || Ok(()))
    }

    /// [`with_dimension`](Bch::with_dimension) for long codes, as [`try_new`](Bch::try_new).
    ///
    /// # Errors
    /// Those of [`with_dimension`](Bch::with_dimension), and the first error of `proceed`.
    pub fn try_with_dimension<E: From<CodeError>>(
        field: &DynField,
        n: usize,
        k: usize,
        alpha: u64,
        first: u64,
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Bch, E> {
        let none = CodeError::Dimension { n, k };
        if k == 0 || k >= n {
            return Err(none.into());
        }
        let code = Bch::gather(field, n, alpha, first, |_, roots| roots >= n - k, proceed)?;
        code.filter(|code| code.dimension() == k).ok_or(none.into())
    }

    /// The code with so many consecutive roots that `enough(consecutive, all)` holds, and with those that follow and are roots already.
    fn gather<E: From<CodeError>>(
        field: &DynField,
        n: usize,
        alpha: u64,
        first: u64,
        enough: impl Fn(usize, usize) -> bool,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Bch>, E> {
        Roots::check(field, n, alpha)?;
        let (mut all, mut count, mut next) = (BTreeSet::new(), 0, power(field, alpha, first));
        loop {
            proceed()?;
            if !all.contains(&next) {
                if enough(count, all.len()) {
                    break;
                }
                while all.insert(next) {
                    next = field.product_of_words(next, next);
                }
            }
            // Squaring goes round the conjugates of a root, so `next` is the root that it was.
            (next, count) = (field.product_of_words(next, alpha), count + 1);
            if all.len() >= n {
                return Ok(None);
            }
        }
        let coefficients = with_roots(field, all, proceed)?;
        let ones = coefficients.iter().enumerate().filter(|(_, coefficient)| **coefficient == 1);
        let generator = Poly::from_exponents(ones.map(|(i, _)| i));
        let divider = Divider::new(&rows(&generator));
        Ok(Some(Bch { roots: Roots::new(field, n, alpha, first, count), generator, divider }))
    }

    /// The field of the roots, GF(2^m).
    #[must_use]
    pub fn field(&self) -> &DynField {
        &self.roots.field
    }

    /// The number n of bits of a word.
    #[must_use]
    pub fn length(&self) -> usize {
        self.roots.len()
    }

    /// The number k of bits of a message.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.length() - self.parity()
    }

    /// The designed distance, one more than consecutive roots: codewords differ in as many bits at least.
    #[must_use]
    pub fn distance(&self) -> usize {
        self.roots.roots.len() + 1
    }

    /// The generator polynomial, of degree n - k.
    #[must_use]
    pub fn generator(&self) -> &Poly {
        &self.generator
    }

    fn parity(&self) -> usize {
        self.generator.degree().unwrap_or(0)
    }

    /// The codeword of a message, which it begins with.
    ///
    /// # Panics
    /// If the message has other than k bits, or one is not 0 or 1.
    #[must_use]
    #[track_caller]
    pub fn encode(&self, message: &[u64]) -> Vec<u64> {
        assert_eq!(message.len(), self.dimension(), "a message has {} bits", self.dimension());
        check_bits(message);
        [message, &self.remainder(message)].concat()
    }

    /// The parity bits of a message: the remainder of the message times x^(n - k).
    fn remainder(&self, message: &[u64]) -> Vec<u64> {
        let (parity, bits) = (self.parity(), |part: &[u64]| part.iter().fold(0, |word, bit| word << 1 | bit));
        if let Some(divider) = &self.divider {
            // The first byte may have fewer bits: zeros before a message change nothing.
            let (first, bytes) = message.split_at(message.len() % 8);
            let rest = divider.remainder([bits(first)].into_iter().chain(bytes.chunks_exact(8).map(bits)));
            return (0..parity).map(|i| u64::from(rest[i / 8] >> (7 - i % 8) & 1)).collect();
        }
        // The last bit is the coefficient of x^(n - k).
        let message = Poly::from(message.rchunks(64).map(bits).collect::<Vec<u64>>());
        let rest = (message << parity).rem(&self.generator).unwrap_or_default();
        (0..parity).rev().map(|e| rest.coefficient(e).into()).collect()
    }

    /// Whether a word is no codeword. Fewer wrong bits than the [distance](Bch::distance) are always detected.
    ///
    /// # Panics
    /// If the word has other than n bits, or one is not 0 or 1.
    #[must_use]
    #[track_caller]
    pub fn detect(&self, word: &[u64]) -> bool {
        assert_eq!(word.len(), self.length(), "a word has {} bits", self.length());
        check_bits(word);
        let (message, parity) = word.split_at(self.dimension());
        self.remainder(message) != parity
    }

    /// Corrects a word in place and returns how many bits changed. `erasures` are places, from 0 on, whose bits may be
    /// wrong; those of them that are right count as erasures too, repeated ones once.
    ///
    /// # Errors
    /// [`TooManyErrors`] if no codeword differs in e other places with 2 e + `erasures.len()` below the [distance](Bch::distance). Then
    /// the word is as it was.
    ///
    /// # Panics
    /// If the word has other than n bits, one is not 0 or 1, or an erasure is not below n.
    #[track_caller]
    pub fn decode_vartime(&self, word: &mut [u64], erasures: &[usize]) -> Result<usize, TooManyErrors> {
        if erasures.is_empty() && !self.detect(word) {
            return Ok(0);
        }
        let corrected = self.roots.corrected(word, erasures)?;
        if corrected.iter().any(|bit| *bit > 1) {
            return Err(TooManyErrors);
        }
        let changed = word.iter().zip(&corrected).filter(|(a, b)| a != b).count();
        word.copy_from_slice(&corrected);
        Ok(changed)
    }
}

#[track_caller]
fn check_bits(bits: &[u64]) {
    assert!(bits.iter().all(|bit| *bit < 2), "bits are 0 or 1");
}

/// The remainders of x^(n - k), .., x^(n - k + 7), with eight bits in a byte.
fn rows(generator: &Poly) -> Vec<Vec<u8>> {
    let parity = generator.degree().unwrap_or(0);
    let row = |i| {
        let rest = Poly::monomial(parity + i).rem(generator).unwrap_or_default();
        let bit = |at: usize| at < parity && rest.coefficient(parity - 1 - at);
        let byte = |at| (0..8).fold(0, |byte, i| byte << 1 | u8::from(bit(8 * at + i)));
        (0..parity.div_ceil(8)).map(byte).collect()
    };
    (0..8).map(row).collect()
}
