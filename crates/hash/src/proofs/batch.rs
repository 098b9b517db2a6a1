//! Batches in radix 2^32, a lane per message: bounds over any number of blocks, and values.
use super::values_lanes::short_block;
use super::{assert_same, fixpoint, for_lanes, message, ones, same};
use crate::base::block_rows::lane_of_block;
use crate::base::blocks::BLOCK;
use crate::eval::p1305::batch::{Key, Sums, digest, digests, evaluate, horner, words};
use crate::eval::p1305::steps::WIDEST;
use carryless_lanes::{Algebra, AlgebraArena, IntervalArena, Lanes, Poly, Range, Words};
use std::format;
use std::vec::Vec;

/// What clamping leaves of the four words of r: the upper three are multiples of four.
const CLAMPED: [u32; 4] = [0x0fff_ffff, 0x0fff_fffc, 0x0fff_fffc, 0x0fff_fffc];

/// What the sums of a step reach: `one_step` is about these.
const UNCARRIED: [u64; 5] = [ones(63), ones(63), ones(63), ones(63), ones(31)];

fn clamped_range(arena: &IntervalArena) -> [u8; BLOCK] {
    let [r0, r1, r2, r3] = CLAMPED.map(|top| (0, top));
    let low = arena.word(Range::halves(r0, r1));
    let high = arena.word(Range::halves(r2, r3));
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}

/// Any clamped key, any number of blocks, whole, short or none: no sum reaches 2^63, and the digest is reached.
fn bounds<const N: usize>() {
    let arena = IntervalArena::new();
    let s = arena.backend::<N>();
    let r = [clamped_range(&arena); WIDEST];
    let key = Key::new(s, words(s, r.as_flattened()));
    let any = [[Range::ANY; N]; 2];
    // A lane whose message has not begun absorbs zeros without a pad.
    let pads = [Range::upto(1); N];
    let start = [[Range::constant(0); N]; 5];
    let h = fixpoint(start, |h| horner(s, h, any, pads, &key));
    for (sum, top) in h.iter().zip(UNCARRIED) {
        assert!(sum.iter().all(|sum| sum.hi() <= top), "{h:?}");
    }
}

/// The whole kernel, end to end, for lengths of all kinds beside each other.
fn as_called<const N: usize>() {
    let arena = IntervalArena::new();
    let r = [clamped_range(&arena); WIDEST];
    for longest in [0, 1, 15, 16, 17, 64, 100] {
        for step in [0, 1, 7, 16, 33] {
            let msgs: [&[u8]; WIDEST] =
                core::array::from_fn(|i| &[0; 100][..longest - (i * step).min(longest)]);
            digests(arena.backend::<N>(), &r, &msgs);
        }
    }
}

/// A clamped r of symbols in every lane, `r0 + 2^32 4 q1 + ...`, as bytes and as a value.
fn clamped_symbols<const N: usize>(
    arena: &AlgebraArena,
    s: Algebra<'_, N>,
    name: &str,
) -> ([u8; BLOCK], Poly) {
    let part = |i: usize, top: u32| s.splat(arena.symbol(&format!("{name}.{i}"), top.into()));
    let times4 = |i: usize| Lanes::shl(s, part(i, CLAMPED[i] >> 2), 2);
    let high_half = |v| Lanes::shl(s, v, 32);
    let mut out = [[0; 8]; 2];
    s.store(Lanes::concat(s, part(0, CLAMPED[0]), high_half(times4(1))), &mut out[0]);
    s.store(Lanes::concat(s, times4(2), high_half(times4(3))), &mut out[1]);
    let [low, high] = out.map(|words| words[0]);
    ((u128::from(low) | u128::from(high) << 64).to_le_bytes(), arena.value(&[low, high], 64))
}

/// The limbs in the lanes: low halves of four sums, and the fifth.
fn limbs<const N: usize>(s: Algebra<'_, N>, h: Sums<Algebra<'_, N>>) -> Vec<[u64; 5]> {
    let mut out = [[0; 8]; 5];
    for (i, sum) in h.into_iter().enumerate() {
        s.store(if i < 4 { Lanes::low_bits(s, sum, 32) } else { sum }, &mut out[i]);
    }
    (0..N).map(|lane| out.map(|sum| sum[lane])).collect()
}

/// h + 5 q for q = floor((h + 5) / 2^130), which is 0 or 1: by 128-bit words, not by limbs.
fn reduced(arena: &AlgebraArena, h: &[u64; 5]) -> Poly {
    let w = arena.backend::<1>();
    let [h0, h1, h2, h3, h4] = h.map(|limb| arena.term_of(limb));
    let pair = |low, high| Words::concat(w, low, Words::shl(w, high, 32));
    let (_, carry) = w.add_carry(w.wide(pair(h0, h1), pair(h2, h3)), w.widen(w.word(5)));
    let q = arena.word_of(Words::shr(w, w.add_word(h4, carry), 2));
    assert!(arena.range_of(q).hi() <= 1);
    arena.value(h, 32) + arena.poly(q).times(5)
}

/// The last reduction gives h + 5 q modulo 2^128 for all carried limbs, whatever is above the low halves. They are below
/// 2p, so that is the residue.
fn last_reduction<const N: usize>() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let (h, _) = super::lanes_of(&arena, s, "h", [ones(63), ones(63), ones(63), ones(63), 4]);
    let limbs = limbs(s, h);
    let mut out = [[0; 8]; 2];
    for (word, out) in digest(s, h).into_iter().zip(&mut out) {
        s.store(word, out);
    }
    for (lane, limbs) in limbs.iter().enumerate() {
        assert_digest(&arena, out.map(|words| words[lane]), limbs);
    }
}

#[track_caller]
fn assert_digest(arena: &AlgebraArena, digest: [u64; 2], limbs: &[u64; 5]) {
    if let Err(difference) = arena.value(&digest, 64).equal_modulo(&reduced(arena, limbs), 128, 0) {
        panic!("{difference}");
    }
}

/// (h + m + 2^128 pad) r for uncarried h.
fn one_step<const N: usize>() {
    assert!(step_is::<N>(false));
}

/// Whether the step's value is the specified one; with `fault` the kernel gets another key.
fn step_is<const N: usize>(fault: bool) -> bool {
    let arena = AlgebraArena::new();
    let s = arena.backend::<N>();
    let (r, rv) = clamped_symbols(&arena, s, "r");
    let (q, _) = clamped_symbols(&arena, s, "q");
    let r = if fault { q } else { r };
    let key = Key::new(s, words(s, [r; WIDEST].as_flattened()));
    let (h, _) = super::lanes_of(&arena, s, "h", UNCARRIED);
    // `lanes_of` reads the limbs in radix 2^26; here they are of radix 2^32.
    let limbs = |lane: usize| [0, 1, 2, 3, 4].map(|i| Poly::symbol(&format!("h{lane}.{i}")));
    let hv: Vec<Poly> = (0..N).map(|lane| Poly::from_limbs(&limbs(lane), 32)).collect();
    let mut bytes = [0; BLOCK * 8];
    let c = message(&arena, "m", &mut bytes[..BLOCK * N]);
    let m = words(s, &bytes);
    let out = horner(s, h, m, s.splat(1), &key);
    let mut stored = [[0; 8]; 5];
    for (i, sum) in out.into_iter().enumerate() {
        s.store(sum, &mut stored[i]);
    }
    (0..N).all(|j| {
        let lane = lane_of_block(N, j);
        let got = arena.value(&stored.map(|sum| sum[lane]), 32);
        same(&got, &((&hv[lane] + &c[j]) * &rv)).is_ok()
    })
}

/// Whole batches: each message with its own key and length, from nothing to three blocks, short ones among them.
fn whole_batches<const N: usize>() {
    for lengths in [&[16, 32, 48][..], &[48], &[40], &[0, 8, 16, 35, 48], &[1, 24]] {
        let arena = AlgebraArena::new();
        let s = arena.backend::<N>();
        let keys: [_; WIDEST] = core::array::from_fn(|j| clamped_symbols(&arena, s, &format!("r{j}")));
        let r = keys.clone().map(|key| key.0);
        let mut bytes = [[0; 48]; WIDEST];
        let mut blocks = Vec::new();
        for (j, bytes) in bytes.iter_mut().enumerate().take(2 * N) {
            let len = lengths[j % lengths.len()];
            let mut c = message(&arena, &format!("m{j}."), &mut bytes[..len / BLOCK * BLOCK]);
            if len % BLOCK > 0 {
                c.push(short_block(&arena, &mut bytes[len / BLOCK * BLOCK..len]));
            }
            blocks.push(c);
        }
        let msgs: [&[u8]; WIDEST] = core::array::from_fn(|j| &bytes[j][..lengths[j % lengths.len()]]);
        let key = |from: usize| Key::new(s, words(s, r[from..].as_flattened()));
        let (a, b) = evaluate(s, &key(0), &key(N), &msgs[..2 * N]);
        let (a, b) = (limbs(s, a), limbs(s, b));
        // The kernel once more, to the end: the same operations get the same names.
        let out = digests(s, &r, &msgs);
        for (j, c) in blocks.iter().enumerate() {
            let lane = lane_of_block(N, j % N);
            let got = if j < N { &a[lane] } else { &b[lane] };
            let want = c.iter().fold(Poly::default(), |sum, block| (sum + block) * &keys[j].1);
            assert_same(&arena.value(got, 32), &want);
            assert_digest(&arena, out.map(|words| words[lane + j / N * (WIDEST / 2)]), got);
        }
    }
}

/// The last reduction does not overflow, whatever is above the low halves.
#[test]
fn the_digest_takes_any_carried_limbs() {
    let arena = IntervalArena::new();
    let s = arena.backend::<4>();
    let out =
        digest(s, [[Range::ANY; 4], [Range::ANY; 4], [Range::ANY; 4], [Range::ANY; 4], [Range::upto(4); 4]]);
    assert_eq!(out[1][0].hi(), u64::MAX);
}

#[test]
fn another_key_is_noticed() {
    assert!(step_is::<4>(false) && !step_is::<4>(true));
}

for_lanes! {
    any_number_of_blocks = bounds;
    every_shape = as_called;
    steps = one_step;
    whole_batches_are_polynomials = whole_batches;
    the_digest_is_the_residue = last_reduction;
}
