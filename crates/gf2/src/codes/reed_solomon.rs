//! Reed-Solomon codes.
use super::divider::Divider;
use super::roots::Roots;
use super::symbols::{are_reduced, with_roots};
use super::{CodeError, TooManyErrors};
use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;

/// A Reed-Solomon code: words of n symbols of GF(2^m), of which the first k are the message. Two codewords differ in n - k + 1 symbols at least.
///
/// Encoding takes k (n - k) products, or with symbols of up to 8 bits and n - k up to 64 about m k additions of n - k bytes. Decoding takes
/// n (n - k) products, and if a symbol is wrong some (n - k)^2 more and n for each error or erasure.
///
/// ```
/// use carryless_gf2::codes::ReedSolomon;
/// use carryless_gf2::field::DynField;
///
/// // CCSDS 131.0-B in its conventional representation, shortened to 100 symbols: alpha is z^11.
/// let field = DynField::from_exponents(&[8, 7, 2, 1, 0])?;
/// let code = ReedSolomon::new(&field, 100, 68, 0xad, 112)?;
/// let mut word = code.encode(&[3; 68]);
/// (0..32).for_each(|place| word[place] = 0);
/// assert_eq!(code.decode_vartime(&mut word, &(0..32).collect::<Vec<_>>()), Ok(32));
/// assert_eq!(word[..68], [3; 68]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReedSolomon {
    roots: Roots,
    /// The generator's coefficients below x^(n - k), that of x^(n - k - 1) first.
    generator: Vec<u64>,
    /// For symbols of a byte and up to 64 of them for parity.
    divider: Option<Divider>,
}

impl ReedSolomon {
    /// The code of length n and dimension k whose roots are alpha^first to alpha^(first + n - k - 1). n is at most the order
    /// of alpha.
    ///
    /// # Errors
    /// [`CodeError`] if there is none: k is not from 1 to n - 1, alpha is 0 or not reduced, two of its first n powers are equal, or m
    /// is above 64.
    pub fn new(
        field: &DynField,
        n: usize,
        k: usize,
        alpha: u64,
        first: u64,
    ) -> Result<ReedSolomon, CodeError> {
        ReedSolomon::try_new(field, n, k, alpha, first, || Ok(()))
    }

    /// [`new`](ReedSolomon::new) for long codes: `proceed` is called n - k times. The generator takes (n - k)^2 / 2 products.
    ///
    /// # Errors
    /// Those of [`new`](ReedSolomon::new), and the first error of `proceed`.
    pub fn try_new<E: From<CodeError>>(
        field: &DynField,
        n: usize,
        k: usize,
        alpha: u64,
        first: u64,
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<ReedSolomon, E> {
        if k == 0 || k >= n {
            return Err(CodeError::Dimension { n, k }.into());
        }
        Roots::check(field, n, alpha)?;
        let roots = Roots::new(field, n, alpha, first, n - k);
        let mut generator = with_roots(field, roots.roots.iter().copied(), proceed)?;
        generator.pop();
        generator.reverse();
        let divider = if field.degree() <= 8 { Divider::new(&rows(field, &generator)) } else { None };
        Ok(ReedSolomon { roots, generator, divider })
    }

    /// The field of the symbols.
    #[must_use]
    pub fn field(&self) -> &DynField {
        &self.roots.field
    }

    /// The number n of symbols of a word.
    #[must_use]
    pub fn length(&self) -> usize {
        self.roots.len()
    }

    /// The number k of symbols of a message.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.length() - self.generator.len()
    }

    /// The least number n - k + 1 of symbols in which codewords differ.
    #[must_use]
    pub fn distance(&self) -> usize {
        self.generator.len() + 1
    }

    /// The generator polynomial, the coefficient of x^(n - k), which is 1, first.
    #[must_use]
    pub fn generator(&self) -> Vec<u64> {
        [&[1], &self.generator[..]].concat()
    }

    /// The codeword of a message, which it begins with.
    ///
    /// # Panics
    /// If the message has other than k symbols, or one is not below 2^m.
    #[must_use]
    #[track_caller]
    pub fn encode(&self, message: &[u64]) -> Vec<u64> {
        assert_eq!(message.len(), self.dimension(), "a message has {} symbols", self.dimension());
        assert!(are_reduced(self.field(), message), "a symbol is not below 2^{}", self.field().degree());
        [message, &self.remainder(message)].concat()
    }

    /// The parity symbols of a message: the remainder of the message times x^(n - k).
    fn remainder(&self, message: &[u64]) -> Vec<u64> {
        let parity = self.generator.len();
        if let Some(divider) = &self.divider {
            let rest = divider.remainder(message.iter().copied());
            return rest[..parity].iter().copied().map(u64::from).collect();
        }
        let (mut rest, mut multiple) = (vec![0; parity], vec![0; parity]);
        for symbol in message {
            // Division by the generator, whose first coefficient is 1.
            let quotient = [symbol ^ rest[0]];
            self.field().scale_slice(&self.generator, &quotient, &mut multiple);
            rest.rotate_left(1);
            rest[parity - 1] = 0;
            rest.iter_mut().zip(&multiple).for_each(|(rest, add)| *rest ^= add);
        }
        rest
    }

    /// Whether a word is no codeword. Up to n - k wrong symbols are always detected.
    ///
    /// # Panics
    /// If the word has other than n symbols, or one is not below 2^m.
    #[must_use]
    #[track_caller]
    pub fn detect(&self, word: &[u64]) -> bool {
        self.roots.check_word(word);
        let (message, parity) = word.split_at(self.dimension());
        self.remainder(message) != parity
    }

    /// Corrects a word in place and returns how many symbols changed. `erasures` are places, from 0 on, whose symbols may be wrong;
    /// those of them that are right count as erasures too, repeated ones once.
    ///
    /// # Errors
    /// [`TooManyErrors`] if no codeword differs in e other places with 2 e + `erasures.len()` <= n - k. Then the word is as
    /// it was.
    ///
    /// # Panics
    /// If the word has other than n symbols, one is not below 2^m, or an erasure is not below n.
    #[track_caller]
    pub fn decode_vartime(&self, word: &mut [u64], erasures: &[usize]) -> Result<usize, TooManyErrors> {
        if erasures.is_empty() && !self.detect(word) {
            return Ok(0);
        }
        let corrected = self.roots.corrected(word, erasures)?;
        let changed = word.iter().zip(&corrected).filter(|(a, b)| a != b).count();
        word.copy_from_slice(&corrected);
        Ok(changed)
    }
}

/// The generator's multiples by 1, z, .., z^(m - 1), with a byte for each symbol.
fn rows(field: &DynField, generator: &[u64]) -> Vec<Vec<u8>> {
    let mut row = vec![0; generator.len()];
    let multiple = |i: usize| {
        field.scale_slice(generator, &[1 << i], &mut row);
        row.iter().map(|&symbol| symbol as u8).collect()
    };
    (0..field.degree()).map(multiple).collect()
}
