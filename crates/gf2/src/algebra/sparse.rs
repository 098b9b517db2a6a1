//! Remainders modulo polynomials with few terms, by shifts.
use super::Poly;
use super::words::{Buffer, INLINE};
use crate::poly::Modulus;
use crate::poly::modular::Short;
use alloc::vec::Vec;
use carryless_lanes::ClmulCpu;

/// The least distance between the two highest exponents, so that whole words move down in one step.
const LEAST_GAP: usize = 64;

/// The most terms: one pass over the dividend for each, against two products.
const MAX_TERMS: usize = 32;

/// A polynomial with few terms. Modulo X^n + X^k + ..., X^n becomes X^k + ..., so that a remainder takes a few
/// shifted additions, in linear time.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    /// The exponents in descending order.
    exponents: Vec<usize>,
    /// The constants of [`Modulus`] for these exponents.
    short: Option<Short>,
}

impl Sparse {
    /// The polynomial f, if a remainder modulo f by shifts is faster than one modulo a dense polynomial of `words` words.
    pub(super) fn new(f: &Poly, words: usize) -> Option<Sparse> {
        if f.weight() > MAX_TERMS {
            return None;
        }
        let exponents: Vec<usize> = f.exponents().collect();
        let modulus = Modulus::new(&exponents)?;
        // A dense polynomial takes as many passes over the dividend as it has words.
        let fast = modulus.short().is_some() || exponents.len() <= words && modulus.gap() >= LEAST_GAP;
        fast.then_some(Sparse { short: modulus.short(), exponents })
    }

    /// The polynomial as a modulus for slices of words.
    pub(super) fn modulus(&self) -> Modulus<'_> {
        Modulus::from_parts(&self.exponents, self.short)
    }

    /// The product a b modulo the polynomial, if a kernel computes both at once.
    pub(super) fn mul(&self, a: &Poly, b: &Poly) -> Option<Poly> {
        let (modulus, mut out) = (self.modulus(), [0; INLINE]);
        let short = out.get_mut(..modulus.words())?;
        let done = modulus.product_by_kernel(ClmulCpu::detect(), &a.words, &b.words, short);
        done.then(|| Poly::from_inline(out))
    }

    /// The remainder of a, which is copied: [`reduce`](Sparse::reduce) overwrites its operand.
    pub(super) fn rem(&self, a: &Poly) -> Poly {
        let mut words = Buffer::zeros(a.words.len());
        words.words_mut().copy_from_slice(&a.words);
        self.reduce(&mut words)
    }

    /// The remainder of the polynomial in these words, which may have zeros on top. They are undefined afterwards.
    pub(super) fn reduce(&self, words: &mut Buffer) -> Poly {
        let (modulus, mut out) = (self.modulus(), [0; INLINE]);
        if let Some(short) = out.get_mut(..modulus.words())
            && modulus.remainder_by_kernel(ClmulCpu::detect(), words.words_mut(), short)
        {
            return Poly::from_inline(out);
        }
        modulus.reduce(ClmulCpu::detect(), words.words_mut());
        words.take()
    }
}
