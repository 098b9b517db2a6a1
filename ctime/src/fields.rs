//! The cases of `carryless_gf2::field`: a field by the words of its elements.
use crate::cases::Case;
use crate::secret::{publish, word};
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords, Gf128Polyval, Gf163, Gf233};
use ctutils::{Choice, CtEq, CtSelect};

/// Every function that takes a secret; lengths are in words. One field reduces by products, one by folds with half a block left out,
/// one by folds of whole blocks.
pub const CASES: &[Case<ClmulCpu>] = &[
    Case {
        functions: &[
            "operations::Field::mul",
            "operations::Field::square",
            "operations::Field::sqrt",
            "operations::Field::square_by_shuffles",
            "operations::Field::invert_or_zero",
            "operations::Field::solve_unchecked",
        ],
        run: |cpu, n| run(cpu, n, single, single, single),
    },
    Case {
        functions: &[
            "operations::Field::mul_slices",
            "operations::Field::square_slice",
            "operations::Field::square_by_shuffles_slice",
            "operations::Field::sqrt_slice",
            "operations::Field::invert_slice",
        ],
        run: |cpu, n| run(cpu, n, slices, slices, slices),
    },
    Case {
        functions: &[
            "element::Element::square",
            "element::Element::sqrt",
            "element::Element::pow",
            "element::Element::invert",
            "element::Element::trace",
            "element::Element::solve_quadratic",
            "element::Element::is_zero",
            "element::Element::to_words",
            "element::Element::as_words",
            "element::Element::write_bytes",
            "element::Element as CtEq",
            "element::Element as CtSelect",
            "element::Element as PartialEq",
            "element::Element as AddAssign",
            "element::Element as Add",
            "element::Element as SubAssign",
            "element::Element as Sub",
            "element::Element as Neg",
            "element::Element as MulAssign",
            "element::Element as Mul",
        ],
        run: |cpu, n| run(cpu, n, elements, elements, elements),
    },
];

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("element::Element::zero", "takes nothing"),
    ("element::Element::one", "takes nothing"),
    ("element::Element::z", "takes nothing"),
    (
        "element::Element::from_words",
        "every case makes its elements by it; whether words are an element is public",
    ),
    (
        "element::Element::from_bytes",
        "words, as from_words takes them; whether bytes are an element is public",
    ),
    ("element::Element as Default", "takes nothing"),
    ("operations::Field::new", "takes nothing"),
    ("operations::Field::on", "takes a machine"),
    ("operations::Field::cpu", "takes nothing"),
    ("operations::Field as Default", "takes nothing"),
];

/// The function for the field whose elements have n words.
fn run(
    cpu: ClmulCpu,
    n: usize,
    polyval: fn(&Field<Gf128Polyval>),
    gf163: fn(&Field<Gf163>),
    gf233: fn(&Field<Gf233>),
) {
    match n {
        2 => polyval(&Field::on(cpu)),
        3 => gf163(&Field::on(cpu)),
        4 => gf233(&Field::on(cpu)),
        _ => {}
    }
}

/// Secret words below z^m.
fn secret<F: BinaryField>() -> FieldWords<F> {
    let mut words = FieldWords::<F>::default();
    let last = words.as_ref().len() - 1;
    for (i, place) in words.as_mut().iter_mut().enumerate() {
        *place = word() & if i == last { u64::MAX >> (64 * (last + 1) - F::DEGREE) } else { u64::MAX };
    }
    words
}

fn element<F: BinaryField>() -> Element<F> {
    Element::from_words(secret::<F>()).expect("below z^m")
}

fn release<F: BinaryField>(element: &Element<F>) {
    for word in element.as_words() {
        publish(*word);
    }
}

fn single<F: BinaryField>(field: &Field<F>) {
    let (a, b) = (element(), element());
    for result in [
        field.mul(&a, &b),
        field.square(&a),
        field.sqrt(&a),
        field.square_by_shuffles(&a),
        field.invert_or_zero(&a),
        field.solve_unchecked(&a),
    ] {
        release(&result);
    }
}

/// Lanes, and a rest.
fn slices<F: BinaryField>(field: &Field<F>) {
    let (a, b) = ([(); 7].map(|()| secret::<F>()), [(); 7].map(|()| secret::<F>()));
    let mut out = [FieldWords::<F>::default(); 7];
    field.mul_slices(&a, &b, &mut out);
    field.square_slice(&a, &mut out);
    field.square_by_shuffles_slice(&a, &mut out);
    field.sqrt_slice(&a, &mut out);
    field.invert_slice(&a, &mut out);
    for words in out {
        words.as_ref().iter().copied().for_each(publish);
    }
}

/// On the best machine, whatever the case asks for.
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
