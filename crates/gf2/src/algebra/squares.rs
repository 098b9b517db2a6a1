//! Repeated squares modulo f, in linear time if f has a sparse multiple.
use super::sparse::Sparse;
use super::words::Buffer;
use super::{Divisor, Poly};
use crate::poly;

/// The largest ratio of degrees, of a sparse multiple to f, at which squares modulo the multiple are faster.
const LARGEST_RATIO: usize = 8;

/// A polynomial f with its way to square: modulo f, or modulo a sparse multiple of f if f is not sparse itself.
#[derive(Debug)]
pub(super) struct Squares {
    f: Divisor,
    multiple: Option<Sparse>,
}

impl Squares {
    /// Prepares squares modulo f. They use `multiple`, a multiple of f, if that is faster. `None` for f = 0.
    pub(super) fn new(f: &Poly, multiple: &Poly) -> Option<Squares> {
        let (words, f) = (f.words.len(), Divisor::new(f)?);
        let is_useful = f.sparse().is_none() && multiple.words.len() <= LARGEST_RATIO * words;
        let multiple = if is_useful { Sparse::new(multiple, words) } else { None };
        Some(Squares { f, multiple })
    }

    /// The polynomial f, prepared as a divisor.
    pub(super) fn f(&self) -> &Divisor {
        &self.f
    }

    /// Whether squares take two products each.
    pub(super) fn is_dense(&self) -> bool {
        self.f.sparse().is_none() && self.multiple.is_none()
    }

    /// A polynomial that is a modulo f, of lower degree than the modulus in use.
    pub(super) fn reduce(&self, a: &Poly) -> Poly {
        // Modulo the multiple, everything already is of lower degree.
        if self.multiple.is_some() { a.clone() } else { self.f.rem(a) }
    }

    /// A polynomial that is the square a^2 modulo f, but whose degree is only below that of the modulus in use.
    pub(super) fn square(&self, a: &Poly) -> Poly {
        match &self.multiple {
            Some(multiple) => {
                let mut square = Buffer::for_product(&a.words, &a.words);
                poly::square(&a.words, square.words_mut());
                multiple.reduce(&mut square)
            }
            None => self.f.square_mod(a),
        }
    }
}
