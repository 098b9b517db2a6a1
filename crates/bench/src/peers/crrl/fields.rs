//! GF(2^127) and GF(2^254) of crrl, which has a type for each.
use super::NAME;
use crate::algebra::subject;
use crate::calls::{chain, repeat, slice};
use crate::f2x::word;
use crate::input::Input;
use crate::paper004::operation::{Case, Operation, Parameters, bit, without_lowest_bit};
use crate::subject::{Runner, Subject, Work};
use crrl::field::{GFb127, GFb254};
use std::hint::black_box;
use std::marker::PhantomData;
use std::ops::Mul;

/// The exponents of f = z^127 + z^63 + 1 below its degree.
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

/// crrl's operations in a field; none unless it is GF(2^127) or GF(2^254) with crrl's f.
pub(crate) fn subjects(field: Parameters) -> Vec<(Operation, Subject)> {
    match (field.degree, field.tail, field.is_extension) {
        (127, TAIL, false) => all::<GFb127>(field),
        (254, TAIL, true) => all::<GFb254>(field),
        _ => vec![],
    }
}

fn all<E: Element>(field: Parameters) -> Vec<(Operation, Subject)> {
    let one = |operation| subject(NAME, operation, "any", Crrl::<E> { field, operation, of: PhantomData });
    OPERATIONS.into_iter().map(one).collect()
}

/// The operations that crrl's two fields share.
trait Element: Copy + Mul<Output = Self> + 'static {
    const ZERO: Self;

    fn from_words(words: &[u64]) -> Self;
    fn words(&self) -> Vec<u64>;
    fn square(self) -> Self;
    fn sqrt(self) -> Self;
    fn invert(self) -> Self;
    fn trace(self) -> u32;
    /// A solution x of x^2 + x = c.
    fn solve(self) -> Self;
}

macro_rules! element {
    ($name:ty, $solve:ident, $($word:literal),*) => {
        impl Element for $name {
            const ZERO: Self = Self::ZERO;

            fn from_words(words: &[u64]) -> Self {
                Self::w64le($(words[$word]),*)
            }
            fn words(&self) -> Vec<u64> {
                self.encode().chunks(8).map(word).collect()
            }
            // Always inlined: the wrappers stand in the timed loops and must cost nothing there.
            #[inline(always)]
            fn square(self) -> Self {
                <$name>::square(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$name>::sqrt(self)
            }
            #[inline(always)]
            fn invert(self) -> Self {
                <$name>::invert(self)
            }
            #[inline(always)]
            fn trace(self) -> u32 {
                <$name>::trace(self)
            }
            #[inline(always)]
            fn solve(self) -> Self {
                self.$solve()
            }
        }
    };
}

// The half-trace solves x^2 + x = c for odd degrees. The extension has a method of its own.
element!(GFb127, halftrace, 0, 1);
element!(GFb254, qsolve, 0, 1, 2, 3);

struct Crrl<E> {
    field: Parameters,
    operation: Operation,
    of: PhantomData<E>,
}

impl<E: Element> Work for Crrl<E> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(self.operation, &self.field, input);
        let [a, b] =
            [&case.a, &case.b].map(|all| all.iter().map(|x| Slot(E::from_words(x))).collect::<Vec<_>>());
        // Single operations have one pair of operands. Slices use all of them.
        let (first, second, words) = (a[0].0, b[0].0, self.field.words());
        match self.operation {
            Operation::Product => chain(first, move |x| *x * second, E::words),
            Operation::Square => chain(first, |x| x.square(), E::words),
            Operation::Sqrt => chain(first, |x| x.sqrt(), E::words),
            Operation::Invert => chain(first, |x| x.invert(), E::words),
            Operation::Trace => {
                repeat(move || black_box(first).trace(), move |trace| bit(*trace == 1, words))
            }
            Operation::Solve => repeat(move || black_box(first).solve(), |x| without_lowest_bit(&x.words())),
            Operation::ProductSlice => slice(a, b, products, |x| x.0.words()),
            Operation::SquareSlice => slice(a, b, squares, |x| x.0.words()),
            _ => unreachable!("no subject"),
        }
    }
}

/// An element in a slice, with a default, which crrl's types lack.
#[derive(Clone, Copy)]
struct Slot<E>(E);

impl<E: Element> Default for Slot<E> {
    fn default() -> Self {
        Slot(E::ZERO)
    }
}

/// Number of independent products in a loop's body. crrl has no call for many elements, but the CPU overlaps these.
const AT_ONCE: usize = 8;

fn products<E: Element>(a: &[Slot<E>], b: &[Slot<E>], out: &mut [Slot<E>]) {
    // 64 elements are a multiple of 8, so the chunks leave no rest.
    let eights = a.as_chunks::<AT_ONCE>().0.iter().zip(b.as_chunks::<AT_ONCE>().0);
    for ((a, b), out) in eights.zip(out.as_chunks_mut::<AT_ONCE>().0) {
        *out = std::array::from_fn(|i| Slot(a[i].0 * b[i].0));
    }
}

fn squares<E: Element>(a: &[Slot<E>], _: &[Slot<E>], out: &mut [Slot<E>]) {
    for (a, out) in a.as_chunks::<AT_ONCE>().0.iter().zip(out.as_chunks_mut::<AT_ONCE>().0) {
        *out = std::array::from_fn(|i| Slot(a[i].0.square()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Structure;
    use crate::input::Fill;

    #[test]
    fn crrl_has_the_same_fields() {
        for (degree, is_extension) in [(127, false), (254, true)] {
            let field = Parameters { name: "any", degree, tail: TAIL, is_extension };
            let subjects = subjects(field);
            assert_eq!(subjects.len(), OPERATIONS.len());
            for (operation, subject) in subjects {
                let input = Input::new(field.message(), 1, Fill::Random(1));
                let expected = field.expected(operation, &input);
                assert_eq!(subject.tags(&input), [expected], "{degree}: {}", subject.name);
            }
        }
        let other = Parameters { name: "any", degree: 127, tail: &[1, 0], is_extension: false };
        assert!(subjects(other).is_empty());
    }
}
