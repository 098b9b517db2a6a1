//! Polynomials to try.
use carryless_gf2::algebra::Poly;

/// splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Of exactly that degree.
    pub(crate) fn poly(&mut self, degree: usize) -> Poly {
        let words: Vec<u64> = (0..degree / 64 + 1).map(|_| self.word()).collect();
        let mut poly = Poly::from(words).truncate(degree);
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
