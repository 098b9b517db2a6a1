//! Long groups: no overflow over any number of them, and each equals its formula.
use super::bounds_lanes::{any_powers, assert_at_most, fold_and_freeze};
use super::radix::{
    Fe, Prime, R43, R44, Radix, assert_same, lanes_of, load, message_of, symbols, value, values_of,
};
use super::values_lanes::{assert_group, short_block_of};
use super::{fixpoint, join};
use crate::base::block_rows::lane_of_block;
use crate::eval::horner::{
    fill_long, first_row, keys_of, last_rows, long_group, long_powers, with_long_table,
};
use crate::eval::p1305::ready::LongTable44;
use crate::field::LaneField;
use crate::field::groups::{LONG_G, LongGroups, OneRow};
use crate::field::p1271::lanes43::{self, Radix43};
use crate::field::p1305::lanes44::{self, Radix44};
use carryless_lanes::{AlgebraArena, Ifma, IntervalArena, Poly};
use std::format;

/// A radix that has long groups.
trait LongRadix: Radix {
    const BIASES: [u64; 3];

    fn long<S: Ifma>(
        s: S,
    ) -> impl LongGroups<Element = <Self::Prime as Prime>::Element, Limbs = Self::Limbs, Fe = Fe<Self, S>>;
}

impl LongRadix for R44 {
    const BIASES: [u64; 3] = lanes44::BIASES;

    fn long<S: Ifma>(
        s: S,
    ) -> impl LongGroups<Element = <Self::Prime as Prime>::Element, Limbs = [u64; 3], Fe = Fe<Self, S>> {
        Radix44(s)
    }
}

impl LongRadix for R43 {
    const BIASES: [u64; 3] = lanes43::BIASES;

    fn long<S: Ifma>(
        s: S,
    ) -> impl LongGroups<Element = <Self::Prime as Prime>::Element, Limbs = [u64; 3], Fe = Fe<Self, S>> {
        Radix43(s)
    }
}

/// Any key, any value to start from, any first row, any number of groups of 1 to 16 rows; then the last row, and the
/// lanes are added, packed and frozen.
fn any_number_of_groups<R: LongRadix, const N: usize>() {
    let arena = IntervalArena::new();
    // Their bits look random, so the analysis would refuse them as words that nobody announced.
    for bias in R::BIASES {
        arena.constant(bias);
    }
    let s = arena.backend::<N>();
    let f = R::long(s);
    let low = any_powers::<R, N>(&arena, s);
    let gamma = f.lane0(low);
    let next = f.carry(f.mul(low, &f.key(gamma)));
    let keys = keys_of(f, &long_powers(f, gamma));
    let h = super::radix::limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i]));
    let bytes = [0; 16 * 8 * LONG_G];
    let row = R::BLOCK * N;
    // The first row has 1 to N blocks. The loop starts from the union of what they leave.
    let mut a = R::sets(first_row(f, Some(h), &bytes[..R::BLOCK], 1));
    for count in 2..=N {
        a = join(a, R::sets(first_row(f, Some(h), &bytes[..R::BLOCK * count], count)));
    }
    let a = fixpoint(a, |a| {
        let a = R::of_sets(&a);
        (1..=LONG_G)
            .map(|g| R::sets(long_group(f, a, &bytes[..g * row], &keys)))
            .reduce(join)
            .expect("groups")
    });
    assert_at_most(&a, &[R::ROW; 3]);
    let full = R::sets(long_group(f, R::of_sets(&a), &bytes[..LONG_G * row], &keys));
    assert_at_most(&full, R::LONG_GROUP.as_ref());
    for last in R::BLOCK * (N - 1) + 1..=R::BLOCK * N {
        let out = last_rows(f, R::of_sets(&a), &bytes[..last], &[f.key(low), f.key(next)]);
        fold_and_freeze::<R, N>(&arena, s, out, None);
    }
}

/// Prepared keys, end to end: any key, any value to start from, all numbers of blocks up to two groups and a row, with
/// whole and short last blocks.
fn prepared_as_called<const N: usize>() {
    let arena = IntervalArena::new();
    for bias in R44::BIASES {
        arena.constant(bias);
    }
    let s = arena.backend::<N>();
    let f = Radix44(s);
    let mut table = LongTable44::EMPTY;
    fill_long(f, any_powers::<R44, N>(&arena, s), &mut table);
    let h = super::radix::limbs::<R44>(|i| arena.upto(R44::CUT.as_ref()[i]));
    for blocks in 1..=(2 * LONG_G + 1) * N {
        for (tail, h) in [(0, None), (15, None), (0, Some(h)), (1, Some(h))] {
            let msg = &[0; 16 * 8 * (2 * LONG_G + 1)][..16 * blocks - tail];
            fold_and_freeze::<R44, N>(&arena, s, with_long_table(f, &table, h, msg), None);
        }
    }
}

/// A gamma^g + R_1 gamma^(g-1) + ... + R_g for every g, any A and any powers, each with limbs of its own.
fn formula<R: LongRadix, const N: usize>() {
    for g in 1..=LONG_G {
        let arena = AlgebraArena::new();
        for bias in R::BIASES {
            arena.constant(bias);
        }
        let s = arena.backend::<N>();
        let f = R::long(s);
        let (a, av) = lanes_of::<R, _>(&arena, s, "a", super::radix::limbs::<R>(|_| R::ROW));
        let power: [R::Limbs; LONG_G] =
            core::array::from_fn(|i| symbols::<R>(&arena, &format!("g{i}"), R::CARRIED));
        // As the set-up leaves them: 16 powers in the lanes of a few vectors.
        let lanes: std::vec::Vec<_> = power
            .chunks_exact(N)
            .map(|chunk| load::<R, _>(s, core::array::from_fn(|lane| chunk[lane % N])))
            .collect();
        let gv = power.map(|limbs| value::<R>(&arena, limbs));
        let mut bytes = [0; 16 * 8 * LONG_G];
        let bytes = &mut bytes[..g * R::BLOCK * N];
        let c = message_of::<R>(&arena, "m", bytes);
        let got = values_of::<R, _>(&arena, s, long_group(f, a, bytes, &keys_of(f, &lanes)));
        assert_group::<R, N>(g, &got, &av, &gv, &c);
    }
}

/// The only row of a message: zero blocks in front have no pad bit, the last block has any length.
fn only_row<const N: usize>() {
    for (count, tail) in (1..=N).flat_map(|count| (1..=16).map(move |tail| (count, tail))) {
        let arena = AlgebraArena::new();
        let s = arena.backend::<N>();
        let mut bytes = [0; 16 * 8];
        let whole = 16 * (count - 1);
        let mut c = message_of::<R44>(&arena, "m", &mut bytes[..whole]);
        c.push(short_block_of::<R44>(&arena, &mut bytes[whole..whole + tail]));
        let got = values_of::<R44, _>(&arena, s, Radix44(s).only_row(&bytes[..whole + tail]));
        for b in 0..N {
            let want = b.checked_sub(N - count).map_or(Poly::default(), |b| c[b].clone());
            assert_eq!(got[lane_of_block(N, b)], want, "{count} blocks, {tail} bytes in the last");
        }
    }
}

#[test]
fn only_row_of_eight_lanes() {
    only_row::<8>();
}

#[test]
fn only_row_of_four_lanes() {
    only_row::<4>();
}

/// The sum without products is its addend: the biases vanish modulo the prime.
fn empty_sum<R: LongRadix, const N: usize>() {
    let arena = AlgebraArena::new();
    for bias in R::BIASES {
        arena.constant(bias);
    }
    let s = arena.backend::<N>();
    let f = R::long(s);
    let (a, av) = lanes_of::<R, _>(&arena, s, "a", R::CUT);
    let got = values_of::<R, _>(&arena, s, f.long_carry(f.as_long(a)));
    for i in 0..N {
        assert_same::<R>(&got[i], &av[i]);
    }
}

/// With 17 products in a sum a difference may be negative: the analysis refuses it.
#[test]
#[should_panic(expected = "the difference may be negative")]
fn more_products_than_the_biases_allow() {
    let arena = IntervalArena::new();
    for bias in R44::BIASES {
        arena.constant(bias);
    }
    let s = arena.backend::<8>();
    let f = R44::long(s);
    let powers = any_powers::<R44, 8>(&arena, s);
    let keys = keys_of(f, &[powers, powers]);
    let row = f.whole_row(&[0; 128]);
    let d = (0..LONG_G + 1).fold(f.as_long(row), |d, _| f.long_add(d, row, &keys, 1));
    let _ = f.long_carry(d);
}

macro_rules! for_long_radices {
    ($($name:ident = $f:ident;)*) => { $(
        mod $name {
            use crate::proofs::{for_multiply_add, radix::{R43, R44}};
            for_multiply_add!($f);
        }
    )* };
}

#[test]
fn prepared_in_eight_lanes() {
    prepared_as_called::<8>();
}

#[test]
fn prepared_in_four_lanes() {
    prepared_as_called::<4>();
}

for_long_radices! {
    bounds = any_number_of_groups;
    equals_its_formula = formula;
    biases = empty_sum;
}
