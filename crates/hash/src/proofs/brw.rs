//! BRW: no sum overflows however many entries the stack gives, and the values are BRW's. (`paper001` has the counts.)
use super::bounds_lanes::{assert_at_most, fold_and_freeze, join_sets};
use super::radix::{Fe, R26, R43, R44, Radix, assert_same, limbs, message_of, same, symbols, values_of};
use super::{assert_below_2p, fixpoint, for_radices, join, tops, upto};
use crate::brw::algorithm1::{Stack, finish, plus, zero};
use crate::brw::leaf::three;
use crate::brw::pairs::absorb;
use crate::brw::rows::Rows;
use crate::field1305::element::{limbs44, recut};
use crate::field1305::lanes26::{block_of_lane, lane_of_block};
use crate::field1305::word44::{self, Multiplier};
use crate::lane_field::LaneField;
use carryless_lanes::{AlgebraArena, Interval, IntervalArena, Poly};
use std::format;
use std::vec::Vec;

/// Entries that one group may take from the stack: floor(lg n) - 1, and n is at most 2^57 blocks for 2^64 bits.
pub(super) const ENTRIES: usize = 56;

/// leaf + `entries` products, carried.
fn after<'a, R: Radix, const N: usize>(
    s: Interval<'a, N>,
    entries: usize,
    x: Fe<R, Interval<'a, N>>,
    power: R::Limbs,
) -> Fe<R, Interval<'a, N>> {
    let f = R::over(s);
    let (row, row_sums) = (f.row(&[0; 128], 0), f.row_sums(&[0; 128], 0));
    let entry = f.mul(x, &plus(f, row, power));
    let leaf = three(f, &[power; 2], row, row, row_sums);
    // Of two chunks side by side, the second adds the last product of the first to its carried leaf.
    let pair = f.mul_add(f.as_sums(f.odds(x)), f.evens(x), &plus(f, f.evens(row), power));
    let sum = |start| (0..entries).fold(start, |sum, _| f.add_sums(sum, entry));
    let (leaf, pair) = (R::sets(f.carry(sum(leaf))), R::sets(f.carry(sum(pair))));
    R::of_sets(&join_sets(&leaf, pair))
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

/// Vectors of streams join by Horner's rule, the streams meet their powers, and the length joins.
fn last_sums<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let f = R::over(s);
    let power = limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i]));
    let tops = super::radix::greater::<R>(R::WIDE_CARRIED, R::CUT);
    let q = f.everywhere(limbs::<R>(|i| arena.upto(tops.as_ref()[i])));
    let key = f.key(f.everywhere(power));
    assert_at_most(&R::sets(f.carry(f.mul_add(f.as_sums(q), q, &key))), tops.as_ref());
    // The length joins in the first lane.
    fold_and_freeze::<R, N>(&arena, s, f.add(f.carry(f.mul(q, &key)), f.in_lane(power, 0)));
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

/// The value of all `rows`, and of `tail` if there is one, with `powers` at hand.
pub(super) fn evaluate<F: LaneField>(
    f: F,
    t: usize,
    powers: &[F::Limbs],
    rows: Rows<'_>,
    tail: Option<F::Fe>,
    two_runs: bool,
) -> F::Fe {
    let mut stack = Stack { entries: &mut [zero(f); 12], top: 0 };
    absorb(f, t, powers, &mut stack, rows, 0, two_runs);
    let rest = rows.after(rows.count() & !3);
    finish(f, powers, &mut stack, rest, tail, rows.count() as u64 + 1)
}

/// `n` rows by leaves of 2^t - 1 rows, of N streams, or of N / 2 in two runs; and what they should be in the lanes of the
/// first stream and of the last.
fn value_of<R: Radix, const N: usize>(n: usize, t: usize, two_runs: bool, wrong: bool) -> bool {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let f = R::over(s);
    let mut powers: Vec<R::Limbs> = (0..6).map(|j| symbols::<R>(&arena, &format!("P{j}"), R::CUT)).collect();
    if wrong {
        powers.swap(1, 2);
    }
    let c = if two_runs { N / 2 } else { N };
    let apart = if two_runs { 0 } else { R::BLOCK * N / 2 };
    let mut bytes = [0; 16 * 8 * 20];
    let (row, pad) = (R::BLOCK * c, Poly::constant(1).times_power_of_two(8 * R::BLOCK as u32));
    let blocks: Vec<Poly> =
        message_of::<R>(&arena, "m", &mut bytes[..row * n]).iter().map(|block| block - &pad).collect();
    // All rows whole, or the last one apart, as if it had been padded.
    let mut all_same = true;
    for whole in [n, n - 1] {
        let rows = Rows::new(&bytes[..row * whole], row, 0, apart);
        let rest = &bytes[row * whole..row * n];
        let tail = (whole < n).then(|| f.short_row(rest, apart));
        let q = evaluate(f, t, &powers, rows, tail, two_runs);
        let got = values_of::<R, _>(&arena, s, q);
        for lane in [lane_of_block(N, 0), lane_of_block(N, N - 1)] {
            let stream: Vec<Poly> =
                (0..n).map(|row| blocks[row * c + block_of_lane(N, lane) % c].clone()).collect();
            let want = brw(&stream, &power::<R>);
            if wrong {
                all_same &= same::<R>(&got[lane], &want).is_ok();
            } else {
                assert_same::<R>(&got[lane], &want);
            }
        }
    }
    all_same
}

fn values<R: Radix, const N: usize>() {
    for n in 1..=8 {
        value_of::<R, N>(n, 2, false, false);
    }
    for (n, t) in [(7, 3), (8, 3), (9, 3), (11, 2), (12, 3)] {
        value_of::<R, N>(n, t, false, false);
    }
    for n in [4, 8, 9, 12] {
        value_of::<R, N>(n, 2, true, false);
    }
}

#[test]
fn larger_leaves() {
    for (n, t) in [(16, 2), (16, 3), (16, 4), (17, 4)] {
        value_of::<R44, 2>(n, t, false, false);
        value_of::<R43, 2>(n, t, false, false);
    }
    value_of::<R44, 2>(16, 3, true, false);
    value_of::<R44, 2>(17, 2, true, false);
}

#[test]
fn powers_exchanged() {
    assert!(value_of::<R26, 2>(4, 2, false, false) && !value_of::<R26, 2>(4, 2, false, true));
    assert!(value_of::<R43, 2>(4, 2, false, false) && !value_of::<R43, 2>(4, 2, false, true));
}

/// Key powers in radix 2^44, as they are made for lanes: products of products and squares of any key, and their cuts.
#[test]
fn powers_for_lanes() {
    let arena = IntervalArena::new();
    let s = arena.machine::<1>();
    let key = limbs44(s, upto([u64::MAX, u64::MAX, 0]));
    let powers = fixpoint(key, |power| {
        let square = word44::carry_twice(s, word44::square_wide(s, power));
        let product = word44::mul_wide(s, power, &Multiplier::new(s, power));
        join(power, join(square, word44::carry_twice(s, product)))
    });
    assert!(tops(recut(s, powers)).iter().all(|&top| top <= 1 << 26));
    assert_below_2p(tops(word44::carry_twice(s, word44::square_wide(s, powers))), 44);
}

for_radices! {
    any_number_of_groups = sums;
    the_last_product = last_sums;
    equal_their_definition = values;
}
