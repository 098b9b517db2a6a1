//! Properties that hold for every name of a field, every polynomial and every operand.
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;

use super::{element, names};
use crate::poly::operand::Operand;

/// Largest exponent of sums and lists that is tried: larger ones only take memory.
const MAX_EXPONENT: usize = 1 << 12;

pub(crate) fn check(text: &str) {
    let cpu = ClmulCpu::detect();
    let named = names::field(cpu, Some(text), None).is_ok();
    assert_eq!(named, names::known().iter().any(|(name, _)| name == text), "the field {text:?}");
    let Ok(poly) = Poly::from_str_bounded(text, MAX_EXPONENT) else { return };
    operand(&poly);
    let degree = poly.degree().unwrap_or(0);
    let irreducible = DynField::DEGREES.contains(&degree) && poly.is_irreducible_vartime();
    for name in [None, Some(degree.to_string()), Some(format!("{degree}-{text}"))] {
        match names::field(cpu, name.as_deref(), Some(&poly)) {
            Ok(field) => {
                assert!(irreducible && poly.exponents().eq(field.exponents().iter().copied()), "{text:?}")
            }
            Err(error) => assert!(!irreducible, "{text:?}: {error:#}"),
        }
    }
    let other = (degree + 1).to_string();
    assert!(names::field(cpu, Some(&other), Some(&poly)).is_err(), "{text:?} has not degree {other}");
}

/// Checks that a polynomial is an element of GF(2^233) exactly if its degree is below 233.
fn operand(poly: &Poly) {
    let field = DynField::from_exponents(&[233, 74, 0]).expect("irreducible");
    match element(&field, &Operand::Here(poly.clone())) {
        Ok(words) => assert!(words.len() == field.words() && Poly::from(words) == *poly),
        Err(_) => assert!(poly.degree().is_some_and(|degree| degree >= field.degree())),
    }
}
