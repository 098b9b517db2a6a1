//! Inverses for division: floor(X^(128 m) / (X^(64 m) + t)) for t of m words.
use super::words::{product, schoolbook};
use crate::poly;
use alloc::vec;
use alloc::vec::Vec;

/// The largest number of words whose inverse is computed by long division.
const SHORT: usize = 32;

/// The m words of the inverse below its leading X^(64 m), for t of m words, m at least 1.
///
/// It is 1 / (X^(64 m) + t) as a power series in 1/X. Each step of Newton's iteration doubles the number of known
/// coefficients; over F2 it is I' = (X^(64 m) + t) I^2. All steps together cost two products of m words and a little.
pub(super) fn inverse(t: &[u64]) -> Vec<u64> {
    if t.len() <= SHORT {
        return short_inverse(t);
    }
    // The top half of t determines the top half of the inverse.
    let half = t.len().div_ceil(2);
    refine(t, &inverse(&t[t.len() - half..]))
}

/// The inverse by long division of t X^(64 m), which is what is left of X^(128 m) after the first term of the quotient.
fn short_inverse(t: &[u64]) -> Vec<u64> {
    let (m, top) = (t.len(), word_inverse(t[t.len() - 1]));
    if m == 1 {
        return vec![top];
    }
    let mut r = vec![0; 2 * m];
    r[m..].copy_from_slice(t);
    schoolbook(t, top, &mut r);
    r.split_off(m)
}

/// One step of Newton's iteration: from the inverse for the top h words of t to that for its m words, m at most 2 h.
///
/// Let J = `half`, so that I = X^(64 h) + J. Everything divided by X^(128 h), the result is X^(64 m) + t + J^2
/// X^(64 m - 128 h) + floor(t J^2 / X^(128 h)).
fn refine(t: &[u64], half: &[u64]) -> Vec<u64> {
    // Newton's step I (2 - f I) is f I^2 over F2: a square, which takes linear time, and one product.
    let (m, double) = (t.len(), 2 * half.len());
    let mut square = vec![0; double];
    poly::square(half, &mut square);
    // Only this product costs more than a pass: m by 2 h words, and half as long in the step before.
    let product = product(t, &square);
    // Words from 2h - m on of J^2, and from 2h on of t J^2: the terms of the formula without its X^(64 m).
    (0..m).map(|i| t[i] ^ square[double - m + i] ^ product[double + i]).collect()
}

/// The inverse for one word, bit by bit: the long division of t X^64 by X^64 + t.
fn word_inverse(t: u64) -> u64 {
    let (mut rest, mut quotient) = (t, 0);
    for _ in 0..64 {
        let bit = rest >> 63;
        quotient = quotient << 1 | bit;
        // A mask instead of a branch: the time does not depend on t.
        rest = rest << 1 ^ t & bit.wrapping_neg();
    }
    quotient
}
