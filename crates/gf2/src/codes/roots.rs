//! The words that vanish at consecutive powers of an element.
use super::CodeError;
use super::symbols::{are_reduced, inverse, power, powers};
use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;

/// The roots of a code, and the places of its words. A word is a polynomial of degree below n, the first symbol its
/// coefficient of x^(n - 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Roots {
    pub(super) field: DynField,
    pub(super) alpha: u64,
    pub(super) first: u64,
    /// alpha^first, alpha^(first + 1) and so on.
    pub(super) roots: Vec<u64>,
    /// 1 / X for each place of a word, where X = alpha^(n - 1), .., alpha, 1.
    pub(super) inverses: Vec<u64>,
    /// X^(1 - first) for each place.
    pub(super) factors: Vec<u64>,
}

impl Roots {
    /// An error unless the first n powers of alpha differ, for n from 1 on.
    pub(super) fn check(field: &DynField, n: usize, alpha: u64) -> Result<(), CodeError> {
        if field.words() > 1 {
            return Err(CodeError::Field { degree: field.degree() });
        }
        // More powers than elements cannot differ: no memory is taken for them.
        let fits = n > 0 && (n as u128) < 1 << field.degree();
        if !fits || alpha == 0 || !are_reduced(field, &[alpha]) || powers(field, alpha, n)[1..].contains(&1) {
            return Err(CodeError::Root { n });
        }
        Ok(())
    }

    /// `count` roots for words of n symbols, which [`check`](Roots::check) accepts.
    pub(super) fn new(field: &DynField, n: usize, alpha: u64, first: u64, count: usize) -> Roots {
        let (start, back) = (power(field, alpha, first), inverse(field, alpha));
        let mut roots = powers(field, alpha, count);
        let unscaled = roots.clone();
        field.scale_slice(&unscaled, &[start], &mut roots);
        let reversed = |mut powers: Vec<u64>| {
            powers.reverse();
            powers
        };
        // X^(1 - first), where X is a power of alpha: the same power of alpha^(1 - first).
        let factor = field.product_of_words(alpha, inverse(field, start));
        Roots {
            alpha,
            first,
            roots,
            inverses: reversed(powers(field, back, n)),
            factors: reversed(powers(field, factor, n)),
            field: field.clone(),
        }
    }

    /// The number n of symbols of a word.
    pub(super) fn len(&self) -> usize {
        self.inverses.len()
    }

    /// Panics unless a word has n symbols below 2^m.
    #[track_caller]
    pub(super) fn check_word(&self, word: &[u64]) {
        assert_eq!(word.len(), self.len(), "a word has {} symbols", self.len());
        assert!(are_reduced(&self.field, word), "a symbol is not below 2^{}", self.field.degree());
    }

    /// The values of a word at the roots: all 0 for codewords.
    #[track_caller]
    pub(super) fn syndromes(&self, word: &[u64]) -> Vec<u64> {
        self.check_word(word);
        let (mut sums, mut products) = (vec![0; self.roots.len()], vec![0; self.roots.len()]);
        for symbol in word {
            self.field.mul_slices(&sums, &self.roots, &mut products);
            sums.iter_mut().zip(&products).for_each(|(sum, product)| *sum = product ^ symbol);
        }
        sums
    }
}
