//! The decimated Horner as it is composed equals the hash, on the formal field: every number of rows for a carry chain, powers
//! that are made and powers that are ready.
use super::for_lanes;
use super::formal::{Formal, FormalBase, FormalLanes};
use crate::choose::plan::WORD_GROUPS;
use crate::eval::horner::{GROUPS, Horner, LongTable, fill_long, with_long_table};
use crate::eval::powers::Powers;
use crate::eval::powers::{power_chain, powers_up_to};
use crate::field::LaneField;
use crate::field::groups::{LONG_G, MAX_G};
use crate::papers::row::OneRow;
use crate::papers::words::grouped;

/// h tau^l + C_1 tau^l + ... + C_l tau, each block with its pad.
fn definition<const B: usize>(h: Formal<B>, msg: &[u8]) -> Formal<B> {
    let blocks = msg.chunks(B).map(|block| Formal::block(block).plus(Formal::pad(block.len())));
    let add = |sum: Formal<B>, block| sum.plus(block).times(Formal::tau_to(1));
    blocks.fold(h, add)
}

/// Every number of blocks from the first that is served; whole and short last blocks.
fn all_lengths<const N: usize, const B: usize>() {
    // Two whole groups of each size, and of long groups one and part of one.
    for l in N + 1..=N * (LONG_G + 4) {
        for tail in [B, 1 + l % (B - 1)] {
            one_length::<N, B>((l - 1) * B + tail);
        }
    }
}

/// A table of powers evaluates at most N blocks as one row.
fn prepared_row<const N: usize>() {
    let (f, zero) = (FormalLanes::<N, 16>, [Formal::ZERO; N]);
    for len in 1..=16 * N {
        Formal::<16>::forget();
        let (msg, h) = (Formal::<16>::message(len), Formal::block(&[0xff; 3]));
        let mut table = LongTable { keys: [Formal::ZERO; LONG_G], last: [zero; 2] };
        fill_long(f, FormalBase { ready: std::vec::Vec::new() }.lane_powers(f), &mut table);
        for (h, start) in [(Some([h]), h), (None, Formal::ZERO)] {
            let got = f.fold(with_long_table(f, &table, h, &msg));
            assert_eq!(got, definition(start, &msg), "{len} bytes, {N} lanes");
        }
    }
}

#[test]
fn prepared_in_four_lanes() {
    prepared_row::<4>();
}

#[test]
fn prepared_in_eight_lanes() {
    prepared_row::<8>();
}

fn one_length<const N: usize, const B: usize>(len: usize) {
    Formal::<B>::forget();
    let msg = Formal::<B>::message(len);
    // A symbol of its own: no message here has this many blocks.
    let h = Formal::block(&[0xff; 3]);
    let want = definition(h, &msg);
    // No power, those of a row, and those of groups of four and of eight rows. Kernels make what is missing.
    for ready in [0, N, 4 * N, MAX_G * N] {
        let point = &FormalBase { ready: (1..=ready as u64).map(Formal::tau_to).collect() };
        if N == 4 || N == 8 {
            let horner = Horner { point, h: Some(&h), msg: &msg, g: LONG_G };
            let made = horner.in_long_groups(FormalLanes::<N, B>);
            let f = FormalLanes::<N, B>;
            let zero = [Formal::ZERO; N];
            let mut table = LongTable { keys: [Formal::ZERO; LONG_G], last: [zero; 2] };
            fill_long(f, point.lane_powers(f), &mut table);
            let prepared = f.fold(with_long_table(f, &table, Some([h]), &msg));
            assert_eq!(
                [made, prepared],
                [want; 2],
                "{len} bytes, {N} lanes, long groups, {ready} powers ready"
            );
        }
        for g in GROUPS {
            let horner = Horner { point, h: Some(&h), msg: &msg, g };
            let shared = horner.in_field::<_, { u64::MAX }>(FormalLanes::<N, B>);
            let each = horner.in_field_each::<_, { u64::MAX }>(FormalLanes::<N, B>);
            assert_eq!([shared, each], [want; 2], "{len} bytes, {N} lanes, g = {g}, {ready} powers ready");
        }
    }
}

fn lengths<const N: usize>() {
    all_lengths::<N, 16>();
}

#[test]
fn in_words() {
    all_lengths::<1, 15>();
}

/// A block of a message with its pad.
fn padded<const B: usize>(block: &[u8]) -> Formal<B> {
    Formal::block(block).plus(Formal::pad(block.len()))
}

/// One row of 1 to N blocks, the last whole or short, powers made and ready.
fn one_row<const N: usize>() {
    for len in 1..=16 * N {
        Formal::<16>::forget();
        let msg = &Formal::<16>::message(len);
        for ready in [0, N] {
            let point = &FormalBase { ready: (1..=ready as u64).map(Formal::tau_to).collect() };
            let got = OneRow { point, msg }.in_field(FormalLanes::<N, 16>, padded);
            assert_eq!(got, definition(Formal::ZERO, msg), "{len} bytes, {N} lanes, {ready} powers ready");
        }
    }
}

/// In words, every number of blocks up to a first group of each size and two whole ones behind it; powers made, ready, and too few.
fn groups_in_words<const B: usize>() {
    for g in WORD_GROUPS {
        for l in 0..=(3 * g + 1).min(70) {
            for tail in [B, 1 + l % (B - 1)] {
                Formal::<B>::forget();
                let msg = Formal::<B>::message((l * B).saturating_sub(B - tail));
                let h = Formal::block(&[0xff; 3]);
                for ready in [0, g / 2, g] {
                    let ready: std::vec::Vec<_> = (1..=ready as u64).map(Formal::tau_to).collect();
                    let got = grouped(FormalLanes::<1, B>, (Formal::tau_to(1), &ready[..]), h, &msg, g);
                    let len = msg.len();
                    assert_eq!(
                        got,
                        definition(h, &msg),
                        "{len} bytes, g = {g}, {} powers ready",
                        ready.len()
                    );
                }
            }
        }
    }
}

#[test]
fn grouped_words() {
    groups_in_words::<16>();
    groups_in_words::<15>();
}

#[test]
fn the_chain_of_powers_has_the_right_exponents() {
    for n in [2, 4, 8] {
        for (e, power) in (1..).zip(power_chain(Formal::<16>::tau_to(1), n)).take(n) {
            assert_eq!(power, Formal::tau_to(e));
        }
    }
}

#[test]
fn prepared_powers_are_the_powers() {
    let powers: [Formal<15>; 32] = powers_up_to(Formal::tau_to(1));
    for (e, power) in (1..).zip(powers) {
        assert_eq!(power, Formal::tau_to(e));
    }
}

for_lanes! {
    in_lanes = lengths;
    row = one_row;
}
