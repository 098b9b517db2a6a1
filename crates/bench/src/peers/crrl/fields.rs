//! GF(2^127) of crrl.
use super::NAME;
use crate::algebra::subject;
use crate::calls::{chain, repeat, slice};
use crate::input::Input;
use crate::paper004::operation::{Case, Operation, Parameters, without_lowest_bit};
use crate::subject::{Runner, Subject, Work};
use crrl::field::GFb127;
use std::hint::black_box;

/// f = z^127 + z^63 + 1.
const TAIL: &[usize] = &[63, 0];

const OPERATIONS: [Operation; 8] = [
    Operation::Product,
    Operation::ProductSlice,
    Operation::Square,
    Operation::SquareSlice,
    Operation::Sqrt,
    Operation::Trace,
    Operation::Solve,
    Operation::Invert,
];

/// What crrl has of a field: nothing of any other than its own.
pub(crate) fn subjects(field: Parameters) -> Vec<(Operation, Subject)> {
    if (field.degree, field.tail) != (127, TAIL) {
        return vec![];
    }
    let one = |operation| subject(NAME, operation, "any", Crrl { field, operation });
    OPERATIONS.into_iter().map(one).collect()
}

struct Crrl {
    field: Parameters,
    operation: Operation,
}

impl Work for Crrl {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(self.operation, &self.field, input);
        let [a, b] = [&case.a, &case.b]
            .map(|all| all.iter().map(|words| Slot(GFb127::w64le(words[0], words[1]))).collect::<Vec<_>>());
        let (first, second) = (a[0].0, b[0].0);
        match self.operation {
            Operation::Product => chain(first, move |x| x * second, words),
            Operation::Square => chain(first, |x| x.square(), words),
            Operation::Sqrt => chain(first, |x| x.sqrt(), words),
            Operation::Invert => chain(first, |x| x.invert(), words),
            Operation::Trace => repeat(move || black_box(first).trace(), |trace| vec![u64::from(*trace), 0]),
            Operation::Solve => {
                repeat(move || black_box(first).halftrace(), |x| without_lowest_bit(&words(x)))
            }
            Operation::ProductSlice => slice(a, b, products, |x| words(&x.0)),
            Operation::SquareSlice => slice(a, b, squares, |x| words(&x.0)),
            _ => unreachable!("no subject"),
        }
    }
}

/// An element in a slice.
#[derive(Clone, Copy)]
struct Slot(GFb127);

impl Default for Slot {
    fn default() -> Slot {
        Slot(GFb127::ZERO)
    }
}

/// Independent products of one loop's body: crrl has no call for many, but the CPU overlaps them.
const AT_ONCE: usize = 8;

fn products(a: &[Slot], b: &[Slot], out: &mut [Slot]) {
    let eights = a.as_chunks::<AT_ONCE>().0.iter().zip(b.as_chunks::<AT_ONCE>().0);
    for ((a, b), out) in eights.zip(out.as_chunks_mut::<AT_ONCE>().0) {
        *out = std::array::from_fn(|i| Slot(a[i].0 * b[i].0));
    }
}

fn squares(a: &[Slot], _: &[Slot], out: &mut [Slot]) {
    for (a, out) in a.as_chunks::<AT_ONCE>().0.iter().zip(out.as_chunks_mut::<AT_ONCE>().0) {
        *out = std::array::from_fn(|i| Slot(a[i].0.square()));
    }
}

fn words(x: &GFb127) -> Vec<u64> {
    x.encode().chunks(8).map(crate::f2x::word).collect()
}
