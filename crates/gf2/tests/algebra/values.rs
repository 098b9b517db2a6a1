use crate::common::{Random, samples};
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use carryless_reference::Gf2m;

/// GF(2), and fields of a part of a word, of words, and of words and a part.
const FIELDS: [&[usize]; 7] = [
    &[1, 0],
    &[2, 1, 0],
    &[8, 4, 3, 1, 0],
    &[32, 7, 3, 2, 0],
    &[64, 4, 3, 1, 0],
    &[65, 18, 0],
    &[163, 7, 6, 3, 0],
];

fn field(f: &[usize]) -> DynField {
    DynField::from_exponents(f).expect("irreducible")
}

fn elements(field: &DynField, random: &mut Random, n: usize) -> Vec<u64> {
    let mut words = random.words(n * field.words());
    let unused = 64 * field.words() - field.degree();
    words.chunks_exact_mut(field.words()).for_each(|element| element[field.words() - 1] >>= unused);
    words
}

/// Horner's rule in the reference.
fn by_horner(a: &Poly, f: &[usize], points: &[u64]) -> Vec<u64> {
    if f[0] == 1 {
        return points.iter().map(|&x| u64::from(a.evaluate(x == 1))).collect();
    }
    let (reference, width) = (Gf2m::new(f), f[0].div_ceil(64));
    let value = |x: &[u64]| {
        let len = a.degree().map_or(0, |degree| degree + 1);
        let mut value = (0..len).rev().fold(vec![0; width], |value, i| {
            let mut next = reference.mul(&value, x);
            next[0] ^= u64::from(a.coefficient(i));
            next
        });
        value.resize(width, 0);
        value
    };
    points.chunks_exact(width).flat_map(value).collect()
}

#[test]
fn values_are_those_by_horner() {
    let mut random = Random(81);
    for f in FIELDS {
        let field = field(f);
        for a in samples(&mut random) {
            for count in [0, 1, 3] {
                let points = elements(&field, &mut random, count);
                assert_eq!(a.values_vartime(&field, &points), by_horner(&a, f, &points), "{a} in {field:?}");
            }
        }
    }
}

/// More baby steps than a word has bits, several giant steps, and more points than a batch has.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn many_values_of_long_polynomials() {
    let mut random = Random(82);
    for (f, degree, count) in
        [(FIELDS[2], 255, 700), (FIELDS[3], 4096, 40), (FIELDS[5], 20_000, 700), (FIELDS[6], 9000, 9)]
    {
        let field = field(f);
        let (a, points) = (random.poly(degree), elements(&field, &mut random, count));
        let values = a.values_vartime(&field, &points);
        let width = field.words();
        for i in [0, 1, count / 2, count - 1] {
            let at = i * width..(i + 1) * width;
            assert_eq!(values[at.clone()], by_horner(&a, f, &points[at])[..], "{degree} at {i}");
        }
        // A sum of values is the value of the sum.
        let b = random.poly(degree - 1);
        let sum: Vec<u64> =
            values.iter().zip(b.values_vartime(&field, &points)).map(|(a, b)| a ^ b).collect();
        assert_eq!((&a + &b).values_vartime(&field, &points), sum);
    }
}

#[test]
fn values_on_subspaces_are_those_at_their_points() {
    let mut random = Random(83);
    for f in FIELDS {
        let (field, width) = (field(f), f[0].div_ceil(64));
        for dimension in [0, 1, 2, 5].into_iter().filter(|&dimension| dimension <= f[0]) {
            let basis = loop {
                let basis = elements(&field, &mut random, dimension);
                if Poly::one().values_on_subspace(&field, &basis, &vec![0; width]).is_some() {
                    break basis;
                }
            };
            let offset = elements(&field, &mut random, 1);
            let points: Vec<u64> = (0..1_usize << dimension)
                .flat_map(|j| {
                    let chosen = basis.chunks_exact(width).enumerate().filter(|(i, _)| j >> i & 1 == 1);
                    chosen.fold(offset.clone(), |sum, (_, element)| {
                        sum.iter().zip(element).map(|(a, b)| a ^ b).collect()
                    })
                })
                .collect();
            for a in samples(&mut random) {
                let values = a.values_on_subspace(&field, &basis, &offset).expect("linearly independent");
                assert_eq!(values, a.values_vartime(&field, &points), "{a} on {dimension} in {field:?}");
            }
        }
    }
}

#[test]
fn values_at_all_elements() {
    let mut random = Random(84);
    for f in [&[1, 0][..], &[4, 1, 0], &[8, 4, 3, 1, 0]] {
        let (field, size) = (field(f), 1_u64 << f[0]);
        let basis: Vec<u64> = (0..f[0]).map(|i| 1 << i).collect();
        let points: Vec<u64> = (0..size).collect();
        for degree in [1, size as usize - 1, size as usize, 300] {
            let a = random.poly(degree);
            assert_eq!(a.values_on_subspace(&field, &basis, &[0]), Some(by_horner(&a, f, &points)), "{a}");
        }
        // X^(2^m) + X vanishes everywhere.
        let zero = Poly::from_exponents([size as usize, 1]);
        assert_eq!(zero.values_on_subspace(&field, &basis, &[0]), Some(vec![0; size as usize]));
    }
}

#[test]
fn what_is_no_basis_is_refused() {
    let field = field(&[8, 4, 3, 1, 0]);
    let a = Poly::from(0b111);
    for basis in [&[0][..], &[1, 1], &[3, 5, 6], &[1, 2, 4, 8, 16, 32, 64, 128, 255]] {
        assert_eq!(a.values_on_subspace(&field, basis, &[0]), None, "{basis:?}");
    }
    let long = DynField::from_exponents(&[65, 18, 0]).expect("irreducible");
    let refused: [&dyn Fn(); 6] = [
        &|| _ = a.values_vartime(&long, &[1]),
        &|| _ = a.values_on_subspace(&long, &[1], &[0, 0]),
        &|| _ = a.values_on_subspace(&long, &[1, 0], &[0]),
        &|| _ = a.values_on_subspace(&field, &[256], &[0]),
        &|| _ = a.values_on_subspace(&field, &[1], &[256]),
        &|| _ = a.values_on_subspace(&field, &[1], &[]),
    ];
    for (i, call) in refused.iter().enumerate() {
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err(), "{i}");
    }
}

#[test]
fn a_caller_ends_them() {
    let field = field(&[8, 4, 3, 1, 0]);
    let (a, stop) = (Poly::from(0b111), || Err("stopped"));
    assert_eq!(a.try_values_vartime(&field, &[1, 2], stop), Err("stopped"));
    assert_eq!(a.try_values_on_subspace(&field, &[1, 2], &[0], stop), Err("stopped"));
}
