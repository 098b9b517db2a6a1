//! Arithmetic of binary fields behind one trait: by their types, by `DynField` and by the reference.
use carryless_gf2::field::{BinaryField, DynField, Element, Field, FieldWords};
use carryless_reference::Gf2m;

/// An element as 64-bit words, least significant first.
pub(super) type Words = Vec<u64>;

/// A field, by its operations on single elements. They have as many words as its polynomial needs.
#[allow(unreachable_pub, reason = "the fuzz targets use it by the feature `fuzzing`")]
pub trait Arithmetic {
    /// Returns the product a b.
    fn mul(&self, a: &[u64], b: &[u64]) -> Words;
    /// Returns a^2, the square of a.
    fn square(&self, a: &[u64]) -> Words;
    /// Returns the square root of a.
    fn sqrt(&self, a: &[u64]) -> Words;
    /// Returns the trace of a: true for 1.
    fn trace(&self, a: &[u64]) -> bool;
    /// Returns the half-trace of a for odd m. For even m, returns x with x^2 + x = a, if the trace of a is 0.
    fn solve_unchecked(&self, a: &[u64]) -> Words;
    /// Returns 1 / a, and 0 for 0.
    fn invert_or_zero(&self, a: &[u64]) -> Words;
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

    fn solve_unchecked(&self, a: &[u64]) -> Words {
        written(self, |out| self.solve_unchecked(a, out))
    }

    fn invert_or_zero(&self, a: &[u64]) -> Words {
        written(self, |out| self.invert_or_zero(a, out))
    }
}

/// Returns what the operation writes to its output.
fn written(field: &DynField, operation: impl FnOnce(&mut [u64])) -> Words {
    // Ones, so that a word that the operation does not write is noticed.
    let mut out = vec![!0; field.words()];
    operation(&mut out);
    out
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

    fn trace(&self, a: &[u64]) -> bool {
        element::<F>(a).trace().to_bool()
    }

    fn solve_unchecked(&self, a: &[u64]) -> Words {
        words(&self.solve_unchecked(&element(a)))
    }

    fn invert_or_zero(&self, a: &[u64]) -> Words {
        words(&self.invert_or_zero(&element(a)))
    }
}

/// Returns the element with these words.
///
/// # Panics
/// If they are not below z^m, or their number is wrong.
#[allow(unreachable_pub, reason = "the fuzz targets use it by the feature `fuzzing`")]
pub fn element<F: BinaryField>(a: &[u64]) -> Element<F> {
    let mut words = FieldWords::<F>::default();
    words.as_mut().copy_from_slice(a);
    // Length and degree were checked when the file was read.
    Element::from_words(words).expect("below z^m")
}

fn words<F: BinaryField>(a: &Element<F>) -> Words {
    a.as_words().to_vec()
}

impl Arithmetic for Gf2m {
    fn mul(&self, a: &[u64], b: &[u64]) -> Words {
        self.mul(a, b)
    }

    fn square(&self, a: &[u64]) -> Words {
        self.square(a)
    }

    fn sqrt(&self, a: &[u64]) -> Words {
        self.sqrt(a)
    }

    fn trace(&self, a: &[u64]) -> bool {
        self.trace(a)
    }

    /// Returns the half-trace. For odd m only.
    fn solve_unchecked(&self, a: &[u64]) -> Words {
        // Files have half-traces for odd m alone, so even m do not come here.
        self.half_trace(a)
    }

    fn invert_or_zero(&self, a: &[u64]) -> Words {
        self.invert_or_zero(a)
    }
}
