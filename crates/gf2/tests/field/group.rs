//! Orders and logarithms against all powers of an element, and against powers of large exponents.
use crate::random::Random;
use carryless_gf2::field::{DynField, Group};

fn group(exponents: &[usize]) -> (DynField, Group) {
    let field = DynField::from_exponents(exponents).expect("irreducible");
    let group = Group::new(&field).expect("one word");
    (field, group)
}

fn power(field: &DynField, a: u64, e: u64) -> u64 {
    let mut out = [0];
    field.pow(&[a], &[e], &mut out);
    out[0]
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn all_elements_of_small_groups() {
    for f in [&[1, 0][..], &[2, 1, 0], &[4, 1, 0], &[4, 3, 2, 1, 0], &[6, 1, 0], &[8, 4, 3, 1, 0]] {
        let (field, group) = group(f);
        assert_eq!(group.order(), (1 << field.degree()) - 1);
        assert_eq!(group.order_of_vartime(0), None);
        assert!(group.logarithms_vartime(0).is_none());
        for base in 1..=group.order() {
            let (mut powers, mut next) = (vec![1], [base]);
            while next != [1] {
                powers.push(next[0]);
                let last = next;
                field.mul(&last, &[base], &mut next);
            }
            assert_eq!(group.order_of_vartime(base), Some(powers.len() as u64));
            let logarithms = group.logarithms_vartime(base).expect("small primes");
            for a in 0..=group.order() {
                let wanted = powers.iter().position(|&power| power == a);
                assert_eq!(
                    logarithms.of_vartime(a),
                    wanted.map(|e| e as u64),
                    "{a} to base {base}, {field:?}"
                );
                assert_eq!(logarithms.order_of_vartime(a), wanted.and_then(|_| group.order_of_vartime(a)));
            }
        }
        let least = (1..=group.order()).find(|&a| group.order_of_vartime(a) == Some(group.order()));
        assert_eq!(Some(group.generator_vartime()), least);
    }
}

/// The largest field with a table of all elements, and the least without.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn logarithms_of_all_elements_in_tables() {
    for f in [&[16, 5, 3, 1, 0][..], &[17, 3, 0]] {
        let (field, group) = group(f);
        let generator = group.generator_vartime();
        for base in [generator, power(&field, generator, group.prime_divisors()[0])] {
            let logarithms = group.logarithms_vartime(base).expect("small primes");
            let order = group.order_of_vartime(base).expect("not 0");
            for a in (0..=group.order()).step_by(97) {
                let found = logarithms.of_vartime(a);
                assert_eq!(found.is_some(), a != 0 && power(&field, a, order) == 1, "{a} to base {base}");
                assert!(found.is_none_or(|e| e < order && power(&field, base, e) == a));
                assert_eq!(logarithms.order_of_vartime(a), found.and(group.order_of_vartime(a)));
            }
            assert_eq!((logarithms.of_vartime(1 << 17), logarithms.of_vartime(u64::MAX)), (None, None));
        }
    }
}

/// Orders with powers of primes, with large primes, and of 64 bits.
#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn logarithms_in_large_groups() {
    let mut random = Random(4);
    let fields: [&[usize]; 6] =
        [&[18, 7, 0], &[20, 3, 0], &[36, 11, 0], &[54, 9, 0], &[63, 1, 0], &[64, 4, 3, 1, 0]];
    for f in fields {
        let (field, group) = group(f);
        let (generator, order) = (group.generator_vartime(), group.order());
        // The whole group, and a subgroup whose index is its least prime divisor.
        let index = group.prime_divisors()[0];
        for (base, order) in [(generator, order), (power(&field, generator, index), order / index)] {
            assert_eq!(group.order_of_vartime(base), Some(order));
            let logarithms = group.logarithms_vartime(base).expect("primes below 2^40");
            for e in [0, 1, order - 1, random.word() % order, random.word() % order] {
                assert_eq!(logarithms.of_vartime(power(&field, base, e)), Some(e), "{e} in {field:?}");
            }
            let outside = logarithms.of_vartime(generator);
            assert_eq!(outside.is_some(), base == generator);
        }
    }
    // 2^61 - 1 is prime, and 2^37 - 1 has a prime divisor of 30 bits.
    assert!(group(&[61, 5, 2, 1, 0]).1.logarithms_vartime(2).is_none());
    assert!(group(&[37, 5, 4, 3, 2, 1, 0]).1.logarithms_vartime(2).is_some());
    assert!(Group::new(&DynField::from_exponents(&[65, 18, 0]).expect("irreducible")).is_none());
}
