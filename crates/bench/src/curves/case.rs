//! The operations that are measured on every curve, their operands, and their results by the definition.
use crate::algebra::{self, Structure};
use crate::f2x::digest;
use crate::input::{Input, Tag};
use carryless_gf2::curve::{BinaryCurve, CurveField, FieldElement, Scalar};
use carryless_reference::BigUint;
use carryless_reference::curve::{self as reference, Domain};

/// Bytes of a message. Two scalars are made of 72 bytes each, and a point of the last 16.
// The longest order has 570 bits, which fit in 72 bytes.
pub(crate) const MESSAGE: usize = 160;

/// Number of products in a batch, whose figure is for one of them.
pub(crate) const BATCH: usize = 16;

/// A product of a scalar and a point, or a protocol that computes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// k P for a point P that is not known in advance.
    Variable,
    /// k G for the generator G.
    Fixed,
    /// k G + l P, as a check of an ECDSA signature computes it.
    Double,
    /// 16 independent products k P in one call.
    Batch,
    /// Verification of an ECDSA signature of a hash.
    Verify,
    /// Creation of an ECDSA signature of a hash.
    Sign,
}

use Operation::{Batch, Double, Fixed, Sign, Variable, Verify};

/// The answers of a verifying subject about a signature that the reference made: right for its hash, wrong for another.
pub(super) const VERIFIED: [u64; 2] = [1, 0];

/// The answer of a signing subject: its own verification accepts the signature.
pub(super) const SIGNED: [u64; 1] = [1];

impl algebra::Operation for Operation {
    const NAMES: &'static [(Operation, &'static str)] = &[
        (Variable, "variable-base"),
        (Fixed, "fixed-base"),
        (Double, "double-base"),
        (Batch, "batch"),
        (Verify, "ecdsa-verify"),
        (Sign, "ecdsa-sign"),
    ];
    /// A batch is compared with that of a peer, or else with its products k P one by one.
    const PAIRS: &'static [(Operation, Operation)] = &[
        (Variable, Variable),
        (Fixed, Fixed),
        (Double, Double),
        (Batch, Variable),
        (Verify, Verify),
        (Sign, Sign),
    ];

    fn count(self) -> usize {
        if self == Batch { BATCH } else { 1 }
    }
}

/// A curve, for code that does not depend on it.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The name, as `--curves` takes it: `sect233k1`.
    pub name: &'static str,
    /// The object identifier in dotted form; `None` if protocols do not know the curve.
    pub oid: Option<&'static str>,
    /// The number of bits of an element: m of the field GF(2^m).
    pub bits: usize,
    /// The exponents of f, from its degree down: the field is F2\[z\]/f, or an extension of that.
    pub(crate) f: Vec<usize>,
    pub(crate) domain: Domain,
}

/// The parameters of the curve of a type.
pub(crate) fn parameters<C: BinaryCurve>() -> Parameters {
    let f = [&[<C::Field as CurveField>::DEGREE], <C::Field as CurveField>::TAIL].concat();
    // `DEGREE` is the degree of f, `BITS` that of the whole field.
    let is_extended = <C::Field as CurveField>::BITS > f[0];
    let field = if is_extended { reference::Field::extended(&f) } else { reference::Field::new(&f) };
    let [x, y] = C::GENERATOR;
    let domain = Domain {
        curve: reference::Curve { field, a: C::A.as_words().to_vec(), b: C::B.as_words().to_vec() },
        generator: reference::Point::Affine(x.as_words().to_vec(), y.as_words().to_vec()),
        order: order::<C>(),
        cofactor: C::COFACTOR.into(),
    };
    Parameters { name: C::NAME, oid: C::OID, bits: <C::Field as CurveField>::BITS, f, domain }
}

impl Parameters {
    /// Whether coordinates are a0 + a1 u, for a0 and a1 of F2\[z\]/f.
    pub(crate) fn is_over_extension(&self) -> bool {
        self.bits > self.f[0]
    }

    /// Whether it is a Koblitz curve: a is 0 or 1, and b is 1.
    pub(super) fn is_koblitz(&self) -> bool {
        let reference::Curve { field, a, b } = &self.domain.curve;
        [field.zero(), field.one()].contains(a) && *b == field.one()
    }

    /// x and y of G, each in words of 64 bits.
    pub(crate) fn generator(&self) -> [Vec<u64>; 2] {
        coordinates(self.domain.generator.clone())
    }
}

impl Parameters {
    /// A number below n as big-endian bytes, as many as n has.
    pub(super) fn scalar_bytes(&self, number: &BigUint) -> Vec<u8> {
        let (bytes, length) = (number.to_bytes_be(), self.domain.order.bits().div_ceil(8) as usize);
        // `to_bytes_be` leaves out leading zeros, but other libraries expect a fixed length.
        [vec![0; length - bytes.len()], bytes].concat()
    }
}

/// x and y of a point, in words of 64 bits. No operand and no result here is infinity.
pub(super) fn coordinates(point: reference::Point) -> [Vec<u64>; 2] {
    let reference::Point::Affine(x, y) = point else { unreachable!("no product here is infinity") };
    [x, y]
}

/// The order n, computed from the scalar n - 1.
fn order<C: BinaryCurve>() -> BigUint {
    let mut bytes = vec![0; Scalar::<C>::BYTES];
    // The traits reveal n only through arithmetic modulo n.
    (-Scalar::<C>::one()).write_be_bytes(&mut bytes);
    BigUint::from_bytes_be(&bytes) + 1_u8
}

/// The operands of a call, made of a message.
pub(crate) struct Case {
    /// The scalar k as big-endian bytes, as many as n has.
    pub(crate) k: Vec<u8>,
    /// The scalar l as big-endian bytes, as many as n has.
    pub(crate) l: Vec<u8>,
    /// x and y of P, each in words of 64 bits.
    pub(crate) point: [Vec<u64>; 2],
}

impl Case {
    pub(crate) fn new(curve: &Parameters, input: &Input) -> Case {
        let message = input.messages()[0];
        let Domain { curve: group, generator, order, .. } = &curve.domain;
        let scalar = |bytes: &[u8]| curve.scalar_bytes(&(BigUint::from_bytes_le(bytes) % order));
        // A multiple of G is in the group of order n, as all libraries require.
        let point = coordinates(group.mul(&multiple(message), generator));
        Case { k: scalar(&message[..72]), l: scalar(&message[72..144]), point }
    }
}

/// The factor m of the operand m G, from the last 16 bytes of a message. It is short, so that
/// slow arithmetic computes it fast.
pub(super) fn multiple(message: &[u8]) -> BigUint {
    BigUint::from_bytes_le(&message[144..160])
}

impl Structure for Parameters {
    type Operation = Operation;
    const KIND: &'static str = "curve";

    fn name(&self) -> &str {
        self.name
    }

    fn degree(&self) -> usize {
        self.bits
    }

    fn message(&self) -> usize {
        MESSAGE
    }

    /// The digest of x and y of the product, or of the answers of ECDSA subjects.
    fn expected(&self, operation: Operation, input: &Input) -> Tag {
        let Case { k, l, point: [x, y] } = Case::new(self, input);
        let [k, l] = [k, l].map(|bytes| BigUint::from_bytes_be(&bytes));
        let (Domain { curve, generator, .. }, point) = (&self.domain, reference::Point::Affine(x, y));
        let product = match operation {
            Variable | Batch => curve.mul(&k, &point),
            Fixed => curve.mul(&k, generator),
            Double => curve.add(&curve.mul(&k, generator), &curve.mul(&l, &point)),
            Verify => return digest(&VERIFIED),
            Sign => return digest(&SIGNED),
        };
        digest(&coordinates(product).concat())
    }
}
