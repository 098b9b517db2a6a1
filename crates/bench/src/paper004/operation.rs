//! What is measured in every field, and its values by the definition.
use crate::algebra::{self, Operation as _, Structure};
use crate::f2x::{Operands, digest};
use crate::input::{Input, Key, Tag};
use carryless_reference::curve::Field;

/// Elements of a slice.
pub const SLICE: usize = 64;

/// k of x^(2^k): no map takes longer or shorter for it.
pub const POWER: usize = 5;

/// An operation of a field, in one of its forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// a b, each factor the product before.
    Product,
    /// Products of [`SLICE`] pairs.
    ProductSlice,
    /// The same by the comb method of López and Dahab, without carry-less multiplication.
    ProductByComb,
    /// The same by byte shuffles, as on the slides.
    ProductByShuffles,
    /// a^2 of the square before.
    Square,
    /// The same by look-ups of four bits, as on the slides.
    SquareByShuffles,
    /// The same by 8 x 8 bit matrices, on machines with GFNI.
    SquareByAffine,
    /// [`SLICE`] squares.
    SquareSlice,
    /// The square root of the root before.
    Sqrt,
    /// [`SLICE`] square roots.
    SqrtSlice,
    /// The trace.
    Trace,
    /// x with x^2 + x = c.
    Solve,
    /// The same by a bit matrix.
    SolveByMap,
    /// The same by the slides' table of half-traces; addresses depend on the element.
    SolveByTable,
    /// [`SLICE`] of them by a bit matrix.
    SolveSlice,
    /// x^(2^k) of the power before, by a bit matrix.
    Frobenius,
    /// The same by the slides' table; addresses depend on the element.
    FrobeniusByTable,
    /// [`SLICE`] powers.
    FrobeniusSlice,
    /// The inverse of the inverse before.
    Invert,
    /// The same, its long runs of squarings by bit matrices.
    InvertByMaps,
    /// The same by Euclid's algorithm; its time depends on the element.
    InvertVartime,
    /// [`SLICE`] inverses.
    InvertSlice,
    /// The same by Montgomery's trick.
    BatchInvert,
}

use Operation::{
    BatchInvert, Frobenius, FrobeniusByTable, FrobeniusSlice, Invert, InvertByMaps, InvertSlice,
    InvertVartime, Product, ProductByComb, ProductByShuffles, ProductSlice, Solve, SolveByMap, SolveByTable,
    SolveSlice, Sqrt, SqrtSlice, Square, SquareByAffine, SquareByShuffles, SquareSlice, Trace,
};

impl algebra::Operation for Operation {
    const ALL: &'static [Operation] = &[
        Product,
        ProductSlice,
        ProductByComb,
        ProductByShuffles,
        Square,
        SquareByShuffles,
        SquareByAffine,
        SquareSlice,
        Sqrt,
        SqrtSlice,
        Trace,
        Solve,
        SolveByMap,
        SolveByTable,
        SolveSlice,
        Frobenius,
        FrobeniusByTable,
        FrobeniusSlice,
        Invert,
        InvertByMaps,
        InvertVartime,
        InvertSlice,
        BatchInvert,
    ];
    /// What has no call for slices is compared by its single operation.
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

    fn name(self) -> &'static str {
        match self {
            Product => "product",
            ProductSlice => "product-slice",
            ProductByComb => "product-by-comb",
            ProductByShuffles => "product-by-shuffles",
            Square => "square",
            SquareByShuffles => "square-by-shuffles",
            SquareByAffine => "square-by-affine",
            SquareSlice => "square-slice",
            Sqrt => "sqrt",
            SqrtSlice => "sqrt-slice",
            Trace => "trace",
            Solve => "solve",
            SolveByMap => "solve-by-map",
            SolveByTable => "solve-by-table",
            SolveSlice => "solve-slice",
            Frobenius => "frobenius",
            FrobeniusByTable => "frobenius-by-table",
            FrobeniusSlice => "frobenius-slice",
            Invert => "invert",
            InvertByMaps => "invert-by-maps",
            InvertVartime => "invert-vartime",
            InvertSlice => "invert-slice",
            BatchInvert => "batch-invert",
        }
    }

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
    /// The name of the type.
    pub name: &'static str,
    /// The field has 2^degree elements.
    pub degree: usize,
    /// The exponents of f below its degree.
    pub tail: &'static [usize],
    /// Whether elements are a0 + a1 u, for a0 and a1 of F2\[z\]/f and u^2 = u + 1.
    pub is_extension: bool,
}

impl Parameters {
    /// The degree of f.
    fn base_degree(&self) -> usize {
        self.degree / self.coefficients()
    }

    /// How many elements of F2\[z\]/f make one of the field.
    fn coefficients(&self) -> usize {
        1 + usize::from(self.is_extension)
    }

    /// Words of an element.
    pub fn words(&self) -> usize {
        self.base_degree().div_ceil(64) * self.coefficients()
    }

    /// The exponents of f, from its degree down.
    pub fn exponents(&self) -> Vec<usize> {
        [&[self.base_degree()], self.tail].concat()
    }

    /// Whether f is the second one of its degree, of odd exponents, whose types are named so.
    pub(super) fn is_second(&self) -> bool {
        self.name.ends_with("Sqrt")
    }

    /// The field by the definitions.
    fn reference(&self) -> Field {
        if self.is_extension { Field::extended(&self.exponents()) } else { Field::new(&self.exponents()) }
    }
}

/// The operands of a call.
pub struct Case {
    /// The only operands, or the first ones.
    pub a: Vec<Vec<u64>>,
    /// The second ones.
    pub b: Vec<Vec<u64>>,
}

impl Case {
    /// What an operation is given for an input.
    pub fn new(operation: Operation, field: &Parameters, input: &Input) -> Case {
        let (key, message) = (&input.keys()[0], input.messages()[0]);
        let mut case = Case::elements(field, key, message);
        let count = operation.count();
        case.a.truncate(count);
        case.b.truncate(count);
        let reference = field.reference();
        match operation {
            // What has a solution.
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
            element[m / 64..].iter_mut().for_each(|word| *word &= !(!0 << (m % 64)));
            element
        };
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

    /// The digest of all results. Solutions stand there without their lowest bit, in which the two differ.
    fn expected(&self, operation: Operation, input: &Input) -> Tag {
        let Case { a, b } = Case::elements(self, &input.keys()[0], input.messages()[0]);
        let field = self.reference();
        let one = |(a, b): (&Vec<u64>, &Vec<u64>)| match operation {
            Product | ProductSlice | ProductByComb | ProductByShuffles => field.mul(a, b),
            Square | SquareByShuffles | SquareByAffine | SquareSlice => field.square(a),
            Sqrt | SqrtSlice => a.clone(),
            Solve | SolveByMap | SolveByTable | SolveSlice => without_lowest_bit(a),
            Frobenius | FrobeniusByTable | FrobeniusSlice => field.frobenius(a, POWER),
            Trace => bit(field.trace(a), a.len()),
            Invert | InvertByMaps | InvertVartime | InvertSlice | BatchInvert => {
                field.invert(a).expect("no element here is 0")
            }
        };
        digest(&a.iter().zip(&b).take(operation.count()).flat_map(one).collect::<Vec<u64>>())
    }
}

/// 0 or 1 as an element.
pub fn bit(bit: bool, words: usize) -> Vec<u64> {
    let mut element = vec![0; words];
    element[0] = bit.into();
    element
}

/// A solution of x^2 + x = c, whichever it is.
pub fn without_lowest_bit(x: &[u64]) -> Vec<u64> {
    let mut words = x.to_vec();
    words[0] &= !1;
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Fill;

    /// GF(2^10) over GF(2^5), and the field of AES.
    const FIELDS: [Parameters; 2] = [
        Parameters { name: "Gf10", degree: 10, tail: &[2, 0], is_extension: true },
        Parameters { name: "Gf8", degree: 8, tail: &[4, 3, 1, 0], is_extension: false },
    ];

    #[test]
    fn operands_are_elements_that_have_what_is_asked_for() {
        for field in FIELDS {
            let (input, reference) = (Input::new(field.message(), 1, Fill::Random(1)), field.reference());
            for &operation in Operation::ALL {
                let case = Case::new(operation, &field, &input);
                assert_eq!(case.a.len(), operation.count(), "{}", operation.name());
                assert!(case.a.iter().chain(&case.b).all(|element| reference.contains(element)));
            }
            let all = Case::new(SolveSlice, &field, &input);
            assert!(all.a.iter().all(|c| !reference.trace(c)), "{}", field.name);
            assert!(all.a.iter().any(|a| a.iter().all(|word| *word != 0)), "{}", field.name);
        }
    }
}
