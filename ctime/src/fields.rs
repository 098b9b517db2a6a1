//! The cases of `carryless_gf2::field`: a field by the words of its elements.
use crate::cases::Case;
use crate::secret::{publish, word};
use crate::valgrind::{decodes, unreported};
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::{
    Array, BinaryField, DynField, Element, Field, FieldWords, Gf128Polyval, Gf163, Gf233, LinearMap,
    PreparedInverse, SliceMap,
    slides::NibbleTable,
    tower::{Gf254, Gf254Field},
};
use ctutils::{Choice, CtEq, CtSelect};

/// Every function that takes a secret; lengths are in words. One field reduces by products, one by folds with half a block left out,
/// one by folds of whole blocks.
pub const CASES: &[Case<ClmulCpu>] = &[
    Case {
        functions: &[
            "operations::Field::mul",
            "operations::Field::square",
            "operations::Field::mul_assign",
            "operations::Field::square_assign",
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
            "products::Field::scale_slice",
            "products::Field::dot",
        ],
        run: |cpu, n| run(cpu, n, slices, slices, slices),
    },
    // Not for `Gf163`: LLVM encodes a move of half a register there as valgrind 3.19 cannot read it (c5 79 d6, `vmovq` from xmm8 or above).
    Case { functions: &["batch::Field::batch_invert"], run: |cpu, n| run(cpu, n, batches, |_| {}, batches) },
    Case {
        functions: &[
            "map::LinearMap::apply",
            "map::LinearMap::apply_slice",
            "slices::SliceMap::apply_slice",
            "nibble_table::NibbleTable::apply",
            "prepared::PreparedInverse::invert_or_zero",
            "prepared::PreparedInverse::invert",
        ],
        run: |cpu, n| run(cpu, n, maps, maps, maps),
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
        ],
        // Operators, comparison and selection too, which a macro implements.
        run: |cpu, n| run(cpu, n, elements, elements, elements),
    },
    Case {
        functions: &[
            "operations::QuadraticField::mul",
            "operations::QuadraticField::square",
            "operations::QuadraticField::mul_assign",
            "operations::QuadraticField::square_assign",
            "operations::QuadraticField::mul_base",
            "operations::QuadraticField::sqrt",
            "operations::QuadraticField::frobenius",
            "operations::QuadraticField::norm",
            "operations::QuadraticField::invert_or_zero",
            "operations::QuadraticField::solve_unchecked",
            "operations::QuadraticField::mul_slices",
            "operations::QuadraticField::mul_base_slices",
            "operations::QuadraticField::square_slice",
            "operations::QuadraticField::sqrt_slice",
            "operations::QuadraticField::norm_slice",
            "operations::QuadraticField::invert_slice",
            "batch::QuadraticField::batch_invert",
            "element::QuadraticElement::from_coefficients",
            "element::QuadraticElement::coefficients",
            "element::QuadraticElement::to_words",
            "element::QuadraticElement::as_words",
            "element::QuadraticElement::write_bytes",
            "element::QuadraticElement::square",
            "element::QuadraticElement::sqrt",
            "element::QuadraticElement::pow",
            "element::QuadraticElement::frobenius",
            "element::QuadraticElement::conjugate",
            "element::QuadraticElement::mul_u",
            "element::QuadraticElement::invert",
            "element::QuadraticElement::norm",
            "element::QuadraticElement::trace_to_base",
            "element::QuadraticElement::trace",
            "element::QuadraticElement::solve_quadratic",
            "element::QuadraticElement::is_zero",
            "element::QuadraticElement as From",
            "element::QuadraticElement as MulAssign",
            "element::QuadraticElement as Mul",
        ],
        run: tower,
    },
    Case {
        functions: &[
            "array::Array::as_words",
            "array::Array::get",
            "array::Array::iter",
            "array::Array::set",
            "array::Array::to_bytes",
            "array::Array::write_bytes",
            "array::Array as CtEq",
            "array::Array as FromIterator",
            "array::Array as PartialEq",
            "elementwise::Array::add",
            "elementwise::Array::add_in_place",
            "elementwise::Array::add_scalar",
            "elementwise::Array::add_scalar_in_place",
            "elementwise::Array::invert",
            "elementwise::Array::invert_in_place",
            "elementwise::Array::invert_or_zero",
            "elementwise::Array::invert_or_zero_in_place",
            "elementwise::Array::mul",
            "elementwise::Array::mul_in_place",
            "elementwise::Array::mul_scalar",
            "elementwise::Array::mul_scalar_in_place",
            "elementwise::Array::pow",
            "elementwise::Array::pow_in_place",
            "elementwise::Array::sqrt",
            "elementwise::Array::sqrt_in_place",
            "elementwise::Array::square",
            "elementwise::Array::square_in_place",
            "elementwise::Array::traces",
            "polynomial::Array::dot",
            "polynomial::Array::evaluate",
            "polynomial::Array::evaluate_many",
            "polynomial::Array::interpolate",
            "polynomial::Array::mul_vector",
        ],
        run: |cpu, n| run(cpu, n, arrays, |_| {}, arrays),
    },
    Case {
        functions: &[
            "operations::DynField::add",
            "operations::DynField::mul",
            "operations::DynField::square",
            "operations::DynField::frobenius",
            "operations::DynField::sqrt",
            "operations::DynField::trace",
            "operations::DynField::invert_or_zero",
            "operations::DynField::solve_unchecked",
            "operations::DynField::pow",
        ],
        run: dynamic,
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
    ("element::QuadraticElement::zero", "takes nothing"),
    ("element::QuadraticElement::one", "takes nothing"),
    ("element::QuadraticElement::u", "takes nothing"),
    ("element::QuadraticElement::from_words", "as Element::from_words"),
    ("element::QuadraticElement::from_bytes", "as Element::from_bytes"),
    ("operations::QuadraticField::new", "takes nothing"),
    ("operations::QuadraticField::on", "takes a machine"),
    ("operations::QuadraticField::cpu", "takes nothing"),
    ("operations::QuadraticField::base", "takes nothing"),
    ("operations::QuadraticField as Default", "takes nothing"),
    ("array::Array::zeros", "takes nothing"),
    ("array::Array::from_words", "as Element::from_words"),
    ("array::Array::from_bytes", "as Element::from_bytes"),
    ("array::Array::len", "lengths are public"),
    ("array::Array::is_empty", "lengths are public"),
    ("euclid::Element::invert_vartime", "takes public elements, as its name says"),
    ("slides::mul_by_comb_vartime", "takes public elements, as its name says"),
    ("slides::mul_by_shuffles_vartime", "takes public elements, as its name says"),
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
    ("dynamic::DynField::exponents", "f is public"),
    ("dynamic::DynField::cpu", "takes nothing"),
    ("dynamic::DynField::tail_words", "f is public"),
    ("dynamic::DynField::counts", "f is public"),
    ("dynamic::DynField as PartialEq", "f is public"),
    ("operations::Field::new", "takes nothing"),
    ("operations::Field::on", "takes a machine"),
    ("operations::Field::cpu", "takes nothing"),
    ("operations::Field as Default", "takes nothing"),
    ("map::LinearMap::words", "takes a machine"),
    ("map::LinearMap::from_images_in", "maps are public"),
    ("map::LinearMap::frobenius_in", "maps are public"),
    ("map::LinearMap::solution_in", "maps are public"),
    ("map::LinearMap::from_images", "maps are public"),
    ("map::LinearMap::frobenius", "maps are public"),
    ("map::LinearMap::solution", "maps are public"),
    ("slices::SliceMap::words", "takes a machine"),
    ("slices::SliceMap::new_in", "maps are public"),
    ("slices::SliceMap::new", "maps are public"),
    ("prepared::PreparedInverse::words", "takes a machine"),
    ("prepared::PreparedInverse::new_in", "takes no element"),
    ("prepared::PreparedInverse::new", "takes no element"),
    ("inspected::inspected", "for cargo xtask asm only"),
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
    let mut in_place = a;
    field.mul_assign(&mut in_place, &b);
    field.square_assign(&mut in_place);
    for result in [
        in_place,
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

/// With f that is known at run time: reduced by products by constants, by one word and by two.
fn dynamic(cpu: ClmulCpu, n: usize) {
    let exponents: &[usize] = match n {
        2 => &[128, 127, 126, 121, 0],
        3 => &[163, 7, 6, 3, 0],
        4 => &[233, 74, 0],
        _ => return,
    };
    if !decodes(cpu, n) {
        return;
    }
    let field = DynField::on(cpu, &Poly::from_exponents(exponents.iter().copied())).expect("irreducible");
    let words = || -> Vec<u64> { (0..n).map(|_| word()).collect() };
    let (a, b, mut out) = (words(), words(), vec![0; n]);
    let mut release = |compute: &dyn Fn(&mut [u64])| {
        compute(&mut out);
        out.iter().copied().for_each(publish);
    };
    release(&|out| field.add(&a, &b, out));
    release(&|out| field.mul(&a, &b, out));
    release(&|out| field.square(&a, out));
    release(&|out| field.frobenius(&a, 3, out));
    release(&|out| field.sqrt(&a, out));
    release(&|out| field.invert_or_zero(&a, out));
    release(&|out| field.solve_unchecked(&a, out));
    release(&|out| field.pow(&a, &[11], out));
    publish(field.trace(&a).to_u8());
}

/// GF(2^254). Functions of elements run on the best machine, whatever the case asks for.
fn tower(cpu: ClmulCpu, n: usize) {
    if n != 2 {
        return;
    }
    let (field, base) = (Gf254Field::on(cpu), element());
    let [a, b] = [(); 2].map(|()| Gf254::from_coefficients([element(), element()]));
    let choice = Choice::from_u64_lsb(word());
    let (words, base_words) = ([a, b, a, b, a].map(|x| x.to_words()), [base.to_words(); 5]);
    let mut norms = base_words;
    field.norm_slice(&words, &mut norms);
    let mut out = [(); 6].map(|()| words);
    field.mul_slices(&words, &words, &mut out[0]);
    field.mul_base_slices(&words, &base_words, &mut out[1]);
    field.square_slice(&words, &mut out[2]);
    field.sqrt_slice(&words, &mut out[3]);
    field.invert_slice(&words, &mut out[4]);
    field.batch_invert(&words, &mut out[5]);
    out.as_flattened().as_flattened().iter().chain(&norms).flatten().copied().for_each(publish);
    let mut in_place = a;
    field.mul_assign(&mut in_place, &b);
    field.square_assign(&mut in_place);
    for result in [
        in_place,
        field.mul(&a, &b),
        field.square(&a),
        field.mul_base(&a, &base),
        field.sqrt(&a),
        field.frobenius(&a, 5),
        field.invert_or_zero(&a),
        field.solve_unchecked(&a),
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

/// Lanes, and a rest.
fn slices<F: BinaryField>(field: &Field<F>) {
    let (a, b) = ([(); 7].map(|()| secret::<F>()), [(); 7].map(|()| secret::<F>()));
    let mut out = [FieldWords::<F>::default(); 7];
    field.mul_slices(&a, &b, &mut out);
    field.square_slice(&a, &mut out);
    field.square_by_shuffles_slice(&a, &mut out);
    field.sqrt_slice(&a, &mut out);
    field.invert_slice(&a, &mut out);
    field.scale_slice(&a, &element(), &mut out);
    release(&field.dot(&a, &b));
    for words in out {
        words.as_ref().iter().copied().for_each(publish);
    }
}

/// Several groups of lanes, and a rest.
fn batches<F: BinaryField>(field: &Field<F>) {
    let a = [(); 7].map(|()| secret::<F>());
    let mut out = [FieldWords::<F>::default(); 7];
    field.batch_invert(&a, &mut out);
    for words in out {
        words.as_ref().iter().copied().for_each(publish);
    }
}

/// An element whose lowest three bits are public: it is neither 0 nor one with others.
fn distinct<F: BinaryField>(bits: u64) -> Element<F> {
    let mut words = secret::<F>();
    words.as_mut()[0] = words.as_ref()[0] & !7 | bits;
    Element::from_words(words).expect("below z^m")
}

/// On the best machine, whatever the case asks for.
fn arrays<F: BinaryField>(_: &Field<F>) {
    let (a, scalar) = ((1..8).map(distinct).collect::<Array<F>>(), element::<F>());
    let mut b: Array<F> = (0..7).map(|_| element()).collect();
    publish(b.set(3, scalar));
    release(&a.get(2).expect("seven elements"));
    let mut results = vec![
        a.add(&b).expect("of one length"),
        a.mul(&b).expect("of one length"),
        a.add_scalar(&scalar),
        a.mul_scalar(&scalar),
        a.square(),
        a.sqrt(),
        a.pow(11),
        a.invert_or_zero(),
        a.evaluate_many(&b),
        a.mul_vector(1, &b).expect("one row"),
    ];
    publish(b.add_in_place(&a).and(b.mul_in_place(&a)));
    b.add_scalar_in_place(&scalar);
    b.mul_scalar_in_place(&scalar);
    b.square_in_place();
    b.sqrt_in_place();
    b.pow_in_place(11);
    b.invert_or_zero_in_place();
    // Whether an element is zero, or two points are equal, is public.
    results.push(unreported(|| a.invert()).expect("no zeros"));
    results.push(unreported(|| Array::interpolate(&a, &b)).expect("different points"));
    let mut inverses = a.clone();
    publish(unreported(|| inverses.invert_in_place()));
    results.extend([inverses, b]);
    release(&a.dot(&results[0]).expect("of one length"));
    release(&a.evaluate(&scalar));
    for trace in a.traces().into_iter().chain([a.ct_eq(&results[0])]) {
        publish(trace.to_u8());
    }
    publish(u64::from(a == results[0]));
    let mut bytes = a.to_bytes();
    publish(a.write_bytes(&mut bytes));
    bytes.into_iter().for_each(publish);
    for result in &results {
        result.iter().for_each(|element| release(&element));
        result.as_words().iter().for_each(|words| words.as_ref().iter().copied().for_each(publish));
    }
}

/// Maps are made of public elements; what they are applied to is secret.
fn maps<F: BinaryField>(field: &Field<F>) {
    let (map, prepared) = (LinearMap::frobenius(field, 5), PreparedInverse::new(field));
    let (a, mut out) = (element(), [FieldWords::<F>::default(); 2]);
    map.apply_slice(&[secret::<F>(), secret::<F>()], &mut out);
    out.iter().flat_map(|words| words.as_ref()).copied().for_each(publish);
    // A whole group of 16 elements on each of two lanes, and a part.
    let (many, mut out) = ([(); 33].map(|()| secret::<F>()), [FieldWords::<F>::default(); 33]);
    SliceMap::new(&map).apply_slice(&many, &mut out);
    out.iter().flat_map(|words| words.as_ref()).copied().for_each(publish);
    for result in [
        map.apply(&a),
        NibbleTable::frobenius(field, 5).apply(&a),
        prepared.invert_or_zero(&a),
        prepared.invert(&a).to_inner_unchecked(),
    ] {
        release(&result);
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
