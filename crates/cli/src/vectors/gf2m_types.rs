//! The arithmetic of the fields that are types. All of them take minutes to compile (feature `fields`); tests have two.
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords};

use super::gf2m_arithmetic::{Arithmetic, Words, unless_zero};
use crate::field::names::exponents;

/// `$visit!` of the fields that are compiled.
#[cfg(feature = "fields")]
macro_rules! for_each_field {
    ($visit:ident) => {
        carryless_gf2::for_each_field! { $visit }
    };
}
#[cfg(not(feature = "fields"))]
macro_rules! for_each_field {
    ($visit:ident) => {
        $visit! { Gf8, Gf13 }
    };
}

/// The field with this polynomial, and the name of its type.
pub(super) fn typed(cpu: ClmulCpu, f: &[usize]) -> Option<(&'static str, Box<dyn Arithmetic>)> {
    macro_rules! each {
        ($($field:ident),*) => { None$(.or_else(|| of::<carryless_gf2::field::$field>(cpu, f)))* };
    }
    for_each_field! { each }
}

fn of<F: BinaryField>(cpu: ClmulCpu, f: &[usize]) -> Option<(&'static str, Box<dyn Arithmetic>)> {
    (exponents::<F>() == f).then(|| (F::NAME, Box::new(Field::<F>::on(cpu)) as Box<dyn Arithmetic>))
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

    fn half_trace(&self, a: &[u64]) -> Words {
        words(&self.solve_unchecked(&element(a)))
    }

    fn inverse(&self, a: &[u64]) -> Option<Words> {
        unless_zero(words(&self.invert_or_zero(&element(a))))
    }
}

fn element<F: BinaryField>(a: &[u64]) -> Element<F> {
    let mut words = FieldWords::<F>::default();
    words.as_mut().copy_from_slice(a);
    Element::from_words(words).expect("checked when the file was read")
}

fn words<F: BinaryField>(a: &Element<F>) -> Words {
    a.as_words().to_vec()
}
