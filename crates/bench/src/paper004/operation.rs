//! What is measured in every field, and its values by the definition.
use crate::algebra::{self, Operation as _, Structure};
use crate::f2x::{Operands, digest};
use crate::input::{Input, Key, Tag};
use carryless_reference::gf2;

/// Elements of a slice.
pub const SLICE: usize = 64;

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
    BatchInvert, Invert, InvertByMaps, InvertSlice, InvertVartime, Product, ProductByComb, ProductByShuffles,
    ProductSlice, Solve, SolveByMap, Sqrt, SqrtSlice, Square, SquareByShuffles, SquareSlice, Trace,
};

impl algebra::Operation for Operation {
    const ALL: &'static [Operation] = &[
        Product,
        ProductSlice,
        ProductByComb,
        ProductByShuffles,
        Square,
        SquareByShuffles,
        SquareSlice,
        Sqrt,
        SqrtSlice,
        Trace,
        Solve,
        SolveByMap,
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
            SquareSlice => "square-slice",
            Sqrt => "sqrt",
            SqrtSlice => "sqrt-slice",
            Trace => "trace",
            Solve => "solve",
            SolveByMap => "solve-by-map",
            Invert => "invert",
            InvertByMaps => "invert-by-maps",
            InvertVartime => "invert-vartime",
            InvertSlice => "invert-slice",
            BatchInvert => "batch-invert",
        }
    }

    fn count(self) -> usize {
        match self {
            ProductSlice | SquareSlice | SqrtSlice | InvertSlice | BatchInvert => SLICE,
            _ => 1,
        }
    }
}

/// A field, for code that does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The name of the type.
    pub name: &'static str,
    /// m.
    pub degree: usize,
    /// The exponents of f below m.
    pub tail: &'static [usize],
}

impl Parameters {
    /// Words of an element.
    pub fn words(&self) -> usize {
        self.degree.div_ceil(64)
    }

    /// Whether f is the second one of its degree, of odd exponents, whose types are named so.
    pub(super) fn is_second(&self) -> bool {
        self.name.ends_with("Sqrt")
    }

    /// f.
    fn modulus(&self) -> Vec<u64> {
        let mut f = vec![0; self.degree / 64 + 1];
        for exponent in self.tail.iter().chain([&self.degree]) {
            f[exponent / 64] |= 1 << (exponent % 64);
        }
        f
    }

    fn reduce(&self, product: &[u64]) -> Vec<u64> {
        let mut remainder = gf2::div_rem(product, &self.modulus()).1;
        remainder.resize(self.words(), 0);
        remainder
    }

    fn mul(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        self.reduce(&gf2::mul(a, b))
    }

    /// a^-1 for a != 0 by Euclid's algorithm: r_i = s_i a modulo f.
    fn inverse(&self, a: &[u64]) -> Vec<u64> {
        let (mut r, mut s) = ([self.modulus(), a.to_vec()], [vec![0], vec![1]]);
        while gf2::degree(&r[1]).is_some_and(|degree| degree > 0) {
            let (quotient, remainder) = gf2::div_rem(&r[0], &r[1]);
            let next = sum(&s[0], &gf2::mul(&quotient, &s[1]));
            r = [std::mem::take(&mut r[1]), remainder];
            s = [std::mem::take(&mut s[1]), next];
        }
        self.reduce(&s[1])
    }

    /// The sum of all a^(2^i) for i < m, which is 0 or 1.
    fn trace(&self, a: &[u64]) -> Vec<u64> {
        let start = (a.to_vec(), vec![0; self.words()]);
        let step = |(power, trace): (Vec<u64>, Vec<u64>), _| (self.mul(&power, &power), sum(&trace, &power));
        (0..self.degree).fold(start, step).1
    }
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    let word = |words: &[u64], i: usize| words.get(i).copied().unwrap_or(0);
    (0..a.len().max(b.len())).map(|i| word(a, i) ^ word(b, i)).collect()
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
        match operation {
            // What has a solution.
            Solve | SolveByMap => case.a[0] = sum(&case.a[0], &field.mul(&case.a[0], &case.a[0])),
            Sqrt | SqrtSlice => case.a.iter_mut().for_each(|a| *a = field.mul(a, a)),
            _ => {}
        }
        case
    }

    fn elements(field: &Parameters, key: &Key, message: &[u8]) -> Case {
        let Operands { a, b } = Operands::new(8 * message.len(), key, message);
        let cut = |words: &[u64]| {
            let mut element = words.to_vec();
            element[field.degree / 64..].iter_mut().for_each(|word| *word &= !(!0 << (field.degree % 64)));
            element
        };
        let elements = |words: &[u64]| words.chunks(field.words()).map(cut).collect();
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
        let one = |(a, b): (&Vec<u64>, &Vec<u64>)| match operation {
            Product | ProductSlice | ProductByComb | ProductByShuffles => self.mul(a, b),
            Square | SquareByShuffles | SquareSlice => self.mul(a, a),
            Sqrt | SqrtSlice => a.clone(),
            Solve | SolveByMap => without_lowest_bit(a),
            Trace => self.trace(a),
            Invert | InvertByMaps | InvertVartime | InvertSlice | BatchInvert => self.inverse(a),
        };
        let count = operation.count();
        digest(&a.iter().zip(&b).take(count).flat_map(one).collect::<Vec<u64>>())
    }
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

    const AES: Parameters = Parameters { name: "Gf8", degree: 8, tail: &[4, 3, 1, 0] };

    #[test]
    fn the_reference_knows_the_field_of_aes() {
        assert_eq!(AES.mul(&[0x57], &[0x83]), [0xc1]);
        for a in 1..256 {
            assert_eq!(AES.mul(&[a], &AES.inverse(&[a])), [1], "{a}");
        }
        let traces: Vec<u64> = (0..256).map(|a| AES.trace(&[a])[0]).collect();
        assert!(traces.iter().all(|trace| *trace < 2) && traces.iter().sum::<u64>() == 128);
    }
}
