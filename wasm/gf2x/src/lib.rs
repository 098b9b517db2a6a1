//! Polynomials over F2 for JavaScript: immutable values, of any degree.
#![forbid(unsafe_code)]

use carryless_gf2::algebra::Poly;
use std::fmt::Write;
use wasm_bindgen::prelude::*;

/// A polynomial over F2. Operations return new ones; their times depend on the operands, so that secrets do not belong here.
#[wasm_bindgen(js_name = GF2X)]
#[derive(Clone)]
pub struct Gf2x(Poly);

fn zero_divisor() -> JsError {
    JsError::new("division by the zero polynomial")
}

#[wasm_bindgen(js_class = GF2X)]
impl Gf2x {
    /// From `X^8 + X^4 + X^3 + X + 1`, `0x11b`, or exponents `8,4,3,1,0`; exponents up to 65,535, hexadecimal numbers of any length.
    ///
    /// Throws if the text is none of these.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Gf2x, JsError> {
        Ok(Gf2x(text.parse()?))
    }

    /// From bytes, little-endian: bit i of byte j is the coefficient of X^(8 j + i).
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Gf2x {
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        Gf2x(Poly::from_words(&bytes.chunks(8).map(word).collect::<Vec<u64>>()))
    }

    /// The bytes, little-endian, without zeros at the end.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.0.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.0.degree().map_or(0, |degree| degree / 8 + 1));
        bytes
    }

    /// `X^8 + X^4 + X^3 + X + 1`.
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> String {
        self.0.to_string()
    }

    /// `0x11b`.
    #[wasm_bindgen(js_name = toHex)]
    pub fn hex(&self) -> String {
        let mut digits = String::new();
        self.to_bytes().iter().rev().for_each(|byte| write!(digits, "{byte:02x}").expect("to a string"));
        let digits = digits.trim_start_matches('0');
        format!("0x{}", if digits.is_empty() { "0" } else { digits })
    }

    /// The exponents, greatest first.
    pub fn exponents(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.0.exponents().map(|exponent| exponent as u32).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        all
    }

    /// The degree; -1 for the zero polynomial.
    #[wasm_bindgen(getter)]
    pub fn degree(&self) -> f64 {
        self.0.degree().map_or(-1.0, |degree| degree as f64)
    }

    /// Whether both are the same.
    pub fn equals(&self, other: &Gf2x) -> bool {
        self.0 == other.0
    }

    /// The sum, which is also the difference.
    pub fn add(&self, other: &Gf2x) -> Gf2x {
        Gf2x(&self.0 + &other.0)
    }

    /// The product.
    pub fn mul(&self, other: &Gf2x) -> Gf2x {
        Gf2x(&self.0 * &other.0)
    }

    /// The square.
    pub fn square(&self) -> Gf2x {
        Gf2x(self.0.square())
    }

    /// The quotient. Throws if the divisor is zero.
    pub fn div(&self, divisor: &Gf2x) -> Result<Gf2x, JsError> {
        self.0.div_rem(&divisor.0).map(|(quotient, _)| Gf2x(quotient)).ok_or_else(zero_divisor)
    }

    /// The remainder. Throws if the divisor is zero.
    pub fn rem(&self, divisor: &Gf2x) -> Result<Gf2x, JsError> {
        self.0.rem(&divisor.0).map(Gf2x).ok_or_else(zero_divisor)
    }

    /// The greatest common divisor.
    pub fn gcd(&self, other: &Gf2x) -> Gf2x {
        Gf2x(self.0.gcd_vartime(&other.0))
    }

    /// The inverse modulo `f`. Throws if there is none.
    #[wasm_bindgen(js_name = inverseMod)]
    pub fn inverse_mod(&self, f: &Gf2x) -> Result<Gf2x, JsError> {
        self.0
            .inverse_mod_vartime(&f.0)
            .map(Gf2x)
            .ok_or_else(|| JsError::new("no inverse: a common factor with the modulus"))
    }

    /// The product modulo `f`. Throws if `f` is zero.
    #[wasm_bindgen(js_name = mulMod)]
    pub fn mul_mod(&self, other: &Gf2x, f: &Gf2x) -> Result<Gf2x, JsError> {
        self.0.mul_mod(&other.0, &f.0).map(Gf2x).ok_or_else(zero_divisor)
    }

    /// The power by an exponent of less than 64 bits, modulo `f`. Throws if `f` is zero.
    #[wasm_bindgen(js_name = powMod)]
    pub fn pow_mod(&self, exponent: u64, f: &Gf2x) -> Result<Gf2x, JsError> {
        self.0.pow_mod_vartime(&[exponent], &f.0).map(Gf2x).ok_or_else(zero_divisor)
    }

    /// Whether it is irreducible (Rabin's test).
    #[wasm_bindgen(js_name = isIrreducible)]
    pub fn is_irreducible(&self) -> bool {
        self.0.is_irreducible_vartime()
    }
}
