//! Fields GF(2^m), computed bit by bit.
use crate::gf2;

/// The field GF(2^m) = F2\[z\]/(f), by the definitions. Elements are polynomials in words, as in [`gf2`]. Operands may
/// have any number of words, reduced or not; results have `ceil(m / 64)` words and are below z^m.
///
/// ```
/// use carryless_reference::Gf2m;
/// // FIPS 197 has these products.
/// let field = Gf2m::new([8, 4, 3, 1, 0]);
/// assert_eq!(field.mul(&[0x57], &[0x83]), [0xc1]);
/// assert_eq!(field.invert_or_zero(&[0x53]), [0xca]);
/// ```
#[derive(Clone, Debug)]
pub struct Gf2m {
    f: Vec<usize>,
}

impl Gf2m {
    /// The field whose f is the sum of z^e for these exponents. That f is irreducible is not checked.
    ///
    /// # Panics
    /// Unless the exponents descend from a degree of at least 2.
    pub fn new(exponents: impl Into<Vec<usize>>) -> Self {
        let f = exponents.into();
        assert!(f.first().is_some_and(|m| *m >= 2) && f.is_sorted_by(|a, b| a > b), "no modulus: {f:?}");
        Gf2m { f }
    }

    /// Returns the exponents of f, from m down to 0.
    pub fn exponents(&self) -> &[usize] {
        &self.f
    }

    /// Returns the degree m of the field.
    pub fn degree(&self) -> usize {
        self.f[0]
    }

    /// Returns the remainder of a modulo f, in `ceil(m / 64)` words.
    pub fn reduce(&self, a: &[u64]) -> Vec<u64> {
        gf2::rem(a, &self.f)
    }

    /// Returns the product of a and b.
    pub fn mul(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        self.reduce(&gf2::mul(a, b))
    }

    /// Returns a^2, the square of a.
    pub fn square(&self, a: &[u64]) -> Vec<u64> {
        self.reduce(&gf2::square(a))
    }

    /// Returns all conjugates: a, a^2, a^4 and so on up to a^(2^(m - 1)).
    fn conjugates(&self, a: &[u64]) -> impl Iterator<Item = Vec<u64>> {
        std::iter::successors(Some(self.reduce(a)), |power| Some(self.square(power))).take(self.degree())
    }

    fn sum(&self, terms: impl Iterator<Item = Vec<u64>>) -> Vec<u64> {
        // No word at all is 0, which `reduce` brings to the words of an element.
        terms.fold(self.reduce(&[]), |sum, term| sum.iter().zip(term).map(|(sum, term)| sum ^ term).collect())
    }

    /// Returns the square root, a^(2^(m - 1)).
    pub fn sqrt(&self, a: &[u64]) -> Vec<u64> {
        self.conjugates(a).last().expect("m is not 0")
    }

    /// Returns the trace, the sum of all conjugates: false for 0, true for 1.
    ///
    /// # Panics
    /// If the sum is neither 0 nor 1: f is reducible.
    pub fn trace(&self, a: &[u64]) -> bool {
        let sum = self.sum(self.conjugates(a));
        assert!(sum[0] <= 1 && sum[1..].iter().all(|word| *word == 0), "a trace is 0 or 1");
        sum[0] == 1
    }

    /// Returns the half-trace, the sum of a^(4^i) for i up to (m - 1) / 2.
    ///
    /// # Panics
    /// If m is even: a half-trace exists for odd m only.
    pub fn half_trace(&self, a: &[u64]) -> Vec<u64> {
        assert!(!self.degree().is_multiple_of(2), "fields of even degree have no half-trace");
        self.sum(self.conjugates(a).step_by(2))
    }

    /// Returns 1 / a, and 0 for 0. It is a^(2^m - 2), the product of all conjugates but a.
    pub fn invert_or_zero(&self, a: &[u64]) -> Vec<u64> {
        self.conjugates(a).skip(1).reduce(|product, power| self.mul(&product, &power)).expect("m is not 1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition of each operation holds for all elements of small fields, of even and odd degree.
    #[test]
    fn small_fields_whole() {
        for f in [&[2, 1, 0][..], &[3, 1, 0], &[6, 1, 0], &[7, 1, 0], &[8, 4, 3, 1, 0]] {
            let field = Gf2m::new(f);
            let elements = || (0..1 << field.degree()).map(|word: u64| vec![word]);
            let mut of_trace_1 = 0;
            for a in elements() {
                assert_eq!(field.square(&a), field.mul(&a, &a));
                assert_eq!(field.square(&field.sqrt(&a)), a);
                let inverse = field.invert_or_zero(&a);
                assert_eq!(field.mul(&a, &inverse), [u64::from(a != [0])]);
                assert_eq!(inverse == [0], a == [0]);
                // a = x^2 + x has solutions exactly if the trace is 0.
                let solutions: Vec<_> = elements().filter(|x| field.square(x)[0] ^ x[0] == a[0]).collect();
                assert_eq!(solutions.is_empty(), field.trace(&a));
                of_trace_1 += u64::from(field.trace(&a));
                if field.degree() % 2 == 1 && !field.trace(&a) {
                    assert!(solutions.contains(&field.half_trace(&a)));
                }
            }
            // There are (m + 1) / 2 terms, all of them 1. A solution alone does not tell the half-trace from
            // the sum of the other terms.
            if field.degree() % 2 == 1 {
                assert_eq!(field.half_trace(&[1]), [(field.degree() as u64).div_ceil(2) % 2]);
            }
            assert_eq!(of_trace_1, 1 << (field.degree() - 1));
        }
    }

    /// Elements of several words, and operands that are not reduced: z^163 = z^7 + z^6 + z^3 + 1.
    #[test]
    fn several_words() {
        let field = Gf2m::new([163, 7, 6, 3, 0]);
        let power = |e: usize| (0..4).map(|word| u64::from(e / 64 == word) << (e % 64)).collect::<Vec<_>>();
        assert_eq!(field.reduce(&power(163)), [0xc9, 0, 0]);
        assert_eq!(field.mul(&power(100), &power(63)), [0xc9, 0, 0]);
        assert_eq!(field.square(&power(200)), field.mul(&power(200), &power(200)));
        assert_eq!(field.sqrt(&power(200)), field.reduce(&power(100)));
        assert_eq!(field.invert_or_zero(&power(163)), field.invert_or_zero(&[0xc9]));
        // 163 is odd, so that 1 has trace 1 and z^e the trace of z^(2 e).
        assert!(field.trace(&[1]) && field.trace(&power(80)) == field.trace(&power(160)));
    }

    #[test]
    #[should_panic(expected = "no modulus")]
    fn exponents_descend() {
        let _ = Gf2m::new([3, 8, 0]);
    }

    #[test]
    #[should_panic(expected = "a trace is 0 or 1")]
    fn reducible_polynomials_are_found_by_traces() {
        let _ = Gf2m::new([4, 0]).trace(&[2]);
    }
}
