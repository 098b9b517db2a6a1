//! Remainders modulo a fixed sparse polynomial.
use super::plan::Plan;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// A modulus with few coefficients: X^n + X^k1 + X^k2 + ..., n > k1 > k2 > ... X^n - 1 is one, and so are the trinomials and
/// pentanomials that define binary fields. It is public; what is reduced is not.
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
    /// The exponents below.
    tail: &'a [usize],
}

impl<'a> Modulus<'a> {
    /// The polynomial with these exponents, the degree first; `None` if they do not descend, or the degree is zero.
    #[must_use]
    pub const fn new(exponents: &'a [usize]) -> Option<Modulus<'a>> {
        let mut i = 1;
        while i < exponents.len() {
            if exponents[i - 1] <= exponents[i] {
                return None;
            }
            i += 1;
        }
        match exponents.split_first() {
            None | Some((0, _)) => None,
            Some((&degree, tail)) => Some(Modulus { degree, tail }),
        }
    }

    /// n.
    #[must_use]
    pub const fn degree(&self) -> usize {
        self.degree
    }

    /// The words of a remainder.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.degree.div_ceil(64)
    }

    /// How far every bit from X^n on moves down at least.
    const fn gap(&self) -> usize {
        match self.tail {
            [] => self.degree,
            [first, ..] => self.degree - *first,
        }
    }

    /// `c = c mod self`, in constant time: the remainder in the first [`words`](Modulus::words) words, zeros above. Takes a pass
    /// over what lies above X^n for every exponent. If n - k1 is small, bits come down in many steps, which takes long;
    /// from n - k1 = 64 on it does not matter.
    pub fn reduce(&self, cpu: ClmulCpu, c: &mut [u64]) {
        cpu.call_clmul(Reduce(*self, c));
    }
}

/// X^(n + i) = sum of the X^(k + i): from the top down, blocks that are no longer than n - k1 bits and so do not fall
/// onto themselves, or single words, several times; last the word that X^n lies in.
struct Reduce<'a>(Modulus<'a>, &'a mut [u64]);

impl ClmulKernel for Reduce<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        let Reduce(modulus, c) = self;
        let (n, gap) = (modulus.degree, modulus.gap());
        let last = n / 64;
        let mut end = c.len();
        while gap >= 64 && end > last + 1 {
            let start = end.saturating_sub(gap / 64).max(last + 1);
            let (low, high) = c[..end].split_at_mut(start);
            for k in modulus.tail {
                add_shifted(low, high, 64 * start - n + k);
            }
            high.fill(0);
            end = start;
        }
        for i in (last + 1..end).rev() {
            for _ in 0..64_usize.div_ceil(gap) {
                let word = core::mem::take(&mut c[i]);
                add_word(modulus, c, word, 64 * i - n);
            }
        }
        if let Some(&word) = c.get(last) {
            let (mut high, bits) = (word >> (n % 64), 64 - n % 64);
            for _ in 0..bits.div_ceil(gap) {
                c[last] ^= high << (n % 64);
                add_word(modulus, c, high, 0);
                high = c[last] >> (n % 64);
            }
        }
    }
}

/// `sum += words X^at`; what would lie above `sum` is zero.
#[inline(always)]
fn add_shifted(sum: &mut [u64], words: &[u64], at: usize) {
    let (sum, shift) = (&mut sum[at / 64..], at % 64);
    if shift == 0 {
        for (sum, word) in sum.iter_mut().zip(words) {
            *sum ^= word;
        }
        return;
    }
    sum[0] ^= words[0] << shift;
    for (sum, (below, word)) in sum[1..].iter_mut().zip(words.iter().zip(&words[1..])) {
        *sum ^= below >> (64 - shift) | word << shift;
    }
    if let Some(sum) = sum.get_mut(words.len()) {
        *sum ^= words[words.len() - 1] >> (64 - shift);
    }
}

/// `sum += word X^(at + k)` for all exponents k below the degree.
#[inline(always)]
fn add_word(modulus: Modulus<'_>, sum: &mut [u64], word: u64, at: usize) {
    for k in modulus.tail {
        add_shifted(sum, &[word], at + k);
    }
}

impl Plan {
    /// `out = a b mod m`, in constant time: operands and `out` of the modulus's [`words`](Modulus::words), as the plan's sizes
    /// must be. Operands may have bits from X^n on.
    ///
    /// # Panics
    /// If the plan or the slices have other sizes, or `scratch` has less than
    /// [`part_scratch_words`](Plan::part_scratch_words).
    pub fn mul_mod(&self, m: Modulus<'_>, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        assert_eq!(self.words(), [m.words(); 2], "a plan for operands of n bits");
        assert_eq!(out.len(), m.words(), "a result of n bits");
        let product = self.product(a, b, scratch);
        m.reduce(self.cpu(), product);
        out.copy_from_slice(&product[..out.len()]);
    }

    /// `out = a b mod X^n - 1`.
    ///
    /// # Panics
    /// As [`mul_mod`](Plan::mul_mod), and if n is zero.
    pub fn mul_mod_xn_1(&self, n: usize, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        let exponents = [n, 0];
        let modulus = Modulus::new(&exponents).expect("n is not zero");
        self.mul_mod(modulus, a, b, out, scratch);
    }
}
