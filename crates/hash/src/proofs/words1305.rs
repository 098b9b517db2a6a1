//! Arithmetic modulo 2^130 - 5 in two and a half words: no overflow, and the values.
use super::brw::ENTRIES;
use super::{TOP_IN, TOP_OUT, assert_same, fixpoint, join, same, terms, tops, upto, value};
use crate::field::p1305::element::limbs44;
use crate::field::p1305::element::reduce;
use crate::field::p1305::word44::pack;
use crate::field::p1305::words64::{Sums, add, add_sums, carry, mul_wide, square_wide};
use carryless_lanes::{AlgebraArena, IntervalArena, Range, Words};

const ELEMENT: [u64; 3] = [u64::MAX, u64::MAX, TOP_IN];

/// Any block with its pad.
const BLOCK: [u64; 3] = [u64::MAX, u64::MAX, 1];

/// The upper word of a carried sum, and of one with a block or a power added.
const CARRIED: u64 = 6;
const WITH_BLOCK: [u64; 3] = [u64::MAX, u64::MAX, CARRIED + 2];
const WITH_POWER: [u64; 3] = [u64::MAX, u64::MAX, CARRIED + TOP_IN + 1];

/// Steps of Horner's rule and of BRW, with as many sums as 2^64 bits can give, and powers by any chain of products and
/// squares: the upper word stays at most 6, and is at most 4 when the value leaves as an element.
#[test]
fn any_number_of_blocks() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    let (key, block) = (upto(ELEMENT), upto(BLOCK));
    let powers = fixpoint(key, |power| {
        let square = carry(s, square_wide(s, power));
        join(square, carry(s, mul_wide(s, power, power)))
    });
    assert_eq!(powers[2].hi(), TOP_IN);
    let sum_of = |d: Sums<_>, product: Sums<_>| (0..ENTRIES).fold(d, |sum, _| add_sums(s, sum, product));
    let after = |x| {
        let leaf = mul_wide(s, add(s, block, powers), add(s, block, powers));
        let leaf = add_sums(s, leaf, Sums::of(s, block));
        let entry = mul_wide(s, x, add(s, block, powers));
        carry(s, sum_of(leaf, entry))
    };
    let q = fixpoint(powers, after);
    assert_eq!(after(q)[2].hi(), CARRIED);
    assert!(tops(add(s, after(q), block))[2] <= WITH_BLOCK[2]);
    assert!(tops(add(s, after(q), powers))[2] <= WITH_POWER[2]);
    // The streams meet their powers, and the length joins.
    let product = mul_wide(s, q, powers);
    let all = carry(s, add_sums(s, sum_of(product, product), Sums::of(s, q)));
    assert_eq!(all[2].hi(), CARRIED);
    // 2^130 - 1 + 5 is below 2p.
    assert_eq!(reduce(s, all)[2].hi(), TOP_OUT);
    // As vectors take them.
    assert!(tops(limbs44(s, all)).iter().all(|&top| top < 1 << 44));
}

/// Powers come in radix 2^44, as `word44` leaves them.
#[test]
fn powers_are_packed() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    let wide = [(1 << 44) + (1 << 8), (1 << 44) + (1 << 8), (1 << 42) + (1 << 8)];
    assert_eq!(pack(s, upto(wide))[2].hi(), TOP_OUT);
}

#[test]
fn values() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let (a, b) = (terms(&arena, "a", WITH_BLOCK), terms(&arena, "b", WITH_POWER));
    let (av, bv) = (value(&arena, a, 64), value(&arena, b, 64));
    let (product, square) = (mul_wide(s, a, b), square_wide(s, b));
    assert_same(&value(&arena, carry(s, product), 64), &(&av * &bv));
    assert_same(&value(&arena, carry(s, square), 64), &(&bv * &bv));
    let both = carry(s, add_sums(s, product, square));
    assert_same(&value(&arena, both, 64), &(&av * &bv + &bv * &bv));
    let with = carry(s, add_sums(s, product, Sums::of(s, a)));
    assert_same(&value(&arena, with, 64), &(&av * &bv + &av));
    assert_eq!(value(&arena, add(s, a, b), 64), &av + &bv);
    assert_same(&value(&arena, reduce(s, b), 64), &bv);
}

/// 4 q and q, not twice the same; and 2^256 comes back as a whole.
#[test]
fn a_wrong_multiple_is_noticed() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let (a, b) = (terms(&arena, "a", ELEMENT), terms(&arena, "b", ELEMENT));
    let (av, bv) = (value(&arena, a, 64), value(&arena, b, 64));
    let got = |d: Sums<_>| value(&arena, carry(s, d), 64);
    let product = || mul_wide(s, a, b);
    assert!(same(&got(product()), &(&av * &bv)).is_ok());
    // Without the upper word of one factor, and with it twice.
    let upper = |a2| mul_wide(s, [a[0], a[1], a2], b);
    assert!(same(&got(upper(s.word(0))), &(&av * &bv)).is_err());
    assert!(same(&got(upper(s.add_word(a[2], a[2]))), &(&av * &bv)).is_err());
}

/// More products than 2^64 bits give would not fit.
#[test]
#[should_panic(expected = "may exceed 64 bits")]
fn too_many_products() {
    let arena = IntervalArena::new();
    let s = arena.backend::<1>();
    let product = mul_wide(s, [Range::ANY, Range::ANY, Range::upto(8)], upto(WITH_POWER));
    let many = (0..64).fold(product, |sum, _| add_sums(s, sum, sum));
    carry(s, many);
}
