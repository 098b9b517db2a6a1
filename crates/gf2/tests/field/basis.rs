//! Products on all pairs of monomials, squares and roots on all polynomials of four neighbouring terms: for all operands of 64 W bits, which
//! is what an element may have within a kernel.
//!
//! A product is a sum of products of words, shifts and parts by constant masks: linear in each operand, so that it is right if it is
//! right on monomials. Squares by shuffles and roots look up four bits at a time, and are checked for all values of each four.
use crate::common::{backends, bits, fours, monomial, powers, quick, sum};
use carryless_gf2::field::{BinaryField, Element, Field, FieldWords};

fn products<F: BinaryField>() {
    let powers = powers::<F>(2 * bits::<F>());
    // Above 571 bits, and on emulators, a part of the pairs.
    let step = if quick() { 29 } else { 1 + F::DEGREE / 600 * 6 };
    let right: Vec<_> = (0..bits::<F>()).step_by(step).collect();
    let b: Vec<_> = right.iter().map(|&j| monomial::<F>(j)).collect();
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        for i in (0..bits::<F>()).step_by(step) {
            let a = vec![monomial::<F>(i); b.len()];
            let mut out = vec![FieldWords::<F>::default(); b.len()];
            field.mul_slices(&a, &b, &mut out);
            for (j, out) in right.iter().zip(out) {
                assert_eq!(out, powers[i + j], "z^{i} z^{j} on {field:?}");
            }
        }
    }
}

fn linear_maps<F: BinaryField>() {
    let powers = powers::<F>(2 * bits::<F>());
    let (inputs, terms): (Vec<_>, Vec<_>) = fours::<F>().into_iter().unzip();
    let squares: Vec<_> = terms.iter().map(|t| sum::<F>(t.iter().map(|i| powers[2 * i]))).collect();
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let mut out = inputs.clone();
        field.square_slice(&inputs, &mut out);
        assert_eq!(out, squares, "squares on {field:?}");
        field.square_by_shuffles_slice(&inputs, &mut out);
        assert_eq!(out, squares, "squares by shuffles on {field:?}");
        field.square_by_affine_slice(&inputs, &mut out);
        assert_eq!(out, squares, "squares by affine on {field:?}");
        // The root of z^(2 i) is z^i, and that of z^(2 i + 1) is z^i sqrt(z), whose square is z.
        let mut roots = out.clone();
        field.sqrt_slice(&inputs, &mut roots);
        field.square_slice(&roots, &mut out);
        let canonical: Vec<_> = terms.iter().map(|t| sum::<F>(t.iter().map(|&i| powers[i]))).collect();
        assert_eq!(out, canonical, "squares of roots on {field:?}");
    }
}

/// One element at a time is another kernel than many: it has the same results.
fn one_by_one<F: BinaryField>() {
    let count = bits::<F>();
    let inputs: Vec<_> = powers::<F>(count);
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let (mut products, mut squares, mut roots) = (inputs.clone(), inputs.clone(), inputs.clone());
        let other: Vec<_> = inputs.iter().rev().copied().collect();
        field.mul_slices(&inputs, &other, &mut products);
        field.square_slice(&inputs, &mut squares);
        field.sqrt_slice(&inputs, &mut roots);
        for i in (0..count).step_by(if quick() { 61 } else { 1 }) {
            let [a, b] = [inputs[i], other[i]].map(|words| Element::<F>::from_words(words).expect("reduced"));
            let (mut product, mut square, mut root) = (a, a, a);
            field.mul_assign(&mut product, &b);
            field.square_assign(&mut square);
            field.sqrt_assign(&mut root);
            for result in [field.mul(&a, &b), product] {
                assert_eq!(result.to_words(), products[i], "{field:?}");
            }
            for result in [field.square(&a), square] {
                assert_eq!(result.to_words(), squares[i], "{field:?}");
            }
            assert_eq!(field.square_by_shuffles(&a).to_words(), squares[i], "{field:?}");
            assert_eq!(field.square_by_affine(&a).to_words(), squares[i], "{field:?}");
            for result in [field.sqrt(&a), root] {
                assert_eq!(result.to_words(), roots[i], "{field:?}");
            }
        }
    }
}

macro_rules! each {
    ($($field:ident),*) => {
        #[allow(non_snake_case)]
        mod products {
            $(
                #[test]
                #[cfg_attr(miri, ignore = "Miri would take hours")]
                fn $field() {
                    super::products::<carryless_gf2::field::$field>();
                }
            )*
        }
        #[allow(non_snake_case)]
        mod linear_maps {
            $(
                #[test]
                #[cfg_attr(miri, ignore = "Miri would take hours")]
                fn $field() {
                    super::linear_maps::<carryless_gf2::field::$field>();
                    super::one_by_one::<carryless_gf2::field::$field>();
                }
            )*
        }
    };
}
for_each_field! { each }
