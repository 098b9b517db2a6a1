//! Limbs of radix 2^26 in lanes and the decimated Horner never overflow, over any number of rows.
use super::bounds_window::COLUMN;
use super::{CUT26, TOP_IN, TOP_OUT, fixpoint, for_lanes, join_lanes, lane_tops, ones, tops};
use crate::field1305::element::freeze;
use crate::field1305::horner::{Keys, MAX_G, evaluate, first_row, group, last_rows};
use crate::field1305::lanes26::{self, Key};
use crate::field1305::powers::{Row, in_lanes};
use carryless_lanes::{Interval, IntervalArena, Range};

/// What `carry` leaves of sums below 2^63.25: the documentation of `lanes26` has these numbers.
pub(super) const CARRIED: [u64; 5] =
    [ones(26), (1 << 26) + (1 << 14), ones(26), ones(26), (1 << 26) + (1 << 12)];

/// What `carry` leaves of products of key powers, and of the rows of the decimated Horner.
pub(super) const CARRIED_ROWS: [u64; 5] =
    [ones(26), (1 << 26) + (1 << 7), ones(26), ones(26), (1 << 26) + (1 << 7)];

/// The same and a block with its pad bit.
const WITH_BLOCK: u64 = (1 << 27) + (1 << 7);

fn all_lanes<const N: usize>(tops: [u64; 5]) -> [[Range; N]; 5] {
    tops.map(|top| [Range::upto(top); N])
}

/// The powers of any key, as `lane_powers` leaves them in the lanes.
pub(super) fn any_powers<'a, const N: usize>(arena: &IntervalArena, s: Interval<'a, N>) -> [[Range; N]; 5] {
    let mut row = Row { words: [0; 16], tops: [0; 8] };
    row.words.fill_with(|| arena.upto(u64::MAX));
    row.tops.fill_with(|| arena.upto(TOP_IN));
    in_lanes(s, &row)
}

/// `Key::new` takes limbs below 2^29; products of carried limbs are carried limbs: a fixpoint of key powers.
fn keys_and_products<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let _ = Key::new(s, all_lanes([ones(29); 5]));
    let start: [[Range; N]; 5] = join_lanes(all_lanes(CUT26), all_lanes(CARRIED));
    let product = lanes26::mul_carry(s, start, &Key::new(s, start));
    assert!(lane_tops(product).into_iter().zip(CARRIED_ROWS).all(|(got, top)| got <= top), "{product:?}");
}

/// Five limbs of 2^63.25, the most that any kernel gives to a carry chain.
fn carry_takes_wide_sums<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let once = lanes26::carry(s, all_lanes([COLUMN; 5]));
    assert!(lane_tops(once).into_iter().zip(CARRIED).all(|(got, top)| got <= top), "{once:?}");
}

/// Blocks, pads and an element in one lane.
fn loads<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let blocks = lanes26::blocks(s, &[0; 128]);
    assert_eq!(lane_tops(blocks), [ones(26), ones(26), ones(26), ones(26), ones(24)]);
    let row = first_row(s, CUT26.map(|top| arena.upto(top)), &[0; 16], 1);
    assert!(lane_tops(row).iter().all(|&top| top <= ones(27) + ones(25)), "{row:?}");
}

/// Any key, any value to start from, any first row, any number of groups, a whole or a short last row; then the
/// lanes are added, packed and frozen.
fn horner<const N: usize>() {
    horner_of::<N, 1>();
    horner_of::<N, 2>();
    horner_of::<N, 3>();
    horner_of::<N, 4>();
}

fn horner_of<const N: usize, const G: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let h = CUT26.map(|top| arena.upto(top));
    let bytes = [0; 16 * 8 * MAX_G];
    let keys = Keys::<_, G>::new(s, any_powers(&arena, s));
    let mut a = first_row(s, h, &[0; 16], 1);
    for count in 2..=N {
        a = join_lanes(a, first_row(s, h, &bytes[..16 * count], count));
    }
    let after = |a| {
        let one = group::<_, 1>(s, a, &bytes, &[keys.gamma[0]]);
        join_lanes(one, group::<_, G>(s, a, &bytes, &keys.gamma))
    };
    let a = fixpoint(a, |a| join_lanes(a, after(a)));
    assert!(lane_tops(after(a)).iter().all(|&top| top < WITH_BLOCK));
    for last in 16 * (N - 1) + 1..=16 * N {
        let out = last_rows(s, a, &bytes[..last], &keys.last);
        assert!(lane_tops(out).into_iter().zip(CARRIED_ROWS).all(|(got, top)| got <= top), "{out:?}");
        fold_and_freeze(&arena, s, out);
    }
}

/// The sum of the lanes is an element, and freezes.
pub(super) fn fold_and_freeze<const N: usize>(arena: &IntervalArena, s: Interval<'_, N>, h: [[Range; N]; 5]) {
    let words = arena.machine::<1>();
    // Eight carried limbs are below the 2^32 for which `values_words` proves the fold below 2p.
    assert!(lane_tops(h).iter().all(|&top| top < ones(32) / 8));
    let out = lanes26::fold(words, &lanes26::store(s, h), N);
    assert_eq!(tops(out), [u64::MAX, u64::MAX, TOP_OUT]);
    assert_eq!(freeze(words, out)[2].hi(), 3);
}

/// The whole evaluation as it is called, for every shape of short messages.
fn horner_as_called<const N: usize>() {
    horner_as_called_with::<N, 1>();
    horner_as_called_with::<N, 2>();
    horner_as_called_with::<N, 3>();
    horner_as_called_with::<N, 4>();
}

fn horner_as_called_with<const N: usize, const G: usize>() {
    let arena = IntervalArena::new();
    let s = arena.machine::<N>();
    let h = CUT26.map(|top| arena.upto(top));
    let keys = Keys::<_, G>::new(s, any_powers(&arena, s));
    for blocks in N + 1..=10 * N {
        for tail in [0, 5] {
            let lanes = evaluate(s, &keys, h, &[0; 16 * 80][..16 * blocks - tail]);
            let out = lanes26::fold(arena.machine::<1>(), &lanes, N);
            assert_eq!(out[2].hi(), TOP_OUT);
        }
    }
}

for_lanes! {
    keys = keys_and_products;
    carries = carry_takes_wide_sums;
    rows = loads;
    any_number_of_rows = horner;
    as_called = horner_as_called;
}
