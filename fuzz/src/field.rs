//! Binary fields against the definitions.
use carryless_gf2::field::{BinaryField, DynField, Element, Field, FieldWords};
use carryless_reference::gf2;

/// The words of an element, or of any polynomial of as many words.
pub type Words = Vec<u64>;

/// A field by its operations on single elements.
pub trait Arithmetic {
    /// a b.
    fn mul(&self, a: &[u64], b: &[u64]) -> Words;
    /// a^2.
    fn square(&self, a: &[u64]) -> Words;
    /// The square root.
    fn sqrt(&self, a: &[u64]) -> Words;
    /// 1 / a, and 0 for 0.
    fn invert_or_zero(&self, a: &[u64]) -> Words;
    /// x with x^2 + x = a, if the trace of a is 0.
    fn solve_unchecked(&self, a: &[u64]) -> Words;
    /// The trace.
    fn trace(&self, a: &[u64]) -> bool;
}

fn written(field: &DynField, operation: impl FnOnce(&mut [u64])) -> Words {
    let mut out = vec![!0; field.words()];
    operation(&mut out);
    out
}

impl Arithmetic for DynField {
    fn mul(&self, a: &[u64], b: &[u64]) -> Words {
        written(self, |out| self.mul(a, b, out))
    }
    fn square(&self, a: &[u64]) -> Words {
        written(self, |out| self.square(a, out))
    }
    fn sqrt(&self, a: &[u64]) -> Words {
        written(self, |out| self.sqrt(a, out))
    }
    fn invert_or_zero(&self, a: &[u64]) -> Words {
        written(self, |out| self.invert_or_zero(a, out))
    }
    fn solve_unchecked(&self, a: &[u64]) -> Words {
        written(self, |out| self.solve_unchecked(a, out))
    }
    fn trace(&self, a: &[u64]) -> bool {
        self.trace(a).to_bool()
    }
}

/// The element with these words, which are below z^m.
///
/// # Panics
/// If they are not.
pub fn element<F: BinaryField>(words: &[u64]) -> Element<F> {
    let mut all = FieldWords::<F>::default();
    all.as_mut().copy_from_slice(words);
    Element::from_words(all).expect("below z^m")
}

fn words<F: BinaryField>(a: &Element<F>) -> Words {
    a.as_words().to_vec()
}

impl<F: BinaryField> Arithmetic for Field<F> {
    fn mul(&self, a: &[u64], b: &[u64]) -> Words {
        words(&self.mul(&element(a), &element(b)))
    }
    fn square(&self, a: &[u64]) -> Words {
        words(&self.square(&element(a)))
    }
    fn sqrt(&self, a: &[u64]) -> Words {
        words(&self.sqrt(&element(a)))
    }
    fn invert_or_zero(&self, a: &[u64]) -> Words {
        words(&self.invert_or_zero(&element(a)))
    }
    fn solve_unchecked(&self, a: &[u64]) -> Words {
        words(&self.solve_unchecked(&element(a)))
    }
    fn trace(&self, a: &[u64]) -> bool {
        element::<F>(a).trace().to_bool()
    }
}

/// A field by the definitions, bit by bit: the exponents of f, from m down to 0.
pub struct Definition(pub Vec<usize>);

impl Definition {
    /// a mod f.
    #[must_use]
    pub fn rem(&self, a: &[u64]) -> Words {
        gf2::rem(a, &self.0)
    }

    /// a b.
    #[must_use]
    pub fn mul(&self, a: &[u64], b: &[u64]) -> Words {
        self.rem(&gf2::mul(a, b))
    }

    /// a^2.
    #[must_use]
    pub fn square(&self, a: &[u64]) -> Words {
        self.rem(&gf2::square(a))
    }

    /// The sum of all conjugates of a.
    #[must_use]
    pub fn trace(&self, a: &[u64]) -> bool {
        let mut conjugate = self.rem(a);
        let mut sum = vec![0; conjugate.len()];
        for _ in 0..self.0[0] {
            sum.iter_mut().zip(&conjugate).for_each(|(sum, c)| *sum ^= c);
            conjugate = self.square(&conjugate);
        }
        assert!(sum[0] <= 1 && sum[1..].iter().all(|word| *word == 0), "a trace is 0 or 1");
        sum[0] == 1
    }

    /// `root` is the reduced square root of a.
    pub fn check_sqrt(&self, a: &[u64], root: &[u64], by: &str) {
        assert_eq!(self.rem(root), root, "a reduced root, {by}");
        assert_eq!(self.square(root), self.rem(a), "square of the root, {by}");
    }

    /// `inverse` is the reduced inverse of a, or 0.
    pub fn check_inverse(&self, a: &[u64], inverse: &[u64], by: &str) {
        assert_eq!(self.rem(inverse), inverse, "a reduced inverse, {by}");
        match gf2::degree(&self.rem(a)) {
            None => assert_eq!(gf2::degree(inverse), None, "inverse of 0, {by}"),
            Some(_) => assert_eq!(self.mul(a, inverse), self.rem(&[1]), "a / a, {by}"),
        }
    }

    /// `x` is reduced and x^2 + x = c.
    fn check_solution(&self, c: &[u64], x: &[u64], by: &str) {
        assert_eq!(self.rem(x), x, "a reduced solution, {by}");
        assert_eq!(sum(&self.square(x), x), self.rem(c), "x^2 + x, {by}");
    }

    /// The field computes by this definition, on these operands and on what is made of them. `trace` is [`Definition::trace`] of a, which
    /// takes long.
    pub fn check(&self, field: &impl Arithmetic, [a, b]: [&[u64]; 2], trace: bool, by: &str) {
        assert_eq!(field.mul(a, b), self.mul(a, b), "product, {by}");
        assert_eq!(field.square(a), self.square(a), "square, {by}");
        self.check_sqrt(a, &field.sqrt(a), by);
        self.check_inverse(a, &field.invert_or_zero(a), by);
        let solvable = sum(&self.square(b), &self.rem(b));
        self.check_solution(&solvable, &field.solve_unchecked(&solvable), by);
        assert_eq!(field.trace(a), trace, "trace, {by}");
        if !trace {
            self.check_solution(a, &field.solve_unchecked(a), by);
        }
    }
}

fn sum(a: &[u64], b: &[u64]) -> Words {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}
