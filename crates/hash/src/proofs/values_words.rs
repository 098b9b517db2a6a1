//! Scalar kernels compute what they document, modulo p, for all inputs.
use super::{CUT26, CUT44, TOP_IN, assert_same, ones, same, terms, value};
use crate::field::p1305::element::{add_small, freeze, limbs26, limbs44, pack26, recut};
use crate::field::p1305::word44::{self, Multiplier};
use crate::field::p1305::word64::{self, Clamped};
use carryless_lanes::{AlgebraArena, Words};
use carryless_reference::BigUint;
use std::format;

const ELEMENT: [u64; 3] = [u64::MAX, u64::MAX, TOP_IN];

#[test]
fn elements_are_cut_and_packed_without_loss() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let w = terms(&arena, "w", ELEMENT);
    assert_eq!(value(&arena, limbs26(s, w), 26), value(&arena, w, 64));
    assert_eq!(value(&arena, limbs44(s, w), 44), value(&arena, w, 64));
    // Limbs of squares: `bounds` in `brw` has them.
    let loose = terms(&arena, "a", [1 << 45, 1 << 45, 1 << 43]);
    assert_eq!(value(&arena, recut(s, loose), 26), value(&arena, loose, 44));
    let h = terms(&arena, "h", [ones(45), ones(45), ones(44)]);
    assert_eq!(value(&arena, word44::pack(s, h), 64), value(&arena, h, 44));
}

/// Limbs below 2^62, so sums over lanes. As a number, not only modulo p: w = h - p c with one carry c, the bits of h
/// above 2^130. So w < 2^130 + 5 c, and c < 2^37: w is below 2p.
#[test]
fn pack26_subtracts_one_multiple_of_p() {
    let arena = AlgebraArena::new();
    let h = terms(&arena, "h", [ones(62); 5]);
    let (w, h) = (value(&arena, pack26(arena.backend::<1>(), h), 64), value(&arena, h, 26));
    assert_same(&w, &h);
    assert_eq!((&w - &h).terms(), 1, "{:?}", &w - &h);
    let most = (0..5).fold(BigUint::ZERO, |sum, i| sum + (BigUint::from(ones(62)) << (26 * i)));
    assert!((most >> 130u32) < BigUint::from(1u64 << 37));
}

/// h r + m + 2^128 pad for r1 = 4 q: clamping makes 4 divide r1.
#[test]
fn word64_steps() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let h = terms(&arena, "h", [u64::MAX, u64::MAX, 6]);
    let m = terms(&arena, "m", [u64::MAX; 2]);
    let [pad] = terms(&arena, "pad", [1]);
    let [r0, q] = terms(&arena, "r", [0x0fff_fffc_0fff_ffff, 0x03ff_ffff_03ff_ffff]);
    let r1 = Words::shl(s, q, 2);
    let block = value(&arena, [m[0], m[1], pad], 64);
    let out = word64::step(s, h, &Clamped::new(s, [r0, r1]), m, pad);
    assert_same(&value(&arena, out, 64), &(value(&arena, h, 64) * value(&arena, [r0, r1], 64) + &block));
    let out = word64::absorb(s, h, m, pad);
    assert_eq!(value(&arena, out, 64), value(&arena, h, 64) + block);
}

#[test]
fn word44_split() {
    let arena = AlgebraArena::new();
    let m = terms(&arena, "m", [u64::MAX; 2]);
    let [pad] = terms(&arena, "pad", [1]);
    let out = word44::split(arena.backend::<1>(), m, pad);
    assert_eq!(value(&arena, out, 44), value(&arena, [m[0], m[1], pad], 64));
}

/// One block, two blocks, and the square of the key: limbs as wide as `bounds_words` finds them.
#[test]
fn word44_steps() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let wide = [ones(44) + ones(8), ones(44) + ones(25), ones(43)];
    let (h, a, b) = (terms(&arena, "h", wide), terms(&arena, "a", CUT44), terms(&arena, "b", CUT44));
    let (r1, r2) = (terms(&arena, "r", CUT44), terms(&arena, "s", wide));
    let [hv, av, bv, r1v, r2v] = [h, a, b, r1, r2].map(|limbs| value(&arena, limbs, 44));
    let (k1, k2) = (Multiplier::new(s, r1), Multiplier::new(s, r2));
    assert_same(&value(&arena, word44::step(s, h, a, &k1), 44), &((&hv + &av) * &r1v));
    let two = word44::step_two(s, h, a, b, &k1, &k2);
    assert_same(&value(&arena, two, 44), &((&hv + &av) * &r2v + &bv * &r1v));
    let square = word44::carry_twice(s, word44::mul_wide(s, r1, &k1));
    assert_same(&value(&arena, square, 44), &(&r1v * &r1v));
    let square = word44::carry_twice(s, word44::square_wide(s, h));
    assert_same(&value(&arena, square, 44), &(&hv * &hv));
}

#[test]
fn a_word_is_added() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let a = terms(&arena, "a", ELEMENT);
    let av = value(&arena, a, 64);
    let [x] = terms(&arena, "x", [ones(60)]);
    assert_eq!(value(&arena, add_small(s, a, x), 64), av + value(&arena, [x], 64));
}

/// The last reduction adds 5 (q - q') to the residue, where q is the top of w + 5 and q' that of w + 5 q. That both
/// are equal is arithmetic ([the last reduction](super)) and checked at the borders in `freeze.rs`.
#[test]
fn freeze_changes_the_residue_by_multiples_of_five_only() {
    let arena = AlgebraArena::new();
    let s = arena.backend::<1>();
    let w = terms(&arena, "w", ELEMENT);
    let difference = same(&value(&arena, freeze(s, w), 64), &value(&arena, w, 64)).unwrap_err();
    let text = format!("{difference}");
    assert!(text.starts_with("2 coefficients differ: 5*c"), "{text}");
}

/// The cut of an element into limbs is inside what the vector kernels are proved for.
#[test]
fn cuts_have_the_ranges_of_the_lanes() {
    let arena = AlgebraArena::new();
    let limbs = limbs26(arena.backend::<1>(), terms(&arena, "w", ELEMENT));
    let tops = limbs.map(|limb| arena.range_of(arena.word_of(limb)).hi());
    assert_eq!(tops, CUT26);
}
