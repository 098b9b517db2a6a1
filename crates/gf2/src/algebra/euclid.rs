//! Euclid's algorithm, by words and by halves (half-gcd).
//!
//! Divisions turn (a, b) into (c, d) = M (a, b) with a matrix M of determinant 1. The highest coefficients decide
//! which divisions come first. Cut a and b to a1 and b1 by taking their k lowest coefficients off. Let M make of
//! (a1, b1) a pair (c1, d1) with deg c1 > deg d1 and 2 deg c1 >= deg a1. Then M is also the matrix of the divisions
//! of a and b. For its entries have degrees of at most deg a1 - deg c1. So the lowest coefficients reach no further
//! than X^(k + deg a1 - deg c1 - 1), which is below the leading term of c.
use super::{Poly, word_gcd, words};

/// Two neighbours of a Euclidean sequence, a of higher degree than b, and C columns to which the same is done. With
/// the columns (1, 0) and (0, 1) in the beginning, the columns are the matrix.
pub(super) struct Euclid<const C: usize> {
    pub(super) pair: [Poly; 2],
    pub(super) columns: [[Poly; 2]; C],
    /// If the degree is to fall by less than this, it falls by words, otherwise by halves. At least 128: what is
    /// cut off are whole words, and the rest must be shorter than the whole.
    by_words: usize,
}

/// The threshold between words and halves for a matrix, in degrees. Measured on a Zen 3 processor,
/// flat between 3000 and 6000.
pub(super) const BY_WORDS: usize = 4000;

/// Column i of the identity matrix.
pub(super) fn unit(i: usize) -> [Poly; 2] {
    [Poly::from(u64::from(i == 0)), Poly::from(u64::from(i == 1))]
}

impl<const C: usize> Euclid<C> {
    /// The sequence that begins with a and b, in this order or the other. Equal degrees take one division.
    pub(super) fn new(a: &Poly, b: &Poly, columns: [[Poly; 2]; C], by_words: usize) -> Euclid<C> {
        let mut euclid = Euclid { pair: [a.clone(), b.clone()], columns, by_words };
        if a.degree() < b.degree() {
            euclid.swap();
        }
        // The sequence needs deg a > deg b.
        if a.degree() == b.degree() && !b.is_zero() {
            euclid.divide();
        }
        euclid
    }

    /// Exchanges a and b, and the rows of all columns.
    fn swap(&mut self) {
        self.pair.swap(0, 1);
        self.columns.iter_mut().for_each(|column| column.swap(0, 1));
    }

    /// Makes one division: (a, b) becomes (b, a - q b).
    fn divide(&mut self) {
        let [a, b] = &mut self.pair;
        let (quotient, remainder) = a.div_rem(b).expect("not zero");
        // The columns get the same row operation as the pair, so they stay the matrix; its determinant stays 1.
        *a = remainder;
        for [x, y] in &mut self.columns {
            *x += &(&quotient * &*y);
        }
        self.swap();
    }

    /// Divides until b has a degree below m and a has not; b is 0 then if m is 0. Does nothing if that is so already.
    pub(super) fn reduce(&mut self, m: usize) {
        while self.pair[1].degree() >= Some(m) {
            let n = self.pair[0].degree().expect("more than b");
            let left = n - m;
            // Halves need a matrix. Where no matrix is wanted, words are faster for a while longer.
            if left < if C == 2 { self.by_words } else { 3 * self.by_words } {
                return self.reduce_by_words(m);
            }
            // At once, if some coefficients need not be looked at; else half of the way.
            let fall = if 8 * left <= 3 * n { left } else { left / 2 };
            self.jump(n - fall);
            if self.pair[1].degree() >= Some(m) {
                self.divide();
            }
        }
    }

    /// Does what [`reduce`](Euclid::reduce) does by the matrices of [`word_gcd::steps`]: the degree falls by up to
    /// 64 in a pass over all words.
    fn reduce_by_words(&mut self, m: usize) {
        while self.pair[1].degree() >= Some(m) {
            let n = self.pair[0].degree().expect("more than b");
            let cut = n.saturating_sub(127);
            // The 128 highest coefficients decide the next divisions, until the degree has fallen by about
            // half of that.
            let [a, b] = self.pair.each_ref().map(|poly| words::window(&poly.words, cut));
            // No further than the target, and no further than the 128 highest coefficients determine.
            let stop = m.saturating_sub(cut).max((n - cut).saturating_sub(63));
            match word_gcd::steps(a, b, stop as u32) {
                // The quotient is too long for a word: one division of whole polynomials.
                [1, 0, 0, 1] => self.divide(),
                matrix => self.turn(matrix),
            }
        }
    }

    /// Applies a matrix of words to the pair and to all columns.
    fn turn(&mut self, matrix: [u64; 4]) {
        for [x, y] in self.columns.iter_mut().chain([&mut self.pair]) {
            words::turn(matrix, &mut x.words, &mut y.words);
        }
    }

    /// Divides until b has a degree below `target` and a has not, by a matrix from the 2 (n - target) highest
    /// coefficients, n being the degree of a.
    fn jump(&mut self, target: usize) {
        let n = self.pair[0].degree().expect("more than b");
        // Whole words are cut off, at most 2 target - n coefficients: the rest has at least 2 (n - target).
        let cut = (2 * target).saturating_sub(n) / 64;
        let [a, b] = self.pair.each_ref().map(|poly| poly >> (64 * cut));
        let mut top = Euclid { pair: [a, b], columns: [unit(0), unit(1)], by_words: self.by_words };
        top.reduce(target - 64 * cut);
        // The highest coefficients are already divided; the matrix is applied to the others, which are added.
        let low = self.pair.each_ref().map(|poly| poly.truncate(64 * cut));
        let matrix = &top.columns;
        // Four products for the pair and as many for each column, of entries of the matrix by what was cut
        // off.
        let [c, d] = apply(matrix, &low);
        self.pair = [c + (&top.pair[0] << (64 * cut)), d + (&top.pair[1] << (64 * cut))];
        for column in &mut self.columns {
            *column = apply(matrix, column);
        }
    }
}

/// The product of a matrix, given by its columns, and a column.
fn apply([left, right]: &[[Poly; 2]; 2], [x, y]: &[Poly; 2]) -> [Poly; 2] {
    [&left[0] * x + &right[0] * y, &left[1] * x + &right[1] * y]
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// A random polynomial of exactly this degree, by splitmix64.
    fn random(degree: usize, seed: &mut u64) -> Poly {
        let words = (0..degree / 64 + 1).map(|_| {
            *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z ^ z >> 27
        });
        let mut poly = Poly::from(words.collect::<Vec<u64>>()).truncate(degree);
        poly.set_coefficient(degree, true);
        poly
    }

    /// The pair and the matrix do not depend on the threshold, wherever the divisions are to stop.
    fn agree(a: &Poly, b: &Poly, m: usize) {
        let reduced = |by_words: usize| {
            let mut euclid = Euclid::new(a, b, [unit(0), unit(1)], by_words);
            euclid.reduce(m);
            let Euclid { pair, columns, .. } = euclid;
            (pair, columns)
        };
        let (pair, matrix) = reduced(usize::MAX / 3);
        assert!(pair[1].degree() < Some(m) || pair[1].is_zero());
        assert!(apply(&matrix, &[a.clone(), b.clone()]) == pair, "the matrix does it");
        for by_words in [128, 129, 200, 640] {
            assert!(reduced(by_words) == (pair.clone(), matrix.clone()), "{by_words}, {m}");
        }
    }

    #[test]
    fn halves_are_words() {
        let mut seed = 1;
        let degrees: &[usize] = if cfg!(miri) { &[257] } else { &[127, 128, 129, 256, 383, 384, 1000, 2100] };
        for &n in degrees {
            for degree in [n - 1, n - 64, n / 2, n / 3] {
                let (a, b, g) = (random(n, &mut seed), random(degree, &mut seed), random(n / 5, &mut seed));
                for m in [0, 1, n / 4, n / 2, n.div_ceil(2) + 1, n - 1, n] {
                    agree(&a, &b, m);
                    agree(&(&a * &g), &(&b * &g), m);
                }
            }
        }
    }

    /// A quotient as long as what is to fall, at every place.
    #[test]
    fn long_quotients_are_met_anywhere() {
        let (mut seed, step) = (2, if cfg!(miri) { 500 } else { 50 });
        for place in (1..1000).step_by(step) {
            let (mut a, mut b) = (random(place, &mut seed), random(place - 1, &mut seed));
            (a, b) = (&a * &random(300, &mut seed) + &b, a);
            (a, b) = (&a * &random(place, &mut seed) + &b, a);
            for m in [0, place, place + 150, place + 300] {
                agree(&a, &b, m);
            }
        }
    }
}
