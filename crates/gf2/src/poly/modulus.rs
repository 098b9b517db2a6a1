//! Remainders and products modulo a fixed sparse polynomial.
mod products;

use super::modular::{ByTail, MAX_WORDS, Remainder, Short, Task, run};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::ops::{BitXor, BitXorAssign, Shl, Shr};
use zeroize::Zeroize as _;

/// A modulus with few coefficients: X^n + X^k1 + X^k2 + ..., n > k1 > k2 > ... Examples are X^n - 1, and the
/// trinomials and pentanomials that define binary fields. The modulus is public; what is reduced may be secret.
///
/// ```
/// use carryless_gf2::{ClmulCpu, poly::Modulus};
///
/// // X^64 = X^4 + X^3 + X + 1
/// let modulus = Modulus::new(&[64, 4, 3, 1, 0]).expect("exponents that descend");
/// let mut c = [0, 1];
/// modulus.reduce(ClmulCpu::detect(), &mut c);
/// assert_eq!(c, [0b11011, 0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modulus<'a> {
    degree: usize,
    /// The exponents k1, k2, .. below n, in descending order.
    tail: &'a [usize],
    /// The constants for reduction in vectors, if the modulus is short and sparse enough for it.
    short: Option<Short>,
}

impl<'a> Modulus<'a> {
    /// The polynomial with these exponents, the degree first; `None` if they do not descend, or the degree is zero.
    #[must_use]
    pub const fn new(exponents: &'a [usize]) -> Option<Modulus<'a>> {
        let mut i = 1;
        while i < exponents.len() {
            // Strictly, because two equal terms would cancel.
            if exponents[i - 1] <= exponents[i] {
                return None;
            }
            i += 1;
        }
        match exponents.split_first() {
            // Degree 0 is the constant 1: a remainder would have no words.
            None | Some((0, _)) => None,
            Some((&degree, tail)) => Some(Modulus { degree, tail, short: Short::new(degree, tail) }),
        }
    }

    /// The degree n of the modulus, at least 1.
    #[must_use]
    pub const fn degree(&self) -> usize {
        self.degree
    }

    /// The exponents of all terms in descending order, n first.
    pub fn exponents(&self) -> impl Iterator<Item = usize> + use<'a> {
        core::iter::once(self.degree).chain(self.tail.iter().copied())
    }

    /// The number of words of a remainder: that of n bits.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.degree.div_ceil(64)
    }

    /// The distance n - k1, n without a tail: every bit from X^n on moves down by at least this much in a step.
    pub(crate) const fn gap(&self) -> usize {
        match self.tail {
            [] => self.degree,
            [first, ..] => self.degree - *first,
        }
    }

    /// The constants for reduction in vectors, if the modulus is short and sparse enough for it.
    #[cfg(feature = "alloc")]
    pub(crate) const fn short(&self) -> Option<Short> {
        self.short
    }

    /// The modulus with exponents that [`new`](Modulus::new) accepted, and the [`short`](Modulus::short) of that
    /// modulus, which takes longer to compute than a remainder.
    #[cfg(feature = "alloc")]
    pub(crate) fn from_parts(exponents: &'a [usize], short: Option<Short>) -> Modulus<'a> {
        Modulus { degree: exponents[0], tail: &exponents[1..], short }
    }

    /// `c = c mod self`, in constant time: the remainder in the first [`words`](Modulus::words) words, zeros above.
    /// It takes a pass over what lies above X^n for every exponent. If n - k1 is small, bits come down in many
    /// steps, which takes long; from n - k1 = 64 on it makes no difference.
    ///
    /// If `c` is no longer than a product of remainders, has at most ten words, and n - k1 is large enough,
    /// it is reduced in vectors.
    pub fn reduce(&self, cpu: ClmulCpu, c: &mut [u64]) {
        let mut out = [0; MAX_WORDS];
        if let Some(out) = out.get_mut(..self.words())
            && self.remainder_by_kernel(cpu, c, out)
        {
            let (low, high) = c.split_at_mut(out.len());
            low.copy_from_slice(out);
            high.fill(0);
            // A copy on the stack of what may be secret.
            out.zeroize();
        } else {
            cpu.call(Reduce(*self, c));
        }
    }

    /// `out = c` modulo this polynomial, in vectors. Returns false and writes nothing if there is no kernel for this
    /// modulus, or unless `c` is longer than a remainder and no longer than a product of two. `out` has the
    /// modulus's [`words`](Modulus::words).
    pub(crate) fn remainder_by_kernel(&self, cpu: ClmulCpu, c: &[u64], out: &mut [u64]) -> bool {
        match &self.short {
            Some(short) if self.words() < c.len() && c.len() <= 2 * self.words() => {
                in_vectors(cpu, short, Remainder(c), out);
                true
            }
            _ => false,
        }
    }
}

/// Runs a task as one kernel; `out` has the words of a remainder, and all are written.
#[inline]
fn in_vectors<T: Task>(cpu: ClmulCpu, short: &Short, task: T, out: &mut [u64]) {
    match short.words() {
        1 => run(cpu, out.len(), task, ByTail::<false>(short), out),
        _ => run(cpu, out.len(), task, ByTail::<true>(short), out),
    }
}

/// The operations that reduction asks of a word, all of them linear over F2. Tests run it on linear forms of the
/// input bits, which proves it for all inputs.
trait Word:
    Copy + Default + BitXorAssign + BitXor<Output = Self> + Shl<usize, Output = Self> + Shr<usize, Output = Self>
{
}

impl Word for u64 {}

struct Reduce<'a>(Modulus<'a>, &'a mut [u64]);

impl ClmulKernel for Reduce<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        reduce(self.0, self.1);
    }
}

/// Reduces by X^(n + i) = sum of the X^(k + i) over all k of the tail, from the top down. Blocks of no more than
/// n - k1 bits do not fall onto themselves, so each takes one step. If n - k1 is below 64, single words take
/// several steps. The word that X^n lies in comes last.
#[inline(always)]
fn reduce<W: Word>(modulus: Modulus<'_>, c: &mut [W]) {
    // The bits from X^n on move down by n - k1 at least. So a block of no more bits than that lands below
    // itself, and is done once its images are added.
    let (n, gap) = (modulus.degree, modulus.gap());
    let last = n / 64;
    let mut end = c.len();
    // Invariant: words from `end` on are zero. All loops depend on lengths and on the modulus, which are public.
    while gap >= 64 && end > last + 1 {
        let start = end.saturating_sub(gap / 64).max(last + 1);
        let (low, high) = c[..end].split_at_mut(start);
        for k in modulus.tail {
            add_shifted(low, high, 64 * start - n + k);
        }
        high.fill(W::default());
        end = start;
    }
    // A step moves the bits of a word down by at least `gap`; after 64 / gap steps none is left in it.
    for i in (last + 1..end).rev() {
        for _ in 0..64_usize.div_ceil(gap) {
            let word = core::mem::take(&mut c[i]);
            add_word(modulus, c, word, 64 * i - n);
        }
    }
    if let Some(&word) = c.get(last) {
        // The bits from X^n on of the last word: the XOR clears them, then their images are added, maybe some of
        // them here again.
        let (mut high, bits) = (word >> (n % 64), 64 - n % 64);
        for _ in 0..bits.div_ceil(gap) {
            c[last] ^= high << (n % 64);
            add_word(modulus, c, high, 0);
            high = c[last] >> (n % 64);
        }
    }
}

/// `sum += words X^at`. What would lie above `sum` must be zero, and is dropped.
#[inline(always)]
fn add_shifted<W: Word>(sum: &mut [W], words: &[W], at: usize) {
    let (sum, shift) = (&mut sum[at / 64..], at % 64);
    if shift == 0 {
        for (sum, word) in sum.iter_mut().zip(words) {
            *sum ^= *word;
        }
        return;
    }
    // Each word of the sum gets the high bits of one word and the low bits of the next.
    sum[0] ^= words[0] << shift;
    for (sum, (below, word)) in sum[1..].iter_mut().zip(words.iter().zip(&words[1..])) {
        *sum ^= *below >> (64 - shift) ^ *word << shift;
    }
    if let Some(sum) = sum.get_mut(words.len()) {
        *sum ^= words[words.len() - 1] >> (64 - shift);
    }
}

/// `sum += word X^(at + k)` for all exponents k below the degree.
#[inline(always)]
fn add_word<W: Word>(modulus: Modulus<'_>, sum: &mut [W], word: W, at: usize) {
    for k in modulus.tail {
        add_shifted(sum, &[word], at + k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// The largest number of words of the inputs below.
    const WORDS: usize = 6;

    /// 64 sums of input bits: bit i of word j says whether input bit 64 j + i is in the sum.
    #[derive(Clone, Copy, PartialEq, Eq)]
    struct Forms([[u64; WORDS]; 64]);

    impl Word for Forms {}

    impl Default for Forms {
        fn default() -> Forms {
            Forms([[0; WORDS]; 64])
        }
    }

    impl BitXorAssign for Forms {
        fn bitxor_assign(&mut self, other: Forms) {
            for (a, b) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
                *a ^= b;
            }
        }
    }

    impl BitXor for Forms {
        type Output = Forms;
        fn bitxor(mut self, other: Forms) -> Forms {
            self ^= other;
            self
        }
    }

    impl Shl<usize> for Forms {
        type Output = Forms;
        fn shl(self, k: usize) -> Forms {
            assert!(k < 64);
            let mut out = Forms::default();
            out.0[k..].copy_from_slice(&self.0[..64 - k]);
            out
        }
    }

    impl Shr<usize> for Forms {
        type Output = Forms;
        fn shr(self, k: usize) -> Forms {
            assert!(k < 64);
            let mut out = Forms::default();
            out.0[..64 - k].copy_from_slice(&self.0[k..]);
            out
        }
    }

    /// The forms that are one input bit each: bit j of word i is input bit 64 i + j.
    fn inputs(words: usize) -> Vec<Forms> {
        let bit = |i: usize, j: usize| core::array::from_fn(|word| u64::from(word == i) << j);
        (0..words).map(|i| Forms(core::array::from_fn(|j| bit(i, j)))).collect()
    }

    /// The remainder by the definition: X^(n + i) becomes the sum of the other X^(k + i), from the highest bit down.
    fn defined(modulus: Modulus<'_>, mut c: Vec<Forms>) -> Vec<Forms> {
        let n = modulus.degree;
        for i in (n..64 * c.len()).rev() {
            let form = core::mem::take(&mut c[i / 64].0[i % 64]);
            for j in modulus.tail.iter().map(|k| i - n + k) {
                for (a, b) in c[j / 64].0[j % 64].iter_mut().zip(form) {
                    *a ^= b;
                }
            }
        }
        c
    }

    /// A proof for all inputs of these sizes: every bit of the remainder is the right sum of input bits.
    #[test]
    fn remainders_are_the_right_sums_of_input_bits() {
        let quick = cfg!(miri) || std::env::var_os("CARRYLESS_QUICK").is_some_and(|v| v == "1");
        let step = if quick { 31 } else { 1 };
        for n in (1..200_usize).step_by(step) {
            for gap in [1, 2, 7, 31, 63, 64, 65, 127, 128, 129, n] {
                let Some(k) = n.checked_sub(gap) else { continue };
                for words in [n.div_ceil(64), WORDS.min(2 * n.div_ceil(64)), WORDS] {
                    let tails: [&[usize]; 3] = [&[n, k], &[n, k, 0], &[n, k, k / 2, k / 3, 0]];
                    for modulus in tails.into_iter().filter_map(Modulus::new) {
                        let mut c = inputs(words);
                        reduce(modulus, &mut c);
                        assert!(c == defined(modulus, inputs(words)), "{words} words, {modulus:?}");
                    }
                }
            }
        }
    }
}
