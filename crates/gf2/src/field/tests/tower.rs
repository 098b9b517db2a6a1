//! Exhaustive tests of GF(2^m)[u]/(u^2 + u + 1) for m = 5, 7 and 9: all elements, and all pairs for m = 5.
use super::super::BinaryField;
use super::super::small::Gf5;
#[cfg(carryless_fields = "128")]
use super::super::small::{Gf7, Gf9};
use super::super::tower::{PreparedSolution, QuadraticElement, QuadraticField, QuadraticWords};
use super::{Wanted, bits, element};
use carryless_lanes::ClmulCpu;
use std::vec::Vec;

/// The coefficients a0 and a1, each as bits of an integer.
type Pair = [usize; 2];

/// All elements, where `a0 + (a1 << m)` is the index.
fn all(m: usize) -> Vec<Pair> {
    (0..1 << (2 * m)).map(|a: usize| [a & ((1 << m) - 1), a >> m]).collect()
}

fn words<F: BinaryField>(a: &[Pair]) -> Vec<QuadraticWords<F>> {
    a.iter().map(|a| a.map(|a| element::<F>(a).to_words())).collect()
}

fn pair<F: BinaryField>(words: &QuadraticWords<F>) -> Pair {
    [bits(words[0].as_ref()), bits(words[1].as_ref())]
}

/// a0 b0 + (a0 b1 + a1 b0) u + a1 b1 (u + 1), from the products of the base field.
fn product(base: &Wanted, [a0, a1]: Pair, [b0, b1]: Pair) -> Pair {
    // u^2 = u + 1, so a1 b1 goes to both coefficients.
    let high = base.mul(a1, b1);
    [base.mul(a0, b0) ^ high, base.mul(a0, b1) ^ base.mul(a1, b0) ^ high]
}

/// Products of the elements `left` and all elements, in slices and one by one.
fn products<F: BinaryField>(field: &QuadraticField<F>, base: &Wanted, left: &[Pair]) {
    let (right, name) = (all(F::DEGREE), field.cpu().name());
    let b = words::<F>(&right);
    let mut out = b.clone();
    for a in left {
        let single =
            QuadraticElement::<F>::from_words(a.map(|a| element::<F>(a).to_words())).expect("m bits");
        field.mul_slices(&b.iter().map(|_| single.to_words()).collect::<Vec<_>>(), &b, &mut out);
        for ((b, out), right) in b.iter().zip(&out).zip(&right) {
            let wanted = product(base, *a, *right);
            assert_eq!(pair::<F>(out), wanted, "{a:x?} {right:x?} on {name}");
            let one = field.mul(&single, &QuadraticElement::from_words(*b).expect("m bits"));
            assert_eq!(pair::<F>(&one.to_words()), wanted, "{a:x?} {right:x?} on {name}");
        }
    }
}

/// Operations on one operand: every element alone, and all of them in a slice.
fn singles<F: BinaryField>(field: &QuadraticField<F>, base: &Wanted) {
    let (elements, name) = (all(F::DEGREE), field.cpu().name());
    let a = words::<F>(&elements);
    let (mut squares, mut roots, mut inverses) = (a.clone(), a.clone(), a.clone());
    field.square_slice(&a, &mut squares);
    field.sqrt_slice(&a, &mut roots);
    field.batch_invert(&a, &mut inverses);
    let (prepared, mut solvable) = (PreparedSolution::new(field), 0);
    for (i, &wanted) in elements.iter().enumerate() {
        let x = QuadraticElement::<F>::from_words(a[i]).expect("m bits");
        let square = product(base, wanted, wanted);
        assert_eq!(pair::<F>(&squares[i]), square, "square of {wanted:x?} on {name}");
        assert_eq!(field.square(&x).to_words(), squares[i], "square of {wanted:x?} on {name}");
        let root = pair::<F>(&roots[i]);
        assert_eq!(product(base, root, root), wanted, "root of {wanted:x?} on {name}");
        assert_eq!(field.sqrt(&x).to_words(), roots[i], "root of {wanted:x?} on {name}");
        // The product of an element and its inverse is 1, and 0 for the element 0, which comes first.
        let one = [usize::from(i != 0), 0];
        assert_eq!(product(base, pair::<F>(&inverses[i]), wanted), one, "inverse of {wanted:x?} on {name}");
        assert_eq!(field.invert_or_zero(&x).to_words(), inverses[i], "inverse of {wanted:x?} on {name}");
        let conjugate = [wanted[0] ^ wanted[1], wanted[1]];
        let norm = product(base, wanted, conjugate);
        assert_eq!([bits(field.norm(&x).as_words()), 0], norm, "norm of {wanted:x?} on {name}");
        let trace = x.trace().to_bool();
        assert_eq!(trace, base.traces[wanted[1]], "trace of {wanted:x?}");
        let solution = field.solve_unchecked(&x);
        assert_eq!(prepared.solve_unchecked(&x), solution, "solution of {wanted:x?} on {name}");
        if !trace {
            let root = pair::<F>(&solution.to_words());
            let square = product(base, root, root);
            assert_eq!(
                [square[0] ^ root[0], square[1] ^ root[1]],
                wanted,
                "solution of {wanted:x?} on {name}"
            );
            solvable += 1;
        }
    }
    assert_eq!(solvable, elements.len() / 2, "half of all traces are 0");
}

/// The maps x^(2^k) for all k, and products by elements of the base field.
fn others<F: BinaryField>(field: &QuadraticField<F>, base: &Wanted) {
    let elements = all(F::DEGREE);
    for [a, words] in elements
        .iter()
        .zip(words::<F>(&elements))
        .step_by(1 << (F::DEGREE - 5))
        .map(|(a, words)| [*a, pair::<F>(&words)])
    {
        assert_eq!(a, words);
        let x = QuadraticElement::<F>::from_coefficients(a.map(element));
        let mut power = a;
        // The map x -> x^2 has order 2 m, so all its powers are covered.
        for k in 0..=2 * F::DEGREE {
            assert_eq!(pair::<F>(&field.frobenius(&x, k).to_words()), power, "{a:x?}^(2^{k})");
            if k == F::DEGREE {
                assert_eq!(pair::<F>(&x.conjugate().to_words()), power);
            }
            power = product(base, power, power);
        }
        for &b in &base.elements {
            let found = field.mul_base(&x, &element::<F>(b));
            assert_eq!(pair::<F>(&found.to_words()), product(base, a, [b, 0]), "{a:x?} {b:x}");
            assert_eq!(x * element::<F>(b), found);
        }
    }
}

/// `left` are the elements whose products by all others are checked.
fn whole<F: BinaryField>(left: &[Pair]) {
    let base = Wanted::new::<F>();
    for cpu in ClmulCpu::available() {
        let field = QuadraticField::<F>::on(cpu);
        products(&field, &base, left);
        singles(&field, &base);
        others(&field, &base);
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn over_gf5() {
    whole::<Gf5>(&all(5));
}

#[cfg(carryless_fields = "128")]
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn over_gf7() {
    whole::<Gf7>(&[[1, 0], [0, 1], [0x40, 0x3f], [0x55, 0x7f]]);
}

#[cfg(carryless_fields = "128")]
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn over_gf9() {
    whole::<Gf9>(&[[0, 1], [0x1ff, 0x155]]);
}
