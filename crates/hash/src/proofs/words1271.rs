//! Scalar arithmetic modulo 2^127 - 1: no overflow, the values, and the last reduction.
use super::radix::{P1271, Prime};
use super::{fixpoint, ones, terms, tops, upto, value};
use crate::field::p1271::element::{add_small, freeze, limbs26, limbs43, pack26, pack43};
use crate::field::p1271::word64::{Sums, add, add_sums, carry, mul_wide, plus};
use crate::papers::lanes32::{limbs32, pack32};
use carryless_lanes::{AlgebraArena, IntervalArena, Poly, Range, Words};
use carryless_reference::{BigUint, P1271 as FAMILY};
use std::format;

/// An element that comes in: the fold of lanes leaves so much, a carry in words at most 2^63.
const ELEMENT: [u64; 2] = [u64::MAX, (1 << 63) + ones(40)];
const CARRIED: [u64; 2] = [u64::MAX, 1 << 63];

/// An element with a whole block and its pad, as multiplicands may be.
const WITH_BLOCK: [u64; 2] = [u64::MAX, (1 << 63) + ones(58)];

/// Any block with its pad.
const BLOCK: [u64; 2] = [u64::MAX, ones(57)];

#[track_caller]
fn assert_same(got: &Poly, want: &Poly) {
    if let Err(difference) = got.equal_modulo(want, P1271::M, P1271::DELTA) {
        panic!("{difference}");
    }
}

/// A step of Horner's rule and of BRW, with as many sums as 2^64 bits can give: the upper word stays at most 2^63.
#[test]
fn any_number_of_blocks() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    let (power, block) = (upto(ELEMENT), upto(BLOCK));
    let step = |h: [Range; 2]| {
        let both = add(s, h, block);
        let product = mul_wide(s, both, add(s, power, block));
        carry(s, (0..60).fold(product, |sum, _| add_sums(s, sum, product)))
    };
    assert!(tops(add(s, power, block))[1] <= WITH_BLOCK[1]);
    let h = fixpoint(upto(ELEMENT), step);
    assert_eq!(tops(step(h)), CARRIED);
    assert_eq!(tops(plus(s, h, h)), CARRIED);
}

/// The sums of eight lanes, and more: an element.
#[test]
fn limbs_are_cut_and_packed() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    assert_eq!(tops(limbs26(s, upto(ELEMENT))), [ones(26), ones(26), ones(26), ones(26), 1 << 23]);
    assert_eq!(tops(limbs43(s, upto(ELEMENT))), [ones(43), ones(43), (1 << 41) + ones(18)]);
    assert_eq!(tops(limbs32(s, upto(ELEMENT))), [ones(32), ones(32), ones(32), (1 << 31) + ones(8)]);
    assert_eq!(tops(pack26(s, upto([ones(62); 5]))), CARRIED);
    assert!(tops(pack32(s, upto([ones(60); 4])))[1] <= ELEMENT[1]);
    assert!(tops(pack43(s, upto([ones(62); 3])))[1] <= ELEMENT[1]);
    assert_eq!(tops(freeze(s, upto(ELEMENT))), [u64::MAX, ones(63)]);
}

#[test]
fn values() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let (a, b) = (terms(&arena, "a", WITH_BLOCK), terms(&arena, "b", WITH_BLOCK));
    let (av, bv) = (value(&arena, a, 64), value(&arena, b, 64));
    let product = mul_wide(s, a, b);
    assert_same(&value(&arena, carry(s, product), 64), &(&av * &bv));
    let two = carry(s, add_sums(s, product, mul_wide(s, a, a)));
    assert_same(&value(&arena, two, 64), &(&av * &bv + &av * &av));
    let (h, m) = (terms(&arena, "h", ELEMENT), terms(&arena, "m", BLOCK));
    let (hv, mv) = (value(&arena, h, 64), value(&arena, m, 64));
    assert_eq!(value(&arena, add(s, h, m), 64), &hv + &mv);
    assert_same(&value(&arena, plus(s, h, m), 64), &(&hv + &mv));
    assert_eq!(value(&arena, limbs26(s, h), 26), hv);
    assert_eq!(value(&arena, limbs43(s, h), 43), hv);
    let limbs = terms(&arena, "x", [ones(62); 5]);
    assert_same(&value(&arena, pack26(s, limbs), 64), &value(&arena, limbs, 26));
    let limbs = terms(&arena, "y", [ones(62); 3]);
    assert_same(&value(&arena, pack43(s, limbs), 64), &value(&arena, limbs, 43));
    assert_eq!(value(&arena, limbs32(s, h), 32), hv);
    let limbs = terms(&arena, "u", [ones(60); 4]);
    assert_same(&value(&arena, pack32(s, limbs), 64), &value(&arena, limbs, 32));
    let [x] = terms(&arena, "z", [1]);
    assert_eq!(value(&arena, add_small(s, m, x), 64), mv + value(&arena, [x], 64));
}

/// 2^128 is 2, not 1 and not 3.
#[test]
fn a_wrong_multiple_is_noticed() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let (a, b) = (terms(&arena, "a", ELEMENT), terms(&arena, "b", ELEMENT));
    let upper = Words::mul(s, a[1], b[1]);
    let zero = s.word(0);
    let want = value(&arena, [zero, zero, a[1]], 64) * value(&arena, [b[1]], 64);
    for times in 1..=3 {
        let upper = Sums::of(s, [s.low(upper), s.high(upper)]);
        let sums = (0..times).fold(Sums::of(s, [zero; 2]), |sums, _| add_sums(s, sums, upper));
        let got = value(&arena, carry(s, sums), 64);
        assert_eq!(got.equal_modulo(&want, P1271::M, P1271::DELTA).is_ok(), times == 2, "{times}");
    }
}

/// A sum with more than 2^60 products would not fit: the carry out of the upper word.
#[test]
#[should_panic(expected = "may exceed 64 bits")]
fn too_many_products() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    let product = mul_wide(s, upto(WITH_BLOCK), upto(WITH_BLOCK));
    let many = (0..64).fold(product, |sum, _| add_sums(s, sum, sum));
    carry(s, many);
}

/// Freezing adds q - q' to the residue, where q is the top of w + 1 and q' that of w + q: equal for w < 2p
/// ([the last reduction](super)), and checked at the borders in `p1271::element`.
#[test]
fn freeze_changes_the_residue_by_carries_only() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let w = terms(&arena, "w", ELEMENT);
    let (got, want) = (value(&arena, freeze(s, w), 64), value(&arena, w, 64));
    let text = format!("{}", got.equal_modulo(&want, P1271::M, P1271::DELTA).unwrap_err());
    assert!(text.starts_with("2 coefficients differ: c"), "{text}");
    // What kernels give out is below 2p.
    let most = (BigUint::from(ELEMENT[1]) << 64u32) + ELEMENT[0];
    assert!(most < FAMILY.p() * 2u8);
}
