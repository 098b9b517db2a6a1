//! GF(2^m)[u]/(u^2 + u + 1) by its definition: products of all pairs of monomials z^i u^s, linear operations on all monomials, on every backend.
//!
//! Squares, roots and traces are linear, and products linear in each operand: sums, products of the base field, constant masks. Square roots of the base
//! field look up four bits at a time; `basis.rs` checks them for all values of those.
use crate::common::{backends, bits, monomial, powers, quick, random, reduced};
use crate::random::Random;
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::tower::{
    Gf254, PreparedSolution, QuadraticElement, QuadraticField, QuadraticWords,
};
use carryless_gf2::field::{BinaryField, Element, ElementError, FieldWords};
use carryless_gf2::field::{Gf13, Gf127, Gf163};
use carryless_reference::gf2;
use ctutils::{Choice, CtSelect};

/// x u^s for s up to 2, from the definition of u.
fn times_power_of_u<F: BinaryField>(x: FieldWords<F>, s: usize) -> QuadraticWords<F> {
    let zero = FieldWords::<F>::default();
    // u^2 = u + 1.
    [[x, zero], [zero, x], [x, x]][s]
}

fn products<F: BinaryField>() {
    let powers = powers::<F>(2 * bits::<F>());
    let step = if quick() { 29 } else { 1 };
    let right: Vec<(usize, usize)> = (0..bits::<F>()).step_by(step).flat_map(|j| [(j, 0), (j, 1)]).collect();
    let b: Vec<_> = right.iter().map(|&(j, t)| times_power_of_u::<F>(monomial::<F>(j), t)).collect();
    for cpu in backends() {
        let field = QuadraticField::<F>::on(cpu);
        for (i, s) in (0..bits::<F>()).step_by(step).flat_map(|i| [(i, 0), (i, 1)]) {
            let a = vec![times_power_of_u::<F>(monomial::<F>(i), s); b.len()];
            let mut out = b.clone();
            field.mul_slices(&a, &b, &mut out);
            for (&(j, t), out) in right.iter().zip(out) {
                let want = times_power_of_u::<F>(powers[i + j], s + t);
                assert_eq!(out, want, "z^{i} u^{s} z^{j} u^{t} on {field:?}");
            }
        }
    }
}

/// Slices of monomials of 64 W bits, and single elements where they are canonical.
fn linear_maps<F: BinaryField>() {
    let powers = powers::<F>(2 * bits::<F>());
    let step = if quick() { 29 } else { 1 };
    let places: Vec<(usize, usize)> = (0..bits::<F>()).step_by(step).flat_map(|i| [(i, 0), (i, 1)]).collect();
    let inputs: Vec<_> = places.iter().map(|&(i, s)| times_power_of_u::<F>(monomial::<F>(i), s)).collect();
    let power = |k: usize| -> Vec<_> {
        places.iter().map(|&(i, s)| times_power_of_u::<F>(powers[k * i], k * s)).collect()
    };
    let (canonical, squares) = (power(1), power(2));
    for cpu in backends() {
        let field = QuadraticField::<F>::on(cpu);
        let (mut out, mut roots) = (inputs.clone(), inputs.clone());
        field.square_slice(&inputs, &mut out);
        assert_eq!(out, squares, "squares on {field:?}");
        field.sqrt_slice(&inputs, &mut roots);
        field.square_slice(&roots, &mut out);
        assert_eq!(out, canonical, "squares of roots on {field:?}");
        let shift = monomial::<F>(3);
        field.mul_base_slices(&inputs, &vec![shift; inputs.len()], &mut out);
        for (n, words) in canonical.iter().enumerate() {
            let a = QuadraticElement::<F>::from_words(*words).expect("reduced");
            let (mut square, mut root) = (a, a);
            field.square_assign(&mut square);
            field.sqrt_assign(&mut root);
            for result in [field.square(&a), square] {
                assert_eq!(result.to_words(), squares[n], "{field:?}");
            }
            for result in [field.sqrt(&a), root] {
                assert_eq!(result.to_words(), roots[n], "{field:?}");
            }
            let by = Element::from_words(shift).expect("reduced");
            assert_eq!(field.mul_base(&a, &by).to_words(), out[n], "{field:?}");
            assert_eq!((a * QuadraticElement::from(by)).to_words(), out[n]);
        }
    }
}

/// x^(2^k) and traces against repeated squarings.
fn conjugates<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64);
    let a = QuadraticElement::from_coefficients([random::<F>(&mut rng), random(&mut rng)]);
    for i in (0..F::DEGREE).step_by(if quick() { 41 } else { 1 + F::DEGREE / 20 }) {
        for monomial in [[i, 0], [i, 1]].map(|[i, s]| times_power_of_u::<F>(monomial::<F>(i), s)) {
            let b = QuadraticElement::<F>::from_words(monomial).expect("below z^m");
            let (mut sum, mut conjugate) = (QuadraticElement::zero(), b);
            for _ in 0..2 * F::DEGREE {
                sum += conjugate;
                conjugate = conjugate.square();
            }
            assert_eq!(conjugate, b);
            // The sum of all 2 m conjugates is the trace to F2.
            let trace = if b.trace().to_bool() { QuadraticElement::one() } else { QuadraticElement::zero() };
            assert_eq!(sum, trace, "{}: z^{i}", F::NAME);
        }
    }
    for cpu in backends() {
        let (field, mut power) = (QuadraticField::on(cpu), a);
        for k in 0..=2 * F::DEGREE + 3 {
            if k < 5 || k % F::DEGREE < 3 {
                assert_eq!(field.frobenius(&a, k), power, "2^{k} on {field:?}");
            }
            if k == F::DEGREE {
                assert_eq!(power, a.conjugate());
                assert_eq!(a + power, a.trace_to_base().into());
                assert_eq!(a * power, field.norm(&a).into());
            }
            power = field.square(&power);
        }
    }
    assert_eq!(a.mul_u(), a * QuadraticElement::u());
}

/// a0 b0 + (a0 b1 + a1 b0) u + a1 b1 (u + 1), bit by bit.
fn by_definition<F: BinaryField>(a: &QuadraticElement<F>, b: &QuadraticElement<F>) -> QuadraticElement<F> {
    let ([a0, a1], [b0, b1]) = (a.coefficients(), b.coefficients());
    let mul = |x: Element<F>, y: Element<F>| {
        Element::from_words(reduced::<F>(&gf2::mul(x.as_words(), y.as_words()))).expect("reduced")
    };
    let high = mul(a1, b1);
    QuadraticElement::from_coefficients([mul(a0, b0) + high, mul(a0, b1) + mul(a1, b0) + high])
}

fn some<F: BinaryField>(count: usize) -> Vec<QuadraticElement<F>> {
    let mut rng = Random(F::DEGREE as u64 + 1);
    let mut all =
        vec![QuadraticElement::zero(), QuadraticElement::one(), QuadraticElement::u(), Element::z().into()];
    all.extend(
        (0..count).map(|_| QuadraticElement::from_coefficients([random::<F>(&mut rng), random(&mut rng)])),
    );
    all
}

fn identities<F: BinaryField>(cpu: ClmulCpu) {
    let field = QuadraticField::<F>::on(cpu);
    let all = some::<F>(if quick() { 2 } else { 20 });
    let (one, prepared) = (QuadraticElement::one(), PreparedSolution::new(&field));
    for (a, b) in all.iter().zip(all.iter().rev()) {
        let mut product = *a;
        field.mul_assign(&mut product, b);
        assert_eq!(product, by_definition(a, b), "{field:?}");
        assert_eq!(field.mul(a, b), product, "{field:?}");
        let product = field.mul(a, &field.invert_or_zero(a));
        assert_eq!(product, if a.is_zero().to_bool() { *a } else { one }, "{field:?}");
        assert_eq!(field.frobenius(a, 2 * F::DEGREE), *a);
        // Its trace is 0, because a and a^2 have the same one. So there is a solution, and a is known to be one.
        let c = field.square(a) + *a;
        assert!(!c.trace().to_bool());
        let x = field.solve_unchecked(&c);
        assert!(x == *a || x == *a + one, "{field:?}");
        for c in [c, *a] {
            let (x, solvable) = (field.solve_unchecked(&c), !c.trace().to_bool());
            assert_eq!(prepared.solve_unchecked(&c), x, "{prepared:?}");
            assert_eq!(prepared.solve_quadratic(&c).into_option(), solvable.then_some(x), "{prepared:?}");
        }
    }
}

/// Norms and inverses in batch, for lengths around groups of lanes and blocks.
fn batches<F: BinaryField>(cpu: ClmulCpu) {
    let field = QuadraticField::<F>::on(cpu);
    let all = some::<F>(if quick() { 5 } else { 260 });
    for len in [0, 1, 2, 3, 4, 5, 8, 9, 127, 128, 129, 264] {
        let a: Vec<_> = all.iter().take(len).map(QuadraticElement::to_words).collect();
        let (mut inverses, mut singles, mut solutions) = (a.clone(), a.clone(), a.clone());
        field.batch_invert(&a, &mut inverses);
        field.invert_slice(&a, &mut singles);
        field.solve_slice(&a, &mut solutions);
        assert_eq!(inverses, singles, "{len} on {field:?}");
        let mut norms = vec![FieldWords::<F>::default(); a.len()];
        field.norm_slice(&a, &mut norms);
        for (c, solution) in all.iter().zip(solutions) {
            assert_eq!(field.solve_unchecked(c).to_words(), solution, "{field:?}");
        }
        for ((a, inverse), norm) in all.iter().zip(inverses).zip(norms) {
            assert_eq!(field.invert_or_zero(a).to_words(), inverse, "{field:?}");
            assert_eq!(field.norm(a).to_words(), norm, "{field:?}");
        }
    }
}

fn all<F: BinaryField>() {
    products::<F>();
    linear_maps::<F>();
    conjugates::<F>();
    for cpu in backends() {
        identities::<F>(cpu);
        batches::<F>(cpu);
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn over_gf13() {
    all::<Gf13>();
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn over_gf127() {
    all::<Gf127>();
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn over_gf163() {
    all::<Gf163>();
}

/// Elements with every value of 9 neighbouring coefficients of a0 and a1 (2^18 of 2^26).
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn many_elements_of_a_small_field() {
    let field = QuadraticField::<Gf13>::new();
    let mut solvable = 0;
    let step = if quick() { 7 } else { 1 };
    for i in (0..1_u64 << 18).step_by(step) {
        let a = QuadraticElement::<Gf13>::from_words([[i & 511], [i >> 9]]).expect("below 2^13");
        let inverse = field.invert_or_zero(&a);
        let product = field.mul(&a, &inverse);
        assert_eq!(product == QuadraticElement::one(), i != 0);
        assert_eq!(field.square(&field.sqrt(&a)), a);
        if let Some(x) = a.solve_quadratic().into_option() {
            assert_eq!(field.square(&x) + x, a);
            solvable += 1;
        }
    }
    assert!(step > 1 || solvable == 1 << 17, "one half of them have trace 0");
}

#[test]
fn bytes_words_and_selection() {
    let mut bytes = [0; 32];
    (bytes[0], bytes[31]) = (1, 0x40);
    let a = Gf254::from_bytes(&bytes).expect("1 + z^126 u");
    assert_eq!(a.as_words(), [1, 0, 0, 1 << 62]);
    let mut out = [7; 32];
    a.write_bytes(&mut out);
    assert_eq!(out, bytes);
    for high in [15, 31] {
        let mut wrong = bytes;
        wrong[high] |= 0x80;
        assert_eq!(Gf254::from_bytes(&wrong), Err(ElementError::Coefficient { bits: 127 }));
    }
    assert_eq!(Gf254::from_bytes(&out[1..]), Err(ElementError::Length { expected: 32, found: 31 }));
    assert_eq!(Gf254::from_words([[0, 1 << 63], [0; 2]]), Err(ElementError::Coefficient { bits: 127 }));
    assert_eq!(Gf254::from_words([[0; 2], [0, 1 << 63]]), Err(ElementError::Coefficient { bits: 127 }));
    assert_eq!(format!("{a:?}"), "QuadraticElement<Gf127>(..)");
    let b = Gf254::u();
    assert_eq!(a.ct_select(&b, Choice::FALSE), a);
    assert_eq!(a.ct_select(&b, Choice::TRUE), b);
    assert!(a != b && Gf254::zero().invert().is_none().to_bool());
    let mut wiped = a;
    zeroize::Zeroize::zeroize(&mut wiped);
    assert_eq!(wiped, Gf254::zero());
}
