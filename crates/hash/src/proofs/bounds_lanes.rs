//! Arithmetic in lanes and the decimated Horner never overflow, over any number of rows.
use super::bounds_window::COLUMN;
use super::radix::{Fe, Prime, R26, Radix};
use super::{fixpoint, for_lanes, for_radices, join, ones};
use crate::eval::horner::{Keys, first_row, group, last_rows};
use crate::field::LaneField;
use crate::field::groups::MAX_G;
use crate::field::p1305::lanes26::{self, Key};
use carryless_lanes::{Interval, IntervalArena, Range};
use std::vec::Vec;

/// What `lanes26::carry` leaves of sums below 2^63.25: its documentation has these numbers.
pub(super) const CARRIED: [u64; 5] =
    [ones(26), (1 << 26) + (1 << 14), ones(26), ones(26), (1 << 26) + (1 << 12)];

/// The sets of an element per lane.
type Sets<const N: usize> = Vec<[Range; N]>;

fn all_lanes<const N: usize>(tops: &[u64]) -> Sets<N> {
    tops.iter().map(|&top| [Range::upto(top); N]).collect()
}

/// No limb of any lane is greater than these.
#[track_caller]
pub(super) fn assert_at_most<const N: usize>(sets: &Sets<N>, tops: &[u64]) {
    for (limb, top) in sets.iter().zip(tops) {
        assert!(limb.iter().all(|lane| lane.hi() <= *top), "{sets:x?}");
    }
}

/// The powers of any key, as `lane_powers` leaves them in the lanes.
pub(super) fn any_powers<'a, R: Radix, const N: usize>(
    arena: &IntervalArena,
    s: Interval<'a, N>,
) -> Fe<R, Interval<'a, N>> {
    let words = R::in_lanes(s, &[R::Prime::ELEMENT; 8].map(|words| words.map(|top| arena.upto(top))));
    // Where a vector product makes half of the powers, both factors come from words.
    let f = R::over(s);
    let products = f.carry(f.mul(words, &f.key(words)));
    R::of_sets(&join(R::sets(words), R::sets(products)))
}

/// Products of carried limbs are carried limbs: a fixpoint of key powers.
fn keys_and_products<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    // Powers come from words, cut, or from products, carried. If products of both are carried limbs again, one step
    // proves all chains of products.
    let start = join(all_lanes::<N>(R::CUT.as_ref()), all_lanes(R::CARRIED.as_ref()));
    let start = R::of_sets(&start);
    assert_at_most(&R::sets(f.carry(f.mul(start, &f.key(start)))), R::CARRIED.as_ref());
    assert_at_most(&R::sets(f.carry(f.square(start))), R::CARRIED.as_ref());
}

/// `Key::new` takes limbs below 2^29.
fn wide_keys<const N: usize>() {
    let arena = IntervalArena::new();
    // Nothing to compare: a multiple that leaves 32 bits panics inside.
    let _ = Key::new(arena.backend::<N>(), R26::of_sets(&all_lanes(&[ones(29); 5])));
}

/// Five limbs of 2^63.25, the most that any kernel gives to a carry chain.
fn carry_takes_wide_sums<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let once = lanes26::carry(s, R26::of_sets(&all_lanes(&[COLUMN; 5])));
    assert_at_most(&once.to_vec(), &CARRIED);
}

/// Blocks, pads and an element in one lane.
fn loads<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let row = R::over(s).whole_row(&[0; 128]);
    assert_at_most(&R::sets(row), R::CUT.as_ref());
    let h = super::radix::limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i]));
    let row = first_row(R::over(s), Some(h), &[0; 16][..R::BLOCK], 1);
    // The value that comes in joins a block, so this row has the widest limbs that are multiplied.
    assert_at_most(&R::sets(row), &[R::ROW; 5]);
}

/// Any key, any value to start from, any first row, any number of groups, a whole or a short last row; then the
/// lanes are added, packed and frozen.
fn horner<R: Radix, const N: usize>() {
    horner_of::<R, N, 1>();
    horner_of::<R, N, 2>();
    horner_of::<R, N, 3>();
    horner_of::<R, N, 4>();
    horner_of::<R, N, MAX_G>();
}

fn horner_of<R: Radix, const N: usize, const G: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    let h = super::radix::limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i]));
    let bytes = [0; 16 * 8 * MAX_G];
    // Vector loads give any word for bytes that no arena made, so these zeros stand for every message.
    let keys = Keys::<_, G>::new(f, any_powers::<R, N>(&arena, s));
    let mut a = R::sets(first_row(f, Some(h), &bytes[..R::BLOCK], 1));
    // For each number of blocks h joins another lane: the start holds all of these rows.
    for count in 2..=N {
        a = join(a, R::sets(first_row(f, Some(h), &bytes[..R::BLOCK * count], count)));
    }
    let after = |a: Sets<N>| {
        let a = R::of_sets(&a);
        // Rows that fill no group of G lead, one at a time. Both kinds share the fixpoint, so their order does not
        // matter.
        let one = R::sets(group::<_, 1>(f, a, &bytes, &[keys.gamma[0]]));
        join(one, R::sets(group::<_, G>(f, a, &bytes, &keys.gamma)))
    };
    let a = fixpoint(a, after);
    assert_at_most(&after(a.clone()), R::GROUP.as_ref());
    // The pad of a short last block may lie in any limb.
    for last in R::BLOCK * (N - 1) + 1..=R::BLOCK * N {
        let out = last_rows(f, R::of_sets(&a), &bytes[..last], &keys.last);
        assert_at_most(&R::sets(out), R::FOLDED.as_ref());
        fold_and_freeze::<R, N>(&arena, s, out, None);
    }
}

/// The sum of the lanes and of `more` is an element, and freezes.
pub(super) fn fold_and_freeze<'a, R: Radix, const N: usize>(
    arena: &IntervalArena,
    s: Interval<'a, N>,
    h: Fe<R, Interval<'a, N>>,
    more: Option<R::Limbs>,
) {
    let words = arena.backend::<1>();
    R::Prime::freezes(words, &R::fold(s, h, words, more));
}

/// Eight limbs of radix 2^26 and one more are below the 2^62 for which `values_words` proves the fold below 2p.
#[test]
fn eight_lanes_fit_the_fold() {
    assert!(R26::FOLDED.iter().zip(R26::POWER).all(|(&top, more)| 8 * top + more < ones(62)));
}

/// The whole evaluation, end to end, for every shape of short messages.
fn horner_as_called<R: Radix, const N: usize>() {
    horner_as_called_with::<R, N, 1>();
    horner_as_called_with::<R, N, 2>();
    horner_as_called_with::<R, N, 3>();
    horner_as_called_with::<R, N, 4>();
    horner_as_called_with::<R, N, MAX_G>();
}

fn horner_as_called_with<R: Radix, const N: usize, const G: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    let h = super::radix::limbs::<R>(|i| arena.upto(R::CUT.as_ref()[i]));
    let keys = Keys::<_, G>::new(f, any_powers::<R, N>(&arena, s));
    // Between the first and the last row there are up to eight: for every G a whole group, and each number of rows
    // that leads.
    for blocks in N + 1..=10 * N {
        for tail in [0, 5] {
            let lanes = keys.evaluate(f, Some(h), &[0; 16 * 80][..R::BLOCK * blocks - tail]);
            fold_and_freeze::<R, N>(&arena, s, lanes, None);
        }
    }
}

/// One row of any elements, as blocks with their pads are, meets the powers of any key.
fn one_row<R: Radix, const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let (f, any) = (R::over(s), any_powers::<R, N>(&arena, s));
    let out = f.carry(f.mul(any, &f.key(any)));
    assert_at_most(&R::sets(out), R::CARRIED.as_ref());
    fold_and_freeze::<R, N>(&arena, s, out, None);
}

for_lanes! {
    widest_keys = wide_keys;
    carries = carry_takes_wide_sums;
}

for_radices! {
    keys = keys_and_products;
    rows = loads;
    any_number_of_rows = horner;
    as_called = horner_as_called;
    row = one_row;
}
