//! The times of fields GF(2^m) on the best backend: products, squares and square roots that wait for each other, in place, and in slices; inverses by matrices; and arrays of 10^6
//! elements beside sums, which do nothing but read and write memory.
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo run --release -p carryless-gf2 --example measure_fields
//! ```
//!
//! Nanoseconds of an element, the least of many batches. Results are compared first: single ones with those of slices, roots with what was squared.
use carryless_gf2::field::{self, Array, BinaryField, Element, Field, FieldWords, PreparedInverse};
use std::hint::black_box;
use std::time::Instant;

/// Elements of a slice, and calls in a chain.
const SLICE: usize = 64;
const CHAIN: usize = 1000;
/// Elements of a large array.
const LARGE: usize = 1_000_000;

/// The least nanoseconds of an element, of so many batches.
fn least(batches: usize, elements: usize, mut batch: impl FnMut()) -> f64 {
    let mut time = || {
        let start = Instant::now();
        batch();
        start.elapsed().as_nanos() as f64 / elements as f64
    };
    (0..batches).map(|_| time()).fold(f64::INFINITY, f64::min)
}

/// The powers x, x^2, x^3, ... of a fixed element x, `count` of them.
fn powers<F: BinaryField>(count: usize) -> Vec<FieldWords<F>> {
    let mut bytes = vec![0; F::BYTES];
    bytes[..3].copy_from_slice(&[0x53, 0x71, 0x11]);
    let first = Element::<F>::from_bytes(&bytes).expect("below z^m");
    std::iter::successors(Some(first), |x| Some(*x * first)).take(count).map(|x| x.to_words()).collect()
}

/// Calls that wait for each other, each in place.
fn chain<F: BinaryField>(first: FieldWords<F>, call: impl Fn(&mut Element<F>)) -> f64 {
    let mut x = Element::<F>::from_words(first).expect("an element");
    least(500, CHAIN, || (0..CHAIN).for_each(|_| call(&mut x)))
}

/// Calls that take a slice.
fn of_slice(mut call: impl FnMut()) -> f64 {
    least(1000, CHAIN * SLICE / 10, || (0..CHAIN / 10).for_each(|_| call()))
}

fn check<F: BinaryField>(field: &Field<F>, a: &[FieldWords<F>]) {
    let [mut products, mut squares, mut roots] = [(); 3].map(|()| a.to_vec());
    field.mul_slices(a, a, &mut products);
    field.square_slice(a, &mut squares);
    field.sqrt_slice(&squares, &mut roots);
    for (i, words) in a.iter().enumerate() {
        let x = Element::<F>::from_words(*words).expect("an element");
        let (mut product, mut square) = (x, x);
        field.mul_assign(&mut product, &x);
        field.square_assign(&mut square);
        let mut root = square;
        field.sqrt_assign(&mut root);
        assert_eq!([product, square, root].map(|x| x.to_words()), [products[i], squares[i], roots[i]]);
        assert_eq!((product, root), (square, x), "{}", F::NAME);
    }
}

fn measure<F: BinaryField>() {
    let (field, a) = (Field::<F>::new(), powers::<F>(SLICE));
    check(&field, &a);
    let factor = Element::<F>::from_words(a[1]).expect("an element");
    let prepared = PreparedInverse::new(&field);
    assert_eq!(prepared.invert_or_zero(&factor) * factor, Element::one());
    let chains = [
        chain::<F>(a[0], |x| field.mul_assign(x, &factor)),
        chain::<F>(a[0], |x| field.square_assign(x)),
        chain::<F>(a[0], |x| field.sqrt_assign(x)),
        chain::<F>(a[0], |x| *x = prepared.invert_or_zero(x)),
    ];
    let mut out = a.clone();
    let slices = [
        of_slice(|| field.mul_slices(black_box(&a), black_box(&a), &mut out)),
        of_slice(|| field.square_slice(black_box(&a), &mut out)),
        of_slice(|| field.sqrt_slice(black_box(&a), &mut out)),
    ];
    print!("{:10}", F::NAME);
    chains.iter().chain(&slices).for_each(|time| print!(" {time:8.2}"));
    println!(" {:8.2} {:8.2}", chains[2] / chains[1], slices[2] / slices[1]);
}

/// Products and sums of arrays: into a new one, and in place.
fn arrays<F: BinaryField>() {
    let a = Array::<F>::from_words(&powers::<F>(LARGE)).expect("elements");
    let mut b = a.clone();
    let expect = "of the same length";
    let times = [
        least(40, LARGE, || drop(black_box(a.mul(&b).expect(expect)))),
        least(40, LARGE, || drop(black_box(a.add(&b).expect(expect)))),
        least(40, LARGE, || b.mul_in_place(&a).expect(expect)),
        least(40, LARGE, || b.add_in_place(&a).expect(expect)),
    ];
    println!("arrays of {LARGE}, {}: product and sum into a new one, in place", F::NAME);
    times.iter().for_each(|time| print!(" {time:8.2}"));
    println!(": sum / product {:.2}, {:.2}", times[1] / times[0], times[3] / times[2]);
}

fn main() {
    println!("{}", Field::<field::Gf233>::new().cpu().name());
    println!("{:10} {:>35} {:>26} {:>17}", "", "chain: a b, a^2, root, 1 / a", "in slices", "root / a^2");
    measure::<field::Gf127>();
    measure::<field::Gf193>();
    measure::<field::Gf233>();
    measure::<field::Gf233Sqrt>();
    measure::<field::Gf251Sqrt>();
    measure::<field::Gf251>();
    measure::<field::Gf353>();
    measure::<field::Gf367>();
    measure::<field::Gf409>();
    measure::<field::Gf439>();
    measure::<field::Gf571Sqrt>();
    arrays::<field::Gf233>();
}
