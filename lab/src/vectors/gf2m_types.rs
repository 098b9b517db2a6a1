//! Fields with types of their own, found by their polynomials. Compiling all of them takes minutes (feature
//! `fields`); tests have two.
use carryless_cli::base::names::exponents;
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Field};

use super::gf2m_arithmetic::Arithmetic;

/// Calls `$visit!` with the fields that are compiled.
#[cfg(feature = "fields")]
macro_rules! for_each_field {
    ($visit:ident) => {
        carryless_gf2::for_each_field! { $visit }
    };
}
#[cfg(not(feature = "fields"))]
macro_rules! for_each_field {
    ($visit:ident) => {
        // One field of even degree and one of odd degree, whose half-trace exists.
        $visit! { Gf8, Gf13 }
    };
}

/// Returns the field with this polynomial, and the name of its type.
pub(super) fn typed(cpu: ClmulCpu, f: &[usize]) -> Option<(&'static str, Box<dyn Arithmetic>)> {
    macro_rules! each {
        ($($field:ident),*) => { None$(.or_else(|| of::<carryless_gf2::field::$field>(cpu, f)))* };
    }
    for_each_field! { each }
}

fn of<F: BinaryField>(cpu: ClmulCpu, f: &[usize]) -> Option<(&'static str, Box<dyn Arithmetic>)> {
    // A degree may have several polynomials, so all exponents must agree.
    (exponents::<F>() == f).then(|| (F::NAME, Box::new(Field::<F>::on(cpu)) as Box<dyn Arithmetic>))
}
