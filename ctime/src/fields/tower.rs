//! The quadratic extension GF(2^254).
use super::{element, release};
use crate::cases::Case;
use crate::secret::{publish, word};
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::tower::{Gf254, Gf254Field, PreparedSolution};
use ctutils::{Choice, CtEq, CtSelect};

pub(super) const TOWER: Case<ClmulCpu> = Case {
    functions: &[
        "shared::mul",
        "shared::square",
        "shared::mul_assign",
        "shared::square_assign",
        "shared::sqrt_assign",
        "operations::QuadraticField::mul_base",
        "shared::sqrt",
        "operations::QuadraticField::frobenius",
        "operations::QuadraticField::norm",
        "shared::invert_or_zero",
        "shared::solve_unchecked",
        "prepared::PreparedSolution::solve_unchecked",
        "prepared::PreparedSolution::solve_quadratic",
        "shared::mul_slices",
        "operations::QuadraticField::mul_base_slices",
        "shared::square_slice",
        "shared::sqrt_slice",
        "operations::QuadraticField::norm_slice",
        "shared::invert_slice",
        "shared::solve_slice",
        "batch::QuadraticField::batch_invert",
        "element::QuadraticElement::from_coefficients",
        "element::QuadraticElement::coefficients",
        "element::QuadraticElement::to_words",
        "element::QuadraticElement::as_words",
        "element::QuadraticElement::write_bytes",
        "operators::square",
        "operators::sqrt",
        "operators::pow",
        "operators::QuadraticElement::frobenius",
        "element::QuadraticElement::conjugate",
        "element::QuadraticElement::mul_u",
        "operators::invert",
        "operators::QuadraticElement::norm",
        "element::QuadraticElement::trace_to_base",
        "element::QuadraticElement::trace",
        "operators::solve_quadratic",
        "element::QuadraticElement::is_zero",
        "element::QuadraticElement as From",
        "operators::QuadraticElement as MulAssign",
        "operators::QuadraticElement as Mul",
    ],
    run: tower,
};

/// GF(2^254). Functions of elements run on the best backend, whatever the case asks for.
fn tower(cpu: ClmulCpu, n: usize) {
    if n != 2 {
        return;
    }
    let (field, base) = (Gf254Field::on(cpu), element());
    let prepared = PreparedSolution::new(&field);
    let [a, b] = [(); 2].map(|()| Gf254::from_coefficients([element(), element()]));
    let choice = Choice::from_u64_lsb(word());
    let (words, base_words) = ([a, b, a, b, a].map(|x| x.to_words()), [base.to_words(); 5]);
    let mut norms = base_words;
    field.norm_slice(&words, &mut norms);
    let mut out = [(); 7].map(|()| words);
    field.mul_slices(&words, &words, &mut out[0]);
    field.mul_base_slices(&words, &base_words, &mut out[1]);
    field.square_slice(&words, &mut out[2]);
    field.sqrt_slice(&words, &mut out[3]);
    field.invert_slice(&words, &mut out[4]);
    field.batch_invert(&words, &mut out[5]);
    field.solve_slice(&words, &mut out[6]);
    out.as_flattened().as_flattened().iter().chain(&norms).flatten().copied().for_each(publish);
    let mut in_place = a;
    field.mul_assign(&mut in_place, &b);
    field.square_assign(&mut in_place);
    field.sqrt_assign(&mut in_place);
    for result in [
        in_place,
        field.mul(&a, &b),
        field.square(&a),
        field.mul_base(&a, &base),
        field.sqrt(&a),
        field.frobenius(&a, 5),
        field.invert_or_zero(&a),
        field.solve_unchecked(&a),
        prepared.solve_unchecked(&a),
        prepared.solve_quadratic(&b).to_inner_unchecked(),
        a * b + -a - b * base,
        a.square() + a.sqrt() + a.pow(11) + a.frobenius(3),
        a.conjugate() + a.mul_u() + base.into(),
        a.invert().to_inner_unchecked(),
        a.solve_quadratic().to_inner_unchecked(),
        a.ct_select(&b, choice),
    ] {
        result.as_words().iter().copied().for_each(publish);
    }
    for element in [field.norm(&a), a.norm(), a.trace_to_base()].into_iter().chain(a.coefficients()) {
        release(&element);
    }
    for choice in [a.trace(), a.is_zero(), a.ct_eq(&b)] {
        publish(choice.to_u8());
    }
    publish(u64::from(a == b));
    let mut bytes = [0; Gf254::BYTES];
    a.write_bytes(&mut bytes);
    bytes.into_iter().for_each(publish);
}
