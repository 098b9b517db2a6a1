//! Elements of a field, one by one, in slices and in batches.
use super::{element, release, run, secret};
use crate::cases::Case;
use crate::secret::{publish, word};
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Field, FieldWords};
use ctutils::{Choice, CtEq, CtSelect};

pub(super) const SINGLE: Case<ClmulCpu> = Case {
    functions: &[
        "shared::mul",
        "shared::square",
        "shared::mul_assign",
        "shared::square_assign",
        "shared::sqrt_assign",
        "shared::sqrt",
        "operations::Field::square_by_shuffles",
        "affine::Field::square_by_affine",
        "shared::invert_or_zero",
        "shared::solve_unchecked",
    ],
    run: |cpu, n| run(cpu, n, single, single, single),
};

pub(super) const SLICES: Case<ClmulCpu> = Case {
    functions: &[
        "shared::mul_slices",
        "shared::square_slice",
        "operations::Field::square_by_shuffles_slice",
        "affine::Field::square_by_affine_slice",
        "shared::sqrt_slice",
        "shared::invert_slice",
        "shared::solve_slice",
        "products::Field::scale_slice",
        "products::Field::dot",
    ],
    run: |cpu, n| run(cpu, n, slices, slices, slices),
};

/// `Gf163` is left out. LLVM encodes a move of half a register there in a way that valgrind 3.19 cannot
/// decode (c5 79 d6, `vmovq` from xmm8 or above).
pub(super) const BATCHES: Case<ClmulCpu> =
    Case { functions: &["batch::Field::batch_invert"], run: |cpu, n| run(cpu, n, batches, |_| {}, batches) };

pub(super) const ELEMENTS: Case<ClmulCpu> = Case {
    functions: &[
        "operators::square",
        "operators::sqrt",
        "operators::pow",
        "operators::invert",
        "element::Element::trace",
        "operators::solve_quadratic",
        "element::Element::is_zero",
        "element::Element::to_words",
        "element::Element::as_words",
        "element::Element::write_bytes",
    ],
    // Operators, comparison and selection too, which a macro implements.
    run: |cpu, n| run(cpu, n, elements, elements, elements),
};

fn single<F: BinaryField>(field: &Field<F>) {
    let (a, b) = (element(), element());
    let mut in_place = a;
    field.mul_assign(&mut in_place, &b);
    field.square_assign(&mut in_place);
    field.sqrt_assign(&mut in_place);
    for result in [
        in_place,
        field.mul(&a, &b),
        field.square(&a),
        field.sqrt(&a),
        field.square_by_shuffles(&a),
        field.square_by_affine(&a),
        field.invert_or_zero(&a),
        field.solve_unchecked(&a),
    ] {
        release(&result);
    }
}

/// Checks slices of 7 elements: full vectors of lanes on every backend, and a rest.
fn slices<F: BinaryField>(field: &Field<F>) {
    let (a, b) = ([(); 7].map(|()| secret::<F>()), [(); 7].map(|()| secret::<F>()));
    let mut out = [FieldWords::<F>::default(); 7];
    field.mul_slices(&a, &b, &mut out);
    field.square_slice(&a, &mut out);
    field.square_by_shuffles_slice(&a, &mut out);
    field.square_by_affine_slice(&a, &mut out);
    field.sqrt_slice(&a, &mut out);
    field.invert_slice(&a, &mut out);
    field.solve_slice(&a, &mut out);
    field.scale_slice(&a, &element(), &mut out);
    release(&field.dot(&a, &b));
    for words in out {
        words.as_ref().iter().copied().for_each(publish);
    }
}

/// Checks batches of 7 elements: several groups of lanes, and a rest.
fn batches<F: BinaryField>(field: &Field<F>) {
    let a = [(); 7].map(|()| secret::<F>());
    let mut out = [FieldWords::<F>::default(); 7];
    field.batch_invert(&a, &mut out);
    for words in out {
        words.as_ref().iter().copied().for_each(publish);
    }
}

/// Checks elements, whose operators run on the best backend, whatever the case asks for.
fn elements<F: BinaryField>(_: &Field<F>) {
    let (a, b) = (element::<F>(), element());
    let choice = Choice::from_u64_lsb(word());
    for result in [
        a * b + -a - b,
        a.square(),
        a.sqrt(),
        a.pow(11),
        a.invert().to_inner_unchecked(),
        a.solve_quadratic().to_inner_unchecked(),
        a.ct_select(&b, choice),
    ] {
        release(&result);
    }
    for choice in [a.trace(), a.is_zero(), a.ct_eq(&b)] {
        publish(choice.to_u8());
    }
    publish(u64::from(a == b));
    let mut bytes = vec![0; F::BYTES];
    a.write_bytes(&mut bytes);
    bytes.into_iter().for_each(publish);
    a.to_words().as_ref().iter().copied().for_each(publish);
}
