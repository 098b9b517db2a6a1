//! The window of two radices: its table, its rows and whole messages have the documented values.
use super::bounds_lanes::CARRIED;
use super::radix::R26;
use super::values_horner::{power_lanes, power26};
use super::values_lanes::short_block;
use super::{CUT26, assert_same, for_lanes, lanes_of, message, ones, same, spec, symbols, value, values_of};
use crate::eval::p1305::window::{
    Table, block_ones, evaluate, load_row, pad_products, prepare, rows, shifted, times,
};
use crate::field::p1305::lanes26::{self, Key, Limbs};
use carryless_lanes::{Algebra, AlgebraArena, Poly};
use core::cell::Cell;

/// The table with a name for each power. Instead of multiplying by tau^N, each step returns the names of the next N
/// powers; that [`times`] multiplies is what `climbs` proves.
fn named_table<'a, const N: usize>(arena: &'a AlgebraArena, s: Algebra<'a, N>) -> Table {
    let mut table = Table::EMPTY;
    let above = Cell::new(0);
    let climb = |_| {
        above.set(above.get() + N);
        power_lanes::<R26, _>(arena, s, above.get())
    };
    prepare(s, power_lanes::<R26, _>(arena, s, 0), climb, &mut table);
    table
}

fn climbs<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let gamma = symbols(&arena, "gamma", CUT26);
    let (p, pv) = lanes_of(&arena, s, "p", core::array::from_fn(|i| CARRIED[i].max(CUT26[i])));
    let got = values_of(&arena, s, times(s, Key::splat(s, gamma))(p));
    for i in 0..N {
        assert_same(&got[i], &(&pv[i] * &arena.value(&gamma, 26)));
    }
}

/// x 2^k with the limbs where they were: x_4 2^k passes the top. The call moves them up by one to three places.
fn shifts<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let (x, xv) = lanes_of(&arena, s, "x", [ones(29); 5]);
    for k in [6, 12, 18] {
        let got = values_of(&arena, s, shifted(s, x, k));
        for i in 0..N {
            assert_same(&got[i], &xv[i].times_power_of_two(k));
        }
    }
}

/// The sum over limbs of a row's multiplicands in one lane.
fn entry<const N: usize>(arena: &AlgebraArena, limbs: &Limbs<Algebra<'_, N>>, lane: usize) -> Poly {
    arena.value(&limbs.map(|limb| arena.word_of(limb[lane])), 26)
}

/// Row by row: lane 2 b has P and 2^32 P, lane 2 b + 1 has 2^64 P and 2^96 P of the power P of block b.
fn entries<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let table = named_table(&arena, s);
    let blocks = rows(N) * N / 2;
    for row in 0..rows(N) {
        let (low, high) = load_row(s, &table.rows, row);
        for b in 0..N / 2 {
            let p = power26(blocks - row * N / 2 - b);
            for (i, (limbs, lane)) in
                [(&low, 2 * b), (&high, 2 * b), (&low, 2 * b + 1), (&high, 2 * b + 1)].into_iter().enumerate()
            {
                assert_same(&entry(&arena, limbs, lane), &p.times_power_of_two(32 * i as u32));
            }
        }
    }
}

/// 2^128 P in the chosen lanes.
fn pads<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let (p, pv) = lanes_of(&arena, s, "p", [ones(26) + ones(24); 5]);
    for from in 0..N / 2 {
        let out = pad_products(s, lanes26::limbs(s, p), block_ones(s, from, N / 2 - from));
        for (lane, got) in values_of(&arena, s, out).iter().enumerate().take(N) {
            let padded = lane % 2 == 0 && lane / 2 >= from;
            let want = if padded { pv[lane].times_power_of_two(128) } else { Poly::default() };
            assert_same(got, &want);
        }
    }
}

/// The value of the kernel and of its formula, for `l` blocks of which the last has `tail` bytes.
fn run<const N: usize>(table: impl Fn(&mut Table), l: usize, tail: usize, with_h: bool) -> [Poly; 2] {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let mut keys = named_table(&arena, s);
    table(&mut keys);
    let h = symbols(&arena, "h", CUT26);
    let mut bytes = [0; 16 * 96];
    let whole = 16 * (l - 1);
    let mut c = message(&arena, "m", &mut bytes[..whole]);
    c.push(short_block(&arena, &mut bytes[whole..whole + tail]));
    let pairs = evaluate(s, &keys, with_h.then_some(h), &bytes[..whole + tail]);
    let got = value(&arena, lanes26::fold(arena.backend::<1>(), &pairs, N, None), 64);
    let h = if with_h { arena.value(&h, 26) } else { Poly::default() };
    [got, spec::window(N, &h, &c, power26)]
}

/// Every first window, whole and short last blocks, with and without h; then a second and a third window.
fn whole_messages<const N: usize>() {
    let blocks = rows(N) * N / 2;
    for l in (N..=blocks + 2).chain([2 * blocks - 1, 2 * blocks, 2 * blocks + 1]) {
        let tail = [16, 8, 3, 15, 1, 9, 16][l % 7];
        let [got, want] = run::<N>(|_| (), l, tail, l % 2 == 0);
        assert_same(&got, &want);
    }
    for (tail, with_h) in [(16, true), (16, false), (8, true), (5, false)] {
        for l in [N, 2 * N - 1, blocks, blocks + 1] {
            let [got, want] = run::<N>(|_| (), l, tail, with_h);
            assert_same(&got, &want);
        }
    }
}

/// The proof fails for a table with two entries exchanged, and for one with the wrong pads.
#[test]
fn a_wrong_table_is_noticed() {
    let [got, want] = run::<4>(|table| table.rows.swap(0, 4), 33, 16, false);
    assert!(same(&got, &want).is_err());
    let [got, want] = run::<4>(|table| table.pads.swap(0, 1), 33, 16, false);
    assert!(same(&got, &want).is_err());
}

for_lanes! {
    next_powers = climbs;
    shifted_multiples = shifts;
    table_rows = entries;
    pad_bits = pads;
    equals_its_formula = whole_messages;
}
