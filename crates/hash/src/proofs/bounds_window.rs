//! The window of two radices never overflows, over any number of windows.
use super::bounds_lanes::{CARRIED, any_powers, fold_and_freeze};
use super::radix::R26;
use super::{CUT26, fixpoint, for_lanes, join, lane_tops, ones};
use crate::eval::p1305::window::{
    Table, add_row, evaluate, first_window, load_row, next_window, prepare, rows, shifted, times,
};
use crate::field::LaneField;
use crate::field::p1305::lanes26::{self, Key, Radix26};
use carryless_lanes::{Interval, IntervalArena, Lanes, Range};

/// Limbs of the shifted multiples in the table. The multiples by one are carried limbs, or cut ones below 2^27.
const ENTRY: u64 = (1 << 26) + (1 << 24);

/// What the columns of a window stay below: 2^63.25.
pub(super) const COLUMN: u64 = 0x9837_f051_8db8_a96f;

/// The table of any key.
fn table<const N: usize>(arena: &IntervalArena) -> Table {
    let s = arena.backend::<N>();
    let low = any_powers::<R26, N>(arena, s);
    let mut table = Table::EMPTY;
    prepare(s, low, times(s, Key::new(s, Radix26(s).lane0(low))), &mut table);
    table
}

fn entries<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    for k in [6, 12, 18] {
        let out = shifted(s, [[Range::upto(ones(29)); N]; 5], k);
        assert!(lane_tops(out).iter().all(|&top| top < ENTRY), "{k}: {out:?}");
    }
    let table = table::<N>(&arena);
    for row in 0..rows(N) {
        let (low, high) = load_row(s, &table.rows, row);
        assert!(lane_tops(low).iter().chain(&lane_tops(high)).all(|&top| top < 1 << 27));
    }
}

/// Any first window, then any number of windows; a last row with a short block; then a carry.
fn windows<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let table = table::<N>(&arena);
    let step = Key::load(s, &table.step);
    let (bytes, row) = ([0; 16 * 32], 8 * N);
    let blocks = rows(N) * N / 2;
    let h = CUT26.map(|top| arena.upto(top));
    // First windows of every length, with and without h. A whole row may be missing at the end, as where its last block is
    // short and it is added later.
    let mut d = [[Range::constant(0); N]; 5];
    for count in 1..=blocks {
        for last in [0, row].into_iter().filter(|&last| last <= 16 * count) {
            d = join(d, first_window(s, &table, Some(h), &bytes[..16 * count - last], count));
            d = join(d, first_window(s, &table, None, &bytes[..16 * count - last], count));
        }
    }
    let whole = |d| next_window(s, &table, &step, d, &bytes[..16 * blocks]);
    let short = |d| next_window(s, &table, &step, d, &bytes[..16 * blocks - row]);
    let d = fixpoint(d, |d| join(whole(d), short(d)));
    let d = with_last_row(s, &table, d);
    assert!(lane_tops(d).iter().all(|&top| top < COLUMN), "{d:?}");
    let out = lanes26::carry(s, d);
    assert!(lane_tops(out).into_iter().zip(CARRIED).all(|(got, top)| got <= top), "{out:?}");
    fold_and_freeze::<R26, N>(&arena, s, out, None);
}

fn with_last_row<const N: usize>(s: Interval<'_, N>, table: &Table, d: [[Range; N]; 5]) -> [[Range; N]; 5] {
    // Joined with `d`, because a message may also end with a whole row.
    join(d, add_row(s, d, load_row(s, &table.rows, rows(N) - 1), s.load(&[0; 64])))
}

/// The whole evaluation, end to end, for every shape of messages up to three windows.
fn windows_as_called<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let table = table::<N>(&arena);
    let h = CUT26.map(|top| arena.upto(top));
    for blocks in N..=3 * rows(N) * N / 2 {
        for (tail, h) in [(0, None), (15, None), (0, Some(h)), (1, Some(h))] {
            let pairs = evaluate(s, &table, h, &[0; 16 * 96][..16 * blocks - tail]);
            let out = lanes26::fold(arena.backend::<1>(), &pairs, N, None);
            assert_eq!(out[2].hi(), super::TOP_OUT);
        }
    }
}

for_lanes! {
    any_table = entries;
    any_number_of_windows = windows;
    as_called = windows_as_called;
}
