//! Polynomials to try.
pub(crate) use crate::random::Random;
use carryless_gf2::algebra::Poly;

impl Random {
    /// A random polynomial of exactly this degree.
    pub(crate) fn poly(&mut self, degree: usize) -> Poly {
        let mut poly = Poly::from(self.words(degree / 64 + 1)).truncate(degree);
        poly.set_coefficient(degree, true);
        poly
    }

    /// With few terms, so that quotients are long and words are zero.
    pub(crate) fn sparse(&mut self, degree: usize) -> Poly {
        let exponents: Vec<usize> = (0..4).map(|_| self.word() as usize % (degree + 1)).collect();
        let mut poly = Poly::from_exponents(exponents);
        poly.set_coefficient(degree, true);
        poly
    }
}

/// Degrees around the borders of words.
pub(crate) const DEGREES: [usize; 16] = [0, 1, 2, 31, 62, 63, 64, 65, 126, 127, 128, 129, 191, 192, 256, 320];

/// 0, 1, and dense, sparse and extreme polynomials of those degrees.
pub(crate) fn samples(random: &mut Random) -> Vec<Poly> {
    let mut all = vec![Poly::zero()];
    let degrees = if cfg!(miri) { &DEGREES[..8] } else { &DEGREES[..] };
    for &degree in degrees {
        let ones = Poly::from_exponents(0..=degree);
        all.extend([random.poly(degree), random.sparse(degree), Poly::monomial(degree), ones]);
    }
    all
}
