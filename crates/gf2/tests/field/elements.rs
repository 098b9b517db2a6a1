//! Elements: what the definitions say, on random ones and on all of small fields; input and output.
use crate::common::{backends, modulus, quick, random, reduced};
use crate::random::Random;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::{BinaryField, Element, ElementError, Field, Gf8, Gf12, Gf13, Gf128, Gf233};
use carryless_reference::gf2;

/// f is irreducible, and what the library derived from it holds.
fn constants<F: BinaryField>() {
    let f = Poly::from_exponents(F::TAIL.iter().copied().chain([F::DEGREE]));
    assert!(f.is_irreducible_vartime(), "{}", F::NAME);
    let root = Element::<F>::from_words(F::SQRT_Z).expect("reduced");
    assert_eq!(reduced::<F>(&gf2::square(root.as_words())), Element::<F>::z().to_words(), "{}", F::NAME);
    let one = Element::<F>::from_words(F::TRACE_ONE).expect("reduced");
    assert!(one.trace().to_bool());
    // The trace by its definition, for all z^i.
    let mut power = Element::<F>::one();
    for i in (0..F::DEGREE).step_by(if quick() { 41 } else { 1 + F::DEGREE / 100 }) {
        let (mut sum, mut conjugate) = (Element::<F>::zero(), power);
        for _ in 0..F::DEGREE {
            sum += conjugate;
            conjugate = conjugate.square();
        }
        let trace = if power.trace().to_bool() { Element::one() } else { Element::zero() };
        assert_eq!(sum, trace, "{}: the trace of z^{i}", F::NAME);
        power *= Element::<F>::z().pow(if quick() { 41 } else { 1 + F::DEGREE as u64 / 100 });
    }
}

/// Inverses, roots and solutions of random elements, and of 0 and 1.
fn identities<F: BinaryField>() {
    let mut rng = Random(F::DEGREE as u64);
    for cpu in backends() {
        let field = Field::<F>::on(cpu);
        let mut some = vec![Element::zero(), Element::one(), Element::z()];
        some.extend((0..if quick() { 1 } else { 8 }).map(|_| random::<F>(&mut rng)));
        for a in some {
            let inverse = field.invert_or_zero(&a);
            let want = if a.is_zero().to_bool() { Element::zero() } else { Element::one() };
            assert_eq!(field.mul(&a, &inverse), want, "{field:?}");
            assert_eq!(field.square(&field.sqrt(&a)), a, "{field:?}");
            let c = field.square(&a) + a;
            let x = field.solve_unchecked(&c);
            assert!(x == a || x == a + Element::one(), "{field:?}");
            let b = random(&mut rng);
            let product = gf2::mul(a.as_words(), b.as_words());
            assert_eq!(field.mul(&a, &b).to_words(), reduced::<F>(&product), "{field:?}");
            // Fermat's theorem, and the trace: the sum of all conjugates, linear, and that of the square.
            let (mut sum, mut conjugate) = (Element::zero(), a);
            for _ in 0..F::DEGREE {
                sum += conjugate;
                conjugate = field.square(&conjugate);
            }
            assert_eq!(conjugate, a, "a^(2^m) on {field:?}");
            let [of_a, of_b, of_sum, of_square] = [a, b, a + b, field.square(&a)].map(|x| x.trace().to_u8());
            assert_eq!(sum, if of_a == 1 { Element::one() } else { Element::zero() }, "trace on {field:?}");
            assert_eq!((of_sum, of_square), (of_a ^ of_b, of_a), "trace on {field:?}");
        }
        let a: Vec<_> = (0..7).map(|_| random::<F>(&mut rng).to_words()).collect();
        let mut inverses = a.clone();
        let mut solutions = a.clone();
        field.invert_slice(&a, &mut inverses);
        field.solve_slice(&a, &mut solutions);
        for ((a, inverse), solution) in a.iter().zip(inverses).zip(solutions) {
            let a = Element::<F>::from_words(*a).expect("reduced");
            assert_eq!(field.invert_or_zero(&a).to_words(), inverse, "{field:?}");
            assert_eq!(field.solve_unchecked(&a).to_words(), solution, "{field:?}");
        }
    }
}

/// Operators, which detect the backend at each call, have the values of the definition and of [`Field`].
fn operators<F: BinaryField>() {
    let (mut rng, field) = (Random(F::DEGREE as u64), Field::<F>::new());
    for _ in 0..if quick() { 1 } else { 8 } {
        let [a, b] = [random::<F>(&mut rng), random(&mut rng)];
        let product = reduced::<F>(&gf2::mul(a.as_words(), b.as_words()));
        let mut in_place = a;
        in_place *= b;
        assert_eq!([(a * b).to_words(), in_place.to_words()], [product; 2], "{}", F::NAME);
        assert_eq!(a.square().to_words(), reduced::<F>(&gf2::square(a.as_words())), "{}", F::NAME);
        assert_eq!(a.sqrt().square(), a, "{}", F::NAME);
        assert_eq!(a.invert().to_inner_unchecked(), field.invert_or_zero(&a), "{}", F::NAME);
        assert_eq!(a.solve_quadratic().to_inner_unchecked(), field.solve_unchecked(&a), "{}", F::NAME);
    }
}

macro_rules! each {
    ($($field:ident),*) => {
        #[allow(non_snake_case)]
        mod constants {
            $(
                #[test]
                #[cfg_attr(miri, ignore = "Miri would take hours")]
                fn $field() {
                    super::constants::<carryless_gf2::field::$field>();
                }
            )*
        }
        #[allow(non_snake_case)]
        mod identities {
            $(
                #[test]
                #[cfg_attr(miri, ignore = "Miri would take hours")]
                fn $field() {
                    super::identities::<carryless_gf2::field::$field>();
                    super::operators::<carryless_gf2::field::$field>();
                }
            )*
        }
    };
}
for_each_field! { each }

/// All elements, and all pairs of them.
fn exhaustive<F: BinaryField>(pairs: bool) {
    let element = |i: u64| {
        let mut words = Element::<F>::zero().to_words();
        words.as_mut()[0] = i;
        Element::<F>::from_words(words).expect("below 2^m")
    };
    let field = Field::<F>::new();
    let f = modulus::<F>();
    let mut solvable = 0;
    for i in 0..1 << F::DEGREE {
        let a = element(i);
        assert_eq!(a.invert().is_some().to_bool(), i != 0);
        if i != 0 {
            assert_eq!(a.invert().expect("not zero") * a, Element::one());
        }
        assert_eq!(a.sqrt().square(), a);
        if let Some(x) = a.solve_quadratic().into_option() {
            assert_eq!(x.square() + x, a);
            solvable += 1;
        }
        for j in (0..1 << F::DEGREE).filter(|_| pairs) {
            let (_, rest) = gf2::div_rem(&gf2::mul(&[i], &[j]), &f);
            assert_eq!(field.mul(&a, &element(j)).as_words()[0], rest.first().copied().unwrap_or(0));
        }
    }
    assert_eq!(solvable, 1_u64 << (F::DEGREE - 1), "one half of all elements have trace 0");
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn all_elements_of_small_fields() {
    exhaustive::<Gf8>(true);
    if !quick() {
        exhaustive::<Gf12>(false);
        exhaustive::<Gf13>(false);
    }
}

#[test]
fn bytes_and_words() {
    let mut bytes = [0; 30];
    bytes[29] = 1;
    let top = Element::<Gf233>::from_bytes(&bytes).expect("z^232");
    assert_eq!(top.as_words(), [0, 0, 0, 1 << 40]);
    let mut out = [7; 30];
    top.write_bytes(&mut out);
    assert_eq!(out, bytes);
    bytes[29] = 2;
    assert_eq!(Element::<Gf233>::from_bytes(&bytes), Err(ElementError::Degree { bits: 233 }));
    assert_eq!(
        Element::<Gf233>::from_bytes(&bytes[1..]),
        Err(ElementError::Length { expected: 30, found: 29 })
    );
    // Neither more bytes, though they are zero, nor a whole number of words.
    for found in [31, 32, 40] {
        assert_eq!(
            Element::<Gf233>::from_bytes(&[0; 40][..found]),
            Err(ElementError::Length { expected: 30, found })
        );
    }
    // Words that cancel each other are not zero.
    assert!(!Element::<Gf233>::from_words([5, 5, 0, 0]).expect("reduced").is_zero().to_bool());
    assert_eq!(Element::<Gf233>::from_words([0, 0, 0, 1 << 41]), Err(ElementError::Degree { bits: 233 }));
    assert!(Element::<Gf128>::from_words([!0; 2]).is_ok());
    assert_eq!(format!("{top:?}"), "Element<Gf233>(..)");
}
