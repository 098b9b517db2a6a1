//! The last reduction and the fold of lanes at their borders, against big integers.
use crate::field::one_lane::SCALAR;
use crate::field::p1305::element::{freeze, freeze_plus, pack26};
use carryless_reference::{BigUint, P1305};

fn number(words: [u64; 3]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64u32) + word)
}

fn words(number: &BigUint) -> [u64; 3] {
    core::array::from_fn(|i| number.iter_u64_digits().nth(i).unwrap_or(0))
}

/// Freezes every number of `from..to` that is below 2p; how many that were.
fn check(from: &BigUint, count: u32) -> u32 {
    let p = P1305.p();
    let mut checked = 0;
    for i in 0..count {
        let w = from + i;
        if w < &p * 2u8 {
            assert_eq!(number(freeze(SCALAR, words(&w))), &w % &p, "{w:x}");
            checked += 1;
        }
    }
    checked
}

/// Everything within 1000 of 0, p, 2^130 and up to 2p, and within 10 of every power of two and of its sums with p.
#[test]
fn border_values() {
    let p = P1305.p();
    let mut checked =
        check(&BigUint::ZERO, 1000) + check(&(&p - 1000u32), 2000) + check(&(&p * 2u8 - 1000u32), 1000);
    assert_eq!(checked, 4000);
    for k in 4..131u32 {
        let power = BigUint::from(1u8) << k;
        checked += check(&(&power - 10u8), 20) + check(&(&p + &power - 10u8), 20);
        if power < p {
            checked += check(&(&p - &power), 20);
        }
    }
    assert!(checked > 10_000, "{checked}");
}

/// The last reduction of a tag: products that are not reduced, and elements, with any mask.
#[test]
fn border_values_of_tags() {
    let (p, most) = (P1305.p(), BigUint::from(1u8) << 191u32);
    let masks = [0, 1, 5, u128::MAX - 5, u128::MAX];
    let mut near = std::vec![BigUint::ZERO, p.clone(), &p * 2u8, &p * 5u8, most.clone()];
    near.extend(
        (4..191u32).flat_map(|k| [BigUint::from(1u8) << k, &p + (BigUint::from(1u8) << k), &p << (k % 61)]),
    );
    let mut checked = 0;
    for w in near
        .iter()
        .flat_map(|w| (0..20u8).map(move |i| w + i))
        .filter_map(|w| (w >= 10u8.into()).then(|| w - 10u8))
    {
        if w >= most {
            continue;
        }
        for mask in masks {
            let got = freeze_plus(SCALAR, words(&w), [mask as u64, (mask >> 64) as u64]);
            let want = (&w % &p + mask) % (BigUint::from(1u8) << 128u32);
            assert_eq!(number([got[0], got[1], 0]), want, "{w:x} + {mask:x}");
            checked += 1;
        }
    }
    assert!(checked > 40_000, "{checked}");
}

/// Limbs that are nothing, all ones, one beyond their width, or sums of eight.
#[test]
fn packing_border_limbs() {
    let p = P1305.p();
    let choices = [0, 1, (1 << 26) - 1, 1 << 26, (1 << 26) + 1, (1 << 29) - 1, (1 << 59) - 1, (1 << 62) - 1];
    for i in 0..choices.len().pow(5) {
        let limbs: [u64; 5] =
            core::array::from_fn(|j| choices[i / choices.len().pow(j as u32) % choices.len()]);
        let want = limbs.iter().rev().fold(BigUint::ZERO, |sum, &limb| (sum << 26u32) + limb) % &p;
        let packed = pack26(SCALAR, limbs);
        assert!(number(packed) < &p * 2u8, "{limbs:x?}");
        assert_eq!(number(freeze(SCALAR, packed)), want, "{limbs:x?}");
    }
}
