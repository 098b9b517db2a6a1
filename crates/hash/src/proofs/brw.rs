//! BRW: no sum overflows however many entries the stack gives, and the values are BRW's. (`paper001` has the counts.)
use super::bounds_lanes::{assert_at_most, fold_and_freeze};
use super::radix::{Fe, R26, R44, Radix, limbs, symbols, values_of};
use super::{assert_same, for_radices, message, same};
use crate::brw::algorithm1::{Rows, plus, streams, three, zero};
use crate::field1305::lanes26::{block_of_lane, lane_of_block};
use crate::lane_field::LaneField;
use carryless_lanes::{AlgebraArena, Interval, IntervalArena, Poly};
use std::format;
use std::vec::Vec;

/// Entries that one group may take from the stack: floor(lg n) - 1, and n is at most 2^57 blocks for 2^64 bits.
const ENTRIES: usize = 56;

/// leaf + `entries` products, carried.
fn after<'a, R: Radix, const N: usize>(
    s: Interval<'a, N>,
    entries: usize,
    x: Fe<R, Interval<'a, N>>,
    power: R::Limbs,
) -> Fe<R, Interval<'a, N>> {
    let f = R::over(s);
    let row = f.row(&[0; 128]);
    let entry = f.mul(x, &plus(f, row, power));
    let leaf = three(f, &[power; 2], row, row, row);
    f.carry((0..entries).fold(leaf, |sum, _| f.add_sums(sum, entry)))
}

/// Any key, any blocks: what leaves a group may enter the next one, for any number of groups.
fn sums<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let power = limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i]));
    let first = after::<R, N>(s, 0, R::over(s).everywhere(power), power);
    let second = after::<R, N>(s, ENTRIES, first, power);
    let third = after::<R, N>(s, ENTRIES, second, power);
    assert_eq!(R::sets(second), R::sets(third));
    assert_at_most(&R::sets(third), R::WIDE_CARRIED.as_ref());
}

/// The streams meet their powers, at most 8 rows of lanes (16 streams in 2 lanes), and the length joins.
fn last_sums<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let f = R::over(s);
    let power = limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i]));
    let tops = super::radix::greater::<R>(R::WIDE_CARRIED, R::CUT);
    let q = f.everywhere(limbs::<R>(|i| arena.upto(tops.as_ref()[i])));
    let key = f.key(f.everywhere(power));
    let length = f.as_sums(f.everywhere(power));
    let all = (0..8).fold(length, |d, _| f.mul_add(d, q, &key));
    fold_and_freeze::<R, N>(&arena, s, f.carry(all));
}

/// Too many entries are noticed.
#[test]
#[should_panic(expected = "the sum may exceed 64 bits")]
fn a_hundred_entries() {
    let arena = IntervalArena::new();
    let s = arena.machine::<4>();
    let power = limbs::<R26>(|i| arena.upto(R26::CUT[i]));
    let x = after::<R26, 4>(s, ENTRIES, R26::over(s).everywhere(power), power);
    after::<R26, 4>(s, 100, x, power);
}

/// The definition, with `power(j)` for x^(2^j).
fn brw(blocks: &[Poly], power: &impl Fn(usize) -> Poly) -> Poly {
    match blocks {
        [] => Poly::default(),
        [m] => m.clone(),
        [m, n] => m * &power(0) + n,
        [m1, m2, m3] => (power(0) + m1) * (power(1) + m2) + m3,
        _ => {
            let r = blocks.len().ilog2() as usize;
            let (first, rest) = blocks.split_at(1 << r);
            let (last, first) = first.split_last().expect("2^r blocks");
            brw(first, power) * (power(r) + last) + brw(rest, power)
        }
    }
}

fn power<R: Radix>(j: usize) -> Poly {
    let limbs: Vec<Poly> = (0..R::CUT.as_ref().len()).map(|i| Poly::symbol(&format!("P{j}.{i}"))).collect();
    Poly::from_limbs(&limbs, R::BITS)
}

/// `n` rows of N blocks by leaves of 2^t - 1 rows, and what they should be in the lane of stream 0 and of the last.
fn value_of<R: Radix, const N: usize>(n: usize, t: usize, wrong: bool) -> bool {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let mut powers: Vec<R::Limbs> = (0..5).map(|j| symbols::<R>(&arena, &format!("P{j}"), R::CUT)).collect();
    if wrong {
        powers.swap(1, 2);
    }
    let mut bytes = [0; 16 * 8 * 20];
    let pad = Poly::constant(1).times_power_of_two(128);
    let blocks: Vec<Poly> =
        message(&arena, "m", &mut bytes[..16 * N * n]).iter().map(|block| block - &pad).collect();
    // All rows whole, or the last one apart, as if it had been padded.
    let mut all_same = true;
    for whole in [n, n - 1] {
        let all = Rows { bytes: &bytes[..16 * N * whole], stride: 16 * N, offset: 0 };
        let last = (whole < n).then(|| all.part(&bytes[16 * N * whole..]));
        let f = R::over(s);
        let q = streams(f, t, &powers, &mut [zero(f); 5], all, last);
        let got = values_of::<R, _>(&arena, s, q);
        for lane in [lane_of_block(N, 0), lane_of_block(N, N - 1)] {
            let stream: Vec<Poly> =
                (0..n).map(|row| blocks[row * N + block_of_lane(N, lane)].clone()).collect();
            let want = brw(&stream, &power::<R>);
            if wrong {
                all_same &= same(&got[lane], &want).is_ok();
            } else {
                assert_same(&got[lane], &want);
            }
        }
    }
    all_same
}

fn values<R: Radix, const N: usize>() {
    for n in 1..=8 {
        value_of::<R, N>(n, 2, false);
    }
    for (n, t) in [(7, 3), (8, 3), (9, 3), (11, 2), (12, 3)] {
        value_of::<R, N>(n, t, false);
    }
}

#[test]
fn larger_leaves() {
    for (n, t) in [(16, 2), (16, 3), (16, 4), (17, 4)] {
        value_of::<R44, 2>(n, t, false);
    }
}

#[test]
fn powers_exchanged() {
    assert!(value_of::<R26, 2>(4, 2, false) && !value_of::<R26, 2>(4, 2, true));
}

for_radices! {
    any_number_of_groups = sums;
    the_last_product = last_sums;
    equal_their_definition = values;
}
