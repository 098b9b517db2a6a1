//! Signed digits of public integers: the width-w non-adjacent form.
use crate::curve::words::SCALAR_WORDS;

/// The width of the form. Digits are 0, or odd and below 2^(WIDTH - 1) in absolute value; of WIDTH consecutive
/// ones at most one is not 0.
const WIDTH: u32 = 5;
/// The number of odd multiples of a point that the digits refer to.
pub(in crate::curve) const ENTRIES: usize = 1 << (WIDTH - 2);
/// The number of digits: one more than bits, because of the last carry.
pub(in crate::curve) const MAX_DIGITS: usize = 64 * SCALAR_WORDS + 1;

/// The non-adjacent form of an integer. Entry i is the digit of 2^i.
pub(in crate::curve) struct Naf([i8; MAX_DIGITS]);

impl Naf {
    /// The form of k, any number of [`SCALAR_WORDS`] words. Not constant time: the digits decide branches.
    pub(in crate::curve) fn new(k: &[u64; SCALAR_WORDS]) -> Naf {
        let (mut digits, mut carry, mut i) = ([0; MAX_DIGITS], 0, 0);
        while i < MAX_DIGITS {
            // Invariant: k = the digits below i, plus 2^i (the bits of k from i on, plus carry).
            let window = window(k, i) + carry;
            if window.is_multiple_of(2) {
                // The carry stays as it is: bit i and the carry are both 0, or both 1 and carry a 1 on.
                i += 1;
                continue;
            }
            // A window above 2^(WIDTH - 1) stands for a negative digit, and 2^WIDTH is carried. The next
            // WIDTH - 1 digits are 0, and one of WIDTH + 1 digits is not 0 on average.
            carry = window >> (WIDTH - 1);
            digits[i] = window as i8 - (carry << WIDTH) as i8;
            i += WIDTH as usize;
        }
        Naf(digits)
    }

    /// The index of digit i among the odd multiples, and whether it is negative; `None` if it is 0.
    pub(in crate::curve) fn digit(&self, i: usize) -> Option<(usize, bool)> {
        let digit = self.0[i];
        (digit != 0).then_some((usize::from(digit.unsigned_abs() / 2), digit < 0))
    }

    /// The number of digits up to the highest one that is not 0.
    pub(in crate::curve) fn len(&self) -> usize {
        self.0.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1)
    }
}

/// The WIDTH bits of k from bit i on, with zeros above the last word.
fn window(k: &[u64; SCALAR_WORDS], i: usize) -> u64 {
    let word = |at: usize| k.get(at).copied().unwrap_or(0);
    let pair = u128::from(word(i / 64 + 1)) << 64 | u128::from(word(i / 64));
    (pair >> (i % 64)) as u64 & ((1 << WIDTH) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every k of 12 bits, at three places of the words, with ones in front of it.
    #[test]
    fn digits_give_back_k() {
        for k in 0..1_u64 << 12 {
            for shift in [0, 60, 122] {
                let mut words = [0; SCALAR_WORDS];
                words[shift / 64] = k << (shift % 64);
                words[shift / 64 + 1] = if shift % 64 == 0 { 0 } else { k >> (64 - shift % 64) };
                let naf = Naf::new(&words);
                let mut sum = 0_i64;
                for i in (0..MAX_DIGITS).rev().filter(|i| naf.digit(*i).is_some()) {
                    let (number, negative) = naf.digit(i).expect("a digit");
                    assert!(number < ENTRIES && i >= shift && i < naf.len());
                    let digit = 2 * number as i64 + 1;
                    sum += (if negative { -digit } else { digit }) << (i - shift);
                }
                assert_eq!(sum, k as i64);
            }
        }
    }

    #[test]
    fn the_largest_integer_carries_into_the_last_digit() {
        let naf = Naf::new(&[!0; SCALAR_WORDS]);
        assert_eq!((naf.digit(0), naf.digit(MAX_DIGITS - 1)), (Some((0, true)), Some((0, false))));
        assert_eq!((1..MAX_DIGITS - 1).find_map(|i| naf.digit(i)), None);
    }
}
