//! BRW: no sum overflows however many entries the stack gives, and the values are BRW's. (`paper001` has the counts.)
use super::bounds_lanes::{assert_at_most, fold_and_freeze};
use super::radix::{R26, R43, R44, Radix, Sums, assert_same, limbs, message_of, same, symbols, values_of};
use super::{assert_below_2p, fixpoint, for_radices, join, tops, upto};
use crate::base::block_rows::{block_of_lane, lane_of_block};
use crate::choose::FEW_ROWS;
use crate::eval::brw::algorithm1::{Stack, finish};
use crate::eval::brw::few_rows::{FEW_BITS, fifteen, sixteens};
use crate::eval::brw::leaf::{plus, zero};
use crate::eval::brw::pairs::absorb;
use crate::eval::brw::rows::Rows;
use crate::field::p1305::element::{limbs44, recut};
use crate::field::p1305::word44::{self, Multiplier};
use crate::field::{Field, LaneField};
use carryless_lanes::{AlgebraArena, Interval, IntervalArena, Poly};
use std::vec::Vec;
use std::{format, vec};

/// Entries that one group may take from the stack: floor(lg n) - 1, and n is at most 2^57 blocks for 2^64 bits.
pub(super) const ENTRIES: usize = 56;

/// Rows of a message that takes so many entries: 2^ENTRIES groups of four.
const ALL_ROWS: u64 = 4 << ENTRIES;

/// What Algorithm 1 leaves on the stack, whatever went before, and what it gives out at the end: `absorb` and `finish`
/// themselves, with as many entries as there can be. `entry` is what a stream restores, `join` is [`Radix::join_sums`], and
/// `check` gets every result. Rows are read from `bytes`, 256 of them.
pub(super) fn any_groups<F: LaneField>(
    f: F,
    powers: &[F::Limbs],
    mut entry: F::Sums,
    bytes: &[u8],
    join: impl Fn(F::Sums, F::Sums) -> (F::Sums, bool),
    mut check: impl FnMut(F::Fe),
) {
    let (block, n) = (<F::Element as Field>::BLOCK, F::N);
    let half = if n == 1 { 0 } else { block * n / 2 };
    let rows_of = |count: usize, two_runs: bool| match two_runs {
        true => Rows::new(&bytes[..half * count], half, 0, 0),
        false => Rows::new(&bytes[..block * n * count], block * n, 0, half),
    };
    // The last group of each size; the largest and the smallest pair of chunks, and a group between pairs.
    let leaves = (2..=5).map(|t| (t, 1 << t, false));
    let pairs = [(2, 256, true), (3, 256, true), (2, 8, true), (2, 4, true)];
    let steps: Vec<_> = leaves.chain(pairs).filter(|&(_, _, two_runs)| n > 1 || !two_runs).collect();
    for _ in 0..40 {
        let mut grew = false;
        for &(t, count, two_runs) in &steps {
            // The group that ends at the largest number of rows takes the most entries. The stack has one for each
            // bit of the number of groups before it.
            let done = ALL_ROWS - count as u64;
            let top = (done / 4).count_ones() as usize;
            // Any entry may be anything that a group leaves, so all are the same set.
            let mut stack = Stack { entries: &mut [entry; ENTRIES + 8], top };
            absorb(f, t, powers, &mut stack, rows_of(count, two_runs), done, two_runs);
            let more;
            (entry, more) = join(entry, stack.entries[stack.top - 1]);
            grew |= more;
        }
        // Results are looked at once the set is one that every group keeps.
        if grew {
            continue;
        }
        for count in 0..4 {
            let rows = rows_of(count, false);
            for tail in [None, Some(f.row(bytes, half))] {
                let mut stack = Stack { entries: &mut [entry; ENTRIES + 8], top: ENTRIES };
                check(finish(f, powers, &mut stack, rows, tail, ALL_ROWS));
            }
        }
        return;
    }
    panic!("no fixpoint");
}

/// Any key, any blocks: what leaves a group may enter the next one, for any number of groups.
fn sums<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    let powers = vec![limbs::<R>(|i| arena.upto(R::POWER.as_ref()[i])); ENTRIES + 3];
    // A stream keeps its entries as it keeps powers, so what it restores has the same bounds.
    let restored = f.as_sums(f.everywhere(powers[0]));
    let bytes = vec![0; 256 * 16 * 8];
    any_groups(f, &powers, restored, &bytes, R::join_sums::<N>, |q| {
        assert_at_most(&R::sets(q), R::WIDE_CARRIED.as_ref());
    });
}

/// Vectors of streams join by Horner's rule, the streams meet their powers, and the length joins.
fn last_sums<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    let power = limbs::<R>(|i| arena.upto(R::POWER.as_ref()[i]));
    // A stream ends in a carry, or comes from words and is cut.
    let tops = super::radix::greater::<R>(R::WIDE_CARRIED, R::CUT);
    let q = f.everywhere(limbs::<R>(|i| arena.upto(tops.as_ref()[i])));
    let key = f.key(f.everywhere(power));
    assert_at_most(&R::sets(f.carry(f.mul_add(f.as_sums(q), q, &key))), tops.as_ref());
    let length = limbs::<R>(|i| arena.upto(R::POWER.as_ref()[i]));
    length_joins::<R, N>(&arena, s, f.mul(q, &key), length);
    // Weights are products of carried powers.
    let carried = f.everywhere(limbs::<R>(|i| arena.upto(R::CARRIED.as_ref()[i])));
    length_joins::<R, N>(&arena, s, f.mul(q, &f.key(carried)), length);
}

/// The length L tau joins the streams in the first lane, as `close` has it, and the sum freezes.
fn length_joins<'a, R: Radix, const N: usize>(
    arena: &IntervalArena,
    s: Interval<'a, N>,
    streams: Sums<R, Interval<'a, N>>,
    length: R::Limbs,
) {
    fold_and_freeze::<R, N>(arena, s, R::over(s).for_fold(streams), Some(length));
}

/// Every number of rows of the straight-line kernel, whole and partial last rows, under any key.
fn few_rows_in_lanes<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    let tau = f.everywhere(limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i])));
    // Limbs of tau times the length, not carried.
    let length = limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i] * (FEW_BITS - 1)));
    let row = R::BLOCK * N;
    for rows in 1..=FEW_ROWS as usize {
        for len in [rows * row, rows * row - 3, rows * row - row + 1] {
            let weighted = match rows {
                0..16 => fifteen,
                16..32 => sixteens::<_, true>,
                _ => sixteens::<_, false>,
            };
            length_joins::<R, N>(&arena, s, weighted(f, tau, None, &vec![0; len]), length);
        }
    }
}

/// Too many entries are noticed.
#[test]
#[should_panic(expected = "the sum may exceed 64 bits")]
fn a_hundred_entries() {
    let arena = IntervalArena::new();
    let f = R26::over(arena.backend::<4>());
    let powers = [limbs::<R26>(|i| arena.upto(R26::POWER[i])); 4];
    let x = f.everywhere(limbs::<R26>(|i| arena.upto(R26::WIDE_CARRIED[i])));
    let entry = f.mul(x, &plus(f, f.row(&[0; 64], 32), powers[0]));
    let mut stack = Stack { entries: &mut [entry; 100], top: 100 };
    finish(f, &powers, &mut stack, Rows::new(&[], 64, 0, 32), None, 400);
}

/// The definition, with `power(j)` for x^(2^j).
pub(super) fn brw(blocks: &[Poly], power: &impl Fn(usize) -> Poly) -> Poly {
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
    let s = arena.backend::<N>();
    let f = R::over(s);
    let mut powers: Vec<R::Limbs> =
        (0..6).map(|j| symbols::<R>(&arena, &format!("P{j}"), R::POWER)).collect();
    if wrong {
        // The planted fault: tau^2 and tau^4 change places.
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
        // Operations are the same in all lanes. The first and the last one show that each gets the blocks of its
        // own stream.
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
    let s = arena.backend::<1>();
    // A key has 128 bits, so its upper word is 0.
    let key = limbs44(s, upto([u64::MAX, u64::MAX, 0]));
    let powers = fixpoint(key, |power| {
        let square = word44::carry_twice(s, word44::square_wide(s, power));
        let product = word44::mul_wide(s, power, &Multiplier::new(s, power));
        join(power, join(square, word44::carry_twice(s, product)))
    });
    let below = |got: &[u64], top: &[u64]| got.iter().zip(top).all(|(got, top)| got <= top);
    assert!(below(&tops(powers), &R44::POWER) && below(&tops(recut(s, powers)), &R26::POWER));
    assert_below_2p(tops(word44::carry_twice(s, word44::square_wide(s, powers))), 44);
}

for_radices! {
    any_number_of_groups = sums;
    the_last_product = last_sums;
    few_rows = few_rows_in_lanes;
    equal_their_definition = values;
}
