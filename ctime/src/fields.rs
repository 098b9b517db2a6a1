//! The cases of `carryless_gf2::field`. The length selects the field: it is the number of words of an
//! element.
mod arrays;
mod dynamic;
mod elements;
mod maps;
mod tower;

use crate::cases::Case;
use crate::secret::{publish, word};
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords, Gf128Polyval, Gf163, Gf233};

/// A case for every function that takes a secret. One field reduces by products, one by folds with half a
/// block left over, one by folds of whole blocks.
pub const CASES: &[Case<ClmulCpu>] = &[
    elements::SINGLE,
    elements::SLICES,
    elements::BATCHES,
    maps::MAPS,
    elements::ELEMENTS,
    tower::TOWER,
    arrays::ARRAYS,
    dynamic::DYNAMIC,
    dynamic::DYNAMIC_SOLUTION,
    dynamic::PACKED,
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
    ("element::QuadraticElement::zero", "takes nothing"),
    ("element::QuadraticElement::one", "takes nothing"),
    ("element::QuadraticElement::u", "takes nothing"),
    ("element::QuadraticElement::from_words", "as Element::from_words"),
    ("element::QuadraticElement::from_bytes", "as Element::from_bytes"),
    ("shared::new", "takes nothing"),
    ("shared::on", "takes a backend"),
    ("shared::cpu", "takes nothing"),
    ("operations::QuadraticField::base", "takes nothing"),
    ("array::Array::zeros", "takes nothing"),
    ("array::Array::from_words", "as Element::from_words"),
    ("array::Array::from_bytes", "as Element::from_bytes"),
    ("array::Array::len", "lengths are public"),
    ("array::Array::is_empty", "lengths are public"),
    ("euclid::Element::invert_vartime", "takes public elements, as its name says"),
    ("nibble_products::mul_by_comb_vartime", "takes public elements, as its name says"),
    ("nibble_products::mul_by_shuffles_vartime", "takes public elements, as its name says"),
    ("nibble_table::NibbleTable::from_images_in", "maps are public"),
    ("nibble_table::NibbleTable::frobenius_in", "maps are public"),
    ("nibble_table::NibbleTable::from_images", "maps are public"),
    ("nibble_table::NibbleTable::frobenius", "maps are public"),
    ("nibble_table::NibbleTable::apply_vartime", "takes public elements, as its name says"),
    ("nibble_table::HalfTraceTable::new_in", "takes no element"),
    ("nibble_table::HalfTraceTable::new", "takes no element"),
    ("nibble_table::HalfTraceTable::apply_vartime", "takes public elements, as its name says"),
    ("dynamic::DynField::new", "f is public"),
    ("dynamic::DynField::on", "f is public"),
    ("dynamic::DynField::from_exponents", "f is public"),
    ("dynamic::DynField::from_modulus", "f is public"),
    ("dynamic::DynField::degree", "f is public"),
    ("dynamic::DynField::words", "f is public"),
    ("packed::DynField::packed_bytes", "f is public"),
    ("dynamic::DynField::exponents", "f is public"),
    ("dynamic::DynField::cpu", "takes nothing"),
    ("dynamic::DynField::tail_words", "f is public"),
    ("dynamic::DynField::counts", "f is public"),
    ("prepared::DynInverse::new", "f is public"),
    ("prepared::DynInverse::field", "f is public"),
    ("group::Group::new", "f is public"),
    ("group::Group::order", "f is public"),
    ("group::Group::has_table", "f is public"),
    ("group::Group::prime_divisors", "f is public"),
    ("group::Group::order_of_vartime", "takes public elements, as its name says"),
    ("group::Group::generator_vartime", "takes public elements, as its name says"),
    ("group::Group::logarithms_vartime", "takes public elements, as its name says"),
    ("group::Logarithms::of_vartime", "takes public elements, as its name says"),
    ("group::Logarithms::order_of_vartime", "takes public elements, as its name says"),
    ("dynamic::DynField as PartialEq", "f is public"),
    ("map::LinearMap::words", "takes a backend"),
    ("map::LinearMap::from_images_in", "maps are public"),
    ("map::LinearMap::frobenius_in", "maps are public"),
    ("map::LinearMap::solution_in", "maps are public"),
    ("map::LinearMap::from_images", "maps are public"),
    ("map::LinearMap::frobenius", "maps are public"),
    ("map::LinearMap::solution", "maps are public"),
    ("slices::SliceMap::words", "takes a backend"),
    ("slices::SliceMap::new_in", "maps are public"),
    ("slices::SliceMap::new", "maps are public"),
    ("prepared::PreparedInverse::words", "takes a backend"),
    ("prepared::PreparedInverse::new_in", "takes no element"),
    ("prepared::PreparedInverse::new", "takes no element"),
    ("prepared::PreparedSolution::words", "takes a backend"),
    ("prepared::PreparedSolution::new_in", "takes no element"),
    ("prepared::PreparedSolution::new", "takes no element"),
    ("asm_probes::asm_probes", "for cargo xtask asm only"),
];

/// Calls the function for the field whose elements have `n` words, if there is one.
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

/// Words of a secret element. The bits from z^m on are zero, as `Element::from_words` requires.
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
