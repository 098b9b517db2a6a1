//! The operations that are measured in every field, their operands, and their results by the definition.
use crate::algebra::{self, Operation as _, Structure};
use crate::f2x::{Operands, digest};
use crate::input::{Input, Key, Tag};
use carryless_reference::curve::Field;

/// Number of elements in a slice. Figures of slices are for one element.
pub const SLICE: usize = 64;

/// The exponent k in x^(2^k). The time of a map does not depend on it.
pub const POWER: usize = 5;

/// An operation of a field, by one algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// a b; each call multiplies the product of the call before.
    Product,
    /// Products of [`SLICE`] pairs of elements.
    ProductSlice,
    /// The product by the comb method of López and Dahab, without carry-less multiplication.
    ProductByComb,
    /// The product by byte shuffles, as on the slides.
    ProductByShuffles,
    /// a^2; each call squares the square of the call before.
    Square,
    /// The square by look-ups of four bits, as on the slides.
    SquareByShuffles,
    /// The square by 8 x 8 bit matrices, on backends with GFNI.
    SquareByAffine,
    /// Squares of [`SLICE`] independent elements.
    SquareSlice,
    /// The square root; each call takes the root of the root of the call before.
    Sqrt,
    /// Square roots of [`SLICE`] elements.
    SqrtSlice,
    /// The trace of an element, which is 0 or 1.
    Trace,
    /// A solution x of x^2 + x = c, by the library's own method.
    Solve,
    /// A solution of x^2 + x = c by a bit matrix.
    SolveByMap,
    /// A solution of x^2 + x = c by the slides' table of half-traces; addresses depend on the element.
    SolveByTable,
    /// Solutions for [`SLICE`] elements by a bit matrix.
    SolveSlice,
    /// x^(2^k) by a bit matrix; each call takes the power of the call before.
    Frobenius,
    /// x^(2^k) by the slides' table; addresses depend on the element.
    FrobeniusByTable,
    /// x^(2^k) of [`SLICE`] elements by a bit matrix.
    FrobeniusSlice,
    /// The inverse; each call inverts the inverse of the call before.
    Invert,
    /// The inverse, with bit matrices for its long runs of squarings.
    InvertByMaps,
    /// The inverse by Euclid's algorithm; its time depends on the element.
    InvertVartime,
    /// Inverses of [`SLICE`] elements, one by one.
    InvertSlice,
    /// Inverses of [`SLICE`] elements by Montgomery's trick.
    BatchInvert,
}

use Operation::{
    BatchInvert, Frobenius, FrobeniusByTable, FrobeniusSlice, Invert, InvertByMaps, InvertSlice,
    InvertVartime, Product, ProductByComb, ProductByShuffles, ProductSlice, Solve, SolveByMap, SolveByTable,
    SolveSlice, Sqrt, SqrtSlice, Square, SquareByAffine, SquareByShuffles, SquareSlice, Trace,
};

impl algebra::Operation for Operation {
    const NAMES: &'static [(Operation, &'static str)] = &[
        (Product, "product"),
        (ProductSlice, "product-slice"),
        (ProductByComb, "product-by-comb"),
        (ProductByShuffles, "product-by-shuffles"),
        (Square, "square"),
        (SquareByShuffles, "square-by-shuffles"),
        (SquareByAffine, "square-by-affine"),
        (SquareSlice, "square-slice"),
        (Sqrt, "sqrt"),
        (SqrtSlice, "sqrt-slice"),
        (Trace, "trace"),
        (Solve, "solve"),
        (SolveByMap, "solve-by-map"),
        (SolveByTable, "solve-by-table"),
        (SolveSlice, "solve-slice"),
        (Frobenius, "frobenius"),
        (FrobeniusByTable, "frobenius-by-table"),
        (FrobeniusSlice, "frobenius-slice"),
        (Invert, "invert"),
        (InvertByMaps, "invert-by-maps"),
        (InvertVartime, "invert-vartime"),
        (InvertSlice, "invert-slice"),
        (BatchInvert, "batch-invert"),
    ];
    /// An operation on slices is compared with a peer's single operation if the peer has no call for slices.
    const PAIRS: &'static [(Operation, Operation)] = &[
        (Product, Product),
        (ProductSlice, Product),
        (ProductByComb, Product),
        (ProductByShuffles, Product),
        (Square, Square),
        (SquareSlice, Square),
        (Sqrt, Sqrt),
        (SqrtSlice, Sqrt),
        (Trace, Trace),
        (Solve, Solve),
        (SolveByMap, Solve),
        (SolveByTable, Solve),
        (SolveSlice, Solve),
        (Invert, Invert),
        (InvertByMaps, Invert),
        (InvertSlice, Invert),
        (BatchInvert, Invert),
    ];

    fn count(self) -> usize {
        match self {
            ProductSlice | SquareSlice | SqrtSlice | SolveSlice | FrobeniusSlice | InvertSlice
            | BatchInvert => SLICE,
            _ => 1,
        }
    }
}

/// A field, for code that does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The name of the field's type, such as `Gf233Sqrt`.
    pub name: &'static str,
    /// m: the field has 2^m elements.
    pub degree: usize,
    /// The exponents of f below its degree.
    pub tail: &'static [usize],
    /// Whether elements are a0 + a1 u, for a0 and a1 of F2\[z\]/f and u^2 = u + 1.
    pub is_extension: bool,
}

impl Parameters {
    /// The degree of f, which is half of `degree` in an extension.
    fn base_degree(&self) -> usize {
        self.degree / self.coefficients()
    }

    /// Number of elements of F2\[z\]/f in an element of the field: 1, or 2 in an extension.
    fn coefficients(&self) -> usize {
        1 + usize::from(self.is_extension)
    }

    /// Words of 64 bits of an element.
    pub fn words(&self) -> usize {
        self.base_degree().div_ceil(64) * self.coefficients()
    }

    /// The exponents of f, from its degree down.
    pub fn exponents(&self) -> Vec<usize> {
        [&[self.base_degree()], self.tail].concat()
    }

    /// Whether f is the second polynomial of its degree, of odd exponents. Types of such fields end in `Sqrt`.
    pub(super) fn is_second(&self) -> bool {
        self.name.ends_with("Sqrt")
    }

    /// The field in the reference's slow arithmetic.
    fn reference(&self) -> Field {
        if self.is_extension { Field::extended(&self.exponents()) } else { Field::new(&self.exponents()) }
    }
}

/// The operands of a call, in words of 64 bits.
pub struct Case {
    /// First operands: one, or [`SLICE`] of them.
    pub a: Vec<Vec<u64>>,
    /// Second operands of products, as many as first ones.
    pub b: Vec<Vec<u64>>,
}

impl Case {
    /// The operands of an operation, made of an input. For roots and solutions they are chosen so
    /// that the result is known.
    pub fn new(operation: Operation, field: &Parameters, input: &Input) -> Case {
        let (key, message) = (&input.keys()[0], input.messages()[0]);
        let mut case = Case::elements(field, key, message);
        let count = operation.count();
        // Cut before the reference computes: it is slow, and single operations need one element.
        case.a.truncate(count);
        case.b.truncate(count);
        let reference = field.reference();
        match operation {
            // a + a^2 has a solution, which is a or a + 1. The root of a^2 is a.
            Solve | SolveByMap | SolveByTable | SolveSlice => {
                case.a.iter_mut().for_each(|a| *a = reference.add(a, &reference.square(a)));
            }
            Sqrt | SqrtSlice => case.a.iter_mut().for_each(|a| *a = reference.square(a)),
            _ => {}
        }
        case
    }

    fn elements(field: &Parameters, key: &Key, message: &[u8]) -> Case {
        let Operands { a, b } = Operands::new(8 * message.len(), key, message);
        let (m, words) = (field.base_degree(), field.words() / field.coefficients());
        let cut = |words: &[u64]| {
            let mut element = words.to_vec();
            // No degree is a multiple of 64, so only the last word is cut.
            element[m / 64..].iter_mut().for_each(|word| *word &= !(!0 << (m % 64)));
            element
        };
        // An element of an extension has two coefficients. Each is cut to the degree of f.
        let element = |all: &[u64]| all.chunks(words).flat_map(cut).collect();
        let elements = |all: &[u64]| all.chunks(field.words()).map(element).collect();
        Case { a: elements(&a), b: elements(&b) }
    }
}

impl Structure for Parameters {
    type Operation = Operation;
    const KIND: &'static str = "field";

    fn name(&self) -> &str {
        self.name
    }

    fn degree(&self) -> usize {
        self.degree
    }

    fn message(&self) -> usize {
        8 * SLICE * self.words()
    }

    /// The digest of all results. Solutions go in without their lowest bit, in which the two solutions differ.
    fn expected(&self, operation: Operation, input: &Input) -> Tag {
        // These are the elements before `Case::new` made squares or sums of them. So they are the known roots
        // and solutions.
        let Case { a, b } = Case::elements(self, &input.keys()[0], input.messages()[0]);
        let field = self.reference();
        let one = |(a, b): (&Vec<u64>, &Vec<u64>)| match operation {
            Product | ProductSlice | ProductByComb | ProductByShuffles => field.mul(a, b),
            Square | SquareByShuffles | SquareByAffine | SquareSlice => field.square(a),
            Sqrt | SqrtSlice => a.clone(),
            Solve | SolveByMap | SolveByTable | SolveSlice => without_lowest_bit(a),
            Frobenius | FrobeniusByTable | FrobeniusSlice => field.frobenius(a, POWER),
            // As long as an element, so that the results of all operations have one form.
            Trace => bit(field.trace(a), a.len()),
            Invert | InvertByMaps | InvertVartime | InvertSlice | BatchInvert => {
                field.invert(a).expect("no element here is 0")
            }
        };
        digest(&a.iter().zip(&b).take(operation.count()).flat_map(one).collect::<Vec<u64>>())
    }
}

/// 0 or 1 as an element of `words` words.
pub fn bit(bit: bool, words: usize) -> Vec<u64> {
    let mut element = vec![0; words];
    element[0] = bit.into();
    element
}

/// A solution of x^2 + x = c without its lowest bit, so that both solutions look the same.
pub fn without_lowest_bit(x: &[u64]) -> Vec<u64> {
    let mut words = x.to_vec();
    words[0] &= !1;
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Fill;

    /// The small fields of the tests: GF(2^10) over GF(2^5), and the field of AES.
    const FIELDS: [Parameters; 2] = [
        Parameters { name: "Gf10", degree: 10, tail: &[2, 0], is_extension: true },
        Parameters { name: "Gf8", degree: 8, tail: &[4, 3, 1, 0], is_extension: false },
    ];

    #[test]
    fn operands_are_elements_that_have_what_is_asked_for() {
        for field in FIELDS {
            let (input, reference) = (Input::new(field.message(), 1, Fill::Random(1)), field.reference());
            for operation in Operation::all() {
                let case = Case::new(operation, &field, &input);
                assert_eq!(case.a.len(), operation.count(), "{}", operation.name());
                assert!(case.a.iter().chain(&case.b).all(|element| reference.contains(element)));
            }
            let all = Case::new(SolveSlice, &field, &input);
            assert!(all.a.iter().all(|c| !reference.trace(c)), "{}", field.name);
            // Solutions for zeros alone would show nothing.
            assert!(all.a.iter().any(|a| a.iter().all(|word| *word != 0)), "{}", field.name);
        }
    }
}
