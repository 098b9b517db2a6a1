//! Inverses of public elements by the extended Euclidean algorithm for polynomials, on words.
use super::constants::MAX_WORDS;
use super::element::Element;
use super::{BinaryField, Shape};

/// Words of f for the largest field: one more than elements have, for the coefficient of z^m where m is a multiple of 64.
const F_WORDS: usize = MAX_WORDS + 1;

/// Polynomials r and g with the invariant r = a g mod f, for the a to be inverted.
struct Row {
    r: [u64; F_WORDS],
    g: [u64; F_WORDS],
    /// The degree of r; 0 also for r = 0.
    degree: usize,
}

impl Row {
    /// The row of r and of the constant g, 0 or 1.
    fn new<F: BinaryField>(r: [u64; F_WORDS], g: u64) -> Row {
        let mut row = Row { r, g: [0; F_WORDS], degree: 0 };
        row.g[0] = g;
        // For m = 64 W, f has the bit 64 W in a word of its own.
        row.find_degree(64 * F::Shape::WORDS);
        row
    }

    /// Sets `degree` by a search from the coefficient of X^most down. The degree of 0 becomes 0.
    fn find_degree(&mut self, most: usize) {
        let mut i = most / 64;
        while i > 0 && self.r[i] == 0 {
            i -= 1;
        }
        self.degree = 64 * i + self.r[i].checked_ilog2().unwrap_or(0) as usize;
    }

    /// Cancels the leading term of r by adding X^j times the other row, with j chosen to align the degrees. The
    /// invariant of both rows is preserved. Requires `self.degree >= other.degree`.
    fn cancel(&mut self, other: &Row, words: usize) {
        // Both rows are changed in the same way, so r = a g mod f still holds. The leading terms of r cancel.
        let shift = self.degree - other.degree;
        add_shifted(&mut self.r[..words], &other.r, shift);
        add_shifted(&mut self.g[..words], &other.g, shift);
        self.find_degree(self.degree);
    }
}

/// Adds x X^shift to `sum`. The caller ensures that the result fits `sum`.
fn add_shifted(sum: &mut [u64], x: &[u64; F_WORDS], shift: usize) {
    let (words, bits) = (shift / 64, shift % 64);
    let mut below = 0;
    for (sum, &x) in sum[words..].iter_mut().zip(x) {
        *sum ^= x << bits | below;
        below = if bits == 0 { 0 } else { x >> (64 - bits) };
    }
}

impl<F: BinaryField> Element<F> {
    /// The inverse 1 / a by Euclid's algorithm, or `None` if a is zero.
    ///
    /// Not constant time: the number of steps depends on a, which must be
    /// public. [`invert`](Element::invert) is for secrets.
    ///
    /// ```
    /// use carryless_gf2::field::{Element, Gf233};
    ///
    /// let a = Element::<Gf233>::z() + Element::one();
    /// assert_eq!(a.invert_vartime(), a.invert().into_option());
    /// assert_eq!(Element::<Gf233>::zero().invert_vartime(), None);
    /// ```
    #[must_use]
    pub fn invert_vartime(&self) -> Option<Self> {
        if self.is_zero().to_bool() {
            return None;
        }
        let words = F::DEGREE / 64 + 1;
        // Rows (a, 1) and (f, 0): a = a 1 and f = 0 modulo f. g has at most m bits throughout: deg g <= m - deg
        // r of the other row, as in every extended Euclidean algorithm.
        let (mut a, mut f) = ([0; F_WORDS], [0; F_WORDS]);
        a[..F::Shape::WORDS].copy_from_slice(self.as_words());
        for e in F::TAIL.iter().chain([&F::DEGREE]) {
            f[e / 64] ^= 1 << (e % 64);
        }
        let (mut low, mut high) = (Row::new::<F>(a, 1), Row::new::<F>(f, 0));
        // Each step lowers the degree of one row, so there are fewer than 2 m steps, of two shifted sums each.
        // f is irreducible, so gcd(a, f) = 1: the loop ends with r = 1 = a g mod f. No r becomes 0 before, as the
        // other one would then divide both a and f.
        //
        // Invariant: high has at least the degree of low.
        while low.degree > 0 {
            high.cancel(&low, words);
            if high.degree < low.degree {
                core::mem::swap(&mut low, &mut high);
            }
        }
        let mut inverse = Element::zero();
        inverse.words_mut().copy_from_slice(&low.g[..F::Shape::WORDS]);
        Some(inverse)
    }
}
