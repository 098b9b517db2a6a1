//! The fields GF(2^5) to GF(2^9) and the quadratic extensions of the odd ones, whole, on every backend, by the
//! code of the large fields.
mod tower;

use super::small::Gf5;
#[cfg(carryless_fields = "128")]
use super::small::{Gf6, Gf7, Gf9};
use super::{BinaryField, Element, Field, FieldWords, Gf8, LinearMap, PreparedInverse, SliceMap};
use carryless_lanes::ClmulCpu;
use carryless_reference::Gf2m;
use core::array::from_fn;
use std::vec::Vec;

/// The element with these coefficients.
fn element<F: BinaryField>(bits: usize) -> Element<F> {
    Element::from_bytes(&bits.to_le_bytes()[..F::BYTES]).expect("at most m bits")
}

/// The coefficients of a small element, as bits of an integer.
fn bits(words: &[u64]) -> usize {
    assert!(words[1..].iter().all(|word| *word == 0), "a small element");
    words[0] as usize
}

fn all<F: BinaryField>() -> Vec<FieldWords<F>> {
    (0..1 << F::DEGREE).map(|a| element::<F>(a).to_words()).collect()
}

/// The expected results for every element, from the definitions.
struct Wanted {
    m: usize,
    /// The product `a b` is at index `a << m | b`.
    products: Vec<usize>,
    inverses: Vec<usize>,
    traces: Vec<bool>,
    elements: Vec<usize>,
}

impl Wanted {
    fn new<F: BinaryField>() -> Wanted {
        let m = F::DEGREE;
        let f = Gf2m::new([m].into_iter().chain(F::TAIL.iter().copied()).collect::<Vec<_>>());
        let one = |a: usize| [a as u64];
        let elements: Vec<usize> = (0..1 << m).collect();
        let products = elements.iter().flat_map(|&a| elements.iter().map(move |&b| (a, b)));
        Wanted {
            m,
            products: products.map(|(a, b)| bits(&f.mul(&one(a), &one(b)))).collect(),
            inverses: elements.iter().map(|&a| bits(&f.invert_or_zero(&one(a)))).collect(),
            traces: elements.iter().map(|&a| f.trace(&one(a))).collect(),
            elements,
        }
    }

    fn mul(&self, a: usize, b: usize) -> usize {
        self.products[a << self.m | b]
    }

    /// The power a^(2^k), by k products of the table.
    fn frobenius(&self, a: usize, k: usize) -> usize {
        (0..k).fold(a, |a, _| self.mul(a, a))
    }

    /// Asserts that `found` is the image of each element.
    fn assert_images<F: BinaryField>(
        &self,
        found: &[FieldWords<F>],
        image: impl Fn(usize) -> usize,
        what: &str,
    ) {
        for (&a, found) in self.elements.iter().zip(found) {
            assert_eq!(bits(found.as_ref()), image(a), "{what}, {a:#x} of {}", F::NAME);
        }
    }
}

/// Products of all pairs: in slices, by one element, and one by one.
fn products<F: BinaryField>(field: &Field<F>, wanted: &Wanted) {
    let elements = all::<F>();
    let mut out = elements.clone();
    for &a in &wanted.elements {
        let single = element::<F>(a);
        field.mul_slices(
            &elements.iter().map(|_| single.to_words()).collect::<Vec<_>>(),
            &elements,
            &mut out,
        );
        wanted.assert_images::<F>(&out, |b| wanted.mul(a, b), field.cpu().name());
        field.scale_slice(&elements, &single, &mut out);
        wanted.assert_images::<F>(&out, |b| wanted.mul(a, b), "by one element");
        for (b, out) in elements.iter().zip(&mut out) {
            *out = field.mul(&single, &Element::from_canonical(*b)).to_words();
        }
        wanted.assert_images::<F>(&out, |b| wanted.mul(a, b), "one by one");
    }
}

/// Squares of all elements by the three methods, square roots and traces.
fn squares_and_roots<F: BinaryField>(field: &Field<F>, wanted: &Wanted) {
    type Slices<F> = fn(&Field<F>, &[FieldWords<F>], &mut [FieldWords<F>]);
    type Single<F> = fn(&Field<F>, &Element<F>) -> Element<F>;
    let squares: [(Slices<F>, Single<F>); 3] = [
        (Field::square_slice, Field::square),
        (Field::square_by_shuffles_slice, Field::square_by_shuffles),
        (Field::square_by_affine_slice, Field::square_by_affine),
    ];
    let (elements, name) = (all::<F>(), field.cpu().name());
    let mut out = elements.clone();
    let one_by_one = |f: &dyn Fn(&Element<F>) -> Element<F>| -> Vec<FieldWords<F>> {
        elements.iter().map(|a| f(&Element::from_canonical(*a)).to_words()).collect()
    };
    for (slices, single) in squares {
        slices(field, &elements, &mut out);
        wanted.assert_images::<F>(&out, |a| wanted.mul(a, a), name);
        wanted.assert_images::<F>(&one_by_one(&|a| single(field, a)), |a| wanted.mul(a, a), name);
    }
    // Squaring is a bijection: the square of the root says which one it is.
    field.sqrt_slice(&elements, &mut out);
    assert_eq!(out, one_by_one(&|a| field.sqrt(a)), "roots on {name}");
    let root: Vec<usize> = out.iter().map(|a| bits(a.as_ref())).collect();
    wanted.assert_images::<F>(&elements, |a| wanted.mul(root[a], root[a]), "squares of roots");
    let traces = wanted.elements.iter().map(|&a| element::<F>(a).trace().to_bool());
    assert!(traces.eq(wanted.traces.iter().copied()), "traces");
}

/// Inverses of all elements by every method.
fn inverses<F: BinaryField>(field: &Field<F>, wanted: &Wanted) {
    let (elements, name) = (all::<F>(), field.cpu().name());
    let inverse = |a: usize| wanted.inverses[a];
    let mut out = elements.clone();
    field.invert_slice(&elements, &mut out);
    wanted.assert_images::<F>(&out, inverse, name);
    field.batch_invert(&elements, &mut out);
    wanted.assert_images::<F>(&out, inverse, "in batch");
    let prepared = PreparedInverse::new(field);
    for &a in &wanted.elements {
        let single = element::<F>(a);
        assert_eq!(bits(field.invert_or_zero(&single).as_words()), inverse(a), "{a:#x} on {name}");
        assert_eq!(bits(prepared.invert_or_zero(&single).as_words()), inverse(a), "{a:#x} on {name}");
        let by_euclid = single.invert_vartime().map_or(0, |inverse| bits(inverse.as_words()));
        assert_eq!(by_euclid, inverse(a), "{a:#x}");
    }
}

/// The maps x^(2^k) for all k, and solutions of x^2 + x = c, by every method.
fn linear_maps<F: BinaryField>(field: &Field<F>, wanted: &Wanted) {
    let (elements, name) = (all::<F>(), field.cpu().name());
    let mut out = elements.clone();
    for k in 0..=F::DEGREE {
        let map = LinearMap::frobenius(field, k);
        map.apply_slice(&elements, &mut out);
        wanted.assert_images::<F>(&out, |a| wanted.frobenius(a, k), name);
        SliceMap::new(&map).apply_slice(&elements, &mut out);
        wanted.assert_images::<F>(&out, |a| wanted.frobenius(a, k), name);
    }
    LinearMap::solution(field).apply_slice(&elements, &mut out);
    let by_map: Vec<usize> = out.iter().map(|x| bits(x.as_ref())).collect();
    for &c in wanted.elements.iter().filter(|&&c| !wanted.traces[c]) {
        let single = bits(field.solve_unchecked(&element::<F>(c)).as_words());
        for x in [single, by_map[c]] {
            assert_eq!(wanted.mul(x, x) ^ x, c, "{c:#x} on {name}");
        }
    }
    let solvable = wanted.elements.iter().filter(|&&c| element::<F>(c).solve_quadratic().is_some().to_bool());
    assert_eq!(solvable.count(), elements.len() / 2, "half of all traces are 0");
}

/// All operations on all elements, on every backend of this CPU.
fn whole<F: BinaryField>() {
    let wanted = Wanted::new::<F>();
    for cpu in ClmulCpu::available() {
        let field = Field::<F>::on(cpu);
        products(&field, &wanted);
        squares_and_roots(&field, &wanted);
        inverses(&field, &wanted);
        linear_maps(&field, &wanted);
    }
}

macro_rules! whole {
    ($($(#[$given:meta])* $name:ident $field:ident;)*) => { $(
        $(#[$given])*
        #[test]
        #[cfg_attr(miri, ignore = "Miri would take hours")]
        fn $name() {
            whole::<$field>();
        }
    )* };
}

// Each field is compiled for every backend, so three whose kind another field covers run only in `cargo xtask
// curves small`.
whole! {
    gf5 Gf5;
    #[cfg(carryless_fields = "128")] gf6 Gf6;
    #[cfg(carryless_fields = "128")] gf7 Gf7;
    gf8 Gf8;
    #[cfg(carryless_fields = "128")] gf9 Gf9;
}

/// Squares by matrices of slices shorter and longer than groups of lanes, on backends that this CPU may lack.
/// Checks that there are two matrices for each block, and as many again for a single element.
#[test]
fn squares_by_matrices() {
    use super::{Gf233, affine::Squares};
    use carryless_lanes::{ClmulKernel, Count, Soft, Tally};
    use core::{cell::Cell, marker::PhantomData};
    let a: [[u64; 4]; 5] =
        from_fn(|i| [1 << (7 * i), !0 >> i, 0x0123_4567_89ab_cdef << i, (1 << 41) - 1 - i as u64]);
    let (tally, mut out, mut wanted) = (Cell::new(Tally::default()), a, a);
    let kernel = Squares::<Gf233> { a: a.as_flattened(), out: out.as_flattened_mut(), of: PhantomData };
    kernel.run(Count::new(Soft::<4>, &tally));
    Field::<Gf233>::new().square_slice(&a, &mut wanted);
    assert_eq!(out, wanted);
    assert_eq!(tally.get().affine, 4 + 4);
}
