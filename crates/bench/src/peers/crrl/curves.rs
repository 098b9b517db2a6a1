//! GLS254 of crrl: the same curve and generator, in other coordinates of the group of order n.
//!
//! With lambda = x + y / x, and u with u^2 + u + 1 = 0, crrl encodes (x, y) as w = lambda^2 + u. (It computes
//! on the image of the curve under (x^4, y^4 + b^2), with its point of order two added, and encodes sqrt(s /
//! x) there; substituted, this is w.) Back from w, x is a root of x^4 + d x^2 + b with d = w + lambda. The
//! two roots are x and x + sqrt(d). The one whose trace is that of u, 1, is in the group of order n.
use super::NAME;
use crate::algebra::subject;
use crate::calls::repeat;
use crate::curves::case::{Case, Operation, Parameters};
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use crrl::field::GFb254;
use crrl::gls254::{Point, Scalar};
use std::hint::black_box;

const U: GFb254 = GFb254::w64le(0, 0, 1, 0);
/// The coefficient b = 1 + z^27 of the curve.
const B: GFb254 = GFb254::w64le(1 + (1 << 27), 0, 0, 0);

/// crrl's products on a curve; none unless the curve is GLS254.
pub(crate) fn subjects(curve: &Parameters) -> Vec<(Operation, Subject)> {
    if curve.name != "gls254" {
        return vec![];
    }
    let one = |operation| subject(NAME, operation, "any", Gls254 { curve: curve.clone(), operation });
    [Operation::Variable, Operation::Fixed, Operation::Double].map(one).into()
}

struct Gls254 {
    curve: Parameters,
    operation: Operation,
}

impl Work for Gls254 {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        let case = Case::new(&self.curve, input);
        let [k, l] = [&case.k, &case.l].map(|bytes| {
            // crrl reads scalars with the lowest byte first.
            let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
            Scalar::decode(&bytes).expect("the order is the same")
        });
        let p = point(&case.point);
        match self.operation {
            // Products stay projective. `coordinates` converts the first one, outside the timing.
            Operation::Variable => repeat(move || black_box(p) * k, coordinates),
            Operation::Fixed => repeat(move || Point::mulgen(black_box(&k)), coordinates),
            // The first factor is that of the point, the second that of the generator.
            Operation::Double => repeat(move || black_box(p).mul_add_mulgen_vartime(&l, &k), coordinates),
            _ => unreachable!("no subject"),
        }
    }
}

fn point(coordinates: &[Vec<u64>; 2]) -> Point {
    let [x, y] = coordinates.each_ref().map(|words| GFb254::w64le(words[0], words[1], words[2], words[3]));
    let w = (x + y / x).square() + U;
    Point::decode(&w.encode()).expect("a case has a point of the group")
}

/// x and y of a point, in words of 64 bits.
fn coordinates(p: &Point) -> Vec<u64> {
    let w = GFb254::decode(&p.encode()).expect("an element");
    let lambda = (w + U).sqrt();
    let d = w + lambda;
    let x = (d * (B / d.square()).qsolve()).sqrt();
    let x = if x.trace() == 1 { x } else { x + d.sqrt() };
    // This solves lambda = x + y / x for y.
    let y = x * (lambda + x);
    [x, y]
        .iter()
        .flat_map(|element| element.encode())
        .collect::<Vec<u8>>()
        .chunks(8)
        .map(crate::f2x::word)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Structure;
    use crate::curves::case::parameters;
    use crate::input::Fill;
    use carryless_gf2::curve::{Gls254, Sect233k1};

    #[test]
    fn crrl_has_the_same_curve_and_generator() {
        let curve = parameters::<Gls254>();
        assert_eq!(point(&curve.generator()).equals(Point::BASE), u32::MAX);
        assert_eq!(coordinates(&Point::BASE), curve.generator().concat());
        for fill in [Fill::Ones, Fill::Random(1), Fill::Random(2)] {
            let input = Input::new(curve.message(), 1, fill);
            let case = Case::new(&curve, &input);
            assert_eq!(coordinates(&point(&case.point)), case.point.concat());
            for (operation, subject) in subjects(&curve) {
                assert_eq!(subject.tags(&input), [curve.expected(operation, &input)], "{}", subject.name);
            }
        }
        assert!(subjects(&parameters::<Sect233k1>()).is_empty());
    }
}
