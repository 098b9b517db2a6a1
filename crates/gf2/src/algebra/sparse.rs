//! Remainders modulo polynomials with few terms, by shifts.
use super::Poly;
use crate::poly::Modulus;
use alloc::vec::Vec;
use carryless_lanes::ClmulCpu;

/// The least distance between the two highest exponents, so that whole words move down in one step.
const LEAST_GAP: usize = 64;

/// The most terms: one pass over the dividend for each, against two products.
const MOST_TERMS: usize = 32;

/// A polynomial with few terms. Modulo X^n + X^k + ..., X^n becomes X^k + ..., so that a remainder takes a few
/// shifted additions, in linear time.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    /// The exponents in descending order.
    exponents: Vec<usize>,
}

impl Sparse {
    /// The polynomial f, if a remainder modulo f by shifts takes less time than modulo a dense polynomial of
    /// `words` words.
    pub(super) fn new(f: &Poly, words: usize) -> Option<Sparse> {
        if f.weight() > MOST_TERMS {
            return None;
        }
        let exponents: Vec<usize> = f.exponents().collect();
        let modulus = Modulus::new(&exponents)?;
        // A dense polynomial takes as many passes over the dividend as it has words.
        let fast = modulus.is_short() || exponents.len() <= words && modulus.gap() >= LEAST_GAP;
        fast.then_some(Sparse { exponents })
    }

    /// The remainder of the polynomial in these words.
    pub(super) fn rem(&self, mut words: Vec<u64>) -> Poly {
        let modulus = Modulus::new(&self.exponents).expect("`new` found exponents that descend");
        modulus.reduce(ClmulCpu::detect(), &mut words);
        Poly::from(words)
    }
}
