//! Polynomials over F2 for JavaScript: immutable values of degrees below 2^29, for gf2x.js, which has checked the arguments.
//! Fields GF(2^m), whose elements are bytes.
#![forbid(unsafe_code)]

mod field;

use carryless_gf2::algebra::Poly;
use js_sys::RangeError;
use wasm_bindgen::prelude::*;

/// The most bytes of a polynomial, 2^26: its degree is below 2^29. The memory of an operation is then a part of the 4 GiB that a module
/// can have, and hexadecimal digits fit into a string of every engine.
const MAX_BYTES: usize = 1 << 26;

/// Memory of an operation as a multiple of its longest operand. A gcd needs 15 times as much (measured at 4
/// MiB), others less.
const OPERATION: usize = 16;

/// Bytes that are added for the objects themselves.
const SMALL: usize = 1 << 12;

/// The most characters of a polynomial as a sum: the strings of some engines end at 2^29.
const MAX_CHARACTERS: usize = 1 << 28;

/// The characters of ` + X^536870911`, the longest term.
const TERM: usize = 14;

/// A result whose error is thrown as a JavaScript exception.
type Thrown<T> = Result<T, JsValue>;

fn zero_divisor() -> JsValue {
    JsError::new("division by the zero polynomial").into()
}

fn out_of_range(reason: &str) -> JsValue {
    RangeError::new(reason).into()
}

/// Throws a RangeError if the module cannot allocate this many bytes. Without this check, running out of
/// memory in an operation would end the module by a trap.
fn room(bytes: usize) -> Thrown<()> {
    let mut probe = Vec::<u8>::new();
    probe
        .try_reserve_exact(bytes + SMALL)
        .map_err(|_| out_of_range("not enough memory in the module of carryless/gf2x"))?;
    // The optimiser might remove an allocation that is not used.
    std::hint::black_box(&probe);
    Ok(())
}

/// The most bytes of a polynomial.
#[wasm_bindgen(js_name = mostBytes)]
pub fn most_bytes() -> usize {
    MAX_BYTES
}

/// Throws a RangeError if there is no room for a polynomial from an argument of `bytes` bytes.
#[wasm_bindgen]
pub fn reserve(bytes: usize) -> Thrown<()> {
    room(OPERATION * bytes)
}

/// A polynomial over F2: `GF2X` of gf2x.js, which checks arguments before it calls, and whose types describe the methods.
#[wasm_bindgen(js_name = GF2X)]
#[derive(Clone)]
pub struct Gf2x(Poly);

impl Gf2x {
    fn bytes(&self) -> usize {
        size_of_val(self.0.words())
    }

    /// Room for an operation on `self` and the others.
    fn room_with<const N: usize>(&self, others: [&Gf2x; N]) -> Thrown<()> {
        let longest = others.iter().fold(self.bytes(), |most, other| most.max(other.bytes()));
        room(OPERATION * longest)
    }

    /// Room for a product of `degree`, or a RangeError if that is more than a polynomial may have.
    fn room_for_product(&self, other: &Gf2x) -> Thrown<()> {
        // No overflow: both are below 2^29.
        let degree = self.0.degree().unwrap_or(0) + other.0.degree().unwrap_or(0);
        if degree >= 8 * MAX_BYTES {
            return Err(out_of_range("the degree of the product would be 2^29 or more"));
        }
        self.room_with([other])
    }
}

#[wasm_bindgen(js_class = GF2X)]
impl Gf2x {
    /// From text in one of the forms of `Poly::from_str`.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Gf2x, JsError> {
        Ok(Gf2x(text.parse()?))
    }

    /// From bytes, little-endian: bit i of byte j is the coefficient of X^(8 j + i).
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Gf2x {
        let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        Gf2x(Poly::from(bytes.chunks(8).map(word).collect::<Vec<u64>>()))
    }

    /// The bytes, little-endian, without zeros at the end.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Thrown<Vec<u8>> {
        self.room_with([])?;
        let mut bytes: Vec<u8> = self.0.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.0.degree().map_or(0, |degree| degree / 8 + 1));
        Ok(bytes)
    }

    /// The polynomial as a sum, such as `X^8 + X^4 + X^3 + X + 1`. Throws a RangeError if that could have
    /// more than 2^28 characters.
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> Thrown<String> {
        let characters = self.0.weight().saturating_mul(TERM);
        if characters > MAX_CHARACTERS {
            return Err(out_of_range("too many terms for a string; toHex() is shorter"));
        }
        // A string that grows exists twice for a moment.
        room(4 * characters)?;
        Ok(self.0.to_string())
    }

    /// The polynomial in hexadecimal, such as `0x11b`: bit i is the coefficient of X^i.
    #[wasm_bindgen(js_name = toHex)]
    pub fn hex(&self) -> Thrown<String> {
        self.room_with([])?;
        Ok(format!("{:#x}", self.0))
    }

    /// The exponents of all terms, greatest first; empty for the zero polynomial.
    pub fn exponents(&self) -> Thrown<Vec<u32>> {
        let weight = self.0.weight();
        room(weight.saturating_mul(size_of::<u32>()))?;
        let mut all = Vec::with_capacity(weight);
        all.extend(self.0.exponents().map(|exponent| exponent as u32));
        Ok(all)
    }

    /// The degree; -1 for the zero polynomial.
    #[wasm_bindgen(getter)]
    pub fn degree(&self) -> f64 {
        // f64 is JavaScript's number, and holds every degree exactly.
        self.0.degree().map_or(-1.0, |degree| degree as f64)
    }

    /// Whether both are the same.
    pub fn equals(&self, other: &Gf2x) -> bool {
        self.0 == other.0
    }

    /// The sum, which is also the difference.
    pub fn add(&self, other: &Gf2x) -> Thrown<Gf2x> {
        self.room_with([other])?;
        Ok(Gf2x(&self.0 + &other.0))
    }

    /// The product. Throws a RangeError if its degree would be 2^29 or more.
    pub fn mul(&self, other: &Gf2x) -> Thrown<Gf2x> {
        self.room_for_product(other)?;
        Ok(Gf2x(&self.0 * &other.0))
    }

    /// The square. Throws a RangeError if its degree would be 2^29 or more.
    pub fn square(&self) -> Thrown<Gf2x> {
        self.room_for_product(self)?;
        Ok(Gf2x(self.0.square()))
    }

    /// The quotient of the division by `divisor`. Throws an Error if that is zero.
    pub fn div(&self, divisor: &Gf2x) -> Thrown<Gf2x> {
        self.room_with([divisor])?;
        self.0.div_rem(&divisor.0).map(|(quotient, _)| Gf2x(quotient)).ok_or_else(zero_divisor)
    }

    /// The remainder of the division by `divisor`. Throws an Error if that is zero.
    pub fn rem(&self, divisor: &Gf2x) -> Thrown<Gf2x> {
        self.room_with([divisor])?;
        self.0.rem(&divisor.0).map(Gf2x).ok_or_else(zero_divisor)
    }

    /// The greatest common divisor; zero if both are zero.
    pub fn gcd(&self, other: &Gf2x) -> Thrown<Gf2x> {
        self.room_with([other])?;
        Ok(Gf2x(self.0.gcd_vartime(&other.0)))
    }

    /// The inverse modulo `f`. Throws an Error if there is none: a common factor, or `f` is zero.
    #[wasm_bindgen(js_name = inverseMod)]
    pub fn inverse_mod(&self, f: &Gf2x) -> Thrown<Gf2x> {
        self.room_with([f])?;
        let inverse = self.0.inverse_mod_vartime(&f.0).map(Gf2x);
        inverse.ok_or_else(|| JsError::new("no inverse: a common factor with the modulus").into())
    }

    /// The product modulo `f`. Throws an Error if `f` is zero.
    #[wasm_bindgen(js_name = mulMod)]
    pub fn mul_mod(&self, other: &Gf2x, f: &Gf2x) -> Thrown<Gf2x> {
        // The product, as long as both, is divided.
        room(OPERATION * (self.bytes() + other.bytes()).max(f.bytes()))?;
        self.0.mul_mod(&other.0, &f.0).map(Gf2x).ok_or_else(zero_divisor)
    }

    /// The power modulo `f`, by an exponent below 2^64. Throws an Error if `f` is zero.
    #[wasm_bindgen(js_name = powMod)]
    pub fn pow_mod(&self, exponent: u64, f: &Gf2x) -> Thrown<Gf2x> {
        self.room_with([f])?;
        self.0.pow_mod_vartime(&[exponent], &f.0).map(Gf2x).ok_or_else(zero_divisor)
    }

    /// Whether the polynomial is irreducible, by Rabin's test.
    #[wasm_bindgen(js_name = isIrreducible)]
    pub fn is_irreducible(&self) -> Thrown<bool> {
        self.room_with([])?;
        Ok(self.0.is_irreducible_vartime())
    }
}
