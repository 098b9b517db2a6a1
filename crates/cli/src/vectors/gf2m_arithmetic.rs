//! The arithmetic of binary fields, by `DynField` and by the definitions.
use carryless_gf2::field::DynField;
use carryless_reference::gf2;

/// An element, least significant word first.
pub(super) type Words = Vec<u64>;

/// A field. Elements have as many words as its polynomial needs.
pub(super) trait Arithmetic {
    fn mul(&self, a: &[u64], b: &[u64]) -> Words;
    fn square(&self, a: &[u64]) -> Words;
    fn sqrt(&self, a: &[u64]) -> Words;
    fn trace(&self, a: &[u64]) -> bool;
    /// The sum of a^(4^i) for i up to (m - 1) / 2, m being odd.
    fn half_trace(&self, a: &[u64]) -> Words;
    /// None if there is none.
    fn inverse(&self, a: &[u64]) -> Option<Words>;
}

/// None for 0, which `invert_or_zero` gives for 0.
pub(super) fn unless_zero(a: Words) -> Option<Words> {
    a.iter().any(|word| *word != 0).then_some(a)
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

    fn trace(&self, a: &[u64]) -> bool {
        self.trace(a).to_bool()
    }

    fn half_trace(&self, a: &[u64]) -> Words {
        written(self, |out| self.solve_unchecked(a, out))
    }

    fn inverse(&self, a: &[u64]) -> Option<Words> {
        unless_zero(written(self, |out| self.invert_or_zero(a, out)))
    }
}

fn written(field: &DynField, operation: impl FnOnce(&mut [u64])) -> Words {
    let mut out = vec![!0; field.words()];
    operation(&mut out);
    out
}

/// The definitions, bit by bit, modulo the polynomial with these exponents.
pub(super) struct Definitions<'a>(pub(super) &'a [usize]);

impl Definitions<'_> {
    fn degree(&self) -> usize {
        self.0[0]
    }

    /// a, a^2, a^4 and so on.
    fn conjugates<'a>(&'a self, a: &[u64]) -> impl Iterator<Item = Words> + 'a {
        std::iter::successors(Some(gf2::rem(a, self.0)), |power| Some(self.square(power)))
    }
}

fn sum(terms: impl Iterator<Item = Words>, words: usize) -> Words {
    terms.fold(vec![0; words], |sum, term| sum.iter().zip(term).map(|(sum, term)| sum ^ term).collect())
}

impl Arithmetic for Definitions<'_> {
    fn mul(&self, a: &[u64], b: &[u64]) -> Words {
        gf2::rem(&gf2::mul(a, b), self.0)
    }

    fn square(&self, a: &[u64]) -> Words {
        gf2::rem(&gf2::square(a), self.0)
    }

    /// a^(2^(m - 1)).
    fn sqrt(&self, a: &[u64]) -> Words {
        self.conjugates(a).nth(self.degree() - 1).expect("without end")
    }

    /// The sum of all conjugates.
    fn trace(&self, a: &[u64]) -> bool {
        sum(self.conjugates(a).take(self.degree()), a.len())[0] == 1
    }

    fn half_trace(&self, a: &[u64]) -> Words {
        sum(self.conjugates(a).take(self.degree()).step_by(2), a.len())
    }

    /// a^(2^m - 2), the product of all conjugates but a.
    fn inverse(&self, a: &[u64]) -> Option<Words> {
        let product = self.conjugates(a).take(self.degree()).skip(1).reduce(|a, b| self.mul(&a, &b));
        unless_zero(product.expect("two conjugates at least"))
    }
}
