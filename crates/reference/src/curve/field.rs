//! Fields GF(2^m) = F2\[z\]/f and their extensions GF(2^m)\[u\]/(u^2 + u + 1), by the definitions.
use crate::gf2;

/// An element as 64-bit words, least significant first: bit i of word j is the coefficient of z^(64 j + i).
///
/// In an extension, a0 + a1 u, the words of a0 come first, then those of a1.
pub type Element = Vec<u64>;

/// The field GF(2^m), or its quadratic extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    f: Vec<usize>,
    extended: bool,
}

impl Field {
    /// F2\[z\]/f. f is the sum of z^e for these exponents, which descend from m to 0.
    ///
    /// # Panics
    /// If f is not irreducible.
    ///
    /// ```
    /// use carryless_reference::curve::Field;
    /// // z (z^2 + 1) = 1 modulo z^3 + z + 1
    /// let field = Field::new(&[3, 1, 0]);
    /// assert_eq!(field.mul(&vec![2], &vec![5]), [1]);
    /// assert_eq!(field.invert(&vec![2]), Some(vec![5]));
    /// ```
    #[must_use]
    pub fn new(f: &[usize]) -> Self {
        assert!(gf2::is_irreducible(f), "f is irreducible");
        Field { f: f.to_vec(), extended: false }
    }

    /// GF(2^m)\[u\]/(u^2 + u + 1) over the field that [`new`](Self::new) makes.
    ///
    /// # Panics
    /// If f is not irreducible or its degree is even: then u^2 + u + 1 has a root in GF(2^m).
    ///
    /// ```
    /// use carryless_reference::curve::Field;
    /// let field = Field::extended(&[3, 1, 0]);
    /// let u = vec![0, 1];
    /// assert_eq!(field.square(&u), field.add(&u, &field.one()));
    /// ```
    #[must_use]
    pub fn extended(f: &[usize]) -> Self {
        assert!(f[0] % 2 == 1, "the degree of f is odd");
        Field { extended: true, ..Field::new(f) }
    }

    /// Returns log2 of the number of elements: m, or 2 m for an extension.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.f[0] * self.coefficients()
    }

    /// Returns the number of bytes of an element: ceil(m / 8), twice as many for an extension.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.f[0].div_ceil(8) * self.coefficients()
    }

    /// Returns the number of elements of GF(2^m) that form one of this field: 1 or 2.
    fn coefficients(&self) -> usize {
        1 + usize::from(self.extended)
    }

    /// Returns the number of words of an element of GF(2^m).
    fn base_words(&self) -> usize {
        self.f[0].div_ceil(64)
    }

    /// Returns 0, the neutral element of addition.
    #[must_use]
    pub fn zero(&self) -> Element {
        vec![0; self.base_words() * self.coefficients()]
    }

    /// Returns 1, the neutral element of multiplication.
    #[must_use]
    pub fn one(&self) -> Element {
        let mut one = self.zero();
        one[0] = 1;
        one
    }

    /// Returns whether `a` has the words of an element, and no coefficient from z^m on.
    #[must_use]
    pub fn contains(&self, a: &[u64]) -> bool {
        let is_reduced = |half| gf2::degree(half).is_none_or(|degree| degree < self.f[0]);
        a.len() == self.zero().len() && a.chunks(self.base_words()).all(is_reduced)
    }

    /// Returns all elements, for tiny fields.
    ///
    /// # Panics
    /// If the field is an extension, or m > 16.
    pub fn elements(&self) -> impl Iterator<Item = Element> {
        // A bound on the time of callers, which go through all elements or pairs of them.
        assert!(!self.extended && self.f[0] <= 16, "a tiny field");
        (0..1 << self.f[0]).map(|word| vec![word])
    }

    /// Reads an element from its bytes, least significant first. In an extension those of a0 come
    /// first, then those of a1.
    ///
    /// `None` if the number of bytes is wrong, or there is a coefficient from z^m on.
    #[must_use]
    pub fn from_bytes(&self, bytes: &[u8]) -> Option<Element> {
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        // In an extension each half begins a word of its own, whatever its number of bytes.
        let halves = bytes.chunks(self.f[0].div_ceil(8));
        let words: Element = halves.flat_map(|half| half.chunks(8).map(word)).collect();
        (bytes.len() == self.bytes() && self.contains(&words)).then_some(words)
    }

    /// Returns the bytes of an element, in the order that [`from_bytes`](Self::from_bytes) reads.
    #[must_use]
    pub fn to_bytes(&self, a: &Element) -> Vec<u8> {
        let halves = a.chunks(self.base_words());
        let bytes = |half: &[u64]| -> Vec<u8> { half.iter().flat_map(|word| word.to_le_bytes()).collect() };
        halves.flat_map(|half| bytes(half).into_iter().take(self.f[0].div_ceil(8))).collect()
    }

    /// Returns the sum a + b, which is also the difference.
    #[must_use]
    pub fn add(&self, a: &Element, b: &Element) -> Element {
        sum(a, b)
    }

    /// Returns the product of a and b.
    #[must_use]
    pub fn mul(&self, a: &Element, b: &Element) -> Element {
        let product = |a: &[u64], b: &[u64]| gf2::rem(&gf2::mul(a, b), &self.f);
        if !self.extended {
            return product(a, b);
        }
        let ((a0, a1), (b0, b1)) = (self.halves(a), self.halves(b));
        // u^2 = u + 1
        let high = product(a1, b1);
        let low = sum(&product(a0, b0), &high);
        [low, sum(&sum(&product(a0, b1), &product(a1, b0)), &high)].concat()
    }

    /// Returns a^2, the square of a.
    #[must_use]
    pub fn square(&self, a: &Element) -> Element {
        let square = |a: &[u64]| gf2::rem(&gf2::square(a), &self.f);
        if !self.extended {
            return square(a);
        }
        // (a0 + a1 u)^2 = a0^2 + a1^2 (u + 1)
        let (a0, a1) = self.halves(a);
        [sum(&square(a0), &square(a1)), square(a1)].concat()
    }

    /// Returns 1 / a, or `None` for 0.
    #[must_use]
    pub fn invert(&self, a: &Element) -> Option<Element> {
        if !self.extended {
            return self.invert_by_euclid(a);
        }
        // The conjugate is a0 + a1 (u + 1), its product with a the norm, an element of GF(2^m).
        let (a0, a1) = self.halves(a);
        let conjugate = [sum(a0, a1), a1.to_vec()].concat();
        let norm = self.mul(a, &conjugate);
        let inverse = self.invert_by_euclid(self.halves(&norm).0)?;
        Some(self.mul(&conjugate, &[inverse, vec![0; self.base_words()]].concat()))
    }

    /// Inverts by Euclid's algorithm, one bit at a time. With u = s a and v = t a modulo f as invariant, it
    /// ends when u is 1.
    fn invert_by_euclid(&self, a: &[u64]) -> Option<Element> {
        // f itself has degree m, so it may need a word more than an element.
        let words = self.f[0] / 64 + 1;
        let resized = |a: &[u64]| [a, &vec![0; words - a.len()]].concat();
        let (mut u, mut v) = (resized(a), vec![0; words]);
        self.f.iter().for_each(|e| v[e / 64] |= 1 << (e % 64));
        let (mut s, mut t) = (resized(&[1]), resized(&[]));
        // 0 has no inverse.
        gf2::degree(&u)?;
        while gf2::degree(&u) != Some(0) {
            if gf2::degree(&u) < gf2::degree(&v) {
                std::mem::swap(&mut u, &mut v);
                std::mem::swap(&mut s, &mut t);
            }
            // v would become 0 only if u were a common factor of a and f, but f is irreducible.
            let shift = gf2::degree(&u)? - gf2::degree(&v)?;
            add_shifted(&mut u, &v, shift);
            add_shifted(&mut s, &t, shift);
        }
        Some(gf2::rem(&s, &self.f))
    }

    /// Returns a^(2^k), computed by k squarings.
    #[must_use]
    pub fn frobenius(&self, a: &Element, k: usize) -> Element {
        (0..k).fold(a.clone(), |power, _| self.square(&power))
    }

    /// Returns the element whose square is a, as a^(2^(degree - 1)).
    #[must_use]
    pub fn sqrt(&self, a: &Element) -> Element {
        // Squaring `degree` times is the identity, so one time less inverts it.
        self.frobenius(a, self.degree() - 1)
    }

    /// Returns the trace, the sum of all conjugates a^(2^i): false for 0, true for 1.
    #[must_use]
    pub fn trace(&self, a: &Element) -> bool {
        let (mut power, mut trace) = (a.clone(), self.zero());
        for _ in 0..self.degree() {
            trace = self.add(&trace, &power);
            power = self.square(&power);
        }
        trace == self.one()
    }

    /// Returns the half-trace, the sum of c^(4^i) for i up to (degree - 1) / 2.
    ///
    /// # Panics
    /// If the degree is even.
    #[must_use]
    pub fn half_trace(&self, c: &Element) -> Element {
        assert!(self.degree() % 2 == 1, "an odd degree");
        let (mut power, mut half_trace) = (c.clone(), self.zero());
        // The degree is odd, so its half is rounded down to (degree - 1) / 2.
        for _ in 0..=self.degree() / 2 {
            half_trace = self.add(&half_trace, &power);
            power = self.frobenius(&power, 2);
        }
        half_trace
    }

    /// Returns one of the two solutions x and x + 1 of x^2 + x = c. `None` if the trace of c is 1.
    ///
    /// For odd m it is the half-trace of c. In an extension, x1 solves x1^2 + x1 = c1, and x0 solves x0^2 + x0 = c0 +
    /// x1^2. One of the two possible x1 gives an equation that has a solution. Tiny fields of even degree are searched.
    #[must_use]
    pub fn solve_quadratic(&self, c: &Element) -> Option<Element> {
        let is_solution = |x: &Element| self.add(&self.square(x), x) == *c;
        if self.extended {
            let base = Field { f: self.f.clone(), extended: false };
            let (c0, c1) = self.halves(c);
            let x1 = base.solve_quadratic(&c1.to_vec())?;
            let solve = |x1: &Element| Some((base.solve_quadratic(&sum(c0, &base.square(x1)))?, x1.clone()));
            // x1 + 1 adds 1 to the right side. For odd m the trace of 1 is 1, so exactly one of the two has a
            // solution.
            let (x0, x1) = solve(&x1).or_else(|| solve(&base.add(&x1, &base.one())))?;
            return Some([x0, x1].concat()).filter(is_solution);
        }
        if self.degree() % 2 == 1 {
            // If the trace of c is 1, the half-trace solves the equation for c + 1.
            return Some(self.half_trace(c)).filter(is_solution);
        }
        // There is no half-trace for even degrees.
        self.elements().find(is_solution)
    }

    /// Returns the coefficients a0 and a1 of an element of an extension.
    fn halves<'a>(&self, a: &'a [u64]) -> (&'a [u64], &'a [u64]) {
        a.split_at(self.base_words())
    }
}

fn sum(a: &[u64], b: &[u64]) -> Element {
    assert_eq!(a.len(), b.len(), "elements of one field");
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// Adds b z^shift to a. The caller ensures that no coefficient lies above the words of a.
fn add_shifted(a: &mut [u64], b: &[u64], shift: usize) {
    for (i, word) in b.iter().enumerate().filter(|(_, word)| **word != 0) {
        let shifted = u128::from(*word) << (shift % 64);
        for (j, half) in [shifted as u64, (shifted >> 64) as u64].into_iter().enumerate() {
            if half != 0 {
                a[i + shift / 64 + j] ^= half;
            }
        }
    }
}
