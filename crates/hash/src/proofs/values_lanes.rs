//! Arithmetic in lanes: products, carries, loads and folds have the documented values, for all inputs.
use super::radix::{
    Prime, R26, R26Of1271, Radix, assert_same, folded, lanes_of, limbs, load, message_of, symbols, value,
    values_of,
};
use super::{CUT26, for_lanes, for_radices, ones};
use crate::base::block_rows::{block_of_lane, lane_of_block};
use crate::eval::horner::{first_row, group, last_row};
use crate::field::LaneField;
use crate::field::p1305::lanes26::{self, Key};
use carryless_lanes::{AlgebraArena, Lanes, Poly};
use std::format;
use std::vec::Vec;

/// The widest limbs that are multiplied.
fn wide<R: Radix>() -> R::Limbs {
    limbs::<R>(|_| R::ROW)
}

/// h r, d + h r, r r and sums, every lane with its own key.
fn products<R: Radix, const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    // Every lane has symbols of its own: an operation that mixes lanes gives another polynomial.
    let (h, hv) = lanes_of::<R, _>(&arena, s, "h", wide::<R>());
    let (r, rv) = lanes_of::<R, _>(&arena, s, "r", R::CARRIED);
    let (i, iv) = lanes_of::<R, _>(&arena, s, "i", wide::<R>());
    let (q, qv) = lanes_of::<R, _>(&arena, s, "q", R::CUT);
    let product = f.mul(h, &f.key(r));
    let sum = f.mul_add(product, i, &f.key(q));
    let of = |sums| values_of::<R, _>(&arena, s, f.carry(sums));
    let soon = of(f.mul_soon(h, &f.key(r)));
    let (more, square) = (of(f.add_sums(product, f.as_sums(i))), of(f.square(r)));
    let (product, sum) = (of(product), of(sum));
    for lane in 0..N {
        let want = &hv[lane] * &rv[lane];
        assert_same::<R>(&product[lane], &want);
        assert_same::<R>(&soon[lane], &want);
        assert_same::<R>(&more[lane], &(&want + &iv[lane]));
        assert_same::<R>(&sum[lane], &(want + &iv[lane] * &qv[lane]));
        assert_same::<R>(&square[lane], &(&rv[lane] * &rv[lane]));
    }
    let added = f.add(load::<R, _>(s, [symbols::<R>(&arena, "x", R::CUT); 8]), r);
    let everywhere = values_of::<R, _>(&arena, s, f.everywhere(symbols::<R>(&arena, "x", R::CUT)));
    for (lane, got) in values_of::<R, _>(&arena, s, added).iter().enumerate().take(N) {
        assert_same::<R>(got, &(&everywhere[lane] + &rv[lane]));
    }
}

/// Sums of 63 bits, as a window leaves them.
fn carries<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let (d, dv) = lanes_of::<R26, _>(&arena, s, "d", [ones(63); 5]);
    let got = values_of::<R26, _>(&arena, s, lanes26::carry(s, d));
    let got_1271 =
        values_of::<R26Of1271, _>(&arena, s, lanes26::carry_modulo::<{ lanes26::TOP_1271 }, _>(s, d));
    for i in 0..N {
        assert_same::<R26>(&got[i], &dv[i]);
        assert_same::<R26Of1271>(&got_1271[i], &dv[i]);
    }
}

/// Keys come back from memory as they were.
fn stored_keys<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let (h, _) = lanes_of::<R26, _>(&arena, s, "h", CUT26);
    let key = Key::splat(s, symbols::<R26>(&arena, "r", CUT26));
    let mut words = [0; 9 * 8];
    key.store(s, &mut words);
    let times = |key| values_of::<R26, _>(&arena, s, lanes26::mul(s, lanes26::limbs(s, h), key));
    assert_eq!(times(&Key::load(s, &words)), times(&key));
}

/// Elements go to their lane; the fold is the sum.
fn memory<R: Radix, const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let limbs = symbols::<R>(&arena, "e", R::CUT);
    for lane in 0..N {
        let placed = values_of::<R, _>(&arena, s, R::over(s).in_lane(limbs, lane));
        for (i, got) in placed.iter().enumerate().take(N) {
            let want = if i == lane { value::<R>(&arena, limbs) } else { Poly::default() };
            // Equal as polynomials and not only modulo p, because a move computes nothing.
            assert_eq!(*got, want);
        }
    }
    let (h, hv) = lanes_of::<R, _>(&arena, s, "h", R::CARRIED);
    let sum = hv.iter().take(N).fold(Poly::default(), |sum, v| sum + v);
    assert_same::<R>(&folded::<R, _>(&arena, s, h, None), &sum);
    // As `close` has it.
    let closed = folded::<R, _>(&arena, s, h, Some(limbs));
    assert_same::<R>(&closed, &(sum + value::<R>(&arena, limbs)));
    let (other, otherv) = lanes_of::<R, _>(&arena, s, "o", R::CARRIED);
    for i in 0..N {
        let (even, odd) = (i - i % 2, i - i % 2 + 1);
        let alternate = R::over(s).alternate(h, other);
        assert_eq!(values_of::<R, _>(&arena, s, alternate)[i], if i % 2 == 0 { &hv } else { &otherv }[even]);
        assert_eq!(values_of::<R, _>(&arena, s, R::over(s).evens(h))[i], hv[even]);
        assert_eq!(values_of::<R, _>(&arena, s, R::over(s).odds(h))[i], hv[odd]);
    }
}

/// Elements of streams go to the lanes of their blocks.
fn streams<R: Radix, const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let limbs: [R::Limbs; 8] = core::array::from_fn(|b| symbols::<R>(&arena, &format!("e{b}"), R::CUT));
    let placed = values_of::<R, _>(&arena, s, R::over(s).arrange(&limbs));
    for b in 0..N {
        assert_eq!(placed[lane_of_block(N, b)], value::<R>(&arena, limbs[b]));
    }
    let (a, av) = lanes_of::<R, _>(&arena, s, "a", R::CARRIED);
    // Lanes 0, 3 and 6 keep their element. Of the others the odd ones get 1, and the even ones 0.
    let own = |lane: usize| lane.is_multiple_of(3);
    let (kept, others) = (
        core::array::from_fn(|lane| if own(lane) { u64::MAX } else { 0 }),
        core::array::from_fn(|lane| u64::from(!own(lane) && !lane.is_multiple_of(2))),
    );
    let mixed = values_of::<R, _>(&arena, s, R::over(s).mixed(a, &kept, &others));
    for lane in 0..N {
        let want = if own(lane) { av[lane].clone() } else { Poly::constant(others[lane].into()) };
        assert_eq!(mixed[lane], want);
    }
}

/// A row that is only added, and one whose halves lie apart, or are the same.
fn rows<R: Radix, const N: usize>() {
    let arena = AlgebraArena::new();
    let (f, s) = (R::over(arena.backend::<N>()), arena.backend::<N>());
    let (mut bytes, half) = ([0; 16 * 16], R::BLOCK * N / 2);
    let pad = Poly::constant(1).times_power_of_two(8 * R::BLOCK as u32);
    let c: Vec<Poly> =
        message_of::<R>(&arena, "m", &mut bytes[..4 * half]).iter().map(|c| c - &pad).collect();
    // One row, the same bytes in both halves, and halves that lie apart.
    for apart in [half, 0, 2 * half] {
        let row = values_of::<R, _>(&arena, s, f.row(&bytes, apart));
        let sums = values_of::<R, _>(&arena, s, f.carry(f.row_sums(&bytes, apart)));
        for i in 0..N {
            let b = block_of_lane(N, i);
            let want = if b < N / 2 { &c[b] } else { &c[b - N / 2 + apart / R::BLOCK] };
            assert_eq!(row[i], *want);
            assert_same::<R>(&sums[i], want);
        }
    }
}

/// Lane i of a loaded row holds its block, cut into limbs without loss, with its pad.
fn blocks<R: Radix, const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let mut bytes = [0; 16 * 8];
    let c = message_of::<R>(&arena, "m", &mut bytes[..R::BLOCK * N]);
    let got = values_of::<R, _>(&arena, s, R::over(s).whole_row(&bytes));
    for i in 0..N {
        assert_eq!(lane_of_block(N, block_of_lane(N, i)), i);
        assert_eq!(got[i], c[block_of_lane(N, i)]);
    }
}

/// Zero blocks in front have no pad bit, the rest has; h joins the first block.
fn first_rows<R: Radix, const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let h = symbols::<R>(&arena, "h", R::CUT);
    for count in 1..=N {
        let mut bytes = [0; 16 * 8];
        let c = message_of::<R>(&arena, "m", &mut bytes[..R::BLOCK * count]);
        let row = first_row(R::over(s), Some(h), &bytes[..R::BLOCK * count], count);
        let got = values_of::<R, _>(&arena, s, row);
        for b in 0..N {
            let empty = N - count;
            let mut want = if b < empty { Poly::default() } else { c[b - empty].clone() };
            if b == empty {
                want = want + value::<R>(&arena, h);
            }
            assert_eq!(got[lane_of_block(N, b)], want);
        }
    }
}

/// The last row with a short block of any length: eight bytes as symbols, the other lengths as they are.
fn last_rows<R: Radix, const N: usize>() {
    for tail in 1..=R::BLOCK {
        let arena = AlgebraArena::new();
        let s = arena.backend::<N>();
        let mut bytes = [0; 16 * 8];
        let whole = R::BLOCK * (N - 1);
        let mut c = message_of::<R>(&arena, "m", &mut bytes[..whole]);
        c.push(short_block_of::<R>(&arena, &mut bytes[whole..whole + tail]));
        let got = values_of::<R, _>(&arena, s, last_row(R::over(s), &bytes[..whole + tail]));
        for b in 0..N {
            assert_eq!(got[lane_of_block(N, b)], c[b], "{tail} bytes in the last block");
        }
    }
}

/// Fills a last block of 2^130 - 5.
pub(super) fn short_block(arena: &AlgebraArena, tail: &mut [u8]) -> Poly {
    short_block_of::<R26>(arena, tail)
}

/// Fills a last block of 1 byte or more. Words that are whole become symbols, the others get fixed bytes.
pub(super) fn short_block_of<R: Radix>(arena: &AlgebraArena, tail: &mut [u8]) -> Poly {
    let len = tail.len();
    if len == R::BLOCK {
        return message_of::<R>(arena, "t", tail).remove(0);
    }
    let symbols = arena.fill("t", &mut tail[..len / 8 * 8]);
    let mut top = [0; 8];
    for (i, byte) in tail[len / 8 * 8..].iter_mut().enumerate() {
        *byte = 0xb5 ^ (29 * i as u8);
        top[i] = *byte;
    }
    // The pad follows the last byte. A symbol stands for a whole word, so the word of the pad has fixed bytes.
    top[len % 8] = 1;
    let rest = arena.constant(u64::from_le_bytes(top));
    let mut words = symbols;
    words.push(Poly::constant(rest.into()));
    Poly::from_limbs(&words, 64)
}

/// A gamma^g + R_1 gamma^(g-1) + ... + R_g for each g.
fn groups<R: Radix, const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    let (a, av) = lanes_of::<R, _>(&arena, s, "a", wide::<R>());
    // Each power has limbs of its own, so a kernel that takes the wrong one gives another polynomial.
    let limbs: [R::Limbs; 4] = core::array::from_fn(|i| symbols::<R>(&arena, &format!("g{i}"), R::CARRIED));
    let [g1, g2, g3, g4] = limbs.map(|limbs| f.key(load::<R, _>(s, [limbs; 8])));
    let gv = limbs.map(|limbs| value::<R>(&arena, limbs));
    let mut bytes = [0; 16 * 8 * 4];
    let c = message_of::<R>(&arena, "m", &mut bytes[..4 * R::BLOCK * N]);
    let outs = [
        group(f, a, &bytes, &[g1]),
        group(f, a, &bytes, &[g1, g2]),
        group(f, a, &bytes, &[g1, g2, g3]),
        group(f, a, &bytes, &[g1, g2, g3, g4]),
    ];
    for (g, out) in (1..).zip(outs) {
        assert_group::<R, N>(g, &values_of::<R, _>(&arena, s, out), &av, &gv, &c);
    }
}

/// The lanes hold A gamma^g + R_1 gamma^(g-1) + ... + R_g, where `c` has the blocks of the rows and `gamma` the powers.
#[track_caller]
pub(super) fn assert_group<R: Radix, const N: usize>(
    g: usize,
    got: &[Poly; 8],
    a: &[Poly; 8],
    gamma: &[Poly],
    c: &[Poly],
) {
    for i in 0..N {
        let mut want = &a[i] * &gamma[g - 1];
        for row in 1..=g {
            let block = &c[(row - 1) * N + block_of_lane(N, i)];
            want = want + if row == g { block.clone() } else { block * &gamma[g - row - 1] };
        }
        assert_same::<R>(&got[i], &want);
    }
}

/// Elements as words, in the order of blocks, come into their lanes as limbs; lane 0 has the first one.
fn words_in_lanes<R: Radix, const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let f = R::over(s);
    let elements: [[u64; 3]; 8] =
        core::array::from_fn(|b| super::symbols(&arena, &format!("p{b}"), R::Prime::ELEMENT));
    let p = R::in_lanes(s, &elements);
    let got = values_of::<R, _>(&arena, s, p);
    for (b, words) in elements.iter().enumerate().take(N) {
        assert_eq!(got[lane_of_block(N, b)], arena.value(words, 64));
    }
    let (h, hv) = lanes_of::<R, _>(&arena, s, "h", R::CUT);
    let times = values_of::<R, _>(&arena, s, f.carry(f.mul(h, &f.key(f.lane0(p)))));
    for i in 0..N {
        assert_same::<R>(&times[i], &(&hv[i] * &arena.value(&elements[0], 64)));
    }
}

/// `times5` is 5 x for every x below 2^61.
fn fives<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let x = s.splat(arena.symbol("x", ones(61)));
    let mut out = [0; 8];
    s.store(lanes26::times5(s, x), &mut out);
    assert_eq!(arena.poly(out[N - 1]), Poly::symbol("x").times(5));
}

for_lanes! {
    carry_wide_sums = carries;
    keys_through_memory = stored_keys;
    times_five = fives;
}

for_radices! {
    streams_in_their_lanes = streams;
    rows_of_two_halves = rows;
    multiply_and_carry = products;
    through_memory = memory;
    cut_blocks = blocks;
    zero_blocks_in_front = first_rows;
    short_last_block = last_rows;
    delayed_reduction = groups;
    elements_in_lanes = words_in_lanes;
}
