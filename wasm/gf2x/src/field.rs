//! Fields GF(2^m) for JavaScript: elements are bytes, for gf2x.js, which has checked the types of the arguments.
use super::{Gf2x, Thrown, room};
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use wasm_bindgen::prelude::*;

/// Elements that an operation converts to words at a time.
const BLOCK: usize = 256;

fn error(reason: &str) -> JsValue {
    JsError::new(reason).into()
}

/// A field F2\[z\]/f: `GF` of gf2x.js, whose types describe the methods.
#[wasm_bindgen(js_name = GF)]
pub struct Gf {
    field: DynField,
    /// Bytes of an element, ceil(m / 8).
    bytes: usize,
}

impl Gf {
    /// The words of elements in bytes.
    fn load(&self, elements: &[u8]) -> Vec<u64> {
        let mut words = vec![0; elements.len() / self.bytes * self.field.words()];
        let each = elements.chunks_exact(self.bytes).zip(words.chunks_exact_mut(self.field.words()));
        for (bytes, words) in each {
            for (i, byte) in bytes.iter().enumerate() {
                words[i / 8] |= u64::from(*byte) << (8 * (i % 8));
            }
        }
        words
    }

    /// Appends the bytes of elements in words.
    fn store(&self, words: &[u64], elements: &mut Vec<u8>) {
        for element in words.chunks_exact(self.field.words()) {
            elements.extend(element.iter().flat_map(|word| word.to_le_bytes()).take(self.bytes));
        }
    }

    /// Throws if an argument is no sequence of elements, as the error says of `name`.
    fn check(&self, elements: &[u8], name: &str) -> Thrown<()> {
        let (bytes, m) = (self.bytes, self.field.degree());
        if !elements.len().is_multiple_of(bytes) {
            let found = elements.len();
            return Err(error(&format!(
                "{name} has {found} bytes, no multiple of the {bytes} of an element"
            )));
        }
        // The bits from z^m on are in the last byte of an element.
        let unused = !(0xff_u8 >> ((8 - m % 8) % 8));
        match elements.chunks_exact(bytes).position(|element| element[bytes - 1] & unused != 0) {
            Some(i) => Err(error(&format!("element {i} of {name} has bits from z^{m} on"))),
            None => Ok(()),
        }
    }

    /// Checks two arguments. Returns whether `b` is one element for all of `a`; throws if it has another number.
    fn is_one(&self, a: &[u8], b: &[u8]) -> Thrown<bool> {
        self.check(a, "a")?;
        self.check(b, "b")?;
        if b.len() != self.bytes && a.len() != b.len() {
            let [a, b] = [a, b].map(|elements| elements.len() / self.bytes);
            return Err(error(&format!("b has {b} elements, not 1 or the {a} of a")));
        }
        Ok(b.len() == self.bytes)
    }

    /// Runs an operation on blocks of elements that were checked: from words to words.
    fn map(&self, a: &[u8], mut operation: impl FnMut(&[u64], &mut [u64])) -> Thrown<Vec<u8>> {
        room(a.len())?;
        let mut out = Vec::with_capacity(a.len());
        for block in a.chunks(BLOCK * self.bytes) {
            let words = self.load(block);
            let mut results = vec![0; words.len()];
            operation(&words, &mut results);
            self.store(&results, &mut out);
        }
        Ok(out)
    }

    /// Runs an operation on each element of `a`, an argument.
    fn each(&self, a: &[u8], operation: impl Fn(&[u64], &mut [u64])) -> Thrown<Vec<u8>> {
        self.check(a, "a")?;
        let words = self.field.words();
        self.map(a, |a, out| {
            a.chunks_exact(words).zip(out.chunks_exact_mut(words)).for_each(|(a, out)| operation(a, out));
        })
    }
}

#[wasm_bindgen(js_class = GF)]
impl Gf {
    /// Throws if f is reducible, or its degree is out of range.
    #[wasm_bindgen(constructor)]
    pub fn new(f: &Gf2x) -> Result<Gf, JsError> {
        let field = DynField::new(&f.0)?;
        Ok(Gf { bytes: field.degree().div_ceil(8), field })
    }

    /// The degree m of f.
    #[wasm_bindgen(getter)]
    pub fn degree(&self) -> usize {
        self.field.degree()
    }

    /// Bytes of an element, ceil(m / 8).
    #[wasm_bindgen(getter, js_name = elementBytes)]
    pub fn element_bytes(&self) -> usize {
        self.bytes
    }

    /// The polynomial f.
    pub fn modulus(&self) -> Gf2x {
        Gf2x(Poly::from_exponents(self.field.exponents().iter().copied()))
    }

    /// The sums of the elements of `a` and `b`, or of `a` and the one element in `b`.
    pub fn add(&self, a: &[u8], b: &[u8]) -> Thrown<Vec<u8>> {
        self.is_one(a, b)?;
        room(a.len())?;
        Ok(a.iter().zip(b.iter().cycle()).map(|(a, b)| a ^ b).collect())
    }

    /// The products of the elements of `a` and `b`, or of `a` and the one element in `b`.
    pub fn mul(&self, a: &[u8], b: &[u8]) -> Thrown<Vec<u8>> {
        if self.is_one(a, b)? {
            let by = self.load(b);
            return self.map(a, |a, out| self.field.scale_slice(a, &by, out));
        }
        let mut blocks = b.chunks(BLOCK * self.bytes);
        self.map(a, |a, out| {
            // As many blocks as `a` has.
            let b = blocks.next().map(|block| self.load(block)).unwrap_or_default();
            self.field.mul_slices(a, &b, out);
        })
    }

    /// The squares.
    pub fn square(&self, a: &[u8]) -> Thrown<Vec<u8>> {
        self.each(a, |a, out| self.field.square(a, out))
    }

    /// The square roots.
    pub fn sqrt(&self, a: &[u8]) -> Thrown<Vec<u8>> {
        self.each(a, |a, out| self.field.sqrt(a, out))
    }

    /// The inverses. Throws if an element is zero.
    pub fn invert(&self, a: &[u8]) -> Thrown<Vec<u8>> {
        self.check(a, "a")?;
        match a.chunks_exact(self.bytes).position(|element| element.iter().all(|byte| *byte == 0)) {
            Some(i) => Err(error(&format!("element {i} of a is 0, which has no inverse"))),
            None => self.map(a, |a, out| self.field.batch_invert(a, out)),
        }
    }

    /// The powers by one exponent, whose words come least significant first.
    pub fn pow(&self, a: &[u8], exponent: &[u64]) -> Thrown<Vec<u8>> {
        self.each(a, |a, out| self.field.pow(a, exponent, out))
    }

    /// The traces, a byte of 0 or 1 for each element.
    pub fn trace(&self, a: &[u8]) -> Thrown<Vec<u8>> {
        self.check(a, "a")?;
        room(a.len() / self.bytes)?;
        let mut traces = Vec::with_capacity(a.len() / self.bytes);
        for block in a.chunks(BLOCK * self.bytes) {
            let words = self.load(block);
            let elements = words.chunks_exact(self.field.words());
            traces.extend(elements.map(|element| self.field.trace(element).to_u8()));
        }
        Ok(traces)
    }

    /// Solutions x of x^2 + x = a. Throws if there is none, because an element has trace 1.
    pub fn solve(&self, a: &[u8]) -> Thrown<Vec<u8>> {
        match self.trace(a)?.iter().position(|trace| *trace == 1) {
            Some(i) => {
                Err(error(&format!("element {i} of a has trace 1, so that x^2 + x = a has no solution")))
            }
            None => self.each(a, |a, out| self.field.solve_unchecked(a, out)),
        }
    }
}
