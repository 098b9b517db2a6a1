//! Limbs of radix 2^26 in lanes: products, carries, loads and folds have the documented values, for all inputs.
use super::bounds_lanes::CARRIED;
use super::{CUT26, TOP_IN, assert_same, for_lanes, lanes_of, message, ones, symbols, value, values_of};
use crate::field1305::horner::{broadcast_lane0, first_row, group, last_row};
use crate::field1305::lanes26::{self, Key, block_of_lane, lane_of_block};
use crate::field1305::powers::{Row, in_lanes};
use carryless_lanes::{AlgebraArena, Lanes, Poly};
use std::format;

const WIDE: [u64; 5] = [ones(28); 5];

/// h r, and d + h r, every lane with its own key; then carried.
fn products<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let (h, hv) = lanes_of(&arena, s, "h", WIDE);
    let (r, rv) = lanes_of(&arena, s, "r", CARRIED.map(|top| top + ones(26)));
    let (d, dv) = lanes_of(&arena, s, "d", [ones(62); 5]);
    let key = Key::new(s, r);
    let h = lanes26::limbs(s, h);
    let (product, sum) = (lanes26::mul(s, h, &key), lanes26::mul_add(s, d, h, &key));
    let pairs = [
        (values_of(&arena, s, product), Poly::default()),
        (values_of(&arena, s, lanes26::carry(s, product)), Poly::default()),
        (values_of(&arena, s, sum), Poly::constant(1)),
        (values_of(&arena, s, lanes26::carry(s, sum)), Poly::constant(1)),
    ];
    for (got, added) in pairs {
        for i in 0..N {
            assert_same(&got[i], &(&hv[i] * &rv[i] + &dv[i] * &added));
        }
    }
}

/// Sums of 63 bits, as a window leaves them.
fn carries<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let (d, dv) = lanes_of(&arena, s, "d", [ones(63); 5]);
    let got = values_of(&arena, s, lanes26::carry(s, d));
    for i in 0..N {
        assert_same(&got[i], &dv[i]);
    }
}

/// Keys come back from memory as they were; elements go to their lane; the fold is the sum.
fn memory<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let (h, hv) = lanes_of(&arena, s, "h", CUT26);
    let key = Key::splat(s, symbols(&arena, "r", CUT26));
    let mut words = [0; 9 * 8];
    key.store(s, &mut words);
    let want = values_of(&arena, s, lanes26::mul(s, lanes26::limbs(s, h), &key));
    let got = values_of(&arena, s, lanes26::mul(s, lanes26::limbs(s, h), &Key::load(s, &words)));
    assert_eq!(got, want);

    let limbs = symbols(&arena, "e", CUT26);
    for lane in 0..N {
        let placed = values_of(&arena, s, lanes26::in_lane(s, limbs, lane));
        for (i, got) in placed.iter().enumerate().take(N) {
            let want = if i == lane { arena.value(&limbs, 26) } else { Poly::default() };
            assert_eq!(*got, want);
        }
    }
    let folded = lanes26::fold(arena.machine::<1>(), &lanes26::store(s, h), N);
    let sum = hv.iter().take(N).fold(Poly::default(), |sum, v| sum + v);
    assert_same(&value(&arena, folded, 64), &sum);
}

/// Lane i of a loaded row holds its block, cut into limbs without loss.
fn blocks<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let mut bytes = [0; 16 * 8];
    let c = message(&arena, "m", &mut bytes[..16 * N]);
    let got = values_of(&arena, s, lanes26::blocks(s, &bytes));
    let pad = Poly::constant(1).times_power_of_two(128);
    for i in 0..N {
        assert_eq!(lane_of_block(N, block_of_lane(N, i)), i);
        assert_eq!(got[i], &c[block_of_lane(N, i)] - &pad);
    }
}

/// Zero blocks in front have no pad bit, the rest has; h joins the first block.
fn first_rows<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let h = symbols(&arena, "h", CUT26);
    for count in 1..=N {
        let mut bytes = [0; 16 * 8];
        let c = message(&arena, "m", &mut bytes[..16 * count]);
        let got = values_of(&arena, s, first_row(s, h, &bytes[..16 * count], count));
        for b in 0..N {
            let empty = N - count;
            let mut want = if b < empty { Poly::default() } else { c[b - empty].clone() };
            if b == empty {
                want = want + arena.value(&h, 26);
            }
            assert_eq!(got[lane_of_block(N, b)], want);
        }
    }
}

/// The last row with a short block of any length: eight bytes as symbols, the other lengths as they are.
fn last_rows<const N: usize>() {
    for tail in 1..=16 {
        let arena = AlgebraArena::new();
        let s = arena.machine::<N>();
        let mut bytes = [0; 16 * 8];
        let whole = 16 * (N - 1);
        let mut c = message(&arena, "m", &mut bytes[..whole]);
        c.push(short_block(&arena, &mut bytes[whole..whole + tail]));
        let got = values_of(&arena, s, last_row(s, &bytes[..whole + tail]));
        for b in 0..N {
            assert_eq!(got[lane_of_block(N, b)], c[b], "{tail} bytes in the last block");
        }
    }
}

/// Fills a last block of 1 to 16 bytes. Words that are whole become symbols, the others get fixed bytes.
pub(super) fn short_block(arena: &AlgebraArena, tail: &mut [u8]) -> Poly {
    let len = tail.len();
    let symbols = arena.fill("t", &mut tail[..len / 8 * 8]);
    let mut top = [0; 8];
    for (i, byte) in tail[len / 8 * 8..].iter_mut().enumerate() {
        *byte = 0xb5 ^ (29 * i as u8);
        top[i] = *byte;
    }
    if len < 16 {
        top[len % 8] = 1;
    }
    let rest = arena.constant(u64::from_le_bytes(top));
    let mut words = symbols;
    words.push(Poly::constant(rest.into()));
    if len == 16 {
        words[2] = Poly::constant(1);
    }
    Poly::from_limbs(&words, 64)
}

/// A gamma^g + R_1 gamma^(g-1) + ... + R_g for each g.
fn groups<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let (a, av) = lanes_of(&arena, s, "a", WIDE);
    let limbs: [[u64; 5]; 4] = core::array::from_fn(|i| symbols(&arena, &format!("g{i}"), CARRIED));
    let [g1, g2, g3, g4] = limbs.map(|limbs| Key::splat(s, limbs));
    let gv = limbs.map(|limbs| arena.value(&limbs, 26));
    let mut bytes = [0; 16 * 8 * 4];
    let c = message(&arena, "m", &mut bytes[..64 * N]);
    let outs = [
        group(s, a, &bytes, &[g1]),
        group(s, a, &bytes, &[g1, g2]),
        group(s, a, &bytes, &[g1, g2, g3]),
        group(s, a, &bytes, &[g1, g2, g3, g4]),
    ];
    for (g, out) in (1..).zip(outs) {
        let got = values_of(&arena, s, out);
        for i in 0..N {
            let mut want = &av[i] * &gv[g - 1];
            for row in 1..=g {
                let block = &c[(row - 1) * N + block_of_lane(N, i)];
                want = want + if row == g { block.clone() } else { block * &gv[g - row - 1] };
            }
            assert_same(&got[i], &want);
        }
    }
}

/// Elements as words, in the order of blocks, come into their lanes as limbs; lane 0 has the first one.
fn words_in_lanes<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let mut row = Row { words: [0; 16], tops: [0; 8] };
    let elements: [[u64; 3]; N] =
        core::array::from_fn(|b| symbols(&arena, &format!("p{b}"), [u64::MAX, u64::MAX, TOP_IN]));
    for (b, words) in elements.iter().enumerate() {
        row.words[2 * b] = words[0];
        row.words[2 * b + 1] = words[1];
        row.tops[lane_of_block(N, b)] = words[2];
    }
    let p = in_lanes(s, &row);
    let got = values_of(&arena, s, p);
    for (b, words) in elements.iter().enumerate() {
        assert_eq!(got[lane_of_block(N, b)], arena.value(words, 64));
    }
    let (h, hv) = lanes_of(&arena, s, "h", CUT26);
    let times = values_of(&arena, s, lanes26::mul(s, lanes26::limbs(s, h), &broadcast_lane0(s, p)));
    for i in 0..N {
        assert_same(&times[i], &(&hv[i] * &arena.value(&elements[0], 64)));
    }
}

/// 5 x.
fn fives<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.machine::<N>();
    let x = s.splat(arena.symbol("x", ones(61)));
    let mut out = [0; 8];
    s.store(lanes26::times5(s, x), &mut out);
    assert_eq!(arena.poly(out[N - 1]), Poly::symbol("x").times(5));
}

for_lanes! {
    multiply_and_carry = products;
    carry_wide_sums = carries;
    through_memory = memory;
    cut_blocks = blocks;
    zero_blocks_in_front = first_rows;
    short_last_block = last_rows;
    delayed_reduction = groups;
    elements_in_lanes = words_in_lanes;
    times_five = fives;
}
