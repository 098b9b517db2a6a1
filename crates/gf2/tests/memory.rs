//! What operations on many elements leave in the memory of the process, and what `zeroize()` and drop leave of elements: nothing.
#![cfg(all(target_os = "linux", not(miri)))]

use carryless_gf2::ClmulCpu;
use carryless_gf2::curve::{
    AffinePoint, BinaryCurve, Curve, FieldElement, Gls254, LambdaPoint, PreparedPoint, Scalar, Sect163k1,
    Sect571r1, XOnlyPoint,
};
use carryless_gf2::field::tower::{QuadraticElement, QuadraticField};
use carryless_gf2::field::{Array, DynField, Element, Field, Gf127, Gf163};
use carryless_residue::{Secrets, Watched, bytes_of, check_zeroize};
use std::hint::black_box;
use zeroize::Zeroize;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

fn element163(i: u64) -> Element<Gf163> {
    Element::from_words([0xd134_2543_de82_ef95_u64.wrapping_mul(i), 0xbf58_476d_1ce4_e5b9 ^ (i << 20), i])
        .expect("reduced")
}

fn element254(i: u64) -> QuadraticElement<Gf127> {
    let half = |i: u64| {
        Element::from_words([0x94d0_49bb_1331_11eb_u64.wrapping_mul(i), 0x1f58_476d_1ce4_e5b9 ^ (i << 20)])
    };
    QuadraticElement::from_coefficients([half(i).expect("reduced"), half(i + 7).expect("reduced")])
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// As many elements as there are secrets of that name with a number, as words.
fn reveal<const N: usize>(secrets: &Secrets, name: &str, count: usize) -> Vec<[u64; N]> {
    let mut elements = vec![[0; N]; count];
    for (i, element) in elements.iter_mut().enumerate() {
        for (word, bytes) in element.iter_mut().zip(secrets.reveal(&format!("{name} {i}")).as_chunks::<8>().0)
        {
            *word = u64::from_le_bytes(*bytes);
        }
    }
    elements
}

/// Fewer elements than lanes, and more.
const COUNTS: [usize; 2] = [1, 11];

#[test]
fn inverses_leave_nothing() {
    for count in COUNTS {
        let secrets = &Secrets::new(|record| {
            for i in 0..count {
                let a = element163(i as u64 + 1);
                record(&format!("a {i}"), &bytes(a.as_words()));
                record(&format!("1 / a {i}"), &bytes(a.invert().expect("not 0").as_words()));
            }
        });
        for cpu in ClmulCpu::available() {
            secrets.assert_gone(&format!("batch_invert of {count}, {}", cpu.name()), || {
                let mut a = reveal::<3>(secrets, "a", count);
                let mut inverses = vec![[0; 3]; count];
                Field::<Gf163>::on(cpu).batch_invert(&a, &mut inverses);
                a.zeroize();
                inverses.zeroize();
            });
        }
    }
}

#[test]
fn inverses_in_a_field_of_any_degree_leave_nothing() {
    let count = 30;
    let secrets = &Secrets::new(|record| {
        for i in 0..count {
            let a = element163(i as u64 + 1);
            record(&format!("a {i}"), &bytes(a.as_words()));
            record(&format!("1 / a {i}"), &bytes(a.invert().expect("not 0").as_words()));
        }
    });
    let field = &DynField::from_exponents(&[163, 7, 6, 3, 0]).expect("irreducible");
    secrets.assert_gone("DynField::batch_invert", || {
        let mut a = reveal::<3>(secrets, "a", count);
        let mut inverses = vec![0; 3 * count];
        field.batch_invert(a.as_flattened(), &mut inverses);
        a.zeroize();
        inverses.zeroize();
    });
}

#[test]
fn inverses_of_the_tower_leave_nothing() {
    for count in COUNTS {
        let secrets = &Secrets::new(|record| {
            for i in 0..count {
                let a = element254(i as u64 + 1);
                let norm = a.norm();
                let [low, high] = a.conjugate().coefficients();
                record(&format!("a {i}"), &bytes(a.as_words()));
                record(&format!("norm {i}"), &bytes(norm.as_words()));
                record(&format!("1 / norm {i}"), &bytes(norm.invert().expect("not 0").as_words()));
                record(&format!("conjugate {i}"), &bytes(&[low.as_words(), high.as_words()].concat()));
            }
        });
        for cpu in ClmulCpu::available() {
            secrets.assert_gone(&format!("batch_invert of {count} pairs, {}", cpu.name()), || {
                let mut flat = reveal::<4>(secrets, "a", count);
                let mut a: Vec<[[u64; 2]; 2]> = flat.iter().map(|a| [[a[0], a[1]], [a[2], a[3]]]).collect();
                let mut inverses = vec![[[0; 2]; 2]; count];
                QuadraticField::<Gf127>::on(cpu).batch_invert(&a, &mut inverses);
                flat.zeroize();
                a.zeroize();
                inverses.zeroize();
            });
        }
    }
}

#[test]
fn arrays_leave_nothing() {
    let secrets = &Secrets::new(|record| {
        (0..9).for_each(|i| record(&format!("a {i}"), &bytes(element163(i + 1).as_words())));
    });
    secrets.assert_gone("an array", || {
        let mut words = reveal::<3>(secrets, "a", 9);
        let mut array = Array::<Gf163>::from_words(&words).expect("reduced");
        words.zeroize();
        secrets.assert_visible("a 3", true);
        drop(array.clone());
        array.zeroize();
        secrets.assert_visible("a 3", false);
    });
}

#[test]
fn zeroize_leaves_nothing() {
    check_zeroize("Element", &element163(1), &element163(0x3_1234_5678));
    check_zeroize("QuadraticElement", &element254(1), &element254(0x3_1234_5678));
}

/// A scalar that looks random.
fn scalar<C: BinaryCurve>(i: u64) -> Scalar<C> {
    Scalar::from_u64(0x9e37_79b9_7f4a_7c15 ^ i).invert().expect("not 0")
}

fn be_bytes<C: BinaryCurve>(k: &Scalar<C>) -> Vec<u8> {
    let mut bytes = vec![0; Scalar::<C>::BYTES];
    k.write_be_bytes(&mut bytes);
    bytes
}

/// Does something with k, on every backend.
fn with_k<C: BinaryCurve>(what: &str, secrets: &Secrets, operation: impl Fn(&Curve<C>, &Scalar<C>) + Sync) {
    for cpu in ClmulCpu::available() {
        // What is made once and kept is made now.
        black_box(Curve::<C>::on(cpu).mul_base(&Scalar::one()));
        secrets.assert_gone(&format!("{what}, {}, {}", C::NAME, cpu.name()), || {
            let mut k = Scalar::zero();
            k.set_be_bytes(&secrets.reveal("k")).expect("below n");
            operation(&Curve::on(cpu), &k);
            k.zeroize();
        });
    }
}

/// k and n - k. Results are values that are copied.
fn products<C: BinaryCurve>() {
    let p = AffinePoint::<C>::generator() * scalar(2);
    let secrets = &Secrets::new(|record| {
        let k = scalar::<C>(1);
        record("k", &be_bytes(&k));
        record("-k", &be_bytes(&-k));
    });
    with_k::<C>("mul", secrets, |curve, k| curve.mul(k, &p).zeroize());
    with_k::<C>("mul_base", secrets, |curve, k| curve.mul_base(k).zeroize());
    with_k::<C>("mul_x", secrets, |curve, k| {
        curve.mul_x(k, p.x()).into_option().expect("not infinity").zeroize();
    });
    with_k::<C>("mul_base_add_mul", secrets, |curve, k| curve.mul_base_add_mul(&scalar(3), k, &p).zeroize());
    let prepared = PreparedPoint::new(&Curve::new(), &p).expect("of prime order");
    with_k::<C>("a prepared point", secrets, |curve, k| prepared.mul(curve, k).zeroize());
    with_k::<C>("mul_batch", secrets, |curve, k| {
        let mut scalars = vec![*k; 5];
        let mut out = vec![AffinePoint::infinity(); 5];
        curve.mul_batch(&scalars, &[p; 5], &mut out);
        out.iter_mut().for_each(Zeroize::zeroize);
        scalars.iter_mut().for_each(Zeroize::zeroize);
    });
}

#[test]
fn products_leave_nothing() {
    products::<Sect163k1>();
    // Its elements are the largest, and so are the frames.
    products::<Sect571r1>();
    // k is split in two, whose digits are values of their own.
    products::<Gls254>();
}

/// 1 / Z of k G.
#[test]
fn normalized_points_leave_nothing() {
    type C = Sect163k1;
    let secrets = &Secrets::new(|record| {
        record("k", &be_bytes(&scalar::<C>(4)));
        for cpu in ClmulCpu::available() {
            // X, L, Z, of three words each.
            let point = bytes_of(&Curve::<C>::on(cpu).mul_base_lambda(&scalar(4)));
            let z = <carryless_gf2::curve::ElementOf<C> as FieldElement>::from_le_bytes(&point[48..69])
                .expect("reduced");
            record(&format!("1 / Z, {}", cpu.name()), &bytes(z.invert().expect("not 0").as_words()));
        }
    });
    with_k::<C>("normalize", secrets, |curve, k| {
        let mut points = vec![LambdaPoint::infinity(); 17];
        points.fill(curve.mul_base_lambda(k));
        let mut out = vec![AffinePoint::infinity(); points.len()];
        curve.normalize(&points, &mut out);
        out.iter_mut().for_each(Zeroize::zeroize);
        points.iter_mut().for_each(Zeroize::zeroize);
    });
}

#[test]
fn zeroize_leaves_nothing_of_points() {
    type C = Sect163k1;
    let [p, q] = [5, 6].map(|i| AffinePoint::<C>::generator() * scalar(i));
    let lambda = |i| Curve::<C>::new().mul_base_lambda(&scalar(i));
    let x_only = |p| XOnlyPoint::<C>::from_affine(p).into_option().expect("not infinity");
    check_zeroize("Scalar", &scalar::<C>(7), &scalar::<C>(8));
    check_zeroize("AffinePoint", &p, &q);
    check_zeroize("LambdaPoint", &lambda(7), &lambda(8));
    check_zeroize("XOnlyPoint", &x_only(&p), &x_only(&q));
}
