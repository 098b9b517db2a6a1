//! The operations of a field on this library's best machine.
use super::operation::{Case, Operation, Parameters, without_lowest_bit};
use crate::algebra::{OURS, Operation as _, subject};
use crate::calls;
use crate::calls::repeat;
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords, LinearMap, PreparedInverse, slides};
use std::hint::black_box;

/// The field of a type.
pub(super) fn parameters<F: BinaryField>() -> Parameters {
    Parameters { name: F::NAME, degree: F::DEGREE, tail: F::TAIL }
}

/// The largest degree for which the slides' products are measured: straight-line code for 1223 bits takes long to compile.
const MOST_BY_SLIDES: usize = 571;

/// All operations of a field.
pub(super) fn subjects<F: BinaryField>() -> Vec<(Operation, Subject)> {
    let machine = Field::<F>::new().cpu().name();
    let ours = |&operation: &Operation| {
        let work = Ours::<F> { operation, field: Field::new() };
        subject(OURS, operation, machine, work)
    };
    let slides = [Operation::ProductByComb, Operation::ProductByShuffles];
    let has = |operation: &&Operation| F::DEGREE <= MOST_BY_SLIDES || !slides.contains(*operation);
    Operation::ALL.iter().filter(has).map(ours).collect()
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
        let (field, first, second) = (&self.field, a[0], b[0]);
        match self.operation {
            Operation::Product => chain_in_place(first, move |x| field.mul_assign(x, &second)),
            Operation::ProductByComb if F::DEGREE <= MOST_BY_SLIDES => {
                chain(first, move |x| slides::mul_by_comb_vartime(field.cpu(), x, &second))
            }
            Operation::ProductByShuffles if F::DEGREE <= MOST_BY_SLIDES => {
                chain(first, move |x| slides::mul_by_shuffles_vartime(field.cpu(), x, &second))
            }
            Operation::ProductByComb | Operation::ProductByShuffles => unreachable!("no subject"),
            Operation::Square => chain_in_place(first, |x| field.square_assign(x)),
            Operation::SquareByShuffles => chain(first, |x| field.square_by_shuffles(x)),
            Operation::Sqrt => chain(first, |x| field.sqrt(x)),
            Operation::Invert => chain(first, |x| field.invert_or_zero(x)),
            Operation::InvertByMaps => {
                let prepared = PreparedInverse::new(field);
                chain(first, move |x| prepared.invert_or_zero(x))
            }
            Operation::InvertVartime => chain(first, |x| x.invert_vartime().unwrap_or_default()),
            Operation::SolveByMap => {
                let map = LinearMap::solution(field);
                repeat(move || map.apply(black_box(&first)), |x| without_lowest_bit(x.as_words()))
            }
            Operation::Solve => {
                repeat(move || field.solve_unchecked(black_box(&first)), |x| without_lowest_bit(x.as_words()))
            }
            Operation::Trace => repeat(
                move || black_box(&first).trace().to_bool(),
                move |trace| {
                    let mut words = vec![0; first.as_words().len()];
                    words[0] = u64::from(*trace);
                    words
                },
            ),
            Operation::ProductSlice => slice(a, b, |a, b, out| field.mul_slices(a, b, out)),
            Operation::SquareSlice => slice(a, b, |a, _, out| field.square_slice(a, out)),
            Operation::SqrtSlice => slice(a, b, |a, _, out| field.sqrt_slice(a, out)),
            Operation::BatchInvert => slice(a, b, |a, _, out| field.batch_invert(a, out)),
            Operation::InvertSlice => slice(a, b, |a, _, out| field.invert_slice(a, out)),
        }
    }
}

fn element<F: BinaryField>(words: &[u64]) -> Element<F> {
    let mut own = FieldWords::<F>::default();
    own.as_mut().copy_from_slice(words);
    Element::from_words(own).expect("a case has elements of the field")
}

/// Calls that wait for each other.
fn chain<'a, F: BinaryField>(x: Element<F>, call: impl Fn(&Element<F>) -> Element<F> + 'a) -> Runner<'a> {
    calls::chain(x, call, |x| x.as_words().to_vec())
}

/// The same in place.
fn chain_in_place<'a, F: BinaryField>(x: Element<F>, call: impl Fn(&mut Element<F>) + 'a) -> Runner<'a> {
    calls::chain_in_place(x, call, |x| x.as_words().to_vec())
}

/// Calls that take slices.
fn slice<'a, F: BinaryField>(
    a: Vec<Element<F>>,
    b: Vec<Element<F>>,
    call: impl Fn(&[FieldWords<F>], &[FieldWords<F>], &mut [FieldWords<F>]) + 'a,
) -> Runner<'a> {
    let [a, b] = [a, b].map(|all| all.iter().map(Element::to_words).collect::<Vec<_>>());
    calls::slice(a, b, call, |words| words.as_ref().to_vec())
}
