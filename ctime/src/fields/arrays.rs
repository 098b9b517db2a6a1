//! Arrays of elements.
use super::{element, release, run, secret};
use crate::cases::Case;
use crate::secret::publish;
use crate::valgrind::unreported;
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{Array, BinaryField, Element, Field};
use ctutils::CtEq;

pub(super) const ARRAYS: Case<ClmulCpu> = Case {
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
        "maps::Array::frobenius",
        "maps::Array::frobenius_in_place",
        "maps::Array::solve_quadratic",
        "maps::Array::solve_quadratic_in_place",
        "maps::Array::solve_unchecked",
        "maps::Array::solve_unchecked_in_place",
        "polynomial::Array::dot",
        "polynomial::Array::evaluate",
        "polynomial::Array::evaluate_many",
        "polynomial::Array::interpolate",
        "polynomial::Array::mul_vector",
    ],
    run: |cpu, n| run(cpu, n, arrays, |_| {}, arrays),
};

/// A secret element with these lowest three bits. They are public, so that it differs from 0 and from the others.
fn distinct<F: BinaryField>(bits: u64) -> Element<F> {
    let mut words = secret::<F>();
    words.as_mut()[0] = words.as_ref()[0] & !7 | bits;
    Element::from_words(words).expect("below z^m")
}

/// Checks arrays, which compute on the best backend, whatever the case asks for.
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
        a.frobenius(11),
        a.solve_unchecked(),
    ];
    publish(b.add_in_place(&a).and(b.mul_in_place(&a)));
    b.add_scalar_in_place(&scalar);
    b.mul_scalar_in_place(&scalar);
    b.square_in_place();
    b.sqrt_in_place();
    b.pow_in_place(11);
    b.invert_or_zero_in_place();
    b.frobenius_in_place(11);
    b.solve_unchecked_in_place();
    // Whether an element is zero, or two points are equal, is public.
    results.push(unreported(|| a.invert()).expect("no zeros"));
    results.push(unreported(|| Array::interpolate(&a, &b)).expect("different points"));
    let mut inverses = a.clone();
    publish(unreported(|| inverses.invert_in_place()));
    // Whether there is a solution is public, too.
    let mut solvable = a.square().add(&a).expect("of one length");
    results.push(unreported(|| solvable.solve_quadratic()).expect("traces are 0"));
    publish(unreported(|| solvable.solve_quadratic_in_place()));
    results.extend([inverses, b, solvable]);
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
