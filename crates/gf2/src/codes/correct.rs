//! Errors and erasures: where they are (Chien) and their values (Forney).
use super::TooManyErrors;
use super::locator::locator;
use super::roots::Roots;
use super::symbols::{inverse, values, with_roots};
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

impl Roots {
    /// The codeword that differs from a word in these places and so few others that it is the only one; a copy.
    #[track_caller]
    pub(super) fn corrected(&self, word: &[u64], erasures: &[usize]) -> Result<Vec<u64>, TooManyErrors> {
        let syndromes = self.syndromes(word);
        let mut erased = erasures.to_vec();
        erased.sort_unstable();
        erased.dedup();
        assert!(erased.last().is_none_or(|&last| last < word.len()), "an erasure is a place of the word");
        if erased.len() > syndromes.len() {
            return Err(TooManyErrors);
        }
        let mut corrected = word.to_vec();
        if syndromes.iter().all(|&syndrome| syndrome == 0) {
            return Ok(corrected);
        }
        let roots = erased.iter().map(|&place| self.inverses[place]);
        let Ok(known) = with_roots(&self.field, roots, || Ok::<(), Infallible>(()));
        // The product of 1 + X x over the erasures: its roots are 1 / X. It is scaled so that the constant term is 1.
        let last = inverse(&self.field, known[0]);
        let mut monic = vec![0; known.len()];
        self.field.scale_slice(&known, &[last], &mut monic);
        let locator = locator(&self.field, &syndromes, &monic);
        let errors = locator.len() - 1 - erased.len();
        if 2 * errors + erased.len() > syndromes.len() {
            return Err(TooManyErrors);
        }
        let found = self.places(&locator)?;
        for (&place, value) in found.iter().zip(self.differences(&syndromes, &locator, &found)) {
            corrected[place] ^= value;
        }
        // As many syndromes as the locator has roots determine the values, and its recurrence holds for all others: this
        // is a codeword.
        Ok(corrected)
    }

    /// The places whose 1 / X is a root of the locator; an error if there are fewer than its degree.
    fn places(&self, locator: &[u64]) -> Result<Vec<usize>, TooManyErrors> {
        let values = values(&self.field, locator, &self.inverses);
        let places: Vec<usize> = (0..values.len()).filter(|&place| values[place] == 0).collect();
        if places.len() == locator.len() - 1 { Ok(places) } else { Err(TooManyErrors) }
    }

    /// What is to be added at these places: X^(1 - first) W(1 / X) / L'(1 / X) for the locator L and W = S L mod x^r, with r syndromes (Forney).
    fn differences(&self, syndromes: &[u64], locator: &[u64], places: &[usize]) -> Vec<u64> {
        let field = &self.field;
        let reversed: Vec<u64> = syndromes.iter().rev().copied().collect();
        let coefficient = |i: usize| {
            let mut sum = [0];
            field.dot(&locator[..i], &reversed[reversed.len() - i..], &mut sum);
            sum[0]
        };
        let evaluator: Vec<u64> = (1..locator.len()).map(coefficient).collect();
        // In characteristic 2 only odd powers have a derivative.
        let derivative: Vec<u64> =
            (1..locator.len()).map(|i| if i % 2 == 1 { locator[i] } else { 0 }).collect();
        let points: Vec<u64> = places.iter().map(|&place| self.inverses[place]).collect();
        let factors: Vec<u64> = places.iter().map(|&place| self.factors[place]).collect();
        let (slopes, mut inverses) = (values(field, &derivative, &points), vec![0; points.len()]);
        field.batch_invert(&slopes, &mut inverses);
        let (mut quotients, mut out) = (vec![0; points.len()], vec![0; points.len()]);
        field.mul_slices(&values(field, &evaluator, &points), &inverses, &mut quotients);
        field.mul_slices(&quotients, &factors, &mut out);
        out
    }
}
