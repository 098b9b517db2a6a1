//! The operations of a field GF(2^m) on this library's best backend.
use super::operation::{Case, Operation, POWER, Parameters, bit, without_lowest_bit};
use crate::algebra::{OURS, Operation as _, subject};
use crate::calls;
use crate::calls::repeat;
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords, LinearMap, PreparedInverse, SliceMap};
use carryless_gf2::papers::{HalfTraceTable, NibbleTable, mul_by_comb_vartime, mul_by_shuffles_vartime};
use std::hint::black_box;

/// The parameters of the field of a type.
pub(super) fn parameters<F: BinaryField>() -> Parameters {
    Parameters { name: F::NAME, degree: F::DEGREE, tail: F::TAIL, is_extension: false }
}

/// The largest degree for which the slides' products are measured. Their straight-line code for 1223
/// bits takes long to compile.
const MAX_BY_SLIDES: usize = 571;

/// All operations in a field, but no products by the slides in large fields and no bit matrices without GFNI.
pub(super) fn subjects<F: BinaryField>() -> Vec<(Operation, Subject)> {
    let cpu = Field::<F>::new().cpu();
    let ours = |operation| {
        let work = Ours::<F> { operation, field: Field::new() };
        subject(OURS, operation, cpu.name(), work)
    };
    let has = |operation: &Operation| match operation {
        Operation::ProductByComb | Operation::ProductByShuffles => F::DEGREE <= MAX_BY_SLIDES,
        Operation::SquareByAffine => cpu.has_affine(),
        _ => true,
    };
    Operation::all().filter(has).map(ours).collect()
}

struct Ours<F: BinaryField> {
    operation: Operation,
    field: Field<F>,
}

impl<F: BinaryField> Work for Ours<F> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(self.operation, &parameters::<F>(), input);
        let [a, b] =
            [&case.a, &case.b].map(|all| all.iter().map(|words| element::<F>(words)).collect::<Vec<_>>());
        if self.operation.count() > 1 { self.slice(a, b) } else { self.one(a[0], b[0]) }
    }
}

impl<F: BinaryField> Ours<F> {
    fn one(&self, first: Element<F>, second: Element<F>) -> Runner<'_> {
        let field = &self.field;
        match self.operation {
            // In place, as a caller would chain them: a call that returns its result waits for the copy of it
            // as well.
            Operation::Product => chain_in_place(first, move |x| field.mul_assign(x, &second)),
            // The guards repeat `has`, so that the compiler can leave out the code for larger fields.
            Operation::ProductByComb if F::DEGREE <= MAX_BY_SLIDES => {
                chain(first, move |x| mul_by_comb_vartime(field.cpu(), x, &second))
            }
            Operation::ProductByShuffles if F::DEGREE <= MAX_BY_SLIDES => {
                chain(first, move |x| mul_by_shuffles_vartime(field.cpu(), x, &second))
            }
            Operation::Square => chain_in_place(first, |x| field.square_assign(x)),
            Operation::SquareByShuffles => chain(first, |x| field.square_by_shuffles(x)),
            Operation::SquareByAffine => chain(first, |x| field.square_by_affine(x)),
            Operation::Sqrt => chain_in_place(first, |x| field.sqrt_assign(x)),
            Operation::Invert => chain(first, |x| field.invert_or_zero(x)),
            // The chain has no 0, whose inverse would be `None`.
            Operation::InvertVartime => chain(first, |x| x.invert_vartime().unwrap_or_default()),
            Operation::Solve => solution(first, |x| field.solve_unchecked(x)),
            // A trace has one bit and cannot be the operand of the next call.
            Operation::Trace => repeat(
                move || black_box(&first).trace().to_bool(),
                move |trace| bit(*trace, first.as_words().len()),
            ),
            _ => self.mapped(first),
        }
    }

    /// Operations by tables, which are made before the timing.
    fn mapped(&self, x: Element<F>) -> Runner<'_> {
        let field = &self.field;
        match self.operation {
            Operation::SolveByMap => {
                let map = LinearMap::solution(field);
                solution(x, move |x| map.apply(x))
            }
            Operation::SolveByTable => {
                let table = HalfTraceTable::new(field);
                solution(x, move |x| table.apply_vartime(x))
            }
            Operation::Frobenius => {
                let map = LinearMap::frobenius(field, POWER);
                chain(x, move |x| map.apply(x))
            }
            Operation::FrobeniusByTable => {
                let table = NibbleTable::frobenius(field, POWER);
                chain(x, move |x| table.apply_vartime(x))
            }
            Operation::InvertByMaps => {
                let prepared = PreparedInverse::new(field);
                chain(x, move |x| prepared.invert_or_zero(x))
            }
            _ => unreachable!("no subject"),
        }
    }

    fn slice(&self, a: Vec<Element<F>>, b: Vec<Element<F>>) -> Runner<'_> {
        let field = &self.field;
        match self.operation {
            Operation::ProductSlice => slice(a, b, |a, b, out| field.mul_slices(a, b, out)),
            // Operations of one operand ignore b, so that all slices have one signature.
            Operation::SquareSlice => slice(a, b, |a, _, out| field.square_slice(a, out)),
            Operation::SqrtSlice => slice(a, b, |a, _, out| field.sqrt_slice(a, out)),
            Operation::BatchInvert => slice(a, b, |a, _, out| field.batch_invert(a, out)),
            Operation::InvertSlice => slice(a, b, |a, _, out| field.invert_slice(a, out)),
            Operation::FrobeniusSlice => {
                let map = SliceMap::new(&LinearMap::frobenius(field, POWER));
                slice(a, b, move |a, _, out| map.apply_slice(a, out))
            }
            Operation::SolveSlice => {
                let map = SliceMap::new(&LinearMap::solution(field));
                let images = move |a: &[_], _: &[_], out: &mut [_]| map.apply_slice(a, out);
                calls::slice(words(&a), words(&b), images, |x| without_lowest_bit(x.as_ref()))
            }
            _ => unreachable!("no subject"),
        }
    }
}

fn element<F: BinaryField>(words: &[u64]) -> Element<F> {
    let mut own = FieldWords::<F>::default();
    own.as_mut().copy_from_slice(words);
    Element::from_words(own).expect("a case has elements of the field")
}

/// Repeats a call that solves x^2 + x = c for the same c: its result is no operand that surely has a solution.
fn solution<'a, F: BinaryField>(c: Element<F>, call: impl Fn(&Element<F>) -> Element<F> + 'a) -> Runner<'a> {
    repeat(move || call(black_box(&c)), |x| without_lowest_bit(x.as_words()))
}

/// Repeats a call whose operand is the result of the call before, for its latency.
fn chain<'a, F: BinaryField>(x: Element<F>, call: impl Fn(&Element<F>) -> Element<F> + 'a) -> Runner<'a> {
    calls::chain(x, call, |x| x.as_words().to_vec())
}

/// Repeats a call that replaces its operand by the result, for its latency.
fn chain_in_place<'a, F: BinaryField>(x: Element<F>, call: impl Fn(&mut Element<F>) + 'a) -> Runner<'a> {
    calls::chain_in_place(x, call, |x| x.as_words().to_vec())
}

fn words<F: BinaryField>(all: &[Element<F>]) -> Vec<FieldWords<F>> {
    all.iter().map(Element::to_words).collect()
}

/// Repeats a call on slices of elements, from two slices into a third.
fn slice<'a, F: BinaryField>(
    a: Vec<Element<F>>,
    b: Vec<Element<F>>,
    call: impl Fn(&[FieldWords<F>], &[FieldWords<F>], &mut [FieldWords<F>]) + 'a,
) -> Runner<'a> {
    calls::slice(words(&a), words(&b), call, |x| x.as_ref().to_vec())
}
