//! Properties that hold for every operand and every exponent.
use carryless_gf2::algebra::Poly;

use super::Form;
use super::operand::{Exponent, Operand, parse};

/// Largest exponent of sums and lists that is tried: larger ones only take memory.
const MAX_EXPONENT: usize = 1 << 12;

pub(crate) fn check(text: &str) {
    if let Ok(poly) = Poly::from_str_bounded(text, MAX_EXPONENT) {
        let words = poly.words().len();
        assert!(words <= (MAX_EXPONENT / 64 + 1).max(text.len() / 16 + 1), "{words} words of {text:?}");
        for form in [Form::Text, Form::Hex, Form::Exponents] {
            let mut printed = Vec::new();
            form.write(&mut printed, &poly).expect("memory");
            let printed = String::from_utf8(printed).expect("text");
            assert_eq!(parse(&printed).as_ref(), Ok(&poly), "{text:?} as {printed:?}");
        }
        match text.parse() {
            Ok(Operand::Here(operand)) => assert_eq!(operand, poly),
            other => panic!("{text:?} is the operand {other:?}"),
        }
    }
    if let Ok(exponent @ Exponent::Words(_)) = text.parse() {
        power(text, &exponent);
    }
}

/// Compares a power of X with one computed by single multiplications.
fn power(text: &str, exponent: &Exponent) {
    let Exponent::Words(words) = exponent else { return };
    let (x, f) = (Poly::x(), Poly::from(0b10_0101));
    // The order of X modulo X^5 + X^2 + 1 is 31, and 2^64 = 16 modulo 31.
    let order = 31;
    let residue = words.iter().rev().fold(0, |sum, word| (16 * sum + word % order) % order);
    let expected = (0..residue).fold(Poly::one(), |power, _| power.mul_mod(&x, &f).expect("f is not 0"));
    assert_eq!(exponent.power(&x, &f).expect("a short exponent"), expected, "X^{text}");
}
