//! The fields that are types, by their polynomials. All of them take minutes to compile (feature `fields`); tests have two.
use carryless_cli::base::names::exponents;
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Field};

use super::gf2m_arithmetic::Arithmetic;

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
