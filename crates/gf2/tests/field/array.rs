//! Arrays against their elements one by one, of all lengths around numbers of lanes and of a length of several blocks.
use crate::common::{backends, quick, random};
use crate::random::Random;
use carryless_gf2::field::{
    Array, ArrayError, BinaryField, Element, ElementError, Field, Gf12, Gf163, Gf233, Shape,
};
use ctutils::CtEq as _;
use zeroize::Zeroize as _;

fn array<F: BinaryField>(rng: &mut Random, len: usize) -> Array<F> {
    (0..len).map(|_| random(rng)).collect()
}

/// The elements of results, one by one.
fn each<F: BinaryField>(a: &Array<F>, f: impl Fn(Element<F>) -> Element<F>) -> Array<F> {
    a.iter().map(f).collect()
}

/// Exponents above 32 bits: of 2^k and a small e, by k squarings and e products.
fn large_exponents<F: BinaryField>() {
    let a = array::<F>(&mut Random(F::DEGREE as u64), 5);
    for k in [31, 32, 33, 47, 63] {
        for e in [0_u32, 1, 5] {
            let power = |a: Element<F>| {
                let raised = (0..k).fold(a, |a, _| a.square());
                (0..e).fold(raised, |product, _| product * a)
            };
            let (expected, n) = (each(&a, power), (1 << k) + u64::from(e));
            assert!(a.pow(n) == expected, "{n} in {}", F::NAME);
            let mut in_place = a.clone();
            in_place.pow_in_place(n);
            assert!(in_place == expected, "{n} in place in {}", F::NAME);
        }
    }
    // a^(2^64 - 1) a = a^(2^64).
    let raised = each(&a, |a| (0..64).fold(a, |a, _| a.square()));
    assert!(a.pow(u64::MAX).mul(&a).expect("of one length") == raised, "{}", F::NAME);
}

/// So many squarings that large arrays take a matrix.
const MANY: usize = 50;

fn elementwise<F: BinaryField>(len: usize) {
    let mut rng = Random(len as u64 + F::DEGREE as u64);
    let (a, b, c) = (array::<F>(&mut rng, len), array::<F>(&mut rng, len), random::<F>(&mut rng));
    let pairs = |f: fn(Element<F>, Element<F>) -> Element<F>| -> Array<F> {
        a.iter().zip(b.iter()).map(|(a, b)| f(a, b)).collect()
    };
    let field = Field::<F>::new();
    let what = format!("{len} elements of {}", F::NAME);
    let results = [
        (a.add(&b).expect("of one length"), pairs(|a, b| a + b)),
        (a.mul(&b).expect("of one length"), pairs(|a, b| a * b)),
        (a.add_scalar(&c), each(&a, |a| a + c)),
        (a.mul_scalar(&c), each(&a, |a| field.mul(&a, &c))),
        (a.square(), each(&a, |a| a.square())),
        (a.sqrt(), each(&a, |a| a.sqrt())),
        (a.pow(0), each(&a, |_| Element::one())),
        (a.pow(1), a.clone()),
        (a.pow(2), each(&a, |a| a.square())),
        (a.pow(13), each(&a, |a| a.pow(13))),
        (a.invert_or_zero(), each(&a, |a| field.invert_or_zero(&a))),
        (a.frobenius(0), a.clone()),
        (a.frobenius(F::DEGREE + 1), each(&a, |a| a.square())),
        (a.frobenius(MANY), each(&a, |a| (0..MANY % F::DEGREE).fold(a, |a, _| a.square()))),
        (a.solve_unchecked(), each(&a, |a| field.solve_unchecked(&a))),
    ];
    for (i, (found, want)) in results.iter().enumerate() {
        assert!(found == want, "operation {i}, {what}");
    }
    type InPlace<F> = fn(&mut Array<F>, &Array<F>, &Element<F>);
    let in_place: [InPlace<F>; 15] = [
        |a, b, _| a.add_in_place(b).expect("of one length"),
        |a, b, _| a.mul_in_place(b).expect("of one length"),
        |a, _, c| a.add_scalar_in_place(c),
        |a, _, c| a.mul_scalar_in_place(c),
        |a, _, _| a.square_in_place(),
        |a, _, _| a.sqrt_in_place(),
        |a, _, _| a.pow_in_place(0),
        |a, _, _| a.pow_in_place(1),
        |a, _, _| a.pow_in_place(2),
        |a, _, _| a.pow_in_place(13),
        |a, _, _| a.invert_or_zero_in_place(),
        |a, _, _| a.frobenius_in_place(0),
        |a, _, _| a.frobenius_in_place(F::DEGREE + 1),
        |a, _, _| a.frobenius_in_place(MANY),
        |a, _, _| a.solve_unchecked_in_place(),
    ];
    for (i, ((_, want), operation)) in results.iter().zip(in_place).enumerate() {
        let mut found = a.clone();
        operation(&mut found, &b, &c);
        assert!(found == *want, "operation {i} in place, {what}");
    }
    let traces: Vec<_> = a.iter().map(|a| a.trace().to_bool()).collect();
    assert!(a.traces().into_iter().map(|t| t.to_bool()).eq(traces), "{what}");
}

fn sums<F: BinaryField>(len: usize) {
    let mut rng = Random(len as u64 + F::DEGREE as u64);
    let (a, b, x) = (array::<F>(&mut rng, len), array::<F>(&mut rng, len), random::<F>(&mut rng));
    let dot =
        |a: &Array<F>, b: &Array<F>| a.iter().zip(b.iter()).fold(Element::zero(), |sum, (a, b)| sum + a * b);
    let what = format!("{len} elements of {}", F::NAME);
    assert_eq!(a.dot(&b), Ok(dot(&a, &b)), "{what}");
    // The same by the slices of all backends.
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        assert_eq!(field.dot(a.as_words(), b.as_words()), dot(&a, &b), "{what} on {field:?}");
        let mut scaled = b.as_words().to_vec();
        field.scale_slice(a.as_words(), &x, &mut scaled);
        let scaled = Array::from_words(&scaled).expect("reduced");
        assert!(scaled == each(&a, |a| a * x), "{what} on {field:?}");
    }
    let value = |x| a.iter().rev().fold(Element::zero(), |sum, a| sum * x + a);
    assert_eq!(a.evaluate(&x), value(x), "{what}");
    assert_eq!(a.evaluate(&Element::zero()), a.get(0).unwrap_or_default(), "{what}");
    let points = array::<F>(&mut rng, 7);
    assert!(a.evaluate_many(&points) == each(&points, value), "{what}");
}

fn matrices<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64);
    for (rows, columns) in [(0, 0), (0, 3), (3, 0), (1, 1), (3, 5), (7, 2), (50, 30)] {
        let (matrix, vector) = (array::<F>(&mut rng, rows * columns), array::<F>(&mut rng, columns));
        let want: Array<F> = (0..rows)
            .map(|i| {
                let row = matrix.iter().skip(i * columns).zip(vector.iter());
                row.fold(Element::zero(), |sum, (a, x)| sum + a * x)
            })
            .collect();
        assert!(matrix.mul_vector(rows, &vector) == Ok(want), "{rows} x {columns}, {}", F::NAME);
        let error = ArrayError::Length { expected: (rows + 1) * columns, found: rows * columns };
        assert!(columns == 0 || matrix.mul_vector(rows + 1, &vector) == Err(error));
    }
}

fn interpolation<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64);
    for len in [0, 1, 2, 3, 4, 5, 8, 13, 33] {
        let polynomial = array::<F>(&mut rng, len);
        // Different points, 0 among them.
        let mut points: Array<F> = (0..len as u64).map(|i| Element::z().pow(i + 1)).collect();
        let _ = points.set(len / 2, Element::zero());
        let values = polynomial.evaluate_many(&points);
        assert!(Array::interpolate(&points, &values) == Ok(polynomial), "{len} points in {}", F::NAME);
        if len > 2 {
            points.set(len - 1, points.get(1).expect("a point")).expect("a place");
            let error = ArrayError::EqualPoints { index: 1 };
            assert_eq!(Array::interpolate(&points, &values), Err(error), "{len} points in {}", F::NAME);
        }
    }
}

fn of_field<F: BinaryField>() {
    large_exponents::<F>();
    for len in (0..=9).chain([63, 64, 65, 127, 130]).filter(|len| !quick() || len % 2 == 1) {
        elementwise::<F>(len);
        sums::<F>(len);
    }
    matrices::<F>();
    interpolation::<F>();
}

macro_rules! each {
    ($($field:ident),*) => {
        #[allow(non_snake_case)]
        mod each {
            $(
                #[test]
                #[cfg_attr(miri, ignore = "Miri would take hours")]
                fn $field() {
                    super::of_field::<carryless_gf2::field::$field>();
                }
            )*
        }
    };
}
for_each_field! { each }

/// The results of several blocks, with and without threads.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn several_blocks() {
    let len = 2 * (1_usize << 13).div_ceil(<<Gf163 as BinaryField>::Shape as Shape>::WORDS) + 5;
    elementwise::<Gf163>(len);
    let mut rng = Random(4);
    let (a, points) = (array::<Gf163>(&mut rng, 3), array::<Gf163>(&mut rng, len));
    assert!(a.evaluate_many(&points) == each(&points, |x| a.evaluate(&x)));
    let (matrix, vector) = (array::<Gf163>(&mut rng, 3 * len), array::<Gf163>(&mut rng, 3));
    let product = matrix.mul_vector(len, &vector).expect("three columns");
    let last = (0..3).fold(Element::zero(), |sum, i| {
        sum + matrix.get(3 * len - 3 + i).expect("an element") * vector.get(i).expect("an element")
    });
    assert_eq!(product.get(len - 1), Some(last));
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn zeros_have_no_inverse() {
    let mut rng = Random(9);
    for len in 1..=9 {
        let all: Array<Gf233> = array(&mut rng, len);
        let inverses = all.invert().expect("no zeros");
        for zero in 0..len {
            let mut a = all.clone();
            a.set(zero, Element::zero()).expect("an index");
            // A second zero is not the first.
            a.set(len - 1, Element::zero()).expect("an index");
            assert_eq!(a.invert(), Err(ArrayError::Zero { index: zero }));
            let before = a.clone();
            assert_eq!(a.invert_in_place(), Err(ArrayError::Zero { index: zero }));
            assert!(a == before);
        }
        let mut a = all.clone();
        a.invert_in_place().expect("no zeros");
        assert!(a == inverses);
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn equations_without_solutions() {
    let mut rng = Random(10);
    for len in 1..=9 {
        let roots: Array<Gf163> = array(&mut rng, len);
        let all = roots.square().add(&roots).expect("of one length");
        let solutions = all.solve_quadratic().expect("traces are 0");
        for (x, root) in solutions.iter().zip(roots.iter()) {
            assert!(x == root || x == root + Element::one());
        }
        // The trace of 1 is 1.
        for index in 0..len {
            let mut a = all.clone();
            a.set(index, Element::one()).expect("an index");
            a.set(len - 1, Element::one()).expect("an index");
            assert_eq!(a.solve_quadratic(), Err(ArrayError::NoSolution { index }));
            let before = a.clone();
            assert_eq!(a.solve_quadratic_in_place(), Err(ArrayError::NoSolution { index }));
            assert!(a == before);
        }
        let mut a = all.clone();
        a.solve_quadratic_in_place().expect("traces are 0");
        assert!(a == solutions);
    }
    let error = ArrayError::NoSolution { index: 3 };
    assert_eq!(error.to_string(), "x^2 + x = element 3 has no solution: its trace is 1");
}

#[test]
fn lengths_must_agree() {
    let (mut a, b) = (Array::<Gf163>::zeros(3), Array::zeros(4));
    let error = ArrayError::Length { expected: 3, found: 4 };
    assert_eq!(a.add(&b), Err(error));
    assert_eq!(a.mul(&b), Err(error));
    assert_eq!(a.dot(&b), Err(error));
    assert_eq!(a.add_in_place(&b), Err(error));
    assert_eq!(a.mul_in_place(&b), Err(error));
    assert_eq!(Array::interpolate(&a, &b), Err(error));
    assert_eq!(b.mul_vector(usize::MAX, &a), Err(ArrayError::Length { expected: usize::MAX, found: 4 }));
    assert_eq!(a.set(3, Element::one()), Err(ArrayError::Length { expected: 4, found: 3 }));
    assert_eq!(a.get(3), None);
    assert_eq!(a.len(), 3);
    assert!(!a.is_empty() && Array::<Gf163>::zeros(0).is_empty());
}

#[test]
fn bytes_and_words() {
    let bytes: Vec<u8> = (0..3).flat_map(|i| [0x10 + i, i]).collect();
    let a = Array::<Gf12>::from_bytes(&bytes).expect("12 bits each");
    assert_eq!(a.as_words(), [[0x10], [0x111], [0x212]]);
    assert_eq!(a.to_bytes(), bytes);
    let mut out = [0; 6];
    a.write_bytes(&mut out).expect("as many bytes");
    assert_eq!(out[..], bytes);
    assert_eq!(a.write_bytes(&mut out[1..]), Err(ArrayError::Bytes { element: 2, found: 5 }));
    assert_eq!(Array::<Gf12>::from_bytes(&bytes[1..]), Err(ArrayError::Bytes { element: 2, found: 5 }));
    let error = ArrayError::Element { index: 1, error: ElementError::Degree { bits: 12 } };
    assert_eq!(Array::<Gf12>::from_bytes(&[0, 0, 0, 0x10]), Err(error));
    assert_eq!(Array::<Gf12>::from_words(&[[0xfff], [0x1000]]), Err(error));
    assert_eq!(error.to_string(), "element 1: an element has at most 12 bits");
    assert_eq!(Array::<Gf12>::from_words(a.as_words()), Ok(a.clone()));
    // An iterator that does not say how long it is.
    let collected: Array<Gf12> = (0..60).filter_map(|i| a.get(i % 3)).collect();
    assert_eq!(collected.to_bytes(), bytes.repeat(20));
    assert_eq!(format!("{a:?}"), "Array<Gf12>(3 elements)");
    let mut other = a.clone();
    other.set(2, Element::zero()).expect("an index");
    assert!(a != other);
    assert!(!a.ct_eq(&collected).to_bool() && a.ct_eq(&a.clone()).to_bool());
}

#[test]
fn zeroize_wipes() {
    let mut a: Array<Gf233> = [Element::z(); 5].into_iter().collect();
    assert!(a.as_words() == [[2, 0, 0, 0]; 5]);
    a.zeroize();
    assert!(a == Array::zeros(5));
}
