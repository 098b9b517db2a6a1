//! The products of a curve on this library's best machine.
use super::case::{BATCH, Case, Operation, Parameters, parameters};
use crate::algebra::{OURS, Operation as _, subject};
use crate::calls::repeat;
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, CurveField, FieldElement, Scalar};
use std::hint::black_box;

/// All products of a curve.
pub(super) fn subjects<C: BinaryCurve>() -> Vec<(Operation, Subject)> {
    let curve = Curve::<C>::new();
    let work = |operation| Ours::<C> { operation, parameters: parameters::<C>(), curve };
    let one = |operation| subject(OURS, operation, curve.cpu().name(), work(operation));
    Operation::ALL.iter().copied().map(one).collect()
}

struct Ours<C: BinaryCurve> {
    operation: Operation,
    parameters: Parameters,
    curve: Curve<C>,
}

impl<C: BinaryCurve> Work for Ours<C> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(&self.parameters, input);
        let [k, l] = [&case.k, &case.l]
            .map(|bytes| Scalar::<C>::from_be_bytes(bytes).expect("a case has scalars below n"));
        let [x, y] = case.point.map(|words| element::<C>(&words));
        let p = AffinePoint::<C>::from_coordinates(x, y).expect("a case has a point of the curve");
        let curve = &self.curve;
        match self.operation {
            Operation::Variable => repeat(move || curve.mul(&k, black_box(&p)), words),
            Operation::Fixed => repeat(move || curve.mul_base(black_box(&k)), words),
            Operation::Double => repeat(move || curve.mul_base_add_mul(&k, &l, black_box(&p)), words),
            Operation::Batch => repeat(
                move || {
                    let mut out = [p; BATCH];
                    curve.mul_batch(&[k; BATCH], black_box(&[p; BATCH]), &mut out);
                    out
                },
                |out| words(&out[BATCH - 1]),
            ),
        }
    }
}

fn element<C: BinaryCurve>(words: &[u64]) -> <C::Field as CurveField>::Element {
    let bytes = <C::Field as CurveField>::Element::BYTES;
    let all: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    FieldElement::from_le_bytes(&all[..bytes]).expect("a case has elements of the field")
}

fn words<C: BinaryCurve>(p: &AffinePoint<C>) -> Vec<u64> {
    let [x, y] = p.coordinates().expect("no product here is infinity");
    [x.as_words(), y.as_words()].concat()
}
