//! The moduli, the operations that are measured with each, their operands, and their results by the definition.
use crate::algebra::{self, Structure};
use crate::f2x::{self, Operands, digest};
use crate::input::{Fill, Input, Tag};
use carryless_gf2::algebra::Poly;
use carryless_reference::gf2;
use std::cell::OnceCell;
use std::rc::Rc;

/// An operation on polynomials, as users call it in `carryless_gf2::algebra`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The product a b of two polynomials.
    Product,
    /// The product a b for a b of a quarter of the size.
    Unequal,
    /// The square a^2 of a polynomial.
    Square,
    /// The product a b, reduced modulo f.
    MulMod,
    /// The square a^2, reduced modulo f.
    SquareMod,
    /// a^e modulo f, for an e of 64 bits.
    PowMod,
    /// 1 / a modulo f.
    Invert,
    /// The test whether f is irreducible.
    Irreducible,
    /// The irreducible factors of f.
    Factor,
}

use Operation::{Factor, Invert, Irreducible, MulMod, PowMod, Product, Square, SquareMod, Unequal};

impl algebra::Operation for Operation {
    const NAMES: &'static [(Operation, &'static str)] = &[
        (Product, "product"),
        (Unequal, "product-4:1"),
        (Square, "square"),
        (MulMod, "mul-mod"),
        (SquareMod, "square-mod"),
        (PowMod, "pow-mod"),
        (Invert, "invert"),
        (Irreducible, "irreducible"),
        (Factor, "factor"),
    ];
    const PAIRS: &'static [(Operation, Operation)] = &[
        (Product, Product),
        (Unequal, Unequal),
        (Square, Square),
        (MulMod, MulMod),
        (SquareMod, SquareMod),
        (PowMod, PowMod),
        (Invert, Invert),
        (Irreducible, Irreducible),
        (Factor, Factor),
    ];

    fn count(self) -> usize {
        1
    }
}

/// The largest degree for which irreducibility is tested. NTL takes seconds beyond it.
const TESTED: usize = 5000;

/// Operations modulo an irreducible f, the test for irreducibility last.
const MODULAR: &[Operation] = &[Product, Unequal, Square, MulMod, SquareMod, PowMod, Invert, Irreducible];

/// A polynomial f, with the operations that are measured.
pub struct Modulus {
    name: String,
    /// The polynomial f itself, irreducible or to be factored.
    pub(crate) f: Poly,
    /// The operations that are measured with f.
    pub(crate) operations: &'static [Operation],
    /// The number of irreducible factors, which takes the reference long.
    factors: OnceCell<usize>,
}

impl Modulus {
    /// An irreducible f of this name.
    fn irreducible(name: String, f: Poly) -> Rc<Modulus> {
        let without_test = &MODULAR[..MODULAR.len() - 1];
        let operations = if f.degree() <= Some(TESTED) { MODULAR } else { without_test };
        Rc::new(Modulus { name, f, operations, factors: OnceCell::new() })
    }

    /// An irreducible f of few terms with these exponents.
    pub(crate) fn sparse(exponents: &[usize]) -> Rc<Modulus> {
        Modulus::irreducible(
            format!("sparse-{}", exponents[0]),
            Poly::from_exponents(exponents.iter().copied()),
        )
    }

    /// An irreducible f of many terms: (X + 1)^n g(X / (X + 1)) for an irreducible g with these exponents. n is
    /// a power of two and g has an odd number of terms, so its degree is that of g.
    pub(super) fn dense(exponents: &[usize]) -> Rc<Modulus> {
        let n = exponents[0];
        let term = |&e: &usize| &Poly::monomial(e) * &power(&Poly::from_exponents([1, 0]), n - e);
        let f = exponents.iter().map(term).fold(Poly::zero(), |sum, term| &sum + &term);
        Modulus::irreducible(format!("dense-{n}"), f)
    }

    /// An f to be factored, which no square of a polynomial divides.
    pub(super) fn factored(name: &str, f: Poly) -> Rc<Modulus> {
        Rc::new(Modulus { name: name.into(), f, operations: &[Factor], factors: OnceCell::new() })
    }

    /// The degree n of f.
    pub(crate) fn n(&self) -> usize {
        self.f.degree().expect("f is not 0")
    }

    /// Words of f, and of its product by X + 1.
    pub(crate) fn words(&self) -> usize {
        (self.n() + 1) / 64 + 1
    }

    /// Words that a result fills at most, each as shims write it.
    pub(crate) fn result_words(&self, operation: Operation) -> usize {
        match operation {
            Product | Unequal | Square => 2 * self.words(),
            Factor => 4 * self.n(),
            _ => self.words(),
        }
    }

    /// Whether no factor is missing: the product of the factors is f, and their number is that of the irreducible
    /// factors. f has each of them once.
    fn are_factors(&self, list: &[u64]) -> bool {
        let (mut rest, mut product, mut count) = (list, vec![1], 0);
        // Each factor is its multiplicity, 1, then its number of words, then these. Zeros may follow the last.
        while let [1, length, after @ ..] = rest {
            let (factor, after) = after.split_at(*length as usize);
            // A factor 1 would leave the product as it is and make up for a missing factor in the count.
            if gf2::degree(factor) == Some(0) {
                return false;
            }
            product = gf2::mul(&product, factor);
            (rest, count) = (after, count + 1);
        }
        let is_over = rest.iter().all(|word| *word == 0);
        let irreducible = self.factors.get_or_init(|| gf2::factors(self.f.words()));
        is_over && trimmed(product) == self.f.words() && count == *irreducible
    }
}

/// a^e by squares and products.
fn power(a: &Poly, e: usize) -> Poly {
    let bits = (0..usize::BITS - e.leading_zeros()).rev();
    bits.fold(Poly::one(), |power, bit| {
        let square = power.square();
        if e >> bit & 1 == 1 { &square * a } else { square }
    })
}

/// The operands of a call.
pub(crate) struct Case {
    /// The first operand; of operations on f alone the polynomial that is tested or factored.
    pub(crate) a: Poly,
    pub(crate) b: Poly,
    pub(crate) exponent: u64,
}

impl Case {
    /// Operands below the degree of f. An all-ones input is the case of a polynomial that is not irreducible.
    pub(crate) fn new(operation: Operation, modulus: &Modulus, input: &Input) -> Case {
        let key = &input.keys()[0];
        let Operands { a, b } = Operands::new(8 * input.length(), key, input.message(0));
        let below = |words: &[u64]| Poly::from_words(words).truncate(modulus.n());
        let f = &modulus.f;
        let a = match operation {
            Irreducible if input.fill() == Fill::Ones => f * &Poly::from_exponents([1, 0]),
            Irreducible | Factor => f.clone(),
            _ => below(&a),
        };
        let b = if operation == Unequal { below(&b).truncate(modulus.n() / 4) } else { below(&b) };
        Case { a, b, exponent: f2x::word(&key[..8]) }
    }

    /// A result in the form that is compared. Of inverses and factors it says whether they have the product that they
    /// must have: 1 if so.
    pub(crate) fn normal(&self, operation: Operation, modulus: &Modulus, result: Vec<u64>) -> Vec<u64> {
        match operation {
            Invert => rem(&gf2::mul(&result, self.a.words()), modulus),
            Factor => vec![modulus.are_factors(&result).into()],
            _ => trimmed(result),
        }
    }
}

/// Words without zeros on top.
fn trimmed(mut words: Vec<u64>) -> Vec<u64> {
    words.truncate(words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1));
    words
}

/// The remainder modulo f by the definition.
fn rem(a: &[u64], modulus: &Modulus) -> Vec<u64> {
    trimmed(gf2::div_rem(a, modulus.f.words()).1)
}

impl Structure for Rc<Modulus> {
    type Operation = Operation;
    const KIND: &'static str = "modulus";
    const RECORD: (&'static str, &'static str) = ("family", "polynomials");

    fn name(&self) -> &str {
        &self.name
    }

    fn degree(&self) -> usize {
        self.n()
    }

    fn message(&self) -> usize {
        8 * self.n().div_ceil(64)
    }

    fn expected(&self, operation: Operation, input: &Input) -> Tag {
        let Case { a, b, exponent } = Case::new(operation, self, input);
        let padded = |a: &Poly| {
            let mut words = a.words().to_vec();
            words.resize(self.words(), 0);
            words
        };
        let mul = |a: &[u64], b: &[u64]| f2x::product(a, b);
        let (a, b) = (padded(&a), padded(&b));
        let mul_mod = |x: &[u64], y: &[u64]| {
            let mut words = rem(&mul(x, y), self);
            words.resize(self.words(), 0);
            words
        };
        digest(&trimmed(match operation {
            Product | Unequal => mul(&a, &b),
            Square => gf2::square(&a),
            MulMod => mul_mod(&a, &b),
            SquareMod => rem(&gf2::square(&a), self),
            PowMod => (0..u64::BITS).rev().fold(padded(&Poly::one()), |power, bit| {
                let square = mul_mod(&power, &power);
                if exponent >> bit & 1 == 1 { mul_mod(&square, &a) } else { square }
            }),
            // f is irreducible, its product by X + 1 is not.
            Irreducible => vec![u64::from(input.fill() != Fill::Ones)],
            Invert | Factor => vec![1],
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moduli_are_irreducible_and_of_their_degrees() {
        for exponents in [&[127, 1, 0][..], &[233, 74, 0], &[128, 7, 2, 1, 0]] {
            assert!(gf2::is_irreducible(exponents));
            assert_eq!(Modulus::sparse(exponents).n(), exponents[0]);
        }
        let dense = Modulus::dense(&[128, 7, 2, 1, 0]);
        let exponents: Vec<usize> = (0..=128).rev().filter(|&i| dense.f.coefficient(i)).collect();
        assert!(gf2::is_irreducible(&exponents) && dense.n() == 128 && exponents.len() > 40);
    }

    #[test]
    fn all_factors_and_no_others_are_the_factors() {
        // X^3 + 1 = (X + 1) (X^2 + X + 1)
        let modulus = Modulus::factored("x3-1", Poly::from_exponents([3, 0]));
        assert!(modulus.are_factors(&[1, 1, 3, 1, 1, 7]) && modulus.are_factors(&[1, 1, 7, 1, 1, 3, 0, 0]));
        for wrong in
            [&[1, 1, 9][..], &[1, 1, 3], &[1, 1, 9, 1, 1, 1], &[2, 1, 3, 1, 1, 7], &[1, 1, 3, 1, 1, 5]]
        {
            assert!(!modulus.are_factors(wrong), "{wrong:?}");
        }
    }
}
