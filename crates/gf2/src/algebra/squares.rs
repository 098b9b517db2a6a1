//! Repeated squares modulo f, in linear time if f has a sparse multiple.
use super::{Divisor, Poly};
use crate::poly::{self, Modulus};
use alloc::vec;
use alloc::vec::Vec;
use carryless_lanes::ClmulCpu;

/// The largest ratio of degrees, of a sparse multiple to f, at which squares modulo the multiple are faster.
const LARGEST_RATIO: usize = 8;

/// The least distance between the two highest exponents of a sparse multiple, so that whole words are reduced.
const LEAST_GAP: usize = 64;

/// A polynomial f with its way to square: modulo f, or modulo a sparse multiple of f.
///
/// Modulo X^n + X^k + ..., X^n becomes X^k + ..., so that a reduction is a few shifted additions. A dense f
/// takes two products instead.
#[derive(Debug)]
pub(super) struct Squares {
    f: Divisor,
    /// The exponents of the sparse multiple, in descending order.
    sparse: Option<Vec<usize>>,
}

impl Squares {
    /// Prepares squares modulo f. They use `multiple`, a multiple of f, if that is faster. `None` for f = 0.
    pub(super) fn new(f: &Poly, multiple: &Poly) -> Option<Squares> {
        Some(Squares { f: Divisor::new(f)?, sparse: sparse_exponents(f, multiple) })
    }

    /// The divisor f.
    pub(super) fn f(&self) -> &Divisor {
        &self.f
    }

    /// Whether squares are modulo f itself, at two products each.
    pub(super) fn is_dense(&self) -> bool {
        self.sparse.is_none()
    }

    /// A polynomial that is a modulo f, of lower degree than the modulus in use.
    pub(super) fn reduce(&self, a: &Poly) -> Poly {
        // Modulo the multiple, everything already is of lower degree.
        if self.sparse.is_some() { a.clone() } else { self.f.rem(a) }
    }

    /// A polynomial that is the square a^2 modulo f, but whose degree is only below that of the modulus in use.
    pub(super) fn square(&self, a: &Poly) -> Poly {
        let Some(modulus) = self.sparse.as_deref().and_then(Modulus::new) else {
            return self.f.square_mod(a);
        };
        let mut out = vec![0; 2 * a.words.len()];
        poly::square(&a.words, &mut out);
        modulus.reduce(ClmulCpu::detect(), &mut out);
        Poly::from(out)
    }
}

/// The exponents of `multiple`, in descending order, if squares modulo it take less time than modulo f.
fn sparse_exponents(f: &Poly, multiple: &Poly) -> Option<Vec<usize>> {
    let words = f.words.len();
    // One pass over the words for each term, against as many passes as f has words, or two products.
    if multiple.weight() > words.min(32) || multiple.words.len() > LARGEST_RATIO * words {
        return None;
    }
    let exponents: Vec<usize> = multiple.exponents().collect();
    let gap = exponents.first()? - exponents.get(1).unwrap_or(&0);
    (gap >= LEAST_GAP).then_some(exponents)
}
