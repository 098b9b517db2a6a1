//! The operations of GF(2^254), an extension of GF(2^127), on this library's best backend.
use super::operation::{
    Case,
    Operation::{
        self, BatchInvert, Invert, InvertSlice, Product, ProductSlice, Solve, SolveByMap, Sqrt, SqrtSlice,
        Square, SquareSlice, Trace,
    },
    Parameters, bit, without_lowest_bit,
};
use crate::algebra::{OURS, subjects as subjects_of};
use crate::calls::{self, chain, chain_in_place, repeat};
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use carryless_gf2::field::tower::{Gf254, Gf254Field, PreparedSolution, QuadraticWords};
use carryless_gf2::field::{BinaryField, Gf127};
use std::hint::black_box;

/// The field GF(2^254): elements a0 + a1 u over GF(2^127), with u^2 = u + 1.
pub(super) const GF254: Parameters =
    Parameters { name: "Gf254", degree: 2 * Gf127::DEGREE, tail: Gf127::TAIL, is_extension: true };

const OPERATIONS: [Operation; 12] = [
    Product,
    ProductSlice,
    Square,
    SquareSlice,
    Sqrt,
    SqrtSlice,
    Trace,
    Solve,
    SolveByMap,
    Invert,
    InvertSlice,
    BatchInvert,
];

/// The operations in this field. It has a bit matrix for solutions only; other maps and the slides' methods
/// exist for fields GF(2^m) alone.
pub(super) fn subjects() -> Vec<(Operation, Subject)> {
    let field = Gf254Field::new();
    subjects_of(OURS, &OPERATIONS, field.cpu().name(), |operation| Tower { operation, field })
}

struct Tower {
    operation: Operation,
    field: Gf254Field,
}

impl Work for Tower {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(self.operation, &GF254, input);
        let [a, b] = [&case.a, &case.b].map(|all| all.iter().map(|words| element(words)).collect::<Vec<_>>());
        // Single operations have one pair of operands. Slices use all of them.
        let (field, first, second) = (&self.field, a[0], b[0]);
        match self.operation {
            Product => chain_in_place(first, move |x| field.mul_assign(x, &second), words),
            Square => chain_in_place(first, |x| field.square_assign(x), words),
            Sqrt => chain_in_place(first, |x| field.sqrt_assign(x), words),
            Invert => chain(first, |x| field.invert_or_zero(x), words),
            Solve => solution(first, |c| field.solve_unchecked(c)),
            SolveByMap => {
                let prepared = PreparedSolution::new(field);
                solution(first, move |c| prepared.solve_unchecked(c))
            }
            Trace => repeat(
                move || black_box(&first).trace().to_bool(),
                move |trace| bit(*trace, first.as_words().len()),
            ),
            ProductSlice => slice(&a, &b, |a, b, out| field.mul_slices(a, b, out)),
            SquareSlice => slice(&a, &b, |a, _, out| field.square_slice(a, out)),
            SqrtSlice => slice(&a, &b, |a, _, out| field.sqrt_slice(a, out)),
            InvertSlice => slice(&a, &b, |a, _, out| field.invert_slice(a, out)),
            BatchInvert => slice(&a, &b, |a, _, out| field.batch_invert(a, out)),
            _ => unreachable!("no subject"),
        }
    }
}

fn element(words: &[u64]) -> Gf254 {
    Gf254::from_words([[words[0], words[1]], [words[2], words[3]]]).expect("a case has elements of the field")
}

/// Repeats a call that solves x^2 + x = c for the same c.
fn solution<'a>(c: Gf254, call: impl Fn(&Gf254) -> Gf254 + 'a) -> Runner<'a> {
    repeat(move || call(black_box(&c)), |x| without_lowest_bit(x.as_words()))
}

fn words(x: &Gf254) -> Vec<u64> {
    x.as_words().to_vec()
}

/// The words of an element: two for a0, then two for a1.
type Words = QuadraticWords<Gf127>;

/// Repeats a call on slices of elements, from two slices into a third.
fn slice<'a>(a: &[Gf254], b: &[Gf254], call: impl Fn(&[Words], &[Words], &mut [Words]) + 'a) -> Runner<'a> {
    let [a, b] = [a, b].map(|all| all.iter().map(Gf254::to_words).collect::<Vec<_>>());
    calls::slice(a, b, call, |x| x.as_flattened().to_vec())
}
