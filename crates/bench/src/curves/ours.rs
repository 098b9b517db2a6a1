//! Our products of scalars and points, and our ECDSA, on the best backend.
use super::Signing;
use super::case::{BATCH, Case, Operation, Parameters, parameters};
use crate::algebra::{OURS, Operation as _, subject};
use crate::calls::repeat;
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use carryless_ec::ecdsa::{Signature, SigningKey, VerifyingKey};
use carryless_ec::{PublicKey, SecretKey};
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, CurveField, FieldElement, Scalar};
use sha2::Sha256;
use std::hint::black_box;

/// Operations that only curves with an object identifier have, because protocols know no others.
const PROTOCOL: [Operation; 2] = [Operation::Verify, Operation::Sign];

/// All products on a curve, and ECDSA if protocols know the curve.
pub(super) fn subjects<C: BinaryCurve>() -> Vec<(Operation, Subject)> {
    let curve = Curve::<C>::new();
    let work = |operation| Ours::<C> { operation, parameters: parameters::<C>(), curve };
    let one = |operation| subject(OURS, operation, curve.cpu().name(), work(operation));
    let has = |operation: &Operation| C::OID.is_some() || !PROTOCOL.contains(operation);
    Operation::all().filter(has).map(one).collect()
}

struct Ours<C: BinaryCurve> {
    operation: Operation,
    parameters: Parameters,
    curve: Curve<C>,
}

impl<C: BinaryCurve> Work for Ours<C> {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        if PROTOCOL.contains(&self.operation) { self.protocol(input) } else { self.product(input) }
    }
}

impl<C: BinaryCurve> Ours<C> {
    fn product<'a>(&'a self, input: &Input) -> Runner<'a> {
        let case = Case::new(&self.parameters, input);
        let [k, l] = [&case.k, &case.l]
            .map(|bytes| Scalar::<C>::from_be_bytes(bytes).expect("a case has scalars below n"));
        let p = point::<C>(&case.point);
        let curve = &self.curve;
        match self.operation {
            Operation::Variable => repeat(move || curve.mul(&k, black_box(&p)), words),
            Operation::Fixed => repeat(move || curve.mul_base(black_box(&k)), words),
            Operation::Double => repeat(move || curve.mul_base_add_mul(&k, &l, black_box(&p)), words),
            Operation::Batch => repeat(
                move || {
                    // The call overwrites the array, so any points will do.
                    let mut out = [p; BATCH];
                    curve.mul_batch(&[k; BATCH], black_box(&[p; BATCH]), &mut out);
                    out
                },
                // All operands are equal, so one result stands for all of them.
                |out| words(&out[BATCH - 1]),
            ),
            Operation::Verify | Operation::Sign => unreachable!("no product"),
        }
    }

    fn protocol<'a>(&'a self, input: &Input) -> Runner<'a> {
        let signing = Signing::new(&self.parameters, input);
        let hash = signing.hash;
        // Libraries choose different nonces. So a signature is not compared, but must pass its own
        // verification.
        if self.operation == Operation::Sign {
            let secret = SecretKey::from_bytes(&signing.d).expect("a number from 1 to n - 1");
            let key = SigningKey::<C, Sha256>::on(self.curve, secret);
            let public = key.verifying_key();
            return repeat(
                move || key.sign_prehash(black_box(&hash)),
                move |signature| vec![u64::from(public.verify_prehash(&hash, signature).is_ok())],
            );
        }
        let public = PublicKey::from_point(point(&signing.q)).expect("a multiple of the generator");
        let key = VerifyingKey::<C, Sha256>::on(self.curve, public);
        let signature =
            Signature::from_bytes(&signing.signature(&self.parameters).concat()).expect("r and s");
        // Both closures own a key: the first verifies in the loop, the second makes the answers.
        let (again, other) = (key.clone(), signing.other_hash());
        repeat(
            move || key.verify_prehash(black_box(&hash), &signature).is_ok(),
            move |is_right| {
                let is_other = again.verify_prehash(&other, &signature).is_ok();
                vec![u64::from(*is_right), u64::from(is_other)]
            },
        )
    }
}

fn point<C: BinaryCurve>(words: &[Vec<u64>; 2]) -> AffinePoint<C> {
    let [x, y] = words.each_ref().map(|words| element::<C>(words));
    AffinePoint::from_coordinates(x, y).expect("a case has a point of the curve")
}

fn element<C: BinaryCurve>(words: &[u64]) -> <C::Field as CurveField>::Element {
    let bytes = <C::Field as CurveField>::Element::BYTES;
    // Whole words have more bytes than an element. The bytes beyond it are 0.
    let all: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    FieldElement::from_le_bytes(&all[..bytes]).expect("a case has elements of the field")
}

fn words<C: BinaryCurve>(p: &AffinePoint<C>) -> Vec<u64> {
    let [x, y] = p.coordinates().expect("no product here is infinity");
    [x.as_words(), y.as_words()].concat()
}
